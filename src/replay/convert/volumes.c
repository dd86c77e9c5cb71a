/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * volumes: what calls of MPI move, which communicators they make, and whether what they name was made before; rank by
 * rank. A communicator is told from others by its parent, by how many were made of that before, and by its colour: so
 * its members find it without the others.
 */
#include <mpi.h>

#include "replay/comms/comms.h"
#include "replay/convert/parts.h"

#include <stdlib.h>
#include <string.h>

/* What makes a communicator the one that it is. */
struct origin {
    uint64_t parent, place; /* communicators by their numbers; how many of the parent's were made before */
    int64_t color;
    uint32_t maker;
};
struct made {
    struct origin origin; /* the key */
    const char *maker;
    uint64_t number;
    uint32_t members;
    bool placed; /* who its members are does not follow from the call */
};
struct replay_volumes {
    struct base_table comms; /* origin -> struct made * */
    struct base_pool pool;
    uint64_t numbers;
    int64_t comm_world;          /* its word */
    struct replay_comms *worlds; /* NULL: all ranks are of one */
    /* Of the rank: */
    uint32_t world; /* which MPI_COMM_WORLD it has */
    struct replay_sizes sizes;
    struct base_table objects;  /* kind and number -> number of the communicator */
    struct base_table children; /* number of a communicator -> how many were made of it */
    struct base_table standing; /* persistent request -> bytes */
};

static void open_rank(struct replay_volumes *v)
{
    replay_sizes_init(&v->sizes);
    base_table_init(&v->objects, BASE_NUMBERS, sizeof(uint64_t), "objects of a trace");
    base_table_init(&v->children, BASE_NUMBERS, sizeof(uint64_t), "communicators of a trace");
    base_table_init(&v->standing, BASE_NUMBERS, sizeof(uint64_t), "requests of a trace");
}

static void close_rank(struct replay_volumes *v)
{
    replay_sizes_release(&v->sizes);
    base_table_release(&v->objects);
    base_table_release(&v->children);
    base_table_release(&v->standing);
}

struct replay_volumes *replay_volumes_create(struct replay_tape *t)
{
    struct replay_volumes *v = base_zalloc(sizeof *v, "volumes of a trace");
    base_table_init(&v->comms, BASE_BYTES, sizeof(struct made *), "communicators of a trace");
    base_pool_init(&v->pool, sizeof(struct made), "communicators of a trace");
    v->numbers = RECORD_MADE; /* below are those that the standard names */
    record_value_of(RECORD_COMM, "MPI_COMM_WORLD", 14, &v->comm_world);
    if (replay_tape_started(t))
        v->worlds = replay_comms_find(t);
    open_rank(v);
    return v;
}

void replay_volumes_next_rank(struct replay_volumes *v, uint32_t rank)
{
    close_rank(v);
    open_rank(v);
    v->world = v->worlds && rank != REPLAY_ANY ? replay_comms_world(v->worlds, rank).number : 0;
}

void replay_volumes_destroy(struct replay_volumes *v)
{
    close_rank(v);
    base_table_release(&v->comms);
    base_pool_release(&v->pool);
    if (v->worlds)
        replay_comms_destroy(v->worlds);
    free(v);
}

/* --- bytes ------------------------------------------------------------------------------------------------ */

static uint64_t data(const struct replay_volumes *v, const struct replay_words *w, const char *count,
                     const char *type)
{
    int64_t n = replay_words_number(w, count);
    return n > 0 ? (uint64_t)n * replay_size_of(&v->sizes, replay_words_number(w, type)) : 0;
}

/* Of each its own type, or all of one. */
static uint64_t data_of_all(const struct replay_volumes *v, const struct replay_words *w, const char *counts,
                            const char *type, const char *types)
{
    const struct record_part *p = replay_words_part(w, counts), *each = replay_words_part(w, types);
    uint64_t size = replay_size_of(&v->sizes, replay_words_number(w, type)), sum = 0;
    for (int64_t k = 0; k < p->n; k++)
        if (p->at[k] > 0)
            sum += (uint64_t)p->at[k] * (each && k < each->n ? replay_size_of(&v->sizes, each->at[k]) : size);
    return sum;
}

static bool in_place(const struct replay_words *w)
{
    return replay_words_part(w, "sendbuf") && replay_words_number(w, "sendbuf") == RECORD_IN_PLACE;
}

