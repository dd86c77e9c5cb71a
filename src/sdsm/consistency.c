/* SPDX-License-Identifier: BSD-3-Clause */
/* consistency: the objects that name a protocol and a choice of homes, and what options make of them. */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"
#include "sdsm/protocol/protocol.h"

const struct sat_protocol *const sat_protocols[SAT_PROTOCOLS] = {
#define SAT_PROTOCOL(constructor, table) &(table),
#include "sdsm/protocols.def"
#undef SAT_PROTOCOL
};

/* The paper's choice of homes; one for each protocol, and those of sat_with_home. */
static struct Consistency_t standard[SAT_PROTOCOLS];
static struct chosen {
    struct chosen *next;
    struct Consistency_t consistency;
} * chosen;

uint8_t sat_protocol_number(const struct sat_protocol *p)
{
    uint8_t k = 0;
    while (sat_protocols[k] != p)
        k++;
    return k;
}

static Consistency_t *standard_of(const struct sat_protocol *p)
{
    Consistency_t *c = &standard[sat_protocol_number(p)];
    c->protocol = p;
    return c;
}

#define SAT_PROTOCOL(constructor, table)                                                                     \
    Consistency_t *new##constructor(void);                                                                   \
    Consistency_t *new##constructor(void)                                                                    \
    {                                                                                                        \
        return standard_of(&(table));                                                                        \
    }
#include "sdsm/protocols.def"
#undef SAT_PROTOCOL

static const struct sat_protocol *named(const char *name, size_t n)
{
    for (size_t k = 0; k < SAT_PROTOCOLS; k++)
        if (strlen(sat_protocols[k]->name) == n && !strncmp(sat_protocols[k]->name, name, n))
            return sat_protocols[k];
    return NULL;
}

Consistency_t *sat_protocol(const char *name)
{
    const struct sat_protocol *p = named(name, strlen(name));
    return p ? standard_of(p) : NULL;
}

static Consistency_t *with_home(const struct sat_protocol *p, enum sat_home home, unsigned long argument)
{
    struct chosen *c = chosen;
    while (c && (c->consistency.protocol != p || c->consistency.home != home ||
                 c->consistency.argument != argument))
        c = c->next;
    if (!c) {
        c = sat_alloc(sizeof *c);
        *c = (struct chosen){chosen, {p, home, argument}};
        chosen = c;
    }
    return &c->consistency;
}

Consistency_t *sat_with_home(Consistency_t *consistency, enum sat_home home, unsigned long argument)
{
    if (home == SAT_HOME_CYCLIC && !argument)
        sat_fail(SAT_STATUS_WRONG, NULL, "sat_with_home: blocks of 0 chunks");
    if (home == SAT_HOME_NAMED && sdsm && argument >= (unsigned long)sdsm->n_servers)
        sat_fail(SAT_STATUS_WRONG, NULL, "sat_with_home: server number %lu of %d", argument, sdsm->n_servers);
    return with_home((consistency ? consistency : newHomeBaseLazy())->protocol, home, argument);
}

/* --- --sat-protocol: "NAME", the default, or "OLD=NEW,..." ---------------------------------------- */

static const struct sat_protocol *needed(const char *name, size_t n)
{
    const struct sat_protocol *p = named(name, n);
    if (!p)
        sat_fail(SAT_STATUS_INPUT, NULL,
                 "--sat-protocol: \"%.*s\" is unknown; expected home-mesi, home-lazy, update, migratory, "
                 "write-once, "
                 "private, entry or multiple-writer",
                 (int)n, name);
    return p;
}

static const struct sat_protocol *exchanged(const struct sat_protocol *p, bool given)
{
    const struct sat_protocol *to = p;
    for (const char *at = sdsm->options.protocol; at && *at;) {
        size_t n = strcspn(at, ","), old = strcspn(at, "=");
        if (old < n) {
            const struct sat_protocol *other = needed(at + old + 1, n - old - 1);
            if (needed(at, old) == p)
                to = other;
        } else {
            const struct sat_protocol *initial = needed(at, n);
            if (!given)
                to = initial;
        }
        at += n + (at[n] == ',');
    }
    return to;
}

const Consistency_t *sat_consistency_used(Consistency_t *given, const char *place)
{
    Consistency_t *c = given ? given : newHomeBaseLazy();
    const struct sat_protocol *p = exchanged(c->protocol, given != NULL);
    if (c->home == SAT_HOME_NAMED && c->argument >= (unsigned long)sdsm->n_servers)
        sat_fail(SAT_STATUS_WRONG, place, "a home on server number %lu: there are %d", c->argument,
                 sdsm->n_servers);
    if (p == c->protocol)
        return c;
    return c->home == SAT_HOME_MODULO ? standard_of(p) : with_home(p, c->home, c->argument);
}

void sat_consistency_release(void)
{
    while (chosen) {
        struct chosen *c = chosen;
        chosen = c->next;
        free(c);
    }
}
