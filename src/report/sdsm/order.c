/* SPDX-License-Identifier: BSD-3-Clause */
/* order: what comes first in tables and figures; names of what is counted. */
#include "report/sdsm/sdsm.h"

#include <stdlib.h>
#include <string.h>

static const char *named(const char *const *names, size_t n, size_t k)
{
    return k < n ? names[k] : "other";
}

const char *sdsm_mode_text(enum sdsm_mode mode)
{
    static const char *const names[] = {"read", "write", "readwrite"};
    return named(names, BASE_LENGTH(names), mode);
}

const char *sdsm_alloc_text(enum sdsm_alloc alloc)
{
    static const char *const names[] = {"malloc", "lookup", "free", "evict", "filled"};
    return named(names, BASE_LENGTH(names), alloc);
}

const char *sdsm_wait_text(enum sdsm_wait wait)
{
    static const char *const names[] = {"rendezvous", "barriers", "locks"};
    return named(names, BASE_LENGTH(names), wait);
}

const char *sdsm_class_text(enum sdsm_class class)
{
    static const char *const names[] = {"user code", "S-DSM code", "sync MP", "sleep"};
    return named(names, BASE_LENGTH(names), class);
}

const char *sdsm_type_text(unsigned type)
{
    static const char *const names[] = {"hello",       "request_topology", "reply_topology",    "data_ctrl",
                                        "consistency", "synchronization",  "publish_subscribe", "termination",
                                        "jia"};
    return named(names, BASE_LENGTH(names), type);
}

/* --- chunks --------------------------------------------------------------------------------------- */

double sdsm_key_hot(const struct sdsm_chunk *c)
{
    return (double)sdsm_chunk_scopes(c);
}

double sdsm_key_contended(const struct sdsm_chunk *c)
{
    return c->waited;
}

double sdsm_key_apart(const struct sdsm_chunk *c)
{
    return c->apart ? (double)(c->handovers ? c->handovers : 1) : 0;
}

struct keyed {
    double key;
    uint64_t id;
    uint32_t number;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->key < y->key || x->key > y->key)
        return x->key > y->key ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static double no_key(const struct sdsm_chunk *c)
{
    return c ? 1 : 0;
}

size_t sdsm_order(const struct report_sdsm *s, sdsm_key_fn key, size_t most, uint32_t **out)
{
    struct keyed *all = base_alloc((s->chunks.n + 1) * sizeof *all, "chunks in order");
    size_t n = 0;
    for (uint32_t k = 0; k < s->chunks.n; k++) {
        const struct sdsm_chunk *c = sdsm_chunk_at(s, k);
        if (key(c) > 0)
            all[n++] = (struct keyed){key(c), c->id, k};
    }
    qsort(all, n, sizeof *all, by_key);
    n = most && most < n ? most : n;
    *out = base_alloc((n + 1) * sizeof **out, "chunks in order");
    for (size_t k = 0; k < n; k++)
        (*out)[k] = all[k].number;
    free(all);
    return n;
}

uint32_t *sdsm_by_id(const struct report_sdsm *s)
{
    uint32_t *order;
    sdsm_order(s, no_key, 0, &order);
    return order;
}

/* --- scopes --------------------------------------------------------------------------------------- */

static int longest_first(const void *a, const void *b)
{
    const struct sdsm_scope *x = *(const struct sdsm_scope *const *)a,
                            *y = *(const struct sdsm_scope *const *)b;
    double dx = x->end - x->begin, dy = y->end - y->begin;
    if (dx < dy || dx > dy)
        return dx > dy ? -1 : 1;
    return (x > y) - (x < y);
}

static int first_first(const void *a, const void *b)
{
    const struct sdsm_scope *x = *(const struct sdsm_scope *const *)a,
                            *y = *(const struct sdsm_scope *const *)b;
    return (x > y) - (x < y); /* they are in order of their begins */
}

const struct sdsm_scope **sdsm_choose(const struct sdsm_process *p, size_t most, size_t *n)
{
    const struct sdsm_scope **list =
        base_alloc((p->scopes.n + 1) * sizeof(struct sdsm_scope *), "scopes of a figure");
    *n = p->scopes.n;
    for (size_t k = 0; k < *n; k++)
        list[k] = &p->scopes.at[k];
    *n = most ? *n : 0;
    if (*n <= most)
        return list;
    qsort(list, *n, sizeof *list, longest_first);
    size_t longest = most / 2, rest = *n - longest, step = (rest + most - longest - 1) / (most - longest);
    qsort(list + longest, rest, sizeof *list, first_first);
    size_t kept = longest;
    for (size_t k = longest; k < *n; k += step)
        list[kept++] = list[k];
    *n = kept;
    qsort(list, *n, sizeof *list, first_first);
    return list;
}

/* --- processes ------------------------------------------------------------------------------------ */

uint32_t *sdsm_in_order(const struct report_sdsm *s, uint32_t *n)
{
    uint32_t *order = base_alloc((s->processes + 1) * sizeof *order, "processes in order");
    *n = 0;
    for (int servers = 1; servers >= 0; servers--)
        for (uint32_t k = 0; k < s->processes; k++)
            if (s->process[k].seen && (s->process[k].told && s->process[k].role == 0) == servers)
                order[(*n)++] = k;
    return order;
}