static bool is_local(const struct replay_words *w)
{
    return w->function == RECORD_MPI_REDUCE_LOCAL || replay_words_part(w, "oldtype") ||
           !(replay_words_part(w, "comm") || replay_words_part(w, "win") || replay_words_part(w, "fh"));
}

/* What a message, a collective's part of the rank, a one-sided operation, or an access to a file has of data. */
static uint64_t moved(const struct replay_volumes *v, const struct replay_words *w)
{
    const struct record_part *sends = replay_words_part(w, "dest");
    if (is_local(w) || (!sends && replay_words_part(w, "source")))
        return 0;
    if (replay_words_part(w, "origin_count"))
        return data(v, w, "origin_count", "origin_datatype");
    if (replay_words_part(w, "sendcounts") && !in_place(w))
        return data_of_all(v, w, "sendcounts", replay_words_part(w, "sendtype") ? "sendtype" : "datatype",
                           "sendtypes");
    if (replay_words_part(w, "sendcount") && !in_place(w))
        return data(v, w, "sendcount", "sendtype");
    if (replay_words_part(w, "recvcounts"))
        return data_of_all(v, w, "recvcounts", replay_words_part(w, "datatype") ? "datatype" : "recvtype",
                           "recvtypes");
    if (replay_words_part(w, "recvcount"))
        return data(v, w, "recvcount", replay_words_part(w, "datatype") ? "datatype" : "recvtype");
    if (replay_words_part(w, "count"))
        return data(v, w, "count", "datatype") *
               (replay_words_part(w, "partitions") ? (uint64_t)replay_words_number(w, "partitions") : 1);
    return replay_size_of(&v->sizes, replay_words_number(w, "datatype"));
}

static uint64_t started(const struct replay_volumes *v, const struct record_part *p)
{
    uint64_t bytes = 0;
    for (int64_t k = 0; p && k < p->n; k++) {
        const uint64_t *of = base_table_find(&v->standing, (uint64_t)p->at[k]);
        bytes += of ? *of : 0;
    }
    return bytes;
}

static uint64_t bytes_of(struct replay_volumes *v, const struct replay_words *w)
{
    const struct record_part *request = replay_words_part(w, "request");
    if (w->function == RECORD_MPI_START)
        return started(v, request);
    if (w->function == RECORD_MPI_STARTALL)
        return started(v, replay_words_part(w, "array_of_requests"));
    uint64_t bytes = moved(v, w);
    if (!request || request->param->way != RECORD_OUT)
        return bytes;
    bool standing = strstr(w->f->name, "_init") != NULL;
    *(uint64_t *)base_table_add(&v->standing, (uint64_t)request->at[0], NULL) = standing ? bytes : 0;
    return standing ? 0 : bytes;
}

/* --- objects -------------------------------------------------------------------------------------------------- */

static uint64_t key_of(unsigned object, int64_t word)
{
    return (uint64_t)object << 56 | (uint64_t)word;
}

/* Players take any number of these for something. */
static bool is_needed(unsigned object)
{
    return object != RECORD_REQUEST && object != RECORD_INFO && object != RECORD_ERRHANDLER;
}

/* Whether all objects that the call only reads were made before. */
static bool all_made(const struct replay_volumes *v, const struct replay_words *w)
{
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        bool handles = p->param && (p->param->kind == RECORD_HANDLE || p->param->kind == RECORD_HANDLES);
        if (!handles || p->param->way != RECORD_IN || !is_needed(p->param->object))
            continue;
        for (int64_t i = 0; i < p->n; i++)
            if (p->at[i] >= RECORD_MADE && !base_table_find(&v->objects, key_of(p->param->object, p->at[i])))
                return false;
    }
    return true;
}

static uint64_t comm_of(const struct replay_volumes *v, int64_t word)
{
    const uint64_t *found = base_table_find(&v->objects, key_of(RECORD_COMM, word));
    return found ? *found : (uint64_t)word | (word == v->comm_world ? (uint64_t)v->world << 32 : 0);
}

static bool has_unknown_members(uint32_t function)
{
    return function == RECORD_MPI_COMM_SPLIT_TYPE || function == RECORD_MPI_CART_SUB ||
           function == RECORD_MPI_INTERCOMM_CREATE || function == RECORD_MPI_INTERCOMM_MERGE ||
           function == RECORD_MPI_COMM_ACCEPT || function == RECORD_MPI_COMM_CONNECT ||
           function == RECORD_MPI_COMM_SPAWN || function == RECORD_MPI_COMM_SPAWN_MULTIPLE;
}

