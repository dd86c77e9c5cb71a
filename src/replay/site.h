/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * site: where in a trace a rank computes: the last calls and the next one, by their functions, and their counts and types; not
 * by their peers, tags and requests, which differ between ranks (private to replay/).
 */
#ifndef PGASIM_REPLAY_SITE_H
#define PGASIM_REPLAY_SITE_H

#include "replay/tape/tape.h"

enum { REPLAY_SITE_CALLS = 4 };
struct replay_site {                  /* {0} at a rank's beginning */
    uint64_t call[REPLAY_SITE_CALLS]; /* hashes of the last calls */
};

bool replay_site_computes(const struct replay_action *a);
bool replay_site_is_call(const struct replay_action *a);
uint64_t replay_site_call(const struct replay_action *a); /* its hash; 0 stands for the end */
/* The place of computations of a kind between the last calls and the next one. */
uint64_t replay_site_of(const struct replay_site *s, enum replay_kind kind, uint64_t next);
void replay_site_pass(struct replay_site *s, uint64_t next);

#endif
