#include "roles.h"

#include <stddef.h>

const struct access_shape *roles_shared_load(const struct band *band, int row, int column)
{
	for (int a = 0; a < band->stmt->n_access; a++) {
		const struct access_shape *access = &band->stmt->access[a];
		if (!access->is_write && access->stride[row] == 0 && access->stride[column] != 0)
			return access;
	}
	return NULL;
}

/* Whether rows of a tile share what moves along "column", and columns what moves along "row". */
static bool is_row(const struct band *band, int row, int column)
{
	return row != column && !band->loop[row].reduces && band->loop[row].trip >= 2 && roles_shared_load(band, row, column) &&
	       roles_shared_load(band, column, row);
}

static bool add_packed(struct roles *roles, const struct var *var)
{
	for (int i = 0; i < roles->n_packed; i++)
		if (roles->packed[i] == var)
			return true;
	if (roles->n_packed == ROLES_PACKED)
		return false;
	roles->packed[roles->n_packed++] = var;
	return true;
}

/* Collect the arrays that keep "column" from being unit; false when they are not only read. */
static bool find_packed(const struct band *band, int column, struct roles *roles)
{
	roles->n_packed = 0;
	for (int a = 0; a < band->stmt->n_access; a++) {
		const struct access_shape *access = &band->stmt->access[a];
		int64_t stride = access->stride[column];
		if (stride == 0 || stride == 1)
			continue;
		if (access->is_write || stride == STRIDE_UNKNOWN || !add_packed(roles, access->ref->var))
			return false;
	}
	return roles->n_packed > 0;
}

/* The outermost loop that may be a row or a column: of those that nest perfectly, unless the sum is a local, which goes
 * where its loops go. */
static int outermost_role(const struct band *band)
{
	return band->stmt->private_depth > 0 ? 0 : band->first;
}

/* The deepest loop whose lanes make whole vectors; when there is none, the deepest that would if one array were packed and
 * that has rows to amortise the packing. */
static bool find_column(const struct band *band, struct roles *roles)
{
	int outermost = outermost_role(band);
	for (int d = band->n - 1; d >= outermost; d--)
		if (!band->loop[d].reduces && band->loop[d].is_unit && band->loop[d].trip >= band->lanes) {
			roles->column = d;
			return true;
		}
	for (int d = band->n - 1; d >= outermost; d--)
		if (!band->loop[d].reduces && band->loop[d].is_store_unit && band->loop[d].trip >= band->lanes &&
		    find_packed(band, d, roles)) {
			roles->column = d;
			return true;
		}
	return false;
}

/* The loop with the most reuse and iterations to be rows. */
static int find_row(const struct band *band, int column)
{
	int best = -1;
	for (int d = band->n - 1; d >= outermost_role(band); d--)
		if (is_row(band, d, column) && (best < 0 || band->loop[d].reuse > band->loop[best].reuse))
			best = d;
	return best;
}

bool roles_find(const struct band *band, struct roles *roles)
{
	*roles = (struct roles){ .row = -1 };
	for (int d = band->first; d < band->n; d++)
		if (band->loop[d].reduces && band->loop[d].trip > 1)
			roles->reduction[roles->n_reduction++] = d;
	if (!band->stmt->accumulates || roles->n_reduction == 0 || !find_column(band, roles))
		return false;
	roles->row = find_row(band, roles->column);
	return roles->row >= 0 || roles->n_packed == 0;
}
