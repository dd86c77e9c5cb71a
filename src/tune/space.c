/* SPDX-License-Identifier: BSD-3-Clause */
/* space: what is to be tuned, read from words of the command line. */
#include "tune/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tune_space_init(struct tune_space *s)
{
    *s = (struct tune_space){.budget = INFINITY};
}

void tune_space_release(struct tune_space *s)
{
    for (size_t k = 0; k < s->place.n; k++) {
        free(s->place.at[k].host);
        tune_graph_destroy(s->place.at[k].graph);
    }
    free(s->place.at);
    free(s->op.at);
    free(s->size.at);
    free(s->only.at);
}

uint32_t *tune_hosts_of(const struct rank_job *job, const struct coll_group *g)
{
    uint32_t *host = base_alloc(g->size * sizeof *host, "hosts of a group");
    for (uint32_t p = 0; p < g->size; p++)
        host[p] = rank_at(job, coll_group_rank(g, p))->host;
    return host;
}

uint32_t tune_space_hosts(struct tune_space *s, uint32_t ranks, const uint32_t *host)
{
    return tune_space_graph(s, ranks, host, NULL);
}

uint32_t tune_space_graph(struct tune_space *s, uint32_t ranks, const uint32_t *host,
                          struct tune_graph *graph)
{
    struct tune_place p = {.ranks = ranks, .graph = graph};
    p.host = base_alloc(ranks * sizeof *p.host, "hosts of the ranks");
    memcpy(p.host, host, ranks * sizeof *p.host);
    uint32_t *count = base_zalloc(platform_host_count(s->stage.platform) * sizeof *count, "ranks per host");
    for (uint32_t k = 0; k < ranks; k++)
        if (++count[host[k]] > p.per_host)
            p.per_host = count[host[k]];
    free(count);
    BASE_ARRAY_PUSH(&s->place, p);
    return (uint32_t)s->place.n - 1;
}

int tune_space_place(struct tune_space *s, uint32_t ranks, const struct platform_where *where,
                     struct base_status *st)
{
    struct platform_placement placed;
    uint32_t *host = base_alloc(ranks * sizeof *host, "hosts of the ranks");
    int rc = platform_place_where(s->stage.platform, ranks, where, host, &placed, st);
    if (!rc)
        (void)tune_space_hosts(s, ranks, host);
    free(host);
    return rc;
}

/* Each shape of the list, for so many ranks, is given to the space, or only looked at (NULL). */
static int each_shape(const char *words, uint32_t ranks, struct tune_space *s, const uint32_t *host,
                      struct base_status *st)
{
    for (const char *w = words;; w++) {
        char word[TUNE_GRAPH_NAME] = "";
        size_t n = strcspn(w, ",");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), w);
        struct tune_graph *g = tune_graph_shape(word, ranks, st);
        if (!g)
            return -1;
        if (s && host)
            (void)tune_space_graph(s, ranks, host, g);
        else
            tune_graph_destroy(g);
        w += n;
        if (!*w)
            return 0;
    }
}

int tune_shapes_check(const char *words, struct base_status *st)
{
    return each_shape(words, 2, NULL, NULL, st);
}

int tune_space_shapes(struct tune_space *s, const char *words, struct base_status *st)
{
    BASE_ASSERT("a place", s->place.n > 0);
    const struct tune_place p = s->place.at[s->place.n - 1];
    return each_shape(words, p.ranks, s, p.host, st);
}

bool tune_space_fits(const struct tune_space *s, enum coll_op op, uint32_t place)
{
    const struct tune_place *p = &s->place.at[place];
    return tune_op_has_graph(op) == (p->graph != NULL) && tune_op_is_between(op) == (p->first > 0);
}

uint32_t tune_space_between(struct tune_space *s, uint32_t ranks, const uint32_t *host, uint32_t first)
{
    uint32_t place = tune_space_hosts(s, ranks, host);
    s->place.at[place].first = first;
    return place;
}

void tune_space_halves(struct tune_space *s)
{
    BASE_ASSERT("a place", s->place.n > 0);
    const struct tune_place p = s->place.at[s->place.n - 1];
    (void)tune_space_between(s, p.ranks, p.host, p.ranks - p.ranks / 2);
}

