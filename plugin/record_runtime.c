/* The recorder, which runs inside the user's program: see record_internal.h.
 *
 * It declares the few functions of libc that it needs under names of its own, so that no header is included before the
 * user's own. Memory is only read by the kernel, on its way into a file: an address that is not mapped fails the write
 * and harms nobody. Memory checkers do not see such reads either. */
#include "record_internal.h"

#define TEXT(...) #__VA_ARGS__
#define VALUE(x) TEXT(x)

const char record_head[] =
	"#include <sys/syscall.h>\n"
	"enum { STROP__PARAMS = " VALUE(RECORD_PARAMS) ", STROP__TUPLES = " VALUE(RECORD_TUPLES)
	", STROP__SAMPLES = " VALUE(RECORD_SAMPLES) ", STROP__OFTEN = " VALUE(RECORD_OFTEN) ", STROP__SKIP = " VALUE(RECORD_SKIP)
	 ", STROP__BYTES = " VALUE(RECORD_BYTES) " }; "
	TEXT(
	struct strop__tuple { long long value[STROP__PARAMS]; long long calls; double seconds; };
	struct strop__region {
		const char *key; const char *id; const char *names; int n_param;
		long long calls; double seconds; double flushed; long long bytes; int n_sample; int n_tuple;
		struct strop__tuple tuple[STROP__TUPLES];
	};
	struct strop__mark { double start; int tuple; int weight; };
	struct strop__value { const char *name; const void *data; long long bytes; };
	) " ";

