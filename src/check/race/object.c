/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * object: what orders the threads of one rank besides the calls that they make: its atomics (C11, section
 * 7.17.3), and what it declares itself. An atomic that reads another's value with acquire comes after all that
 * came before the release with which that was written; fences do the same for relaxed ones. What is declared of an
 * address is kept apart from what an atomic there tells, which a store replaces.
 */
#include "check/race/accesses.h"
#include "check/race/strands.h"

enum { LOCAL_UNIT = UINT32_C(1) << 31 }; /* with the size: atomics of the program, not of the network */

static void add(struct race *d, rank_moment *to, rank_moment m)
{
    *to = race_moment_join(d, *to, m);
}

void race_object_release(struct race *d, const struct rank *r, uintptr_t address)
{
    add(d, base_table_add(&d->declared, race_key(d, r, address), NULL), race_release(d, race_strand_now(d)));
}

void race_object_acquire(struct race *d, const struct rank *r, uintptr_t address)
{
    const rank_moment *m = base_table_find(&d->declared, race_key(d, r, address));
    if (m)
        race_acquire(d, race_strand_now(d), *m);
}

/* --- atomics -------------------------------------------------------------------------------------------- */

static bool acquires(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static void set(struct race *d, rank_moment *to, rank_moment m)
{
    race_moment_forget(d, *to);
    *to = m;
}

static void fence(struct race *d, struct race_strand *s, int order)
{
    if (acquires(order)) {
        race_acquire(d, s, s->relaxed);
        set(d, &s->relaxed, 0);
    }
    if (releases(order))
        set(d, &s->fence, race_release(d, s));
}

static void read(struct race *d, struct race_strand *s, rank_moment m, int order)
{
    if (acquires(order))
        race_acquire(d, s, m);
    else
        add(d, &s->relaxed, race_moment_copy(d, m));
}

/* One that reads, too, continues what the old value tells. */
static void write(struct race *d, struct race_strand *s, rank_moment *m, bool reads, int order)
{
    rank_moment told = releases(order) ? race_release(d, s) : race_moment_copy(d, s->fence);
    if (reads)
        add(d, m, told);
    else
        set(d, m, told);
}

static void touch(struct race *d, const struct race_strand *s, const struct race_atomic *a)
{
    uint32_t place =
        race_place(d, &(struct race_place){.rank = s->rank, .code = (uintptr_t)a->pc, .stack = s->stack});
    uint32_t id = race_access_add(d, &(struct race_access){.strand = s->id,
                                                           .count = s->count,
                                                           .place = place,
                                                           .unit = LOCAL_UNIT,
                                                           .kind = a->writes ? RACE_UPDATE : RACE_FETCH});
    race_apply(d, id, &(struct race_bytes){s->rank, a->address, a->bytes});
}

/* It comes after what it reads, and before what it tells. */
void race_atomic_made(struct race *d, const struct race_atomic *a)
{
    struct rank *r = rank_current;
    race_suspects_settle(d);
    struct race_strand *s = race_strand_now(d);
    if (!a->bytes) {
        fence(d, s, a->order);
        return;
    }
    rank_moment *m = r->threads > 1 ? base_table_add(&d->atomics, race_key(d, r, a->address), NULL) : NULL;
    if (m && a->reads)
        read(d, s, *m, a->order);
    touch(d, s, a);
    if (m && a->writes)
        write(d, s, m, a->reads, a->order);
}

static void release_all(struct race *d, struct base_table *objects)
{
    uint32_t at = 0;
    for (rank_moment *m; (m = base_table_next(objects, &at));)
        race_moment_forget(d, *m);
    base_table_release(objects);
}

void race_objects_release(struct race *d)
{
    release_all(d, &d->declared);
    release_all(d, &d->atomics);
}
