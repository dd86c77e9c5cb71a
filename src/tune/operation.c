/* SPDX-License-Identifier: BSD-3-Clause */
/* operation: names of operations, and the list of all algorithms (operation.h). */
#include "tune/operation.h"

#include <string.h>

static const char between_groups[] = "inter_";
#define BETWEEN(op) COLL_OPS + COLL_INTER_##op

/* MPI's names come first; those of OpenSHMEM and of the settings differ. */
static const struct {
    const char *name;
    int op;
} names[] = {
    {"barrier", COLL_BARRIER},
    {"bcast", COLL_BROADCAST},
    {"collect", COLL_COLLECT},
    {"allgather", COLL_FCOLLECT},
    {"alltoall", COLL_ALLTOALL},
    {"allreduce", COLL_REDUCE},
    {"scan", COLL_INSCAN},
    {"exscan", COLL_EXSCAN},
    {"gather", COLL_GATHER},
    {"gatherv", COLL_GATHERV},
    {"scatter", COLL_SCATTER},
    {"scatterv", COLL_SCATTERV},
    {"allgatherv", COLL_ALLGATHERV},
    {"alltoallv", COLL_ALLTOALLV},
    {"alltoallw", COLL_ALLTOALLW},
    {"reduce", COLL_REDUCE_ROOT},
    {"reduce_scatter", COLL_REDUCE_SCATTER},
    {"neighbor_allgather", COLL_NEIGHBOR_ALLGATHER},
    {"neighbor_alltoall", COLL_NEIGHBOR_ALLTOALL},
    {"reduce_scatter_block", COLL_REDUCE_SCATTER_BLOCK},
    {"inter_barrier", BETWEEN(BARRIER)},
    {"inter_bcast", BETWEEN(BROADCAST)},
    {"inter_gather", BETWEEN(GATHER)},
    {"inter_gatherv", BETWEEN(GATHERV)},
    {"inter_scatter", BETWEEN(SCATTER)},
    {"inter_scatterv", BETWEEN(SCATTERV)},
    {"inter_allgather", BETWEEN(ALLGATHER)},
    {"inter_allgatherv", BETWEEN(ALLGATHERV)},
    {"inter_alltoall", BETWEEN(ALLTOALL)},
    {"inter_alltoallv", BETWEEN(ALLTOALLV)},
    {"inter_alltoallw", BETWEEN(ALLTOALLW)},
    {"inter_reduce", BETWEEN(REDUCE)},
    {"inter_allreduce", BETWEEN(ALLREDUCE)},
    {"inter_reduce_scatter", BETWEEN(REDUCE_SCATTER)},
    {"inter_reduce_scatter_block", BETWEEN(REDUCE_SCATTER_BLOCK)},
    {"broadcast", COLL_BROADCAST},
    {"fcollect", COLL_FCOLLECT},
    {"inscan", COLL_INSCAN},
    {"reduce-scatter", COLL_REDUCE_SCATTER},
    {"reduce-scatter-block", COLL_REDUCE_SCATTER_BLOCK},
    {"reduce-root", COLL_REDUCE_ROOT},
    {"neighbor-allgather", COLL_NEIGHBOR_ALLGATHER},
    {"neighbor-alltoall", COLL_NEIGHBOR_ALLTOALL},
};

enum { LISTED = COLL_OPS + COLL_INTER_OPS };

const char *tune_op_name(enum coll_op op)
{
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (names[k].op == (int)op)
            return names[k].name;
    return coll_op_name(op);
}

const char *tune_op_section(enum coll_op op)
{
    return tune_op_name(op) + (tune_op_is_between(op) ? strlen(between_groups) : 0);
}

const char *tune_op_listed(size_t k)
{
    return k < LISTED ? names[k].name : NULL;
}

enum coll_op tune_op_find(const char *name, size_t length)
{
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (strlen(names[k].name) == length && !strncmp(names[k].name, name, length))
            return (enum coll_op)names[k].op;
    return (enum coll_op)TUNE_OPS;
}

const char *tune_op_key(enum coll_op op)
{
    static char key[COLL_INTER_OPS][40];
    if (!tune_op_is_between(op))
        return coll_op_name(op);
    char *of = key[tune_op_inter(op)];
    snprintf(of, sizeof key[0], "inter-%s", coll_inter_op_name(tune_op_inter(op)));
    return of;
}

bool tune_op_has_graph(enum coll_op op)
{
    return op == COLL_NEIGHBOR_ALLGATHER || op == COLL_NEIGHBOR_ALLTOALL;
}

bool tune_op_is_tried(enum coll_op op)
{
    return (unsigned)op < TUNE_OPS;
}

const struct coll_algorithm_info *tune_algorithms(size_t *n)
{
    static struct coll_algorithm_info *all;
    size_t own;
    const struct coll_algorithm_info *a = coll_algorithms(&own);
    *n = own + COLL_INTER_KEYS;
    if (all)
        return all;
    all = base_zalloc(*n * sizeof *all, "algorithms");
    memcpy(all, a, own * sizeof *all);
    for (size_t k = 0; k < COLL_INTER_KEYS; k++) {
        const struct coll_inter_info *info = &coll_inter_algorithms[k];
        all[own + k] = (struct coll_algorithm_info){.op = tune_op_between(info->op),
                                                    .name = info->name,
                                                    .aliases = info->aliases,
                                                    .source = info->source,
                                                    .good_for = info->good_for};
    }
    return all;
}
