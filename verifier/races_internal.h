/* What the parts of the search for races share. */
#ifndef STROP_VERIFIER_RACES_INTERNAL_H
#define STROP_VERIFIER_RACES_INTERNAL_H

/* What a program writes to standard error, with the reason behind it, when it does what the search cannot follow. */
#define RACES_UNCHECKED "not checked for races: "

/* The pieces of a C file that does what OpenMP's runtime library and <threads.h> do, by threads that the search follows;
 * NULL-terminated. */
extern const char *const races_shim[];
/* The pieces of it that are in races_tasks.c. */
extern const char races_tasks[], races_threads[];
/* C as text; commas and line ends may stand in it, directives and comments may not. */
#define RACES_TEXT(...) #__VA_ARGS__

#endif
