/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: a followed rank's loads and stores. A sanitizer would look up whether an address may be accessed,
 * and would crash where a program that is checked itself makes such a lookup: these accesses are not checked,
 * and they call no memcpy.
 */
#include "fold/poll/x86.h"

#if defined(__x86_64__)
#define UNCHECKED __attribute__((no_sanitize("address", "thread", "undefined"), noinline))
struct word_64 {
    uint64_t value;
} __attribute__((packed, may_alias));
struct word_32 {
    uint32_t value;
} __attribute__((packed, may_alias));
struct word_16 {
    uint16_t value;
} __attribute__((packed, may_alias));

UNCHECKED uint64_t x86_memory_get(uintptr_t at, unsigned bytes)
{
    switch (bytes) {
    case 8:
        return ((const struct word_64 *)at)->value;
    case 4:
        return ((const struct word_32 *)at)->value;
    case 2:
        return ((const struct word_16 *)at)->value;
    default:
        return *(const unsigned char *)at;
    }
}

UNCHECKED void x86_memory_put(uintptr_t at, uint64_t value, unsigned bytes)
{
    switch (bytes) {
    case 8:
        ((struct word_64 *)at)->value = value;
        break;
    case 4:
        ((struct word_32 *)at)->value = (uint32_t)value;
        break;
    case 2:
        ((struct word_16 *)at)->value = (uint16_t)value;
        break;
    default:
        *(unsigned char *)at = (unsigned char)value;
    }
}
#endif
