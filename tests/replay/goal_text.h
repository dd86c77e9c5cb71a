/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_text: schedules written into a file and read back, for tests. */
#ifndef PGASIM_TESTS_REPLAY_GOAL_TEXT_H
#define PGASIM_TESTS_REPLAY_GOAL_TEXT_H

#include "replay/goal/goal.h"

#include <stdlib.h>
#include <unistd.h>

/* NULL with st: the bytes are wrong. */
static inline struct replay_goal *goal_read(const void *bytes, size_t n, struct base_status *st)
{
    char path[] = "/tmp/pgasim-test-XXXXXX";
    int fd = mkstemp(path);
    size_t head;
    struct replay_goal *g = NULL;
    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || close(fd))
        abort();
    struct replay_input *in = replay_input_open(path, st);
    const char *begin = in ? (const char *)replay_input_peek(in, &head, st) : NULL;
    if (begin && replay_goal_binary_is(begin, head))
        g = replay_goal_binary_read(in, 0, st);
    else if (begin && replay_goal_text_is(begin, head))
        g = replay_goal_text_read(in, 0, st);
    else
        base_fail(st, "%s: it is no GOAL", path);
    replay_input_close(in);
    unlink(path);
    return g;
}

#endif
