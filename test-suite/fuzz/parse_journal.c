/* tools/evidence.c, tools/evaluate.c, tools/capture.c: a journal that is replayed, with all that it says of a region. The
 * cache holds the same results. */
#include "parse.h"

#include <string.h>

#include "ir/nest.h"
#include "tools/capture.h"
#include "tools/evaluate.h"
#include "tools/measured.h"

static const char nest_text[] = "region f(f32 y[n] out; i32 n)\nfor i in 0..n\n  S0: y[i] = 0.0f\n";

static void require_verdict(const struct verdict *verdict)
{
	parse_require(verdict->kind < VERDICT_COUNT && verdict_name(verdict->kind) != NULL, "a verdict is none");
}

static void require_measurement(struct arena *arena, const struct measurement *measurement)
{
	parse_require(outcome_name(measurement->outcome) != NULL, "an outcome is none");
	parse_require(cache_name(measurement->cache) != NULL, "a cache state is none");
	parse_require(measured_sentence(arena, measurement) != NULL, "a measurement has no sentence");
}

static void require_sizes(int n, const struct size *size)
{
	for (int i = 0; i < n; i++)
		parse_require(size[i].name != NULL, "a size has no name");
}

static void read_results(struct arena *arena, struct evaluator *evaluator)
{
	static const struct variant none = { 0 };
	struct admission admission;
	struct observation seen;
	struct diag diag = { 0 };

	if (evaluator_admit(evaluator, &admission, &diag) == STATUS_OK) {
		require_verdict(&admission.verdict);
		require_sizes(admission.n_size, admission.size);
		require_measurement(arena, &admission.control);
		parse_require(cache_name(admission.cache) != NULL, "a cache state is none");
	}
	if (evaluator_candidate(evaluator, "tile(i:8)", &none, &seen, &diag) == STATUS_OK) {
		require_verdict(&seen.verdict);
		require_measurement(arena, &seen.measurement);
	}
}

static void read_capture(struct arena *arena, struct evidence *evidence)
{
	const struct evidence_key key = { "", "a.c:f:0", "capture", NULL };
	const struct data *data = evidence_find(evidence, arena, &key);
	struct tune_region region = { 0 };

	if (!data)
		return;
	capture_read(data, arena, &region);
	require_sizes(region.n_size, region.size);
}

static void read_journal(struct arena *arena, const char *bytes, size_t size)
{
	static const struct timing_context context = { .salt = "" };
	struct job job = { .id = "a.c:f:0", .text = "" };
	const struct data *start;
	struct diag diag = { 0 };
	struct evidence *evidence = evidence_replay(parse_file(arena, "journal", bytes, size), &start, &diag);
	struct evaluator *evaluator;

	if (!evidence) {
		parse_require_sentence(&diag);
		return;
	}
	job.nest = nest_parse(arena, nest_text, &diag);
	evaluator = evaluator_open(&job, &context, evidence);
	read_results(arena, evaluator);
	read_capture(arena, evidence);
	evaluator_close(evaluator);
	evidence_close(evidence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_alone(data, size, read_journal);
	return 0;
}
