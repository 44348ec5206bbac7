#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

/* Keep a sentence that quotes outside text on one line, and terminals from what that text may tell them. */
static void flatten(char *message)
{
	for (; *message; message++)
		if ((unsigned char)*message < ' ' || *message == 0x7f)
			*message = *message == '\n' || *message == '\t' ? ' ' : '?';
}

enum status diag_set(struct diag *diag, enum exit_code code, const char *format, ...)
{
	va_list args;

	if (!diag || diag->message[0])
		return STATUS_FAILED;
	diag->code = code;
	va_start(args, format);
	vsnprintf(diag->message, sizeof(diag->message), format, args);
	va_end(args);
	flatten(diag->message);
	return STATUS_FAILED;
}

void diag_clear(struct diag *diag)
{
	diag->code = EXIT_FINE;
	diag->message[0] = '\0';
}
