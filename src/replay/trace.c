/* SPDX-License-Identifier: BSD-3-Clause */
/* trace: reads a trace of any known format onto a tape. */
#include "replay/input/input.h"
#include "replay/replay.h"
#include "replay/tape/tape.h"
#include "replay/ti/ti.h"

static const struct {
    bool (*is)(const char *head, size_t n);
    int (*read)(struct replay_tape *t, struct replay_input *in, uint32_t ranks, struct base_status *st);
} formats[] = {
    {replay_ti_is, replay_ti_read},
};

static int read_onto(struct replay_tape *t, struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    size_t n;
    const char *head = (const char *)replay_input_peek(in, &n, st), *path = replay_input_path(in);
    if (!head)
        return -1;
    for (size_t k = 0; k < BASE_LENGTH(formats); k++)
        if (formats[k].is(head, n)) {
            int rc = formats[k].read(t, in, ranks, st);
            return !rc && !replay_tape_ranks(t) ? base_fail(st, "%s: the trace has no ranks", path) : rc;
        }
    return base_fail(st, "%s: its first bytes are of no known format of traces", path);
}

struct replay_tape *replay_trace_read(const char *path, uint32_t ranks, struct base_status *st)
{
    struct replay_input *in = replay_input_open(path, st);
    if (!in)
        return NULL;
    struct replay_tape *t = replay_tape_create();
    int failed = read_onto(t, in, ranks, st);
    replay_input_close(in);
    if (failed) {
        replay_tape_destroy(t);
        return NULL;
    }
    replay_tape_seal(t);
    return replay_ti_name_groups(t);
}

void replay_trace_release(struct replay_tape *t)
{
    replay_tape_destroy(t);
}

uint32_t replay_trace_ranks(const struct replay_tape *t)
{
    return replay_tape_ranks(t);
}
