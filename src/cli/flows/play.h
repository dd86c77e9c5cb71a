/* SPDX-License-Identifier: BSD-3-Clause */
/* play: plays a list of activities on a platform, without any program (private to cli/flows/). */
#ifndef PGASIM_CLI_FLOWS_PLAY_H
#define PGASIM_CLI_FLOWS_PLAY_H

#include "cli/flows/list.h"

/* Starts each activity at its time and records how and when it ended. One that is still RUNNING at the end
 * can never end. -1 with st as "LIST:LINE: why" when an activity cannot start. */
int flows_play(struct flows_list *l, struct platform *p, const struct base_settings *s,
               struct base_status *st);

#endif
