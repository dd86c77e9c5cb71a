/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_getput: an atomic as xBGAS without the extension has it: lock, get, modify here, put, unlock. A lock
 * is a word at the target, taken by a compare-and-swap, for without any atomic a lock takes many more trips.
 * Words share REMOTE_LOCKS locks. A fence lets the put arrive before the lock is given back.
 */
#ifndef RAE_REMOTE_GETPUT_H
#define RAE_REMOTE_GETPUT_H

enum { REMOTE_LOCKS = 64 };
static uint64_t remote_lock[REMOTE_LOCKS];

static inline uint64_t remote_modified(enum remote_kind kind, uint64_t old, uint64_t value, uint64_t expected)
{
    switch (kind) {
    case REMOTE_ADD:
        return old + value;
    case REMOTE_AND:
        return old & value;
    case REMOTE_OR:
        return old | value;
    case REMOTE_XOR:
        return old ^ value;
    case REMOTE_MIN:
        return (int64_t)old < (int64_t)value ? old : value;
    case REMOTE_MAX:
        return (int64_t)old > (int64_t)value ? old : value;
    default:
        return old == expected ? value : old;
    }
}

static inline uint64_t remote_raw(enum remote_kind kind, uint64_t *word, uint64_t value, uint64_t expected,
                                  unsigned pe)
{
    uint64_t *lock = &remote_lock[((uintptr_t)word >> 3) % REMOTE_LOCKS];
    while (xbgas_amocas_d(remote_object(pe), lock, 0, 1) != 0)
        ;
    uint64_t old = remote_raw_load(word, pe);
    uint64_t new = remote_modified(kind, old, value, expected);
    if (new != old)
        remote_raw_store(word, new, pe);
    remote_fence();
    remote_raw_store(lock, 0, pe);
    return old;
}

#endif
