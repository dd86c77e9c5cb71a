/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * automatic: what SMPI's selector `automatic` tries for an operation, in its order: SMPI's algorithms, and what its
 * other selectors choose. Who carries the trials out is the front end's business.
 *
 * Invariant
 *  C20 Each word of a list is an alias of an algorithm of the operation, or one of the selectors.
 */
#include "coll/job.h"

#include <string.h>

/* By SMPI's names, separated by spaces. SMPI's own throws unless the members are a power of two ("^"), make a grid of
 * two dimensions ("=") or of three ("%"). NULL: SMPI has no choice for the operation. */
static const char *const lists[COLL_OPS] = {
    [COLL_GATHER] =
        "ompi ompi_basic_linear ompi_binomial ompi_linear_sync mpich mvapich2 mvapich2_two_level impi",
    [COLL_FCOLLECT] =
        "2dmesh= 3dmesh% bruck GB loosely_lr NTSLR NTSLR_NB pair^ rdb rhv^ ring SMP_NTS smp_simple "
        "spreading_simple "
        "ompi ompi_neighborexchange mvapich2 mvapich2_smp mpich impi",
    [COLL_ALLGATHERV] =
        "GB pair^ ring ompi ompi_neighborexchange ompi_bruck mpich mpich_rdb mpich_ring mvapich2 impi",
    [COLL_REDUCE] =
        "lr rab1^ rab2 rab_rdb rdb smp_binomial smp_binomial_pipeline smp_rdb smp_rsag smp_rsag_lr "
        "smp_rsag_rab^ "
        "redbcast ompi ompi_ring_segmented mpich mvapich2 mvapich2_rs mvapich2_two_level impi rab",
    [COLL_REDUCE_SCATTER] =
        "ompi ompi_basic_recursivehalving ompi_ring ompi_butterfly mpich mpich_pair mpich_rdb "
        "mpich_noncomm mvapich2 impi",
    [COLL_SCATTER] = "ompi ompi_basic_linear ompi_linear_nb ompi_binomial mpich mvapich2 "
                     "mvapich2_two_level_binomial mvapich2_two_level_direct impi",
    [COLL_BARRIER] = "ompi ompi_basic_linear ompi_two_procs ompi_tree ompi_bruck ompi_recursivedoubling "
                     "ompi_doublering mpich_smp mpich mvapich2_pair mvapich2 impi",
    [COLL_ALLTOALL] = "2dmesh 3dmesh basic_linear bruck pair pair_rma pair_light_barrier pair_mpi_barrier "
                      "pair_one_barrier rdb "
                      "ring ring_light_barrier ring_mpi_barrier ring_one_barrier mvapich2 "
                      "mvapich2_scatter_dest ompi mpich impi",
    [COLL_ALLTOALLV] = "bruck pair pair_light_barrier pair_mpi_barrier pair_one_barrier ring "
                       "ring_light_barrier ring_mpi_barrier "
                       "ring_one_barrier ompi mpich ompi_basic_linear mvapich2 impi",
    [COLL_BROADCAST] =
        "arrival_pattern_aware arrival_pattern_aware_wait arrival_scatter binomial_tree flattree "
        "flattree_pipeline NTSB NTSL NTSL_Isend scatter_LR_allgather scatter_rdb_allgather SMP_binary "
        "SMP_binomial SMP_linear ompi ompi_split_bintree ompi_pipeline mpich mvapich2 mvapich2_inter_node "
        "mvapich2_intra_node mvapich2_knomial_intra_node impi",
    [COLL_REDUCE_ROOT] =
        "arrival_pattern_aware binomial flat_tree NTSL scatter_gather ompi ompi_chain ompi_pipeline "
        "ompi_basic_linear ompi_in_order_binary ompi_binary ompi_binomial mpich mvapich2 mvapich2_knomial "
        "mvapich2_two_level impi rab",
};

static const struct {
    const char *name, *use;
} selectors[] = {{"ompi", COLL_TRIAL_USE "smpi-ompi"},
                 {"mpich", COLL_TRIAL_USE "smpi-mpich"},
                 {"mvapich2", COLL_TRIAL_USE "mvapich2"},
                 {"impi", COLL_TRIAL_USE "impi"}};

bool coll_automatic_has(enum coll_op op)
{
    return lists[op] != NULL;
}

bool coll_is_automatic(const struct rank_job *job, enum coll_op op)
{
    return coll_job_of(job)->exec.select.automatic[op];
}

/* As SMPI looks for the sides of a grid: from the root of n up, one side, or two equal ones, that divide it. */
static bool is_grid(uint32_t n, bool three)
{
    uint32_t side = 1;
    while (three ? (uint64_t)(side + 1) * (side + 1) * (side + 1) <= n
                 : (uint64_t)(side + 1) * (side + 1) <= n)
        side++;
    for (; side <= n / (three ? 3 : 2); side++)
        if (n % (three ? (uint64_t)side * side : side) == 0)
            return true;
    return false;
}

static bool throws(char need, uint32_t n)
{
    switch (need) {
    case '^':
        return (n & (n - 1)) != 0;
    case '=':
    case '%':
        return !is_grid(n, need == '%');
    default:
        return false;
    }
}

/* The k-th word of the list, and what follows it. */
static bool word(const char *list, uint32_t k, char *buf, size_t size, char *need)
{
    while (list && k--)
        list = (list = strchr(list, ' ')) ? list + 1 : NULL;
    if (!list)
        return false;
    size_t length = strcspn(list, " ^=%");
    snprintf(buf, size, "smpi:%.*s", (int)length, list);
    *need = list[length];
    return true;
}

bool coll_trial(const struct rank_job *job, const struct coll_call *call, uint32_t k, struct coll_trial *out)
{
    struct coll_exec *x = &coll_job_of(job)->exec;
    size_t n;
    char need;
    if (!word(lists[call->op], k, out->name, sizeof out->name, &need))
        return false;
    out->algorithm = NULL;
    if (throws(need, call->group.size))
        return true;
    for (size_t s = 0; s < BASE_LENGTH(selectors); s++)
        if (!strcmp(out->name + strlen("smpi:"), selectors[s].name))
            out->algorithm = selectors[s].use;
    if (out->algorithm)
        return true;
    int found = coll_select_find(call->op, out->name);
    BASE_ASSERT("C20", found >= 0);
    const struct coll_algorithm_info *info = &coll_algorithms(&n)[found];
    const struct coll_hosts *hosts = coll_group_hosts(coll_group_find(x, NULL, call));
    if (!coll_select_lacks(info->traits, call, hosts))
        out->algorithm = info->name;
    return true;
}
