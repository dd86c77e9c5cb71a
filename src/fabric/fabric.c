/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fabric: creating and destroying a fabric, and queries about it as a whole. No other file of fabric/ needs
 * this one. The stages of an operation are in op.c.
 */
#include "fabric/parts.h"

#include <stdlib.h>

struct fabric *fabric_create(struct engine *e, struct fluid *fl, struct platform *p,
                             const struct base_settings *settings)
{
    struct fabric *f = base_zalloc(sizeof *f, "the fabric");
    f->engine = e;
    f->fluid = fl;
    f->platform = p;
    f->hosts = platform_host_count(p);
    f->nics = base_reserve(f->hosts * sizeof *f->nics, "network cards");
    struct base_status st;
    if (fabric_model_read(&f->model, settings, &st) || fabric_network_read(&f->network, settings, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    fabric_hosts_read(f, settings);
    fabric_paths_init(f);
    fabric_both_init(f);
    platform_realize(p, fl, &f->first_link, &f->first_cpu);
    fabric_memories_begin(f);
    fabric_energy_begin(f, settings);
    fabric_links_init(f);
    fabric_transfers_init(f);
    fabric_wires_init(f);
    fabric_loopback_set(f);
    fabric_noise_begin(f, settings);
    fabric_bandwidths_draw(f);
    fabric_flights_init(f);
    fabric_cards_init(f);
    fabric_profiles_note(f);
    fabric_changes_begin(f);
    return f;
}

void fabric_destroy(struct fabric *f)
{
    if (!f)
        return;
    fabric_changes_release(f);
    fabric_flights_release(f);
    fabric_cards_release(f);
    fabric_transfers_release(f);
    fabric_paths_release(f);
    fabric_both_release(f);
    fabric_hosts_release(f);
    fabric_network_release(&f->network);
    fabric_memories_release(f);
    free(f->servers.at);
    free(f->thread_of);
    for (uint32_t h = 0; h < f->hosts; h++) {
        free(f->nics[h].word_free);
        engine_series_release(&f->nics[h].entering);
    }
    base_unreserve(f->nics, f->hosts * sizeof *f->nics);
    fabric_links_release(f);
    fabric_leads_release(f);
    fabric_leasts_release(f);
    energy_destroy(f->energy);
    fabric_noise_release(f);
    free(f);
}

struct engine *fabric_engine(const struct fabric *f)
{
    return f->engine;
}

struct platform *fabric_platform(const struct fabric *f)
{
    return f->platform;
}

struct fluid *fabric_fluid(const struct fabric *f)
{
    return f->fluid;
}

struct fabric_counts fabric_counts(const struct fabric *f)
{
    return (struct fabric_counts){.network = f->on_network,
                                  .local = f->local,
                                  .transfers = f->started,
                                  .paths = f->paths.known.live,
                                  .routed = f->paths.routed,
                                  .messages = f->cards.messages,
                                  .hops = f->cards.hops,
                                  .flits = f->cards.flits};
}
