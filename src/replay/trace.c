/* SPDX-License-Identifier: BSD-3-Clause */
/* trace: reads a trace of any known format onto a tape. */
#include "replay/input/input.h"
#include "replay/replay.h"
#include "replay/tape/tape.h"
#include "replay/ti/ti.h"

#include <inttypes.h>

static const struct {
    const char *name;
    bool (*is)(const char *head, size_t n);
    int (*read)(struct replay_tape *t, const char *path, const struct replay_ti_about *about,
                struct base_status *st);
} formats[] = {
    {"time-independent (SMPI)", replay_ti_is, replay_ti_read},
};

static int read_onto(struct replay_tape *t, const char *path, uint32_t ranks, struct base_status *st)
{
    size_t n;
    const struct replay_ti_about about = {.ranks = ranks};
    struct replay_input *in = replay_input_open(path, st);
    const char *head = in ? (const char *)replay_input_peek(in, &n, st) : NULL;
    int rc = head ? base_fail(st, "%s: its first bytes are of no known format of traces", path) : -1;
    for (size_t k = 0; head && k < BASE_LENGTH(formats); k++)
        if (formats[k].is(head, n)) {
            rc = formats[k].read(t, path, &about, st);
            break;
        }
    replay_input_close(in);
    return !rc && !replay_tape_ranks(t) ? base_fail(st, "%s: the trace has no ranks", path) : rc;
}

struct replay_tape *replay_trace_read(const char *path, uint32_t ranks, struct base_status *st)
{
    struct replay_tape *t = replay_tape_create();
    if (read_onto(t, path, ranks, st)) {
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
