#include "machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peak.h"

enum { CACHE_VERSION = 1, LAST_LEVEL_MOST = 32 << 20 };

/* The value after "model name :" of /proc/cpuinfo, or "unknown processor". */
static void machine_name(char *name, size_t size)
{
	char line[512];
	FILE *file = fopen("/proc/cpuinfo", "r");
	snprintf(name, size, "unknown processor");
	while (file && fgets(line, sizeof line, file)) {
		const char *value = strchr(line, ':');
		if (strncmp(line, "model name", 10) || !value)
			continue;
		snprintf(name, size, "%s", value + 1 + strspn(value + 1, " \t"));
		name[strcspn(name, "\n")] = '\0';
		break;
	}
	if (file)
		fclose(file);
}

/* The first line of processor 0's cache "index" file "name" in sysfs, as text; false when there is none. */
static bool cache_read(int index, const char *name, char *value, size_t size)
{
	char path[128];
	FILE *file;
	bool found;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
	file = fopen(path, "r");
	if (!file)
		return false;
	found = fgets(value, (int)size, file) != NULL;
	fclose(file);
	return found;
}

/* The size in bytes of the data cache of "level" by sysfs, or "fallback" when it tells nothing. */
static size_t cache_size(int level, long fallback)
{
	char text[64];
	for (int index = 0; cache_read(index, "level", text, sizeof text); index++) {
		char *unit;
		size_t size;
		if (atoi(text) != level || !cache_read(index, "type", text, sizeof text) || text[0] == 'I' ||
		    !cache_read(index, "size", text, sizeof text))
			continue;
		size = strtoul(text, &unit, 10);
		return *unit == 'K' ? size << 10 : *unit == 'M' ? size << 20 : size;
	}
	return fallback > 0 ? (size_t)fallback : 0;
}

