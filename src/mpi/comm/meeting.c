/* SPDX-License-Identifier: BSD-3-Clause */
/* meeting: where the members of a call that makes communicators leave their contributions (parts.h). */
#include "mpi/comm/parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- coming ------------------------------------------------------------------------------------------ */

static struct mpi_meeting *create(struct mpi_call *c, struct mpi_meeting **list, const struct coll_group *all)
{
    struct mpi_meeting *m = base_zalloc(sizeof *m + all->size * sizeof *m->seat, "meetings of ranks");
    m->list = list;
    m->call = c->name;
    m->all = coll_group_retain(all);
    while (*list) /* the last, so that the first is the oldest */
        list = &(*list)->next;
    *list = m;
    return m;
}

static struct mpi_meeting *come(struct mpi_meeting *m, uint32_t place)
{
    BASE_ASSERT("M20", !m->seat[place].here);
    m->seat[place].here = true;
    m->came++;
    return m;
}

struct mpi_meeting *mpi_meeting_enter(struct mpi_call *c, struct mpi_comm *comm)
{
    struct mpi_space *s = comm->space;
    uint32_t number = comm->made++;
    struct mpi_meeting *m = s->meetings;
    char text[160];
    while (m && m->number != number)
        m = m->next;
    if (!m) {
        m = create(c, &s->meetings, &s->all);
        m->number = number;
        m->space = s;
    }
    if (strcmp(m->call, c->name))
        rank_program_error(c->rank, c->name, "another member of %s called %s in its place",
                           mpi_comm_text(comm, text, sizeof text), m->call);
    return come(m, mpi_comm_place(comm));
}

static bool is_alike(const struct mpi_meeting *m, const struct mpi_call *c, const struct coll_group *all,
                     uint32_t parent, const char *tag)
{
    return m->parent == parent && !strcmp(m->tag, tag) && !strcmp(m->call, c->name) &&
           coll_group_compare(&m->all, all) == COLL_IDENTICAL;
}

struct mpi_meeting *mpi_meeting_enter_tagged(struct mpi_call *c, const struct coll_group *all,
                                             uint32_t parent, const char *tag)
{
    uint32_t place = coll_group_place(all, c->rank->id);
    struct mpi_meeting *m = c->self->job->meetings;
    while (m && (!is_alike(m, c, all, parent, tag) || m->seat[place].here))
        m = m->next;
    if (m)
        return come(m, place);
    m = create(c, &c->self->job->meetings, all);
    m->parent = parent;
    m->tag = base_strdup(tag);
    m->all.id = mpi_context_make(c->self->job);
    return come(m, place);
}

void mpi_meeting_fail(struct mpi_meeting *m, int code, const char *fmt, ...)
{
    if (m->error)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->text, sizeof m->text, fmt, ap);
    va_end(ap);
    m->error = code;
}

/* --- agreeing ---------------------------------------------------------------------------------------- */

/* In large groups the time of a run counts more: 2 n messages along trees instead of n log2 n. */
enum { LARGE = 1 << 16 };

static struct coll_call agreement(const struct mpi_call *c, struct mpi_meeting *m, uint32_t place,
                                  enum coll_op op)
{
    struct mpi_seat *seat = &m->seat[place];
    return (struct coll_call){.name = m->call,
                              .op = op,
                              .me = place,
                              .dest = &seat->agreed,
                              .source = &seat->word,
                              .bytes = sizeof seat->word,
                              .element = op == COLL_BROADCAST ? 1 : sizeof seat->word,
                              .operator= {.op = TYPES_MAX, .element = TYPES_UINT64},
                              .group = m->all,
                              .transport = c->self->job->transport,
                              .inner_source = true,
                              .inner_dest = true};
}

/* Apart, so that the call is not on the frame of a rank that waits. */
static __attribute__((noinline)) struct coll_member *begin(const struct mpi_call *c, struct mpi_meeting *m,
                                                           uint32_t place, enum coll_op op)
{
    struct coll_call call = agreement(c, m, place, op);
    return coll_enter(c->rank, &call);
}

void mpi_meeting_agree(struct mpi_call *c, struct mpi_meeting *m, uint32_t place, mpi_solve_fn solve)
{
    if (m->all.size < LARGE)
        coll_await(begin(c, m, place, COLL_REDUCE));
    else {
        coll_await(begin(c, m, place, COLL_REDUCE_ROOT));
        coll_await(begin(c, m, place, COLL_BROADCAST));
    }
    if (m->solved)
        return;
    m->solved = true;
    if (!m->error)
        solve(c->self->job, m);
}

