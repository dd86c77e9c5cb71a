/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scopes: accesses to chunks, from the call to the release, and what is known of a chunk by them. What a
 * damaged or filtered trace may lack is put up with: a grant without a call begins where it is, a release
 * without a scope is ignored.
 */
#include "report/sdsm/saying.h"

#include <stdlib.h>

/* --- scopes --------------------------------------------------------------------------------------- */

/* NULL: none. */
static struct sdsm_scope *open_scope(const struct saying *e, uint32_t chunk)
{
    const uint32_t *found = base_table_find(&e->p->open, chunk);
    return found ? &e->p->scopes.at[*found] : NULL;
}

static void note_wait(struct sdsm_chunk *c, struct sdsm_scope *scope, uint32_t rank, double wait)
{
    scope->wait = (float)wait;
    c->waited += wait;
    if (wait <= c->longest)
        return;
    c->longest = wait;
    c->longest_at = scope->begin;
    c->longest_rank = rank;
}

/* One that was not granted has waited all the time. */
static void close_scope(struct report_sdsm *s, struct sdsm_process *p, struct sdsm_scope *scope, double time)
{
    struct sdsm_chunk *c = base_table_at(&s->chunks, scope->chunk);
    scope->end = time;
    if (scope->granted)
        c->held += time - scope->begin - (double)scope->wait;
    else
        note_wait(c, scope, (uint32_t)(p - s->process), time - scope->begin);
    base_table_remove(&p->open, scope->chunk);
}

static void begin_scope(const struct saying *e, uint32_t chunk)
{
    struct sdsm_scope *before = open_scope(e, chunk);
    if (before) /* one within the other: a mistake of the program */
        close_scope(e->s, e->p, before, e->time);
    const struct sdsm_scope new = {.begin = e->time, .chunk = chunk, .mode = (uint8_t)e->v[1]};
    *(uint32_t *)base_table_add(&e->p->open, chunk, NULL) = (uint32_t)e->p->scopes.n;
    BASE_ARRAY_PUSH(&e->p->scopes, new);
}

bool sdsm_on_acquire(const struct saying *e)
{
    if (e->v[1] < 0 || e->v[1] >= SDSM_MODES || e->p->scopes.n == UINT32_MAX)
        return false;
    begin_scope(e, base_table_number(&e->s->chunks, sdsm_chunk_of(e->s, e->v[0])));
    return true;
}

bool sdsm_on_granted(const struct saying *e)
{
    struct sdsm_chunk *c = sdsm_chunk_of(e->s, e->v[0]);
    uint32_t number = base_table_number(&e->s->chunks, c);
    if (!open_scope(e, number) && !sdsm_on_acquire(e))
        return false;
    struct sdsm_scope *scope = open_scope(e, number);
    if (!scope || scope->granted)
        return false;
    scope->granted = true;
    scope->hit = e->v[2] != 0;
    scope->bytes = sdsm_above(e->v[3]);
    c->scopes[scope->mode]++;
    c->hits += scope->hit;
    c->moved += scope->bytes;
    note_wait(c, scope, e->rank, e->time - scope->begin);
    return true;
}

static struct sdsm_writer *writer_of(struct sdsm_chunk *c, uint32_t rank)
{
    uint32_t known = c->writers < SDSM_WRITERS ? c->writers : SDSM_WRITERS;
    for (uint32_t k = 0; k < known; k++)
        if (c->writer[k].rank == rank)
            return &c->writer[k];
    c->writers = known + 1;
    if (known == SDSM_WRITERS)
        return NULL;
    c->writer[known] = (struct sdsm_writer){.rank = rank};
    return &c->writer[known];
}

static void note_change(struct sdsm_chunk *c, uint32_t rank, const int64_t *v)
{
    uint64_t first = sdsm_above(v[2]), end = sdsm_above(v[3]), changed = sdsm_above(v[4]);
    c->written += sdsm_above(v[5]);
    c->changed += changed;
    c->handovers += c->last_writer != rank && c->last_writer != UINT32_MAX;
    c->last_writer = rank;
    struct sdsm_writer *w = writer_of(c, rank);
    if (!w)
        return;
    w->scopes++;
    w->changed += changed;
    if (first >= end)
        return;
    w->first = w->end && w->first < first ? w->first : first;
    w->end = w->end > end ? w->end : end;
}

bool sdsm_on_release(const struct saying *e)
{
    struct sdsm_chunk *c = base_table_find(&e->s->chunks, (uint64_t)e->v[0]);
    struct sdsm_scope *scope = c ? open_scope(e, base_table_number(&e->s->chunks, c)) : NULL;
    if (!scope)
        return false;
    scope->ended = true;
    if (e->v[5] > 0)
        c->size = (uint64_t)e->v[5];
    if (scope->mode != SDSM_READ)
        note_change(c, e->rank, e->v);
    close_scope(e->s, e->p, scope, e->time);
    return true;
}

void sdsm_close_scopes(struct report_sdsm *s, struct sdsm_process *p, double end)
{
    uint32_t at = 0;
    for (const uint32_t *k; (k = base_table_next(&p->open, &at));)
        close_scope(s, p, &p->scopes.at[*k], end > p->now ? end : p->now);
}

static int by_first(const void *a, const void *b)
{
    const struct sdsm_writer *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* All writers' changes must be known: those beyond SDSM_WRITERS are not. They are in order of what they
 * change afterwards. */
bool sdsm_are_apart(struct sdsm_chunk *c)
{
    struct sdsm_writer *w = c->writer;
    if (c->writers < 2 || c->writers > SDSM_WRITERS)
        return false;
    qsort(w, c->writers, sizeof *w, by_first);
    for (uint32_t k = 0; k < c->writers; k++)
        if (!w[k].end || (k && w[k].first < w[k - 1].end))
            return false;
    return true;
}
