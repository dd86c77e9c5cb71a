/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * opened: files that several ranks access, told to a checker. Costs one predictable branch while there is none.
 *
 * A handle is a file as one rank has it open. What a rank has written by a handle is there for others after the rank has
 * flushed the handle; a rank sees what others have flushed before it refreshed its own, by the order of threads
 * (order.h). MPI_File_sync does both.
 */
#ifndef PGASIM_RANK_OPENED_H
#define PGASIM_RANK_OPENED_H

#include "rank/rank.h"

struct rank_opening {
    uint64_t device, inode; /* which file it is */
    uint64_t number;        /* one for all ranks that have opened it together */
    const char *path;
    bool created; /* by these */
};

/* Bytes of a file that an action accesses. */
struct rank_stretch {
    uint64_t offset, bytes;
    enum rank_use how;
    bool atomic; /* towards those of all handles that were opened together, if they are */
};

struct rank_file_checker {
    uint32_t (*opened)(struct rank *r, const struct rank_opening *o);
    void (*closed)(struct rank *r, uint32_t handle);
    void (*flushed)(struct rank *r, uint32_t handle);
    void (*refreshed)(struct rank *r, uint32_t handle);
    void (*uses)(uint64_t action, uint32_t handle, const struct rank_stretch *s);
};
extern const struct rank_file_checker *rank_file_checker; /* NULL: none; else there is a rank_checker, too */

/* A handle, refreshed; 0: nobody asks. */
static inline uint32_t rank_file_opened(struct rank *r, const struct rank_opening *o)
{
    return BASE_UNLIKELY(rank_file_checker != NULL) ? rank_file_checker->opened(r, o) : 0;
}
/* It is used no more. */
static inline void rank_file_closed(struct rank *r, uint32_t handle)
{
    if (BASE_UNLIKELY(handle != 0) && rank_file_checker)
        rank_file_checker->closed(r, handle);
}
/* What r has accessed by the handle is over for all who refresh later. */
static inline void rank_file_flushed(struct rank *r, uint32_t handle)
{
    if (BASE_UNLIKELY(handle != 0) && rank_file_checker)
        rank_file_checker->flushed(r, handle);
}
static inline void rank_file_refreshed(struct rank *r, uint32_t handle)
{
    if (BASE_UNLIKELY(handle != 0) && rank_file_checker)
        rank_file_checker->refreshed(r, handle);
}
/* An action (rank_action_begin) of the handle's rank accesses these bytes; once for each run, as rank_action_uses. All of
 * one action are of one handle, and of one kind. */
static inline void rank_file_uses(uint64_t action, uint32_t handle, const struct rank_stretch *s)
{
    if (BASE_UNLIKELY(handle != 0) && action && rank_file_checker && s->bytes)
        rank_file_checker->uses(action, handle, s);
}

#endif
