#include "verifier_support.h"

/* Reversed indexing through a table, in a header; the main file includes it. */
static const char header_text[] =
	"#ifndef GATHER_H\n"
	"#define GATHER_H\n"
	"#define GAIN 3.0f\n"
	"static inline void f(float *y, const float *x, const int *at, int n, int m)\n"
	"{\n"
	"	(void)m;\n"
	"	/* BEGIN */\n"
	"	for (int i = 0; i < n; i++)\n"
	"		y[i] = GAIN * x[at[i]];\n"
	"	/* END */\n"
	"}\n"
	"#endif\n";
static const char main_text[] =
	"#include \"gather.h\"\n"
	"void use(float *y, const float *x, const int *at) { f(y, x, at, 3, 3); }\n";

static const struct given gather = {
	.source = header_text,
	.nest = "region f(f32 y[n] out, f32 x[m] in, i32 at[n] in; i32 n, m)\n"
		"for i in 0..n\n"
		"  S0: y[i] = 3.0f * x[at[i]]\n",
	.local = { { "y", "float *y", NULL, true }, { "x", "const float *x", NULL, true },
		   { "at", "const int *at", NULL, true }, { "n", "int n", NULL, false }, { "m", "int m", NULL, false } },
	.flag = { "-O2" },
	.fact = { { FACT_INDEX, "at", "m" } },
	.n_fact = 1,
};

/* Make the job of "gather" with the region in a header, in a folder of its own. */
static struct opened *make_header_job(void)
{
	struct arena *arena = arena_new();
	struct opened *opened = ARENA_NEW(arena, struct opened);
	const char *header, *main_file;

	opened->arena = arena;
	opened->folder = folder_make_scratch(arena, &opened->diag);
	make_job(opened, &gather);
	header = path_join(arena, opened->folder, "gather.h");
	main_file = path_join(arena, opened->folder, "main.c");
	assert_int_equal(file_write(header, header_text, strlen(header_text), &opened->diag), STATUS_OK);
	assert_int_equal(file_write(main_file, main_text, strlen(main_text), &opened->diag), STATUS_OK);
	opened->job.file = header;
	opened->job.main_file = main_file;
	((const char **)opened->job.argv)[opened->job.source] = main_file;
	return opened;
}

static void regions_in_headers_are_judged(void **state)
{
	struct opened *opened = make_header_job();

	(void)state;
	opened->judge = judge_open(opened->arena, &opened->job, &opened->admission, &opened->diag);
	assert_non_null(opened->judge);
	expect_admitted(opened);
	expect_verdict(opened, "", "for (int i = 0; i < n; i++) y[i] = x[at[i]] * GAIN;", false, VERDICT_EQUAL);
	expect_verdict(opened, "", "for (int i = 0; i < n; i++) y[i] = x[at[i]] * 2;", false, VERDICT_DIFFERENT);
	close_given(opened);
}

static void assert_same_text(const char *a, const char *b)
{
	if (a && b)
		assert_string_equal(a, b);
	else
		assert_ptr_equal(a, b);
}

static void assert_same_nest(const struct nest *a, const struct nest *b)
{
	struct text first = { 0 }, second = { 0 };

	nest_print(a, &first);
	nest_print(b, &second);
	assert_string_equal(text_string(&first), text_string(&second));
	text_free(&first);
	text_free(&second);
}

