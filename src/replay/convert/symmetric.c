/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetric: OpenSHMEM's calls as one-sided operations and collectives of the ranks of teams and active sets. */
#include "coll/coll.h"
#include "replay/convert/plain.h"
#include "shmem/shmem_front.h"
#include "types/types.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 30, TEAM_WORLD = 1, TYPE_NAME = 64 };

/* Words of teams and contexts in one table; streams of contexts beside those of windows. */
#define CTX_KEY (UINT64_C(1) << 40)

static uint32_t group_at(const struct replay_plain *x, uint64_t key)
{
    const uint32_t *group = base_table_find(&x->teams, key);
    return group ? *group : REPLAY_NO_GROUP;
}

static uint32_t team_group(const struct replay_plain *x, int64_t team)
{
    return team == TEAM_WORLD ? 0 : group_at(x, (uint64_t)team);
}

/* The number of an equal group of the world's ranks; 0: all. */
static uint32_t group_of(struct replay_plain *x, const uint32_t *rank, uint32_t n)
{
    uint32_t k = 0;
    while (k < n && rank[k] == k)
        k++;
    return k == x->ranks ? 0 : replay_tape_group(x->tape, rank, n);
}

/* Those at some places of a group; REPLAY_NO_GROUP: there are no such places, or the rank is not at one. */
static uint32_t strided(struct replay_plain *x, uint32_t of, int64_t start, int64_t stride, int64_t size)
{
    int64_t all = replay_members(x->tape, of), last = start + (size - 1) * stride;
    bool found = false;
    if (size < 1 || size > all || start < 0 || start >= all || stride > all || stride < -all || last < 0 ||
        last >= all || (!stride && size > 1))
        return REPLAY_NO_GROUP;
    uint32_t *rank = base_alloc((size_t)size * sizeof *rank, "a team of a trace");
    for (int64_t k = 0; k < size; k++) {
        rank[k] = replay_member(x->tape, of, (uint32_t)(start + k * stride));
        found |= rank[k] == x->rank;
    }
    uint32_t group = found ? group_of(x, rank, (uint32_t)size) : REPLAY_NO_GROUP;
    free(rank);
    return group;
}

/* The active set or the team of a collective. */
static uint32_t members(struct replay_plain *x, const struct replay_words *w)
{
    int64_t shift = replay_words_number(w, "logPE_stride");
    if (!replay_words_part(w, "PE_start"))
        return replay_words_part(w, "team") ? team_group(x, replay_words_number(w, "team")) : 0;
    if (shift < 0 || shift > 30)
        return REPLAY_NO_GROUP;
    return strided(x, 0, replay_words_number(w, "PE_start"), INT64_C(1) << shift,
                   replay_words_number(w, "PE_size"));
}

/* --- operations ---------------------------------------------------------------------------------------------- */

static uint64_t stream_of(const struct replay_words *w)
{
    return CTX_KEY | (uint64_t)replay_words_number(w, "ctx");
}

static uint64_t bytes_of(const struct replay_words *w)
{
    int64_t n = 1;
    static const char *const factors[] = {"nelems", "bsize", "nblocks", "size"};
    for (size_t k = 0; k < BASE_LENGTH(factors); k++)
        if (replay_words_part(w, factors[k]) &&
            __builtin_mul_overflow(n, replay_words_number(w, factors[k]), &n))
            return MOST;
    return n < 0 ? 0 : (uint64_t)n;
}

static void move(struct replay_plain *x, const struct replay_words *w, struct replay_remote o)
{
    uint32_t group = group_at(x, CTX_KEY | (uint64_t)replay_words_number(w, "ctx"));
    int64_t pe = replay_words_number(w, "pe");
    if (group == REPLAY_NO_GROUP)
        group = 0;
    o.number = ++x->operations;
    o.stream = stream_of(w);
    if (!x->sink->remote) {
        replay_plain_left_out(x, w);
        return;
    }
    if (pe < 0 || pe >= replay_members(x->tape, group))
        return;
    o.target = replay_member(x->tape, group, (uint32_t)pe);
    if (o.target != x->rank)
        x->sink->remote->move(x->sink, x->rank, &o);
}

