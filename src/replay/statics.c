/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * statics: addresses for the static data of OpenSHMEM programs, of which a trace knows how large it is. Each player has
 * its own, as locks may lie there; memory that no lock or atomic touches costs nothing.
 */
#include "replay/player.h"

#include <stdlib.h>

void replay_statics_open(struct replay_world *w, const int64_t *pieces, int64_t n)
{
    uint64_t page = base_page_size();
    if (w->statics)
        return;
    struct replay_statics *s = w->statics = base_zalloc(sizeof *s, "static data of replayed ranks");
    for (int64_t k = 0; k + 1 < n && s->n < BASE_LENGTH(s->size); k += 2) {
        uint64_t size = (uint64_t)pieces[k], first = (uint64_t)pieces[k + 1] % page;
        s->size[s->n] = size;
        s->at[s->n++] = s->each + first;
        s->each += (first + size + page - 1) & ~(page - 1);
    }
    s->bytes = s->each * w->ranks;
    if (s->bytes)
        s->base = (uintptr_t)base_reserve(s->bytes, "static data of replayed ranks");
}

void replay_statics_close(struct replay_world *w)
{
    if (w->statics && w->statics->bytes)
        base_unreserve((void *)w->statics->base, w->statics->bytes);
    free(w->statics);
    w->statics = NULL;
}

static uint32_t span_count(const struct rank *r)
{
    const struct replay_statics *s = replay_world_of(replay_job_of(r), r)->statics;
    return s ? s->n : 0;
}

static struct rank_span span_of(const struct rank *r, uint32_t k)
{
    const struct replay_world *w = replay_world_of(replay_job_of(r), r);
    const struct replay_statics *s = w->statics;
    return (struct rank_span){s->base + replay_world_place(w, r->id) * s->each + s->at[k], s->size[k]};
}

static bool object_find(const struct rank *r, uint32_t span, size_t offset, struct rank_object *out)
{
    (void)r, (void)span, (void)offset, (void)out;
    return false;
}

static bool static_name(const struct rank *r, uintptr_t address, char *buf, size_t size)
{
    (void)r, (void)address, (void)buf, (void)size;
    return false;
}

static struct rank_code code_of(const struct rank *r, const void *address)
{
    (void)r, (void)address;
    return (struct rank_code){0, 0};
}

static struct rank_code code_of_low(const struct rank *r, uint32_t address)
{
    (void)r, (void)address;
    return (struct rank_code){0, 0};
}

static struct rank_code code_caller(const struct rank *r)
{
    (void)r;
    return (struct rank_code){0, 0};
}

static void code_source(const struct rank *r, struct rank_code c, struct rank_source *out)
{
    (void)r, (void)c, (void)out;
}

const struct rank_names replay_names = {.span_count = span_count,
                                        .span_of = span_of,
                                        .object_find = object_find,
                                        .static_name = static_name,
                                        .code_of = code_of,
                                        .code_of_low = code_of_low,
                                        .code_caller = code_caller,
                                        .code_source = code_source};
