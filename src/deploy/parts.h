/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of deploy/ share. */
#ifndef PGASIM_DEPLOY_PARTS_H
#define PGASIM_DEPLOY_PARTS_H

#include "deploy/deploy.h"

/* Brings processes and hosts into the order of the canonical form as if no client had a server yet; all
 * clients are served by server 0 afterwards (config.c). */
void deploy_config_canonical_places(const struct deploy_space *s, struct deploy_config *c);
/* Whether every process is on a host that it may run on, and no host runs more than it has room for. */
bool deploy_config_fits(const struct deploy_space *s, const struct deploy_config *c);
/* Whether the space's serve has this bit. */
static inline bool deploy_serves(const struct deploy_space *s, enum deploy_serve how)
{
    return s->serve >> how & 1;
}

/* Moves processes from hosts where they may not run, or that are full, to others, and gives clients of
 * servers that are not there another one (vary.c). false: there is no room. */
bool deploy_mend(const struct deploy_space *s, struct deploy_config *c, struct base_random *r);

/* Sets which hosts each kind may use, by a list of hosts (hosts_words.c); s->kind[] has its roles. -1 with
 * st. */
int deploy_hosts_words(struct deploy_space *s, const char *text, struct base_status *st);

/* The number at *at, which then points behind it; false: there is none below 65536. */
bool deploy_take_number(const char **at, uint16_t *out);
/* Writes a number so that it is read back as the same. */
void deploy_put_number(struct base_text *t, double x);

#endif