/* What is known without measuring. */
static void machine_describe(struct machine *machine)
{
	memset(machine, 0, sizeof *machine);
	machine_name(machine->name, sizeof machine->name);
	machine->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
	machine->vector_bytes = peak_vector_bytes();
	machine->l1 = cache_size(1, sysconf(_SC_LEVEL1_DCACHE_SIZE));
	machine->l2 = cache_size(2, sysconf(_SC_LEVEL2_CACHE_SIZE));
	machine->l3 = cache_size(3, sysconf(_SC_LEVEL3_CACHE_SIZE));
	machine->l1 = machine->l1 ? machine->l1 : 32 << 10;
	machine->l2 = machine->l2 ? machine->l2 : 512 << 10;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t machine_cache_share(void)
{
	struct machine machine;

	machine_describe(&machine);
	return machine.l3 ? smaller(machine.l3 / (size_t)(machine.cores > 0 ? machine.cores : 1), LAST_LEVEL_MOST) : machine.l2;
}

/* Measure each level with a working set that fits well into it. The third level is shared, and a virtual machine may be
 * told of more than it has: 32 MiB of it are trusted; memory is what is beyond a quarter of a gigabyte, or as much as a
 * small machine can spare. */
static void machine_measure(struct machine *machine)
{
	size_t spare = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 4;
	size_t l3 = machine->l3 ? machine->l3 : machine->l2;
	int width = machine->vector_bytes;
	machine->flops_f64 = peak_flops_f64(width);
	machine->flops_f32 = peak_flops_f32(width);
	machine->bandwidth_l1 = peak_bandwidth(width, machine->l1 / 2);
	machine->bandwidth_l2 = peak_bandwidth(width, machine->l2 / 2);
	machine->bandwidth_l3 = peak_bandwidth(width, smaller(l3 / 2, LAST_LEVEL_MOST));
	machine->bandwidth_memory = peak_bandwidth(width, smaller(384u << 20, spare));
	if (machine->bandwidth_memory <= 0)
		machine->bandwidth_memory = machine->bandwidth_l3;
}

/* The file of the cache that holds this machine's peaks. */
static void cache_path(const char *folder, char *path, size_t size)
{
	snprintf(path, size, "%s/machine.txt", folder);
}

/* Read the peaks from "folder" if they were measured on the machine that "machine" describes. */
static bool cache_load(const char *folder, struct machine *machine)
{
	char path[4096], name[sizeof machine->name] = "";
	struct machine seen = *machine;
	int version = 0;
	bool is_same;
	FILE *file;
	cache_path(folder, path, sizeof path);
	file = fopen(path, "r");
	if (!file)
		return false;
	is_same = fscanf(file, "version %d\nname %127[^\n]\ncores %d\nvector %d\n", &version, name, &seen.cores,
			 &seen.vector_bytes) == 4 &&
		  fscanf(file, "flops %lf %lf\nbandwidth %lf %lf %lf %lf\n", &seen.flops_f64, &seen.flops_f32,
			 &seen.bandwidth_l1, &seen.bandwidth_l2, &seen.bandwidth_l3, &seen.bandwidth_memory) == 6 &&
		  version == CACHE_VERSION && strcmp(name, machine->name) == 0 && seen.cores == machine->cores &&
		  seen.vector_bytes == machine->vector_bytes && seen.flops_f64 > 0 && seen.bandwidth_memory > 0;
	fclose(file);
	if (is_same)
		*machine = seen;
	return is_same;
}

/* Keep the peaks for the next run. Not being able to is no failure: they are measured again. */
static void cache_save(const char *folder, const struct machine *machine)
{
	char path[4096], temporary[4200];
	bool is_written;
	FILE *file;
	cache_path(folder, path, sizeof path);
	snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
	file = fopen(temporary, "w");
	if (!file)
		return;
	fprintf(file, "version %d\nname %s\ncores %d\nvector %d\n", CACHE_VERSION, machine->name, machine->cores,
		machine->vector_bytes);
	fprintf(file, "flops %.6g %.6g\nbandwidth %.6g %.6g %.6g %.6g\n", machine->flops_f64, machine->flops_f32,
		machine->bandwidth_l1, machine->bandwidth_l2, machine->bandwidth_l3, machine->bandwidth_memory);
	is_written = !ferror(file);
	is_written &= fclose(file) == 0;
	if (!is_written || rename(temporary, path) != 0)
		unlink(temporary);
}

enum status machine_get(const char *cache_folder, struct machine *machine, struct diag *diag)
{
	machine_describe(machine);
	if (cache_folder && cache_load(cache_folder, machine))
		return STATUS_OK;
	machine_measure(machine);
	if (machine->bandwidth_l1 <= 0 || machine->bandwidth_l3 <= 0)
		return diag_set(diag, EXIT_MACHINE, "too little memory to measure the machine's bandwidth");
	if (cache_folder)
		cache_save(cache_folder, machine);
	return STATUS_OK;
}

/* The bandwidth of the level that holds "bytes", and its name. */
static double level_bandwidth(const struct machine *machine, double bytes, const char **level)
{
	if (bytes <= (double)machine->l1)
		return *level = "L1", machine->bandwidth_l1;
	if (bytes <= (double)machine->l2)
		return *level = "L2", machine->bandwidth_l2;
	if (bytes <= (double)machine->l3 && bytes <= 64e6)
		return *level = "L3", machine->bandwidth_l3;
	return *level = "memory", machine->bandwidth_memory;
}

/* The level is the one that holds all bytes at once; it is what bounds the work when moving each byte once through it
 * needs a larger share of the time than computing at the peak does. */
void machine_bound(const struct machine *machine, double flops, double bytes, double seconds, int float_size, char *sentence,
		   size_t size)
{
	const char *level;
	double peak = float_size == 4 ? machine->flops_f32 : machine->flops_f64;
	double bandwidth = level_bandwidth(machine, bytes, &level);
	double compute = seconds > 0 && peak > 0 ? flops / peak / seconds : 0;
	double move = seconds > 0 && bandwidth > 0 ? bytes / bandwidth / seconds : 0;
	if (compute < 0.1 && move < 0.1)
		snprintf(sentence, size, "latency: %.1f %% of %.0f GF/s, %.1f %% of %.0f GB/s from %s", 100 * compute, peak / 1e9,
			 100 * move, bandwidth / 1e9, level);
	else if (compute >= move)
		snprintf(sentence, size, "compute: %.0f %% of %.0f GF/s", 100 * compute, peak / 1e9);
	else
		snprintf(sentence, size, "%s: %.0f %% of %.0f GB/s", level, 100 * move, bandwidth / 1e9);
}
