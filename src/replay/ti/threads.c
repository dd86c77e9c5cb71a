/* SPDX-License-Identifier: BSD-3-Clause */
/* threads: lines of what threads do to one another, in traces of calls. A thread is a number, from 1; one of another rank
 * is "RANK.THREAD". */
#include "replay/ti/line.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 1 << 24 };

/* Digits; where they end. */
static const char *read_digits(const char *p, uint64_t *value)
{
    for (*value = 0; *p >= '0' && *p <= '9' && *value <= UINT32_MAX; p++)
        *value = *value * 10 + (unsigned)(*p - '0');
    return p;
}

bool replay_ti_who(const char *word, uint32_t *rank, uint32_t *thread)
{
    uint64_t value;
    const char *p = read_digits(word, &value);
    if (p == word || value >= UINT32_MAX)
        return false;
    *rank = (uint32_t)value;
    *thread = 1;
    if (*p == '.') {
        const char *from = ++p;
        p = read_digits(from, &value);
        if (p == from || !value || value > MOST)
            return false;
        *thread = (uint32_t)value;
    }
    return !*p || *p == ' ' || *p == '\t';
}

/* The other thread: x->action.peer and number. */
static int read_other(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    const char *word = replay_ti_word(x, 2);
    if (!word || !replay_ti_who(word, &a->peer, &a->number))
        return base_fail(st, "%s%s%.40s: expected a thread, from 1, or RANK.THREAD", x->words.at[1],
                         word ? " " : "", word ? word : "");
    if (!strchr(word, '.')) {
        a->number = a->peer;
        a->peer = x->rank;
    }
    if (a->peer >= x->all)
        return base_fail(st, "%s: rank %" PRIu32 ": expected one below %" PRIu32 ", the number of ranks",
                         x->words.at[1], a->peer, x->all);
    if (!a->number || a->number > MOST)
        return base_fail(st, "%s %s: expected a thread from 1 to %d", x->words.at[1], word, MOST);
    return 0;
}

static int read_wake(struct replay_ti_reader *x, struct base_status *st)
{
    const char *early = replay_ti_word(x, 3);
    if (early && strcmp(early, "early") != 0)
        return base_fail(st, "thread_wake: %.40s: expected early, or nothing", early);
    x->action.tag = early != NULL;
    return 0;
}

static int read_wait(struct replay_ti_reader *x, struct base_status *st)
{
    const char *how = replay_ti_word(x, 3);
    unsigned k = 0;
    while (how && replay_waking_name(k) && strcmp(how, replay_waking_name(k)) != 0)
        k++;
    if (how && !replay_waking_name(k))
        return base_fail(st, "thread_wait: %.40s: expected cancelled, file, poll, or nothing", how);
    x->action.tag = (int32_t)k;
    return 0;
}

int replay_ti_thread(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    int64_t n = 0;
    switch (a->kind) {
    case REPLAY_THREAD_CREATE:
        if (replay_ti_word(x, 2) && replay_ti_whole(x, 2, "a thread", 2, MOST, &n, st))
            return -1;
        break;
    case REPLAY_THREAD_JOIN:
        if (replay_ti_whole(x, 2, "a thread", 1, MOST, &n, st))
            return -1;
        break;
    case REPLAY_THREAD_CALLS:
        if (replay_ti_whole(x, 2, "a number of calls", 1, UINT32_MAX, &n, st))
            return -1;
        break;
    case REPLAY_THREAD_WAKE:
        return read_other(x, st) || read_wake(x, st) ? -1 : 0;
    case REPLAY_THREAD_WAIT:
        return read_other(x, st) || read_wait(x, st) ? -1 : 0;
    default: /* the ends */
        if (x->thread == 1)
            return base_fail(st, "%s: expected a line of a further thread, RANK.THREAD", x->words.at[1]);
    }
    a->number = (uint32_t)n;
    return 0;
}
