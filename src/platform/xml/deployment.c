/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deployment: the hosts of ranks from a SimGrid deployment file; elements_actor.c has its tags.
 */
#include "platform/xml/elements.h"

#include <stdlib.h>
#include <string.h>

/* The rank of the k-th actor: its rank_id if the first actor has one, else k. */
static int rank_of(struct platform_reader *r, size_t k, const uint32_t *hosts, uint32_t *rank)
{
    const struct platform_actor *a = &r->actors.at[k];
    bool numbered = r->actors.at[0].rank != PLATFORM_NONE;
    *rank = numbered ? a->rank : (uint32_t)k;
    if (numbered != (a->rank != PLATFORM_NONE))
        return platform_reader_fail(r, a->line,
                                    "<actor>: expected the property rank_id in all actors or in none");
    if (*rank >= r->actors.n)
        return platform_reader_fail(r, a->line,
                                    "<actor> of rank %u; expected ranks 0 to %zu, for there are %zu actors",
                                    *rank, r->actors.n - 1, r->actors.n);
    if (hosts[*rank] != PLATFORM_NONE)
        return platform_reader_fail(r, a->line, "<actor>: a second one of rank %u", *rank);
    return 0;
}

static int ranks_fill(struct platform_reader *r, const struct platform *p, uint32_t *hosts)
{
    memset(hosts, 0xff, r->actors.n * sizeof *hosts);
    for (size_t k = 0; k < r->actors.n; k++) {
        uint32_t rank, host;
        if (rank_of(r, k, hosts, &rank) || platform_actor_host(r, p, &r->actors.at[k], &host))
            return -1;
        hosts[rank] = host;
    }
    return 0;
}

bool platform_is_deployment(const char *text, size_t size)
{
    size_t at = 0;
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) /* a byte order mark */
        at = 3;
    while (at < size && strchr(" \t\r\n", text[at]) && text[at])
        at++;
    return at < size && text[at] == '<';
}

int platform_deployment_read(const struct platform *p, const char *text, size_t size, const char *name,
                             uint32_t **hosts, uint32_t *n, struct base_status *st)
{
    struct platform_reader r = {.p = platform_create(name),
                                .st = st,
                                .name = name,
                                .text = text,
                                .size = size,
                                .zone = PLATFORM_NONE,
                                .deployment = true};
    int rc = platform_reader_run(&r);
    if (rc == 0 && !r.actors.n)
        rc = platform_reader_fail(&r, 1, "no <actor>; expected one per rank");
    if (rc == 0) {
        uint32_t *list = base_alloc(r.actors.n * sizeof *list, "hosts of ranks");
        rc = ranks_fill(&r, p, list);
        if (rc)
            free(list);
        else
            *hosts = list, *n = (uint32_t)r.actors.n;
    }
    platform_destroy(r.p);
    platform_reader_release(&r);
    return rc;
}
