/* SPDX-License-Identifier: BSD-3-Clause */
/* strand: the threads of ranks. A rank's first thread has the rank's number as its id. */
#include "check/race/accesses.h"
#include "check/race/strands.h"

#include <stdlib.h>

static void begin(struct race *d, struct race_strand *s, struct rank *r, uint32_t thread)
{
    *s = (struct race_strand){.id = d->ids++, .count = 1, .rank = r, .thread = thread};
}

void race_strands_init(struct race *d)
{
    uint32_t n = rank_room(d->job);
    d->first = base_alloc(n * sizeof *d->first, "checked threads");
    for (uint32_t k = 0; k < n; k++)
        begin(d, &d->first[k], rank_at(d->job, k), 0);
    base_table_init(&d->others, BASE_NUMBERS, sizeof(struct race_strand *), "checked threads");
    base_table_init(&d->by_id, BASE_NUMBERS, sizeof(struct race_strand *), "checked threads");
    base_pool_init(&d->strands, sizeof(struct race_strand), "checked threads");
}

static void end(struct race *d, struct race_strand *s)
{
    race_moment_forget(d, s->got);
    race_moment_forget(d, s->relaxed);
    race_moment_forget(d, s->fence);
    race_moment_forget(d, s->base);
    s->got = s->relaxed = s->fence = s->base = 0;
    clock_clear(d->nodes, &s->clock);
    free(s->frames.at);
    s->frames.at = NULL;
    s->frames.n = s->frames.cap = 0;
}

void race_strands_release(struct race *d)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < rank_room(d->job); k++)
        end(d, &d->first[k]);
    for (struct race_strand **s; (s = base_table_next(&d->by_id, &at));)
        end(d, *s);
    base_table_release(&d->others);
    base_table_release(&d->by_id);
    base_pool_release(&d->strands);
    free(d->first);
}

static uint64_t key_of(const struct rank *r, uint32_t thread)
{
    return (uint64_t)r->id << 32 | thread;
}

static struct race_strand *other(struct race *d, struct rank *r, uint32_t thread)
{
    bool fresh;
    struct race_strand **s = base_table_add(&d->others, key_of(r, thread), &fresh);
    if (fresh) {
        *s = base_pool_get(&d->strands);
        begin(d, *s, r, thread);
        *(struct race_strand **)base_table_add(&d->by_id, (*s)->id, NULL) = *s;
    }
    return *s;
}

struct race_strand *race_strand_of(struct race *d, struct rank *r, const struct engine_actor *a)
{
    const void *local = a ? engine_actor_local(a) : NULL;
    uint32_t thread = local && r->provider->life->thread ? r->provider->life->thread(local) : 0;
    return thread ? other(d, r, thread) : &d->first[r->id];
}

struct race_strand *race_strand_look_up(struct race *d)
{
    d->now = race_strand_of(d, rank_current, engine_current(d->engine));
    if (!d->lent && !race_values_matter(d)) {
        d->quick = rank_current;
        d->quick_own = shadow_key(d->quick->id + 1, 0) - d->static_page;
    }
    d->era = (uint64_t)d->now->id << 32 | d->now->count;
    return d->now;
}

/* What it did stays known; a later thread of the same number is another strand. */
void race_strand_end(struct race *d, struct race_strand *s)
{
    if (!s->thread)
        return;
    end(d, s);
    base_table_remove(&d->others, key_of(s->rank, s->thread));
    race_strand_forget(d);
}

void race_strand_raise(struct race *d, struct race_strand *s)
{
    s->count++;
    if (s == d->now)
        d->era = (uint64_t)s->id << 32 | s->count;
}

const struct race_strand *race_strand_find(const struct race *d, uint32_t id)
{
    if (id < rank_room(d->job))
        return &d->first[id];
    struct race_strand **s = base_table_find(&d->by_id, id);
    return s ? *s : NULL;
}
