/* What the tests of the judge share: a region given as C source, printed nest and signature, opened for judging. */
#ifndef STROP_TEST_VERIFIER_SUPPORT_H
#define STROP_TEST_VERIFIER_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/file.h"
#include "verifier/judge.h"
#include "verifier/runner.h"

enum { locals_most = 12, flags_most = 8 };

/* "source" marks the region by lines holding BEGIN and END comments; "local" and "flag" end with an empty entry; "compiler" is gcc unless it is set. */
struct given {
	const char *source, *nest;
	struct local local[locals_most];
	const char *flag[flags_most];
	const char *compiler;
	enum strictness strictness;
	struct given_fact {
		enum fact_kind kind;
		const char *array, *below;
	} fact[4];
	int n_fact;
	const struct size *size;
	int n_size;
};

struct opened {
	struct arena *arena;
	struct job job;
	struct signature signature;
	struct judge *judge;
	struct verdict admission;
	struct diag diag;
	const char *folder;
};

/* The offset just behind the line that holds "mark". */
static size_t line_behind(const char *text, const char *mark)
{
	const char *at = strstr(text, mark);

	assert_non_null(at);
	return (size_t)(strchr(at, '\n') + 1 - text);
}

static size_t line_before(const char *text, const char *mark)
{
	const char *at = strstr(text, mark);

	assert_non_null(at);
	while (at > text && at[-1] != '\n')
		at--;
	return (size_t)(at - text);
}

/* The offset of the definition of "function", at the start of its line. */
static size_t function_begin(const char *text, const char *function)
{
	const char *at = strstr(text, function);

	assert_non_null(at);
	while (at > text && at[-1] != '\n')
		at--;
	return (size_t)(at - text);
}

/* The given facts; "below" names a param that bounds the elements. */
static void add_facts(struct opened *opened, const struct given *given)
{
	struct arena *arena = opened->arena;

	opened->signature.n_fact = given->n_fact;
	opened->signature.fact = ARENA_ARRAY(arena, struct fact, given->n_fact + 1);
	for (int i = 0; i < given->n_fact; i++) {
		struct fact *fact = &opened->signature.fact[i];
		const struct given_fact *from = &given->fact[i];

		fact->kind = from->kind;
		fact->var = nest_find_var(opened->job.nest, from->array);
		assert_non_null(fact->var);
		if (from->below) {
			fact->lo = expr_int(arena, 0, TYPE_I32);
			fact->hi = expr_scalar(arena, nest_find_var(opened->job.nest, from->below));
		}
	}
}

static void make_job(struct opened *opened, const struct given *given)
{
	struct arena *arena = opened->arena;
	const char **argv = ARENA_ARRAY(arena, const char *, flags_most + 8);
	struct job *job = &opened->job;
	const char *path = path_join(arena, opened->folder, "given.c");

	argv[job->argc++] = given->compiler ? given->compiler : "gcc";
	for (int i = 0; i < flags_most && given->flag[i]; i++)
		argv[job->argc++] = given->flag[i];
	argv[job->argc++] = "-c";
	job->source = job->argc;
	argv[job->argc++] = path;
	job->argv = argv;
	job->id = "given.c:f:0";
	job->file = job->main_file = path;
	job->text = given->source;
	job->text_size = strlen(given->source);
	job->begin = line_behind(given->source, "BEGIN");
	job->end = line_before(given->source, "END");
	job->function_begin = function_begin(given->source, "f(");
	job->directory = job->scratch = opened->folder;
	job->nest = nest_parse(arena, given->nest, &opened->diag);
	if (!job->nest)
		fail_msg("%s", opened->diag.message);
	job->strictness = given->strictness;
	job->size = given->size;
	job->n_size = given->n_size;
	job->seconds = 20;
	job->memory = (size_t)4 << 30;
	job->seed = 42;
	opened->signature.function = "f";
	while (given->local[opened->signature.n_local].name)
		opened->signature.n_local++;
	opened->signature.local = (struct local *)given->local;
	add_facts(opened, given);
	job->signature = &opened->signature;
	assert_int_equal(file_write(path, given->source, job->text_size, &opened->diag), STATUS_OK);
}

static inline struct opened *open_given(const struct given *given)
{
	struct arena *arena = arena_new();
	struct opened *opened = ARENA_NEW(arena, struct opened);

	opened->arena = arena;
	opened->folder = folder_make_scratch(arena, &opened->diag);
	assert_non_null(opened->folder);
	make_job(opened, given);
	opened->judge = judge_open(arena, &opened->job, &opened->admission, &opened->diag);
	if (!opened->judge)
		fail_msg("%s", opened->diag.message);
	return opened;
}

static inline void close_given(struct opened *opened)
{
	judge_close(opened->judge);
	folder_remove(opened->folder);
	arena_free(opened->arena);
}

static inline void expect_admitted(const struct opened *opened)
{
	if (opened->admission.kind != VERDICT_EQUAL)
		fail_msg("not admitted: %s: %s", verdict_name(opened->admission.kind), opened->admission.witness);
}

/* Judge a candidate and check the kind of verdict; return its witness. */
static inline const char *expect_verdict(struct opened *opened, const char *helpers, const char *body, bool thorough,
				  enum verdict_kind kind)
{
	struct verdict verdict;

	if (judge_candidate(opened->judge, helpers, body, thorough, &verdict, &opened->diag) != STATUS_OK)
		fail_msg("%s", opened->diag.message);
	if (getenv("STROP_TEST_VERBOSE"))
		printf("    %s: %s\n", verdict_name(verdict.kind), verdict.witness);
	if (verdict.kind != kind)
		fail_msg("%s instead of %s: %s\nfor: %s", verdict_name(verdict.kind), verdict_name(kind), verdict.witness,
			 body);
	return verdict.witness;
}

/* A test program is its own runner when it is called so. */
#define RUN_TESTS(tests)                                                      \
	int main(int argc, char **argv)                                       \
	{                                                                     \
		if (argc > 1 && !strcmp(argv[1], "runner"))                   \
			return runner_main(argc - 1, argv + 1);               \
		return cmocka_run_group_tests(tests, NULL, NULL);             \
	}

#endif
