/* SPDX-License-Identifier: BSD-3-Clause */
/* unroll: schedules of members, round by round, without a run. */
#include "coll/select.h"

#include <stdlib.h>

struct coll_unroller {
    struct base_settings *defaults; /* NULL: the caller's are used */
    struct coll_select select;
    struct base_buffers buffers;
};

struct coll_unroller *coll_unroller_create(const struct base_settings *settings, struct base_status *st)
{
    struct coll_unroller *u = base_zalloc(sizeof *u, "schedules of collectives");
    base_buffers_init(&u->buffers, "schedules of collectives");
    if (!settings) {
        u->defaults = base_settings_create();
        base_settings_declare(u->defaults, coll_settings, coll_settings_count);
    }
    if (!coll_select_read(&u->select, settings ? settings : u->defaults, st))
        return u;
    coll_unroller_destroy(u);
    return NULL;
}

void coll_unroller_destroy(struct coll_unroller *u)
{
    if (!u)
        return;
    coll_select_release(&u->select);
    base_buffers_release(&u->buffers);
    if (u->defaults)
        base_settings_destroy(u->defaults);
    free(u);
}

static enum coll_unrolled_kind kind_of(const struct coll_step *step)
{
    switch ((enum coll_step_kind)step->kind) {
    case COLL_STEP_SEND:
        return COLL_UNROLLED_SEND;
    case COLL_STEP_RECEIVE:
    case COLL_STEP_RECEIVE_PLACED:
    case COLL_STEP_REDUCE:
        return COLL_UNROLLED_RECEIVE;
    default:
        return COLL_UNROLLED_LOCAL;
    }
}

static void tell_round(const struct coll_schedule *s, const struct coll_unroll_sink *to)
{
    for (uint32_t k = 0; k < s->n; k++) {
        const struct coll_step *step = &s->steps[k];
        const struct coll_unrolled u = {kind_of(step), (uint32_t)step->peer, (uint32_t)step->tag,
                                        step->bytes};
        to->step(to->arg, &u);
    }
    for (uint32_t k = 0; k < s->n; k++)
        for (uint32_t i = 0; i < s->steps[k].releases; i++)
            to->order(to->arg, k, s->steps[k].then + i);
    to->round(to->arg);
}

/* The first algorithm of the operation that members can carry out everywhere, and which tells them nothing on the way. */
static const char *knowing(enum coll_op op)
{
    size_t n;
    const struct coll_algorithm_info *info = coll_algorithms(&n);
    for (size_t k = 0; k < n; k++)
        if (info[k].op == op && !(info[k].traits & ~(unsigned)(COLL_RADIX | COLL_WINDOWS | COLL_SEGMENT)))
            return info[k].name;
    return NULL;
}

bool coll_unroll(struct coll_unroller *u, const struct coll_call *call, const struct coll_unroll_sink *to,
                 const char **instead)
{
    struct coll_decision chosen;
    struct coll_schedule s;
    struct coll_call with = *call;
    *instead = NULL;
    coll_select_choose(&u->select, call, NULL, NULL, &chosen);
    if (call->op != COLL_COLLECT && coll_select_learns(call->op, chosen.build)) {
        with.algorithm = *instead = knowing(call->op);
        if (*instead)
            coll_select_choose(&u->select, &with, NULL, NULL, &chosen);
    }
    if (coll_select_learns(call->op, chosen.build))
        return false;
    coll_schedule_init(&s, call, call, &u->buffers, NULL, &chosen.tuning);
    coll_schedule_nowhere(&s);
    for (uint32_t k = 0; coll_schedule_round(&s, chosen.build, k); k++)
        tell_round(&s, to);
    coll_schedule_release(&s);
    return true;
}
