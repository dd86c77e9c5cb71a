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
                                  const struct follow_area *from);

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

/* The result of a step that another one overwrites in any order. */
static inline void follow_forget(const struct follow *f, uint64_t bytes)
{
    follow_area_clear(f->result);
    follow_area_widen(f->result, bytes);
}

/* A copy or a combine. */
static inline void follow_work(const struct follow *f, struct follow_member *m, const struct coll_step *step)
{
    follow_read(f, m, step->at, step->bytes, f->left);
    if (step->kind == COLL_STEP_COPY) {
        follow_write(f, m, step->to, f->left);
        if (f->learns)
            follow_move_bytes(&m->schedule, step->at, &m->schedule, step->to, step->bytes);
        return;
    }
    follow_read(f, m, step->to, step->bytes, f->right);
    follow_combine(f, m, f->left, f->right);
    if (m->lost[step - m->schedule.steps])
        follow_forget(f, step->bytes);
    follow_write(f, m, step->to, f->result);
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
    if (step->kind == COLL_STEP_SEND)
        m->sends[m->sending++] = index;
    if (local)
        follow_work(f, m, step);
    if (index < m->schedule.receives && m->early[index])
        follow_receive(f, m, index, m->early[index]);
    else if (!local && step->kind != COLL_STEP_JOIN)
        return;
    follow_finish(f, m, index);
}

static inline void follow_receive(const struct follow *f, struct follow_member *m, uint32_t index,
                                  const struct follow_area *from)
{
    const struct coll_step *step = &m->schedule.steps[index];
    if (m->lost[index]) {
        follow_forget(f, step->bytes);
    } else if (step->kind == COLL_STEP_REDUCE) {
        bool first = step->peer < m->call.me;
        follow_read(f, m, step->at, step->bytes, f->right);
        follow_combine(f, m, first ? from : f->right, first ? f->right : from);
    }
    bool as_is = !m->lost[index] && step->kind != COLL_STEP_REDUCE;
    follow_write(f, m, step->at, as_is ? from : f->result);
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
    follow_read(f, m, step->at, step->bytes, f->left);
    for (uint32_t w = 0; w < f->words; w++)
        to->met[w] |= m->told[index][w];
    f->messages++;
    if (f->learns)
        follow_move_bytes(&m->schedule, step->at, &to->schedule, receive->at, step->bytes);
    if (receive->state == COLL_WAITING) {
        to->early[k] = base_zalloc(sizeof *to->early[k], "test");
        follow_area_read(f->left, 0, step->bytes, to->early[k]);
    } else {
        follow_receive(f, to, k, f->left);
        follow_finish(f, to, k);
    }
    follow_finish(f, m, index);
    return true;
}

/* --- members -------------------------------------------------------------------------------------- */

static inline void follow_drop_early(struct follow_member *m)
{
    for (uint32_t k = 0; m->early && k < m->schedule.receives; k++)
        if (m->early[k]) {
            follow_area_release(m->early[k]);
            free(m->early[k]);
        }
    for (uint32_t k = 0; m->told && k < m->schedule.n; k++)
        free(m->told[k]);
    free(m->early);
    free(m->lost);
    free(m->told);
    free(m->sends);
    m->sends = NULL;
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
        m->sends = base_alloc((s->n + 1) * sizeof *m->sends, "test");
        follow_area_widen(&m->area[FOLLOW_TEMP], s->temp_bytes);
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
    uint32_t left = 0, some = m->sending;
    for (uint32_t k = 0; k < some; k++)
        if (!follow_deliver(f, m, m->sends[k]))
            m->sends[left++] = m->sends[k];
    while (some < m->sending) /* what those that are done have released */
        m->sends[left++] = m->sends[some++];
    m->sending = left;
    follow_next_round(f, m);
    return m->round != round || m->remaining != remaining;
}

/* Until all members are through. */
static inline void follow_run(struct follow *f)
{
    struct follow_area left = {0}, right = {0}, result = {0};
    bool any = true;
    f->left = &left;
    f->right = &right;
    f->result = &result;
    while (any) {
        any = false;
        for (uint32_t p = 0; p < f->n; p++)
            any |= follow_advance(f, &f->member[p]);
    }
    for (uint32_t p = 0; p < f->n; p++)
        if (!f->member[p].over)
            fail_msg("%s: member %u waits in round %u for ever", f->what, p, f->member[p].round - 1);
    f->left = f->right = f->result = NULL;
    follow_area_release(&left);
    follow_area_release(&right);
    follow_area_release(&result);
}

#endif
