/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message_model: the parameters of two-sided messages, under SMPI's names, so that a calibration made for
 * SMPI works here. The table below is the reference for their meaning; docs/fabric.md explains how they
 * interact.
 */
#include "fabric/message.h"

#include <stdlib.h>
#include <string.h>

#define SMPI "SMPI 3.32's default"

const struct base_setting fabric_message_settings[] = {
    {"smpi/os", BASE_TEXT, "0:0:0", "size:startup:per-byte;...",
     "CPU time of a blocking send by size: size:startup:per-byte;...", SMPI ": none"},
    {"smpi/ois", BASE_TEXT, "0:0:0", "size:startup:per-byte;...",
     "CPU time of a nonblocking send by size: size:startup:per-byte;...", SMPI ": none"},
    {"smpi/or", BASE_TEXT, "0:0:0", "size:startup:per-byte;...",
     "CPU time of a receive by size: size:startup:per-byte;...", SMPI ": none"},
    {"smpi/async-small-thresh", BASE_SIZE, "0", "0 to 1EiB",
     "messages below this size are sent asynchronously", SMPI},
    {"smpi/send-is-detached-thresh", BASE_SIZE, "65536", "0 to 1EiB",
     "a send of a message below this size does not wait for its receiver", SMPI},
    {"smpi/envelope", BASE_SIZE, "16", "0 to 1GiB", "bytes that a message carries besides its payload",
     "SMPI 3.32: tag, destination and communicator"},
    {"smpi/overlap-send", BASE_BOOL, "no", NULL,
     "whether a message leaves at the start of its sender's CPU time", "SMPI 3.32: at its end"},
    {"network/in-order", BASE_BOOL, "no", NULL,
     "whether messages from one rank to another follow each other instead of sharing their bandwidth",
     "no: as in SimGrid; yes: as on a TCP connection"},
    {"network/rendezvous-data", BASE_SIZE, "0", "0 to 1EiB",
     "bytes of a synchronous message that go with its request, before it is received",
     "0: as in SimGrid; with Open MPI, btl_tcp_rndv_eager_limit and others"},
    {"smpi/wtime", BASE_TIME, "10ns", BASE_TIMES, "time of a call that asks for the time", SMPI},
    {"smpi/test", BASE_TIME, "100us", BASE_TIMES, "time of a call that tests a request", SMPI},
    {"smpi/iprobe", BASE_TIME, "100us", BASE_TIMES, "time of a probe, a call that looks for a message", SMPI},
    {"smpi/iprobe-cpu-usage", BASE_DOUBLE, "1", "1e-9 to 1",
     "share of a core that a probe keeps busy; no effect: the time of a call is never shared with other "
     "ranks",
     SMPI},
    {"smpi/init", BASE_TIME, "0", BASE_TIMES, "time of the initialization", SMPI},
    {"smpi/grow-injected-times", BASE_BOOL, "yes", NULL,
     "whether the n-th failed test or probe in a row takes n times as long", SMPI},
};
const size_t fabric_message_settings_count = BASE_LENGTH(fabric_message_settings);

/* --- piecewise linear costs ---------------------------------------------------------------------------- */

double fabric_pieces_cost(const struct fabric_pieces *p, uint64_t bytes)
{
    const struct fabric_cost_piece *at = p->at;
    for (size_t k = 1; k < p->n && p->at[k].above < bytes; k++)
        at = &p->at[k];
    return at->startup + at->per_byte * (double)bytes;
}

/* One piece, "size:startup:per-byte"; text after a third colon is ignored, as in SMPI. */
static int parse_piece(char *text, struct fabric_cost_piece *out, struct base_status *st)
{
    char *field[3], *rest = text;
    for (int k = 0; k < 3; k++)
        if (!(field[k] = strsep(&rest, ":")) || !*field[k])
            return base_fail(st, "expected size:startup:per-byte;..., such as 0:1us:0.5ns;1420:3us:0.1ns");
    return base_parse_uint(field[0], &out->above, st) || base_parse_time(field[1], &out->startup, st) ||
                   base_within(BASE_TIME, out->startup, field[1], st) ||
                   base_parse_time(field[2], &out->per_byte, st) ||
                   base_within(BASE_TIME, out->per_byte, field[2], st)
               ? -1
               : 0;
}

