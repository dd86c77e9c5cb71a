/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files_access: random accesses (files_random.h). What ranks write at a time is disjoint, or the same, or ordered by
 * barriers, so that MPI says what the file has then. Logged are the bytes that a status tells, what is in the whole buffer,
 * gaps included, positions, and the real file.
 */
#include "files_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Items in memory. */
struct items {
    char *at;
    size_t room;
    int count;
    MPI_Datatype type;
};

/* --- memory ------------------------------------------------------------------------------------------------- */

/* So many etypes in memory: one after the other, with gaps, every other one, or backwards. */
static struct items draw_items(const struct file *f, int shape, int etypes)
{
    int at[MOST];
    struct items m = {.room = (size_t)((MOST * 2 + 2) * (f->extent + 8)), .count = etypes};
    m.at = malloc(m.room);
    for (int k = 0; k < etypes; k++)
        at[k] = etypes - 1 - k;
    if (!etypes)
        shape = 0;
    if (shape == 0)
        MPI_Type_dup(f->etype, &m.type);
    else if (shape == 1)
        MPI_Type_create_resized(f->etype, 0, f->extent + 5, &m.type);
    else if (shape == 2)
        MPI_Type_vector(etypes, 1, 2, f->etype, &m.type);
    else
        MPI_Type_create_indexed_block(etypes, 1, at, f->etype, &m.type);
    if (shape > 1)
        m.count = 1;
    MPI_Type_commit(&m.type);
    return m;
}

static void fill(struct items m, unsigned salt)
{
    for (size_t k = 0; k < m.room; k++)
        m.at[k] = (char)((k * 167 + 13) * (salt * 2 + 1) >> 3);
}

static void release(struct items *m)
{
    free(m->at);
    MPI_Type_free(&m->type);
}

static void tell(const char *what, int write, struct items m, MPI_Status *s)
{
    int bytes = -1;
    MPI_Get_elements(s, MPI_BYTE, &bytes);
    if (write)
        files_say("%s: %d bytes", what, bytes);
    else
        files_say("%s: %d bytes, memory %016llx", what, bytes, files_hash(m.at, m.room));
}

/* --- ways -------------------------------------------------------------------------------------------------- */

enum { WAYS = 11, OWN_POINTER = 4, ONE_BY_ONE = 11, ORDERED = 13, ALL_WAYS = 15 };
static const char *const names[ALL_WAYS] = {"at",       "at_all", "i_at",     "i_at_all",  "own",
                                            "all",      "i_own",  "i_all",    "all_begin", "at_all_begin",
                                            "two i_at", "shared", "i_shared", "ordered",   "ordered_begin"};

