/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signature: the elements of a message against those of its receive (MPI-5.0 section 3.3.1). Elements that
 * are represented alike are equal, whatever their names; packed data fits everything.
 */
#include "p2p/internal.h"

void p2p_check_types(struct rank_job *job)
{
    p2p_job_of(job)->check_types = true;
}

/* NULL: not a message of the program's, or one without data. */
struct types_signature *p2p_signature(const struct p2p_request *send)
{
    if (send->unmoved || !send->bytes || p2p_is_inner(&send->item.envelope))
        return NULL;
    struct types_signature *s = base_alloc(sizeof *s, "signatures of messages");
    *s = types_signature(send->buffer.layout, send->buffer.count);
    return s;
}

static bool is_packed(const struct types_signature *s)
{
    struct types_signature packed = types_signature(types_layout_of(TYPES_PACKED), s->elements);
    return types_signature_equal(s, &packed, true);
}

bool p2p_mismatched(const struct p2p_message *m, const struct p2p_request *receive)
{
    const struct p2p_buffer *b = &receive->buffer;
    if (receive->unmoved)
        return false;
    struct types_signature wanted = types_signature_prefix(b->layout, b->count, m->signature->elements),
                           whole = types_signature(b->layout, b->count);
    return !types_signature_equal(m->signature, &wanted, false) && !is_packed(m->signature) &&
           !is_packed(&whole);
}