static int by_size(const void *a, const void *b)
{
    const struct fabric_cost_piece *x = a, *y = b;
    return (x->above > y->above) - (x->above < y->above);
}

static int parse_pieces(struct fabric_pieces *p, char *text, struct base_status *st)
{
    for (char *rest = text, *one; (one = strsep(&rest, ";"));) {
        if (!*one && p->n)
            continue; /* a trailing semicolon */
        if (parse_piece(one, &p->at[p->n], st))
            return -1;
        p->n++;
    }
    qsort(p->at, p->n, sizeof *p->at, by_size);
    for (size_t k = 1; k < p->n; k++)
        if (p->at[k].above == p->at[k - 1].above)
            return base_fail(st, "the size %llu is given twice", (unsigned long long)p->at[k].above);
    return 0;
}

int fabric_pieces_parse(struct fabric_pieces *p, const char *text, struct base_status *st)
{
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ';';
    char *copy = base_strdup(text);
    struct fabric_pieces made = {base_zalloc(most * sizeof *made.at, "overheads of messages"), 0};
    int rc = parse_pieces(&made, copy, st);
    free(copy);
    if (rc)
        free(made.at);
    else
        *p = made;
    return rc;
}

/* --- overheads of hosts
 * ----------------------------------------------------------------------------------- */

static const char *const overhead_keys[FABRIC_OVERHEADS] = {"smpi/os", "smpi/ois", "smpi/or"};

static void overheads_release(struct fabric_overheads *o)
{
    for (int k = 0; k < FABRIC_OVERHEADS; k++)
        free(o->of[k].at);
}

/* Parses the overheads from texts; on an error, nothing is left allocated. */
static int overheads_parse(struct fabric_overheads *o, const char *const text[FABRIC_OVERHEADS],
                           struct base_status *st)
{
    struct base_status why;
    struct fabric_overheads made = {0};
    for (int k = 0; k < FABRIC_OVERHEADS; k++)
        if (fabric_pieces_parse(&made.of[k], text[k], &why)) {
            overheads_release(&made);
            return base_fail(st, "%s '%.100s': %s", overhead_keys[k], text[k], why.text);
        }
    *o = made;
    return 0;
}

static int overhead_of(const char *key)
{
    int k = 0;
    while (k < FABRIC_OVERHEADS && strcmp(key, overhead_keys[k]) != 0)
        k++;
    return k;
}

static int set_hosts(struct fabric_messages *ms, const char *const text[FABRIC_OVERHEADS],
                     const struct platform_prop *p, struct base_status *st)
{
    uint32_t all = platform_host_count(fabric_platform(ms->fabric));
    struct base_status why;
    struct fabric_overheads o;
    if (overheads_parse(&o, text, &why))
        return base_fail(st, "%s:%u: %s", p->file, p->line, why.text);
    if (!ms->of_host)
        ms->of_host = base_zalloc(all * sizeof(struct fabric_overheads *), "overheads of hosts");
    struct fabric_overheads *kept = base_alloc(sizeof *kept, "overheads of hosts");
    *kept = o;
    BASE_ARRAY_PUSH(&ms->own, kept);
    for (uint32_t h = 0; h < p->hosts; h++)
        ms->of_host[p->first + h] = kept;
    return 0;
}

/* Collects the texts for the hosts to which property k applies:
 * those of its cluster, or all that apply to its host. */
