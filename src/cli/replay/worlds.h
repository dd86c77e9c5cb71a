/* SPDX-License-Identifier: BSD-3-Clause */
/* worlds: the ranks that a recorded program started together, for `pgasim trace-info` (private to cli/replay/). */
#ifndef PGASIM_CLI_REPLAY_WORLDS_H
#define PGASIM_CLI_REPLAY_WORLDS_H

#include "base/json.h"

struct cli_world {
    uint32_t first, ranks;
    double begin; /* of the first one that began */
};
struct cli_worlds {
    BASE_ARRAY(struct cli_world) world; /* 0: the run's first ranks. Empty: the trace is no .pgt */
};
void cli_worlds_read(struct cli_worlds *w, const char *path);
void cli_worlds_release(struct cli_worlds *w);
/* Nothing if the program started no others. */
void cli_worlds_print(const struct cli_worlds *w);
void cli_worlds_json(const struct cli_worlds *w, struct base_json *j);

#endif
