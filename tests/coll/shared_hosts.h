/* SPDX-License-Identifier: BSD-3-Clause */
/* shared_hosts: hosts of a group's members, for tests that build schedules without a platform. */
#ifndef PGASIM_TESTS_COLL_SHARED_HOSTS_H
#define PGASIM_TESTS_COLL_SHARED_HOSTS_H

#include "coll/schedule/schedule.h"

/* Place p is on host p / width, or on p modulo `width` hosts. NULL: each has its own. */
static inline struct coll_hosts *share_hosts(uint32_t n, uint32_t width, bool in_order)
{
    uint32_t count = in_order ? (n + width - 1) / width : width < n ? width : n, done = 0;
    if (count == n)
        return NULL;
    struct coll_hosts *h = base_zalloc(sizeof *h + (4 * (size_t)n + 1) * sizeof *h->host, "test");
    *h = (struct coll_hosts){.count = count, .worth = count > 1, .in_order = in_order || count == 1};
    h->host = (uint32_t *)(void *)(h + 1);
    h->index = h->host + n;
    h->member = h->index + n;
    h->first = h->member + n;
    for (uint32_t host = 0; host < count; host++) {
        h->first[host] = done;
        for (uint32_t p = 0; p < n; p++)
            if ((in_order ? p / width : p % count) == host) {
                h->host[p] = host;
                h->index[p] = done - h->first[host];
                h->member[done++] = p;
            }
    }
    h->first[count] = done;
    return h;
}

#endif
