/* SPDX-License-Identifier: BSD-3-Clause */
/* deeds: the operations of a trace's PEs, each by the neighbours that it is at; how waits for them ended; what collectives take
 * of symmetric memory. */
#include "replay/extrapolate/extrapolate.h"

#include "base/table.h"
#include "replay/words/words.h"

#include <stdlib.h>

enum { MOST = 1 << 30 }; /* bytes of a PE's part of a collective: more is refused when it is played */

struct deed {
    uint64_t number; /* among the operations of its PE, from 1 */
    uint32_t what;
};
/* Of one PE. */
struct doer {
    BASE_ARRAY(struct deed) at[REPLAY_OFFSETS];
    BASE_ARRAY(uint64_t) waits; /* a hash of what ended each of them */
    uint64_t operations;
};
struct replay_deeds {
    struct replay_grid grid;
    struct doer *of;
    uint64_t growth[RECORD_AREAS];
};

/* --- operations ------------------------------------------------------------------------------------------ */

static bool moves_nothing(const struct replay_words *w)
{
    static const char *const sizes[] = {"nelems", "bsize", "nblocks"};
    for (size_t k = 0; k < BASE_LENGTH(sizes); k++)
        if (replay_words_part(w, sizes[k]) && replay_words_number(w, sizes[k]) <= 0)
            return true;
    return false;
}

/* As OpenSHMEM's front end counts them: a put or get of nothing is none, but its signal is one. */
static bool is_operation(const struct replay_words *w)
{
    if (w->function == RECORD_SHMEM_STORES)
        return true;
    if (!replay_words_part(w, "pe"))
        return false;
    return w->function > RECORD_SHMEM_IBGET || !moves_nothing(w);
}

/* The call with the addresses that it writes. */
static uint32_t what_of(const struct replay_words *w)
{
    uint64_t hash = base_fnv(BASE_FNV, &w->function, sizeof w->function);
    const char *const places[] = {"dest", "sig_addr"};
    for (size_t k = 0; k < BASE_LENGTH(places); k++) {
        int64_t place = replay_words_number(w, places[k]);
        hash = base_fnv(hash, &place, sizeof place);
    }
    return (uint32_t)(hash ^ hash >> 32);
}

struct doing {
    struct replay_deeds *d;
    uint32_t by, what;
};

static void note(void *arg, uint32_t pe)
{
    const struct doing *x = arg;
    struct doer *p = &x->d->of[x->by];
    int offset[REPLAY_DIMENSIONS];
    if (replay_grid_offset(&x->d->grid, x->by, pe, false, offset))
        BASE_ARRAY_PUSH(&p->at[replay_grid_way(offset)], ((struct deed){p->operations, x->what}));
}

/* --- collectives ----------------------------------------------------------------------------------------- */

static void grow_area(struct replay_deeds *d, const struct replay_words *w, const char *place, uint64_t bytes)
{
    uint32_t area;
    uint64_t offset;
    const struct record_part *p = replay_words_part(w, place);
    if (p && record_place_of(p->at[0], &area, &offset) && area < RECORD_AREAS && d->growth[area] < bytes)
        d->growth[area] = bytes;
}

/* Parts of all PEs stand behind one another. */
static void gather(struct replay_deeds *d, const struct replay_words *w)
{
    bool exchanges = w->function >= RECORD_SHMEM_ALLTOALL && w->function <= RECORD_SHMEM_ALLTOALLS_SET;
    int64_t n = replay_words_number(w, "nelems"), stride = 1, bytes;
    if (replay_words_part(w, "dst"))
        stride = replay_words_number(w, "dst") + replay_words_number(w, "sst");
    if (!exchanges && (w->function < RECORD_SHMEM_COLLECT || w->function > RECORD_SHMEM_FCOLLECT_SET))
        return;
    if (__builtin_mul_overflow(n, stride, &bytes) ||
        __builtin_mul_overflow(bytes, replay_words_number(w, "size"), &bytes) || bytes < 0 || bytes > MOST)
        return;
    grow_area(d, w, "dest", (uint64_t)bytes);
    if (exchanges)
        grow_area(d, w, "source", (uint64_t)bytes);
}

/* --- waits ----------------------------------------------------------------------------------------------- */

static int by_number(const void *key, const void *deed)
{
    uint64_t number = *(const uint64_t *)key, other = ((const struct deed *)deed)->number;
    return (number > other) - (number < other);
}

