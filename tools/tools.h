/* The subcommands of strop: one file each; commands.def lists them. */
#ifndef STROP_TOOLS_TOOLS_H
#define STROP_TOOLS_TOOLS_H

/* Each takes its own argv (argv[0] is the subcommand's name) and returns the process's exit code. */
#define COMMAND(name, function, sentence) int function(int argc, char **argv);
#define HIDDEN(name, function) int function(int argc, char **argv);
#include "commands.def"
#undef COMMAND
#undef HIDDEN

#endif