static void jobs_survive_a_folder(void **state)
{
	struct opened *opened = make_header_job();
	const char *folder = path_join(opened->arena, opened->folder, "job");
	float recorded[5] = { 1, -2, 3, -4, 5 };
	struct size sizes[] = { { "n", 3 }, { "m", 5 } };
	struct sample_value values[] = { { "x", sizeof(recorded), recorded }, { "at", 0, NULL } };
	struct sample sample = { 2, sizes, 2, values };
	struct job *job;

	(void)state;
	opened->job.n_sample = 1;
	opened->job.sample = &sample;
	opened->job.size = sizes;
	opened->job.n_size = 2;
	opened->job.strictness = STRICT_REASSOC;
	opened->job.seed = 0xfedcba9876543210u;
	assert_int_equal(job_save(&opened->job, folder, &opened->diag), STATUS_OK);
	job = job_load(opened->arena, folder, &opened->diag);
	if (!job)
		fail_msg("%s", opened->diag.message);
	assert_same_nest(job->nest, opened->job.nest);
	assert_same_text(job->text, opened->job.text);
	assert_same_text(job->file, opened->job.file);
	assert_same_text(job->main_file, opened->job.main_file);
	assert_int_equal(job->begin, opened->job.begin);
	assert_int_equal(job->end, opened->job.end);
	assert_int_equal(job->argc, opened->job.argc);
	assert_int_equal(job->strictness, STRICT_REASSOC);
	assert_true(job->seed == opened->job.seed);
	assert_int_equal(job->n_size, 2);
	assert_string_equal(job->size[1].name, "m");
	assert_int_equal(job->size[1].value, 5);
	assert_int_equal(job->signature->n_local, 5);
	assert_string_equal(job->signature->local[1].declaration, "const float *x");
	assert_int_equal(job->signature->n_fact, 1);
	assert_string_equal(job->signature->fact[0].var->name, "at");
	assert_string_equal(job->signature->fact[0].hi->var->name, "m");
	assert_int_equal(job->n_sample, 1);
	assert_int_equal(job->sample[0].value[0].bytes, sizeof(recorded));
	assert_memory_equal(job->sample[0].value[0].data, recorded, sizeof(recorded));
	assert_null(job->sample[0].value[1].data);
	close_given(opened);
}

static void loaded_jobs_judge_alike(void **state)
{
	struct opened *opened = make_header_job();
	const char *folder = path_join(opened->arena, opened->folder, "job");
	struct job *job;

	(void)state;
	assert_int_equal(job_save(&opened->job, folder, &opened->diag), STATUS_OK);
	job = job_load(opened->arena, folder, &opened->diag);
	assert_non_null(job);
	opened->judge = judge_open(opened->arena, job, &opened->admission, &opened->diag);
	assert_non_null(opened->judge);
	expect_admitted(opened);
	expect_verdict(opened, "", "for (int i = n - 1; i >= 0; i--) y[i] = x[at[i]] * GAIN;", false, VERDICT_DIFFERENT);
	expect_verdict(opened, "", "for (int i = 0; i < n; i++) y[i] = x[at[i]] * GAIN;", false, VERDICT_EQUAL);
	close_given(opened);
}

static void broken_folders_are_told(void **state)
{
	struct opened *opened = make_header_job();
	const char *folder = path_join(opened->arena, opened->folder, "job");
	struct diag diag = { 0 };

	(void)state;
	assert_null(job_load(opened->arena, folder, &diag));
	assert_true(diag.message[0] != '\0');
	assert_int_equal(job_save(&opened->job, folder, &opened->diag), STATUS_OK);
	assert_int_equal(file_write(path_join(opened->arena, folder, "nest.txt"), "region", 6, &opened->diag), STATUS_OK);
	diag_clear(&diag);
	assert_null(job_load(opened->arena, folder, &diag));
	assert_true(diag.message[0] != '\0');
	close_given(opened);
}

/* A fault that shows on recorded values alone. */
static void recorded_inputs_are_replayed(void **state)
{
	struct opened *opened = make_header_job();
	float x[8] = { 1, -2, 3, -4, 5, 6, 7, 8 };
	int at[3] = { 7, 0, 7 };
	struct size sizes[] = { { "n", 3 }, { "m", 8 } };
	struct sample_value values[] = { { "x", sizeof(x), x }, { "at", sizeof(at), at } };
	struct sample sample = { 2, sizes, 2, values };
	const char *witness;

	(void)state;
	opened->job.n_sample = 1;
	opened->job.sample = &sample;
	opened->judge = judge_open(opened->arena, &opened->job, &opened->admission, &opened->diag);
	assert_non_null(opened->judge);
	expect_admitted(opened);
	witness = expect_verdict(opened, "", "for (int i = 0; i < n; i++) y[i] = x[at[i]] == 8 ? 1 : x[at[i]] * GAIN;", false,
				 VERDICT_DIFFERENT);
	assert_non_null(strstr(witness, "y[0] is 1 instead of 24"));
	assert_non_null(strstr(witness, "recorded"));
	close_given(opened);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(regions_in_headers_are_judged), cmocka_unit_test(jobs_survive_a_folder),
	cmocka_unit_test(loaded_jobs_judge_alike),	 cmocka_unit_test(broken_folders_are_told),
	cmocka_unit_test(recorded_inputs_are_replayed),
};
RUN_TESTS(tests)
