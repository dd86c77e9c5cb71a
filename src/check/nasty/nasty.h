/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nasty: the adversary of --check=nasty. One execution of many that the standards allow, which libraries hardly
 * ever produce: operations are kept back, cut and reordered, ranks dally, locks and messages go to whom nobody
 * expects (Kowalewski and Fuerlinger: Nasty-MPI, Euro-Par 2016). All of it comes from one seed. docs/adversary.md
 * has the table of what it may do.
 */
#ifndef PGASIM_CHECK_NASTY_NASTY_H
#define PGASIM_CHECK_NASTY_NASTY_H

#include "rank/rank.h"

extern const struct base_setting nasty_settings[];
extern const size_t nasty_settings_count;

void nasty_register(void); /* at start-up, after rma */
/* Takes over the six settings of the paper's tool from the environment, where ours are not given, and checks
 * all of them. -1 with st: one is of no use. Prepares the adversary of the next job, if there is to be one. */
int nasty_configure(struct base_settings *s, struct base_status *st);
/* The hosts of the ranks as the seed has it, if it may vary them. */
void nasty_place(uint32_t *rank_host, uint32_t ranks, uint32_t hosts);

#endif
