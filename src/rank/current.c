/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulator's global state, all of it: which rank runs, and what a crash report and a program started
 * without `pgasim run` need to know of the job.
 */
#include "rank/folded.h"
#include "rank/internal.h"
#include "rank/opened.h"
#include "rank/slots.h"
#include "rank/title.h"

RANK_THREAD struct rank *rank_current;
RANK_THREAD struct rank *rank_ahead;
bool rank_calls_traced, rank_ahead_on;
struct rank_job *rank_running_job;
const struct rank_checker *rank_checker;
const struct rank_file_checker *rank_file_checker;
const struct rank_adversary *rank_adversary;
bool (*rank_folds)(const struct rank *r, const void *p);
bool (*rank_titles)(const struct rank *r, char *buf, size_t size);
const struct rank_slots *(*rank_slots_for)(const struct rank *by);
struct rank_streams rank_streams;
const char rank_call_anchor[] = "a call";
