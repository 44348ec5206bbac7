/* One sentence about what failed, and which exit code it deserves.
 *
 * Failures of the world travel as STATUS_FAILED plus a filled struct diag. Mistakes of our own are asserts,
 * and outcomes (a candidate that crashes, a loop that cannot be tiled) are data of their own, never a diag. */
#ifndef STROP_SUPPORT_DIAG_H
#define STROP_SUPPORT_DIAG_H

enum status { STATUS_OK, STATUS_FAILED };

/* The exit codes of the strop command. */
enum exit_code {
	EXIT_FINE = 0,
	EXIT_GATE = 1,         /* a gate failed, or scan --strict found something */
	EXIT_INPUT = 2,        /* usage or input error */
	EXIT_INCONCLUSIVE = 3, /* measured, and no answer can be given */
	EXIT_WRONG = 4,        /* an accepted variant is wrong */
	EXIT_MACHINE = 5,      /* something that the machine lacks */
	EXIT_INTERRUPTED = 130
};

/* "message" is empty until diag_set() was called; the first failure wins, for it is the cause. */
struct diag {
	enum exit_code code;
	char message[1024];
};

/* Record the printf-formatted sentence and "code" in "diag" (which may be NULL), unless it holds one already; line ends and
 * tabs in it become blanks, other control characters '?'. Return STATUS_FAILED, so that a function can end in "return diag_set(...)". */
enum status diag_set(struct diag *diag, enum exit_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Forget what "diag" holds. */
void diag_clear(struct diag *diag);

#endif
