/* A tree of files that is too deep to be read to its end. */
#if __INCLUDE_LEVEL__ < 150
#include "hostile_tree.h"
#include "hostile_tree.h"
#endif
