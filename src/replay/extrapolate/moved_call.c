/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moved_call: a call of OpenSHMEM by a PE of the trace becomes that of a PE of the larger grid: other PEs are its own
 * neighbours, symmetric addresses stay as they are, and what ended a wait as the k-th operation of a neighbour at the PE is
 * the k-th operation of that neighbour at the new PE.
 */
#include "coll/coll.h"
#include "replay/extrapolate/extrapolate.h"
#include "replay/words/words.h"

#include <inttypes.h>
#include <string.h>

enum { WORD = 8 }; /* bytes of a flag or a counter, which is no part of the problem */

/* A call while it is moved. */
struct move {
    struct replay_larger *w;
    uint32_t model, rank, line;
    const int64_t *before; /* its words */
    struct replay_words words;
    double face; /* of what goes to its PE */
};

/* The same word where it may be changed. */
static int64_t *at(const struct move *m, const int64_t *word)
{
    return &m->w->words.at[word - m->before];
}

static int64_t *number(const struct move *m, const char *name)
{
    const struct record_part *p = replay_words_part(&m->words, name);
    return p ? at(m, p->at) : NULL;
}

/* --- other PEs ------------------------------------------------------------------------------------------- */

static int move_peers(struct move *m)
{
    static const char *const names[] = {"pe", "target_pes", "pes"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        const struct record_part *p = replay_words_part(&m->words, names[k]);
        for (int64_t i = 0; p && i < p->n; i++) {
            uint32_t pe = (uint32_t)p->at[i];
            int offset[REPLAY_DIMENSIONS] = {0};
            if (replay_larger_peer(m->w, m->model, m->rank, m->line, &pe, offset))
                return -1;
            *at(m, &p->at[i]) = pe;
            m->face = replay_larger_face(m->w, offset);
        }
    }
    return 0;
}

/* --- what waits end by ----------------------------------------------------------------------------------- */

static int no_cause(const struct move *m, uint32_t by, uint64_t operation, const char *why)
{
    return base_fail(m->w->st,
                     "%s: not regular: rank %" PRIu32 ", line %" PRIu32
                     ": what it waits for, operation %" PRIu64 " of rank %" PRIu32 ", %s",
                     m->w->path, m->model, m->line, 2 * operation, by, why);
}

/* `cause`: a PE, and one of its operations. */
static int move_cause(struct move *m, const int64_t *cause)
{
    struct replay_larger *w = m->w;
    uint32_t by = (uint32_t)cause[0], there = by, was, is;
    uint64_t operation = (uint64_t)cause[1] / 2;
    int offset[REPLAY_DIMENSIONS] = {0};
    size_t k;
    if (by == m->model) {
        *at(m, &cause[0]) = m->rank;
        return 0;
    }
    if (!replay_grid_offset(&w->x->from, m->model, by, false, offset))
        return no_cause(m, by, operation, "is not one of a neighbour");
    unsigned back = replay_grid_way_back(offset);
    if (!replay_deeds_find(w->deeds, by, back, operation, &k))
        return no_cause(m, by, operation, "is not at this rank");
    if (replay_larger_peer(w, m->model, m->rank, m->line, &there, offset))
        return -1;
    replay_deeds_at(w->deeds, by, back, k, &was);
    uint64_t found = replay_deeds_at(w->deeds, replay_larger_model(w, there), back, k, &is);
    if (!found || is != was)
        return no_cause(m, by, operation, "is not done in the same way by all neighbours in this direction");
    *at(m, &cause[0]) = there;
    *at(m, &cause[1]) = (int64_t)(2 * found) + cause[1] % 2;
    return 0;
}

static int move_causes(struct move *m)
{
    const struct record_part *p = replay_words_part(&m->words, "causes");
    for (int64_t k = 0; p && k + 1 < p->n; k += 2)
        if (move_cause(m, &p->at[k]))
            return -1;
    return 0;
}

/* --- sizes and members ----------------------------------------------------------------------------------- */

static enum coll_op collective_of(uint32_t function)
{
    if (function >= RECORD_SHMEM_ALLTOALL && function <= RECORD_SHMEM_ALLTOALLS_SET)
        return COLL_ALLTOALL;
    return function >= RECORD_SHMEM_COLLECT && function <= RECORD_SHMEM_FCOLLECT_SET ? COLL_FCOLLECT
                                                                                     : COLL_BARRIER;
}

static void scale(const struct move *m)
{
    int64_t *n = number(m, "nelems"), *blocks = number(m, "nblocks");
    bool to_pe = replay_words_part(&m->words, "pe") != NULL;
    double by = to_pe ? m->face : replay_larger_share(m->w, collective_of(m->words.function));
    if (blocks && *blocks > 0)
        *blocks = (int64_t)replay_larger_size((uint64_t)*blocks, by);
    if (n && *n > (to_pe ? WORD : 0))
        *n = (int64_t)replay_larger_size((uint64_t)*n, by);
}

static int set_members(const struct move *m)
{
    int64_t *size = number(m, "PE_size"), *word = number(m, "PE_root");
    if (size)
        *size = replay_grid_ranks(&m->w->x->to);
    if (!word)
        return 0;
    uint32_t root = (uint32_t)*word;
    int rc = replay_larger_root(m->w, m->line, &root);
    *word = root;
    return rc;
}

/* Room for the parts of more PEs. */
static void set_memory(const struct move *m)
{
    const struct replay_grid *from = &m->w->x->from, *to = &m->w->x->to;
    uint64_t more = replay_grid_ranks(to) - replay_grid_ranks(from);
    const struct record_part *statics = replay_words_part(&m->words, "statics");
    if (m->words.function != RECORD_SHMEM_INIT)
        return;
    *number(m, "heap") += (int64_t)(more * replay_deeds_growth(m->w->deeds, 0));
    for (int64_t k = 0; k + 1 < statics->n && k / 2 + 1 < RECORD_AREAS; k += 2)
        *at(m, &statics->at[k]) += (int64_t)(more * replay_deeds_growth(m->w->deeds, (uint32_t)(k / 2) + 1));
}

int replay_larger_call(struct replay_larger *w, uint32_t model, uint32_t rank, struct replay_action *a)
{
    struct move m = {.w = w, .model = model, .rank = rank, .line = a->line, .before = a->counts, .face = 1};
    replay_words_of(&m.words, a);
    w->words.n = 0;
    for (uint32_t k = 0; k < a->n; k++)
        BASE_ARRAY_PUSH(&w->words, a->counts[k]);
    if (move_peers(&m) || move_causes(&m) || set_members(&m))
        return -1;
    scale(&m);
    set_memory(&m);
    if (a->n)
        a->counts = w->words.at;
    return 0;
}
