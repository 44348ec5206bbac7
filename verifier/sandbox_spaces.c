#include "sandbox_internal.h"

#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in <linux/landlock.h>, which older systems have in part. */
struct ruleset {
	uint64_t files, network, scopes;
};
enum { VERSION_FLAG = 1 };

/* What each version of Landlock can deny, and the bytes of the ruleset that it knows. */
static const struct version {
	uint64_t files, network, scopes;
	size_t bytes;
} versions[] = {
	{(1u << 13) - 1, 0, 0, 8},  {(1u << 14) - 1, 0, 0, 8},  {(1u << 15) - 1, 0, 0, 8},
	{(1u << 15) - 1, 3, 0, 16}, {(1u << 16) - 1, 3, 0, 16}, {(1u << 16) - 1, 3, 3, 24},
};

bool files_close(void)
{
#ifdef SYS_landlock_create_ruleset
	const long known = sizeof(versions) / sizeof(versions[0]);
	long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, VERSION_FLAG), ruleset;
	const struct version *able;
	struct ruleset deny;
	bool entered;

	if (version < 1)
		return false;
	able = &versions[(version > known ? known : version) - 1];
	deny = (struct ruleset){able->files, able->network, able->scopes};
	ruleset = syscall(SYS_landlock_create_ruleset, &deny, able->bytes, 0);
	if (ruleset < 0)
		return false;
	entered = syscall(SYS_landlock_restrict_self, (int)ruleset, 0) == 0;
	close((int)ruleset);
	return entered;
#else
	return false;
#endif
}

bool spaces_enter(void)
{
	return unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) == 0;
}
