/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * placement: which rank runs on which host, from a hostfile with the syntax of Open MPI and SMPI, or from the
 * platform alone. Entries keep the order of the file. Ranks fill them in one of two orders, and start again
 * from the first when all slots are taken.
 */
#include "platform/model/model.h"
#include "platform/xml/xml.h"

#include <stdlib.h>
#include <string.h>

/* One line of the hostfile, or one host of the platform. */
struct entry {
    uint32_t host;
    uint32_t slots; /* 0: not given */
};
struct entries {
    BASE_ARRAY(struct entry) list;
    const char *name;  /* of the hostfile */
    uint32_t per_host; /* ranks of each host; 0: as the entries say */
};

/* --- the hostfile ------------------------------------------------------------------------------- */

static const char blank[] = " \t\r\f\v";
static const uint64_t slots_limit = 1u << 30;

/* Cuts the next word from *rest; NULL at the end of the line. */
static char *word(char **rest)
{
    char *at = *rest + strspn(*rest, blank);
    size_t length = strcspn(at, blank);
    if (!length)
        return NULL;
    *rest = at + length + (at[length] != 0);
    at[length] = 0;
    return at;
}

static int slots_parse(const char *text, uint32_t *out)
{
    uint64_t n;
    struct base_status why;
    if (base_parse_uint(text, &n, &why) || n < 1 || n > slots_limit)
        return -1;
    *out = (uint32_t)n;
    return 0;
}

/* Of Open MPI's and MPICH's hostfiles: limits, users and interfaces of a real machine. */
static bool is_about_machines(const char *text)
{
    static const char *const keys[] = {"max_slots=", "max-slots=", "ifhn=", "user=", "username=", "binding="};
    for (size_t k = 0; k < BASE_LENGTH(keys); k++)
        if (!strncmp(text, keys[k], strlen(keys[k])))
            return true;
    return false;
}

/* Scripts for one machine say "localhost": here the first host, unless one has that name. */
static bool is_first_host(const struct platform *p, const char *name, uint32_t *out)
{
    *out = 0;
    return p->hosts.n && !strcmp(name, "localhost");
}

/* "host", "host:n" or "host slots=n". */
static int line_parse(const struct platform *p, char *line, struct entry *out, struct base_status *st)
{
    char *host = word(&line), *more = word(&line);
    char *colon = strrchr(host, ':');
    *out = (struct entry){0};
    if (platform_host_find(p, host, &out->host) == 0)
        colon = NULL; /* a colon in its name */
    if (colon && slots_parse(colon + 1, &out->slots))
        return base_fail(st, "'%.80s' is not a number of slots; expected host:n with n > 0", colon + 1);
    if (colon)
        *colon = 0;
    if (platform_host_find(p, host, &out->host) && !is_first_host(p, host, &out->host))
        return base_fail(st, "unknown host '%.80s'; expected a host of platform %.120s", host, p->file);
    bool given = colon != NULL;
    for (; more; more = word(&line)) {
        if (is_about_machines(more))
            continue;
        if (given || strncmp(more, "slots=", 6) || slots_parse(more + 6, &out->slots))
            return base_fail(st, "'%.80s' after the host; expected slots=n with n > 0, or nothing", more);
        given = true;
    }
    return 0;
}

static int line_add(const struct platform *p, struct entries *e, const char *from, size_t length,
                    uint32_t number, struct base_status *st)
{
    const char *comment = memchr(from, '#', length);
    char *line = base_alloc(length + 1, "a hostfile's line");
    struct base_status why;
    struct entry entry;
    int rc = 0;
    memcpy(line, from, length);
    line[comment ? (size_t)(comment - from) : length] = 0;
    if (line[strspn(line, blank)]) {
        rc = line_parse(p, line, &entry, &why);
        if (rc)
            base_fail(st, "%s:%u: %s", e->name, number, why.text);
        else
            BASE_ARRAY_PUSH(&e->list, entry);
    }
    free(line);
    return rc;
}

