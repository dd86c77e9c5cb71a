/* SPDX-License-Identifier: BSD-3-Clause */
/* alias: the names under which the algorithm of a leaf may be listed. */
#include "coll/rules/tree.h"

#include <string.h>

/* MPICH's names say the operation and the kind of group first: "Ibcast_intra_sched_binomial". */
static const char *without_group(const char *name)
{
    static const char *const before[] = {"_intra_", "_inter_", "_allcomm_"};
    for (size_t k = 0; k < BASE_LENGTH(before); k++) {
        const char *at = strstr(name, before[k]);
        if (at)
            return at + strlen(before[k]);
    }
    return name;
}

/* Then comes what builds the schedule, of nonblocking operations. */
static const char *without_engine(const char *name)
{
    static const char *const engine[] = {"sched_", "tsp_"};
    for (size_t k = 0; k < BASE_LENGTH(engine); k++)
        if (!strncmp(name, engine[k], strlen(engine[k])))
            return name + strlen(engine[k]);
    return name;
}

bool coll_leaf_alias(const struct coll_leaf *l, unsigned way, char *buf, size_t size)
{
    enum { WITH_TREE = 2, LENGTHS = 3 };
    const char *group = without_group(l->algorithm), *engine = without_engine(group);
    const char *const name[LENGTHS] = {l->algorithm, group, engine};
    if (way > WITH_TREE * LENGTHS)
        return false;
    bool tree = !(way % WITH_TREE) && l->tree != COLL_TREE_ANY;
    if (way == WITH_TREE * LENGTHS)
        snprintf(buf, size, "%s", engine);
    else
        snprintf(buf, size, "%s:%s%s%s", l->library, name[way / WITH_TREE], tree ? "_" : "",
                 tree ? coll_tree_name(l->tree) : "");
    return true;
}
