/* SPDX-License-Identifier: BSD-3-Clause */
/* turn: where the members of a collective call on a file leave what the others need (parts.h). */
#include "mpi/file/parts.h"
#include "rank/title.h"

#include <stdlib.h>

struct mpi_turn *mpi_turn_enter(struct mpi_file *f)
{
    struct mpi_opened *o = f->opened;
    uint32_t number = f->turns++;
    struct mpi_turn **at = &o->turns;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    if (!*at) {
        *at = base_zalloc(sizeof **at + o->n * sizeof *(*at)->seat, "collective calls on files");
        (*at)->number = number;
    }
    return *at;
}

/* Members that differ make a wrong program. */
static void compare(const struct mpi_call *c, const struct mpi_file *f, const struct mpi_turn *t)
{
    const struct mpi_alike *mine = &t->seat[f->comm->me].alike, *first = &t->seat[t->first].alike;
    const struct rank *other = rank_at(f->owner->job->job, coll_group_rank(f->comm->group, t->first));
    char title[2][RANK_TITLE_SIZE];
    for (int k = 0; k < MPI_ALIKE && mine->what[k]; k++)
        if (mine->value[k] != first->value[k])
            base_warn("misuse/collective-arguments",
                      "%s: the members' %s differ for %s: %s passes %lld, %s passed %lld", c->name,
                      mine->what[k], f->opened->path, rank_title(c->rank, title[0], sizeof title[0]),
                      (long long)mine->value[k], rank_title(other, title[1], sizeof title[1]),
                      (long long)first->value[k]);
}

static void pass(const struct mpi_call *c, const struct mpi_file *f, struct mpi_turn *t,
                 const struct mpi_alike *alike)
{
    t->seat[f->comm->me].alike = *alike;
    if (t->passed++ == 0)
        t->first = f->comm->me;
    else
        compare(c, f, t);
}

struct mpi_turn *mpi_turn_meet(struct mpi_call *c, struct mpi_file *f, int refused,
                               const struct mpi_alike *alike)
{
    struct mpi_turn *t = mpi_turn_enter(f);
    t->seat[f->comm->me].file = f;
    if (alike && !refused)
        pass(c, f, t, alike);
    if (refused && !t->refusal) {
        t->refusal = refused;
        t->refuser = f->comm->me;
    }
    c->effect = true;
    mpi_file_barrier(c, f);
    return t;
}

void mpi_turn_release(struct mpi_opened *o, struct mpi_turn *t)
{
    if (t->apart)
        BASE_ARRAY_PUSH(&o->apart, t->apart);
    mpi_plan_release(t->plan);
    free(t->scratch);
    free(t);
}

void mpi_turn_leave(struct mpi_file *f, struct mpi_turn *t)
{
    struct mpi_opened *o = f->opened;
    struct mpi_turn **at = &o->turns;
    if (++t->gone < o->n)
        return;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    mpi_turn_release(o, t);
}

int mpi_turn_agree(struct mpi_call *c, struct mpi_file *f, struct mpi_turn *t, int mine)
{
    int class = t->refusal;
    uint32_t other = t->refuser;
    mpi_turn_leave(f, t);
    if (mine || !class)
        return mine;
    return mpi_fail(c, &f->guarded, class,
                    "%s: nothing is done, since the call of the file's rank %u has failed", f->opened->path,
                    other);
}

int64_t mpi_turn_order(struct mpi_call *c, struct mpi_file *f, int64_t number)
{
    struct mpi_opened *o = f->opened;
    struct mpi_turn *t = mpi_turn_enter(f);
    t->seat[f->comm->me].number = number;
    mpi_file_barrier(c, f);
    for (uint32_t k = 0; k < o->n && !t->solved; k++) {
        t->seat[k].place = o->pointer;
        if (__builtin_add_overflow(o->pointer, t->seat[k].number,
                                   &o->pointer)) /* the view has no such place */
            o->pointer = t->seat[k].place;
    }
    t->solved = true;
    int64_t place = t->seat[f->comm->me].place;
    mpi_turn_leave(f, t);
    return place;
}
