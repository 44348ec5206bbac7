/* One status line on a terminal, with an estimate of the time left; silent in pipes. */
#ifndef STROP_TOOLS_PROGRESS_H
#define STROP_TOOLS_PROGRESS_H

/* Show the message, "done" of "total" steps being behind us. */
void progress_show(double done, double total, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Erase the line, before other output. */
void progress_clear(void);

#endif
