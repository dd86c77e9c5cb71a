/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * systematic: `pgasim check --systematic`: all choices, one run each. A run lists the points of choice that it has
 * come to. Its children repeat it up to one of the points behind its own last choice, and choose another alternative
 * there. So each execution is run once; those with few choices that are not the plain ones come first (delay
 * bounding, Emmi, Qadeer, Rakamaric: POPL 2011), and what the first failure needs is small.
 *
 * A point's line: "hold@0#0 2 1 MPI_Put by rank 0 (main, a.c:16): kept back until it is needed": key, alternatives,
 * choice.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/explore/parts.h"

/* A run to be made: the choices that are not the plain ones, as lines of check/allow. */
struct script {
    struct explore_lines choices;
    size_t from; /* the points from here on are free */
};

struct search {
    struct explore *x;
    struct explore_findings *f;
    BASE_ARRAY(struct script) script;
    size_t next; /* the first one that was not run */
};

struct point {
    char key[64];
    unsigned long of, chosen;
    const char *text;
};

static bool read_point(const char *line, struct point *p)
{
    int end = 0;
    if (sscanf(line, "%63s %lu %lu %n", p->key, &p->of, &p->chosen, &end) != 3 || !end)
        return false;
    p->text = line + end;
    return true;
}

static char *choice_text(const struct point *p, unsigned long alternative)
{
    return base_strfmt("%s=%lu %s", p->key, alternative, p->text);
}

/* The same choices up to a point, and another one there. */
static void add_child(struct search *s, const struct explore_lines *points, size_t at,
                      unsigned long alternative)
{
    struct script child = {.from = at + 1};
    struct point p;
    for (size_t k = 0; k < at; k++)
        if (read_point(points->line.at[k], &p) && p.chosen)
            BASE_ARRAY_PUSH(&child.choices.line, choice_text(&p, p.chosen));
    if (read_point(points->line.at[at], &p))
        BASE_ARRAY_PUSH(&child.choices.line, choice_text(&p, alternative));
    BASE_ARRAY_PUSH(&s->script, child);
}

/* More than can be run are not kept. */
static void add_children(struct search *s, const struct explore_lines *points, size_t from)
{
    struct point p;
    for (size_t k = 0; k < points->line.n; k++) {
        if (!read_point(points->line.at[k], &p))
            continue;
        s->f->partial |= strstr(p.text, "(not all orders)") != NULL;
        for (unsigned long a = 1; k >= from && a < p.of; a++)
            if (s->script.n <= s->x->request->seeds)
                add_child(s, points, k, a);
    }
}

static struct explore_lines copy_of(const struct explore_lines *l)
{
    struct explore_lines c = {{0}};
    for (size_t k = 0; k < l->line.n; k++)
        BASE_ARRAY_PUSH(&c.line, base_strdup(l->line.at[k]));
    return c;
}

static bool take(void *arg, struct explore_run *r)
{
    struct search *s = arg;
    size_t number = s->next++;
    const size_t from = s->script.at[number].from;
    struct explore_result got = explore_read(s->x, r);
    struct explore_outcome o = explore_outcome_of(&got, &s->x->plain);
    char *path = explore_path(s->x, r->number, "points");
    struct explore_lines points = explore_lines_read(path);
    explore_mistakes_add(s->f, &got.mistakes, &(struct explore_seed){.seed = number});
    explore_result_release(&got);
    explore_findings_add(s->f, number, o, copy_of(&s->script.at[number].choices));
    add_children(s, &points, from);
    explore_lines_release(&points);
    free(path);
    s->f->stopped = s->x->request->stop && explore_is_failure(s->x->request, &o);
    return !s->f->stopped;
}

/* Some of the scripts at once; which ones does not depend on the number of processes. */
static bool run_some(struct search *s)
{
    enum { AT_A_TIME = 64 };
    const uint64_t most = s->x->request->seeds;
    size_t end = s->script.n < most ? s->script.n : most, n = end - s->next, first = s->next;
    if (n > AT_A_TIME)
        n = AT_A_TIME;
    if (!n)
        return false;
    struct explore_run *r = base_zalloc(n * sizeof *r, "runs");
    char **allow = base_zalloc(n * sizeof *allow, "runs");
    for (size_t k = 0; k < n; k++) {
        allow[k] = explore_allow(s->x, &s->script.at[first + k].choices, NULL);
        r[k] = (struct explore_run){
            .way = EXPLORE_NASTY, .scripted = true, .seed = 1, .allow = allow[k], .limit = s->x->limit};
    }
    size_t taken = explore_batch(s->x, r, n, take, s);
    for (size_t k = 0; k < n; k++) {
        unlink(allow[k]);
        free(allow[k]);
    }
    free(allow);
    free(r);
    return taken == n && !s->f->stopped;
}

void explore_systematic(struct explore *x, struct explore_findings *f)
{
    struct search s = {.x = x, .f = f};
    struct script plain = {.from = 0};
    BASE_ARRAY_PUSH(&s.script, plain);
    while (run_some(&s))
        ;
    f->partial |= s.next < s.script.n;
    f->late = s.next < s.script.n && !f->stopped && s.next < x->request->seeds;
    for (size_t k = 0; k < s.script.n; k++)
        explore_lines_release(&s.script.at[k].choices);
    free(s.script.at);
}