bool replay_deeds_find(const struct replay_deeds *d, uint32_t by, unsigned way, uint64_t number, size_t *k)
{
    const struct doer *p = &d->of[by];
    const struct deed *found =
        p->at[way].n ? bsearch(&number, p->at[way].at, p->at[way].n, sizeof *found, by_number) : NULL;
    if (found)
        *k = (size_t)(found - p->at[way].at);
    return found != NULL;
}

uint64_t replay_deeds_at(const struct replay_deeds *d, uint32_t by, unsigned way, size_t k, uint32_t *what)
{
    const struct doer *p = &d->of[by];
    if (k >= p->at[way].n)
        return 0;
    *what = p->at[way].at[k].what;
    return p->at[way].at[k].number;
}

/* What a PE waited for: which neighbours, and which of their operations at the PE. Operations of its own, and of others at other
 * PEs, by number. */
static uint64_t ending_of(const struct replay_deeds *d, uint32_t rank, const struct record_part *causes)
{
    uint64_t hash = base_fnv(BASE_FNV, &causes->n, sizeof causes->n);
    for (int64_t k = 0; k + 1 < causes->n; k += 2) {
        struct replay_grid g = d->grid;
        int offset[REPLAY_DIMENSIONS] = {0};
        uint32_t by = (uint32_t)causes->at[k];
        uint64_t at[] = {REPLAY_OFFSETS, (uint64_t)causes->at[k + 1] / 2, (uint64_t)causes->at[k + 1] % 2};
        size_t found;
        if (replay_grid_offset(&g, rank, by, false, offset)) {
            at[0] = replay_grid_way(offset);
            if (by != rank && replay_deeds_find(d, by, replay_grid_way_back(offset), at[1], &found))
                at[1] = found;
        }
        hash = base_fnv(hash, at, sizeof at);
    }
    return hash;
}

uint64_t replay_deeds_waits(const struct replay_deeds *d, uint64_t *uneven)
{
    const struct doer *first[REPLAY_CLASSES] = {NULL};
    uint64_t all = 0;
    *uneven = 0;
    for (uint32_t rank = 0; rank < replay_grid_ranks(&d->grid); rank++) {
        const struct doer *p = &d->of[rank], **of = &first[replay_grid_class(&d->grid, rank)];
        *of = *of ? *of : p;
        all += p->waits.n;
        for (size_t k = 0; k < p->waits.n; k++)
            *uneven += k >= (*of)->waits.n || p->waits.at[k] != (*of)->waits.at[k];
    }
    return all;
}

/* --- walks ----------------------------------------------------------------------------------------------- */

static void see(struct replay_deeds *d, uint32_t rank, const struct replay_action *a, bool waits)
{
    struct replay_words w;
    replay_words_of(&w, a);
    const struct record_part *causes = replay_words_part(&w, "causes");
    if (waits && causes) {
        BASE_ARRAY_PUSH(&d->of[rank].waits, ending_of(d, rank, causes));
    } else if (!waits && is_operation(&w)) {
        struct doing x = {d, rank, what_of(&w)};
        d->of[rank].operations++;
        replay_call_peers(a, note, &x);
    } else if (!waits) {
        gather(d, &w);
    }
}

static void walk(struct replay_deeds *d, struct replay_tape *t, bool waits)
{
    for (uint32_t rank = 0; rank < replay_grid_ranks(&d->grid); rank++) {
        struct replay_cursor c;
        struct replay_action a = {0};
        replay_cursor_begin(t, rank, &c);
        while (replay_cursor_next(t, &c, &a))
            if (a.kind == REPLAY_CALL)
                see(d, rank, &a, waits);
        replay_cursor_end(&c);
    }
}

struct replay_deeds *replay_deeds_create(struct replay_tape *t, const struct replay_grid *g)
{
    struct replay_deeds *d = base_zalloc(sizeof *d, "operations of a trace");
    d->grid = *g;
    d->of = base_zalloc(replay_grid_ranks(g) * sizeof *d->of, "operations of a trace");
    walk(d, t, false);
    walk(d, t, true);
    return d;
}

void replay_deeds_destroy(struct replay_deeds *d)
{
    if (!d)
        return;
    for (uint32_t rank = 0; rank < replay_grid_ranks(&d->grid); rank++) {
        for (unsigned way = 0; way < REPLAY_OFFSETS; way++)
            free(d->of[rank].at[way].at);
        free(d->of[rank].waits.at);
    }
    free(d->of);
    free(d);
}

uint64_t replay_deeds_growth(const struct replay_deeds *d, uint32_t area)
{
    return d->growth[area];
}
