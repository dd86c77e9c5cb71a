/* SPDX-License-Identifier: BSD-3-Clause */
/* joules: what a run took, by host, link, rank and phase, for the summary and --json. */
#include "cli/figures/joules.h"

#include "base/json.h"

#include <stdlib.h>

static void take_hosts(struct joules *x, struct energy *e, const struct platform *p)
{
    x->host = base_alloc((x->all.with_watts + 1) * sizeof *x->host, "joules of hosts");
    for (uint32_t h = 0; h < platform_host_count(p); h++) {
        struct energy_joules taken = energy_of_host(e, h);
        if (energy_host_has_watts(e, h))
            x->host[x->hosts++] = (struct joules_of){platform_host(p, h)->name, taken.all, taken.active};
    }
}

static void take_links(struct joules *x, struct energy *e, const struct platform *p)
{
    x->link = base_alloc((x->all.links_with_watts + 1) * sizeof *x->link, "joules of links");
    for (uint32_t l = 0; l < platform_link_count(p); l++)
        if (energy_link_has_watts(e, l))
            x->link[x->links++] = (struct joules_of){platform_link(p, l)->name, energy_of_link(e, l), 0};
}

struct joules joules_of_job(struct rank_job *job)
{
    struct joules x = {.on = false};
    const struct rank_joules *of = rank_energy_divide(job);
    const struct platform *p = fabric_platform(rank_fabric(job));
    if (!of)
        return x;
    x.on = true;
    x.all = energy_totals(of->energy);
    x.ranks_total = of->ranks_total;
    x.ranks = rank_count(job);
    x.rank = base_alloc(x.ranks * sizeof *x.rank, "joules of ranks");
    for (uint32_t k = 0; k < x.ranks; k++)
        x.rank[k] = of->rank[k];
    x.phases = of->phases;
    x.phase = base_alloc((x.phases + 1) * sizeof *x.phase, "joules of phases");
    for (uint32_t k = 0; k < x.phases; k++)
        x.phase[k] =
            (struct joules_of){base_strdup(of->phase[k].name), of->phase[k].joules, of->phase[k].seconds};
    take_hosts(&x, of->energy, p);
    take_links(&x, of->energy, p);
    return x;
}

void joules_release(struct joules *x)
{
    for (uint32_t k = 0; k < x->phases; k++)
        free((char *)(uintptr_t)x->phase[k].name);
    free(x->rank);
    free(x->host);
    free(x->link);
    free(x->phase);
    *x = (struct joules){.on = false};
}

/* --- for people ------------------------------------------------------------------------------------------ */

static void print_phases(const struct joules *x, FILE *out)
{
    enum { SHOWN = 8 };
    if (x->phases < 2)
        return;
    fprintf(out, "pgasim:   energy by phase: ");
    for (uint32_t k = 1; k < x->phases && k <= SHOWN; k++)
        fprintf(out, "%s%s %.4g J", k > 1 ? ", " : "", x->phase[k].name, x->phase[k].joules);
    if (x->phases > SHOWN + 1)
        fprintf(out, ", %u more", x->phases - 1 - SHOWN);
    fprintf(out, ", outside of phases %.4g J\n", x->phase[0].joules);
}

void joules_print(const struct joules *x, FILE *out)
{
    const struct energy_totals *all = &x->all;
    if (!x->on)
        return;
    fprintf(out, "pgasim:   energy: %.6g J", all->hosts + all->links);
    if (all->with_watts)
        fprintf(out, "; %.6g J by %u host%s, of which %.6g J by those that computed", all->hosts,
                all->with_watts, all->with_watts == 1 ? "" : "s", all->used_hosts);
    if (all->links_with_watts)
        fprintf(out, "; %.6g J by %u link%s", all->links, all->links_with_watts,
                all->links_with_watts == 1 ? "" : "s");
    fputc('\n', out);
    print_phases(x, out);
}

/* --- for machines ---------------------------------------------------------------------------------------- */

static void put_list(struct base_json *j, const char *key, const struct joules_of *at, uint32_t n,
                     const char *more)
{
    base_json_open(j, key, '[');
    for (uint32_t k = 0; k < n; k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", at[k].name);
        base_json_number(j, "joules", at[k].joules);
        if (more)
            base_json_number(j, more, at[k].more);
        base_json_close(j);
    }
    base_json_close(j);
}

void joules_json(const struct joules *x, struct base_json *j)
{
    if (!x->on)
        return;
    base_json_open(j, "energy", '{');
    base_json_number(j, "joules", x->all.hosts + x->all.links);
    base_json_number(j, "hosts_joules", x->all.hosts);
    base_json_number(j, "used_hosts_joules", x->all.used_hosts);
    base_json_number(j, "links_joules", x->all.links);
    base_json_number(j, "ranks_joules", x->ranks_total);
    put_list(j, "hosts", x->host, x->hosts, "active_joules");
    put_list(j, "links", x->link, x->links, NULL);
    put_list(j, "phases", x->phase, x->phases, "rank_seconds");
    base_json_open(j, "ranks", '[');
    for (uint32_t k = 0; k < x->ranks; k++)
        base_json_number(j, NULL, x->rank[k]);
    base_json_close(j);
    base_json_close(j);
}
