#include "judge_internal.h"

#include <signal.h>
#include <string.h>

#include "compare.h"

/* Note which array "address" belongs to, if any. */
static void note_fault(struct trial *trial, uint64_t address)
{
	int64_t offset = 0, size;
	int p = image_find_block(trial->image, address, &offset);
	const struct part *part = p >= 0 ? &trial->part[p] : NULL;

	if (!part || part->kind != BLOCK_ARRAY)
		return;
	size = type_size(trial->setting->outline->binding[part->binding].var->type);
	trial->fault_binding = part->binding;
	trial->fault_offset = part->first + (offset >= 0 ? offset / size : -((-offset + size - 1) / size));
}

static const char *print_fault(struct arena *arena, const struct trial *trial)
{
	if (trial->fault_binding < 0)
		return "it touched a guard page";
	return arena_printf(arena, "it touched %s, which the original does not",
			    element_name(arena, trial, trial->fault_binding, trial->fault_offset));
}

static const char *print_changes(unsigned changes)
{
	if (changes & CHANGE_THREADS)
		return "it left threads behind";
	if (changes & CHANGE_DESCRIPTORS)
		return "it left file descriptors behind or closed some";
	if (changes & CHANGE_ENVIRONMENT)
		return "it changed environment variables";
	if (changes & CHANGE_SIGNALS)
		return "it left a signal handler behind";
	if (changes & CHANGE_MEMORY)
		return "it left memory behind that it did not free";
	return "it changed the floating-point environment";
}

static const char *print_damage(struct arena *arena, const struct trial *trial, int p)
{
	const struct part *part = &trial->part[p];

	if (part->kind != BLOCK_ARRAY)
		return "it wrote beside a scalar or a record";
	return arena_printf(arena, "it wrote beside %s", trial->setting->outline->binding[part->binding].var->name);
}

/* Whether "changes" are what the original does as well or the build asked for: OpenMP keeps its threads for the next region, and
 * what it knows of new ones. */
static bool is_expected_change(const struct setting *setting, unsigned changes)
{
	unsigned expected = setting->keeps_memory ? CHANGE_MEMORY : 0;
	int i;

	for (i = 1; i < setting->job->argc; i++)
		if (!strncmp(setting->job->argv[i], "-fopenmp", 8))
			expected |= CHANGE_THREADS | (changes & CHANGE_THREADS ? CHANGE_MEMORY : 0);
	return (changes & ~expected) == 0;
}

static struct verdict verdict_of_reply(struct arena *arena, struct trial *trial, const struct wire_reply *reply)
{
	switch ((enum wire_status)reply->status) {
	case WIRE_DONE:
		return (struct verdict){VERDICT_EQUAL, ""};
	case WIRE_FAULT:
		note_fault(trial, reply->address);
		return (struct verdict){VERDICT_OUT_OF_BOUNDS, print_fault(arena, trial)};
	case WIRE_SIGNAL:
		return (struct verdict){VERDICT_CRASH, arena_printf(arena, "signal %u (%s)", reply->number,
								    strsignal((int)reply->number))};
	case WIRE_SYSCALL:
		return (struct verdict){VERDICT_SIDE_EFFECT,
					arena_printf(arena, "it made the forbidden system call %u", reply->number)};
	case WIRE_CHANGED:
		if (is_expected_change(trial->setting, reply->number))
			return (struct verdict){VERDICT_EQUAL, ""};
		return (struct verdict){VERDICT_SIDE_EFFECT, print_changes(reply->number)};
	default:
		return (struct verdict){VERDICT_CRASH, arena_strdup(arena, reply->message)};
	}
}

/* Memory counts as left behind when so many runs in a row leave some: what the library keeps for its own use settles. */
enum { leaks_most = 5 };

struct verdict trial_run(struct arena *arena, struct runner *runner, struct trial *trial, double seconds)
{
	struct wire_reply reply;
	struct verdict verdict;
	enum call_end end;
	int damaged, leaks = 0;

	trial->fault_binding = -1;
	do {
		trial_reset(trial);
		end = runner_call(runner, WIRE_TEST, 1, trial->image, seconds, &reply);
	} while (end == CALL_ANSWERED && reply.status == WIRE_CHANGED && reply.number == CHANGE_MEMORY && ++leaks < leaks_most);
	if (end == CALL_TIMEOUT)
		verdict = (struct verdict){VERDICT_TIMEOUT, arena_printf(arena, "no end within %.1f s", seconds)};
	else if (end == CALL_DIED)
		verdict = (struct verdict){VERDICT_CRASH, "its process ended"};
	else
		verdict = verdict_of_reply(arena, trial, &reply);
	damaged = image_find_damage(trial->image);
	if (verdict.kind == VERDICT_EQUAL && damaged >= 0)
		verdict = (struct verdict){VERDICT_OUT_OF_BOUNDS, print_damage(arena, trial, damaged)};
	if (damaged >= 0)
		image_mend(trial->image);
	trial->found_seconds = reply.seconds;
	return verdict;
}
