/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctx: communication contexts that a program makes (OpenSHMEM 1.6 section 9.5). The default context is the
 * PE's own (shmem_pe.ctx) and has no record here.
 *
 * A handle encodes what it stands for, so that one look tells whether it is valid and, if not, why:
 *
 *   63      56 55            34 33                16 15           0
 *   | mark    | PE             | number made        | place        |
 *
 * Places are reused. The numbers wrap around.
 *
 * Invariants
 *  K1  A place is in use exactly when its handle is not 0; then its handle names this PE and this place.
 *  K2  Places not in use are on the free list.
 */
#ifndef PGASIM_SHMEM_CTX_H
#define PGASIM_SHMEM_CTX_H

#include "shmem/internal.h"

/* A context that the program made. The group's list of ranks is the team's. */
struct shmem_ctx {
    uintptr_t handle; /* 0: the place is free, and */
    uintptr_t was;    /* this one was destroyed last; 0: none */
    struct rma_ctx *rma;
    struct coll_group group; /* whose members its PE numbers count */
    shmem_team_t team;
    const struct engine_actor *owner; /* the thread that made it */
    const struct engine_actor *user;  /* SERIALIZED: the thread that is in a call with it */
    uint32_t next;                    /* free: the next one, or SHMEM_CTX_PLACES */
    uint8_t options;
    bool session; /* started and not stopped */
};

/* The contexts of one PE, by place. */
enum { SHMEM_CTX_PLACES = 1 << 16 };
struct shmem_contexts {
    uint32_t n, cap, free;
    struct shmem_ctx at[];
};

/* The record of a handle other than the default and the invalid one. Reports and does not return if the
 * handle is no context of this PE. Valid until the next context is made. For a context of the world that was
 * destroyed, with a warning, a free record (handle 0) whose stream is the default context's. */
struct shmem_ctx *shmem_ctx_find(const struct shmem_pe *self, shmem_ctx_t ctx, const char *call);
/* At the end of the library: destroys every remaining context once its operations are complete. */
void shmem_contexts_release(struct shmem_pe *self, const char *call);
/* Frees the PE's table. The contexts' streams are freed with the job. */
void shmem_contexts_drop(struct shmem_pe *self);
/* The PE destroys the team: its contexts go with it (section 9.4, shmem_team_destroy). */
void shmem_ctx_team_destroyed(struct shmem_pe *self, shmem_team_t team, const char *call);
/* session.c: reports that a context ends in a session. */
void shmem_session_left(const char *call);

#endif