/* The communicator that a call makes; counts the rank, unless it is no member. */
static uint64_t make_comm(struct replay_volumes *v, const struct replay_words *w, bool member)
{
    struct origin o;
    struct made **found;
    bool fresh;
    memset(&o, 0, sizeof o); /* it is a key, with what lies between its members */
    int64_t parent = replay_words_parent(w);
    o.parent = parent ? comm_of(v, parent) : 0;
    o.maker = w->function == RECORD_MPI_COMM_CREATE_GROUP ? w->function
                                                          : 0; /* not all of the parent's ranks call it */
    o.color = o.parent ? replay_words_number(w, o.maker ? "tag" : "color") : v->world;
    o.place = (*(uint64_t *)base_table_add(&v->children, o.maker ? ~o.parent : o.parent, NULL))++;
    if (!member)
        return 0;
    found = base_table_find_bytes(&v->comms, &o, sizeof o);
    if (!found) {
        struct made *m = base_pool_get(&v->pool);
        *m = (struct made){.maker = w->f->name, .number = v->numbers++};
        memcpy(&m->origin, &o, sizeof o);
        m->placed = !o.parent || has_unknown_members(w->function);
        found = base_table_add_bytes(&v->comms, &m->origin, sizeof o, &fresh);
        *found = m;
    }
    (*found)->members++;
    return (*found)->number;
}

static void note_objects(struct replay_volumes *v, const struct replay_words *w)
{
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        bool handles = p->param && (p->param->kind == RECORD_HANDLE || p->param->kind == RECORD_HANDLES);
        if (!handles || p->param->way == RECORD_IN || !is_needed(p->param->object))
            continue;
        unsigned object = p->param->object;
        bool makes = p->param->way == RECORD_OUT, comm = makes && object == RECORD_COMM;
        uint64_t number = comm ? make_comm(v, w, p->at[0] >= RECORD_MADE) : 0;
        for (int64_t i = 0; i < p->n; i++)
            if (p->at[i] >= RECORD_MADE && makes)
                *(uint64_t *)base_table_add(&v->objects, key_of(object, p->at[i]), NULL) = number;
            else if (p->at[i] >= RECORD_MADE && w->function != RECORD_MPI_TYPE_COMMIT)
                base_table_remove(&v->objects, key_of(object, p->at[i]));
    }
}

/* Of a call of OpenSHMEM, or a core's access: what it puts or gets. Of a file: what is read or written. */
static uint64_t bytes_moved(const struct replay_words *w)
{
    if (w->function == RECORD_POSIX_READ || w->function == RECORD_POSIX_WRITE)
        return (uint64_t)w->part[2].at[0];
    if (w->function == RECORD_RISCV_LOAD || w->function == RECORD_RISCV_STORE)
        return (uint64_t)w->part[2].at[0];
    switch (w->function) {
    case RECORD_SHMEM_PUT:
    case RECORD_SHMEM_PUT_NBI:
    case RECORD_SHMEM_GET:
    case RECORD_SHMEM_GET_NBI:
    case RECORD_SHMEM_PUT_SIGNAL:
    case RECORD_SHMEM_PUT_SIGNAL_NBI:
        return w->part[3].at[0] > 0 ? (uint64_t)w->part[3].at[0] : 0;
    default:
        return 0;
    }
}

bool replay_volumes_of(struct replay_volumes *v, const struct replay_action *a, uint64_t *bytes)
{
    struct replay_words w;
    replay_words_of(&w, a);
    if (w.function >= RECORD_MPI_FUNCTIONS) {
        *bytes = bytes_moved(&w);
        return true;
    }
    bool made = all_made(v, &w);
    replay_sizes_note(&v->sizes, &w);
    note_objects(v, &w);
    *bytes = bytes_of(v, &w);
    return made;
}

/* --- communicators -------------------------------------------------------------------------------------------- */

static void count_comm(struct replay_facts *f, const struct made *m)
{
    uint32_t members = m->placed ? 0 : m->members;
    for (size_t k = 0; k < f->comms; k++)
        if (f->comm[k].maker == m->maker && f->comm[k].ranks == members) {
            f->comm[k].count++;
            return;
        }
    if (f->comms < BASE_LENGTH(f->comm))
        f->comm[f->comms++] = (struct replay_communicators){m->maker, members, 1};
}

void replay_volumes_tell(struct replay_volumes *v, struct replay_facts *out)
{
    struct made **m;
    for (uint32_t at = 0; (m = base_table_next(&v->comms, &at));)
        count_comm(out, *m);
}
