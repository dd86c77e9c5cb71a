/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * energy: tells energy/ when transfers start and end, and what crosses links. As in SimGrid, the moments of a
 * transfer are its start, before its latency, and its end; those of a one-sided operation's flow are the
 * flow's. Crosstraffic counts in a link's load, but is no moment of it.
 */
#include "fabric/parts.h"

struct energy *fabric_energy(const struct fabric *f)
{
    return f->energy;
}

void fabric_energy_moment(struct fabric *f, const struct fabric_path *p)
{
    if (p && !energy_links_are_carried(f->energy))
        energy_links_sample(f->energy, p->way.link, p->way.links);
}

static void carry(struct fabric *f, const struct fabric_path *p, double bytes, double amount)
{
    energy_links_carry(f->energy, p->way.link, p->way.links, amount);
    energy_links_carry(f->energy, p->back, p->backs, fabric_path_back(f, p, bytes) * amount);
}

void fabric_energy_flow(struct fabric *f, const struct fabric_path *p, double bytes, double amount)
{
    if (energy_links_are_carried(f->energy)) {
        carry(f, p, bytes, amount);
    } else {
        energy_links_keep(f->energy, p->way.link, p->way.links);
        energy_links_keep(f->energy, p->back, p->backs);
    }
}

void fabric_energy_cut(struct fabric *f, const struct fabric_path *p, double bytes, double left)
{
    if (energy_links_are_carried(f->energy))
        carry(f, p, bytes, -left);
    else
        fabric_energy_moment(f, p);
}

static void ending(void *ctx, fluid_done_fn done, void *arg)
{
    struct fabric *f = ctx;
    const struct fabric_path *p = f->path_of[0](done, arg);
    fabric_energy_moment(f, p ? p : f->path_of[1](done, arg));
}

void fabric_energy_begin(struct fabric *f, const struct base_settings *settings)
{
    struct base_status st;
    if (energy_create(&f->energy, f->engine, f->fluid, f->platform, f->first_link, settings, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    if (f->energy)
        fluid_on_ending(f->fluid, ending, f);
}
