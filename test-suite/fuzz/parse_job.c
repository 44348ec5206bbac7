/* verifier/job.c: the folder of a job: job.json, and in the second part nest.txt. */
#include "parse.h"

#include <string.h>
#include <unistd.h>

#include "support/file.h"
#include "verifier/job.h"

static const char source[] = "void f(float *y, int n)\n{\n\tfor (int i = 0; i < n; i++)\n\t\ty[i] = 0;\n}\n";

static void write_folder(struct arena *arena, const char *bytes, size_t size)
{
	struct parse_part part[2];
	struct diag diag = { 0 };

	parse_require(folder_make(path_join(arena, parse_folder(), "job"), &diag) == STATUS_OK, diag.message);
	parse_split(arena, bytes, size, part);
	parse_file(arena, "job/job.json", part[0].bytes, part[0].size);
	parse_file(arena, "job/nest.txt", part[1].bytes, part[1].size);
	parse_file(arena, "job/region.src", source, strlen(source));
	parse_file(arena, "job/main.src", "", 0);
	parse_file(arena, "job/sample-0-0.bin", "0123", 4);
}

static bool reprint_job(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	const struct job *job;

	write_folder(arena, bytes, size);
	parse_require(chdir(parse_folder()) == 0, "the scratch folder cannot be entered");
	job = job_load(arena, "job", diag);
	if (!job)
		return false;
	for (int i = 0; i < job->signature->n_fact; i++)
		parse_require(job->signature->fact[i].var != NULL, "a fact is of nothing");
	parse_require(nest_check(job->nest, diag), diag->message);
	parse_require(job_save(job, "job", diag) == STATUS_OK, diag->message);
	parse_read_back(arena, "job/job.json", out);
	text_append(out, "\n====\n");
	parse_read_back(arena, "job/nest.txt", out);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_job);
	return 0;
}
