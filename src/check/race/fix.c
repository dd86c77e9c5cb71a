/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fix: the smallest repair that the API has for a race, in words. Of two that would do, the one that changes less is
 * named; where none is certain to be right, nothing is. The cases, by the end of the earlier access:
 *
 *   it is over at once (a load, a store, a blocking get)    the ranks, or threads, are to synchronize
 *   atomics that are not atomic towards each other          one type, operator or domain
 *   it was completed, unknown to the later access           synchronize after that; or complete before they do
 *   it was completed at its origin only                     complete it at its target
 *   it was not completed: one thread                        complete it, or order both by a fence
 *                         the ranks have synchronized       complete it before that
 *                         nothing has happened              both
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/reports.h"
#include "check/race/strands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct fix {
    struct race *d;
    const struct race_access *a, *b;
    const struct race_end *e;       /* of a; NULL: it is over at once */
    const struct race_strand *self; /* of b */
    struct base_text t;
};

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* --- words ---------------------------------------------------------------------------------------------- */

/* "the load in main, a.c:9" */
static void add_named(struct fix *x, const char *what, uint32_t place)
{
    char name[FINDING_NAME];
    const char *noun = begins(what, "a ") ? what + 2 : begins(what, "an ") ? what + 3 : NULL;
    base_text_format(&x->t, "%s%s", noun ? "the " : "", noun ? noun : what);
    if (place && *race_name_of(x->d, place, name, sizeof name))
        base_text_format(&x->t, " in %s", name);
}

static void add_later(struct fix *x)
{
    add_named(x, race_what(x->d, x->b), x->b->place);
}

static const char *call_of(const struct fix *x, uint32_t place)
{
    const char *call = place ? x->d->places.at[place].call : NULL;
    return call ? call : "the call";
}

/* "rank 0 and rank 1", "threads 1 and 2 of rank 0" */
static void add_pair(struct fix *x, const struct race_strand *one, const struct race_strand *two)
{
    if (one->rank == two->rank)
        base_text_format(&x->t, "threads %" PRIu32 " and %" PRIu32 " of rank %" PRIu32, one->thread + 1,
                         two->thread + 1, one->rank->id);
    else
        base_text_format(&x->t, "rank %" PRIu32 " and rank %" PRIu32, one->rank->id, two->rank->id);
}

static void add_synchronize(struct fix *x, uint32_t strand, const char *rest)
{
    base_text_add(&x->t, "synchronize ");
    add_pair(x, race_strand_find(x->d, strand), x->self);
    base_text_add(&x->t, rest);
}

/* --- what is known -------------------------------------------------------------------------------------- */

/* The later access comes after the earlier one began: one thread's, or their threads synchronize in between. */
static bool knows_start(const struct fix *x)
{
    return race_knows(x->self, x->a->strand, x->a->count);
}

static bool is_same_strand(const struct fix *x)
{
    return x->a->strand == x->b->strand;
}

/* The call by which the later thread knows what the earlier one had done; NULL: not known. */
static const struct race_release *synchronized_by(const struct fix *x, uint32_t strand)
{
    const struct race_strand *s = race_strand_find(x->d, strand);
    uint32_t count = clock_get(&x->self->clock, strand);
    for (uint32_t k = 0; s && k < s->called && k < RACE_RELEASES; k++)
        if (s->calls[k].count == count)
            return &s->calls[k];
    return NULL;
}

/* "before MPI_Barrier in main, a.c:30", "before the ranks synchronize" */
static void add_before_synchronizing(struct fix *x, uint32_t strand)
{
    char name[FINDING_NAME];
    const struct race_release *r = synchronized_by(x, strand);
    const struct rank *of = race_strand_find(x->d, strand)->rank;
    base_text_add(&x->t, " before ");
    if (!r) {
        base_text_add(&x->t, of == x->self->rank ? "the threads synchronize" : "the ranks synchronize");
        return;
    }
    rank_code_name(of, rank_code_of_low(of, r->caller), name, sizeof name);
    base_text_format(&x->t, "%s%s%s", rank_call_of(r->call), *name ? " in " : "", name);
}

/* What completes the operation: of its context, in its epoch. */
static const char *closer(const struct fix *x)
{
    const char *call = race_context_of(x->d, x->e->origin, x->e->context)->closer;
    if (call && !strcmp(call, "MPI_Win_flush") && !x->a->remote)
        return "MPI_Win_flush_local";
    return call ? call : "";
}

static bool is_request(const struct fix *x)
{
    const uint32_t *end = base_table_find(&x->d->requests, x->e->operation);
    return end && *end == x->a->end;
}

/* --- atomics -------------------------------------------------------------------------------------------- */

/* As operation.c packs them. */
static uint32_t type_of(uint32_t unit)
{
    return unit >> 8 & 0xff;
}

