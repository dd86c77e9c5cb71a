/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded: what recorders of calls ask of this library, and to whom the words go. */
#include "mpi/recorded/recorded.h"

#include "mpi/comm/comm.h"
#include "mpi/file/file.h"
#include "mpi/recorded/parts.h"

#include <string.h>

bool mpi_recording;
static mpi_record_fn listener;
static void *listens;

/* What a call that failed, or gave nothing, has left is no handle of its kind. */
static int64_t number_of(void *ctx, enum record_object o, uint64_t handle)
{
#define NULL_OF(handle) (int64_t)(uintptr_t)(handle)
    static const struct {
        enum mpi_kind kind;
        int64_t null;
    } kinds[RECORD_OBJECTS] = {
        [RECORD_COMM] = {MPI_KIND_COMM, NULL_OF(MPI_COMM_NULL)},
        [RECORD_GROUP] = {MPI_KIND_GROUP, NULL_OF(MPI_GROUP_NULL)},
        [RECORD_TYPE] = {MPI_KIND_TYPE, NULL_OF(MPI_DATATYPE_NULL)},
        [RECORD_OP] = {MPI_KIND_OP, NULL_OF(MPI_OP_NULL)},
        [RECORD_REQUEST] = {MPI_KIND_REQUEST, NULL_OF(MPI_REQUEST_NULL)},
        [RECORD_MESSAGE] = {MPI_KIND_MESSAGE, NULL_OF(MPI_MESSAGE_NULL)},
        [RECORD_ERRHANDLER] = {MPI_KIND_ERRHANDLER, NULL_OF(MPI_ERRHANDLER_NULL)},
        [RECORD_INFO] = {MPI_KIND_INFO, NULL_OF(MPI_INFO_NULL)},
        [RECORD_SESSION] = {MPI_KIND_SESSION, NULL_OF(MPI_SESSION_NULL)},
        [RECORD_WIN] = {MPI_KIND_WIN, NULL_OF(MPI_WIN_NULL)},
        [RECORD_FILE] = {MPI_KIND_FILE, NULL_OF(MPI_FILE_NULL)},
    };
#undef NULL_OF
    (void)ctx;
    if (handle < RECORD_MADE && record_name_of(o, (int64_t)handle))
        return (int64_t)handle;
    if (handle > UINT32_MAX || mpi_handle_kind((uint32_t)handle) != kinds[o].kind)
        return kinds[o].null;
    return RECORD_MADE + (int64_t)(handle & (MPI_PLACES - 1));
}

/* Members of a communicator, or of its remote group. */
static int members(struct mpi_call *c, MPI_Comm comm)
{
    int inter = 0, n = 0;
    mpi_comm_test_inter(c, comm, &inter);
    if (inter)
        mpi_comm_remote_size(c, comm, &n);
    else
        mpi_comm_size(c, comm, &n);
    return n;
}

static bool is_root(struct mpi_call *c, MPI_Comm comm, int64_t root)
{
    int inter = 0, me = 0;
    mpi_comm_test_inter(c, comm, &inter);
    mpi_comm_rank(c, comm, &me);
    return inter ? root == MPI_ROOT : root == me;
}

static int dimensions(struct mpi_call *c, MPI_Comm comm)
{
    int n = 0;
    mpi_cartdim_get(c, comm, &n);
    return n;
}

static int neighbors(struct mpi_call *c, MPI_Comm comm, bool in)
{
    int kind = MPI_UNDEFINED, n = 0, sources = 0, destinations = 0, weighted, me = 0;
    mpi_topo_test(c, comm, &kind);
    if (kind == MPI_CART)
        return 2 * dimensions(c, comm);
    if (kind == MPI_GRAPH) {
        mpi_comm_rank(c, comm, &me);
        mpi_graph_neighbors_count(c, comm, me, &n);
        return n;
    }
    mpi_dist_graph_neighbors_count(c, comm, &sources, &destinations, &weighted);
    return in ? sources : destinations;
}

static int64_t contents(struct mpi_call *c, MPI_Datatype type)
{
    MPI_Count integers, addresses, counts, types = 0;
    int combiner;
    mpi_type_get_envelope_c(c, type, &integers, &addresses, &counts, &types, &combiner);
    return types;
}

static int64_t measure(void *ctx, enum record_length rule, uint64_t handle, int64_t root)
{
    struct mpi_call *c = ctx;
    MPI_Comm comm = MPI_HANDLE(MPI_Comm, handle);
    switch (rule) {
    case RECORD_LENGTH_MEMBERS:
        return members(c, comm);
    case RECORD_LENGTH_LOCAL: {
        int n = 0;
        mpi_comm_size(c, comm, &n);
        return n;
    }
    case RECORD_LENGTH_AT_ROOT:
        return is_root(c, comm, root) ? members(c, comm) : 0;
    case RECORD_LENGTH_INDEGREE:
        return neighbors(c, comm, true);
    case RECORD_LENGTH_OUTDEGREE:
        return neighbors(c, comm, false);
    case RECORD_LENGTH_CONTENTS:
        return contents(c, MPI_HANDLE(MPI_Datatype, handle));
    default:
        return dimensions(c, comm);
    }
}

