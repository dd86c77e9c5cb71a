/* SPDX-License-Identifier: BSD-3-Clause */
/* saying: an event under way to the function that takes it (private to sdsm/). */
#ifndef PGASIM_REPORT_SDSM_SAYING_H
#define PGASIM_REPORT_SDSM_SAYING_H

#include "report/sdsm/sdsm.h"

struct saying {
    struct report_sdsm *s;
    struct sdsm_process *p;
    uint32_t rank;
    double time;
    const int64_t *v;
};

/* The chunk of an id; made when it is new. */
struct sdsm_chunk *sdsm_chunk_of(struct report_sdsm *s, int64_t id);
static inline uint64_t sdsm_above(int64_t v)
{
    return v > 0 ? (uint64_t)v : 0;
}

/* scopes.c. false: it cannot be used. */
bool sdsm_on_acquire(const struct saying *e);
bool sdsm_on_granted(const struct saying *e);
bool sdsm_on_release(const struct saying *e);
void sdsm_close_scopes(struct report_sdsm *s, struct sdsm_process *p, double end); /* those that are open */
/* False sharing. Its writers are in order of what they change afterwards. */
bool sdsm_are_apart(struct sdsm_chunk *c);

#endif
