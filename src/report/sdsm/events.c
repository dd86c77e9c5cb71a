/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events: from single events to what happened, but for scopes (scopes.c). What cannot be understood is
 * ignored and counted.
 */
#include "report/sdsm/saying.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct report_sdsm *sdsm_create(uint32_t processes)
{
    struct report_sdsm *s = base_zalloc(sizeof *s, "facts of the S-DSM");
    s->process = base_zalloc(processes * sizeof *s->process, "facts of the S-DSM");
    s->processes = processes;
    base_table_init(&s->chunks, BASE_NUMBERS, sizeof(struct sdsm_chunk), "chunks of the S-DSM");
    for (uint32_t k = 0; k < processes; k++) {
        base_table_init(&s->process[k].open, BASE_NUMBERS, sizeof(uint32_t), "open scopes of the S-DSM");
        s->process[k].role = s->process[k].server = SDSM_NOBODY;
        for (int w = 0; w < SDSM_WAITS; w++)
            s->process[k].wait[w].since = -1;
    }
    return s;
}

void sdsm_destroy(struct report_sdsm *s)
{
    if (!s)
        return;
    for (uint32_t k = 0; k < s->processes; k++) {
        free(s->process[k].scopes.at);
        free(s->process[k].allocations.at);
        free(s->process[k].sent.at);
        base_table_release(&s->process[k].open);
    }
    base_table_release(&s->chunks);
    free(s->process);
    free(s);
}

/* --- what events say ------------------------------------------------------------------------------- */

struct sdsm_chunk *sdsm_chunk_of(struct report_sdsm *s, int64_t id)
{
    bool fresh;
    struct sdsm_chunk *c = base_table_add(&s->chunks, (uint64_t)id, &fresh);
    if (fresh)
        *c = (struct sdsm_chunk){.id = (uint64_t)id, .last_writer = UINT32_MAX};
    return c;
}

static bool on_process(const struct saying *e)
{
    e->p->role = e->v[0];
    e->p->server = e->v[1] >= 0 && e->v[1] < (int64_t)e->s->processes ? e->v[1] : SDSM_NOBODY;
    e->p->told = true;
    return true;
}

