#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static double first_shown;
static int is_shown;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

static int is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void progress_show(double done, double total, const char *format, ...)
{
	char line[512];
	int size;
	va_list args;

	if (!is_terminal())
		return;
	if (first_shown == 0)
		first_shown = now();
	size = snprintf(line, sizeof(line), "%3.0f %%", total > 0 ? 100 * done / total : 0);
	if (done > 0 && total > done) {
		int left = (int)((now() - first_shown) * (total - done) / done);

		size += snprintf(line + size, sizeof(line) - (size_t)size, "  %d:%02d left", left / 60, left % 60);
	}
	size += snprintf(line + size, sizeof(line) - (size_t)size, "  ");
	va_start(args, format);
	vsnprintf(line + size, sizeof(line) - (size_t)size, format, args);
	va_end(args);
	fprintf(stderr, "\r\033[K%.*s", terminal_width() - 1, line);
	fflush(stderr);
	is_shown = 1;
}

void progress_clear(void)
{
	if (!is_shown)
		return;
	fprintf(stderr, "\r\033[K");
	fflush(stderr);
	is_shown = 0;
}
