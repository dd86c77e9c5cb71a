/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signature: the elements of a message against those of its receive (MPI-5.0 section 3.3.1). Elements that
 * are represented alike are equal, whatever their names; packed data fits everything.
 */
#include "p2p/internal.h"

#include <stdlib.h>

void p2p_check_types(struct rank_job *job)
{
    p2p_job_of(job)->check_types = true;
}

/* Of the program's messages with data. */
void p2p_note_types(struct p2p_message *m)
{
    const struct p2p_request *send = m->send;
    if (!send->bytes || p2p_is_inner(&send->item.envelope))
        return;
    m->cargo->layout = types_layout_retain(send->buffer.layout);
    m->cargo->items = send->buffer.count;
}

static bool is_packed(const struct types_layout *l)
{
    return types_layout_element(l) == TYPES_PACKED;
}

bool p2p_mismatched(const struct p2p_message *m, struct p2p_request *receive)
{
    const struct p2p_buffer *b = &receive->buffer;
    const struct p2p_cargo *sent = m->cargo;
    struct p2p_job *j = receive->rank->job;
    struct types_unlike where;
    if (receive->unmoved || sent->layout == b->layout || is_packed(sent->layout) || is_packed(b->layout) ||
        !types_first_unlike(sent->layout, sent->items, b->layout, b->count, &where))
        return false;
    struct p2p_unlike *u = base_alloc(sizeof *u, "messages of other elements");
    *u = (struct p2p_unlike){.elements = where,
                             .sent_by = m->call,
                             .wanted_by = receive->call,
                             .sender = rank_code_of_low(m->from->rank, m->caller),
                             .receiver = rank_code_of_low(receive->rank->rank, receive->caller),
                             .next = j->unlike};
    receive->status.unlike = j->unlike = u;
    return true;
}

void p2p_unlike_release(struct p2p_job *j)
{
    for (struct p2p_unlike *u; (u = j->unlike);) {
        j->unlike = u->next;
        free(u);
    }
}