static bool is_network(uint32_t unit)
{
    return unit & 1 && type_of(unit) < TYPES_ELEMENTS;
}

static bool fix_atomics(struct fix *x)
{
    const struct race_access *a = x->a, *b = x->b;
    if (!race_is_atomic(a->kind) || !race_is_atomic(b->kind) || !is_network(a->unit) || !is_network(b->unit))
        return false;
    if (type_of(a->unit) != type_of(b->unit))
        base_text_format(&x->t, "use one type for both: %s or %s",
                         types_element_info((enum types_element)type_of(a->unit))->name,
                         types_element_info((enum types_element)type_of(b->unit))->name);
    else if (a->unit >> 16 != b->unit >> 16)
        base_text_add(&x->t, begins(race_what(x->d, a), "MPI_") ? "use one window for both"
                                                                : "use contexts of one domain for both");
    else if (a->op && b->op && a->op != b->op && a->op <= TYPES_OPS && b->op <= TYPES_OPS)
        base_text_format(&x->t, "use one operator for both: %s or %s",
                         types_operator_name((enum types_op)(a->op - 1)),
                         types_operator_name((enum types_op)(b->op - 1)));
    return x->t.n > 0;
}

/* --- operations ----------------------------------------------------------------------------------------- */

/* Completed, and the later thread does not know. */
static void fix_known_too_late(struct fix *x, const struct race_over *over)
{
    const char *call = call_of(x, over->place);
    bool too_late = over->strand == x->a->strand && knows_start(x) && !is_same_strand(x);
    if (too_late) { /* it would be known, had it been completed before */
        bool one = x->e->origin != RACE_NOBODY;
        base_text_format(&x->t, "complete it earlier: %s", one && *closer(x) ? closer(x) : call);
        add_before_synchronizing(x, x->a->strand);
        return;
    }
    add_synchronize(x, over->strand, " between ");
    add_named(x, call, over->place);
    base_text_add(&x->t, " and ");
    add_later(x);
}

/* The epoch of MPI_Win_start ends at the origin, and then at the target. */
static void add_end_of_epoch(struct fix *x, bool ended)
{
    uint32_t target = x->e->target;
    base_text_add(&x->t, ended ? "" : "end its epoch first: MPI_Win_complete");
    if (x->a->remote)
        base_text_format(&x->t, "%sMPI_Win_wait at rank %" PRIu32,
                         ended ? "let the epoch end at its target, too: " : ", and ", target);
    if (x->a->remote && x->self->rank->id != target)
        base_text_format(&x->t, ", then synchronize rank %" PRIu32 " and rank %" PRIu32, target,
                         x->self->rank->id);
}

/* Complete at its origin, by a call that promises no more. */
static void fix_local(struct fix *x)
{
    const struct race_over *over = &x->e->local;
    const char *call = call_of(x, over->place);
    if (!strcmp(call, "MPI_Win_complete")) {
        add_end_of_epoch(x, true);
        return;
    }
    if (begins(call, "MPI_Win_flush_local")) {
        base_text_format(&x->t, "use MPI_Win_flush%s instead of ", call + strlen("MPI_Win_flush_local"));
        add_named(x, call, over->place);
    } else {
        base_text_format(&x->t, "call %s after ", closer(x));
        add_named(x, call, over->place);
        base_text_add(&x->t, ", which completes it at its origin only");
    }
    if (!race_knows(x->self, over->strand, over->count)) {
        base_text_add(&x->t, ", and ");
        add_synchronize(x, over->strand, " after it");
    }
}

/* Two operations of one thread that a fence of OpenSHMEM can order. */
static bool can_be_fenced(const struct fix *x)
{
    const struct race_end *f = x->b->remote && x->b->end ? &x->d->ends.at[x->b->end] : NULL;
    return f && x->a->remote && x->e->ordered && f->ordered && x->e->origin == f->origin &&
           x->e->context == f->context && x->e->target == f->target;
}

/* It is there, and does not do what is wanted. */
static bool fix_fence(struct fix *x, const char *quiet)
{
    const struct race_context *c = race_context_of(x->d, x->e->origin, x->e->context);
    bool known = is_same_strand(x) || clock_get(&x->self->clock, c->fence_strand) >= c->fence_count;
    if (!begins(quiet, "shmem_") || c->fences <= x->e->fences || !c->fence_place || !known)
        return false;
    base_text_format(&x->t, "use %s instead of ", quiet);
    add_named(x, call_of(x, c->fence_place), c->fence_place);
    if (x->a->remote && (!x->e->ordered || (x->b->kind == RACE_READ && x->d->places.at[x->b->place].call)))
        base_text_add(&x->t, ", which orders no gets");
    else
        base_text_add(&x->t, ", which completes nothing");
    return true;
}

