#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum status file_read(const char *path, struct text *text, struct diag *diag)
{
	char buffer[1 << 16];
	ssize_t got = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return diag_set(diag, EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
	while ((got = read(fd, buffer, sizeof(buffer))) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			text_append_bytes(text, buffer, (size_t)got);
	if (got < 0)
		diag_set(diag, EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
	close(fd);
	if (text->overflowed)
		return diag_set(diag, EXIT_INPUT, "%s: too large", path);
	return got < 0 ? STATUS_FAILED : STATUS_OK;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t put = write(fd, bytes, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		bytes += put;
		size -= (size_t)put;
	}
	return true;
}

enum status file_write(const char *path, const void *bytes, size_t size, struct diag *diag)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool written;

	if (fd < 0)
		return diag_set(diag, EXIT_MACHINE, "%s: cannot create: %s", path, strerror(errno));
	written = write_all(fd, bytes, size);
	if (close(fd) != 0 || !written)
		return diag_set(diag, EXIT_MACHINE, "%s: cannot write: %s", path, strerror(errno));
	return STATUS_OK;
}

/* Give the temporary file the mode and, when allowed, the owner that "path" has. */
static void keep_mode(int fd, const char *path)
{
	struct stat status;
	mode_t mask;

	if (stat(path, &status) == 0) {
		if (fchown(fd, status.st_uid, status.st_gid) != 0)
			errno = 0;
		fchmod(fd, status.st_mode & 07777);
	} else {
		mask = umask(0);
		umask(mask);
		fchmod(fd, 0666 & ~mask);
	}
}

static enum status replace(const char *path, const void *bytes, size_t size, struct diag *diag)
{
	char temporary[PATH_MAX];
	int fd;

	if (access(path, F_OK) == 0 && access(path, W_OK) != 0)
		return diag_set(diag, EXIT_INPUT, "%s: cannot replace: %s", path, strerror(errno));
	if (snprintf(temporary, sizeof(temporary), "%s.strop-XXXXXX", path) >= (int)sizeof(temporary))
		return diag_set(diag, EXIT_INPUT, "%s: the path is too long", path);
	fd = mkstemp(temporary);
	if (fd < 0)
		return diag_set(diag, EXIT_INPUT, "%s: cannot replace: %s", path, strerror(errno));
	keep_mode(fd, path);
	if (!write_all(fd, bytes, size) || fsync(fd) != 0) {
		diag_set(diag, EXIT_MACHINE, "%s: cannot write: %s; it is unchanged", path, strerror(errno));
		close(fd);
		unlink(temporary);
		return STATUS_FAILED;
	}
	if (close(fd) != 0 || rename(temporary, path) != 0) {
		diag_set(diag, EXIT_MACHINE, "%s: cannot replace: %s; it is unchanged", path, strerror(errno));
		unlink(temporary);
		return STATUS_FAILED;
	}
	return STATUS_OK;
}

enum status file_replace(const char *path, const void *bytes, size_t size, struct diag *diag)
{
	char *target = realpath(path, NULL);
	enum status status = replace(target ? target : path, bytes, size, diag);

	free(target);
	return status;
}

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

bool file_is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

enum status folder_make(const char *path, struct diag *diag)
{
	char part[PATH_MAX];
	size_t i, size = strlen(path);

	if (size >= sizeof(part))
		return diag_set(diag, EXIT_INPUT, "%s: the path is too long", path);
	for (i = 1; i <= size; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0777) != 0 && errno != EEXIST)
			return diag_set(diag, EXIT_MACHINE, "%s: cannot create the folder: %s", part, strerror(errno));
	}
	return STATUS_OK;
}

char *folder_make_scratch(struct arena *arena, struct diag *diag)
{
	const char *base = getenv("TMPDIR");
	char *path = arena_printf(arena, "%s/strop-XXXXXX", base && *base ? base : "/tmp");

	if (mkdtemp(path))
		return path;
	diag_set(diag, EXIT_MACHINE, "%s: cannot create a scratch folder: %s", path, strerror(errno));
	return NULL;
}

static void remove_content(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *entry;
	DIR *folder;

	if (fd < 0)
		return;
	folder = fdopendir(fd);
	if (!folder) {
		close(fd);
		return;
	}
	while ((entry = readdir(folder))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(fd, entry->d_name, 0) != 0) {
			remove_content(fd, entry->d_name);
			unlinkat(fd, entry->d_name, AT_REMOVEDIR);
		}
	}
	closedir(folder);
}

void folder_remove(const char *path)
{
	remove_content(AT_FDCWD, path);
	rmdir(path);
}

char *path_join(struct arena *arena, const char *a, const char *b)
{
	size_t size = strlen(a);

	if (b[0] == '/' || size == 0)
		return arena_strdup(arena, b);
	return arena_printf(arena, a[size - 1] == '/' ? "%s%s" : "%s/%s", a, b);
}

/* Remove "", "." and ".." components of the absolute "path" in place. */
static void normalise(char *path)
{
	char *out = path, *in = path;

	while (*in) {
		char *end;

		while (*in == '/')
			in++;
		for (end = in; *end && *end != '/'; end++)
			;
		if (end == in)
			break;
		if (end - in == 2 && in[0] == '.' && in[1] == '.') {
			while (out > path && *--out != '/')
				;
		} else if (!(end - in == 1 && in[0] == '.')) {
			*out++ = '/';
			memmove(out, in, (size_t)(end - in));
			out += end - in;
		}
		in = end;
	}
	if (out == path)
		*out++ = '/';
	*out = '\0';
}

char *path_absolute(struct arena *arena, const char *directory, const char *path)
{
	char here[PATH_MAX];
	char *result;

	if (path[0] == '/') {
		result = arena_strdup(arena, path);
	} else {
		if (!getcwd(here, sizeof(here)))
			strcpy(here, "/");
		if (directory && directory[0] == '/')
			result = path_join(arena, directory, path);
		else if (directory)
			result = path_join(arena, path_join(arena, here, directory), path);
		else
			result = path_join(arena, here, path);
	}
	normalise(result);
	return result;
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *path_folder(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return arena_strdup(arena, ".");
	return slash == path ? arena_strdup(arena, "/") : arena_strndup(arena, path, (size_t)(slash - path));
}

const char *path_relative(const char *path, const char *from)
{
	size_t size = strlen(from);

	while (size > 1 && from[size - 1] == '/')
		size--;
	if (strncmp(path, from, size) == 0 && path[size] == '/')
		return path + size + 1;
	return path;
}