void mpi_meeting_agree_start(struct mpi_call *c, struct mpi_meeting *m, uint32_t place, coll_done_fn done,
                             void *arg)
{
    struct coll_call call = agreement(c, m, place, COLL_REDUCE);
    coll_start(c->rank, &call, done, arg);
}

void mpi_solve_nothing(struct mpi_job *job, struct mpi_meeting *m)
{
    (void)job, (void)m;
}

void mpi_meeting_tell(struct mpi_call *c, struct mpi_meeting *m, uint32_t place, uint32_t root)
{
    struct mpi_seat *seat = &m->seat[place];
    coll_run(c->rank, &(struct coll_call){.name = c->name,
                                          .op = COLL_BROADCAST,
                                          .me = place,
                                          .dest = &seat->agreed,
                                          .source = &seat->word,
                                          .bytes = sizeof seat->word,
                                          .element = 1,
                                          .root = root,
                                          .group = m->all,
                                          .transport = c->self->job->transport,
                                          .inner_source = true,
                                          .inner_dest = true});
}

/* --- leaving ----------------------------------------------------------------------------------------- */

static void discard(struct mpi_job *job, struct mpi_meeting *m)
{
    for (uint32_t k = 0; m->grouped && k < m->all.size; k++)
        coll_group_release(&m->seat[k].group);
    for (uint32_t k = 0; m->given && k < m->all.size; k++)
        free(m->seat[k].given);
    if (m->tag)
        coll_forget(job->job, &m->all);
    mpi_topology_release(m->topology);
    coll_group_release(&m->all);
    free(m->tag);
    free(m);
}

void mpi_meeting_done(struct mpi_job *job, struct mpi_meeting *m)
{
    if (++m->gone < m->all.size)
        return;
    struct mpi_meeting **at = m->list;
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    discard(job, m);
}

struct mpi_comm *mpi_meeting_take(struct mpi_rank *self, struct mpi_meeting *m, uint32_t place,
                                  const struct mpi_comm *parent)
{
    struct mpi_seat *seat = &m->seat[place];
    struct mpi_space *s = seat->space;
    seat->space = NULL;
    return s ? mpi_comm_create_record(self, s, seat->side, seat->me, parent) : NULL;
}

int mpi_meeting_leave(struct mpi_call *c, struct mpi_meeting *m, uint32_t place, struct mpi_comm *parent,
                      struct mpi_comm **out)
{
    int rc = m->error;
    *out = mpi_meeting_take(c->self, m, place, parent);
    if (rc)
        rc = mpi_fail(c, parent ? &parent->guarded : NULL, rc, "%s", m->text);
    mpi_meeting_done(c->self->job, m);
    return rc;
}

void mpi_meetings_release(struct mpi_job *job, struct mpi_meeting **list)
{
    while (*list) {
        struct mpi_meeting *m = *list;
        *list = m->next;
        for (uint32_t k = 0; k < m->all.size; k++)
            if (m->seat[k].space)
                mpi_space_release(job, m->seat[k].space);
        discard(job, m);
    }
}

/* --- results ----------------------------------------------------------------------------------------- */

void mpi_solve_first(struct mpi_job *job, struct mpi_meeting *m, uint32_t n)
{
    if (!n)
        return;
    struct mpi_space *s = mpi_space_create(job, m->call, coll_group_part(&m->all, 0, 0, 1, n), NULL);
    s->topology = mpi_topology_retain(m->topology);
    for (uint32_t k = 0; k < n; k++) {
        m->seat[k].space = s;
        m->seat[k].me = k;
    }
}

void mpi_meeting_seat(struct mpi_meeting *m, struct mpi_space *s, uint8_t side)
{
    for (uint32_t k = 0; k < m->all.size; k++) {
        m->seat[k].space = s;
        m->seat[k].side = side;
        m->seat[k].me = k;
    }
}

void mpi_solve_same(struct mpi_job *job, struct mpi_meeting *m)
{
    const struct mpi_space *old = m->space;
    struct coll_group b = coll_group_retain(&old->side[1]);
    struct mpi_space *s =
        mpi_space_create(job, m->call, coll_group_retain(&old->side[0]), old->inter ? &b : NULL);
    s->topology = mpi_topology_retain(old->topology);
    for (uint32_t k = 0; k < m->all.size; k++) {
        uint32_t n = old->side[0].size;
        m->seat[k].space = s;
        m->seat[k].side = k >= n;
        m->seat[k].me = k >= n ? k - n : k;
    }
}
