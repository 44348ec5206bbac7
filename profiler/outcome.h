/* What a measurement found, in words. */
#ifndef STROP_PROFILER_OUTCOME_H
#define STROP_PROFILER_OUTCOME_H

enum outcome { OUTCOME_FASTER, OUTCOME_SLOWER, OUTCOME_SAME, OUTCOME_UNCLEAR, OUTCOME_COUNT };
const char *outcome_name(enum outcome outcome);

/* Why an outcome that the interval alone would give is withheld, or why there is none. */
enum doubt {
	DOUBT_NONE,
	DOUBT_SMALL,     /* it may be faster, but not by as much as it takes */
	DOUBT_NOISE,     /* the interval is too wide to tell */
	DOUBT_PROCESSES, /* more than one process pair in five disagrees */
	DOUBT_DRIFT,     /* one half of the pairs would not be faster */
	DOUBT_CLOCK,     /* a clock that the program cannot reach does not confirm it */
	DOUBT_DIED,      /* a process ended while being timed, or left wrong results */
	DOUBT_USUAL,     /* its best samples are faster, most are not */
	DOUBT_COUNT
};
/* A phrase for people: "the process pairs disagree". "" for none. */
const char *doubt_sentence(enum doubt doubt);

#endif
