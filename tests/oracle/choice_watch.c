/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into a rank of a real MPI library, tells on stderr which of its functions carry out a collective.
 *
 *  Open MPI: its component "tuned" calls an algorithm of libmpi by name. Each such call is a line
 *            "algorithm NAME SEGMENT-SIZE AND OTHER PARAMETERS..."; those made within another are not told.
 *  MPICH:    an algorithm has no name that can be seen, but its function has a place in the library. Each
 *            message that it hands to UCX is a line "message F1 F2 ...": the places of the functions that are
 *            being called.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rank WATCHED_RANK tells. */
static int speaks(void)
{
    static int known, yes;
    if (!known) {
        const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *watched = getenv("WATCHED_RANK");
        rank = rank ? rank : getenv("PMI_RANK");
        yes = rank && watched && !strcmp(rank, watched);
        known = 1;
    }
    return yes;
}

/* --- Open MPI ------------------------------------------------------------------------------------------- */

typedef long (*algorithm_fn)(long, long, long, long, long, long, long, long, long, long, long, long);
static int depth;

/* All arguments are integers or pointers: twelve are passed on, of which `n` are the algorithm's, and those
 * from `from` on its parameters. */
#define ALGORITHM(name, from, n)                                                                             \
    long ompi_coll_base_##name(long a, long b, long c, long d, long e, long f, long g, long h, long i,       \
                               long j, long k, long l)                                                       \
    {                                                                                                        \
        static algorithm_fn next;                                                                            \
        long all[] = {a, b, c, d, e, f, g, h, i, j, k, l};                                                   \
        if (!next)                                                                                           \
            next = (algorithm_fn)dlsym(RTLD_NEXT, "ompi_coll_base_" #name);                                  \
        if (!depth++ && speaks()) {                                                                          \
            fprintf(stderr, "algorithm " #name);                                                             \
            for (int p = from; p < n; p++)                                                                   \
                fprintf(stderr, " %d", (int)all[p]);                                                         \
            fputc('\n', stderr);                                                                             \
        }                                                                                                    \
        long result = next(a, b, c, d, e, f, g, h, i, j, k, l);                                              \
        depth--;                                                                                             \
        return result;                                                                                       \
    }

ALGORITHM(allgather_intra_basic_linear, 8, 8)
ALGORITHM(allgather_intra_bruck, 8, 8)
ALGORITHM(allgather_intra_neighborexchange, 8, 8)
ALGORITHM(allgather_intra_recursivedoubling, 8, 8)
ALGORITHM(allgather_intra_ring, 8, 8)
ALGORITHM(allgather_intra_two_procs, 8, 8)
ALGORITHM(allgatherv_intra_basic_default, 9, 9)
ALGORITHM(allgatherv_intra_bruck, 9, 9)
ALGORITHM(allgatherv_intra_neighborexchange, 9, 9)
ALGORITHM(allgatherv_intra_ring, 9, 9)
ALGORITHM(allgatherv_intra_two_procs, 9, 9)
ALGORITHM(allreduce_intra_basic_linear, 7, 7)
ALGORITHM(allreduce_intra_nonoverlapping, 7, 7)
ALGORITHM(allreduce_intra_recursivedoubling, 7, 7)
ALGORITHM(allreduce_intra_redscat_allgather, 7, 7)
ALGORITHM(allreduce_intra_ring, 7, 7)
ALGORITHM(allreduce_intra_ring_segmented, 7, 8)
ALGORITHM(alltoall_intra_basic_linear, 8, 8)
ALGORITHM(alltoall_intra_bruck, 8, 8)
ALGORITHM(alltoall_intra_linear_sync, 8, 9)
ALGORITHM(alltoall_intra_pairwise, 8, 8)
ALGORITHM(alltoall_intra_two_procs, 8, 8)
ALGORITHM(alltoallv_intra_basic_linear, 10, 10)
ALGORITHM(alltoallv_intra_pairwise, 10, 10)
ALGORITHM(barrier_intra_basic_linear, 2, 2)
ALGORITHM(barrier_intra_bruck, 2, 2)
ALGORITHM(barrier_intra_doublering, 2, 2)
ALGORITHM(barrier_intra_recursivedoubling, 2, 2)
ALGORITHM(barrier_intra_tree, 2, 2)
ALGORITHM(barrier_intra_two_procs, 2, 2)
ALGORITHM(bcast_intra_basic_linear, 6, 6)
ALGORITHM(bcast_intra_binomial, 6, 7)
ALGORITHM(bcast_intra_bintree, 6, 7)
ALGORITHM(bcast_intra_chain, 6, 8)
ALGORITHM(bcast_intra_knomial, 6, 8)
ALGORITHM(bcast_intra_pipeline, 6, 7)
ALGORITHM(bcast_intra_scatter_allgather, 6, 7)
ALGORITHM(bcast_intra_scatter_allgather_ring, 6, 7)
ALGORITHM(bcast_intra_split_bintree, 6, 7)
ALGORITHM(gather_intra_basic_linear, 9, 9)
ALGORITHM(gather_intra_binomial, 9, 9)
ALGORITHM(gather_intra_linear_sync, 9, 10)
ALGORITHM(reduce_intra_basic_linear, 8, 8)
ALGORITHM(reduce_intra_binary, 8, 10)
ALGORITHM(reduce_intra_binomial, 8, 10)
ALGORITHM(reduce_intra_chain, 8, 11)
ALGORITHM(reduce_intra_in_order_binary, 8, 10)
ALGORITHM(reduce_intra_pipeline, 8, 10)
ALGORITHM(reduce_intra_redscat_gather, 8, 8)
ALGORITHM(reduce_scatter_intra_basic_recursivehalving, 7, 7)
ALGORITHM(reduce_scatter_intra_butterfly, 7, 7)
ALGORITHM(reduce_scatter_intra_nonoverlapping, 7, 7)
ALGORITHM(reduce_scatter_intra_ring, 7, 7)
ALGORITHM(scatter_intra_basic_linear, 9, 9)
ALGORITHM(scatter_intra_binomial, 9, 9)
ALGORITHM(scatter_intra_linear_nb, 9, 10)

/* --- MPICH ---------------------------------------------------------------------------------------------- */

void *_Unwind_FindEnclosingFunction(void *pc);

static void tell_callers(void)
{
    void *at[64];
    Dl_info info;
    int n = backtrace(at, 64);
    fprintf(stderr, "message");
    for (int k = 2; k < n; k++)
        if (dladdr(at[k], &info) && info.dli_fname && strstr(info.dli_fname, "libmpich.so")) {
            char *f = _Unwind_FindEnclosingFunction((char *)at[k] - 1);
            fprintf(stderr, " %lx", (unsigned long)(f - (char *)info.dli_fbase));
        }
    fputc('\n', stderr);
}

void *ucp_tag_send_nbx(void *ep, const void *buffer, size_t count, uint64_t tag, const void *param)
{
    static void *(*next)(void *, const void *, size_t, uint64_t, const void *);
    if (!next)
        next = (void *(*)(void *, const void *, size_t, uint64_t, const void *))dlsym(RTLD_NEXT,
                                                                                      "ucp_tag_send_nbx");
    if (speaks())
        tell_callers();
    return next(ep, buffer, count, tag, param);
}
