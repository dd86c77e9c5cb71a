/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * put: a transport of collectives that carries messages as puts with a signal, with all of the fabric's
 * costs. The front end knows how bytes get into a rank's memory and who is told.
 */
#ifndef PGASIM_COLL_PUT_H
#define PGASIM_COLL_PUT_H

#include "coll/coll.h"

struct coll_put_hooks {
    /* write: writes bytes into a rank's memory. touched: bytes there have changed; wakes whoever waits for
     * them. */
    void (*write)(struct rank *r, uintptr_t address, const void *in, size_t bytes);
    void (*touched)(struct rank *r, uintptr_t address, size_t bytes);
    /* Reports when bytes of a collect's result do not lie in one symmetric object; may return. */
    void (*room)(struct rank *r, uintptr_t address, size_t bytes, const char *call);
};

struct coll_put;
/* One per job, for the job's whole life. The hooks are static. */
struct coll_put *coll_put_create(struct rank_job *job, const struct coll_put_hooks *hooks);
void coll_put_destroy(struct coll_put *t);
const struct coll_transport *coll_put_transport(const struct coll_put *t);

#endif
