/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns any stream of events into facts, and these into a profile, differences and a page; seven bytes are
 * one event. The rules of events (order of time, pairs of begin and end, numbers that were issued) are broken
 * as often as kept.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 3, EVENT = 7 };

static uint32_t route(void *ctx, uint32_t from, uint32_t to, const uint32_t **links, double *latency)
{
    static const uint32_t way[] = {0, 1};
    (void)ctx;
    *links = way;
    *latency = 0.5;
    return from == to ? 0 : 2;
}

static struct trace_event event_of(const uint8_t *b, double *time)
{
    static const char *const names[] = {"",   "shmem_put", "\x1b[31m", "\xff\xfe",
                                        NULL, "barrier",   "memory",   "<b>"};
    static const double odd[] = {-1e300, 1e300, -1, 0};
    static const char *const users[] = {
        "sat.acquire", "sat.granted", "sat.release", "sat.alloc",  "sat.sent",  "sat.process", "sat.time",
        "sat.wait",    "sat.woken",   "sat.notify",  "sat.energy", "sat.other", "mine",        "",
        NULL,          "sat."};
    static const struct {
        const char *name, *fields;
        uint32_t values;
    } energies[] = {{"energy", TRACE_ENERGY_FIELDS, 1},
                    {"energy-rank", TRACE_ENERGY_RANK_FIELDS, 2},
                    {"energy-host", TRACE_ENERGY_HOST_FIELDS, 3},
                    {"energy-link", TRACE_ENERGY_LINK_FIELDS, 2},
                    {"energy-phase ", TRACE_ENERGY_PHASE_FIELDS, 2},
                    {"energy-phase <b>", TRACE_ENERGY_PHASE_FIELDS, 2},
                    {"energy-host", TRACE_ENERGY_LINK_FIELDS, 2},
                    {"energy", NULL, 1}};
    static int64_t values[TRACE_VALUES];
    *time += b[1] / 8.0;
    struct trace_event ev = {.type = (enum trace_type)(b[0] % (TRACE_TYPES + 1)),
                             .rank = b[2] % (RANKS + 1),
                             .peer = b[2] / 16 % (RANKS + 1),
                             .thread = b[2] >= 224,
                             .op = b[3] % 32,
                             .cause = b[4] < 248 ? b[4] % 32 : TRACE_BY_RANK + b[4] % 8,
                             .bytes = (uint64_t)b[5] << (b[5] % 48),
                             .least = b[4] / 64.0,
                             .call = names[b[6] % 8],
                             .detail = names[b[6] / 8 % 8],
                             .tag = b[5] % 8 - 2,
                             .address = b[4] % 4};
    if (ev.type == TRACE_USER) { /* five small values, or large ones */
        for (int k = 0; k < 5; k++)
            values[k] =
                (b[4] >> k & 1) ? (int64_t)((uint64_t)b[5] << (8 * k)) - b[6] : b[(3 + k) % EVENT] % 5;
        values[5] = values[0];
        ev.call = users[b[6] % 16];
        ev.peer = b[5] % (TRACE_VALUES + 1);
        ev.values = b[6] < 250 ? values : NULL;
        if (b[6] % 2) {
            unsigned k = b[6] / 2 % BASE_LENGTH(energies);
            ev.call = energies[k].name;
            ev.detail = energies[k].fields;
            ev.peer = energies[k].values;
        }
    }
    ev.time = b[3] == 255 ? odd[b[4] % 4] : *time;
    return ev;
}

static struct report_facts *read_facts(const struct trace_about *about, const uint8_t *data, size_t size,
                                       struct report_page *page)
{
    struct report_facts *f = report_facts_create(about);
    struct trace_sink also = report_page_sink(page);
    double time = 0;
    for (; size >= EVENT; data += EVENT, size -= EVENT) {
        struct trace_event ev = event_of(data, &time);
        report_facts_add(f, &ev);
        also.event(also.ctx, &ev);
    }
    report_facts_finish(f, size % 2 ? -1 : time);
    return f;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct trace_host hosts[] = {{"a", 1e9, 1}, {"b\n", 1e9, 0}};
    static const struct trace_link links[] = {{"l", 1e3, 0, false}, {"fat", 0, 0, true}};
    static const uint32_t rank_host[RANKS] = {0, 1, 1};
    const struct trace_about about = {.program = "p",
                                      .ranks = RANKS,
                                      .hosts = 2,
                                      .links = 2,
                                      .rank_host = rank_host,
                                      .host = hosts,
                                      .link = links,
                                      .route = route};
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "we");
    struct report_page *page = report_page_create(&(struct report_page_options){size % 3, 7});
    struct report a = {.path = "a", .facts = read_facts(&about, data, size, page)};
    report_page_write(page, &a, nowhere);
    struct report b = {.path = "b", .facts = read_facts(&about, data, size / 2, page)};
    report_profile_print(&a, nowhere, 3);
    report_profile_json(&a, nowhere, 0);
    report_diff_print(&a, &b, nowhere, 3);
    report_diff_json(&b, &a, nowhere, 0);
    report_facts_destroy(a.facts);
    report_facts_destroy(b.facts);
    report_page_destroy(page);
    return 0;
}
