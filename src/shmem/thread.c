/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread: what the thread levels forbid (OpenSHMEM 1.6 section 9.2). Every level works as MULTIPLE does: a
 * call blocks the thread that makes it and no other. Programs that do what their level forbids get a warning.
 * None of this runs for a PE with one thread.
 */
#include "shmem/recorded.h"

static const char *const names[] = {"SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"};

void shmem_thread_enter(struct shmem_pe *self, const char *call)
{
    const struct engine_actor *thread = engine_current(self->rank->engine);
    if (self->level <= SHMEM_THREAD_FUNNELED && thread != self->main)
        base_warn("misuse/thread-level", "%s: called by a thread other than the main one at SHMEM_THREAD_%s",
                  call, names[self->level]);
    if (self->level != SHMEM_THREAD_SERIALIZED)
        return;
    if (self->inside++)
        base_warn("misuse/thread-level",
                  "%s: called while another thread is in a call at SHMEM_THREAD_SERIALIZED", call);
}

void shmem_thread_finalize(const struct shmem_pe *self, const char *call)
{
    if (engine_current(self->rank->engine) != self->main)
        base_warn("misuse/thread-finalize",
                  "%s: called by a thread other than the one that initialized OpenSHMEM", call);
}

/* May be called at any time, by any thread. */
BASE_PUBLIC void shmem_query_thread(int *provided)
{
    static const char call[] = "shmem_query_thread";
    struct rank *r = rank_enter(call);
    const struct shmem_pe *self = rank_kept(r, &shmem_slot);
    if (!self)
        self = shmem_pe_asked(r, call);
    *provided = self ? self->level : SHMEM_THREAD_SINGLE;
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(r, RECORD_SHMEM_QUERY_THREAD);
    rank_leave(r, call);
}
