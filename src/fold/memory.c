/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one translation of (rank, address) to bytes in this process. Everything that is not exchanged lies
 * where its address says, but for the frames of a rank that waits when ranks share a stack.
 *
 * An address may also be one that fold_share gave, as the source or destination of a transfer: it stands for the
 * bytes of the rank that it was asked for, whoever uses it.
 */
#include "fold/job.h"

#include <string.h>

void *fold_direct(struct fold_rank *r, uintptr_t address, size_t size)
{
    const struct swap *s = r->job->images.swap;
    if (!s)
        return engine_actor_place(r->engine, r->actor, (const void *)address);
    void *shared = swap_live_place(s, address);
    if (shared)
        return shared;
    void *place = engine_actor_place(r->engine, r->actor, (const void *)address);
    return place != (const void *)address ? place : swap_direct(s, &r->image->version, address, size);
}

void *fold_share(struct fold_rank *r, uintptr_t address, size_t size)
{
    struct swap *s = r->job->images.swap;
    fold_jobs_end(r->job);
    return s ? swap_share(s, &r->image->version, address, size) : (void *)address;
}

/* Do the bytes lie in what is kept of a rank that is not live? */
static bool is_kept(const struct fold_rank *r, const struct swap *s, uintptr_t address, size_t size)
{
    return s && swap_live(s) != &r->image->version && swap_touches(s, address, size);
}

static void *place_now(const struct fold_rank *r, const struct swap *s, uintptr_t address)
{
    void *shared = s ? swap_live_place(s, address) : NULL;
    return shared ? shared : engine_actor_place(r->engine, r->actor, (const void *)address);
}

void fold_read(struct fold_rank *r, uintptr_t address, void *out, size_t size)
{
    const struct swap *s = r->job->images.swap;
    if (is_kept(r, s, address, size))
        swap_read(s, &r->image->version, address, out, size);
    else
        memcpy(out, place_now(r, s, address), size);
}

void fold_write(struct fold_rank *r, uintptr_t address, const void *in, size_t size)
{
    struct swap *s = r->job->images.swap;
    if (is_kept(r, s, address, size))
        swap_write(s, &r->image->version, address, in, size);
    else
        memcpy(place_now(r, s, address), in, size);
}

uint32_t fold_span_count(const struct fold_job *job)
{
    return job->images.n_spans;
}

struct fold_span fold_span_of(const struct fold_rank *r, uint32_t k)
{
    return image_span(&r->job->images, r->image, k);
}

bool fold_object_find(struct fold_job *job, uint32_t span, size_t offset, struct fold_object *out)
{
    return images_object_find(&job->images, span, offset, out);
}
