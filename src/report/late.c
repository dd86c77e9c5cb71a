/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late: what ranks waited for at messages and collectives. A wait that a message ended is divided where its
 * other side came: a receiver's where the message was sent, a sender's where the receive matched it. A wait
 * within a collective is divided where the last member came that had come when the wait ended; later ones
 * cannot have prolonged it.
 */
#include "report/internal.h"

#include <math.h>

const char *report_late_text(enum report_late late)
{
    static const char *const texts[] = {
        [REPORT_LATE_SENDER] = "late senders",           [REPORT_LATE_RECEIVER] = "late receivers",
        [REPORT_UNDER_WAY] = "messages under way",       [REPORT_LATE_MEMBER] = "late members of collectives",
        [REPORT_MEETING] = "collectives under way",      [REPORT_LATE_HOLDER] = "locks that others held",
        [REPORT_LATE_EPOCH] = "late posts and completes"};
    return texts[late];
}

static void add(struct report_facts *f, enum report_late late, double seconds)
{
    if (!(seconds > 0))
        return;
    f->late[late].count++;
    f->late[late].seconds += seconds;
}

/* The wait that ends now: before and after the instant at which the others were there. */
static void divide(struct report_facts *f, double seconds, double there, enum report_late before,
                   enum report_late after)
{
    double since = f->work->now - seconds, first = fmin(fmax(there - since, 0), seconds);
    add(f, before, first);
    add(f, after, seconds - first);
}

const struct report_op *report_op_release(const struct report_work *w, const struct report_op *op,
                                          uint32_t rank)
{
    if (op->kind != REPORT_NOTICE || !op->cause)
        return NULL;
    const struct report_op *by = report_op_at(w, op->cause - 1);
    return w->lane[by->lane].rank != rank ? by : NULL;
}

/* A lock's grant, let go by its holder or at once; or another rank's post or complete. */
static void notice(struct report_facts *f, const struct report_lane *l, const struct report_op *op,
                   double seconds)
{
    const struct report_op *release = report_op_release(f->work, op, l->rank);
    if (release)
        divide(f, seconds, release->issued, REPORT_LATE_HOLDER, REPORT_UNDER_WAY);
    else if (op->cause)
        add(f, REPORT_UNDER_WAY, seconds);
    else
        divide(f, seconds, op->issued, REPORT_LATE_EPOCH, REPORT_UNDER_WAY);
}

void report_late(struct report_facts *f, const struct report_lane *l, uint32_t cause, double seconds)
{
    const struct report_work *w = f->work;
    if (l->meeting) {
        divide(f, seconds, report_meeting_last(w, l->meeting), REPORT_LATE_MEMBER, REPORT_MEETING);
        return;
    }
    const struct report_op *op = cause ? report_op_at(w, cause - 1) : NULL;
    if (op && op->kind == REPORT_NOTICE)
        notice(f, l, op, seconds);
    if (!op || op->kind != REPORT_SEND)
        return;
    if (w->lane[op->lane].rank != l->rank)
        divide(f, seconds, op->issued, REPORT_LATE_SENDER, REPORT_UNDER_WAY);
    else
        divide(f, seconds, w->message.at[op->message].matched, REPORT_LATE_RECEIVER, REPORT_UNDER_WAY);
}
