/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check: finds errors of programs by running them. `nasty/` is an adversary: one of the executions that the
 * standards allow and that hardly ever happen.
 */
#ifndef PGASIM_CHECK_CHECK_H
#define PGASIM_CHECK_CHECK_H

#include "base/json.h"
#include "rank/rank.h"

void check_register(void); /* at start-up, after the modules below */
void check_settings_declare(struct base_settings *s);

/* The words of --check=LIST, each of which switches on the setting check/WORD. The setting of the word that
 * begins at *list, which moves behind it: "check/nasty"; NULL with st: the word is unknown. */
const char *check_word(const char **list, struct base_status *st);

/* After all settings are read: whether they make sense together. -1 with st. */
int check_configure(struct base_settings *s, struct base_status *st);
/* Before check_configure: what is not reported, by the rules of a file; -1 with st. What else is said besides. */
int check_suppress(const char *path, struct base_status *st);
void check_say(bool rules, bool unused); /* rules for what is found; those that suppressed nothing */
/* What was found in this run, so far or at its end: as the member "races" of an object, which is there if races are
 * looked for; as a file in SARIF, "-": standard output. */
void check_json(struct base_json *j);
int check_sarif(const char *path, const char *command, int status, struct base_status *st);
bool check_on(const struct base_settings *s); /* any check */
/* Where the ranks are, unless the user has said so. */
void check_place(uint32_t *rank_host, uint32_t ranks, uint32_t hosts);

#endif
