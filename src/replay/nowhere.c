/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nowhere: the memory of players. Whatever address a call names, no data is there: what is read has no meaning, and
 * what is written goes nowhere. Words of OpenSHMEM's symmetric memory are real, because locks go by them.
 */
#include "replay/player.h"
#include "shmem/shmem_front.h"

#include <string.h>

static void *real(const struct rank *r, uintptr_t address, size_t size)
{
    const struct replay_statics *statics = replay_world_of(replay_job_of(r), r)->statics;
    uintptr_t heaps = 0;
    size_t bytes = shmem_heaps_of(r, &heaps);
    bool is = size <= sizeof(uint64_t) &&
              (address - heaps < bytes || (statics && address - statics->base < statics->bytes));
    return is ? (void *)address : NULL; // NOLINT(performance-no-int-to-ptr)
}

static void *nowhere_direct(struct rank *r, uintptr_t address, size_t size)
{
    const struct replay_job *j = replay_job_of(r);
    void *word = real(r, address, size);
    return word ? word : size <= j->memory_bytes ? j->memory : NULL;
}

static void nowhere_read(struct rank *r, uintptr_t address, void *out, size_t size)
{
    const void *word = real(r, address, size);
    if (word)
        memcpy(out, word, size);
    else
        memset(out, 0, size);
}

static void nowhere_write(struct rank *r, uintptr_t address, const void *in, size_t size)
{
    void *word = real(r, address, size);
    if (word)
        memcpy(word, in, size);
}

const struct rank_memory replay_nowhere = {nowhere_direct, nowhere_read, nowhere_write, nowhere_direct, true};
