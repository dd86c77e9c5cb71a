/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session: communication sessions (OpenSHMEM 1.6 section 9.9). They are hints and change neither results nor
 * simulated time here, so wrong hints lose nothing. This file only checks that programs use them correctly.
 */
#include "shmem/ctx.h"

static bool *session_of(struct shmem_pe *self, shmem_ctx_t ctx, const char *call)
{
    return ctx == SHMEM_CTX_DEFAULT ? &self->session : &shmem_ctx_find(self, ctx, call)->session;
}

/* A session already started continues with the options of both calls. */
BASE_PUBLIC void shmem_ctx_session_start(shmem_ctx_t ctx, long options,
                                         const shmem_ctx_session_config_t *config, long config_mask)
{
    static const char call[] = "shmem_ctx_session_start", key[] = "misuse/session-options";
    struct shmem_pe *self = shmem_enter_issue(call);
    if (options & ~SHMEM_CTX_SESSION_BATCH)
        base_notice(key, "%s: options %#lx contain unknown bits", call, options);
    if (config_mask & ~SHMEM_CTX_SESSION_TOTAL_OPS)
        base_notice(key, "%s: configuration mask %#lx contains unknown bits", call, config_mask);
    if (config_mask && !config)
        base_notice(key, "%s: configuration mask %#lx, but no configuration", call, config_mask);
    if (ctx != SHMEM_CTX_INVALID) {
        shmem_context(self, ctx, call);
        *session_of(self, ctx, call) = true;
    }
    shmem_leave_ctx(self, ctx, call);
}

/* Stopping what is stopped has no effect. */
BASE_PUBLIC void shmem_ctx_session_stop(shmem_ctx_t ctx)
{
    static const char call[] = "shmem_ctx_session_stop";
    struct shmem_pe *self = shmem_enter_issue(call);
    if (ctx != SHMEM_CTX_INVALID) {
        shmem_context(self, ctx, call);
        *session_of(self, ctx, call) = false;
    }
    shmem_leave_ctx(self, ctx, call);
}

void shmem_session_left(const char *call)
{
    base_warn("misuse/session", "%s: a session of the context was not stopped before this call", call);
}
