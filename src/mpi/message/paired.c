/* SPDX-License-Identifier: BSD-3-Clause */
/* paired: which partitioned send and receive belong together (MPI-5.0 section 4.2). */
#include "mpi/message/parts.h"

#include <stdlib.h>

/* Requests are matched once, in the order in which they were initialized at both sides (section 4.2), and
 * then keep to each other. Here are those whose other side is to come, with the number that their messages
 * will have as a tag. */
struct mpi_unpaired {
    struct mpi_unpaired *next; /* of the receiving rank, in order */
    uint32_t context, from;    /* the communicator's context, the sending rank */
    int32_t tag, number;
    bool sends;
};

int32_t mpi_part_pair(struct mpi_job *job, uint32_t from, uint32_t to, uint32_t context, int32_t tag,
                      bool sends)
{
    struct mpi_rank *receiver = mpi_rank_of(rank_at(job->job, to));
    struct mpi_unpaired **at = &receiver->unpaired, *u;
    for (; (u = *at); at = &u->next)
        if (u->sends != sends && u->context == context && u->from == from && u->tag == tag) {
            int32_t number = u->number;
            *at = u->next;
            free(u);
            return number;
        }
    *at = u = base_zalloc(sizeof *u, "partitioned messages");
    *u = (struct mpi_unpaired){NULL, context, from, tag, job->parts++ & INT32_MAX, sends};
    return u->number;
}

void mpi_unpaired_release(struct mpi_rank *self)
{
    while (self->unpaired) {
        struct mpi_unpaired *u = self->unpaired;
        self->unpaired = u->next;
        free(u);
    }
}
