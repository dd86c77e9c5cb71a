/* SPDX-License-Identifier: BSD-3-Clause */
/* singles: the functions of OpenSHMEM that have no types, recorded; those that begin and end a program are in recorder.c. */
#include "wrap.h"

#define CTX                                                                                                  \
    {                                                                                                        \
        .i = RECORDER_BITS(ctx)                                                                              \
    }
#define DEFAULT                                                                                              \
    {                                                                                                        \
        .i = recorder_default_ctx()                                                                          \
    }
#define NOTHING  ({.i = 0})
#define SET      ({.i = PE_start}, {.i = logPE_stride}, {.i = PE_size}, {.p = pSync})
#define SET_OF   (int PE_start, int logPE_stride, int PE_size, long *pSync)
#define SET_ARGS (PE_start, logPE_stride, PE_size, pSync)

/* --- order and barriers ----------------------------------------------------------------------------------- */

VOID(shmem_fence, (void), (), FENCE, (DEFAULT), , )
VOID(shmem_ctx_fence, (shmem_ctx_t ctx), (ctx), FENCE, (CTX), , )
VOID(shmem_quiet, (void), (), QUIET, (DEFAULT), , )
VOID(shmem_ctx_quiet, (shmem_ctx_t ctx), (ctx), QUIET, (CTX), , )
VOID(shmem_pe_quiet, (const int *target_pes, size_t npes), (target_pes, npes), PE_QUIET,
     (DEFAULT, {(int64_t)npes, target_pes, 4}), , )
VOID(shmem_ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes), (ctx, target_pes, npes),
     PE_QUIET, (CTX, {(int64_t)npes, target_pes, 4}), , )
VOID(shmem_barrier_all, (void), (), BARRIER_ALL, NOTHING, , )
VOID(shmem_sync_all, (void), (), TEAM_SYNC, ({.i = recorder_world_team()}), , )
VALUE(int, shmem_team_sync, (shmem_team_t team), (team), TEAM_SYNC, ({.i = RECORDER_BITS(team)}), , )
VOID(shmem_barrier, SET_OF, SET_ARGS, BARRIER, SET, , )
VOID(shmem_sync, SET_OF, SET_ARGS, SYNC, SET, , )

/* --- memory ----------------------------------------------------------------------------------------------- */

#define MALLOC(name)                                                                                         \
    VALUE(void *, name, (size_t size), (size), MALLOC, ({.i = (int64_t)size}), ,                             \
          recorder_heap_alloc(result, size, 0);)
#define FREE(name) VOID(name, (void *ptr), (ptr), FREE, ({.p = ptr}), , recorder_heap_free(ptr);)
#define ALIGN(name)                                                                                          \
    VALUE(void *, name, (size_t alignment, size_t size), (alignment, size), ALIGN,                           \
          ({.i = (int64_t)alignment}, {.i = (int64_t)size}), ,                                               \
          recorder_heap_alloc(result, size, alignment);)
MALLOC(shmem_malloc)
MALLOC(shmalloc)
FREE(shmem_free)
FREE(shfree)
ALIGN(shmem_align)
ALIGN(shmemalign)
VALUE(void *, shmem_malloc_with_hints, (size_t size, long hints), (size, hints), MALLOC,
      ({.i = (int64_t)size}), , recorder_heap_alloc(result, size, 0);)
VALUE(void *, shmem_calloc, (size_t count, size_t size), (count, size), CALLOC,
      ({.i = (int64_t)(count * size)}), , recorder_heap_alloc(result, count *size, 0);)

/* Without a block it is an allocation, without a size the block's end. */
#define REALLOC(name)                                                                                        \
    void *name(void *ptr, size_t size);                                                                      \
    void *name(void *ptr, size_t size)                                                                       \
    {                                                                                                        \
        struct recorder_shmem_call c;                                                                        \
        REAL(name)                                                                                           \
        if (!recorder_shmem_enter(&c, !ptr    ? RECORD_SHMEM_MALLOC                                          \
                                      : !size ? RECORD_SHMEM_FREE                                            \
                                              : RECORD_SHMEM_REALLOC))                                       \
            return real(ptr, size);                                                                          \
        const struct record_value v[] = {{.i = (int64_t)size, .p = ptr}, {.i = (int64_t)size}};              \
        recorder_shmem_before(&c, v);                                                                        \
        void *result = real(ptr, size);                                                                      \
        recorder_heap_realloc(ptr, result, size);                                                            \
        recorder_shmem_after(&c, v);                                                                         \
        return result;                                                                                       \
    }
REALLOC(shmem_realloc)
REALLOC(shrealloc)

/* --- teams and contexts ----------------------------------------------------------------------------------- */

