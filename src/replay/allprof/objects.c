/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * objects: communicators, types and requests. Lines say of a communicator its handle, the caller's rank and how many
 * members it has; of a type how large it is; of a request where it lies. What a call makes, it does not say: the
 * handles that are new behind it are taken to be, in their order, of the communicators that were made.
 */
#include "replay/allprof/write.h"

#include <stdlib.h>
#include <string.h>

void replay_allprof_put(struct replay_allprof_rank *x, uint32_t function, const int64_t *words, size_t n)
{
    const struct replay_action a = {
        .kind = REPLAY_CALL, .line = x->line, .number = function, .counts = words, .n = (uint32_t)n};
    replay_tape_write(x->tape, x->rank, &a);
}

static int64_t make(struct replay_allprof_rank *x, enum record_object o)
{
    return RECORD_MADE + x->made[o]++;
}

static int64_t named(enum record_object o, const char *name)
{
    int64_t value = 0;
    record_value_of(o, name, strlen(name), &value);
    return value;
}

/* A number of a list; *at is then behind it and a comma. */
static bool number(const char **at, uint64_t *value)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    *value = strtoull(*at, &end, 10);
    *at = *end == ',' ? end + 1 : end;
    return *end == ',' || !*end;
}

/* --- communicators ---------------------------------------------------------------------------------- */

int64_t replay_allprof_new_comm(struct replay_allprof_rank *x)
{
    int64_t word = make(x, RECORD_COMM);
    BASE_ARRAY_PUSH(&x->unnamed, word);
    return word;
}

static int64_t meaning(struct replay_allprof_rank *x, uint64_t rank, uint64_t size)
{
    bool world = size == x->ranks && rank == x->rank;
    if (size == x->ranks && !x->comms.live)
        return named(RECORD_COMM, "MPI_COMM_WORLD");
    if (x->named < x->unnamed.n)
        return x->unnamed.at[x->named++];
    return world ? named(RECORD_COMM, "MPI_COMM_WORLD") : size == 1 ? named(RECORD_COMM, "MPI_COMM_SELF") : 0;
}

int replay_allprof_comm(struct replay_allprof_rank *x, const char *field, int64_t *word, uint32_t *members,
                        struct base_status *st)
{
    uint64_t handle, rank, size;
    const char *at = field;
    if (!number(&at, &handle) || !number(&at, &rank) || !number(&at, &size) || *at || size > x->ranks ||
        rank >= size)
        return base_fail(st, "expected a communicator (handle,rank,size), not '%.60s'", field);
    const int64_t *found = base_table_find(&x->comms, handle);
    *members = (uint32_t)size;
    *word = found ? *found : meaning(x, rank, size);
    if (!*word)
        return base_fail(st, "communicator %s: no line says which of the ranks are its members", field);
    if (!found) {
        bool fresh;
        *(int64_t *)base_table_add(&x->comms, handle, &fresh) = *word;
    }
    return 0;
}

/* --- types ------------------------------------------------------------------------------------------- */

/* Types of these sizes have operators. */
static int64_t type_of(uint64_t size)
{
    switch (size) {
    case 1:
        return named(RECORD_TYPE, "MPI_INT8_T");
    case 2:
        return named(RECORD_TYPE, "MPI_INT16_T");
    case 4:
        return named(RECORD_TYPE, "MPI_INT32_T");
    case 8:
        return named(RECORD_TYPE, "MPI_INT64_T");
    case 12:
        return named(RECORD_TYPE, "MPI_DOUBLE_INT");
    case 16:
        return named(RECORD_TYPE, "MPI_C_DOUBLE_COMPLEX");
    default:
        return 0;
    }
}

bool replay_allprof_combines(uint64_t size)
{
    return type_of(size) != 0;
}

int replay_allprof_type(struct replay_allprof_rank *x, const char *field, int64_t *word,
                        struct base_status *st)
{
    uint64_t which, size;
    bool fresh;
    const char *at = field;
    if (!number(&at, &which) || !number(&at, &size) || size > INT32_MAX)
        return base_fail(st, "expected a type (number,size,extent), not '%.60s'", field);
    if ((*word = type_of(size)))
        return 0;
    int64_t *made = base_table_add(&x->types, size, &fresh);
    if (fresh) {
        *made = make(x, RECORD_TYPE);
        const int64_t words[] = {(int64_t)size, named(RECORD_TYPE, "MPI_BYTE"), *made};
        replay_allprof_put(x, RECORD_MPI_TYPE_CONTIGUOUS, words, 3);
        replay_allprof_put(x, RECORD_MPI_TYPE_COMMIT, made, 1);
    }
    *word = *made;
    return 0;
}

/* --- requests ----------------------------------------------------------------------------------------- */

int64_t replay_allprof_request(const struct replay_allprof_rank *x, uint64_t address)
{
    const int64_t *found = base_table_find(&x->requests, address);
    return found ? *found : named(RECORD_REQUEST, "MPI_REQUEST_NULL");
}

int64_t replay_allprof_new_request(struct replay_allprof_rank *x, uint64_t address)
{
    bool fresh;
    int64_t *word = base_table_add(&x->requests, address, &fresh);
    x->narrow |= address % 8 != 0; /* where a handle of eight bytes never lies */
    *word = make(x, RECORD_REQUEST);
    return *word;
}

unsigned replay_allprof_stride(const struct replay_allprof_rank *x)
{
    return x->narrow ? 4 : 8;
}

void replay_allprof_begin(struct replay_allprof_rank *x, struct replay_tape *t, uint32_t rank, uint32_t ranks)
{
    *x = (struct replay_allprof_rank){.tape = t, .rank = rank, .ranks = ranks, .end = -1};
    base_table_init(&x->requests, BASE_NUMBERS, sizeof(int64_t), "requests of a trace");
    base_table_init(&x->types, BASE_NUMBERS, sizeof(int64_t), "types of a trace");
    base_table_init(&x->comms, BASE_NUMBERS, sizeof(int64_t), "communicators of a trace");
}

void replay_allprof_end(struct replay_allprof_rank *x)
{
    base_table_release(&x->requests);
    base_table_release(&x->types);
    base_table_release(&x->comms);
    record_words_release(&x->words);
    free(x->unnamed.at);
    free(x->fields.at);
}
