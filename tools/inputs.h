/* What the subcommands that read sources have in common: which files, with which compile commands. */
#ifndef STROP_TOOLS_INPUTS_H
#define STROP_TOOLS_INPUTS_H

#include "plugin/command.h"
#include "plugin/region.h"
#include "support/options.h"

/* The commands that the user's words name: the entries of -p BUILD (all, or those of the files given), or the files
 * with the flags after "--"; without either, the nearest compile_commands.json in ".", "build" or above is tried for files that it
 * lists. */
enum status inputs_commands(struct arena *arena, const char *build, const struct arguments *arguments,
			    struct command_list *list, struct diag *diag);

/* Print "strop: MESSAGE" on standard error and return the exit code that "diag" asks for. */
int fail(const struct diag *diag);

/* Scan each command's unit, both cores at work; units[i] is NULL when command i failed, with its reason in diags[i]. */
void inputs_scan(const struct command_list *list, struct unit **units, struct diag *diags);

#endif
