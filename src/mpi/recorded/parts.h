/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of recorded/ share: calls as words, and called with them (record/record.h). */
#ifndef PGASIM_MPI_RECORDED_PARTS_H
#define PGASIM_MPI_RECORDED_PARTS_H

#include "mpi/internal.h"
#include "record/record.h"

/* `function`: enum record_mpi_number. Words that one fills the other hands on and releases. */
void mpi_record_before(struct mpi_call *c, struct record_words *w, uint32_t function,
                       const struct record_value *v);
/* `error`: what the call returns. One that has failed without effect is not recorded. */
void mpi_record_after(struct mpi_call *c, struct record_words *w, uint32_t function,
                      const struct record_value *v, int error);

extern int (*const mpi_players[])(const struct record_value *v); /* by function */
/* Of calls that start processes (processes.c). */
int mpi_play_comm_spawn(const struct record_value *v);
int mpi_play_comm_spawn_multiple(const struct record_value *v);

#endif
