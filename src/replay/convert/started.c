/* SPDX-License-Identifier: BSD-3-Clause */
/* started: the open requests of a rank. */
#include "replay/convert/parts.h"

#include <string.h>

void replay_started_add(struct replay_started_list *l, const struct replay_action *a, uint32_t rank,
                        uint32_t op)
{
    struct replay_started s = {.from = REPLAY_ANY, .to = rank, .tag = REPLAY_ANY_TAG, .op = op};
    if (a->kind == REPLAY_ICOLLECTIVE)
        s.serial = a->peer2;
    if (a->kind == REPLAY_ISEND)
        s = (struct replay_started){rank, a->peer, a->tag, op, 0};
    if (a->kind == REPLAY_IRECV)
        s = (struct replay_started){a->peer, rank, a->tag, op, 0};
    BASE_ARRAY_PUSH(l, s);
}

size_t replay_started_find(const struct replay_started_list *l, const struct replay_action *a)
{
    bool serial = a->kind == REPLAY_WAIT && a->number;
    for (size_t k = 0; serial && k < l->n; k++)
        if (l->at[k].serial == a->number)
            return k;
    if (serial)
        return l->n;
    for (size_t k = 0; k < l->n; k++)
        if (l->at[k].from == a->peer && l->at[k].to == a->peer2 && l->at[k].tag == a->tag)
            return k;
    for (size_t k = 0; k < l->n; k++) {
        const struct replay_started *s = &l->at[k];
        if (s->to == a->peer2 && (s->from == a->peer || s->from == REPLAY_ANY) &&
            (s->tag == a->tag || s->tag == REPLAY_ANY_TAG))
            return k;
    }
    return l->n;
}

void replay_started_take(struct replay_started_list *l, size_t k)
{
    l->n--;
    memmove(l->at + k, l->at + k + 1, (l->n - k) * sizeof *l->at);
}
