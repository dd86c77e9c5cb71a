/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places: where the requests of a rank lie. A line names an array of requests by the address of the first one, so it can only
 * name those that lie side by side. The calls of a rank are read twice: first the arrays that they take are found, then
 * the requests are made in the same order at the places that were found for them.
 */
#include "replay/allprof/write.h"
#include "replay/words/words.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 8 }; /* bytes of a request */
/* No requests lie before. An array without requests is said to lie at STEP. */
#define FIRST UINT64_C(0x10000000)

void replay_allprof_places_init(struct replay_allprof_places *p)
{
    *p = (struct replay_allprof_places){.next = FIRST};
    base_table_init(&p->live, BASE_NUMBERS, sizeof(uint64_t), "requests of a trace");
    base_table_init(&p->occupied, BASE_NUMBERS, 0, "requests of a trace");
}

void replay_allprof_places_release(struct replay_allprof_places *p)
{
    base_table_release(&p->live);
    base_table_release(&p->occupied);
    free(p->at.at);
}

static void name(struct replay_allprof_places *p, int64_t word, size_t k)
{
    *(uint64_t *)base_table_add(&p->live, (uint64_t)word, NULL) = k + 1;
}

/* NULL: the word is of no request. */
static uint64_t *place_of(const struct replay_allprof_places *p, int64_t word)
{
    const uint64_t *k = word < RECORD_MADE ? NULL : base_table_find(&p->live, (uint64_t)word);
    return k ? &p->at.at[*k - 1] : NULL;
}

static void occupy(struct replay_allprof_places *p, uint64_t *place, uint64_t at)
{
    *place = at;
    base_table_add(&p->occupied, at, NULL);
}

/* An array of requests that have no place yet gets one. */
static void place_array(struct replay_allprof_places *p, const int64_t *word, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        const uint64_t *place = place_of(p, word[k]);
        if (place && *place)
            return;
    }
    for (int64_t k = 0; k < n; k++) {
        uint64_t *place = place_of(p, word[k]);
        if (place && !*place)
            occupy(p, place, p->next + (uint64_t)k * STEP);
    }
    p->next += (uint64_t)(n > 0 ? n : 0) * STEP;
}

/* What has completed some requests, or all that it tested, becomes waits for them. */
static bool takes_array(const struct replay_words *w)
{
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        if (p->param && p->param->kind == RECORD_ANSWER &&
            (p->at[0] > 0 || (!p->at[0] && !strcmp(p->param->name, "indx"))))
            return false;
    }
    return true;
}

static void read_call(struct replay_allprof_places *p, const struct replay_action *a)
{
    struct replay_words w;
    replay_words_of(&w, a);
    for (uint32_t k = 0; k < w.f->n; k++) {
        const struct record_part *part = &w.part[k];
        if (!part->param || part->param->object != RECORD_REQUEST)
            continue;
        if (part->param->kind == RECORD_HANDLES && part->param->way == RECORD_CHANGED && takes_array(&w))
            place_array(p, part->at, part->n);
        if (part->param->kind == RECORD_HANDLE && part->param->way == RECORD_OUT) {
            name(p, part->at[0], p->at.n);
            BASE_ARRAY_PUSH(&p->at, 0);
        }
    }
}

void replay_allprof_places_find(struct replay_allprof_places *p, struct replay_tape *t, uint32_t rank)
{
    struct replay_cursor c;
    struct replay_action a = {0};
    replay_cursor_begin(t, rank, &c);
    while (replay_cursor_next(t, &c, &a))
        if (a.kind == REPLAY_CALL && a.number < RECORD_MPI_FUNCTIONS)
            read_call(p, &a);
    replay_cursor_end(&c);
    for (size_t k = 0; k < p->at.n; k++)
        if (!p->at.at[k]) {
            occupy(p, &p->at.at[k], p->next);
            p->next += STEP;
        }
    base_table_clear(&p->live);
}

uint64_t replay_allprof_places_make(struct replay_allprof_places *p, int64_t word)
{
    name(p, word, p->made);
    return p->at.at[p->made++];
}

uint64_t replay_allprof_place(const struct replay_allprof_places *p, int64_t word)
{
    const uint64_t *place = place_of(p, word);
    return place ? *place : 0;
}

bool replay_allprof_places_array(const struct replay_allprof_places *p, const int64_t *word, int64_t n,
                                 uint64_t *place)
{
    uint64_t begin = STEP;
    for (int64_t k = 0; k < n && begin == STEP; k++) {
        uint64_t at = replay_allprof_place(p, word[k]);
        if (at)
            begin = at - (uint64_t)k * STEP;
    }
    for (int64_t k = 0; k < n; k++) {
        uint64_t at = replay_allprof_place(p, word[k]), here = begin + (uint64_t)k * STEP;
        if (at ? at != here : base_table_find(&p->occupied, here) != NULL)
            return false;
    }
    *place = begin;
    return true;
}