static uint32_t small(int64_t v)
{
    return v < 0 ? 0 : v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

static bool on_alloc(const struct saying *e)
{
    if (e->v[2] < 0 || e->v[2] >= SDSM_ALLOCS)
        return false;
    struct sdsm_chunk *c = sdsm_chunk_of(e->s, e->v[0]);
    if (e->v[1] > 0)
        c->size = (uint64_t)e->v[1];
    const struct sdsm_allocation a = {e->time, base_table_number(&e->s->chunks, c), small(e->v[3]),
                                      small(e->v[4]), (uint8_t)e->v[2]};
    BASE_ARRAY_PUSH(&e->p->allocations, a);
    return true;
}

/* --- the rest ------------------------------------------------------------------------------------- */

static bool on_sent(const struct saying *e)
{
    if (e->v[0] < 0 || e->v[0] >= (int64_t)e->s->processes || e->v[1] < 0)
        return false;
    const struct sdsm_sent sent = {(uint32_t)e->v[0],
                                   e->v[1] < SDSM_TYPES ? (uint32_t)e->v[1] : SDSM_TYPES - 1,
                                   sdsm_above(e->v[2]), sdsm_above(e->v[3])};
    BASE_ARRAY_PUSH(&e->p->sent, sent);
    e->s->process[sent.peer].seen = true;
    return true;
}

static bool on_time(const struct saying *e)
{
    for (int k = 0; k < SDSM_CLASSES; k++)
        e->p->time[k] = 1e-9 * (double)sdsm_above(e->v[k]);
    e->p->timed = true;
    return true;
}

static bool on_energy(const struct saying *e)
{
    e->p->joules = 1e-6 * (double)sdsm_above(e->v[0]);
    e->p->metered = true;
    return true;
}

static void end_wait(struct sdsm_waits *w, double time)
{
    double seconds = time - w->since;
    w->count++;
    w->seconds += seconds;
    w->longest = seconds > w->longest ? seconds : w->longest;
    w->since = -1;
}

static bool on_wait(const struct saying *e)
{
    if (e->v[0] < 0 || e->v[0] >= SDSM_WAITS)
        return false;
    e->p->wait[e->v[0]].since = e->time;
    return true;
}

static bool on_woken(const struct saying *e)
{
    if (e->v[0] < 0 || e->v[0] >= SDSM_WAITS || e->p->wait[e->v[0]].since < 0)
        return false;
    end_wait(&e->p->wait[e->v[0]], e->time);
    return true;
}

static bool on_notify(const struct saying *e)
{
    sdsm_chunk_of(e->s, e->v[0]);
    e->p->notices++;
    return true;
}

/* `values`: how many it has, at least. Handlers return false for what they cannot use. */
static const struct kind {
    const char *name;
    uint32_t values;
    bool (*take)(const struct saying *e);
} kinds[] = {
    {"sat.acquire", 3, sdsm_on_acquire},
    {"sat.granted", 4, sdsm_on_granted},
    {"sat.release", 6, sdsm_on_release},
    {"sat.alloc", 5, on_alloc},
    {"sat.wait", 2, on_wait},
    {"sat.woken", 2, on_woken},
    {"sat.notify", 1, on_notify},
    {"sat.sent", 4, on_sent},
    {"sat.process", 2, on_process},
    {"sat.time", 4, on_time},
    {"sat.energy", 1, on_energy},
};

static const struct kind *kind_of(const char *name)
{
    for (size_t k = 0; k < BASE_LENGTH(kinds); k++)
        if (!strcmp(name, kinds[k].name))
            return &kinds[k];
    return NULL;
}

bool sdsm_is_event(const char *name)
{
    return name && !strncmp(name, "sat.", 4);
}

const char *sdsm_event_name(const char *text)
{
    const struct kind *kind = kind_of(text);
    return kind ? kind->name : NULL;
}

void sdsm_add(struct report_sdsm *s, double time, uint32_t rank, const char *name, const int64_t *values,
              uint32_t n)
{
    const struct kind *kind = kind_of(name);
    s->events++;
    if (!kind || n < kind->values || rank >= s->processes || !isfinite(time)) {
        s->ignored++;
        return;
    }
    struct sdsm_process *p = &s->process[rank];
    p->seen = true;
    p->now = time > p->now ? time : p->now;
    if (!kind->take(&(struct saying){s, p, rank, p->now, values}))
        s->ignored++;
}

/* --- the end -------------------------------------------------------------------------------------- */

static void count_processes(struct report_sdsm *s)
{
    uint32_t *last = base_alloc((s->chunks.n + 1) * sizeof *last, "facts of the S-DSM");
    memset(last, 255, (s->chunks.n + 1) * sizeof *last);
    for (uint32_t k = 0; k < s->processes; k++)
        for (size_t i = 0; i < s->process[k].scopes.n; i++) {
            uint32_t chunk = s->process[k].scopes.at[i].chunk;
            if (last[chunk] == k)
                continue;
            last[chunk] = k;
            ((struct sdsm_chunk *)base_table_at(&s->chunks, chunk))->processes++;
        }
    free(last);
}

static void sum_chunks(struct report_sdsm *s)
{
    uint32_t at = 0;
    for (struct sdsm_chunk *c; (c = base_table_next(&s->chunks, &at));) {
        for (int m = 0; m < SDSM_MODES; m++)
            s->scopes[m] += c->scopes[m];
        c->apart = sdsm_are_apart(c);
        s->hits += c->hits;
        s->moved += c->moved;
        s->written += c->written;
        s->changed += c->changed;
        s->waited += c->waited;
    }
}

void sdsm_finish(struct report_sdsm *s, double end)
{
    s->end = end;
    for (uint32_t k = 0; k < s->processes; k++) {
        sdsm_close_scopes(s, &s->process[k], end);
        for (int w = 0; w < SDSM_WAITS; w++) /* those that nobody ended */
            if (s->process[k].wait[w].since >= 0)
                end_wait(&s->process[k].wait[w], end > s->process[k].now ? end : s->process[k].now);
        s->seen += s->process[k].seen;
        s->servers += s->process[k].seen && s->process[k].told && s->process[k].role == 0;
    }
    count_processes(s);
    sum_chunks(s);
}
