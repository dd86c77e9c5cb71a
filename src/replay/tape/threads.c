/* SPDX-License-Identifier: BSD-3-Clause */
/* threads: where the actions of ranks' further threads are: on a tape within their trace's. */
#include "replay/tape/chunk.h"

#include "rank/rank.h"

#include <stdlib.h>

const char *replay_waking_name(unsigned how)
{
    static const char *const names[] = {[RANK_WAKING_PARKED] = "parked",
                                        [RANK_WAKING_AT_ONCE] = "cancelled",
                                        [RANK_WAKING_FILE] = "file",
                                        [RANK_WAKING_POLL] = "poll"};
    return how < BASE_LENGTH(names) ? names[how] : NULL;
}

static uint64_t key_of(uint32_t rank, uint32_t thread)
{
    return (uint64_t)rank << 32 | thread;
}

struct replay_tape *replay_tape_threads(const struct replay_tape *t)
{
    return t->threads;
}

static void make(struct replay_tape *t)
{
    t->threads = replay_tape_create();
    base_table_init(&t->thread_at, BASE_NUMBERS, sizeof(uint32_t), "threads of a tape");
    base_table_init(&t->exits, BASE_NUMBERS, 1, "threads of a tape");
    if (t->times)
        replay_tape_keep_times(t->threads);
}

uint32_t replay_tape_thread(struct replay_tape *t, uint32_t rank, uint32_t thread)
{
    bool fresh;
    if (!t->threads)
        make(t);
    uint32_t *place = base_table_add(&t->thread_at, key_of(rank, thread), &fresh);
    if (fresh) {
        *place = replay_tape_ranks(t->threads);
        BASE_ARRAY_PUSH(&t->thread_keys, key_of(rank, thread));
        replay_tape_ranks_least(t->threads, *place + 1);
    }
    return *place;
}

bool replay_tape_thread_find(const struct replay_tape *t, uint32_t rank, uint32_t thread, uint32_t *place)
{
    const uint32_t *found = t->threads ? base_table_find(&t->thread_at, key_of(rank, thread)) : NULL;
    if (found)
        *place = *found;
    return found != NULL;
}

void replay_tape_thread_at(const struct replay_tape *t, uint32_t place, uint32_t *rank, uint32_t *thread)
{
    *rank = (uint32_t)(t->thread_keys.at[place] >> 32);
    *thread = (uint32_t)t->thread_keys.at[place];
}

bool replay_tape_thread_ends(const struct replay_tape *t, uint32_t place)
{
    return t->threads->tracks.at[place].last == REPLAY_THREAD_END;
}

void replay_tape_rank_ends(struct replay_tape *t, uint32_t rank)
{
    base_table_add(&t->exits, rank, NULL);
}

bool replay_tape_rank_exits(const struct replay_tape *t, uint32_t rank)
{
    return t->threads && base_table_find(&t->exits, rank);
}

void replay_threads_release(struct replay_tape *t)
{
    if (!t->threads)
        return;
    base_table_release(&t->thread_at);
    base_table_release(&t->exits);
    free(t->thread_keys.at);
    replay_tape_destroy(t->threads);
    t->threads = NULL;
}