static const struct record_library *library(void)
{
    static struct record_library l;
    if (!l.number) {
        l = (struct record_library){.number = number_of,
                                    .measure = measure,
                                    .in_place = MPI_IN_PLACE,
                                    .unweighted = MPI_UNWEIGHTED,
                                    .no_weights = MPI_WEIGHTS_EMPTY};
        for (int k = 0; k < RECORD_OBJECTS; k++)
            l.handle[k] = sizeof(MPI_Comm);
    }
    return &l;
}

void mpi_record_before(struct mpi_call *c, struct record_words *w, uint32_t function,
                       const struct record_value *v)
{
    record_before(w, &record_mpi[function], v, library(), c);
}

/* It may have received what it then fails with. */
static bool receives(const struct record_function *f)
{
    return f->n && f->param[f->n - 1].kind == RECORD_STATUS;
}

/* Why it failed may not be there in a replay: a function of the program, a full disk. So that it fails there, too. */
static void refuse_count(struct record_words *w, const struct record_function *f)
{
    struct record_part part[RECORD_PARAMS];
    if (!record_parts(f, w->at, w->n, part))
        return;
    for (uint32_t k = 0; k < f->n; k++)
        if (part[k].param && !strcmp(part[k].param->name, "count"))
            w->at[part[k].at - w->at] = -1;
}

void mpi_record_after(struct mpi_call *c, struct record_words *w, uint32_t function,
                      const struct record_value *v, int error)
{
    if (c->empty)
        refuse_count(w, &record_mpi[function]);
    if (error == MPI_SUCCESS || c->effect ||
        ((error == MPI_ERR_TRUNCATE || error == MPI_ERR_IN_STATUS) && receives(&record_mpi[function]))) {
        record_after(w, &record_mpi[function], v, library(), c);
        listener(listens, c->rank, function, w);
    }
    record_words_release(w);
}

static void tell(struct mpi_call *c, uint32_t function, int64_t *words, size_t n)
{
    const struct record_words w = {.at = words, .n = n};
    listener(listens, c->rank, function, &w);
}

void mpi_record_type(struct mpi_call *c, MPI_Datatype made, int64_t count, MPI_Datatype of)
{
    int64_t word = number_of(c, RECORD_TYPE, (uintptr_t)made),
            items[] = {count, number_of(c, RECORD_TYPE, (uintptr_t)of), word};
    tell(c, RECORD_MPI_TYPE_CONTIGUOUS, items, BASE_LENGTH(items));
    tell(c, RECORD_MPI_TYPE_COMMIT, &word, 1);
}

void mpi_record_type_end(struct mpi_call *c, MPI_Datatype made)
{
    int64_t word = number_of(c, RECORD_TYPE, (uintptr_t)made);
    tell(c, RECORD_MPI_TYPE_FREE, &word, 1);
}

static void tell_extent(struct mpi_call *c, const char *representation, MPI_Datatype type, int64_t bytes)
{
    struct record_words w = {0};
    record_push_text(&w, representation);
    record_push(&w, number_of(c, RECORD_TYPE, (uintptr_t)type));
    record_push(&w, bytes);
    listener(listens, c->rank, RECORD_POSIX_EXTENT, &w);
    record_words_release(&w);
}

void mpi_record(mpi_record_fn fn, void *arg)
{
    mpi_file_tell_extents(fn ? tell_extent : NULL);
    mpi_recording = fn != NULL;
    listener = fn;
    listens = arg;
}

int mpi_play(uint32_t function, const struct record_value *v)
{
    return mpi_players[function](v);
}

bool mpi_play_extent(struct rank *r, const char *representation, int64_t type, int64_t bytes)
{
    return mpi_file_play_extent(mpi_rank_of(r), representation, MPI_HANDLE(MPI_Datatype, type), bytes);
}

int64_t mpi_played_length(const struct record_param *p, uint64_t handle, int64_t root)
{
    struct mpi_call c = {.self = mpi_rank_of(rank_current), .rank = rank_current, .name = "MPI_Comm_size"};
    const struct mpi_comm *of = c.self->open ? mpi_comm_find(c.self, MPI_HANDLE(MPI_Comm, handle)) : NULL;
    enum record_length rule = (enum record_length)p->length;
    bool of_members =
        rule == RECORD_LENGTH_MEMBERS || rule == RECORD_LENGTH_LOCAL || rule == RECORD_LENGTH_AT_ROOT;
    bool of_neighbors = rule == RECORD_LENGTH_INDEGREE || rule == RECORD_LENGTH_OUTDEGREE;
    if (!of || !(of_members || (of_neighbors && of->space->topology)))
        return 0;
    return measure(&c, rule, handle, root);
}
