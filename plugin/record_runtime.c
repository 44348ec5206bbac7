/* The recorder, which runs inside the user's program: see record_internal.h.
 *
 * It declares what it needs of libc under names of its own, so that no header is included before the user's own; and that
 * is little, system calls else, for the user may have functions called open or write. Memory is only read by the kernel,
 * on its way into a file: an address that is not mapped fails the write and harms nobody. Memory checkers do not see such
 * reads either.
 *
 * Clocks by number: 1 is the wall clock, 2 the process's CPU clock, 3 the thread's. Calls are timed by the last, which a busy
 * machine does not stretch; it costs a system call, so that calls below 20 us are timed by the first. */
#include "record_internal.h"

#define TEXT(...) #__VA_ARGS__
#define VALUE(x) TEXT(x)

const char record_head[] =
	"#include <sys/syscall.h>\n"
	"enum { STROP__PARAMS = " VALUE(RECORD_PARAMS) ", STROP__TUPLES = " VALUE(RECORD_TUPLES)
	", STROP__SAMPLES = " VALUE(RECORD_SAMPLES) ", STROP__OFTEN = " VALUE(RECORD_OFTEN) ", STROP__SKIP = " VALUE(RECORD_SKIP)
	 ", STROP__BYTES = " VALUE(RECORD_BYTES) " }; "
	TEXT(
	struct strop__tuple { long long value[STROP__PARAMS]; long long calls; double seconds; double fastest; };
	struct strop__region {
		const char *key; const char *id; const char *names; int n_param;
		long long calls; double seconds; double flushed; double cpu; int is_long; long long bytes; int n_sample; int n_tuple;
		struct strop__tuple tuple[STROP__TUPLES];
	};
	struct strop__mark { double start; int clock; int tuple; int weight; };
	struct strop__value { const char *name; const void *data; long long bytes; };
	) " ";

