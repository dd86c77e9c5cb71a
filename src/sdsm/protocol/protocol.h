/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * protocol: the consistency protocols. Each is a table in a file of its own; what several have in common is
 * in common.c. A new one is a file, and a line in protocols.def.
 */
#ifndef SAT_PROTOCOL_H
#define SAT_PROTOCOL_H

#include "sdsm/internal.h"

/* --- ordinary slots ------------------------------------------------------------------------------- */

bool sat_hit_never(const struct sat_entry *e, enum sat_mode mode);
enum sat_mode sat_asks_mode(enum sat_mode mode);
/* State S after a reading request, E after a writing one. */
void sat_granted_state(struct sat_entry *e, const struct sat_record *r);
/* Tells the home, after a writing scope with the new data before; state S. */
void sat_release_to_home(struct sat_entry *e);
/* The same, but the home need not know of the ends of reading scopes. */
void sat_release_writes(struct sat_entry *e);
/* The record about a scope that ends. */
struct sat_record sat_about_end(const struct sat_entry *e);
/* The line of the log about a scope's end, before its protocol does anything. */
void sat_log_release(const struct sat_entry *e);
void sat_never_invalidated(struct sat_entry *e, const struct sat_record *r);
void sat_evict_silently(struct sat_entry *e);

/* Many readers or one writer; the home knows both. */
bool sat_prepare_exclusion(struct sat_dir *d, const struct sat_record *r);
void sat_admit_member(struct sat_dir *d, const struct sat_record *r);
void sat_ended_member(struct sat_dir *d, const struct sat_record *r, const char *data);
void sat_ended_unheeded(struct sat_dir *d, const struct sat_record *r, const char *data);
void sat_answered_never(struct sat_dir *d, const struct sat_record *r, const char *data);

/* A writing scope has ended: its version is the newest, and the client's server has the data. */
void sat_home_written(struct sat_dir *d, const struct sat_record *r);

#endif
