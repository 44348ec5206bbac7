#include "measured.h"

#include <limits.h>

static void set_counts(struct arena *arena, struct data *map, const char *side, const struct counts *counts)
{
	struct data *events = data_map(arena);

	for (int i = 0; i < COUNTER_COUNT; i++)
		if (counts->value[i] >= 0)
			data_set_real(arena, events, counter_name((enum counter)i), counts->value[i]);
	if (events->n)
		data_set(arena, map, side, events);
}

static struct counts read_counts(const struct data *map, const char *side)
{
	const struct data *events = data_find(map, side);
	struct counts counts;

	for (int i = 0; i < COUNTER_COUNT; i++)
		counts.value[i] = data_find_real(events, counter_name((enum counter)i), -1);
	return counts;
}

struct data *measured_data(struct arena *arena, const struct measurement *measurement)
{
	struct data *map = data_map(arena);

	data_set_integer(arena, map, "outcome", measurement->outcome);
	data_set_string(arena, map, "outcome_name", outcome_name(measurement->outcome));
	data_set_integer(arena, map, "doubt", measurement->doubt);
	data_set_string(arena, map, "why", doubt_sentence(measurement->doubt));
	data_set_integer(arena, map, "cache", measurement->cache);
	data_set_string(arena, map, "cache_name", cache_name(measurement->cache));
	data_set_real(arena, map, "speedup", measurement->speedup);
	data_set_real(arena, map, "low", measurement->low);
	data_set_real(arena, map, "high", measurement->high);
	data_set_real(arena, map, "confirmed", measurement->confirmed);
	data_set_real(arena, map, "original", measurement->original_seconds);
	data_set_real(arena, map, "candidate", measurement->candidate_seconds);
	data_set_integer(arena, map, "pairs", measurement->pairs);
	data_set_integer(arena, map, "processes", measurement->processes);
	set_counts(arena, map, "original_events", &measurement->original_counts);
	set_counts(arena, map, "candidate_events", &measurement->candidate_counts);
	return map;
}

struct measurement measured_read(const struct data *map)
{
	return (struct measurement){
		.outcome = (enum outcome)data_find_choice(map, "outcome", OUTCOME_COUNT, OUTCOME_UNCLEAR),
		.doubt = (enum doubt)data_find_choice(map, "doubt", DOUBT_COUNT, DOUBT_NONE),
		.cache = (enum cache_state)data_find_choice(map, "cache", CACHE_COUNT, CACHE_WARM),
		.speedup = data_find_real(map, "speedup", 0),
		.low = data_find_real(map, "low", 0),
		.high = data_find_real(map, "high", 0),
		.confirmed = data_find_real(map, "confirmed", 0),
		.original_seconds = data_find_real(map, "original", 0),
		.candidate_seconds = data_find_real(map, "candidate", 0),
		.pairs = data_find_choice(map, "pairs", INT_MAX, 0),
		.processes = data_find_choice(map, "processes", INT_MAX, 0),
		.original_counts = read_counts(map, "original_events"),
		.candidate_counts = read_counts(map, "candidate_events"),
	};
}

const char *measured_sentence(struct arena *arena, const struct measurement *measurement)
{
	const char *why = doubt_sentence(measurement->doubt);

	return arena_printf(arena, "%.3fx [%.3f, %.3f], %s, %d pairs of %d processes%s%s", measurement->speedup, measurement->low,
			    measurement->high, cache_sentence(measurement->cache), measurement->pairs, measurement->processes,
			    *why ? ": " : "", why);
}
