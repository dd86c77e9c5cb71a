/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: ranks whose addresses are those of this process. Everything lies where its address says, except the
 * frames of a waiting rank when ranks share a stack. If a rank is running ahead, its memory is accessed only
 * after it has stopped.
 */
#include "rank/internal.h"

#include <string.h>

/* --- where addresses say -------------------------------------------------------------------------- */

static void *plain_direct(struct rank *r, uintptr_t address, size_t size)
{
    (void)r, (void)size;
    return (void *)address;
}

static void plain_read(struct rank *r, uintptr_t address, void *out, size_t size)
{
    (void)r;
    memcpy(out, (const void *)address, size);
}

static void plain_write(struct rank *r, uintptr_t address, const void *in, size_t size)
{
    (void)r;
    memcpy((void *)address, in, size);
}

const struct rank_memory rank_memory_plain = {plain_direct, plain_read, plain_write, plain_direct, false};

/* --- stacks apart --------------------------------------------------------------------------------- */

static void *native_direct(struct rank *r, uintptr_t address, size_t size)
{
    return engine_actor_range(r->engine, r->actor, (const void *)address, size);
}

static void native_read(struct rank *r, uintptr_t address, void *out, size_t size)
{
    memcpy(out, engine_actor_place(r->engine, r->actor, (const void *)address), size);
}

static void native_write(struct rank *r, uintptr_t address, const void *in, size_t size)
{
    memcpy(engine_actor_place(r->engine, r->actor, (const void *)address), in, size);
}

const struct rank_memory rank_memory_native = {native_direct, native_read, native_write, plain_direct, false};

const struct rank_memory *rank_memory_choose(const struct rank_job *job)
{
    return job->lodges || job->aheads ? &rank_memory_native : &rank_memory_plain;
}

/* --- any ------------------------------------------------------------------------------------------ */

void rank_memory_reach(struct rank_job *job)
{
    rank_ahead_end(job);
    job->reaches = true;
}

void *rank_share(struct rank *r, uintptr_t address, size_t size)
{
    rank_memory_reach(r->job);
    return r->memory->share(r, address, size);
}

bool rank_memory_reached(const struct rank_job *job)
{
    return job->reaches;
}

uint32_t rank_span_count(const struct rank *r)
{
    return r->provider->names ? r->provider->names->span_count(r) : 0;
}

struct rank_span rank_span_of(const struct rank *r, uint32_t k)
{
    return r->provider->names->span_of(r, k);
}

bool rank_object_find(const struct rank *r, uint32_t span, size_t offset, struct rank_object *out)
{
    return r->provider->names && r->provider->names->object_find(r, span, offset, out);
}
