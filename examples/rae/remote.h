/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote: words of other processing elements (PEs), the way the kernels of this folder use them. A kernel is
 * written once; who executes its atomics is chosen when it is compiled:
 *
 *   -DREMOTE_RAE       the instructions of the remote atomic extension (default): the target's network card
 *                      executes them, or its host core with --set rdma/profile=software. --set
 *                      software/library=oshmem adds the instructions of a communication library
 *   -DREMOTE_GETPUT    get, modify, put under a lock at the target: what xBGAS has without the extension
 *   -DREMOTE_SHMEM     OpenSHMEM, on this machine: oshcc
 *   -DREMOTE_LOCAL     one PE, no communication: plain C, anywhere
 *
 * An object of static storage has the same address everywhere, so it is symmetric. All operations are on
 * words of 64 bits, return the old value, and are counted (remote_count.h).
 */
#ifndef RAE_REMOTE_H
#define RAE_REMOTE_H

#include <stdint.h>

enum remote_kind {
    REMOTE_ADD,
    REMOTE_AND,
    REMOTE_OR,
    REMOTE_XOR,
    REMOTE_MIN,
    REMOTE_MAX,
    REMOTE_CAS,
    REMOTE_KINDS
};

enum { REMOTE_PES = 1024 }; /* at most */

/* What a back end provides: remote_init, remote_finish, remote_me, remote_pes, remote_barrier,
 * remote_raw_load, remote_raw_store, and remote_raw for all kinds. `expected` is for REMOTE_CAS alone. The PE
 * itself is called REMOTE_OWN there. */
#if defined REMOTE_SHMEM
#include "remote_shmem.h"
#elif defined REMOTE_LOCAL
#include "remote_local.h"
#else
#include "remote_rae.h"
#endif
#include "remote_count.h"

static inline uint64_t remote_add(uint64_t *word, uint64_t value, unsigned pe)
{
    return remote_counted(REMOTE_ADD, word, value, 0, pe);
}

/* Signed. */
static inline uint64_t remote_min(uint64_t *word, uint64_t value, unsigned pe)
{
    return remote_counted(REMOTE_MIN, word, value, 0, pe);
}

static inline uint64_t remote_max(uint64_t *word, uint64_t value, unsigned pe)
{
    return remote_counted(REMOTE_MAX, word, value, 0, pe);
}

static inline uint64_t remote_cas(uint64_t *word, uint64_t expected, uint64_t value, unsigned pe)
{
    return remote_counted(REMOTE_CAS, word, value, expected, pe);
}

#endif
