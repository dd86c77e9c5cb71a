/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check: finds errors of programs by running them. `nasty/` is an adversary: one of the executions that the
 * standards allow and that hardly ever happen.
 */
#ifndef PGASIM_CHECK_CHECK_H
#define PGASIM_CHECK_CHECK_H

#include "rank/rank.h"

void check_register(void); /* at start-up, after the modules below */
void check_settings_declare(struct base_settings *s);

/* The words of --check=LIST, each of which switches on the setting check/WORD. The setting of the word that
 * begins at *list, which moves behind it: "check/nasty"; NULL with st: the word is unknown. */
const char *check_word(const char **list, struct base_status *st);

/* After all settings are read: whether they make sense together. -1 with st. */
int check_configure(struct base_settings *s, struct base_status *st);
bool check_on(const struct base_settings *s); /* any check */
/* Where the ranks are, unless the user has said so. */
void check_place(uint32_t *rank_host, uint32_t ranks, uint32_t hosts);

#endif
