/* SPDX-License-Identifier: BSD-3-Clause */
/* energy: which hosts and links have watts, from properties and settings; totals. */
#include "energy/internal.h"

#include <stdlib.h>
#include <string.h>

const struct base_setting energy_settings[] = {
    {"energy/account", BASE_TEXT, "auto", "auto, on or off",
     "whether joules are counted; auto: if a host or link of the platform has watts", "SimGrid's plug-ins"},
    {"energy/host", BASE_TEXT, "", "watts as Idle:Epsilon:AllCores, or nothing",
     "power of hosts without wattage_per_state", "none: they take no power"},
    {"energy/link", BASE_TEXT, "", "watts as Idle:Busy, or nothing", "power of links without wattage_range",
     "none: they take no power"},
    {"energy/links", BASE_TEXT, "sampled", "sampled or carried",
     "a link's load: looked at when transfers start and end, as in SimGrid, or the bytes that crossed it",
     "SimGrid's plug-in"},
};
const size_t energy_settings_count = BASE_LENGTH(energy_settings);

/* --- properties ----------------------------------------------------------------------------------------- */

/* Where the host's or link's property stands, for messages. */
static int refuse(const struct platform *p, const char *what, const char *name, const char *key,
                  const char *value, const char *why, struct base_status *st)
{
    struct platform_prop prop;
    for (size_t k = 0; platform_property_at(p, k, &prop); k++)
        if (prop.value == value)
            return base_fail(st, "%s:%u: %s '%.100s': <prop id=\"%s\">: %s", prop.file, prop.line, what, name,
                             key, why);
    return base_fail(st, "%s '%.100s': %s: %s", what, name, key, why);
}

/* A host without the property has the same watts in each pstate. As in SimGrid, one that stands still is full. */
static void each_pstate(struct energy_host *h, const struct platform *p, uint32_t id, uint32_t pstates,
                        bool same, double off)
{
    struct energy_watts first = h->each[0];
    for (uint32_t k = 0; k < pstates; k++) {
        struct energy_watts *w = &h->each[k];
        if (same)
            *w = first;
        w->off = off;
        if (!(platform_host_pstate_speed(p, id, k) > 0))
            w->idle = w->epsilon = w->all_cores;
    }
}

static int host_read(struct energy *e, uint32_t id, const char *otherwise, struct base_status *st)
{
    struct energy_host *h = &e->host[id];
    struct base_status why;
    const struct platform *p = e->platform;
    double dark = 0;
    const char *name = platform_host(p, id)->name, *off = platform_host_property(p, id, "wattage_off"),
               *old = platform_host_property(p, id, "watt_per_state"),
               *text = platform_host_property(p, id, "wattage_per_state");
    uint32_t pstate, pstates = platform_host_pstates(p, id, &pstate);
    if (old)
        return refuse(p, "host", name, "watt_per_state", old,
                      "SimGrid before 3.26; expected wattage_per_state as Idle:Epsilon:AllCores", st);
    h->each = base_zalloc(pstates * sizeof *h->each, "energy of hosts");
    if (text && energy_watts_read(h->each, text, pstates, &why))
        return refuse(p, "host", name, "wattage_per_state", text, why.text, st);
    if (off && energy_watt_read(&dark, off, &why))
        return refuse(p, "host", name, "wattage_off", off, why.text, st);
    if (!text && *otherwise && energy_watts_read(h->each, otherwise, 1, &why))
        return base_fail(st, "setting energy/host: %s", why.text);
    h->known = text || *otherwise || off;
    each_pstate(h, p, id, pstates, !text, dark);
    h->watts = h->each[pstate];
    if (pstates == 1) {
        free(h->each);
        h->each = NULL;
    }
    return 0;
}

static int link_read(struct energy *e, uint32_t id, const char *otherwise, struct base_status *st)
{
    struct energy_link *l = &e->link[id];
    struct base_status why;
    const struct platform *p = e->platform;
    const char *key = "wattage_range", *text = platform_link_property(p, id, key);
    double off;
    if (!text)
        text = platform_link_property(p, id, key = "watt_range");
    if (text && energy_range_read(&l->idle, &l->busy, text, &why))
        return refuse(p, "link", platform_link(p, id)->name, key, text, why.text, st);
    const char *dark = platform_link_property(p, id, "wattage_off");
    if (dark && energy_watt_read(&off, dark, &why)) /* SimGrid reads no further */
        return refuse(p, "link", platform_link(p, id)->name, "wattage_off", dark, why.text, st);
    if (!text && *otherwise && energy_range_read(&l->idle, &l->busy, otherwise, &why))
        return base_fail(st, "setting energy/link: %s", why.text);
    l->known = text || *otherwise;
    l->kept_at = -1;
    return 0;
}

