/* SPDX-License-Identifier: BSD-3-Clause */
/* about: the head of a file of events, of a trace whose machine is not known. */
#include "replay/about.h"

#include <stdlib.h>

static uint32_t no_route(void *ctx, uint32_t from, uint32_t to, const uint32_t **links, double *latency)
{
    (void)ctx, (void)from, (void)to;
    *links = NULL;
    *latency = 0;
    return 0;
}

void replay_about_init(struct replay_about *x, const char *program, uint32_t ranks)
{
    x->host = (struct trace_host){"a real machine", 0, 1};
    x->hosts = base_zalloc(ranks * sizeof *x->hosts, "hosts of the ranks");
    x->about = (struct trace_about){.program = program,
                                    .arguments = "",
                                    .platform = "a real machine",
                                    .version = pgasim_version,
                                    .ranks = ranks,
                                    .hosts = 1,
                                    .rank_host = x->hosts,
                                    .host = &x->host,
                                    .route = no_route};
}

void replay_about_release(struct replay_about *x)
{
    free(x->hosts);
}
