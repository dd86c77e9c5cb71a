/* SPDX-License-Identifier: BSD-3-Clause */
/* cards: counters of network cards, for the summary and --json. */
#include "cli/figures/cards.h"

#include "base/base.h"
#include "base/json.h"

static void raise_to(uint32_t *most, uint32_t value)
{
    if (*most < value)
        *most = value;
}

static void add(void *ctx, uint32_t host, struct node *n)
{
    struct cards *c = ctx;
    struct node_card_counts one = node_card_counts(n), *sum = &c->sum;
    (void)host;
    if (!one.requests)
        return;
    c->n++;
    sum->requests += one.requests;
    sum->loads += one.loads;
    sum->stores += one.stores;
    sum->atomics += one.atomics;
    sum->hits += one.hits;
    sum->merges += one.merges;
    sum->misses += one.misses;
    sum->streams += one.streams;
    sum->executed += one.executed;
    sum->host_reads += one.host_reads;
    sum->host_writes += one.host_writes;
    sum->invalidations += one.invalidations;
    sum->conflicts += one.conflicts;
    sum->stalls += one.stalls;
    sum->stalled += one.stalled;
    raise_to(&sum->most_mshrs, one.most_mshrs);
    raise_to(&sum->most_subentries, one.most_subentries);
    raise_to(&sum->most_stalled, one.most_stalled);
}

struct cards cards_counts(const struct fabric *f)
{
    struct cards c = {0};
    fabric_nodes_each(f, add, &c);
    c.network = fabric_counts(f);
    return c;
}

static void print_network(const struct fabric_counts *n, FILE *out)
{
    char messages[32], flits[32];
    if (n->messages)
        fprintf(out, "pgasim:   to and from them: %s messages, %s flits, over %.2f links on average\n",
                base_show_count(messages, (double)n->messages), base_show_count(flits, (double)n->flits),
                (double)n->hops / (double)n->messages);
}

void cards_print(const struct cards *c, FILE *out)
{
    char requests[32], merges[32], hits[32], misses[32], reads[32], writes[32];
    if (!c->n)
        return;
    fprintf(out,
            "pgasim:   cards: %s requests: %s merged, %s hits, %s misses; lines of host memory: %s read, %s "
            "written\n",
            base_show_count(requests, (double)c->sum.requests),
            base_show_count(merges, (double)c->sum.merges), base_show_count(hits, (double)c->sum.hits),
            base_show_count(misses, (double)c->sum.misses), base_show_count(reads, (double)c->sum.host_reads),
            base_show_count(writes, (double)c->sum.host_writes));
    print_network(&c->network, out);
}

void cards_json(const struct cards *c, struct base_json *j)
{
    const struct node_card_counts *s = &c->sum;
    if (!c->n)
        return;
    base_json_open(j, "card", '{');
    base_json_count(j, "cards", c->n);
    base_json_count(j, "messages", c->network.messages);
    base_json_count(j, "hops", c->network.hops);
    base_json_count(j, "flits", c->network.flits);
    base_json_count(j, "requests", s->requests);
    base_json_count(j, "loads", s->loads);
    base_json_count(j, "stores", s->stores);
    base_json_count(j, "atomics", s->atomics);
    base_json_count(j, "hits", s->hits);
    base_json_count(j, "merges", s->merges);
    base_json_count(j, "misses", s->misses);
    base_json_count(j, "streams", s->streams);
    base_json_count(j, "host_reads", s->host_reads);
    base_json_count(j, "host_writes", s->host_writes);
    base_json_count(j, "invalidations", s->invalidations);
    base_json_count(j, "conflicts", s->conflicts);
    base_json_count(j, "stalls", s->stalls);
    base_json_number(j, "stalled_seconds", s->stalled);
    base_json_count(j, "most_mshrs", s->most_mshrs);
    base_json_count(j, "most_subentries", s->most_subentries);
    base_json_count(j, "most_stalled", s->most_stalled);
    base_json_close(j);
}