/* --- operations ----------------------------------------------------------------------------------- */

/* In the order of the operations, each once. */
static void add_op(struct tune_space *s, enum coll_op op)
{
    size_t at = 0;
    while (at < s->op.n && s->op.at[at] < op)
        at++;
    if (at < s->op.n && s->op.at[at] == op)
        return;
    BASE_ARRAY_PUSH(&s->op, op);
    memmove(s->op.at + at + 1, s->op.at + at, (s->op.n - 1 - at) * sizeof *s->op.at);
    s->op.at[at] = op;
}

/* Those that have a choice. */
static void add_all(struct tune_space *s)
{
    size_t n;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    for (int op = 0; op < TUNE_OPS; op++) {
        size_t choices = 0;
        for (size_t k = 0; k < n; k++)
            choices += (int)a[k].op == op;
        if (choices > 1 && tune_op_is_tried((enum coll_op)op) && op != COLL_COLLECT)
            add_op(s, (enum coll_op)op);
    }
}

static int unknown_op(const char *word, size_t length, struct base_status *st)
{
    char known[800] = "all";
    const char *name;
    for (size_t k = 0; (name = tune_op_listed(k)); k++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
                 tune_op_listed(k + 1) ? ", " : " or ", name);
    return base_fail(st, "no operation \"%.*s\": expected %s", (int)length, word, known);
}

static int read_op(struct tune_space *s, const char *word, size_t length, struct base_status *st)
{
    enum coll_op op = tune_op_find(word, length);
    if (length == 3 && !strncmp(word, "all", 3))
        add_all(s);
    else if ((int)op == TUNE_OPS)
        return unknown_op(word, length < 60 ? length : 60, st);
    else
        add_op(s, op);
    return 0;
}

int tune_space_ops(struct tune_space *s, const char *words, struct base_status *st)
{
    for (const char *p = words;; p++) {
        size_t n = strcspn(p, ",");
        if (read_op(s, p, n, st))
            return -1;
        p += n;
        if (!*p)
            return 0;
    }
}

/* --- sizes ---------------------------------------------------------------------------------------- */

static void add_size(struct tune_space *s, uint64_t bytes)
{
    size_t at = 0;
    while (at < s->size.n && s->size.at[at] < bytes)
        at++;
    if (at < s->size.n && s->size.at[at] == bytes)
        return;
    BASE_ARRAY_PUSH(&s->size, bytes);
    memmove(s->size.at + at + 1, s->size.at + at, (s->size.n - 1 - at) * sizeof *s->size.at);
    s->size.at[at] = bytes;
}

static int read_size(const char *word, size_t length, uint64_t *out, struct base_status *st)
{
    const uint64_t most = UINT64_C(1) << 40;
    char text[40];
    struct base_status why;
    if (length >= sizeof text)
        return base_fail(st, "\"%.20s...\": expected a size such as 64KiB", word);
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    if (base_parse_size(text, out, &why) || *out == 0 || *out > most)
        return base_fail(st, "\"%s\": expected a size from 1 B to 1 TiB, such as 64KiB", text);
    return 0;
}

static int read_range(struct tune_space *s, const char *word, size_t length, struct base_status *st)
{
    const char *colon = memchr(word, ':', length);
    uint64_t from, to;
    size_t first = colon ? (size_t)(colon - word) : length;
    if (read_size(word, first, &from, st))
        return -1;
    if (!colon) {
        add_size(s, from);
        return 0;
    }
    if (read_size(colon + 1, length - first - 1, &to, st))
        return -1;
    if (to < from)
        return base_fail(st, "\"%.*s\": the second size is less than the first", (int)length, word);
    for (uint64_t bytes = from; bytes < to; bytes *= 2)
        add_size(s, bytes);
    add_size(s, to);
    return 0;
}

int tune_space_sizes(struct tune_space *s, const char *words, struct base_status *st)
{
    for (const char *p = words;; p++) {
        size_t n = strcspn(p, ",");
        if (read_range(s, p, n, st))
            return -1;
        p += n;
        if (!*p)
            return 0;
    }
}
