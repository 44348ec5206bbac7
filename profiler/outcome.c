#include "outcome.h"

const char *outcome_name(enum outcome outcome)
{
	static const char *const names[OUTCOME_COUNT] = {
		[OUTCOME_FASTER] = "faster", [OUTCOME_SLOWER] = "slower", [OUTCOME_SAME] = "same", [OUTCOME_UNCLEAR] = "unclear",
	};
	return names[outcome];
}

const char *doubt_sentence(enum doubt doubt)
{
	static const char *const sentences[DOUBT_COUNT] = {
		[DOUBT_NONE] = "",
		[DOUBT_SMALL] = "it is not faster by 5 %",
		[DOUBT_NOISE] = "the timings are too noisy to tell",
		[DOUBT_PROCESSES] = "the process pairs disagree",
		[DOUBT_USUAL] = "only its best samples are faster",
		[DOUBT_DRIFT] = "the timings drift",
		[DOUBT_CLOCK] = "the judge's own clocks do not confirm it",
		[DOUBT_DIED] = "its process ended while being timed, or left wrong results",
	};
	return sentences[doubt];
}
