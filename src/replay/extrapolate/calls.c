/* SPDX-License-Identifier: BSD-3-Clause */
/* calls: which calls of OpenSHMEM can be extrapolated, whom they are at, and which of them are the same. */
#include "replay/extrapolate/extrapolate.h"

#include "replay/words/words.h"

#include <inttypes.h>
#include <string.h>

enum { TEAM_WORLD = 1 };

/* --- what a parameter means ------------------------------------------------------------------------------ */

enum meaning {
    SAME, /* on all PEs at the same boundaries */
    PEER, /* one or several PEs */
    FREE, /* a size, an address of the PE alone, what ended a wait */
};

static enum meaning meaning_of(const struct record_param *p)
{
    static const char *const peers[] = {"pe", "target_pes", "pes"};
    static const char *const others[] = {"causes", "nelems", "nblocks", "nreduce", "source", "fetch"};
    for (size_t k = 0; k < BASE_LENGTH(peers); k++)
        if (!strcmp(p->name, peers[k]))
            return PEER;
    for (size_t k = 0; k < BASE_LENGTH(others); k++)
        if (!strcmp(p->name, others[k]))
            return FREE;
    return SAME;
}

/* --- what can be extrapolated ---------------------------------------------------------------------------- */

static bool is_of_all(const struct replay_words *w, uint32_t ranks)
{
    if (replay_words_part(w, "team") && replay_words_number(w, "team") != TEAM_WORLD)
        return false;
    return !replay_words_part(w, "PE_start") ||
           (!replay_words_number(w, "PE_start") && !replay_words_number(w, "logPE_stride") &&
            replay_words_number(w, "PE_size") == ranks);
}

/* NULL: nothing. */
static const char *obstacle(const struct replay_words *w, uint32_t ranks)
{
    if (w->function < RECORD_MPI_FUNCTIONS || w->function >= RECORD_SHMEM_FUNCTIONS)
        return "expected calls of OpenSHMEM alone, or of MPI alone";
    if (w->function == RECORD_SHMEM_TEAM_SPLIT_STRIDED || w->function == RECORD_SHMEM_TEAM_SPLIT_2D ||
        w->function == RECORD_SHMEM_TEAM_DESTROY || !is_of_all(w, ranks))
        return "expected teams and active sets of all PEs";
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        for (int64_t i = 0; p->param && meaning_of(p->param) == PEER && i < p->n; i++)
            if (p->at[i] < 0 || p->at[i] >= ranks)
                return "expected a PE of the trace";
    }
    if (replay_words_number(w, "PE_root") < 0 || replay_words_number(w, "PE_root") >= ranks)
        return "expected a root among the PEs";
    const struct record_part *causes = replay_words_part(w, "causes");
    for (int64_t k = 0; causes && k + 1 < causes->n; k += 2)
        if (causes->at[k] < 0 || causes->at[k] >= ranks || causes->at[k + 1] < 2)
            return "expected waits that end by operations of the trace's PEs";
    return NULL;
}

int replay_call_check(const struct replay_action *a, uint32_t ranks, struct base_status *st)
{
    struct replay_words w;
    replay_words_of(&w, a);
    const char *why = obstacle(&w, ranks);
    return why ? base_fail(st, "%s cannot be extrapolated: %s", w.f->name, why) : 0;
}

void replay_call_peers(const struct replay_action *a, void (*fn)(void *arg, uint32_t pe), void *arg)
{
    struct replay_words w;
    replay_words_of(&w, a);
    for (uint32_t k = 0; k < w.f->n; k++) {
        const struct record_part *p = &w.part[k];
        for (int64_t i = 0; p->param && meaning_of(p->param) == PEER && i < p->n; i++)
            fn(arg, (uint32_t)p->at[i]);
    }
}

/* --- the same call --------------------------------------------------------------------------------------- */

static bool same_peers(struct replay_grid *g, uint32_t rank, const struct record_part *a, uint32_t other,
                       const struct record_part *b)
{
    int x[REPLAY_DIMENSIONS], y[REPLAY_DIMENSIONS];
    for (int64_t k = 0; k < a->n; k++)
        if (!replay_grid_offset(g, rank, (uint32_t)a->at[k], false, x) ||
            !replay_grid_offset(g, other, (uint32_t)b->at[k], false, y) || memcmp(x, y, sizeof x) != 0)
            return false;
    return true;
}

bool replay_call_same(struct replay_grid *g, uint32_t rank, const struct replay_action *a, uint32_t other,
                      const struct replay_action *b)
{
    struct replay_words x, y;
    if (a->number != b->number)
        return false;
    replay_words_of(&x, a);
    replay_words_of(&y, b);
    for (uint32_t k = 0; k < x.f->n; k++) {
        const struct record_part *p = &x.part[k], *q = &y.part[k];
        enum meaning m = p->param ? meaning_of(p->param) : FREE;
        if (m == FREE)
            continue;
        if (p->n != q->n || (m == PEER && !same_peers(g, rank, p, other, q)))
            return false;
        if (m == SAME && p->n > 0 && memcmp(p->at, q->at, (size_t)p->n * sizeof *p->at) != 0)
            return false;
    }
    return true;
}
