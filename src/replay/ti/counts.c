/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts: how many ranks a trace has. Those that are started by others are behind those that begin with it: the calls that
 * start them say which they are.
 */
#include "replay/input/input.h"
#include "replay/replay.h"
#include "replay/ti/line.h"

#include <inttypes.h>
#include <string.h>

struct count {
    uint32_t ranks;   /* that lines or calls name */
    uint32_t first;   /* that is started; UINT32_MAX: none is */
    uint64_t started; /* by all calls */
    struct record_words words;
};

static void count_started(struct count *c, const char *line)
{
    static const char begins[] = "MPI_Comm_spawn";
    const char *call = replay_ti_call_on(line);
    struct base_status why;
    uint32_t first, n;
    if (!call || strncmp(call, begins, sizeof begins - 1) != 0)
        return;
    size_t length = strcspn(call, " \t\r");
    uint32_t function = record_find(call, length);
    if (function == RECORD_FUNCTIONS ||
        record_parse(record_function_of(function), call + length, &c->words, &why) ||
        !replay_starts_of(function, c->words.at, c->words.n, &first, &n))
        return; /* what is wrong is reported when the line is read */
    c->first = first < c->first ? first : c->first;
    c->ranks = first + n > c->ranks ? first + n : c->ranks;
    c->started += n;
}

static int check(const struct count *c, const char *path, struct base_status *st)
{
    if (c->first == UINT32_MAX || (c->first && c->started == c->ranks - c->first))
        return 0;
    return base_fail(st,
                     "%s: its calls of MPI_Comm_spawn start %" PRIu64
                     " ranks, the first one of which is %" PRIu32 ", and the trace has %" PRIu32
                     ": expected all from 1 on or later, each of them once",
                     path, c->started, c->first, c->ranks);
}

int replay_ti_count(const char *path, struct replay_ti_ranks *out, struct base_status *st)
{
    char *line;
    uint32_t rank;
    int got;
    struct count c = {.first = UINT32_MAX};
    struct replay_input *in = replay_input_open(path, st);
    if (!in)
        return -1;
    while ((got = replay_input_line(in, &line, st)) > 0) {
        if (replay_ti_rank_of(line, &rank) && rank >= c.ranks)
            c.ranks = rank + 1;
        count_started(&c, line);
    }
    replay_input_close(in);
    record_words_release(&c.words);
    if (got || check(&c, path, st))
        return -1;
    *out = (struct replay_ti_ranks){c.first < c.ranks ? c.first : c.ranks, c.ranks};
    return 0;
}

bool replay_ti_may_start(const char *head, size_t n)
{
    static const char begins[] = REPLAY_CALLS_HEAD;
    const char *end = memchr(head, '\n', n);
    return end && n > sizeof begins && !memcmp(head, begins, sizeof begins - 1) &&
           memmem(head, (size_t)(end - head), REPLAY_CALLS_OTHERS, sizeof REPLAY_CALLS_OTHERS - 1);
}
