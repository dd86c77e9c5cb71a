/* SPDX-License-Identifier: BSD-3-Clause */
/* operand: a member's whole operand in temporary memory, its parts in order of place, without gaps. */
#ifndef PGASIM_COLL_REDUCE_SCATTER_OPERAND_H
#define PGASIM_COLL_REDUCE_SCATTER_OPERAND_H

#include "coll/schedule/schedule.h"

/* The byte at which part k begins; k = n: the operand's end. */
uint64_t coll_operand_at(const struct coll_schedule *s, uint32_t k);
/* Rounds that copy the operand to byte 0 of temporary memory, and one of them. */
uint32_t coll_operand_rounds(const struct coll_schedule *s);
void coll_operand_load(struct coll_schedule *s, uint32_t round);
/* Copies my part from there to dest. */
void coll_operand_keep(struct coll_schedule *s, uint64_t at);
/* A send, and a receive that reduces, of parts [first, end) at their places. */
void coll_operand_send(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t first, uint32_t end);
void coll_operand_reduce(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t first, uint32_t end);

#endif