static void fix_same_strand(struct fix *x, const char *call)
{
    if (fix_fence(x, call))
        return;
    if (is_request(x) && !x->a->remote)
        base_text_format(&x->t, "wait for the request of %s before ", race_what(x->d, x->a));
    else if (begins(call, "shmem_") && can_be_fenced(x))
        base_text_format(&x->t, "call shmem_%sfence before ", strcmp(call, "shmem_quiet") ? "ctx_" : "");
    else
        base_text_format(&x->t, "call %s before ", call);
    add_later(x);
}

/* A barrier of OpenSHMEM completes the default context. */
static bool fix_barrier(struct fix *x, const char *quiet)
{
    const struct race_release *r = synchronized_by(x, x->a->strand);
    const char *call = r ? rank_call_of(r->call) : "";
    if (strcmp(quiet, "shmem_ctx_quiet") != 0 || !begins(call, "shmem_barrier"))
        return false;
    base_text_format(&x->t, "%s completes the default context only: shmem_ctx_quiet", call);
    add_before_synchronizing(x, x->a->strand);
    return true;
}

static void fix_open(struct fix *x)
{
    const char *call = closer(x);
    if (!*call)
        return;
    if (!strcmp(call, "MPI_Win_complete")) {
        add_end_of_epoch(x, false);
    } else if (is_same_strand(x)) {
        fix_same_strand(x, call);
    } else if (knows_start(x)) {
        if (fix_barrier(x, call) || fix_fence(x, call))
            return;
        base_text_format(&x->t, "complete it before the %s synchronize: %s",
                         race_strand_find(x->d, x->a->strand)->rank == x->self->rank ? "threads" : "ranks",
                         call);
        if (synchronized_by(x, x->a->strand))
            add_before_synchronizing(x, x->a->strand);
    } else if (!strcmp(call, "MPI_Win_fence")) {
        base_text_add(&x->t, "call MPI_Win_fence between the two");
    } else {
        base_text_format(&x->t, "complete it by %s, and then ", call);
        add_synchronize(x, x->a->strand, "");
        if (!strcmp(call, "shmem_quiet") && x->self->rank->id != x->e->origin)
            base_text_add(&x->t, ": shmem_barrier_all does both");
    }
}

/* --- buffers of other calls ----------------------------------------------------------------------------- */

/* By their names: MPI_Isend, MPI_Ibcast, MPI_File_iread, MPI_Start; all others block. */
static bool has_request(const char *call)
{
    return (begins(call, "MPI_I") && call[5] >= 'a' && call[5] <= 'z' && !begins(call, "MPI_Init")) ||
           begins(call, "MPI_File_i") || begins(call, "MPI_Start") || begins(call, "MPI_Pready");
}

static void fix_action(struct fix *x)
{
    const char *call = race_what(x->d, x->a);
    bool same = is_same_strand(x);
    if (has_request(call)) {
        base_text_format(&x->t, "wait for the request of %s", call);
        if (same) {
            base_text_add(&x->t, " before ");
            add_later(x);
        } else if (knows_start(x)) {
            add_before_synchronizing(x, x->a->strand);
        } else {
            base_text_add(&x->t, ", and then ");
            add_synchronize(x, x->a->strand, "");
        }
    } else if (!same) {
        add_synchronize(x, x->a->strand, " after ");
        add_named(x, call, x->a->place);
    }
}

/* --- all of them ---------------------------------------------------------------------------------------- */

static void find(struct fix *x)
{
    if (fix_atomics(x))
        return;
    if (!x->e) {
        if (race_strand_find(x->d, x->a->strand) && !is_same_strand(x))
            add_synchronize(x, x->a->strand, " between the two");
        return;
    }
    const struct race_over *over = x->a->remote ? &x->e->remote : &x->e->local;
    if (over->count && race_strand_find(x->d, over->strand))
        fix_known_too_late(x, over);
    else if (x->e->origin == RACE_NOBODY)
        fix_action(x);
    else if (x->a->remote && x->e->local.count)
        fix_local(x);
    else
        fix_open(x);
}

void race_fix(struct race *d, struct finding *f, const struct race_access *a, const struct race_access *b)
{
    struct fix x = {
        .d = d, .a = a, .b = b, .e = a->end ? &d->ends.at[a->end] : NULL, .self = race_strand_now(d)};
    base_text_init(&x.t, "a report");
    if (a->kind == RACE_UNSET)
        base_text_add(&x.t, "write it first, or allocate it with zeros");
    else if (race_handle_of(d, a))
        race_file_fix(&x.t, d, a, b);
    else if (race_is_over(d, a, b))
        base_text_format(&x.t, "call MPI_Win_sync at rank %" PRIu32 " between the two", f->owner);
    else if (race_strand_find(d, a->strand))
        find(&x);
    char *text = base_text_take(&x.t);
    finding_set(&f->fix, text);
    free(text);
}