/* A put or get of nothing is no operation. */
static bool transfers(struct replay_plain *x, const struct replay_words *w)
{
    uint64_t bytes = bytes_of(w);
    switch (w->function) {
    case RECORD_SHMEM_PUT:
    case RECORD_SHMEM_IBPUT:
    case RECORD_SHMEM_PUT_NBI:
        if (bytes)
            move(x, w, (struct replay_remote){.there = bytes, .sent = w->function != RECORD_SHMEM_PUT_NBI});
        return true;
    case RECORD_SHMEM_GET:
    case RECORD_SHMEM_IBGET:
    case RECORD_SHMEM_GET_NBI:
        if (bytes)
            move(x, w,
                 (struct replay_remote){.back = bytes, .answered = w->function != RECORD_SHMEM_GET_NBI});
        return true;
    case RECORD_SHMEM_PUT_SIGNAL:
    case RECORD_SHMEM_PUT_SIGNAL_NBI:
        move(x, w,
             (struct replay_remote){.there = bytes + 8, .sent = w->function == RECORD_SHMEM_PUT_SIGNAL});
        return true;
    case RECORD_SHMEM_SIGNAL_ADD:
    case RECORD_SHMEM_SIGNAL_SET:
        move(x, w, (struct replay_remote){.there = 8, .sent = true});
        return true;
    default:
        break;
    }
    if (w->function < RECORD_SHMEM_SET || w->function > RECORD_SHMEM_FETCH_XOR_NBI)
        return false;
    bool later = replay_words_part(w, "fetch") != NULL, posts = w->function <= RECORD_SHMEM_XOR;
    move(x, w,
         (struct replay_remote){
             .there = bytes, .back = posts ? 0 : bytes, .sent = posts, .answered = !posts && !later});
    return true;
}

/* The rank goes on when what it saw has come. */
static void wait_for(struct replay_plain *x, const struct replay_words *w)
{
    const struct record_part *causes = replay_words_part(w, "causes");
    if (!x->sink->remote) {
        replay_plain_left_out(x, w);
        return;
    }
    for (int64_t k = 0; k + 1 < causes->n; k += 2)
        if (causes->at[k] >= 0 && causes->at[k] < x->ranks && causes->at[k + 1] > 0)
            x->sink->remote->until(x->sink, x->rank, (uint32_t)causes->at[k],
                                   (uint32_t)(causes->at[k + 1] / 2));
}

static void settle(struct replay_plain *x, uint64_t stream)
{
    if (x->sink->remote)
        x->sink->remote->settle(x->sink, x->rank, stream, REPLAY_ANY);
}

/* --- collectives ------------------------------------------------------------------------------------------------ */

static void meet(struct replay_plain *x, const struct replay_words *w, struct replay_action a)
{
    a.kind = REPLAY_COLLECTIVE;
    a.group = members(x, w);
    a.bytes = a.bytes < COLL_UNROLLED_MOST ? a.bytes : COLL_UNROLLED_MOST;
    if (a.group == REPLAY_NO_GROUP || a.peer >= replay_members(x->tape, a.group))
        replay_plain_left_out(x, w);
    else
        replay_plain_put(x, &a);
}

static uint64_t size_of_type(const struct replay_words *w)
{
    char name[TYPE_NAME];
    const struct record_part *type = replay_words_part(w, "type");
    size_t n = 0;
    for (; type && (int64_t)n < type->n && n < sizeof name - 1; n++)
        name[n] = (char)type->at[n];
    name[n] = '\0';
    enum types_element e = shmem_played_type(name);
    return e == TYPES_ELEMENTS ? 0 : types_element_info(e)->size;
}

static bool reduces(struct replay_plain *x, const struct replay_words *w)
{
    bool inscan = w->function == RECORD_SHMEM_SUM_INSCAN, exscan = w->function == RECORD_SHMEM_SUM_EXSCAN;
    if (!replay_words_part(w, "type"))
        return false;
    int64_t n = replay_words_number(w, inscan || exscan ? "nelems" : "nreduce");
    uint64_t size = size_of_type(w);
    meet(x, w,
         (struct replay_action){.number = inscan   ? COLL_INSCAN
                                          : exscan ? COLL_EXSCAN
                                                   : COLL_REDUCE,
                                .bytes = n > 0 && n < MOST ? (uint64_t)n * size : 0,
                                .bytes2 = size});
    return true;
}

static void exchange(struct replay_plain *x, const struct replay_words *w, enum coll_op op)
{
    int64_t root = replay_words_number(w, "PE_root");
    meet(
        x, w,
        (struct replay_action){
            .number = op, .bytes = bytes_of(w), .bytes2 = 1, .peer = root < 0 ? UINT32_MAX : (uint32_t)root});
}