/* --- life ----------------------------------------------------------------------------------------------- */

/* What the platform's properties give watts to: hosts, links. */
struct having {
    bool hosts, links;
};

static struct having look(const struct platform *p)
{
    struct having has = {false, false};
    struct platform_prop prop;
    for (size_t k = 0; platform_property_at(p, k, &prop); k++) {
        has.hosts |=
            prop.hosts && (!strcmp(prop.key, "wattage_per_state") || !strcmp(prop.key, "watt_per_state"));
        has.links |= !prop.hosts && (!strcmp(prop.key, "wattage_range") || !strcmp(prop.key, "watt_range"));
    }
    return has;
}

static int read_all(struct energy *e, bool links, const struct base_settings *s, struct base_status *st)
{
    const char *host = base_settings_text(s, "energy/host"), *link = base_settings_text(s, "energy/link");
    e->host = base_zalloc((e->hosts + !e->hosts) * sizeof *e->host, "energy of hosts");
    for (uint32_t h = 0; h < e->hosts; h++)
        if (host_read(e, h, host, st))
            return -1;
    if (!links)
        return 0;
    e->link = base_zalloc((e->links + !e->links) * sizeof *e->link, "energy of links");
    for (uint32_t l = 0; l < e->links; l++)
        if (link_read(e, l, link, st))
            return -1;
    return 0;
}

static int choice(const struct base_settings *s, const char *key, const char *const *words, int n,
                  const char *expected, struct base_status *st)
{
    const char *word = base_settings_text(s, key);
    for (int k = 0; k < n; k++)
        if (!strcmp(word, words[k]))
            return k;
    return base_fail(st, "setting %s: '%.40s' is unknown; expected %s", key, word, expected);
}

int energy_create(struct energy **out, struct engine *engine, struct fluid *fluid, const struct platform *p,
                  fluid_resource first_link, const struct base_settings *settings, struct base_status *st)
{
    static const char *const accounts[] = {"auto", "on", "off"}, *const ways[] = {"sampled", "carried"};
    *out = NULL;
    if (!base_settings_known(settings, "energy/account"))
        return 0;
    int account = choice(settings, "energy/account", accounts, 3, "auto, on or off", st),
        way = choice(settings, "energy/links", ways, 2, "sampled or carried", st);
    struct having has = look(p);
    has.hosts |= *base_settings_text(settings, "energy/host") != 0;
    has.links |= *base_settings_text(settings, "energy/link") != 0;
    if (account < 0 || way < 0)
        return -1;
    if (account == 2 || (account == 0 && !has.hosts && !has.links))
        return 0;
    struct energy *e = base_zalloc(sizeof *e, "energy");
    *e = (struct energy){.engine = engine,
                         .fluid = fluid,
                         .platform = p,
                         .first_link = first_link,
                         .hosts = platform_host_count(p),
                         .links = platform_link_count(p),
                         .carried = way == 1};
    if (read_all(e, has.links, settings, st)) {
        energy_destroy(e);
        return -1;
    }
    *out = e;
    return 0;
}

void energy_destroy(struct energy *e)
{
    if (!e)
        return;
    for (uint32_t h = 0; e->host && h < e->hosts; h++) {
        free(e->host[h].spans.at);
        free(e->host[h].each);
    }
    free(e->host);
    free(e->link);
    free(e);
}

struct energy_totals energy_totals(struct energy *e)
{
    struct energy_totals t = {0};
    for (uint32_t h = 0; h < e->hosts; h++) {
        double joules = energy_of_host(e, h).all;
        t.hosts += joules;
        t.used_hosts += e->host[h].used ? joules : 0;
        t.with_watts += e->host[h].known;
    }
    for (uint32_t l = 0; e->link && l < e->links; l++) {
        t.links += energy_of_link(e, l);
        t.links_with_watts += e->link[l].known;
    }
    return t;
}
