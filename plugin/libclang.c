#include "libclang_internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "region.h"

#define VERSION_FLOOR 19

struct libclang libclang;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct diag failure;
static char version[32];
static char resource_dir[PATH_MAX];

static const char *const library[] = {
	"libclang-22.so.1", "libclang-22.so.22", "/usr/lib/llvm-22/lib/libclang.so.1",
	"libclang-21.so.1", "libclang-21.so.21", "/usr/lib/llvm-21/lib/libclang.so.1",
	"libclang-20.so.1", "libclang-20.so.20", "/usr/lib/llvm-20/lib/libclang.so.1",
	"libclang-19.so.1", "libclang-19.so.19", "/usr/lib/llvm-19/lib/libclang.so.1",
};

static void *library_open(void)
{
	const char *const chosen = getenv("STROP_LIBCLANG");
	if (chosen && *chosen)
		return dlopen(chosen, RTLD_LAZY | RTLD_LOCAL);
	for (size_t i = 0; i < sizeof(library) / sizeof(*library); i++) {
		void *const handle = dlopen(library[i], RTLD_LAZY | RTLD_LOCAL);
		if (handle)
			return handle;
	}
	return NULL;
}

/* Fill "libclang" from the library "handle"; return the first function that it lacks, or NULL. */
static const char *functions_find(void *handle)
{
#define FUNCTION(name)                                                \
	*(void **)&libclang.name = dlsym(handle, "clang_" #name);     \
	if (!libclang.name)                                           \
		return "clang_" #name;
#include "libclang.def"
#undef FUNCTION
	return NULL;
}

/* Set "version" to the number in libclang's own words, "Debian clang version 22.1.8 (1~deb12u1)". */
static void version_find(void)
{
	const CXString words = clang_getClangVersion();
	const char *const mark = strstr(clang_getCString(words), "version ");
	if (mark)
		sscanf(mark, "version %31[0-9.]", version);
	clang_disposeString(words);
}

static bool resource_dir_try(const char *folder, int major)
{
	char header[PATH_MAX + 32];
	for (int full = 0; full < 2; full++) {
		if (full)
			snprintf(resource_dir, sizeof(resource_dir), "%.2000s/clang/%s", folder, version);
		else
			snprintf(resource_dir, sizeof(resource_dir), "%.2000s/clang/%d", folder, major);
		snprintf(header, sizeof(header), "%s/include/stddef.h", resource_dir);
		if (access(header, R_OK) == 0)
			return true;
	}
	resource_dir[0] = '\0';
	return false;
}

/* Look beside the library itself, then where Debian, Ubuntu and Fedora keep the headers. */
static void resource_dir_find(void)
{
	Dl_info info;
	char path[PATH_MAX], folder[64];
	const int major = atoi(version);
	if (dladdr((void *)libclang.createIndex, &info) && realpath(info.dli_fname, path)) {
		*strrchr(path, '/') = '\0';
		if (resource_dir_try(path, major))
			return;
	}
	snprintf(folder, sizeof(folder), "/usr/lib/llvm-%d/lib", major);
	if (resource_dir_try(folder, major) || resource_dir_try("/usr/lib", major))
		return;
	resource_dir_try("/usr/lib64", major);
}

static void load_once(void)
{
	void *const handle = library_open();
	if (!handle) {
		const char *const chosen = getenv("STROP_LIBCLANG");
		if (chosen && *chosen)
			diag_set(&failure, EXIT_MACHINE, "STROP_LIBCLANG=%s cannot be loaded: %s", chosen, dlerror());
		else
			diag_set(&failure, EXIT_MACHINE,
				 "no libclang of version %d to 22 found; install libclang1-22 or libclang1-19, or set "
				 "STROP_LIBCLANG to its path", VERSION_FLOOR);
		return;
	}
	const char *const lacking = functions_find(handle);
	if (lacking) {
		diag_set(&failure, EXIT_MACHINE,
			 "the libclang found has no %s; strop needs version %d or newer: install libclang1-22 or libclang1-19",
			 lacking, VERSION_FLOOR);
		return;
	}
	version_find();
	if (atoi(version) < VERSION_FLOOR)
		diag_set(&failure, EXIT_MACHINE, "libclang %s is too old; strop needs version %d or newer", version,
			 VERSION_FLOOR);
	else
		resource_dir_find();
}

enum status libclang_load(struct diag *diag)
{
	pthread_once(&once, load_once);
	if (!failure.message[0])
		return STATUS_OK;
	return diag_set(diag, failure.code, "%s", failure.message);
}

const char *libclang_resource_dir(void)
{
	return resource_dir[0] ? resource_dir : NULL;
}

const char *libclang_version(struct diag *diag)
{
	return libclang_load(diag) == STATUS_OK ? version : NULL;
}