static int entries_read(const struct platform *p, struct entries *e, const char *text, size_t size,
                        struct base_status *st)
{
    uint32_t number = 1;
    if (memchr(text, 0, size))
        return base_fail(st, "%s: a zero byte; expected text", e->name);
    for (const char *at = text, *end = text + size; at < end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if (line_add(p, e, at, (size_t)(stop - at), number, st))
            return -1;
        at = stop + 1;
    }
    return e->list.n ? 0 : base_fail(st, "%s:%u: no host; expected at least one", e->name, number);
}

/* Gives each entry without a number its slots: one per core if no other line names the host, else 1. */
static void slots_fill(const struct platform *p, struct entries *e)
{
    uint32_t *lines = base_zalloc(p->hosts.n * sizeof *lines, "the hostfile");
    for (size_t k = 0; k < e->list.n; k++)
        lines[e->list.at[k].host]++;
    for (size_t k = 0; k < e->list.n; k++) {
        struct entry *entry = &e->list.at[k];
        if (!entry->slots)
            entry->slots = lines[entry->host] > 1 ? 1 : p->hosts.at[entry->host].cores;
    }
    free(lines);
}

/* Hosts with a property `ranks` "none" are there for others, such as file servers. */
static bool takes_ranks(const struct platform *p, uint32_t host)
{
    const char *ranks = platform_host_property(p, host, "ranks");
    return !ranks || strcmp(ranks, "none") != 0;
}

static void entries_of_platform(const struct platform *p, struct entries *e)
{
    for (uint32_t k = 0; k < p->hosts.n; k++) {
        if (!takes_ranks(p, k))
            continue;
        struct entry entry = {.host = k, .slots = p->hosts.at[k].cores};
        BASE_ARRAY_PUSH(&e->list, entry);
    }
}

/* Each host once, with so many slots. */
static void slots_set(const struct platform *p, struct entries *e)
{
    bool *seen = base_zalloc(p->hosts.n * sizeof *seen, "the hostfile");
    size_t kept = 0;
    for (size_t k = 0; k < e->list.n; k++) {
        uint32_t host = e->list.at[k].host;
        if (!seen[host])
            e->list.at[kept++] = (struct entry){host, e->per_host};
        seen[host] = true;
    }
    e->list.n = kept;
    free(seen);
}

/* --- ranks -------------------------------------------------------------------------------------- */

static void place_by_core(const struct entries *e, uint32_t ranks, uint32_t *rank_host)
{
    size_t at = 0;
    for (uint32_t rank = 0, used = 0; rank < ranks; rank++) {
        rank_host[rank] = e->list.at[at].host;
        if (++used == e->list.at[at].slots) {
            used = 0;
            at = (at + 1) % e->list.n;
        }
    }
}

/* Goes round the entries that have free slots; full entries drop out. */
static void place_by_host(const struct entries *e, uint32_t ranks, uint32_t *rank_host)
{
    size_t n = e->list.n, left = n;
    struct entry *round = base_alloc(n * sizeof *round, "placement");
    memcpy(round, e->list.at, n * sizeof *round);
    for (uint32_t rank = 0; rank < ranks;) {
        size_t kept = 0;
        for (size_t k = 0; k < left && rank < ranks; k++) {
            rank_host[rank++] = round[k].host;
            if (--round[k].slots)
                round[kept++] = round[k];
        }
        left = kept;
        if (!left) {
            memcpy(round, e->list.at, n * sizeof *round);
            left = n;
        }
    }
    free(round);
}

static struct platform_placement summary(const struct platform *p, const struct entries *e, uint32_t ranks,
                                         const uint32_t *rank_host)
{
    struct platform_placement out = {0};
    uint32_t *on_host = base_zalloc(p->hosts.n * sizeof *on_host, "placement");
    for (size_t k = 0; k < e->list.n; k++)
        out.slots += e->list.at[k].slots;
    for (uint32_t rank = 0; rank < ranks; rank++)
        on_host[rank_host[rank]]++;
    for (size_t k = 0; k < p->hosts.n; k++) {
        out.hosts += on_host[k] > 0;
        out.crowded += on_host[k] > p->hosts.at[k].cores;
    }
    free(on_host);
    return out;
}

