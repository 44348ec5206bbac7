#include "judge.h"

static const char *const names[VERDICT_COUNT] = {
	[VERDICT_EQUAL] = "equal",
	[VERDICT_DIFFERENT] = "different",
	[VERDICT_NO_COMPILE] = "no-compile",
	[VERDICT_CRASH] = "crash",
	[VERDICT_TIMEOUT] = "timeout",
	[VERDICT_OUT_OF_BOUNDS] = "out-of-bounds",
	[VERDICT_INPUT_CHANGED] = "input-changed",
	[VERDICT_NONDETERMINISTIC] = "nondeterministic",
	[VERDICT_SIDE_EFFECT] = "side-effect",
	[VERDICT_UNTESTABLE] = "untestable",
	[VERDICT_UNDEFINED] = "undefined",
};

const char *verdict_name(enum verdict_kind kind)
{
	return names[kind];
}
