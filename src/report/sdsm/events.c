/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events: from single events to what happened. What a damaged or filtered trace may lack is put up with: a grant
 * without a call begins where it is, a release without a scope is ignored and counted.
 */
#include "report/sdsm/sdsm.h"

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

/* An event under way to its handler. */
struct saying {
    struct report_sdsm *s;
    struct sdsm_process *p;
    uint32_t rank;
    double time;
    const int64_t *v;
};

static struct sdsm_chunk *chunk_of(struct report_sdsm *s, int64_t id)
{
    bool fresh;
    struct sdsm_chunk *c = base_table_add(&s->chunks, (uint64_t)id, &fresh);
    if (fresh)
        *c = (struct sdsm_chunk){.id = (uint64_t)id, .last_writer = UINT32_MAX};
    return c;
}

static uint64_t above(int64_t v)
{
    return v > 0 ? (uint64_t)v : 0;
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
    struct sdsm_chunk *c = chunk_of(e->s, e->v[0]);
    if (e->v[1] > 0)
        c->size = (uint64_t)e->v[1];
    const struct sdsm_allocation a = {e->time, base_table_number(&e->s->chunks, c), small(e->v[3]),
                                      small(e->v[4]), (uint8_t)e->v[2]};
    BASE_ARRAY_PUSH(&e->p->allocations, a);
    return true;
}

/* --- scopes ------------------------------------------------------------------------------------------ */

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

static bool on_acquire(const struct saying *e)
{
    if (e->v[1] < 0 || e->v[1] >= SDSM_MODES || e->p->scopes.n == UINT32_MAX)
        return false;
    begin_scope(e, base_table_number(&e->s->chunks, chunk_of(e->s, e->v[0])));
    return true;
}

static bool on_granted(const struct saying *e)
{
    struct sdsm_chunk *c = chunk_of(e->s, e->v[0]);
    uint32_t number = base_table_number(&e->s->chunks, c);
    if (!open_scope(e, number) && !on_acquire(e))
        return false;
    struct sdsm_scope *scope = open_scope(e, number);
    if (!scope || scope->granted)
        return false;
    scope->granted = true;
    scope->hit = e->v[2] != 0;
    scope->bytes = above(e->v[3]);
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
    uint64_t first = above(v[2]), end = above(v[3]), changed = above(v[4]);
    c->written += above(v[5]);
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

static bool on_release(const struct saying *e)
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

/* --- the rest ---------------------------------------------------------------------------------------- */

static bool on_sent(const struct saying *e)
{
    if (e->v[0] < 0 || e->v[0] >= (int64_t)e->s->processes || e->v[1] < 0)
        return false;
    const struct sdsm_sent sent = {(uint32_t)e->v[0],
                                   e->v[1] < SDSM_TYPES ? (uint32_t)e->v[1] : SDSM_TYPES - 1, above(e->v[2]),
                                   above(e->v[3])};
    BASE_ARRAY_PUSH(&e->p->sent, sent);
    e->s->process[sent.peer].seen = true;
    return true;
}

static bool on_time(const struct saying *e)
{
    for (int k = 0; k < SDSM_CLASSES; k++)
        e->p->time[k] = 1e-9 * (double)above(e->v[k]);
    e->p->timed = true;
    return true;
}

static bool on_energy(const struct saying *e)
{
    e->p->joules = 1e-6 * (double)above(e->v[0]);
    e->p->metered = true;
    return true;
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
    struct sdsm_waits *w = &e->p->wait[e->v[0]];
    double seconds = e->time - w->since;
    w->count++;
    w->seconds += seconds;
    w->longest = seconds > w->longest ? seconds : w->longest;
    w->since = -1;
    return true;
}

static bool on_notify(const struct saying *e)
{
    chunk_of(e->s, e->v[0]);
    e->p->notices++;
    return true;
}

/* `values`: how many it has, at least. Handlers return false for what they cannot use. */
static const struct kind {
    const char *name;
    uint32_t values;
    bool (*take)(const struct saying *e);
} kinds[] = {
    {"sat.acquire", 3, on_acquire}, {"sat.granted", 4, on_granted}, {"sat.release", 6, on_release},
    {"sat.alloc", 5, on_alloc},     {"sat.wait", 2, on_wait},       {"sat.woken", 2, on_woken},
    {"sat.notify", 1, on_notify},   {"sat.sent", 4, on_sent},       {"sat.process", 2, on_process},
    {"sat.time", 4, on_time},       {"sat.energy", 1, on_energy},
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

/* --- the end ----------------------------------------------------------------------------------------- */

static void close_scopes(struct report_sdsm *s, struct sdsm_process *p, double end)
{
    uint32_t at = 0;
    for (const uint32_t *k; (k = base_table_next(&p->open, &at));)
        close_scope(s, p, &p->scopes.at[*k], end > p->now ? end : p->now);
}

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

static int by_first(const void *a, const void *b)
{
    const struct sdsm_writer *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* All writers' changes must be known: those beyond SDSM_WRITERS are not. They are in order of what they change
 * afterwards. */
static bool are_apart(struct sdsm_chunk *c)
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

static void sum_chunks(struct report_sdsm *s)
{
    uint32_t at = 0;
    for (struct sdsm_chunk *c; (c = base_table_next(&s->chunks, &at));) {
        for (int m = 0; m < SDSM_MODES; m++)
            s->scopes[m] += c->scopes[m];
        c->apart = are_apart(c);
        s->hits += c->hits;
        s->moved += c->moved;
        s->written += c->written;
        s->changed += c->changed;
        s->waited += c->waited;
    }
}

void sdsm_finish(struct report_sdsm *s, double end)
{
    for (uint32_t k = 0; k < s->processes; k++) {
        close_scopes(s, &s->process[k], end);
        s->seen += s->process[k].seen;
        s->servers += s->process[k].seen && s->process[k].told && s->process[k].role == 0;
    }
    count_processes(s);
    sum_chunks(s);
}