static void collect(const struct fabric_messages *ms, const struct platform_prop *of, const char *text[])
{
    const struct platform *p = fabric_platform(ms->fabric);
    struct platform_prop q;
    if (of->holder == PLATFORM_PROPERTY_OF_HOST) {
        for (int k = 0; k < FABRIC_OVERHEADS; k++) {
            const char *own = platform_host_property(p, of->first, overhead_keys[k]);
            text[k] = own ? own : text[k];
        }
        return;
    }
    for (size_t k = 0; platform_property_at(p, k, &q); k++) {
        int which = overhead_of(q.key);
        if (which < FABRIC_OVERHEADS && q.holder == of->holder && q.first == of->first)
            text[which] = q.value;
    }
}

static int read_holders(struct fabric_messages *ms, const char *const usual[FABRIC_OVERHEADS],
                        enum platform_holder holder, struct base_status *st)
{
    const struct platform *p = fabric_platform(ms->fabric);
    struct platform_prop q;
    uint32_t last = UINT32_MAX;
    for (size_t k = 0; platform_property_at(p, k, &q); k++) {
        if (q.holder != holder || !q.hosts || q.first == last || overhead_of(q.key) == FABRIC_OVERHEADS)
            continue;
        const char *text[FABRIC_OVERHEADS];
        memcpy(text, usual, sizeof text);
        collect(ms, &q, text);
        if (set_hosts(ms, text, &q, st))
            return -1;
        last = q.first;
    }
    return 0;
}

/* --- all together
 * ------------------------------------------------------------------------------------------- */

static int read_all(struct fabric_messages *ms, const struct base_settings *s, struct base_status *st)
{
    const char *usual[FABRIC_OVERHEADS];
    struct base_status why;
    for (int k = 0; k < FABRIC_OVERHEADS; k++)
        usual[k] = base_settings_text(s, overhead_keys[k]);
    if (overheads_parse(&ms->usual, usual, &why))
        return base_fail(st, "setting %s", why.text);
    ms->asynchronous_below = base_settings_count(s, "smpi/async-small-thresh");
    ms->detached_below = base_settings_count(s, "smpi/send-is-detached-thresh");
    if (ms->asynchronous_below > ms->detached_below)
        return base_fail(
            st,
            "setting smpi/async-small-thresh is %llu; expected at most smpi/send-is-detached-thresh, %llu",
            (unsigned long long)ms->asynchronous_below, (unsigned long long)ms->detached_below);
    ms->envelope = base_settings_count(s, "smpi/envelope");
    ms->overlap = base_settings_flag(s, "smpi/overlap-send");
    ms->in_order = base_settings_flag(s, "network/in-order");
    ms->ahead = base_settings_count(s, "network/rendezvous-data");
    ms->calls = (struct fabric_call_costs){.init = base_settings_number(s, "smpi/init"),
                                           .wtime = base_settings_number(s, "smpi/wtime"),
                                           .test = base_settings_number(s, "smpi/test"),
                                           .iprobe = base_settings_number(s, "smpi/iprobe"),
                                           .grow = base_settings_flag(s, "smpi/grow-injected-times")};
    return read_holders(ms, usual, PLATFORM_PROPERTY_OF_CLUSTER, st) ||
                   read_holders(ms, usual, PLATFORM_PROPERTY_OF_HOST, st)
               ? -1
               : 0;
}

int fabric_messages_create(struct fabric_messages **out, struct fabric *f,
                           const struct base_settings *settings, struct base_status *st)
{
    struct fabric_messages *ms = base_zalloc(sizeof *ms, "parameters of messages");
    ms->fabric = f;
    if (read_all(ms, settings, st)) {
        fabric_messages_destroy(ms);
        return -1;
    }
    *out = ms;
    return 0;
}

void fabric_messages_destroy(struct fabric_messages *ms)
{
    if (!ms)
        return;
    overheads_release(&ms->usual);
    for (size_t k = 0; k < ms->own.n; k++) {
        overheads_release(ms->own.at[k]);
        free(ms->own.at[k]);
    }
    free(ms->own.at);
    free(ms->of_host);
    free(ms);
}
