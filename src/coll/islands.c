/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * islands: which hosts of a group are close to each other, worked out when an algorithm of three levels first
 * asks. What counts is the time of an empty message, so that a zone of the platform, a cabinet and the hosts of
 * a leaf switch are found alike. Times of some pairs of hosts, sorted, are cut where they grow most: two hosts
 * whose time is below the cut are of one island. Where that is not so for all of them (in a torus, a host's
 * neighbours are not each other's), or nothing grows by more than a hundredth, there are no islands.
 */
#include "base/numbers.h"
#include "coll/exec.h"

#include <math.h>
#include <stdlib.h>

static const double least_growth = 1.01;

struct survey {
    struct coll_group_record *g;
    const struct coll_hosts *hosts; /* NULL: one member each */
    uint32_t n;                     /* hosts */
    double cut;                     /* seconds */
};

static const struct rank *leader(const struct survey *v, uint32_t host)
{
    const struct coll_group_record *g = v->g;
    uint32_t place = v->hosts ? v->hosts->member[v->hosts->first[host]] : host;
    return g->exec->runtime->rank(g->exec->ctx, coll_group_rank(&g->key, place));
}

static double seconds(const struct survey *v, uint32_t a, uint32_t b)
{
    const struct coll_transport *t = v->g->transport;
    return t->ops->message_time(t->ctx, leader(v, a), leader(v, b));
}

static bool near(const struct survey *v, uint32_t a, uint32_t b)
{
    return seconds(v, a, b) < v->cut;
}

/* --- the cut -------------------------------------------------------------------------------------- */

/* From the first host to the others, and from each to the next. false: all are as far from each other. */
static bool find_cut(struct survey *v)
{
    uint32_t n = 0;
    double *time = base_alloc(2 * (size_t)v->n * sizeof *time, "islands of a group"), most = least_growth;
    for (uint32_t h = 1; h < v->n; h++) {
        time[n++] = seconds(v, 0, h);
        time[n++] = seconds(v, h - 1, h);
    }
    base_numbers_sort(time, n);
    v->cut = 0;
    for (uint32_t k = 1; k < n; k++)
        if (time[k - 1] > 0 && time[k] / time[k - 1] > most) {
            most = time[k] / time[k - 1];
            v->cut = sqrt(time[k] * time[k - 1]);
        }
    free(time);
    return v->cut > 0;
}

/* --- islands -------------------------------------------------------------------------------------- */

/* Finds each host's island; `last` is each island's last host so far. false: they overlap, or hardly any host
 * has another one near. */
static bool sort_out(const struct survey *v, struct coll_islands *l, uint32_t *last)
{
    for (uint32_t h = 0; h < v->n; h++) {
        uint32_t guess = h ? l->island[h - 1] : 0, i = guess;
        if (h && !near(v, last[guess], h))
            for (i = 0; i < l->count && (i == guess || !near(v, last[i], h)); i++)
                ;
        if (i == l->count) {
            l->count++;
            l->first[i] = h; /* its first host, until list_hosts() */
        } else if (!near(v, l->first[i], h)) {
            return false;
        }
        if (l->count > v->n / 2 + 1)
            return false;
        l->island[h] = i;
        last[i] = h;
    }
    return l->count > 1 && l->count < v->n;
}

/* From the islands of the hosts to the hosts of the islands. */
static void list_hosts(struct coll_islands *l, uint32_t n, bool hosts_in_order)
{
    uint32_t done = 0;
    l->in_order = hosts_in_order;
    l->each = n / l->count;
    for (uint32_t i = 0; i <= l->count; i++)
        l->first[i] = 0;
    for (uint32_t h = 0; h < n; h++)
        l->index[h] = l->first[l->island[h] + 1]++;
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->first[i + 1] != n / l->count || n % l->count)
            l->each = 0;
        l->first[i + 1] += l->first[i];
    }
    for (uint32_t h = 0; h < n; h++) {
        uint32_t at = l->first[l->island[h]] + l->index[h];
        l->in_order = l->in_order && at == done++;
        l->host[at] = h;
    }
}

static struct coll_islands *create(struct coll_group_record *g)
{
    const struct coll_hosts *hosts = coll_group_hosts(g);
    struct survey v = {.g = g, .hosts = hosts, .n = hosts ? hosts->count : g->key.size};
    if (v.n < 3 || !find_cut(&v))
        return NULL;
    struct coll_islands *l =
        base_alloc(sizeof *l + (4 * (size_t)v.n + 1) * sizeof *l->island, "islands of a group");
    *l = (struct coll_islands){.island = (uint32_t *)(void *)(l + 1)};
    l->index = l->island + v.n;
    l->host = l->index + v.n;
    l->first = l->host + v.n;
    if (!sort_out(&v, l, l->host)) {
        free(l);
        return NULL;
    }
    list_hosts(l, v.n, !hosts || hosts->in_order);
    return l;
}

const struct coll_islands *coll_group_islands(struct coll_group_record *g, bool ordered)
{
    if (!g->islands_known)
        g->islands = create(g);
    g->islands_known = true;
    const struct coll_islands *l = ordered && g->islands && !g->islands->in_order ? NULL : g->islands;
    if (!l && !g->islands_missed)
        base_notice("coll/two-levels",
                    "%u members on hosts that are as far from each other, or not in order: "
                    "algorithms of three levels have two of them",
                    g->key.size);
    g->islands_missed |= !l;
    return l;
}
