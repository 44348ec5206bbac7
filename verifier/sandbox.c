#include "sandbox_internal.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
enum { address_space_is_limitable = 0 };
#else
enum { address_space_is_limitable = 1 };
#endif

static bool limit(int resource, rlim_t value)
{
	struct rlimit current, wanted = {value, value};

	if (getrlimit((__rlimit_resource_t)resource, &current) != 0)
		return false;
	if (current.rlim_max != RLIM_INFINITY && value > current.rlim_max)
		wanted.rlim_cur = wanted.rlim_max = current.rlim_max;
	return setrlimit((__rlimit_resource_t)resource, &wanted) == 0;
}

static bool limits_enter(const struct sandbox *sandbox)
{
	bool entered = limit(RLIMIT_CORE, 0);

	entered &= limit(RLIMIT_FSIZE, 0);
	entered &= limit(RLIMIT_NOFILE, 64);
	if (sandbox->seconds > 0)
		entered &= limit(RLIMIT_CPU, (rlim_t)(sandbox->seconds + 1));
	if (sandbox->memory > 0 && address_space_is_limitable)
		entered &= limit(RLIMIT_AS, (rlim_t)sandbox->memory);
	return entered;
}

static bool privileges_drop(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* NOTE: entering a user namespace forgets the signal at the parent's death, and makes the process one that others cannot
 * inspect. */
bool sandbox_enter(const struct sandbox *sandbox)
{
	bool entered;

	spaces_enter();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	entered = privileges_drop();
	entered &= limits_enter(sandbox);
	files_enter(sandbox->readable, NULL);
	filter_enter();
	return entered;
}

void sandbox_close(void)
{
	files_close();
	filter_close();
}

static bool is_demanded;

void sandbox_demand(void)
{
	is_demanded = true;
}

bool sandbox_is_demanded(void)
{
	return is_demanded;
}

bool sandbox_confine(const char *const *readable, const char *writable)
{
	return privileges_drop() && files_enter(readable, writable);
}

static bool try_layer(enum sandbox_layer layer)
{
	static const struct sandbox none = {0};

	switch (layer) {
	case LAYER_LIMITS:
		return limits_enter(&none);
	case LAYER_PRIVILEGES:
		return privileges_drop();
	case LAYER_FILTER:
		return privileges_drop() && filter_enter() && filter_close();
	case LAYER_FILES:
		return privileges_drop() && files_close();
	case LAYER_SPACES:
		return spaces_enter();
	case LAYER_COUNT:
		break;
	}
	return false;
}

bool sandbox_has(enum sandbox_layer layer)
{
	pid_t child = fork();
	int status = 1;

	if (child == 0)
		_exit(try_layer(layer) ? 0 : 1);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

const char *sandbox_layer_name(enum sandbox_layer layer)
{
	static const char *const names[LAYER_COUNT] = {
		[LAYER_LIMITS] = "limits",	 [LAYER_PRIVILEGES] = "no new privileges", [LAYER_FILTER] = "seccomp",
		[LAYER_FILES] = "landlock", [LAYER_SPACES] = "namespaces",
	};

	return names[layer];
}

const char *sandbox_layer_sentence(enum sandbox_layer layer)
{
	static const char *const sentences[LAYER_COUNT] = {
		[LAYER_LIMITS] = "processor time, memory, descriptors; no files written, no core files",
		[LAYER_PRIVILEGES] = "set-user-id programs give it nothing",
		[LAYER_FILTER] = "all system calls but those that computing needs raise SIGSYS",
		[LAYER_FILES] = "only libraries are read, nothing once the program is loaded; no ports; what a compiler reads",
		[LAYER_SPACES] = "users, network, System V objects and host names of its own",
	};

	return sentences[layer];
}
