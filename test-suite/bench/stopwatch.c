/* Trials of the stopwatch as a search uses it, on real builds of small kernels:
 *   bench_stopwatch identity TRIALS SEED PART/PARTS FILE -- COMPILER FLAGS   best of 64 layouts of the original: none is faster
 *   bench_stopwatch speedup TRIALS SEED PART/PARTS FILE -- COMPILER FLAGS    1000 steps cut to 926: faster by 8 %
 * Trials are spread over the regions of FILE, of which part PART (1..PARTS) is done. The last line says how many were accepted
 * as faster: "identity: 3 of 500 accepted". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/measure.h"
#include "profiler/rule.h"
#include "support/rng.h"
#include "verifier/runner.h"

#include "subject.h"

enum { TWINS = 64 };

/* The command line, and what came of it so far. */
struct bench {
	bool is_identity;
	int trials, part, parts;
	uint64_t seed;
	int done, accepted;
};

/* The candidates of one region, the best of which comes to acceptance. */
struct field {
	int n;
	const struct program *program[TWINS];
	double speedup[TWINS];
};

/* Twins 2 .. TWINS + 1; twin 1 is the control, as in strop tune. */
static enum status build_twins(struct subject *subject, struct field *field, struct diag *diag)
{
	for (field->n = 0; field->n < TWINS; field->n++) {
		field->program[field->n] = judge_twin(subject->judge, field->n + 2, diag);
		if (!field->program[field->n])
			return STATUS_FAILED;
	}
	return STATUS_OK;
}

/* The region's text with 926 in place of 1000, judged equal on all inputs. */
static enum status build_cut(struct subject *subject, struct field *field, struct diag *diag)
{
	const char *number = strstr(subject->text, "1000");
	struct verdict verdict;
	const char *body;

	if (!number)
		return diag_set(diag, EXIT_INPUT, "%s: there are no 1000 steps to cut", subject->id);
	body = arena_printf(subject->arena, "%.*s926%s", (int)(number - subject->text), subject->text, number + 4);
	if (judge_candidate(subject->judge, "", body, true, &verdict, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (verdict.kind != VERDICT_EQUAL)
		return diag_set(diag, EXIT_GATE, "%s: 926 steps are not equal: %s", subject->id, verdict.witness);
	field->program[0] = judge_last(subject->judge);
	field->n = 1;
	return STATUS_OK;
}

static enum status measure(struct subject *subject, const struct program *program, enum measure_effort effort, uint64_t seed,
			   struct measurement *measurement, struct diag *diag)
{
	const struct measure_options options = { .effort = effort, .contenders = RULE_FINALISTS, .seed = seed };

	return measure_pair(subject->judge, judge_original(subject->judge), program, &options, measurement, diag);
}

/* The candidate that screened best among those that are left, or -1; it is taken out. */
static int take_best(struct field *field)
{
	int best = -1;

	for (int i = 0; i < field->n; i++)
		if (field->speedup[i] > 1.02 && (best < 0 || field->speedup[i] > field->speedup[best]))
			best = i;
	if (best >= 0)
		field->speedup[best] = 0;
	return best;
}

/* One search: control, screenings, acceptance of the best three until one passes. */
static enum status search(struct subject *subject, const struct program *twin, struct field *field, uint64_t seed, bool *accepted,
			  struct diag *diag)
{
	struct measurement control, measurement;

	*accepted = false;
	if (measure(subject, twin, MEASURE_SCREEN, rng_derive(seed, "control"), &control, diag) != STATUS_OK)
		return STATUS_FAILED;
	for (int i = 0; i < field->n; i++) {
		if (measure(subject, field->program[i], MEASURE_SCREEN, rng_derive(seed, "screen"), &measurement, diag) != STATUS_OK)
			return STATUS_FAILED;
		field->speedup[i] = measurement.speedup;
	}
	for (int i = 0; i < RULE_FINALISTS && !*accepted; i++) {
		int best = take_best(field);
		if (best < 0)
			break;
		if (measure(subject, field->program[best], MEASURE_ACCEPT, rng_derive(seed, "winner"), &measurement, diag) != STATUS_OK)
			return STATUS_FAILED;
		*accepted = measurement_clears(&measurement, &control);
		printf("  %s: %s: %.3fx [%.3f, %.3f], %d pairs of %d processes %s\n", subject->id, outcome_name(measurement.outcome),
		       measurement.speedup, measurement.low, measurement.high, measurement.pairs, measurement.processes,
		       doubt_sentence(measurement.doubt));
	}
	return STATUS_OK;
}

static enum status run_trials(struct bench *bench, struct subject *subject, int trials, struct diag *diag)
{
	const struct program *twin = judge_twin(subject->judge, 1, diag);
	struct field field;

	if (!twin || (bench->is_identity ? build_twins : build_cut)(subject, &field, diag) != STATUS_OK)
		return STATUS_FAILED;
	for (int trial = 0; trial < trials; trial++) {
		bool accepted;
		if (search(subject, twin, &field, rng_derive(bench->seed + (uint64_t)trial, subject->id), &accepted, diag) != STATUS_OK)
			return STATUS_FAILED;
		bench->done++;
		bench->accepted += accepted;
		fflush(stdout);
	}
	return STATUS_OK;
}

/* Spread the trials over the regions of this part. */
static enum status run_unit(struct bench *bench, const struct unit *unit, struct diag *diag)
{
	enum status status = STATUS_OK;

	for (int i = bench->part - 1; i < unit->n_region && status == STATUS_OK; i += bench->parts) {
		int trials = bench->trials * (i + 1) / unit->n_region - bench->trials * i / unit->n_region, before = bench->accepted;
		struct subject subject;
		if (trials == 0)
			continue;
		status = subject_open(unit, i, bench->seed, &subject, diag);
		if (status == STATUS_OK)
			status = run_trials(bench, &subject, trials, diag);
		printf("%s: %d of %d accepted\n", subject.id, bench->accepted - before, trials);
		subject_close(&subject);
	}
	return status;
}

static int fail(const struct diag *diag)
{
	fprintf(stderr, "bench_stopwatch: %s\n", diag->message);
	return diag->code ? diag->code : EXIT_INPUT;
}

int main(int argc, char **argv)
{
	struct bench bench = { 0 };
	struct diag diag = { 0 };
	struct arena *arena;
	struct unit *unit;

	if (argc > 1 && strcmp(argv[1], "runner") == 0)
		return runner_main(argc - 1, argv + 1);
	if (argc < 8 || strcmp(argv[6], "--") != 0 || sscanf(argv[4], "%d/%d", &bench.part, &bench.parts) != 2 || bench.part < 1 ||
	    bench.parts < 1) {
		fprintf(stderr, "usage: bench_stopwatch identity|speedup TRIALS SEED PART/PARTS FILE -- COMPILER FLAGS\n");
		return EXIT_INPUT;
	}
	bench.is_identity = strcmp(argv[1], "identity") == 0;
	bench.trials = atoi(argv[2]);
	bench.seed = strtoull(argv[3], NULL, 10);
	arena = arena_new();
	unit = subjects_scan(arena, argv[5], argc - 7, argv + 7, &diag);
	if (!unit || run_unit(&bench, unit, &diag) != STATUS_OK)
		return fail(&diag);
	printf("%s: %d of %d accepted\n", argv[1], bench.accepted, bench.done);
	unit_free(unit);
	arena_free(arena);
	return EXIT_FINE;
}
