/* SPDX-License-Identifier: BSD-3-Clause */
/* names: of operations, facts, flags, topologies and trees, as the text form and its reports write them. */
#include "coll/rules/tree.h"

#include <string.h>

static const char *const op_name[COLL_RULES_OPS] = {"barrier",
                                                    "bcast",
                                                    "gather",
                                                    "gatherv",
                                                    "scatter",
                                                    "scatterv",
                                                    "allgather",
                                                    "allgatherv",
                                                    "alltoall",
                                                    "alltoallv",
                                                    "alltoallw",
                                                    "reduce",
                                                    "allreduce",
                                                    "reduce_scatter",
                                                    "reduce_scatter_block",
                                                    "scan",
                                                    "exscan",
                                                    "neighbor_allgather",
                                                    "neighbor_allgatherv",
                                                    "neighbor_alltoall",
                                                    "neighbor_alltoallv",
                                                    "neighbor_alltoallw",
                                                    "collect"};
static const char *const flag_name[COLL_IS_FLAGS] = {
    "inter",       "nonblocking", "persistent", "commutative", "builtin-op", "in-place",  "regular",
    "consecutive", "uniform",     "inner",      "derived",     "near",       "two-sided", "threaded",
    "blocking",    "pow2",        "even",       "single-node", "disjoint",   "shared",    "blocks"};
static const char *const fact_name[] = {"ranks", "nodes", "per-node", "part",   "total",      "largest",
                                        "pipe",  "burst", "count",    "degree", "dimensions", "topology"};
static const char *const topology_name[COLL_TOPOLOGIES] = {"unknown",   "star", "fat-tree", "torus",
                                                           "dragonfly", "mesh", "hierarchy"};
static const char *const tree_name[COLL_TREES] = {"any",       "kary",           "knomial_1",
                                                  "knomial_2", "topology_aware", "topology_wave"};
const char coll_topology_expected[] = "unknown, star, fat-tree, torus, dragonfly, mesh or hierarchy";
const char *const coll_compare_sign[COLL_COMPARES] = {"<", "<=", "=", ">=", ">"};

static unsigned find(const char *const *list, unsigned n, const char *name)
{
    for (unsigned k = 0; k < n; k++)
        if (!strcmp(list[k], name))
            return k;
    return n;
}

const char *coll_rules_op_name(enum coll_rules_op op)
{
    return (unsigned)op < COLL_RULES_OPS ? op_name[op] : "?";
}

enum coll_rules_op coll_rules_op_find(const char *name)
{
    return (enum coll_rules_op)find(op_name, COLL_RULES_OPS, name);
}

const char *coll_flag_name(enum coll_point_flag f)
{
    return flag_name[f];
}

enum coll_point_flag coll_flag_find(const char *name)
{
    return (enum coll_point_flag)find(flag_name, COLL_IS_FLAGS, name);
}

const char *coll_fact_name(enum coll_fact f)
{
    return fact_name[f];
}

enum coll_fact coll_fact_find(const char *name)
{
    return (enum coll_fact)find(fact_name, COLL_FACT_FLAG, name);
}

const char *coll_topology_name(enum coll_topology t)
{
    return topology_name[t];
}

enum coll_topology coll_topology_find(const char *name)
{
    return (enum coll_topology)find(topology_name, COLL_TOPOLOGIES, name);
}

enum coll_topology coll_topology_of_routing(const char *routing)
{
    static const char *const zone[COLL_TOPOLOGIES] = {"",
                                                      [COLL_TOPOLOGY_STAR] = "Cluster",
                                                      [COLL_TOPOLOGY_FAT_TREE] = "FatTree",
                                                      [COLL_TOPOLOGY_TORUS] = "Torus",
                                                      [COLL_TOPOLOGY_DRAGONFLY] = "Dragonfly",
                                                      [COLL_TOPOLOGY_MESH] = "Mesh",
                                                      [COLL_TOPOLOGY_HIERARCHY] = ""};
    unsigned k = find(zone, COLL_TOPOLOGIES, routing);
    return k < COLL_TOPOLOGIES ? (enum coll_topology)k : COLL_TOPOLOGY_UNKNOWN;
}

const char *coll_tree_name(enum coll_tree t)
{
    return tree_name[t];
}

enum coll_tree coll_tree_find(const char *name)
{
    return (enum coll_tree)find(tree_name, COLL_TREES, name);
}
