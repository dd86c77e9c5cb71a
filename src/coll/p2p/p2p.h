/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * p2p: a transport for collectives that uses the two-sided messages of the module p2p. Modes and costs are
 * those of MPI messages: asynchronous, detached or rendezvous, by size; o_is for each send, o_r for each
 * receive. The messages have contexts of their own, so users' receives and probes never see them.
 */
#ifndef PGASIM_COLL_P2P_H
#define PGASIM_COLL_P2P_H

#include "coll/coll.h"

struct coll_p2p;
/* One per job, from any time after its begin until its end. p2p_register has been called, and the settings of
 * messages (fabric_message_settings) are declared. */
struct coll_p2p *coll_p2p_create(struct rank_job *job);
void coll_p2p_destroy(struct coll_p2p *t);
void coll_p2p_computes_nothing(struct coll_p2p *t); /* reductions take no time but that of their messages */
const struct coll_transport *coll_p2p_transport(const struct coll_p2p *t);

#endif
