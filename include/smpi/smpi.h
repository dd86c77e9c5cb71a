/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi/smpi.h: SMPI's annotations under the names that programs know them by. docs/annotations.md says what
 * they do here and where they differ from SMPI; pgasim.h has the same and more.
 */
#ifndef PGASIM_SMPI_H
#define PGASIM_SMPI_H

#include <pgasim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* for (init; end; iter) whose body is executed `iters` times at most (iters > 0), or until the relative
 * standard error of its cost is at most `thres` (thres > 0), then skipped and charged at the mean. */
#define SMPI_SAMPLE_LOCAL(loop_init, loop_end, loop_iter, iters, thres)                                      \
    PGASIM_SAMPLE_LOOP_(loop_init, loop_end, loop_iter, 0, iters, thres, "")
#define SMPI_SAMPLE_GLOBAL(loop_init, loop_end, loop_iter, iters, thres)                                     \
    PGASIM_SAMPLE_LOOP_(loop_init, loop_end, loop_iter, 1, iters, thres, "")
#define SMPI_SAMPLE_LOCAL_TAG(loop_init, loop_end, loop_iter, iters, thres, tag)                             \
    PGASIM_SAMPLE_LOOP_(loop_init, loop_end, loop_iter, 0, iters, thres, tag)
#define SMPI_SAMPLE_GLOBAL_TAG(loop_init, loop_end, loop_iter, iters, thres, tag)                            \
    PGASIM_SAMPLE_LOOP_(loop_init, loop_end, loop_iter, 1, iters, thres, tag)

/* The block that follows is not executed; it is charged the given amount. */
#define SMPI_SAMPLE_DELAY(duration) PGASIM_INSTEAD_SECONDS(duration)
#define SMPI_SAMPLE_FLOPS(flops)    PGASIM_INSTEAD_FLOPS(flops)
void smpi_execute(double duration);
void smpi_execute_flops(double flops);
void smpi_execute_benched(double duration);
void smpi_execute_flops_benched(double flops);

/* Folded memory. The pairs of offsets in bytes say what is shared. */
#define SMPI_SHARED_MALLOC(size) smpi_shared_malloc((size), __FILE__, __LINE__)
#define SMPI_PARTIAL_SHARED_MALLOC(size, shared_block_offsets, nb_shared_blocks)                             \
    smpi_shared_malloc_partial((size), (shared_block_offsets), (nb_shared_blocks))
#define SMPI_SHARED_FREE(data) smpi_shared_free(data)
void *smpi_shared_malloc(size_t size, const char *file, int line);
void *smpi_shared_malloc_partial(size_t size, const size_t *shared_block_offsets, int nb_shared_blocks);
void smpi_shared_free(void *data);

/* Each rank makes the call. */
#define SMPI_SHARED_CALL(func, input, ...) ((void)(input), (func)(__VA_ARGS__))

#ifdef __cplusplus
}
#endif

#endif
