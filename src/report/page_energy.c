/* SPDX-License-Identifier: BSD-3-Clause */
/* page_energy: the joules of hosts, ranks, phases and links, and the hosts' power over time. */
#include "report/page_internal.h"

#include <stdlib.h>

static void write_list(struct page_json *j, const char *key, const struct report_joules *at, size_t n)
{
    page_json_open(j, key, '[');
    for (size_t k = 0; k < n && k < PAGE_LIST_MOST; k++) {
        page_json_open(j, NULL, '{');
        page_json_text(j, "name", at[k].name);
        page_json_exact(j, "joules", at[k].joules);
        page_json_number(j, "more", at[k].more);
        page_json_close(j, '}');
    }
    page_json_close(j, ']');
}

/* With many ranks, a row is the mean of successive ones. */
static void write_ranks(const struct page *p)
{
    uint32_t ranks = p->f->about->ranks, group = 1 + (ranks ? ranks - 1 : 0) / PAGE_BARS_MOST;
    page_json_count(p->j, "group", group);
    page_json_open(p->j, "ranks", '[');
    for (uint32_t first = 0; first < ranks; first += group) {
        uint32_t end = ranks - first < group ? ranks : first + group;
        double joules = 0, cores = 0;
        for (uint32_t k = first; k < end; k++) {
            joules += p->f->energy->rank[k].joules;
            cores += p->f->energy->rank[k].cores;
        }
        page_json_open(p->j, NULL, '[');
        page_json_number(p->j, NULL, joules / (end - first));
        page_json_number(p->j, NULL, cores / (end - first));
        page_json_close(p->j, ']');
    }
    page_json_close(p->j, ']');
}

void page_write_energy(const struct page *p)
{
    const struct report_energy *x = p->f->energy;
    if (!x || !(x->host.n + x->link.n + x->phase.n)) {
        page_json_text(p->j, "energy", NULL);
        return;
    }
    page_json_open(p->j, "energy", '{');
    page_json_exact(p->j, "hosts", x->hosts);
    page_json_exact(p->j, "links", x->links);
    write_list(p->j, "byHost", x->host.at, x->host.n);
    write_list(p->j, "byLink", x->link.at, x->link.n);
    write_list(p->j, "byPhase", x->phase.at, x->phase.n);
    page_json_count(p->j, "hostsFound", x->host.n);
    page_json_count(p->j, "linksFound", x->link.n);
    page_json_count(p->j, "phasesFound", x->phase.n);
    write_ranks(p);
    page_json_exact(p->j, "width", p->f->bins.width);
    page_json_open(p->j, "power", '[');
    for (uint32_t k = 0; x->power && k < p->f->bins.n; k++)
        page_json_number(p->j, NULL, (double)x->power[k]);
    page_json_close(p->j, ']');
    page_json_close(p->j, '}');
}
