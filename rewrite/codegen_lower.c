#include "codegen_internal.h"

void lower_copies(struct codegen *cg) { (void)cg; }
void lower_tiles(struct codegen *cg) { (void)cg; }
void lower_registers(struct codegen *cg) { (void)cg; }
static bool plain(struct node *node, void *context) { (void)context; if (node->kind == NODE_LOOP && node->marks.vector) node->marks.vector = 1; return true; }
void lower_loops(struct codegen *cg) { list_walk(&cg->nest->body, plain, NULL); }
bool expr_varies(const struct codegen *cg, struct expr *expr) { (void)cg; (void)expr; return false; }
void lane_enter(struct codegen *cg, const struct node *loop) { (void)cg; (void)loop; }
void lane_leave(struct codegen *cg) { (void)cg; }
void lane_statement_write(struct codegen *cg, const struct node *stmt) { (void)cg; (void)stmt; }
void vector_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence) { (void)cg; (void)text; (void)expr; (void)precedence; }
int vector_local_lanes(const struct codegen *cg, const struct var *var) { (void)cg; (void)var; return 0; }
