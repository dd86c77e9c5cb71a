/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select: the table of algorithms, the settings coll/..., and the automatic choice by operation, size and
 * number of members. The thresholds follow MPICH as published in Thakur, Rabenseifner, Gropp, "Optimization
 * of collective communication operations in MPICH", IJHPCA 19(1), 2005, sections 4 and 5.
 */
#include "coll/select.h"
#include "coll/algorithms.h"

#include <string.h>

#define KIB(n) ((uint64_t)(n)*1024)

static const char scans[] = "the fewest rounds: Hillis, Steele 1986";
static const char all_at_once[] = "one message along each edge, as MPICH and Open MPI do";
static const char thakur[] = "thresholds of Thakur, Rabenseifner, Gropp 2005";
const struct base_setting coll_settings[] = {
    {"coll/barrier", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of barriers and synchronizations", thakur},
    {"coll/broadcast", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of broadcasts", thakur},
    {"coll/collect", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of collects (parts of different sizes)", thakur},
    {"coll/fcollect", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of fcollects (parts of equal size)", thakur},
    {"coll/alltoall", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of all-to-all exchanges", thakur},
    {"coll/reduce", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of reductions to all", thakur},
    {"coll/inscan", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of inclusive scans", scans},
    {"coll/exscan", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of exclusive scans", scans},
    {"coll/gather", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of gathers to one member", thakur},
    {"coll/gatherv", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of gathers of parts of different sizes", thakur},
    {"coll/scatter", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of scatters from one member", thakur},
    {"coll/scatterv", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of scatters of parts of different sizes", thakur},
    {"coll/allgatherv", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of gathers to all of parts of different sizes", thakur},
    {"coll/alltoallv", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of exchanges of parts of different sizes", thakur},
    {"coll/alltoallw", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of exchanges of parts of different layouts", thakur},
    {"coll/reduce-root", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of reductions to one member", thakur},
    {"coll/reduce-scatter", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of reductions that leave a part at each member", thakur},
    {"coll/reduce-scatter-block", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of reductions that leave a part of equal size at each member", thakur},
    {"coll/neighbor-allgather", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of gathers from a member's neighbours", all_at_once},
    {"coll/neighbor-alltoall", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of exchanges with a member's neighbours", all_at_once},
    {"coll/radix", BASE_UINT, "0", "0 to 64",
     "k of algorithms that have one: trees, exchanges, chains (0: each one's own)",
     "UCC 1.3, tl/ucp: 4 in its k-nomial collectives"},
    {"coll/segment", BASE_SIZE, "0B", "0B to 1EiB",
     "bytes of a segment of pipelined algorithms (0: each one's own)",
     "Open MPI 4.1, coll/tuned: 8 to 128 KiB, by the size"},
    {"coll/window", BASE_UINT, "0", "0 to 1048576",
     "messages that a member has outstanding in algorithms that limit them (0: each one's own)",
     "MPICH: 32 in its scattered all-to-all"},
    {"coll/reduce-bandwidth", BASE_BANDWIDTH, "8GBps", BASE_BANDWIDTHS,
     "bytes of operand that a reduction processes per second",
     "assumption: two streams read and one written by one core of a current server"},
    {"coll/leave-folded", BASE_BOOL, "no", NULL,
     "whether broadcasts, fcollects and alltoalls skip copies between folded blocks",
     "SMPI's shared blocks (SMPI paper, section 3.4)"},
};
const size_t coll_settings_count = BASE_LENGTH(coll_settings);

static int unknown(enum coll_op op, const char *name, struct base_status *st)
{
    char known[1024] = "auto";
    size_t n;
    const struct coll_algorithm_info *info = coll_algorithms(&n);
    for (size_t k = 0; k < n; k++)
        if (info[k].op == op)
            snprintf(known + strlen(known), sizeof known - strlen(known), ", %s", info[k].name);
    return base_fail(st, "coll/%s: no algorithm \"%s\"; expected one of %s", coll_op_name(op), name, known);
}

int coll_select_read(struct coll_select *s, const struct base_settings *settings, struct base_status *st)
{
    struct coll_select read;
    for (int op = 0; op < COLL_OPS; op++) {
        char key[32];
        snprintf(key, sizeof key, "coll/%s", coll_op_name((enum coll_op)op));
        const char *name = base_settings_text(settings, key);
        read.chosen[op] = coll_select_find((enum coll_op)op, name);
        if (read.chosen[op] < COLL_AUTO)
            return unknown((enum coll_op)op, name, st);
    }
    read.tuning.radix = (uint32_t)base_settings_count(settings, "coll/radix");
    if (read.tuning.radix == 1)
        return base_fail(st, "coll/radix: 1 is no radix; expected 0 or 2 to 64");
    read.tuning.segment = base_settings_count(settings, "coll/segment");
    read.tuning.window = (uint32_t)base_settings_count(settings, "coll/window");
    read.tuning.choose = coll_select_part;
    read.tuning.leave_folded = base_settings_flag(settings, "coll/leave-folded");
    *s = read;
    return 0;
}

/* --- the automatic choice ----------------------------------------------------------------------- */

static bool power_of_two(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

/* With many members a tree of two-sided messages, of which each member receives and sends few, as UCC does. */
static coll_build_fn barrier(const struct coll_call *c, uint32_t n)
{
    bool two_sided = c->transport && c->transport->ops->post;
    return two_sided && n >= 1024 ? coll_barrier_knomial : coll_barrier_dissemination;
}

static coll_build_fn broadcast(uint64_t bytes, uint32_t n)
{
    bool is_short = n < 8 || bytes < KIB(12) || bytes / n < 64;
    return is_short ? coll_broadcast_binomial : coll_broadcast_scatter_ring;
}

static coll_build_fn fcollect(uint64_t bytes, uint32_t n)
{
    uint64_t total = bytes * n;
    bool is_short = total < KIB(80) || (power_of_two(n) && total < KIB(512));
    return is_short ? coll_fcollect_bruck : coll_fcollect_ring;
}

static coll_build_fn alltoall(uint64_t bytes, uint32_t n)
{
    if (bytes <= 256 && n >= 8)
        return coll_alltoall_bruck;
    return bytes <= KIB(32) ? coll_alltoall_linear : coll_alltoall_pairwise;
}

/* Rabenseifner's halving needs an element for each member; if their number is not a power of two, the ring
 * avoids the fold, which pays when its 2 (n - 1) latencies are short against the data's time. */
static coll_build_fn reduce(const struct coll_call *c, uint32_t n)
{
    if (c->bytes <= KIB(2) || c->bytes / (c->element ? c->element : 1) < n)
        return coll_reduce_recursive_doubling;
    bool rings = !power_of_two(n) && c->bytes / n >= KIB(64) && !c->operator.ordered;
    return rings ? coll_reduce_ring : coll_reduce_rabenseifner;
}

/* All members' parts together, which all of them know. */
static uint64_t all_parts(const struct coll_call *c, uint32_t n)
{
    const struct coll_side *side = c->local ? &c->local->source : NULL;
    if (!side || !side->counts)
        return c->bytes * n;
    uint64_t items = 0;
    for (uint32_t k = 0; k < n; k++)
        items += (uint64_t)(side->wide ? ((const int64_t *)side->counts)[k] : ((const int *)side->counts)[k]);
    return items * (side->layout ? types_layout_size(side->layout) : 1);
}

/* As MPICH does. Halving keeps the order of operands. */
static coll_build_fn reduce_scatter(const struct coll_call *c, uint32_t n)
{
    if (n <= 3)
        return coll_reduce_scatter_linear;
    bool halves = c->operator.ordered || all_parts(c, n) < KIB(512);
    return halves ? coll_reduce_scatter_recursive_halving : coll_reduce_scatter_pairwise;
}

coll_build_fn coll_select_flat(const struct coll_call *c, uint32_t n)
{
    switch (c->op) {
    case COLL_BARRIER:
        return barrier(c, n);
    case COLL_BROADCAST:
        return broadcast(c->bytes, n);
    case COLL_COLLECT: /* the members have no size in common */
        return n <= 8 ? coll_collect_ring : coll_collect_recursive_doubling;
    case COLL_FCOLLECT:
        return fcollect(c->bytes, n);
    case COLL_ALLTOALL:
        return alltoall(c->bytes, n);
    case COLL_INSCAN:
        return coll_inscan_recursive_doubling;
    case COLL_EXSCAN:
        return coll_exscan_recursive_doubling;
    case COLL_GATHER:
        return c->bytes > KIB(32) ? coll_gather_linear : coll_gather_binomial;
    case COLL_GATHERV:
        return coll_gather_linear;
    case COLL_SCATTER:
        return c->bytes > KIB(32) ? coll_scatter_linear : coll_scatter_binomial;
    case COLL_SCATTERV:
        return coll_scatter_linear;
    case COLL_ALLGATHERV: /* the members' sizes differ: nothing that all members know is cheap to find */
        return n <= 32 ? coll_allgatherv_linear : coll_allgatherv_ring;
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
        return coll_alltoallv_linear;
    case COLL_REDUCE_ROOT:
        return n <= 3 ? coll_reduce_root_linear : coll_reduce_root_binomial;
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        return reduce_scatter(c, n);
    case COLL_NEIGHBOR_ALLGATHER:
    case COLL_NEIGHBOR_ALLTOALL:
        return coll_neighbor_linear;
    default:
        return reduce(c, n);
    }
}

/* Two levels take 2 log2 P steps within the host where one has log2 P between hosts, and only one member of
 * each host uses its network card; with long data that is no gain, as the others would share the work.
 * Reductions keep the operands in order of place. */
static coll_build_fn hierarchical(const struct coll_call *c, const struct coll_hosts *hosts,
                                  coll_build_fn one_level)
{
    if (c->op == COLL_BARRIER)
        return coll_barrier_hierarchical;
    if (one_level == coll_broadcast_binomial && c->bytes < KIB(12))
        return coll_broadcast_hierarchical;
    if (one_level == coll_fcollect_bruck && hosts->in_order)
        return coll_fcollect_hierarchical;
    if (one_level == coll_reduce_recursive_doubling && hosts->in_order && c->bytes <= KIB(2))
        return coll_reduce_hierarchical;
    return one_level;
}

static coll_build_fn automatic(const struct coll_call *c, const struct coll_hosts *hosts)
{
    coll_build_fn one_level = coll_select_flat(c, c->group.size);
    return hosts && hosts->worth ? hierarchical(c, hosts, one_level) : one_level;
}

coll_build_fn coll_select_part(const struct coll_schedule *s, enum coll_op op, uint64_t bytes, uint32_t n)
{
    struct coll_call part = *s->call;
    part.op = op;
    part.bytes = bytes;
    part.local = NULL;
    return coll_select_flat(&part, n);
}

/* The user's choice, if the call has what the algorithm requires. */
static coll_build_fn chosen(const struct coll_select *s, const struct coll_call *call,
                            const struct coll_hosts *hosts)
{
    size_t n;
    const struct coll_algorithm_info *info = &coll_algorithms(&n)[s->chosen[call->op]];
    const char *lacks = coll_select_lacks(info->traits, call, hosts);
    coll_build_fn other = lacks ? automatic(call, hosts) : NULL;
    if (BASE_LIKELY(!lacks))
        return coll_algorithm_function((size_t)s->chosen[call->op]);
    base_notice("coll/next-best", "%s: the algorithm \"%s\" requires %s; with %u members \"%s\" runs instead",
                call->name, info->name, lacks, call->group.size, coll_select_name(other));
    return other;
}

/* An all-to-all in one buffer: most algorithms need two. */
static coll_build_fn in_place(const struct coll_select *s, const struct coll_call *call,
                              const struct coll_hosts *hosts)
{
    int k = s->chosen[call->op];
    size_t n;
    bool other = k == COLL_AUTO || coll_select_lacks(coll_algorithms(&n)[k].traits, call, hosts);
    return other ? coll_alltoall_exchange : coll_algorithm_function((size_t)k);
}

coll_build_fn coll_select_algorithm(const struct coll_select *s, const struct coll_call *call,
                                    const struct coll_hosts *hosts)
{
    if (BASE_UNLIKELY(call->in_place && !coll_op_scatters_result(call->op)))
        return in_place(s, call, hosts);
    return s->chosen[call->op] == COLL_AUTO ? automatic(call, hosts) : chosen(s, call, hosts);
}

void coll_select_why(const struct coll_select *s, const struct coll_call *call,
                     const struct coll_hosts *hosts, char *buf, size_t size)
{
    size_t n;
    int k = s->chosen[call->op];
    const char *lacks = k == COLL_AUTO ? NULL : coll_select_lacks(coll_algorithms(&n)[k].traits, call, hosts);
    if (k == COLL_AUTO)
        snprintf(buf, size, "auto");
    else if (lacks)
        snprintf(buf, size, "auto: coll/%s=%s requires %s", coll_op_name(call->op),
                 coll_algorithms(&n)[k].name, lacks);
    else
        snprintf(buf, size, "coll/%s", coll_op_name(call->op));
}

double coll_reduce_cost(const struct base_settings *settings)
{
    return 1 / base_settings_number(settings, "coll/reduce-bandwidth");
}
