/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow: carries out the schedules of all members of a group symbolically (follow_memory.h). Nothing takes
 * time. A send ends only when its receive is posted and takes the data: what gets to its end here does so on
 * any transport.
 */
#ifndef PGASIM_TESTS_COLL_FOLLOW_H
#define PGASIM_TESTS_COLL_FOLLOW_H

#include "coll/follow_memory.h"

/* --- steps ---------------------------------------------------------------------------------------- */

static inline void follow_begin(const struct follow *f, struct follow_member *m, uint32_t index);
static inline void follow_receive(const struct follow *f, struct follow_member *m, uint32_t index,
                                  const struct follow_cell *from);

static inline void follow_finish(const struct follow *f, struct follow_member *m, uint32_t index)
{
    struct coll_step *steps = m->schedule.steps, *step = &steps[index];
    step->state = COLL_DONE;
    m->remaining--;
    for (uint32_t k = step->then, end = k + step->releases; k < end; k++)
        if (!(steps[k].kind == COLL_STEP_JOIN && --steps[k].peer) && !--steps[k].needs)
            follow_begin(f, m, k);
}

/* Sizes that algorithms tell each other. */
static inline void follow_move_bytes(const struct coll_schedule *from, coll_place at,
                                     const struct coll_schedule *to, coll_place into, uint64_t bytes)
{
    if (coll_place_base(at) == COLL_TEMP && coll_place_base(into) == COLL_TEMP)
        memmove(to->temp + coll_place_offset(into), from->temp + coll_place_offset(at), bytes);
}

static inline void follow_begin(const struct follow *f, struct follow_member *m, uint32_t index)
{
    struct coll_step *step = &m->schedule.steps[index];
    bool local = step->kind == COLL_STEP_COPY || step->kind == COLL_STEP_COMBINE;
    step->state = COLL_STARTED;
    if (f->words && step->kind == COLL_STEP_SEND) {
        m->told[index] = base_alloc(f->words * sizeof *m->met, "test");
        memcpy(m->told[index], m->met, f->words * sizeof *m->met);
    }
    if (local) {
        struct follow_cell *from = follow_cells(f, m, step->at, step->bytes);
        struct follow_cell *to = follow_cells(f, m, step->to, step->bytes);
        if (step->kind == COLL_STEP_COPY)
            follow_move(to, from, step->bytes);
        else
            follow_combine(f, m, to, from, to, step->bytes);
        if (f->learns && step->kind == COLL_STEP_COPY)
            follow_move_bytes(&m->schedule, step->at, &m->schedule, step->to, step->bytes);
    }
    if (index < m->schedule.receives && m->early[index])
        follow_receive(f, m, index, m->early[index]);
    else if (!local && step->kind != COLL_STEP_JOIN)
        return;
    follow_finish(f, m, index);
}

static inline void follow_receive(const struct follow *f, struct follow_member *m, uint32_t index,
                                  const struct follow_cell *from)
{
    const struct coll_step *step = &m->schedule.steps[index];
    struct follow_cell *into = follow_cells(f, m, step->at, step->bytes);
    if (m->lost[index])
        memset(into, 0, step->bytes * sizeof *into);
    else if (step->kind != COLL_STEP_REDUCE)
        follow_move(into, from, step->bytes);
    else if (step->peer < m->call.me)
        follow_combine(f, m, into, from, into, step->bytes);
    else
        follow_combine(f, m, into, into, from, step->bytes);
}

/* A message that names its place: the receive gets it and its size. */
static inline void follow_place(struct coll_schedule *to, struct coll_step *receive,
                                const struct coll_step *send)
{
    receive->at = send->at;
    receive->bytes = send->bytes;
    to->last_at = send->bytes ? send->at : coll_at(COLL_DEST, 0);
    to->last_bytes = send->bytes;
    to->placed_bytes += send->bytes;
}

