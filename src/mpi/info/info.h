/* SPDX-License-Identifier: BSD-3-Clause */
/* info: info objects: keys and values, both texts, in the order in which they were set (MPI-5.0 chapter 10). */
#ifndef PGASIM_MPI_INFO_H
#define PGASIM_MPI_INFO_H

#include "mpi/internal.h"

struct mpi_info;
/* NULL: no such object. MPI_INFO_NULL is none. */
struct mpi_info *mpi_info_find(struct mpi_rank *self, MPI_Info info);
struct mpi_info *mpi_info_copy(const struct mpi_info *info); /* NULL gives NULL */
void mpi_info_release(struct mpi_info *info);
const char *mpi_info_value(const struct mpi_info *info, const char *key); /* NULL: there is none */
void mpi_info_put(struct mpi_info **info, const char *key, const char *value);
/* Puts those pairs of `from` (NULL: none) that are usable. */
void mpi_info_take(struct mpi_info **info, const struct mpi_info *from,
                   bool (*usable)(const void *arg, const char *key, const char *value), const void *arg);
/* A handle for it, which the program frees; takes it over. NULL: an empty one. */
MPI_Info mpi_info_handle(struct mpi_rank *self, struct mpi_info *info);
struct mpi_info *mpi_info_environment(struct mpi_rank *self); /* environment.c: MPI_INFO_ENV */
const char *mpi_info_level(int level);                        /* the value of a key thread_level */
void mpi_info_register(void);                                 /* at start-up */

#endif
