/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded: calls as words (record/record.h), and played from them (private to shmem/).
 *
 * What ends a wait is its *cause*: an operation of some PE, by its number among that PE's operations, times two; plus one
 * if it is the second thing that the operation does to memory (rma.h, struct rma_marked): its signal, or its result. Each
 * thread numbers its own operations: thread k of a PE counts as PE + (k - 1) times the number of PEs (rma/rma.h).
 * Recorders find out causes (causes.c), players wait for them (rma/causes.c).
 */
#ifndef PGASIM_SHMEM_RECORDED_H
#define PGASIM_SHMEM_RECORDED_H

#include "record/record.h"
#include "shmem/internal.h"

extern bool shmem_recording;

/* Each is called at the end of a call, if calls are recorded; `function`: enum record_shmem_number. */
void shmem_record_call(const struct shmem_pe *self, uint32_t function, const struct record_value *v);
void shmem_record_question(struct rank *r, uint32_t function); /* of a rank that need not be a PE */
/* The stores that the PE has made through pointers are seen by those of its peers that wait. */
void shmem_record_stores(const struct shmem_pe *self);
void shmem_stores_touch(struct shmem_pe *self, const int64_t *pes, size_t n);
void shmem_record_init(const struct shmem_pe *self);
void shmem_record_move(const struct shmem_pe *self, uint32_t function, shmem_ctx_t ctx, const void *dest,
                       const void *source, size_t bytes, int pe);
void shmem_record_strided(const struct shmem_pe *self, const struct shmem_form *f, uint32_t function,
                          shmem_ctx_t ctx, const void *dest, const void *source,
                          const struct shmem_strides *s, int pe);
void shmem_record_atomic(const struct shmem_pe *self, const struct shmem_form *f, bool fetches,
                         shmem_ctx_t ctx, const void *object, int pe);
void shmem_record_atomic_nbi(const struct shmem_pe *self, const struct shmem_form *f, shmem_ctx_t ctx,
                             const void *fetched, const void *object, int pe);
void shmem_record_put_signal(const struct shmem_pe *self, const struct shmem_form *f, shmem_ctx_t ctx,
                             const void *dest, const void *source, size_t bytes, const struct shmem_signal *s,
                             int pe);
void shmem_record_signal(const struct shmem_pe *self, shmem_ctx_t ctx, const struct shmem_signal *s, int pe);
void shmem_record_ctx(const struct shmem_pe *self, uint32_t function, shmem_ctx_t ctx);
void shmem_record_pe_quiet(const struct shmem_pe *self, shmem_ctx_t ctx, const int *pes, size_t n);
void shmem_record_set(const struct shmem_pe *self, uint32_t function, const struct shmem_who *who);
void shmem_record_team(const struct shmem_pe *self, uint32_t function, shmem_team_t team);
void shmem_record_place(const struct shmem_pe *self, uint32_t function, const void *place);
void shmem_record_size(const struct shmem_pe *self, uint32_t function, size_t size);
/* `function`: of the team's; that of an active set follows it. */
void shmem_record_exchange(const struct shmem_pe *self, const struct shmem_form *f, uint32_t function,
                           const struct shmem_who *who, const void *dest, const void *source, size_t nelems,
                           int root);
void shmem_record_alltoalls(const struct shmem_pe *self, const struct shmem_form *f,
                            const struct shmem_who *who, const void *dest, const void *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t nelems);
void shmem_record_reduce(const struct shmem_pe *self, const struct shmem_form *f, const struct shmem_who *who,
                         const void *dest, const void *source, size_t nelems, struct coll_operator op);

/* causes.c: what a wait or a test was ended by, while it is recorded. */
struct shmem_causes {
    BASE_ARRAY(int64_t) list; /* PE and cause, by turns */
    bool asked;               /* in vain: it has waited */
    bool unknown;             /* none of these has ended it */
};
struct shmem_causes *shmem_causes_begin(void);
/* The call has seen these bytes; and it is over. */
void shmem_causes_see(struct shmem_causes *c, const struct shmem_pe *self, uintptr_t address, size_t bytes);
void shmem_causes_end(struct shmem_causes *c, const struct shmem_pe *self);
/* Records the call and drops the causes. `result`: of a test; a wait has none (-1), nor a fetch (-2). */
void shmem_record_seen(const struct shmem_pe *self, struct shmem_causes *c, const void *ivars, size_t bytes,
                       int64_t result);

extern uint64_t shmem_played_heap; /* the size of heaps that a trace says; UINT64_MAX: there is no trace */
void shmem_init_of(int64_t heap);  /* setup.c: shmem_init with it */

#endif