const char record_body[] = TEXT(
	struct strop__time { long seconds; long nanoseconds; };
	extern int strop__open(const char *, int, ...) __asm__("open");
	extern int strop__close(int) __asm__("close");
	extern long strop__read(int, void *, __SIZE_TYPE__) __asm__("read");
	extern long strop__syscall(long, ...) __asm__("syscall");
	extern int strop__dprintf(int, const char *, ...) __asm__("dprintf");
	extern int strop__snprintf(char *, __SIZE_TYPE__, const char *, ...) __asm__("snprintf");
	extern int strop__rename(const char *, const char *) __asm__("rename");
	extern int strop__unlink(const char *) __asm__("unlink");
	extern char *strop__getenv(const char *) __asm__("getenv");
	extern int strop__getpid(void) __asm__("getpid");
	extern int strop__yield(void) __asm__("sched_yield");
	extern int strop__clock(int, struct strop__time *) __asm__("clock_gettime");

	__attribute__((weak, visibility("hidden"))) long long strop__lost;
	static const char *strop__folder;
	static double strop__began;
	static int strop__busy;

	static double strop__now(void)
	{
		struct strop__time time;
		strop__clock(1, &time);
		return (double)time.seconds + 1e-9 * (double)time.nanoseconds;
	}

	static void strop__lock(void)
	{
		while (__atomic_exchange_n(&strop__busy, 1, __ATOMIC_ACQUIRE))
			strop__yield();
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

	static void strop__flush(struct strop__region *region)
	{
		char path[4096];
		char part[4096];
		int fd;
		int i;
		int j;
		strop__snprintf(path, sizeof(path), "%s/%s.%d.%s.json", strop__folder, region->key, strop__getpid(),
				strop__unit);
		if (strop__snprintf(part, sizeof(part), "%s.part", path) >= (int)sizeof(part))
			return;
		fd = strop__open(part, 01 | 0100 | 01000, 0666);
		if (fd < 0)
			return;
		region->flushed = strop__now();
		strop__dprintf(fd, "{\"version\":1,\"id\":\"%s\",\"calls\":%lld,\"nanoseconds\":%lld,"
			       "\"program_nanoseconds\":%lld,\"sizes\":[%s],\"tuples\":[", region->id, region->calls,
			       (long long)(region->seconds * 1e9),
			       (long long)((region->flushed - strop__began) * 1e9) - strop__lost, region->names);
		for (i = 0; i < region->n_tuple; i++) {
			struct strop__tuple *tuple = &region->tuple[i];
			strop__dprintf(fd, "%s{\"calls\":%lld,\"nanoseconds\":%lld,\"values\":[", i ? "," : "", tuple->calls,
				       (long long)(tuple->seconds * 1e9));
			for (j = 0; j < region->n_param; j++)
				strop__dprintf(fd, "%s%lld", j ? "," : "", tuple->value[j]);
			strop__dprintf(fd, "]}");
		}
		i = strop__dprintf(fd, "]}\n");
		strop__close(fd);
		if (i > 0)
			strop__rename(part, path);
		else
			strop__unlink(part);
	}

	__attribute__((constructor)) static void strop__open_all(void)
	{
		strop__folder = strop__getenv("STROP_RECORD_DIR");
		if (strop__folder && !*strop__folder)
			strop__folder = 0;
		strop__began = strop__now();
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

	static int strop__head(struct strop__region *region, const long long *sizes, struct strop__value *value, int n,
			       char *head, int limit)
	{
		int used = strop__snprintf(head, (__SIZE_TYPE__)limit, "{\"version\":1,\"sizes\":[");
		int i;
		for (i = 0; i < region->n_param && used < limit; i++)
			used += strop__snprintf(head + used, (__SIZE_TYPE__)(limit - used), "%s%lld", i ? "," : "", sizes[i]);
		if (used < limit)
			used += strop__snprintf(head + used, (__SIZE_TYPE__)(limit - used), "],\"values\":[");
		for (i = 0; i < n && used < limit; i++)
			used += strop__snprintf(head + used, (__SIZE_TYPE__)(limit - used), "%s{\"name\":\"%s\",\"bytes\":%lld}",
						i ? "," : "", value[i].name, value[i].bytes);
		if (used < limit)
			used += strop__snprintf(head + used, (__SIZE_TYPE__)(limit - used), "]}\n");
		return used < limit ? used : 0;
	}

	static int strop__put(int fd, const void *data, long long bytes)
	{
		const char *at = (const char *)data;
		while (bytes > 0) {
			long put = strop__syscall(SYS_write, (long)fd, at, (long)bytes);
			if (put <= 0)
				return 0;
			at += put;
			bytes -= put;
		}
		return 1;
	}

	static int strop__is_same(const char *path, const char *head, int size)
	{
		char other[8192];
		int fd = strop__open(path, 0);
		long got;
		int i = 0;
		if (fd < 0)
			return 0;
		got = strop__read(fd, other, sizeof(other));
		strop__close(fd);
		while (i < size && i < got && head[i] == other[i])
			i++;
		return i == size;
	}

	static int strop__claim(struct strop__region *region, const char *head, int size, char *path, int limit)
	{
		int fd;
		int i;
		for (i = 0; i < STROP__SAMPLES; i++) {
			strop__snprintf(path, (__SIZE_TYPE__)limit, "%s/%s.%d.sample", strop__folder, region->key, i);
			fd = strop__open(path, 01 | 0100 | 0200, 0666);
			if (fd >= 0)
				return fd;
			if (strop__is_same(path, head, size))
				return -1;
		}
		return -1;
	}

	static int strop__write(struct strop__region *region, const long long *sizes, struct strop__value *value, int n)
	{
		char head[8192];
		char path[4096];
		int size = strop__head(region, sizes, value, n, head, (int)sizeof(head));
		int fd = size ? strop__claim(region, head, size, path, (int)sizeof(path)) : -1;
		int bad = -1;
		int i;
		if (fd < 0)
			return -1;
		if (!strop__put(fd, head, size))
			bad = n;
		for (i = 0; i < n && bad < 0; i++)
			if (!strop__put(fd, value[i].data, value[i].bytes))
				bad = i;
		strop__close(fd);
		if (bad >= 0)
			strop__unlink(path);
		return bad < n ? bad : -1;
	}

	static void strop__sample(int k, const long long *sizes, struct strop__value *value, int n)
	{
		struct strop__region *region = &strop__regions[k];
		double start = strop__now();
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
		__atomic_fetch_add(&strop__lost, (long long)((strop__now() - start) * 1e9), __ATOMIC_RELAXED);
		strop__unlock();
	}

	static void strop__start(int k)
	{
		if (strop__marks[k].weight)
			strop__marks[k].start = strop__now();
	}

	static void strop__leave(int k)
	{
		struct strop__region *region = &strop__regions[k];
		double now;
		double seconds;
		if (!strop__marks[k].weight)
			return;
		now = strop__now();
		seconds = (now - strop__marks[k].start) * strop__marks[k].weight;
		strop__lock();
		region->seconds += seconds;
		if (strop__marks[k].tuple >= 0) {
			region->tuple[strop__marks[k].tuple].calls += strop__marks[k].weight;
			region->tuple[strop__marks[k].tuple].seconds += seconds;
		}
		if (now - region->flushed > 1)
			strop__flush(region);
		strop__unlock();
	}
	) "\n";