VALUE(int, shmem_team_split_strided,
      (shmem_team_t parent, int start, int stride, int size, const void *config, long mask,
       shmem_team_t *made),
      (parent, start, stride, size, config, mask, made), TEAM_SPLIT_STRIDED,
      ({.i = RECORDER_BITS(parent)}, {.i = start}, {.i = stride}, {.i = size}, {.p = made}), , )
VALUE(int, shmem_team_split_2d,
      (shmem_team_t parent, int xrange, const void *x_config, long x_mask, shmem_team_t *x,
       const void *y_config, long y_mask, shmem_team_t *y),
      (parent, xrange, x_config, x_mask, x, y_config, y_mask, y), TEAM_SPLIT_2D,
      ({.i = RECORDER_BITS(parent)}, {.i = xrange}, {.p = x}, {.p = y}), , )
VOID(shmem_team_destroy, (shmem_team_t team), (team), TEAM_DESTROY, ({.i = RECORDER_BITS(team)}), , )
VALUE(int, shmem_ctx_create, (long options, shmem_ctx_t *ctx), (options, ctx), CTX_CREATE,
      ({.i = options}, {.p = ctx}), , )
VALUE(int, shmem_team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx), (team, options, ctx),
      TEAM_CREATE_CTX, ({.i = RECORDER_BITS(team)}, {.i = options}, {.p = ctx}), ,
      recorder_ctx_made(RECORDER_BITS(*ctx), RECORDER_BITS(team));)
VOID(shmem_ctx_destroy, (shmem_ctx_t ctx), (ctx), CTX_DESTROY, (CTX), ,
     recorder_ctx_gone(RECORDER_BITS(ctx));)

/* --- signals, waits and locks ----------------------------------------------------------------------------- */

#define SIGNAL(name, function)                                                                               \
    VOID(shmem_##name, (uint64_t * sig_addr, uint64_t signal, int pe), (sig_addr, signal, pe), function,     \
         (DEFAULT, {.p = sig_addr}, {.i = pe}), c.operand = signal;                                          \
         , )                                                                                                 \
    VOID(shmem_ctx_##name, (shmem_ctx_t ctx, uint64_t * sig_addr, uint64_t signal, int pe),                  \
         (ctx, sig_addr, signal, pe), function, (CTX, {.p = sig_addr}, {.i = pe}), c.operand = signal;       \
         , )
SIGNAL(signal_add, SIGNAL_ADD)
SIGNAL(signal_set, SIGNAL_SET)
LOOK_VALUE(uint64_t, shmem_signal_fetch, (const uint64_t *sig_addr), (sig_addr),
           (.ivars = sig_addr, .n = 1, .size = 8, .fetch = true))
LOOK_VALUE(uint64_t, shmem_signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t value),
           (sig_addr, cmp, value),
           (.ivars = sig_addr, .n = 1, .size = 8, .equal = recorder_is_equal(cmp), .wanted = value))
LOOK_VOID(shmem_wait_until, (long *ivar, int cmp, long value), (ivar, cmp, value),
          (.ivars = ivar, .n = 1, .size = sizeof(long), .equal = recorder_is_equal(cmp),
           .wanted = (uint64_t)value))
LOOK_VOID(shmem_wait, (long *ivar, long value), (ivar, value), (.ivars = ivar, .n = 1, .size = sizeof(long)))
VOID(shmem_set_lock, (long *lock), (lock), SET_LOCK, ({.p = lock}), , )
VOID(shmem_clear_lock, (long *lock), (lock), CLEAR_LOCK, ({.p = lock}), , )

int shmem_test_lock(long *lock);
int shmem_test_lock(long *lock)
{
    struct recorder_shmem_call c;
    REAL(shmem_test_lock)
    if (!recorder_shmem_enter(&c, RECORD_SHMEM_TEST_LOCK))
        return real(lock);
    recorder_shmem_before(&c, NULL);
    int result = real(lock);
    const struct record_value v[] = {{.p = lock}, {.i = result}};
    recorder_return(&c.call);
    recorder_shmem_write(&c, v);
    recorder_close(&c.call);
    return result;
}

/* --- questions -------------------------------------------------------------------------------------------- */

VALUE(void *, shmem_ptr, (const void *dest, int pe), (dest, pe), PTR, NOTHING, , )
VALUE(void *, shmem_team_ptr, (shmem_team_t team, const void *dest, int pe), (team, dest, pe), TEAM_PTR,
      NOTHING, , )
VALUE(int, shmem_pe_accessible, (int pe), (pe), PE_ACCESSIBLE, NOTHING, , )
VALUE(int, shmem_addr_accessible, (const void *address, int pe), (address, pe), ADDR_ACCESSIBLE, NOTHING, , )
VOID(shmem_query_thread, (int *provided), (provided), QUERY_THREAD, NOTHING, , )
VOID(shmem_query_initialized, (int *initialized), (initialized), QUERY_INITIALIZED, NOTHING, , )
VALUE(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team), (ctx, team), CTX_GET_TEAM, NOTHING, , )
