/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan: two-phase accesses (collective buffering), as ROMIO does them. The bytes from the first to the last that any
 * member accesses are cut into one domain for each aggregator, those into windows of cb_buffer_size. In round r an
 * aggregator handles the window r of its domain: what all members have there.
 */
#include "mpi/file/parts.h"

#include <stdlib.h>

enum { CELLS = 1 << 16 }; /* of a plan; with more, windows are larger than the hint says */

/* --- whether ------------------------------------------------------------------------------------------- */

/* Whether some member begins before one with a lower number has ended. */
static bool interleave(const struct mpi_opened *o, const struct mpi_turn *t)
{
    int64_t end = -1;
    for (uint32_t k = 0; k < o->n; k++) {
        const struct mpi_seat_of_file *s = &t->seat[k];
        if (s->high <= s->low)
            continue;
        if (s->low < end)
            return true;
        end = s->high;
    }
    return false;
}

static bool is_wanted(const struct mpi_opened *o, const struct mpi_turn *t)
{
    const struct mpi_io *io = t->seat[0].io;
    enum mpi_choice how = io->file->hints.collective[io->access.write];
    return how == MPI_CHOICE_ENABLE || interleave(o, t);
}

/* --- domains ------------------------------------------------------------------------------------------- */

static uint64_t up(uint64_t x, uint64_t unit)
{
    return unit > 1 && x % unit ? x + unit - x % unit : x;
}

/* Cuts [low, high). Domains begin at stripes, where the file has any. */
static void cut(struct mpi_plan *p, const struct mpi_file *f, int64_t low, int64_t high)
{
    const struct storage_stripes s = storage_file_stripes(f->store);
    uint64_t most, stripe = s.count > 1 ? s.size : 0;
    p->low = stripe > 1 ? low - (int64_t)((uint64_t)low % stripe) : low;
    p->domain = up(((uint64_t)(high - p->low) + p->aggregators - 1) / p->aggregators, stripe);
    p->window = f->hints.buffer < p->domain ? f->hints.buffer : p->domain;
    most = CELLS / p->aggregators + 1;
    if (p->domain / p->window >= most)
        p->window = p->domain / most + 1;
    p->rounds = (uint32_t)((p->domain + p->window - 1) / p->window);
}

struct filling {
    struct mpi_plan *plan;
    uint32_t member;
};

static void put(struct mpi_cell *cell, uint32_t member, int64_t offset, uint64_t bytes)
{
    struct mpi_share_of_cell *last = cell->shares.n ? &cell->shares.at[cell->shares.n - 1] : NULL;
    if (!cell->bytes || offset < cell->low)
        cell->low = offset;
    if (!cell->bytes || offset + (int64_t)bytes > cell->high)
        cell->high = offset + (int64_t)bytes;
    cell->bytes += bytes;
    if (last && last->member == member)
        last->bytes += bytes;
    else
        BASE_ARRAY_PUSH(&cell->shares, ((struct mpi_share_of_cell){member, bytes}));
}

static bool add_run(void *arg, int64_t offset, uint64_t bytes)
{
    const struct filling *f = arg;
    struct mpi_plan *p = f->plan;
    while (bytes) {
        uint64_t from = (uint64_t)(offset - p->low), aggregator = from / p->domain, within = from % p->domain;
        uint64_t round = within / p->window, left = p->window - within % p->window;
        left = left < p->domain - within ? left : p->domain - within;
        left = left < bytes ? left : bytes;
        put(&p->cell[aggregator * p->rounds + round], f->member, offset, left);
        offset += (int64_t)left;
        bytes -= left;
    }
    return true;
}

struct mpi_plan *mpi_plan_make(const struct mpi_opened *o, const struct mpi_turn *t)
{
    int64_t low = INT64_MAX, high = -1;
    const struct mpi_file *f = t->seat[0].io->file;
    for (uint32_t k = 0; k < o->n; k++) {
        const struct mpi_seat_of_file *s = &t->seat[k];
        low = s->high > s->low && s->low < low ? s->low : low;
        high = s->high > s->low && s->high > high ? s->high : high;
    }
    if (high < 0 || !is_wanted(o, t))
        return NULL;
    struct mpi_plan *p = base_zalloc(sizeof *p, "collective accesses to files");
    p->aggregators = f->hints.aggregators;
    p->member = o->leaders;
    cut(p, f, low, high);
    p->cell =
        base_zalloc((size_t)p->aggregators * p->rounds * sizeof *p->cell, "collective accesses to files");
    for (uint32_t k = 0; k < o->n; k++) {
        const struct mpi_io *io = t->seat[k].io;
        mpi_view_each(&io->view, io->position, io->bytes, add_run, &(struct filling){p, k});
    }
    return p;
}

void mpi_plan_release(struct mpi_plan *p)
{
    for (size_t k = 0; p && k < (size_t)p->aggregators * p->rounds; k++)
        free(p->cell[k].shares.at);
    if (p)
        free(p->cell);
    free(p);
}

uint64_t mpi_plan_bytes(const struct mpi_cell *cell, uint32_t member)
{
    size_t low = 0, high = cell->shares.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct mpi_share_of_cell *s = &cell->shares.at[middle];
        if (s->member == member)
            return s->bytes;
        if (s->member < member)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
