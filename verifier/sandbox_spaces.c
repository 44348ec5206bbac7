#include "sandbox_internal.h"

#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/stat.h>
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

#ifdef SYS_landlock_create_ruleset
/* As in <linux/landlock.h>: rights that files have, and those that let a file or folder be read and run. */
enum { RIGHTS_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14, RIGHTS_TO_READ = 1 << 0 | 1 << 2 | 1 << 3, RULE_PATH = 1 };
struct rule {
	uint64_t rights;
	int32_t folder;
} __attribute__((packed));

/* A set of rules that denies all there is, and what it covers; -1 when the system has no such thing. */
static int ruleset_new(uint64_t *files)
{
	const long known = sizeof(versions) / sizeof(versions[0]);
	long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, VERSION_FLAG);
	const struct version *able;
	struct ruleset deny;

	if (version < 1)
		return -1;
	able = &versions[(version > known ? known : version) - 1];
	deny = (struct ruleset){able->files, able->network, able->scopes};
	*files = able->files;
	return (int)syscall(SYS_landlock_create_ruleset, &deny, able->bytes, 0);
}

/* Enter the ruleset and close it. */
static bool ruleset_enter(int ruleset)
{
	bool entered = ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;

	if (ruleset >= 0)
		close(ruleset);
	return entered;
}

/* Grant "rights" beneath "path", where that exists; of a file only the rights that files have. */
static void ruleset_grant(int ruleset, const char *path, uint64_t rights)
{
	struct rule rule = {rights, open(path, O_PATH | O_CLOEXEC)};
	struct stat kind;

	if (rule.folder < 0)
		return;
	if (fstat(rule.folder, &kind) == 0 && !S_ISDIR(kind.st_mode))
		rule.rights &= RIGHTS_OF_FILES;
	syscall(SYS_landlock_add_rule, ruleset, RULE_PATH, &rule, 0);
	close(rule.folder);
}

bool files_close(void)
{
	uint64_t files;

	return ruleset_enter(ruleset_new(&files));
}

bool files_enter(const char *const *readable, const char *writable)
{
	static const char *const systems[] = {
		"/usr", "/lib", "/lib64", "/lib32", "/bin", "/opt", "/nix/store", "/gnu/store", "/etc/ld.so.cache",
		"/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system", NULL};
	const char *const *path;
	uint64_t files = 0;
	int ruleset = ruleset_new(&files);

	if (ruleset < 0)
		return false;
	for (path = systems; *path; path++)
		ruleset_grant(ruleset, *path, RIGHTS_TO_READ);
	for (path = readable; *path; path++)
		ruleset_grant(ruleset, *path, RIGHTS_TO_READ);
	ruleset_grant(ruleset, "/dev/null", files);
	if (writable)
		ruleset_grant(ruleset, writable, files);
	return ruleset_enter(ruleset);
}
#else
bool files_close(void)
{
	return false;
}

bool files_enter(const char *const *readable, const char *writable)
{
	(void)readable;
	(void)writable;
	return false;
}
#endif

bool spaces_enter(void)
{
	return unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) == 0;
}
