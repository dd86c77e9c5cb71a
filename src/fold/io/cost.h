/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost: simulated time of calls on regular files (setting io/posix; docs/files.md). A call pays first, then really
 * reads or writes: what overlaps is written in simulated order.
 */
#ifndef PGASIM_FOLD_IO_COST_H
#define PGASIM_FOLD_IO_COST_H

#include "storage/storage.h"

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
int io_pay_size(int number, int64_t size); /* of a file that is truncated or extended */
/* An operation on a name, seen from a folder (a number, or AT_FDCWD). errno stays. */
void io_pay_name(int folder, const char *path, enum storage_naming how);
void io_pay_removal(int folder, const char *path);
/* A file was opened; `made`: by this call. */
void io_pay_open(int number, bool made, bool truncated);

#endif
