/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run on paper: a few ranks on hosts that are joined by a backbone, and events that are told one by one.
 * The route from host a to host b: link a, the backbone, link b; none within a host.
 */
#ifndef PGASIM_TESTS_REPORT_STAGE_H
#define PGASIM_TESTS_REPORT_STAGE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* after those that it needs */
#include <cmocka.h>

#include "report/internal.h"

enum { STAGE_HOSTS = 8, STAGE_RANKS = 32, STAGE_LINKS = STAGE_HOSTS + 1 };

struct stage {
    struct trace_about about;
    struct trace_host host[STAGE_HOSTS];
    struct trace_link link[STAGE_LINKS];
    uint32_t rank_host[STAGE_RANKS];
    uint32_t way[3];
    BASE_ARRAY(struct trace_event) event;
};

static inline uint32_t stage_route(void *ctx, uint32_t from, uint32_t to, const uint32_t **links,
                                   double *latency)
{
    struct stage *s = ctx;
    s->way[0] = from;
    s->way[1] = s->about.hosts;
    s->way[2] = to;
    *links = s->way;
    *latency = from == to ? 0 : 0.375;
    return from == to ? 0 : 3;
}

/* Every link carries 1024 bytes/s, the backbone 512; ranks go round the hosts. */
static inline void stage_init(struct stage *s, uint32_t ranks, uint32_t hosts)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    memset(s, 0, sizeof *s);
    s->about = (struct trace_about){.program = "program",
                                    .arguments = "",
                                    .platform = "paper.xml",
                                    .version = "0",
                                    .ranks = ranks,
                                    .hosts = hosts,
                                    .links = hosts + 1,
                                    .rank_host = s->rank_host,
                                    .host = s->host,
                                    .link = s->link,
                                    .route = stage_route,
                                    .ctx = s};
    for (uint32_t k = 0; k < hosts; k++)
        s->host[k] = (struct trace_host){names[k], 1e9, 2};
    for (uint32_t k = 0; k <= hosts; k++)
        s->link[k] =
            (struct trace_link){k < hosts ? names[k] : "backbone", k < hosts ? 1024 : 512, 0.125, false};
    for (uint32_t k = 0; k < ranks; k++)
        s->rank_host[k] = k % hosts;
}

static inline void tell(struct stage *s, struct trace_event ev)
{
    BASE_ARRAY_PUSH(&s->event, ev);
}

static inline struct report_facts *stage_facts(const struct stage *s, double end)
{
    struct report_facts *f = report_facts_create(&s->about);
    for (size_t k = 0; k < s->event.n; k++)
        report_facts_add(f, &s->event.at[k]);
    report_facts_finish(f, end);
    return f;
}

static inline void stage_release(struct stage *s)
{
    free(s->event.at);
}

#define TELL(s, when, what, who, ...)                                                                        \
    tell(s, (struct trace_event){.time = (when), .type = TRACE_##what, .rank = (who), ##__VA_ARGS__})

#endif
