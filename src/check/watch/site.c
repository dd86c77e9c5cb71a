/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * site: whether the access behind a callback of coverage.c is atomic: then the next call of the code is that of a
 * callback of atomics.c. Looks at the code as compilers write it: a direct call of a stub of the procedure linkage
 * table, or a call through a slot of the global offset table. Answers are kept by place.
 */
#include "check/watch/watch.h"

#include <link.h>
#include <string.h>

#if !BASE_TSAN

enum { REACH = 64, SITES = 4096 }; /* bytes of code that are looked at; answers kept */

/* The loaded object that has the code. */
struct object {
    uintptr_t at, base;
    const ElfW(Phdr) * segment;
    unsigned n;
};

static bool within(const struct object *o, uintptr_t address, size_t bytes)
{
    for (unsigned k = 0; k < o->n; k++) {
        const ElfW(Phdr) *p = &o->segment[k];
        uintptr_t from = address - (o->base + p->p_vaddr);
        if (p->p_type == PT_LOAD && from < p->p_memsz && bytes <= p->p_memsz - from)
            return true;
    }
    return false;
}

static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct object *o = arg, here = {o->at, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum};
    (void)size;
    if (!within(&here, o->at, 1))
        return 0;
    *o = here;
    return 1;
}

/* The value of the slot; 0: there is none. */
static uintptr_t slot_value(const struct object *o, uintptr_t slot)
{
    return within(o, slot, sizeof(uintptr_t)) ? *(const uintptr_t *)slot : 0;
}

#if defined(__x86_64__)

static uintptr_t follow(uintptr_t at) /* to where the distance that is stored there leads from behind it */
{
    int32_t distance;
    memcpy(&distance, (const void *)at, sizeof distance);
    return at + sizeof distance + (uintptr_t)(intptr_t)distance;
}

/* [endbr64] [bnd] jmp *slot(%rip) */
static uintptr_t through_stub(const struct object *o, uintptr_t stub)
{
    static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    if (!within(o, stub, 16))
        return 0;
    const unsigned char *p = (const unsigned char *)stub;
    p += memcmp(p, endbr64, sizeof endbr64) ? 0 : sizeof endbr64;
    p += *p == 0xf2;
    return p[0] == 0xff && p[1] == 0x25 ? slot_value(o, follow((uintptr_t)p + 2)) : 0;
}

/* Of all bytes that may be a call's first, the one is meant that leads to a function. */
static uintptr_t call_at(const struct object *o, uintptr_t at)
{
    const unsigned char *p = (const unsigned char *)at;
    if (p[0] == 0xe8)
        return through_stub(o, follow(at + 1));
    return p[0] == 0xff && p[1] == 0x15 ? slot_value(o, follow(at + 2)) : 0;
}
enum { STEP = 1 };

#else

/* [bti] adrp x16, page; ldr x17, [x16, offset] */
static uintptr_t through_stub(const struct object *o, uintptr_t stub)
{
    if (!within(o, stub, 16))
        return 0;
    const uint32_t *p = (const uint32_t *)stub;
    p += *p == 0xd503245f;
    if ((p[0] & 0x9f00001f) != 0x90000010 || (p[1] & 0xffc003ff) != 0xf9400211)
        return 0;
    int64_t pages = (int64_t)((uint64_t)((p[0] >> 5 & 0x7ffff) << 2 | (p[0] >> 29 & 3)) << 43) >> 43;
    return slot_value(o, ((uintptr_t)p & ~UINT64_C(0xfff)) + (uintptr_t)(pages * 4096) +
                             (p[1] >> 10 & 0xfff) * 8);
}

static uintptr_t call_at(const struct object *o, uintptr_t at)
{
    uint32_t bl = *(const uint32_t *)at;
    int64_t distance = (int64_t)((uint64_t)(bl & 0x3ffffff) << 38) >> 36;
    return (bl & 0xfc000000) == 0x94000000 ? through_stub(o, at + (uintptr_t)distance) : 0;
}
enum { STEP = 4 };

#endif

static bool find_out(const void *pc, size_t bytes, bool stores)
{
    struct object o = {.at = (uintptr_t)pc};
    if (!dl_iterate_phdr(look, &o))
        return false;
    for (uintptr_t at = o.at; at < o.at + REACH && within(&o, at, 8); at += STEP) {
        uintptr_t function = call_at(&o, at);
        if (function)
            return watch_is_atomic(function, bytes, stores);
    }
    return false;
}

bool watch_site_atomic(const void *pc, size_t bytes, bool stores)
{
    static struct {
        const void *pc;
        bool atomic;
    } site[SITES], *s;
    s = &site[((uintptr_t)pc ^ (uintptr_t)pc >> 12) % SITES];
    if (s->pc != pc) {
        s->atomic = find_out(pc, bytes, stores);
        s->pc = pc;
    }
    return s->atomic;
}

#endif
