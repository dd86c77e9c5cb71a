/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of ranks whose globals are exchanged: the one translation of (rank, address) to bytes in this
 * process. Everything that is not exchanged lies where its address says, except the frames of a waiting rank
 * when ranks share a stack.
 *
 * The source or destination of a transfer may also be an address that rank_share returned: it means the bytes
 * of the rank for which it was requested, whoever uses it.
 */
#include "fold/internal.h"

#include <string.h>

static struct swap *swap_of(const struct rank *r)
{
    return fold_images(r)->swap;
}

static struct swap_version *version(const struct rank *r)
{
    return &fold_part(r)->image->version;
}

static void *direct(struct rank *r, uintptr_t address, size_t size)
{
    struct swap *s = swap_of(r);
    void *shared = swap_live_place(s, address);
    if (shared)
        return shared;
    void *place = engine_actor_range(r->engine, r->actor, (const void *)address, size);
    return place != (const void *)address ? place : swap_direct(s, version(r), address, size);
}

static void *share(struct rank *r, uintptr_t address, size_t size)
{
    return swap_share(swap_of(r), version(r), address, size);
}

/* Whether the bytes lie in the saved copy of a rank that is not live. */
static bool is_kept(const struct rank *r, const struct swap *s, uintptr_t address, size_t size)
{
    return swap_live(s) != version(r) && swap_touches(s, address, size);
}

static void *place_now(const struct rank *r, const struct swap *s, uintptr_t address)
{
    void *shared = swap_live_place(s, address);
    return shared ? shared : engine_actor_place(r->engine, r->actor, (const void *)address);
}

static void read_bytes(struct rank *r, uintptr_t address, void *out, size_t size)
{
    const struct swap *s = swap_of(r);
    if (is_kept(r, s, address, size))
        swap_read(s, version(r), address, out, size);
    else
        memcpy(out, place_now(r, s, address), size);
}

static void write_bytes(struct rank *r, uintptr_t address, const void *in, size_t size)
{
    struct swap *s = swap_of(r);
    if (is_kept(r, s, address, size))
        swap_write(s, version(r), address, in, size);
    else
        memcpy(place_now(r, s, address), in, size);
}

const struct rank_memory fold_memory_swapped = {direct, read_bytes, write_bytes, share, false};

/* --- spans, in both ways -------------------------------------------------------------------------- */

/* In a job of several programs no static object has a counterpart at all ranks. */
uint32_t fold_span_count(const struct rank *r)
{
    return fold_of(r)->programs > 1 ? 0 : fold_images(r)->n_spans;
}

struct rank_span fold_span_of(const struct rank *r, uint32_t k)
{
    return image_span(fold_images(r), fold_part(r)->image, k);
}

bool fold_object_find(const struct rank *r, uint32_t span, size_t offset, struct rank_object *out)
{
    return images_object_find(fold_images(r), span, offset, out);
}
