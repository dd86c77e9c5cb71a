/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomics: the callbacks of -fsanitize=thread for atomic operations and fences, which replace the operation. They
 * carry it out with the strongest order: the order that the program asked for only matters to who checks.
 * Those of 16 bytes are carried out one after the other, because many processors have no such instruction.
 */
#include "check/watch/watch.h"

#if !BASE_TSAN

#define TELL(bytes, reads, writes, order)                                                                    \
    do {                                                                                                     \
        if (BASE_UNLIKELY(check_watching))                                                                   \
            check_atomic((uintptr_t)address, bytes, reads, writes, order, WATCH_PC);                         \
    } while (0)

#define LOAD_STORE(bits, type)                                                                               \
    WATCH_PUBLIC type __tsan_atomic##bits##_load(const volatile type *address, int order);                   \
    type __tsan_atomic##bits##_load(const volatile type *address, int order)                                 \
    {                                                                                                        \
        type value = load_##bits(address);                                                                   \
        TELL(sizeof(type), true, false, order);                                                              \
        return value;                                                                                        \
    }                                                                                                        \
    WATCH_PUBLIC void __tsan_atomic##bits##_store(volatile type *address, type value, int order);            \
    void __tsan_atomic##bits##_store(volatile type *address, type value, int order)                          \
    {                                                                                                        \
        store_##bits(address, value);                                                                        \
        TELL(sizeof(type), false, true, order);                                                              \
    }

#define MODIFY(bits, type, name)                                                                             \
    WATCH_PUBLIC type __tsan_atomic##bits##_##name(volatile type *address, type value, int order);           \
    type __tsan_atomic##bits##_##name(volatile type *address, type value, int order)                         \
    {                                                                                                        \
        type before = name##_##bits(address, value);                                                         \
        TELL(sizeof(type), true, true, order);                                                               \
        return before;                                                                                       \
    }

/* As gcc and clang ask for it: by a pointer to what is expected, which gets what is there; by value. */
#define EXCHANGE_IF(bits, type, name)                                                                        \
    WATCH_PUBLIC int __tsan_atomic##bits##_compare_exchange_##name(volatile type *address, type *expected,   \
                                                                   type value, int order, int failed);       \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *address, type *expected, type value,    \
                                                      int order, int failed)                                 \
    {                                                                                                        \
        bool done = exchange_if_##bits(address, expected, value);                                            \
        TELL(sizeof(type), true, done, done ? order : failed);                                               \
        return done;                                                                                         \
    }
#define EXCHANGE_IF_VALUE(bits, type)                                                                        \
    WATCH_PUBLIC type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected,      \
                                                                 type value, int order, int failed);         \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected, type value,       \
                                                    int order, int failed)                                   \
    {                                                                                                        \
        bool done = exchange_if_##bits(address, &expected, value);                                           \
        TELL(sizeof(type), true, done, done ? order : failed);                                               \
        return expected;                                                                                     \
    }

#define ATOMICS(bits, type)                                                                                  \
    LOAD_STORE(bits, type)                                                                                   \
    MODIFY(bits, type, exchange)                                                                             \
    MODIFY(bits, type, fetch_add)                                                                            \
    MODIFY(bits, type, fetch_sub)                                                                            \
    MODIFY(bits, type, fetch_and)                                                                            \
    MODIFY(bits, type, fetch_or)                                                                             \
    MODIFY(bits, type, fetch_xor)                                                                            \
    MODIFY(bits, type, fetch_nand)                                                                           \
    EXCHANGE_IF(bits, type, strong)                                                                          \
    EXCHANGE_IF(bits, type, weak)                                                                            \
    EXCHANGE_IF_VALUE(bits, type)

/* --- the operations --------------------------------------------------------------------------------- */

#define NATIVE_MODIFY(bits, type, name, builtin)                                                             \
    static inline type name##_##bits(volatile type *address, type value)                                     \
    {                                                                                                        \
        return builtin(address, value, __ATOMIC_SEQ_CST);                                                    \
    }