static bool meets(struct replay_plain *x, const struct replay_words *w)
{
    switch (w->function) {
    case RECORD_SHMEM_BARRIER_ALL:
    case RECORD_SHMEM_BARRIER:
        settle(x, CTX_KEY | (uint64_t)x->default_ctx);
        meet(x, w, (struct replay_action){.number = COLL_BARRIER});
        return true;
    case RECORD_SHMEM_MALLOC: /* and others of memory, which end with a barrier */
    case RECORD_SHMEM_ALIGN:
    case RECORD_SHMEM_CALLOC:
    case RECORD_SHMEM_REALLOC:
    case RECORD_SHMEM_FREE:
    case RECORD_SHMEM_TEAM_SYNC:
    case RECORD_SHMEM_SYNC:
        meet(x, w, (struct replay_action){.number = COLL_BARRIER});
        return true;
    case RECORD_SHMEM_BROADCAST:
    case RECORD_SHMEM_BROADCAST_SET:
        exchange(x, w, COLL_BROADCAST);
        return true;
    case RECORD_SHMEM_FCOLLECT:
    case RECORD_SHMEM_FCOLLECT_SET:
        exchange(x, w, COLL_FCOLLECT);
        return true;
    case RECORD_SHMEM_ALLTOALL:
    case RECORD_SHMEM_ALLTOALL_SET:
    case RECORD_SHMEM_ALLTOALLS:
    case RECORD_SHMEM_ALLTOALLS_SET:
        exchange(x, w, COLL_ALLTOALL);
        return true;
    default:
        return reduces(x, w);
    }
}

/* --- teams and contexts ----------------------------------------------------------------------------------------- */

static void name_group(struct replay_plain *x, uint64_t key, int64_t made, uint32_t group)
{
    if (made < RECORD_MADE)
        return;
    if (group == REPLAY_NO_GROUP)
        base_table_remove(&x->teams, key);
    else
        *(uint32_t *)base_table_add(&x->teams, key, NULL) = group;
}

static void split_2d(struct replay_plain *x, const struct replay_words *w)
{
    uint32_t of = team_group(x, replay_words_number(w, "parent_team")), across = REPLAY_NO_GROUP,
             down = REPLAY_NO_GROUP;
    int64_t n = replay_members(x->tape, of), width = replay_words_number(w, "xrange"), xs = w->part[2].at[0],
            ys = w->part[3].at[0];
    uint32_t at = replay_place(x->tape, of, x->rank);
    if (width >= 1 && at != REPLAY_ANY) {
        width = width < n ? width : n;
        int64_t row = at / width * width, column = at % width;
        across = strided(x, of, row, 1, n - row < width ? n - row : width);
        down = strided(x, of, column, width, (n - column + width - 1) / width);
    }
    name_group(x, (uint64_t)xs, xs, across);
    name_group(x, (uint64_t)ys, ys, down);
}

static bool names(struct replay_plain *x, const struct replay_words *w)
{
    int64_t made;
    switch (w->function) {
    case RECORD_SHMEM_TEAM_SPLIT_STRIDED:
        made = replay_words_number(w, "new_team");
        name_group(x, (uint64_t)made, made,
                   strided(x, team_group(x, replay_words_number(w, "parent_team")),
                           replay_words_number(w, "start"), replay_words_number(w, "stride"),
                           replay_words_number(w, "size")));
        replay_plain_left_out(x, w);
        return true;
    case RECORD_SHMEM_TEAM_SPLIT_2D:
        split_2d(x, w);
        replay_plain_left_out(x, w);
        return true;
    case RECORD_SHMEM_CTX_CREATE:
    case RECORD_SHMEM_TEAM_CREATE_CTX:
        made = replay_words_number(w, "ctx");
        name_group(x, CTX_KEY | (uint64_t)made, made,
                   replay_words_part(w, "team") ? team_group(x, replay_words_number(w, "team")) : 0);
        return true;
    default:
        return false;
    }
}

/* --- calls ----------------------------------------------------------------------------------------------------- */

static bool is_quiet(uint32_t function)
{
    return function == RECORD_SHMEM_FENCE || function == RECORD_SHMEM_TEAM_DESTROY ||
           function >= RECORD_SHMEM_PTR;
}

void replay_symmetric_call(struct replay_plain *x, const struct replay_words *w)
{
    switch (w->function) {
    case RECORD_SHMEM_INIT:
        replay_plain_put(x, &(struct replay_action){.kind = REPLAY_INIT});
        return;
    case RECORD_SHMEM_FINALIZE:
        settle(x, CTX_KEY | (uint64_t)x->default_ctx);
        replay_plain_put(x, &(struct replay_action){.kind = REPLAY_FINALIZE});
        return;
    case RECORD_SHMEM_QUIET:
    case RECORD_SHMEM_PE_QUIET:
    case RECORD_SHMEM_CTX_DESTROY:
        settle(x, stream_of(w));
        return;
    case RECORD_SHMEM_STORES: /* an operation without messages */
        x->operations++;
        replay_plain_left_out(x, w);
        return;
    case RECORD_SHMEM_TEST:
        if (replay_words_number(w, "result"))
            wait_for(x, w);
        return;
    case RECORD_SHMEM_WAIT_UNTIL:
    case RECORD_SHMEM_SIGNAL_FETCH:
    case RECORD_SHMEM_POLLED:
        wait_for(x, w);
        return;
    default:
        if (!is_quiet(w->function) && !transfers(x, w) && !meets(x, w) && !names(x, w))
            replay_plain_left_out(x, w);
    }
}
