/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convert: a trace in another format.
 *
 *      calls of MPI (plain.c) --> actions (actions.c) --> lines of SMPI's traces, or of ours (lines.c)
 *      actions (whole.c) --> calls of MPI
 *      calls of MPI (records.c) --> a trace of DUMPI; (profile.c) --> one of liballprof
 *      actions (archive.c) --> an archive of OTF2
 *      a schedule (list.c) -----> actions --> a schedule (graph.c, unroll.c) --> GOAL as text (goal_text.c)
 *
 * What the other format cannot say is left out or said otherwise, and counted (struct replay_conversion).
 */
#ifndef PGASIM_REPLAY_CONVERT_H
#define PGASIM_REPLAY_CONVERT_H

#include "replay/goal/goal.h"
#include "replay/replay.h"
#include "replay/tape/tape.h"
#include "replay/write/write.h"

/* What the calls of a tape move and make, for surveys: those of rank 0 first, in order, then of the others. */
struct replay_volumes;
struct replay_volumes *replay_volumes_create(struct replay_tape *t);
void replay_volumes_destroy(struct replay_volumes *v);
void replay_volumes_next_rank(struct replay_volumes *v, uint32_t rank); /* REPLAY_ANY: a further thread */
/* *bytes: of the message that the call sends, of the rank's part of a collective, of a one-sided operation. false: it
 * names what was not made before, so it cannot be played. */
bool replay_volumes_of(struct replay_volumes *v, const struct replay_action *a, uint64_t *bytes);
void replay_volumes_tell(struct replay_volumes *v, struct replay_facts *out); /* out->comm */
/* Actions in place of calls; what none stands for is counted. */
struct replay_tape *replay_convert_actions(struct replay_tape *t, struct replay_conversion *out);
/* Writes the actions as lines: those that SMPI's replayer takes, or, with out->to REPLAY_TO_CALLS, all. -1 with st: a setting
 * coll/... is not usable. */
int replay_convert_lines(struct replay_tape *t, struct replay_output *to, struct replay_conversion *out,
                         struct base_status *st);
/* The lines of a trace of calls as several ranks may share them: "-" in place of the rank, and other ranks relative to it ("+1").
 * `text` gets them, those of one rank after the other, and rank_ends() is called behind those of each. -1 with st. */
int replay_convert_relative(struct replay_tape *t, replay_fold_put text,
                            void (*rank_ends)(void *ctx, uint32_t rank), void *ctx,
                            struct replay_conversion *out, struct base_status *st);
/* Calls of MPI in place of actions, for one of the next two (out->to). */
struct replay_tape *replay_convert_whole(struct replay_tape *t, struct replay_conversion *out);
/* Writes calls of MPI as a trace of DUMPI, whose text is `path`. -1 with st: a file cannot be written, or it needs a
 * speed. */
int replay_convert_dumpi(struct replay_tape *t, const char *path, struct replay_conversion *out,
                         struct base_status *st);
/* The same as a trace of liballprof; `path`: of rank 0's file. */
int replay_convert_allprof(struct replay_tape *t, const char *path, struct replay_conversion *out,
                           struct base_status *st);
/* Writes actions and calls as an archive of OTF2: at the times of the tape, or, if it has none, calls without length and
 * computation as time between them. `name`: the call that an action stands for. -1 with st: as above. */
int replay_convert_otf2(struct replay_tape *t, const char *path,
                        const char *(*name)(enum replay_kind kind, uint32_t number),
                        struct replay_conversion *out, struct base_status *st);
/* When the first call of a rank was over, in seconds; infinite: the tape has no times of it. */
double replay_first_end(struct replay_tape *t, uint32_t rank);
/* A schedule that does what the actions do; NULL with st: it needs a speed, and out->speed has none, or a setting coll/... is
 * not usable. */
struct replay_goal *replay_convert_graph(struct replay_tape *t, struct replay_conversion *out,
                                         struct base_status *st);
/* Actions that do what a schedule does, one operation after the other. */
struct replay_tape *replay_convert_list(const struct replay_goal *g, struct replay_conversion *out);
void replay_convert_goal_text(const struct replay_goal *g, struct replay_output *to);

#endif
