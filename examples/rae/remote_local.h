/* SPDX-License-Identifier: BSD-3-Clause */
/* remote_local: one PE alone, in plain C. */
#ifndef RAE_REMOTE_LOCAL_H
#define RAE_REMOTE_LOCAL_H

static inline void remote_init(void)
{
}

static inline void remote_finish(void)
{
}

static inline void remote_barrier(void)
{
}

static inline unsigned remote_me(void)
{
    return 0;
}

static inline unsigned remote_pes(void)
{
    return 1;
}

#define REMOTE_OWN remote_me()

static inline uint64_t remote_raw_load(const uint64_t *word, unsigned pe)
{
    (void)pe;
    return *word;
}

static inline void remote_raw_store(uint64_t *word, uint64_t value, unsigned pe)
{
    (void)pe;
    *word = value;
}

static inline uint64_t remote_raw(enum remote_kind kind, uint64_t *word, uint64_t value, uint64_t expected,
                                  unsigned pe)
{
    uint64_t old = *word;
    (void)pe;
    switch (kind) {
    case REMOTE_ADD:
        *word += value;
        break;
    case REMOTE_AND:
        *word &= value;
        break;
    case REMOTE_OR:
        *word |= value;
        break;
    case REMOTE_XOR:
        *word ^= value;
        break;
    case REMOTE_MIN:
        *word = (int64_t)value < (int64_t)old ? value : old;
        break;
    case REMOTE_MAX:
        *word = (int64_t)value > (int64_t)old ? value : old;
        break;
    default:
        *word = old == expected ? value : old;
    }
    return old;
}

static inline uint64_t remote_cycle(void)
{
    return 0;
}

static inline uint64_t remote_instret(void)
{
    return 0;
}

#endif
