/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost: simulated time of calls on regular files (setting io/posix; docs/files.md). A call pays first, then really
 * reads or writes: what overlaps is written in simulated order.
 */
#ifndef PGASIM_FOLD_IO_COST_H
#define PGASIM_FOLD_IO_COST_H

#include "storage/storage.h"

#include <limits.h>
#include <sys/uio.h>

extern bool io_costs;  /* calls pay */
enum { IO_HERE = -1 }; /* at the file's position */

void io_cost_begin(const struct base_settings *settings);
void io_cost_end(void);
/* Pays for a read or write of the current rank. -1 with errno: its disk has no room, or has failed. */
int io_pay_now(int number, enum storage_access how, int64_t at, size_t size);
static inline int io_pay(int number, enum storage_access how, int64_t at, size_t size)
{
    return BASE_UNLIKELY(io_costs) ? io_pay_now(number, how, at, size) : 0;
}
int io_pay_vector(int number, enum storage_access how, int64_t at, const struct iovec *v, int n);
int io_pay_sync(int number);
/* What a write has returned that was paid for. If it has failed, its bytes take no room. */
void io_give_back(int number);
static inline ssize_t io_paid(int number, ssize_t n)
{
    if (BASE_UNLIKELY(n < 0 && io_costs))
        io_give_back(number);
    return n;
}
/* For n bytes that a call copies from one file to another; positions as in io_pay, NULL: the file's. */
int io_pay_copy(int from, const int64_t *from_at, int to, const int64_t *to_at, size_t n);
void io_pay_map(int number); /* a file is mapped into memory */
/* An operation on a name, seen from a folder (a number, or AT_FDCWD). errno stays. */
void io_pay_name(int folder, const char *path, enum storage_naming how);
/* ftruncate, fallocate, truncate, unlinkat, in a rank or not, with what they cost. The file has its new size, and gives its
 * room back, if the call really succeeds. */
int io_resize(int number, int64_t size);
enum { IO_POSIX = -1 }; /* as posix_fallocate does */
int io_allocate(int number, int mode, int64_t at, int64_t size);
int io_truncate(const char *path, int64_t size);
int io_unlink(int folder, const char *path, int flags);
/* renameat2, linkat, in a rank or not, with what they cost. On the platform two names may be further apart than here. */
int io_rename(int folder, const char *from, int to_folder, const char *to, unsigned flags);
int io_link(int folder, const char *from, int to_folder, const char *to, int flags);
/* A file was opened; `made`: by this call. */
void io_pay_open(int number, bool made, bool truncated);

/* --- for cost_names.c ------------------------------------------------------------------------------------ */

struct rank *io_payer(void); /* whose call it is that takes time; NULL: nobody's */
/* Absolute and without links; false: it has no name. */
bool io_path_of(int descriptor, char path[PATH_MAX]);
void io_pay_named(struct rank *r, const char *path, enum storage_naming how);

#endif
