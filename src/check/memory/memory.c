/* SPDX-License-Identifier: BSD-3-Clause */
/* memory: the recorder: what the rest of the simulator tells it (rank/order.h), and the file. One at a time. */
#include "check/memory/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct recorder {
    FILE *out; /* NULL: there is none */
    struct rank_job *job;
    struct memory_areas areas;
    struct memory_flight flight;
} rec;

/* --- points --------------------------------------------------------------------------------------------- */

static void mark(void *arg, const struct memory_range *r)
{
    memory_open_blocks(arg, r->rank, r->low, r->high);
}

/* Ranks with threads do not stand still when one of these waits. */
static bool is_threaded(void)
{
    for (uint32_t k = 0; k < rank_count(rec.job); k++)
        if (rank_at(rec.job, k)->threads > 1)
            return true;
    return false;
}

static void meet(struct rank *r, const char *call)
{
    char place[512];
    rank_code_name(r, rank_code_of_low(r, r->caller), place, sizeof place);
    fprintf(rec.out, "point %s%s%s\n", call, *place ? " in " : "", place);
    if (is_threaded())
        return;
    memory_flight_each(&rec.flight, mark, &rec.areas);
    memory_areas_write(&rec.areas, rec.job, rec.out);
    fflush(rec.out);
}

/* --- what is told --------------------------------------------------------------------------------------- */

static rank_moment release(struct rank *r)
{
    (void)r;
    return 0;
}

static void acquire(struct rank *r, rank_moment m)
{
    (void)r, (void)m;
}

static rank_moment join(rank_moment a, rank_moment b)
{
    (void)a, (void)b;
    return 0;
}

static rank_moment copy(rank_moment m)
{
    return m;
}

static void forget(rank_moment m)
{
    (void)m;
}

static uint64_t begin(struct rank *r, const char *call)
{
    (void)r, (void)call;
    return memory_action_begin(&rec.flight);
}

static void uses(uint64_t action, struct rank *whose, uintptr_t address, size_t bytes, enum rank_use how)
{
    if (how == RANK_WRITES)
        memory_action_writes(&rec.flight, action, &(struct memory_range){whose, address, address + bytes});
}

static void end(struct rank *r, uint64_t action)
{
    (void)r;
    memory_action_end(&rec.flight, action);
}

static void touches(const char *call, uintptr_t address, size_t bytes, enum rank_use how, const void *place)
{
    (void)call, (void)address, (void)bytes, (void)how, (void)place;
}

static void area(struct rank *r, const struct rank_area *a, bool there)
{
    if (there)
        memory_area_add(&rec.areas, r, a);
    else
        memory_area_remove(&rec.areas, r, a->address);
}

static void fresh(struct rank *r, uintptr_t address, size_t bytes)
{
    (void)r, (void)address, (void)bytes;
}

static const struct rank_checker table = {.release = release,
                                          .acquire = acquire,
                                          .join = join,
                                          .copy = copy,
                                          .forget = forget,
                                          .begin = begin,
                                          .uses = uses,
                                          .end = end,
                                          .touches = touches,
                                          .area = area,
                                          .fresh = fresh,
                                          .meet = meet};

/* --- life ----------------------------------------------------------------------------------------------- */

int memory_open(const char *path, struct base_status *st)
{
    rec.out = fopen(path, "we");
    if (!rec.out)
        return base_fail(st, "check/memory=%s: %s", path, strerror(errno));
    memory_areas_init(&rec.areas);
    memory_flight_init(&rec.flight);
    rank_checker = &table;
    return 0;
}

bool memory_wanted(void)
{
    return rec.out != NULL;
}

void memory_begin(struct rank_job *job)
{
    rec.job = job;
    rma_listen(job, &memory_listener, &rec.flight);
}

void memory_end(void)
{
    rank_checker = NULL;
    fclose(rec.out);
    rec.out = NULL;
    memory_areas_release(&rec.areas);
    memory_flight_release(&rec.flight);
}
