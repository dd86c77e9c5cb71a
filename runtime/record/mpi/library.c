/* SPDX-License-Identifier: BSD-3-Clause */
/* library: what a recorder asks of the user's MPI (record/record.h). */
#include "mpi_recorder.h"

#include <string.h>

/* `made`: handles are of what the call has made. */
static int64_t number(void *made, enum record_object o, uint64_t bits)
{
    return recorder_handle(o, bits, *(const bool *)made);
}

static MPI_Comm communicator(uint64_t bits)
{
    MPI_Comm comm;
    memcpy(&comm, &bits, sizeof comm);
    return comm;
}

static bool is_inter(MPI_Comm comm)
{
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    return inter;
}

static int members(MPI_Comm comm)
{
    int n = 0;
    if (is_inter(comm))
        PMPI_Comm_remote_size(comm, &n);
    else
        PMPI_Comm_size(comm, &n);
    return n;
}

static bool is_root(MPI_Comm comm, int64_t root)
{
    int me = 0;
    PMPI_Comm_rank(comm, &me);
    return is_inter(comm) ? root == MPI_ROOT : root == me;
}

static int neighbors(MPI_Comm comm, bool in)
{
    int kind = MPI_UNDEFINED, me = 0, n = 0, sources = 0, destinations = 0, weighted;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &n);
        return 2 * n;
    }
    if (kind == MPI_GRAPH) {
        PMPI_Comm_rank(comm, &me);
        PMPI_Graph_neighbors_count(comm, me, &n);
        return n;
    }
    PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
    return in ? sources : destinations;
}

/* Of how many datatypes one is made. */
static int64_t contents(uint64_t bits)
{
    MPI_Datatype type;
    int combiner;
    memcpy(&type, &bits, sizeof type);
#if RECORDER_MPI >= 40
    MPI_Count integers, addresses, counts, types = 0;
    PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
#else
    int integers, addresses, types = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
    return types;
}

static int64_t measure(void *ctx, enum record_length rule, uint64_t handle, int64_t root)
{
    MPI_Comm comm = communicator(handle);
    int n = 0;
    (void)ctx;
    switch (rule) {
    case RECORD_LENGTH_MEMBERS:
        return members(comm);
    case RECORD_LENGTH_LOCAL:
        PMPI_Comm_size(comm, &n);
        return n;
    case RECORD_LENGTH_AT_ROOT:
        return is_root(comm, root) ? members(comm) : 0;
    case RECORD_LENGTH_INDEGREE:
        return neighbors(comm, true);
    case RECORD_LENGTH_OUTDEGREE:
        return neighbors(comm, false);
    case RECORD_LENGTH_CONTENTS:
        return contents(handle);
    default:
        PMPI_Cartdim_get(comm, &n);
        return n;
    }
}

const struct record_library *recorder_library(void)
{
    static struct record_library l;
    if (!l.number)
        l = (struct record_library){.number = number,
                                    .measure = measure,
                                    .in_place = MPI_IN_PLACE,
                                    .unweighted = MPI_UNWEIGHTED,
                                    .no_weights = MPI_WEIGHTS_EMPTY,
                                    .handle = {[RECORD_COMM] = sizeof(MPI_Comm),
                                               [RECORD_GROUP] = sizeof(MPI_Group),
                                               [RECORD_TYPE] = sizeof(MPI_Datatype),
                                               [RECORD_OP] = sizeof(MPI_Op),
                                               [RECORD_REQUEST] = sizeof(MPI_Request),
                                               [RECORD_MESSAGE] = sizeof(MPI_Message),
                                               [RECORD_ERRHANDLER] = sizeof(MPI_Errhandler),
                                               [RECORD_INFO] = sizeof(MPI_Info),
                                               [RECORD_SESSION] = sizeof(MPI_Info),
                                               [RECORD_WIN] = sizeof(MPI_Win),
                                               [RECORD_FILE] = sizeof(MPI_File)}};
    return &l;
}

/* --- constants ------------------------------------------------------------------------------------------ */

static bool has_constants(const struct record_param *p)
{
    return p->kind == RECORD_NUMBER || p->kind == RECORD_NUMBERS || p->kind == RECORD_ANSWER;
}

static int64_t translated(const char *parameter, int64_t value)
{
    bool bits = !strncmp(parameter, "assert", 6) || !strcmp(parameter, "amode");
    int64_t there = 0;
    for (const struct recorder_constant *c = recorder_constants; c->parameter; c++) {
        if (strcmp(c->parameter, parameter))
            continue;
        if (!bits && c->here == value)
            return c->there;
        if (bits && (value & c->here))
            there |= c->there;
    }
    return bits ? there : value;
}

/* Which parameters have constants, of each function once. */
static uint32_t concerned(const struct record_function *f)
{
    static uint32_t known[RECORD_MPI_FUNCTIONS];
    uint32_t mask = known[f - record_mpi];
    if (mask)
        return mask;
    mask = 1U << 31; /* looked up */
    for (uint32_t k = 0; k < f->n; k++)
        for (const struct recorder_constant *c = recorder_constants; c->parameter; c++)
            if (has_constants(&f->param[k]) && !strcmp(c->parameter, f->param[k].name))
                mask |= 1U << k;
    known[f - record_mpi] = mask;
    return mask;
}

void recorder_translate(const struct record_function *f, struct record_words *w)
{
    struct record_part part[RECORD_PARAMS];
    uint32_t mask = concerned(f) & ~(1U << 31);
    if (!mask || !record_parts(f, w->at, w->n, part))
        return;
    for (uint32_t k = 0; k < f->n; k++)
        for (int64_t i = 0; mask >> k & 1 && part[k].param && i < part[k].n; i++)
            w->at[part[k].at - w->at + i] = translated(f->param[k].name, part[k].at[i]);
}
