/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a schedule of GOAL, text or binary, and what is accepted played in the LogGP model. */
#include "replay/loggp/loggp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct replay_goal *read_goal(const char *path, struct base_status *st)
{
    size_t n;
    struct replay_goal *g = NULL;
    struct replay_input *in = replay_input_open(path, st);
    const char *head = in ? (const char *)replay_input_peek(in, &n, st) : NULL;
    if (head && replay_goal_binary_is(head, n))
        g = replay_goal_binary_read(in, 0, st);
    else if (head && replay_goal_text_is(head, n))
        g = replay_goal_text_read(in, 0, st);
    else
        base_fail(st, "it is no GOAL");
    replay_input_close(in);
    return g;
}

static void ended(void *arg, uint32_t rank)
{
    (void)rank;
    ++*(uint32_t *)arg;
}

static void play(struct replay_goal *g, struct base_status *st)
{
    static const struct replay_loggp_parameters p = {
        .L = 10, .o = 5, .g = 3, .G = 1, .O = 2, .S = 100, .compute_scale = 1};
    uint32_t done = 0, left = 0;
    struct replay_loggp *x = replay_loggp_create(g, &p, ended, &done, st);
    if (!x)
        return;
    while (replay_loggp_advance(x, 1000))
        BASE_ASSERT("time", replay_loggp_next(x) >= 0);
    for (uint32_t k = 0; k < replay_goal_ranks(g); k++) {
        uint32_t n;
        replay_goal_records(g, k, &n);
        left += replay_loggp_left(x, k) != 0;
        done += n == 0;
    }
    BASE_ASSERT("ends", done + left == replay_goal_ranks(g));
    BASE_ASSERT("starts", replay_loggp_counts(x).operations <= replay_goal_operations(g));
    replay_loggp_destroy(x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct base_status st = {""};
    char path[] = "/tmp/pgasim-fuzz-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd))
        abort();
    struct replay_goal *g = read_goal(path, &st);
    unlink(path);
    if (g && replay_goal_ranks(g) < 100000)
        play(g, &st);
    else if (!g)
        BASE_ASSERT("a reason", strlen(st.text) > 0);
    replay_goal_destroy(g);
    return 0;
}
