#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/data.h"
#include "support/json.h"

#include "rewrite/reduction.h"

static bool use_colour(void)
{
	const char *no_color = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

static void print_decision(const struct decision *decision)
{
	const char *on = decision->accepted && use_colour() ? "\033[32m" : "", *off = *on ? "\033[0m" : "";

	if (decision->accepted)
		printf("%s%6.2fx%s  [%.2f, %.2f]  %s\n", on, decision->speedup, off, decision->low, decision->high,
		       decision->id);
	else
		printf("%7s  %-12s  %s: %s: %s\n", "1.00x", "left alone", decision->id, decision->reason,
		       decision->sentence ? decision->sentence : "");
}

/* Sums over the regions seen so far; "kept" of them hold sums whose order their mode keeps. */
struct total {
	double logs;
	int regions, accepted, kept;
};

static void add(struct total *total, const struct decision *decision, const struct nest *nest)
{
	enum fp_mode mode;

	total->regions++;
	total->accepted += decision->accepted;
	total->kept += decision->fp && fp_mode_find(decision->fp, &mode) && reduction_is_kept(nest, mode);
	if (decision->accepted)
		total->logs += log(decision->speedup);
}

static struct total print_unit(const struct lock *lock, const struct unit *unit)
{
	struct total total = { 0 };
	int i;

	for (i = 0; i < unit->n_region; i++) {
		const struct region *region = &unit->region[i];
		const struct decision *decision = lock_find(lock, region->id);

		if (decision && region->nest) {
			print_decision(decision);
			add(&total, decision, region->nest);
		} else if (!region->nest) {
			printf("%7s  %-12s  %s: %s: %s\n", "", "not lifted", region->id, refusal_name(region->refusal),
			       region->detail ? region->detail : refusal_sentence(region->refusal));
		}
	}
	return total;
}

static void print_trial(const struct usertest *trial)
{
	double ratio;

	if (!trial->runs)
		return;
	ratio = trial->before / trial->after;
	printf("your benchmark: %.3f s before, %.3f s after: %.2fx (medians of %d, interleaved)%s\n", trial->before,
	       trial->after, ratio, trial->runs,
	       ratio < 1.02 ? "; the regions are faster, the program is not" : "");
}

void report_table(const struct lock *lock, int n, struct unit *const *units, const struct usertest *trial)
{
	struct total total = { 0 };
	int i;

	for (i = 0; i < n; i++) {
		struct total of_unit = { 0 };

		if (units[i])
			of_unit = print_unit(lock, units[i]);
		total.logs += of_unit.logs;
		total.regions += of_unit.regions;
		total.accepted += of_unit.accepted;
		total.kept += of_unit.kept;
	}
	if (total.regions)
		printf("%6.2fx  geomean over %d region%s, %d rewritten\n", exp(total.logs / total.regions), total.regions,
		       total.regions == 1 ? "" : "s", total.accepted);
	else
		printf("no region was lifted; strop scan says why\n");
	if (total.kept)
		printf("%d of them add%s up floats in an order that was kept; --fp reassoc may change it, and gain more\n",
		       total.kept, total.kept == 1 ? "s" : "");
	print_trial(trial);
}

static struct data *decision_json(struct arena *arena, const struct decision *decision)
{
	struct data *map = data_map(arena);

	data_set_string(arena, map, "id", decision->id);
	data_set_string(arena, map, "outcome", decision->accepted ? "accept" : "leave");
	data_set_string(arena, map, "reason", decision->reason);
	data_set_string(arena, map, "sentence", decision->sentence);
	data_set_string(arena, map, "plan", decision->plan);
	data_set_string(arena, map, "fp", decision->fp);
	data_set_string(arena, map, "sizes", decision->sizes);
	data_set_string(arena, map, "bound", decision->bound);
	data_set_integer(arena, map, "candidates", decision->candidates);
	if (decision->speedup > 0) {
		data_set_real(arena, map, "speedup", decision->speedup);
		data_set_real(arena, map, "low", decision->low);
		data_set_real(arena, map, "high", decision->high);
	}
	return map;
}

void report_json(const struct lock *lock, int n, struct unit *const *units, const struct usertest *trial)
{
	struct arena *arena = arena_new();
	struct data *root = data_map(arena), *list = data_list(arena);
	struct text text = { 0 };
	struct total total = { 0 };
	int i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; units[i] && k < units[i]->n_region; k++) {
			const struct decision *decision = lock_find(lock, units[i]->region[k].id);

			if (!decision || !units[i]->region[k].nest)
				continue;
			data_add(arena, list, decision_json(arena, decision));
			add(&total, decision, units[i]->region[k].nest);
		}
	}
	data_set(arena, root, "decisions", list);
	data_set_integer(arena, root, "order_kept", total.kept);
	data_set_real(arena, root, "geomean", total.regions ? exp(total.logs / total.regions) : 1);
	if (trial->runs) {
		data_set_real(arena, root, "bench_before", trial->before);
		data_set_real(arena, root, "bench_after", trial->after);
	}
	json_write(root, true, &text);
	puts(text_string(&text));
	text_free(&text);
	arena_free(arena);
}
