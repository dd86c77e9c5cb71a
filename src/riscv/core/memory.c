/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: a core's spans, and the slow way to bytes: those that are not in the span that is used most. The
 * fast way is the interpreter's (loop.h).
 */
#include <string.h>

#include "riscv/core/state.h"

bool riscv_core_span(struct riscv_core *c, struct riscv_span s)
{
    if (c->spans == RISCV_SPANS || s.size == 0 || s.base + (s.size - 1) < s.base)
        return false;
    for (uint32_t i = 0; i < c->spans; i++)
        if (s.base - c->span[i].base < c->span[i].size || c->span[i].base - s.base < s.size)
            return false;
    c->span[c->spans++] = s;
    return true;
}

void *riscv_core_bytes(const struct riscv_core *c, uint64_t address, uint64_t size, uint8_t may)
{
    for (uint32_t i = 0; i < c->spans; i++) {
        const struct riscv_span *s = &c->span[i];
        uint64_t at = address - s->base;
        if (at < s->size)
            return size <= s->size - at && (s->may & may) == may ? s->host + at : NULL;
    }
    return NULL;
}

/* Whether the byte is in some span, whatever may be done there. */
static bool in_span(const struct riscv_core *c, uint64_t address)
{
    return riscv_core_bytes(c, address, 1, 0) != NULL;
}

/* Whether an access lies neither in a span nor across the border of one. */
static bool outside(const struct riscv_core *c, uint64_t address, unsigned bytes)
{
    return !in_span(c, address) && !in_span(c, address + bytes - 1);
}

bool riscv_load(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t *value)
{
    const void *at = riscv_core_bytes(c, address, bytes, RISCV_READ);
    *value = 0;
    if (at) {
        memcpy(value, at, bytes);
        return true;
    }
    if (outside(c, address, bytes) && c->port && c->port->load && c->port->load(c, address, bytes, value))
        return true;
    if (outside(c, address, bytes) || riscv_core_bytes(c, address, bytes, 0))
        return riscv_fails(c, RISCV_LOAD_FAULT, address);
    for (unsigned i = 0; i < bytes; i++) { /* across a border */
        uint64_t byte;
        if (!riscv_load(c, address + i, 1, &byte))
            return false;
        *value |= byte << 8 * i;
    }
    return true;
}

/* Whether each of the bytes could be stored by itself: a store across a border is done as a whole or not at
 * all, as far as spans are concerned. */
static bool may_store(const struct riscv_core *c, uint64_t address, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        if (in_span(c, address + i) && !riscv_core_bytes(c, address + i, 1, RISCV_WRITE))
            return false;
    return true;
}

bool riscv_store(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t value)
{
    void *at = riscv_core_bytes(c, address, bytes, RISCV_WRITE);
    if (at) {
        memcpy(at, &value, bytes);
        return true;
    }
    if (outside(c, address, bytes) && c->port && c->port->store && c->port->store(c, address, bytes, value))
        return true;
    if (outside(c, address, bytes) || !may_store(c, address, bytes))
        return riscv_fails(c, RISCV_STORE_FAULT, address);
    for (unsigned i = 0; i < bytes; i++) /* across a border */
        if (!riscv_store(c, address + i, 1, value >> 8 * i & 0xff))
            return false;
    return true;
}