#define NATIVE(bits, type)                                                                                   \
    static inline type load_##bits(const volatile type *address)                                             \
    {                                                                                                        \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                                        \
    static inline void store_##bits(volatile type *address, type value)                                      \
    {                                                                                                        \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                                        \
    static inline bool exchange_if_##bits(volatile type *address, type *expected, type value)                \
    {                                                                                                        \
        return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST,                \
                                           __ATOMIC_SEQ_CST);                                                \
    }                                                                                                        \
    NATIVE_MODIFY(bits, type, exchange, __atomic_exchange_n)                                                 \
    NATIVE_MODIFY(bits, type, fetch_add, __atomic_fetch_add)                                                 \
    NATIVE_MODIFY(bits, type, fetch_sub, __atomic_fetch_sub)                                                 \
    NATIVE_MODIFY(bits, type, fetch_and, __atomic_fetch_and)                                                 \
    NATIVE_MODIFY(bits, type, fetch_or, __atomic_fetch_or)                                                   \
    NATIVE_MODIFY(bits, type, fetch_xor, __atomic_fetch_xor)                                                 \
    NATIVE_MODIFY(bits, type, fetch_nand, __atomic_fetch_nand)

NATIVE(8, uint8_t)
NATIVE(16, uint16_t)
NATIVE(32, uint32_t)
NATIVE(64, uint64_t)

__extension__ typedef unsigned __int128 wide;
static bool wide_busy;

static void wide_begin(void)
{
    while (__atomic_test_and_set(&wide_busy, __ATOMIC_ACQUIRE))
        ;
}
static void wide_end(void)
{
    __atomic_clear(&wide_busy, __ATOMIC_RELEASE);
}

#define WIDE_MODIFY(name, result)                                                                            \
    static wide name##_128(volatile wide *address, wide value)                                               \
    {                                                                                                        \
        wide_begin();                                                                                        \
        wide before = *address;                                                                              \
        *address = (result);                                                                                 \
        wide_end();                                                                                          \
        return before;                                                                                       \
    }
WIDE_MODIFY(exchange, value)
WIDE_MODIFY(fetch_add, before + value)
WIDE_MODIFY(fetch_sub, before - value)
WIDE_MODIFY(fetch_and, before &value)
WIDE_MODIFY(fetch_or, before | value)
WIDE_MODIFY(fetch_xor, before ^ value)
WIDE_MODIFY(fetch_nand, ~(before &value))

static wide load_128(const volatile wide *address)
{
    wide_begin();
    wide value = *address;
    wide_end();
    return value;
}
static void store_128(volatile wide *address, wide value)
{
    (void)exchange_128(address, value);
}
static bool exchange_if_128(volatile wide *address, wide *expected, wide value)
{
    wide_begin();
    bool done = *address == *expected;
    *expected = *address;
    if (done)
        *address = value;
    wide_end();
    return done;
}

/* --- the callbacks ---------------------------------------------------------------------------------- */

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
ATOMICS(128, wide)

bool watch_is_atomic(uintptr_t function, size_t bytes, bool stores)
{
    switch (bytes) {
    case 1:
        return function == (stores ? (uintptr_t)__tsan_atomic8_store : (uintptr_t)__tsan_atomic8_load);
    case 2:
        return function == (stores ? (uintptr_t)__tsan_atomic16_store : (uintptr_t)__tsan_atomic16_load);
    case 4:
        return function == (stores ? (uintptr_t)__tsan_atomic32_store : (uintptr_t)__tsan_atomic32_load);
    case 8:
        return function == (stores ? (uintptr_t)__tsan_atomic64_store : (uintptr_t)__tsan_atomic64_load);
    default:
        return function == (stores ? (uintptr_t)__tsan_atomic128_store : (uintptr_t)__tsan_atomic128_load);
    }
}

WATCH_PUBLIC void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (BASE_UNLIKELY(check_watching))
        check_atomic(0, 0, false, false, order, WATCH_PC);
}

/* Between a thread and its own signal handlers: orders nothing else. */
WATCH_PUBLIC void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#endif