/* The send's receive is posted: takes the data. */
static inline bool follow_deliver(struct follow *f, struct follow_member *m, uint32_t index)
{
    const struct coll_step *step = &m->schedule.steps[index];
    if (step->peer >= f->n || step->peer == m->call.me)
        fail_msg("%s: member %u sends to %u of %u", f->what, m->call.me, step->peer, f->n);
    struct follow_member *to = &f->member[step->peer];
    uint32_t k = to->remaining ? coll_schedule_receiver(&to->schedule, m->call.me, step->tag) : UINT32_MAX;
    struct coll_step *receive = k == UINT32_MAX ? NULL : &to->schedule.steps[k];
    if (!receive || (receive->state != COLL_STARTED && receive->state != COLL_WAITING) || to->early[k])
        return false;
    if (receive->kind == COLL_STEP_RECEIVE_PLACED && receive->state == COLL_STARTED)
        follow_place(&to->schedule, receive, step);
    if (receive->bytes != step->bytes)
        fail_msg("%s: member %u sends %llu bytes to %u, which expects %llu", f->what, m->call.me,
                 (unsigned long long)step->bytes, step->peer, (unsigned long long)receive->bytes);
    const struct follow_cell *from = follow_cells(f, m, step->at, step->bytes);
    for (uint32_t w = 0; w < f->words; w++)
        to->met[w] |= m->told[index][w];
    f->messages++;
    if (f->learns)
        follow_move_bytes(&m->schedule, step->at, &to->schedule, receive->at, step->bytes);
    if (receive->state == COLL_WAITING) {
        to->early[k] = base_alloc((step->bytes + 1) * sizeof *from, "test");
        follow_move(to->early[k], from, step->bytes);
    } else {
        follow_receive(f, to, k, from);
        follow_finish(f, to, k);
    }
    follow_finish(f, m, index);
    return true;
}

/* --- members -------------------------------------------------------------------------------------- */

static inline void follow_drop_early(struct follow_member *m)
{
    for (uint32_t k = 0; m->early && k < m->schedule.receives; k++)
        free(m->early[k]);
    for (uint32_t k = 0; m->told && k < m->schedule.n; k++)
        free(m->told[k]);
    free(m->early);
    free(m->lost);
    free(m->told);
    m->early = NULL;
    m->lost = NULL;
    m->told = NULL;
}

static inline void follow_next_round(const struct follow *f, struct follow_member *m)
{
    struct coll_schedule *s = &m->schedule;
    while (!m->remaining && !m->over) {
        follow_drop_early(m);
        m->over = !coll_schedule_round(s, f->build, m->round++);
        if (m->over)
            return;
        m->early = base_zalloc((s->receives + 1) * sizeof *m->early, "test");
        m->told = base_zalloc((s->n + 1) * sizeof *m->told, "test");
        m->lost = base_zalloc((s->n + 1) * sizeof *m->lost, "test");
        follow_widen_temp(m);
        follow_check_round(f, m);
        m->remaining = s->n;
        for (uint32_t k = 0; k < s->n; k++)
            if (s->steps[k].state == COLL_WAITING && !s->steps[k].needs)
                follow_begin(f, m, k);
    }
}

static inline bool follow_advance(struct follow *f, struct follow_member *m)
{
    uint32_t round = m->round, remaining = m->remaining;
    follow_next_round(f, m);
    for (uint32_t k = 0, n = m->remaining ? m->schedule.n : 0; k < n; k++)
        if (m->schedule.steps[k].kind == COLL_STEP_SEND && m->schedule.steps[k].state == COLL_STARTED)
            follow_deliver(f, m, k);
    follow_next_round(f, m);
    return m->round != round || m->remaining != remaining;
}

/* Until all members are through. */
static inline void follow_run(struct follow *f)
{
    bool any = true;
    while (any) {
        any = false;
        for (uint32_t p = 0; p < f->n; p++)
            any |= follow_advance(f, &f->member[p]);
    }
    for (uint32_t p = 0; p < f->n; p++)
        if (!f->member[p].over)
            fail_msg("%s: member %u waits in round %u for ever", f->what, p, f->member[p].round - 1);
}

#endif
