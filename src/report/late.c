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
    static const char *const texts[] = {[REPORT_LATE_SENDER] = "late senders",
                                        [REPORT_LATE_RECEIVER] = "late receivers",
                                        [REPORT_UNDER_WAY] = "messages under way",
                                        [REPORT_LATE_MEMBER] = "late members of collectives",
                                        [REPORT_MEETING] = "collectives under way"};
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

void report_late(struct report_facts *f, const struct report_lane *l, uint32_t cause, double seconds)
{
    const struct report_work *w = f->work;
    if (l->meeting) {
        divide(f, seconds, report_meeting_last(w, l->meeting), REPORT_LATE_MEMBER, REPORT_MEETING);
        return;
    }
    const struct report_op *op = cause ? report_op_at(w, cause - 1) : NULL;
    if (!op || op->kind != REPORT_SEND)
        return;
    if (w->lane[op->lane].rank != l->rank)
        divide(f, seconds, op->issued, REPORT_LATE_SENDER, REPORT_UNDER_WAY);
    else
        divide(f, seconds, w->message.at[op->message].matched, REPORT_LATE_RECEIVER, REPORT_UNDER_WAY);
}