/* The second call if the first one went well. */
#define THEN(first, second) ((rc = (first)) ? rc : (second))
#define ACCESS(verb)                                                                                         \
    static int verb##_by(MPI_File f, int way, MPI_Offset at, struct items m, MPI_Status *s)                  \
    {                                                                                                        \
        MPI_Request q[2];                                                                                    \
        int rc;                                                                                              \
        switch (way) {                                                                                       \
        case 0:                                                                                              \
            return MPI_File_##verb##_at(f, at, m.at, m.count, m.type, s);                                    \
        case 1:                                                                                              \
            return MPI_File_##verb##_at_all(f, at, m.at, m.count, m.type, s);                                \
        case 2:                                                                                              \
            return THEN(MPI_File_i##verb##_at(f, at, m.at, m.count, m.type, q), MPI_Wait(q, s));             \
        case 3:                                                                                              \
            return THEN(MPI_File_i##verb##_at_all(f, at, m.at, m.count, m.type, q), MPI_Wait(q, s));         \
        case 4:                                                                                              \
            return MPI_File_##verb(f, m.at, m.count, m.type, s);                                             \
        case 5:                                                                                              \
            return MPI_File_##verb##_all(f, m.at, m.count, m.type, s);                                       \
        case 6:                                                                                              \
            return THEN(MPI_File_i##verb(f, m.at, m.count, m.type, q), MPI_Wait(q, s));                      \
        case 7:                                                                                              \
            return THEN(MPI_File_i##verb##_all(f, m.at, m.count, m.type, q), MPI_Wait(q, s));                \
        case 8:                                                                                              \
            return THEN(MPI_File_##verb##_all_begin(f, m.at, m.count, m.type),                               \
                        MPI_File_##verb##_all_end(f, m.at, s));                                              \
        case 9:                                                                                              \
            return THEN(MPI_File_##verb##_at_all_begin(f, at, m.at, m.count, m.type),                        \
                        MPI_File_##verb##_at_all_end(f, m.at, s));                                           \
        case 10: /* beside one without data, which ends first */                                             \
            return THEN(MPI_File_i##verb##_at(f, at, m.at, m.count, m.type, &q[0]),                          \
                        THEN(MPI_File_i##verb##_at(f, at + 1, m.at, 0, m.type, &q[1]),                       \
                             THEN(MPI_Wait(&q[1], MPI_STATUS_IGNORE), MPI_Wait(&q[0], s))));                 \
        case 11:                                                                                             \
            return MPI_File_##verb##_shared(f, m.at, m.count, m.type, s);                                    \
        case 12:                                                                                             \
            return THEN(MPI_File_i##verb##_shared(f, m.at, m.count, m.type, q), MPI_Wait(q, s));             \
        case 13:                                                                                             \
            return MPI_File_##verb##_ordered(f, m.at, m.count, m.type, s);                                   \
        default:                                                                                             \
            return THEN(MPI_File_##verb##_ordered_begin(f, m.at, m.count, m.type),                           \
                        MPI_File_##verb##_ordered_end(f, m.at, s));                                          \
        }                                                                                                    \
    }
ACCESS(read)
ACCESS(write)

/* A way like this one that is not left out. */
static int instead(const struct file *f, int write, int way)
{
    static const int blocking[ALL_WAYS] = {0, 1, 2, 1, 4, 5, 6, 5, 8, 9, 10, 11, 11, 13, 14};
    static const int whole[ALL_WAYS] = {0, 1, 2, 3, 4, 5, 6, 7, 5, 1, 10, 11, 12, 13, 13};
    if (files_without & (way < ONE_BY_ONE ? WITHOUT_ALL_REQUESTS : WITHOUT_SHARED_REQUESTS))
        way = blocking[way];
    if (files_without & WITHOUT_SOME_MISTAKES && files_forbidden(f, write))
        way = whole[way];
    return files_without & WITHOUT_ORDERED_SPLIT && way == ORDERED + 1 ? ORDERED : way;
}

static void access_by(struct file *f, int write, int way, MPI_Offset at, struct items m)
{
    MPI_Status s;
    char what[80];
    way = instead(f, write, way);
    snprintf(what, sizeof what, "%s %s", write ? "write" : "read", names[way]);
    int rc = (write ? write_by : read_by)(f->handle, way, at, m, &s);
    if (!m.count && files_without & WITHOUT_EMPTY)
        return;
    if (files_went(what, rc))
        tell(what, write, m, &s);
}

/* --- rounds ------------------------------------------------------------------------------------------------- */

void files_settle(struct file *f)
{
    int sync = !f->atomic && !(f->amode & MPI_MODE_RDONLY);
    if (sync)
        files_went("sync", MPI_File_sync(f->handle));
    MPI_Barrier(MPI_COMM_WORLD);
    if (sync)
        files_went("sync", MPI_File_sync(f->handle));
    if (files_me == 0) {
        static char bytes[1 << 20];
        FILE *real = fopen(f->path, "rb");
        size_t n = real ? fread(bytes, 1, sizeof bytes, real) : 0;
        if (real)
            fclose(real);
        files_say("the file has %zu bytes, %016llx", n, files_hash(bytes, n));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

void files_access_own(struct file *f, int write)
{
    int way = files_draw(WAYS), shape = files_draw(4), first = 0, count = 0;
    unsigned salt = (unsigned)files_draw(1000);
    for (int r = 0; r < files_n; r++) {
        int a = f->alike ? 8 * r + files_draw(3) : files_draw(MOST);
        int k = f->alike ? files_draw(6) : files_draw(MOST);
        if (r == files_me)
            first = a, count = k;
    }
    struct items m = draw_items(f, shape, count);
    fill(m, salt + (unsigned)files_me);
    if (way >= OWN_POINTER && way <= 8)
        files_went("seek", MPI_File_seek(f->handle, first, MPI_SEEK_SET));
    access_by(f, write, way, first, m);
    MPI_Offset at;
    if (way >= OWN_POINTER && way <= 8 && files_went("get_position", MPI_File_get_position(f->handle, &at)))
        files_say("at %lld", (long long)at);
    release(&m);
    if (write)
        files_settle(f);
}

static void tell_shared(const struct file *f)
{
    MPI_Offset at;
    MPI_Barrier(MPI_COMM_WORLD);
    if (files_went("get_position_shared", MPI_File_get_position_shared(f->handle, &at)))
        files_say("all at %lld", (long long)at);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Ordered accesses; one rank after the other; or all write the same at once. */
void files_access_shared(struct file *f, int write)
{
    int way = ONE_BY_ONE + files_draw(ALL_WAYS - ONE_BY_ONE), shape = files_draw(4), turns = files_draw(2),
        count = 0, same = 0;
    unsigned salt = (unsigned)files_draw(1000);
    for (int r = 0; r < files_n; r++) {
        int k = files_draw(MOST / 2);
        if (r == files_me)
            count = k;
        same = k;
    }
    int all = way < ORDERED && write && !turns;
    struct items m = draw_items(f, shape, all ? same : count);
    fill(m, all ? salt : salt + (unsigned)files_me);
    if (way >= ORDERED || all)
        access_by(f, write, way, 0, m);
    for (int r = 0; r < files_n && way < ORDERED && !all; r++) {
        if (r == files_me)
            access_by(f, write, way, 0, m);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    release(&m);
    tell_shared(f);
    if (write)
        files_settle(f);
}

void files_access_contested(struct file *f)
{
    int at = files_draw(MOST), count = 1 + files_draw(MOST - 1), bytes = 0;
    MPI_Status s;
    struct items m = draw_items(f, 0, count);
    memset(m.at, 'A' + files_me, m.room);
    files_went("a contested write", MPI_File_write_at(f->handle, at, m.at, m.count, m.type, &s));
    MPI_Barrier(MPI_COMM_WORLD);
    memset(m.at, 0, m.room);
    files_went("a contested read", MPI_File_read_at(f->handle, at, m.at, m.count, m.type, &s));
    MPI_Get_elements(&s, MPI_BYTE, &bytes);
    int others = 0; /* bytes of data that are not the first rank's that is seen */
    for (size_t k = 0; k < m.room; k++)
        others += m.at[k] && m.at[k] != m.at[0];
    files_say("contested: %d bytes, %d of them by another rank", bytes, others);
    MPI_Barrier(MPI_COMM_WORLD);
    memset(m.at, 'a', m.room);
    if (files_me == 0)
        files_went("the last write", MPI_File_write_at(f->handle, at, m.at, m.count, m.type, &s));
    release(&m);
    files_settle(f);
}
