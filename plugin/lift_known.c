#include "lift_internal.h"

enum { MAX = 8 };

static void add(struct lifter *lifter, struct poly **list, int *n, const struct poly *a, const struct poly *b, int64_t constant)
{
	struct poly *const difference = poly_add(lifter, a, b, -1);

	if (*n < MAX && poly_is_frozen(lifter, difference) && difference->n_need == 0)
		list[(*n)++] = poly_add(lifter, difference, poly_const(lifter, constant), 1);
}

void known_compare(struct lifter *lifter, struct value *value, enum op op, const struct value *left, const struct value *right)
{
	const struct poly *const a = left->poly, *const b = right->poly;

	if (!a || !b)
		return;
	switch (op) {
	case OP_LT:
		add(lifter, value->yes, &value->n_yes, b, a, -1);
		add(lifter, value->no, &value->n_no, a, b, 0);
		break;
	case OP_LE:
		add(lifter, value->yes, &value->n_yes, b, a, 0);
		add(lifter, value->no, &value->n_no, a, b, -1);
		break;
	case OP_GT:
		add(lifter, value->yes, &value->n_yes, a, b, -1);
		add(lifter, value->no, &value->n_no, b, a, 0);
		break;
	case OP_GE:
		add(lifter, value->yes, &value->n_yes, a, b, 0);
		add(lifter, value->no, &value->n_no, b, a, -1);
		break;
	case OP_EQ:
		add(lifter, value->yes, &value->n_yes, a, b, 0);
		add(lifter, value->yes, &value->n_yes, b, a, 0);
		break;
	default:
		break;
	}
}

static void join(struct poly **list, int *n, struct poly *const *from, int n_from)
{
	for (int i = 0; i < n_from && *n < MAX; i++)
		list[(*n)++] = from[i];
}

void known_combine(struct value *value, enum op op, const struct value *left, const struct value *right)
{
	if (op == OP_LAND) {
		join(value->yes, &value->n_yes, left->yes, left->n_yes);
		join(value->yes, &value->n_yes, right->yes, right->n_yes);
	} else {
		join(value->no, &value->n_no, left->no, left->n_no);
		join(value->no, &value->n_no, right->no, right->n_no);
	}
}

void known_negate(struct value *value, const struct value *arg)
{
	join(value->yes, &value->n_yes, arg->no, arg->n_no);
	join(value->no, &value->n_no, arg->yes, arg->n_yes);
}

int known_push(struct lifter *lifter, const struct value *condition, bool holds)
{
	const int before = lifter->n_known, n = holds ? condition->n_yes : condition->n_no;
	struct poly *const *const list = holds ? condition->yes : condition->no;

	for (int i = 0; i < n && lifter->n_known < (int)(sizeof(lifter->known) / sizeof(lifter->known[0])); i++)
		lifter->known[lifter->n_known++] = list[i];
	return before;
}

void known_forget(struct lifter *lifter, int n)
{
	lifter->n_known = n;
}