const char record_body[] = TEXT(
	struct strop__time { long seconds; long nanoseconds; };
	struct strop__text { int fd; int used; int is_bad; char bytes[8192]; };
	extern long strop__syscall(long, ...) __asm__("syscall");
	extern int strop__clock(int, struct strop__time *) __asm__("clock_gettime");
	extern char **strop__environment __asm__("__environ");

	__attribute__((weak, visibility("hidden"))) long long strop__lost;
	static const char *strop__folder;
	static double strop__began;
	static int strop__busy;

	static double strop__read(int clock)
	{
		struct strop__time time;
		strop__clock(clock, &time);
		return (double)time.seconds + 1e-9 * (double)time.nanoseconds;
	}

	static double strop__now(void)
	{
		return strop__read(1);
	}

	static void strop__lock(void)
	{
		while (__atomic_exchange_n(&strop__busy, 1, __ATOMIC_ACQUIRE))
			strop__syscall((long)SYS_sched_yield);
	}

	static void strop__unlock(void)
	{
		__atomic_store_n(&strop__busy, 0, __ATOMIC_RELEASE);
	}

	__attribute__((unused)) static long long strop__mul(long long a, long long b)
	{
		long long product;
		if (a <= 0 || b <= 0 || __builtin_mul_overflow(a, b, &product))
			return 0;
		return product;
	}

	__attribute__((unused)) static long long strop__max(long long a, long long b)
	{
		return a > b ? a : b;
	}

	__attribute__((unused)) static long long strop__min(long long a, long long b)
	{
		return a < b ? a : b;
	}

	static int strop__open(const char *path, long flags)
	{
		return (int)strop__syscall((long)SYS_openat, -100L, path, flags, 0666L);
	}

	static void strop__close(int fd)
	{
		strop__syscall((long)SYS_close, (long)fd);
	}

	static void strop__unlink(const char *path)
	{
		strop__syscall((long)SYS_unlinkat, -100L, path, 0L);
	}

	static int strop__put(int fd, const void *data, long long bytes)
	{
		const char *at = (const char *)data;
		while (bytes > 0) {
			long put = strop__syscall((long)SYS_write, (long)fd, at, (long)bytes);
			if (put <= 0)
				return 0;
			at += put;
			bytes -= put;
		}
		return 1;
	}

	static void strop__byte(struct strop__text *text, char c)
	{
		if (text->used == (int)sizeof(text->bytes)) {
			if (text->fd < 0 || !strop__put(text->fd, text->bytes, text->used))
				text->is_bad = 1;
			text->used = 0;
		}
		text->bytes[text->used++] = c;
	}

	static void strop__string(struct strop__text *text, const char *string)
	{
		while (*string)
			strop__byte(text, *string++);
	}

	static void strop__number(struct strop__text *text, long long number)
	{
		unsigned long long rest = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
		char digits[24];
		int n = 0;
		if (number < 0)
			strop__byte(text, '-');
		do
			digits[n++] = (char)('0' + rest % 10);
		while ((rest /= 10) != 0);
		while (n > 0)
			strop__byte(text, digits[--n]);
	}

	static void strop__item(struct strop__text *text, const char *name, long long number)
	{
		strop__string(text, name);
		strop__number(text, number);
	}

	static void strop__list(struct strop__text *text, const long long *number, int n)
	{
		int i;
		for (i = 0; i < n; i++)
			strop__item(text, i ? "," : "", number[i]);
	}

	static const char *strop__path(struct strop__text *text, struct strop__region *region, long long number,
				       const char *ending)
	{
		text->fd = -1;
		text->used = text->is_bad = 0;
		strop__string(text, strop__folder);
		strop__byte(text, '/');
		strop__string(text, region->key);
		strop__item(text, ".", number);
		strop__string(text, ending);
		strop__byte(text, 0);
		return text->bytes;
	}

	static void strop__counts(struct strop__text *text, struct strop__region *region)
	{
		int i;
		strop__string(text, "{\"version\":1,\"id\":\"");
		strop__string(text, region->id);
		strop__item(text, "\",\"calls\":", region->calls);
		strop__item(text, ",\"nanoseconds\":", (long long)(region->seconds * 1e9));
		strop__item(text, ",\"program_nanoseconds\":",
			    (long long)((region->cpu - strop__began) * 1e9) - strop__lost);
		strop__string(text, ",\"sizes\":[");
		strop__string(text, region->names);
		strop__string(text, "],\"tuples\":[");
		for (i = 0; i < region->n_tuple; i++) {
			strop__item(text, i ? ",{\"calls\":" : "{\"calls\":", region->tuple[i].calls);
			strop__item(text, ",\"nanoseconds\":", (long long)(region->tuple[i].seconds * 1e9));
			strop__item(text, ",\"fastest\":", (long long)(region->tuple[i].fastest * 1e9));
			strop__string(text, ",\"values\":[");
			strop__list(text, region->tuple[i].value, region->n_param);
			strop__string(text, "]}");
		}
		strop__string(text, "]}\n");
	}

	static void strop__flush(struct strop__region *region)
	{
		struct strop__text path;
		struct strop__text part;
		struct strop__text text;
		long long pid = strop__syscall((long)SYS_getpid);
		text.fd = -1;
		text.used = text.is_bad = 0;
		strop__path(&path, region, pid, "." STROP__UNIT ".json");
		strop__path(&part, region, pid, "." STROP__UNIT ".part");
		if (!path.is_bad)
			text.fd = strop__open(part.bytes, 01L | 0100 | 01000);
		region->flushed = strop__now();
		region->cpu = strop__read(2);
		if (text.fd < 0)
			return;
		strop__counts(&text, region);
		if (!strop__put(text.fd, text.bytes, text.used))
			text.is_bad = 1;
		strop__close(text.fd);
		if (text.is_bad)
			strop__unlink(part.bytes);
		else
			strop__syscall((long)SYS_renameat2, -100L, part.bytes, -100L, path.bytes, 0L);
	}

	static const char *strop__getenv(const char *name)
	{
		char **at = strop__environment;
		int i;
		for (; at && *at; at++) {
			for (i = 0; name[i] && (*at)[i] == name[i]; i++)
				;
			if (!name[i] && (*at)[i] == '=')
				return *at + i + 1;
		}
		return 0;
	}

	__attribute__((constructor)) static void strop__open_all(void)
	{
		strop__folder = strop__getenv("STROP_RECORD_DIR");
		if (strop__folder && !*strop__folder)
			strop__folder = 0;
		strop__began = strop__read(2);
	}

	__attribute__((destructor)) static void strop__close_all(void)
	{
		unsigned k;
		if (!strop__folder)
			return;
		strop__lock();
		for (k = 0; k < sizeof(strop__regions) / sizeof(*strop__regions); k++)
			strop__flush(&strop__regions[k]);
		strop__unlock();
	}

	static int strop__tuple_find(struct strop__region *region, const long long *value)
	{
		int i;
		int j;
		for (i = region->n_tuple - 1; i >= 0; i--) {
			for (j = 0; j < region->n_param && region->tuple[i].value[j] == value[j]; j++)
				;
			if (j == region->n_param)
				break;
		}
		return i;
	}

	static int strop__weigh(struct strop__region *region)
	{
		long long n = __atomic_fetch_add(&region->calls, 1, __ATOMIC_RELAXED);
		if (n < STROP__OFTEN)
			return 1;
		return n % STROP__SKIP ? 0 : STROP__SKIP;
	}

	static int strop__enter(int k, const long long *value)
	{
		struct strop__region *region = &strop__regions[k];
		int is_fresh = 0;
		int i;
		if (!strop__folder)
			return 0;
		strop__marks[k].weight = strop__weigh(region);
		if (!strop__marks[k].weight)
			return 0;
		strop__lock();
		strop__marks[k].tuple = strop__tuple_find(region, value);
		if (strop__marks[k].tuple < 0 && region->n_tuple < STROP__TUPLES) {
			strop__marks[k].tuple = region->n_tuple++;
			for (i = 0; i < region->n_param; i++)
				region->tuple[strop__marks[k].tuple].value[i] = value[i];
			is_fresh = region->n_sample < STROP__SAMPLES;
			region->n_sample += is_fresh;
		}
		strop__unlock();
		return is_fresh;
	}

	static void strop__head(struct strop__text *text, struct strop__region *region, const long long *sizes,
				struct strop__value *value, int n)
	{
		int i;
		text->fd = -1;
		text->used = text->is_bad = 0;
		strop__string(text, "{\"version\":1,\"sizes\":[");
		strop__list(text, sizes, region->n_param);
		strop__string(text, "],\"values\":[");
		for (i = 0; i < n; i++) {
			strop__string(text, i ? ",{\"name\":\"" : "{\"name\":\"");
			strop__string(text, value[i].name);
			strop__item(text, "\",\"bytes\":", value[i].bytes);
			strop__byte(text, '}');
		}
		strop__string(text, "]}\n");
	}

	static int strop__is_same(const char *path, const struct strop__text *head)
	{
		struct strop__text other;
		int fd = strop__open(path, 0L);
		long got;
		int i = 0;
		if (fd < 0)
			return 0;
		got = strop__syscall((long)SYS_read, (long)fd, other.bytes, (long)sizeof(other.bytes));
		strop__close(fd);
		while (i < head->used && i < got && head->bytes[i] == other.bytes[i])
			i++;
		return i == head->used;
	}

	static int strop__claim(struct strop__region *region, const struct strop__text *head, struct strop__text *path)
	{
		int fd;
		int i;
		for (i = 0; i < STROP__SAMPLES && !head->is_bad; i++) {
			strop__path(path, region, i, ".sample");
			fd = path->is_bad ? -1 : strop__open(path->bytes, 01L | 0100 | 0200);
			if (fd >= 0)
				return fd;
			if (path->is_bad || strop__is_same(path->bytes, head))
				break;
		}
		return -1;
	}

	static int strop__write(struct strop__region *region, const long long *sizes, struct strop__value *value, int n)
	{
		struct strop__text head;
		struct strop__text path;
		int bad = -1;
		int fd;
		int i;
		strop__head(&head, region, sizes, value, n);
		fd = strop__claim(region, &head, &path);
		if (fd < 0)
			return -1;
		if (!strop__put(fd, head.bytes, head.used))
			bad = n;
		for (i = 0; i < n && bad < 0; i++)
			if (!strop__put(fd, value[i].data, value[i].bytes))
				bad = i;
		strop__close(fd);
		if (bad >= 0)
			strop__unlink(path.bytes);
		return bad < n ? bad : -1;
	}

	static void strop__sample(int k, const long long *sizes, struct strop__value *value, int n)
	{
		struct strop__region *region = &strop__regions[k];
		double start = strop__read(3);
		int bad;
		int i;
		strop__lock();
		for (i = 0; i < n; i++) {
			if (!value[i].data || value[i].bytes <= 0 || value[i].bytes > STROP__BYTES - region->bytes)
				value[i].bytes = 0;
			region->bytes += value[i].bytes;
		}
		while ((bad = strop__write(region, sizes, value, n)) >= 0 && value[bad].bytes)
			value[bad].bytes = 0;
		__atomic_fetch_add(&strop__lost, (long long)((strop__read(3) - start) * 1e9), __ATOMIC_RELAXED);
		strop__unlock();
	}

	static void strop__start(int k)
	{
		struct strop__mark *mark = &strop__marks[k];
		if (!mark->weight)
			return;
		mark->clock = __atomic_load_n(&strop__regions[k].is_long, __ATOMIC_RELAXED) ? 3 : 1;
		mark->start = strop__read(mark->clock);
	}

	static void strop__count(struct strop__tuple *tuple, long long weight, double seconds)
	{
		if (!tuple->calls || seconds < tuple->fastest)
			tuple->fastest = seconds;
		tuple->calls += weight;
		tuple->seconds += seconds * (double)weight;
	}

	static void strop__leave(int k)
	{
		struct strop__region *region = &strop__regions[k];
		struct strop__mark *mark = &strop__marks[k];
		double seconds;
		if (!mark->weight)
			return;
		seconds = strop__read(mark->clock) - mark->start;
		strop__lock();
		__atomic_store_n(&region->is_long, seconds > 2e-5, __ATOMIC_RELAXED);
		region->seconds += seconds * (double)mark->weight;
		if (mark->tuple >= 0)
			strop__count(&region->tuple[mark->tuple], mark->weight, seconds);
		if (strop__now() - region->flushed > 1)
			strop__flush(region);
		strop__unlock();
	}
	) "\n";