static void place(const struct platform *p, struct entries *e, uint32_t ranks, enum platform_map map,
                  uint32_t *rank_host, struct platform_placement *out)
{
    if (e->per_host)
        slots_set(p, e);
    else
        slots_fill(p, e);
    BASE_ASSERT("P8", e->list.at && e->list.n);
    if (map == PLATFORM_MAP_CORE)
        place_by_core(e, ranks, rank_host);
    else
        place_by_host(e, ranks, rank_host);
    *out = summary(p, e, ranks, rank_host);
}

/* One rank per actor, whatever the order of filling hosts. */
static int place_deployed(const struct platform *p, uint32_t ranks, const char *text, size_t size,
                          const char *name, uint32_t *rank_host, struct platform_placement *out,
                          struct base_status *st)
{
    struct entries e = {.name = name};
    uint32_t *hosts, n;
    if (platform_deployment_read(p, text, size, name, &hosts, &n, st))
        return -1;
    int rc = ranks <= n ? 0
                        : base_fail(st, "%s: %u <actor>s for %u ranks; expected at least one per rank", name,
                                    n, ranks);
    for (uint32_t k = 0; rc == 0 && k < n; k++) {
        struct entry entry = {.host = hosts[k], .slots = 1};
        BASE_ARRAY_PUSH(&e.list, entry);
    }
    if (rc == 0)
        place(p, &e, ranks, PLATFORM_MAP_CORE, rank_host, out);
    free(hosts);
    free(e.list.at);
    return rc;
}

static int place_by_text(const struct platform *p, uint32_t ranks, const char *text, size_t size,
                         const char *name, const struct platform_where *where, uint32_t *rank_host,
                         struct platform_placement *out, struct base_status *st)
{
    struct entries e = {.name = name, .per_host = where->per_host};
    if (platform_is_deployment(text, size))
        return place_deployed(p, ranks, text, size, name, rank_host, out, st);
    int rc = entries_read(p, &e, text, size, st);
    if (rc == 0)
        place(p, &e, ranks, where->map, rank_host, out);
    free(e.list.at);
    return rc;
}

int platform_place_text(const struct platform *p, uint32_t ranks, const char *text, size_t size,
                        const char *name, enum platform_map map, uint32_t *rank_host,
                        struct platform_placement *out, struct base_status *st)
{
    return place_by_text(p, ranks, text, size, name, &(struct platform_where){.map = map}, rank_host, out,
                         st);
}

/* A list between commas is a hostfile of one line each. */
static int place_on_hosts(const struct platform *p, uint32_t ranks, const struct platform_where *where,
                          uint32_t *rank_host, struct platform_placement *out, struct base_status *st)
{
    char *text = base_strdup(where->hosts);
    for (char *c = text; *c; c++)
        if (*c == ',')
            *c = '\n';
    int rc = place_by_text(p, ranks, text, strlen(text), "-host", where, rank_host, out, st);
    free(text);
    return rc;
}

int platform_place_where(const struct platform *p, uint32_t ranks, const struct platform_where *where,
                         uint32_t *rank_host, struct platform_placement *out, struct base_status *st)
{
    if (where->hosts)
        return place_on_hosts(p, ranks, where, rank_host, out, st);
    if (!where->hostfile) {
        struct entries e = {.per_host = where->per_host};
        entries_of_platform(p, &e);
        int rc = e.list.n
                     ? 0
                     : base_fail(st, "%s: no host takes ranks: all have a property ranks=\"none\"", p->file);
        if (!rc)
            place(p, &e, ranks, where->map, rank_host, out);
        free(e.list.at);
        return rc;
    }
    char *text;
    size_t size;
    if (platform_file_read(where->hostfile, &text, &size, st))
        return -1;
    int rc = place_by_text(p, ranks, text, size, where->hostfile, where, rank_host, out, st);
    free(text);
    return rc;
}

int platform_place(const struct platform *p, uint32_t ranks, const char *hostfile, enum platform_map map,
                   uint32_t *rank_host, struct platform_placement *out, struct base_status *st)
{
    return platform_place_where(p, ranks, &(struct platform_where){.hostfile = hostfile, .map = map},
                                rank_host, out, st);
}
