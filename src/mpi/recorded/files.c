/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files: calls on files that are recorded as what they came to: names are absolute and without links, sizes are those that the
 * file had, and a seek leads to a place. So a player needs no file.
 */
#include "mpi/recorded/parts.h"
#include "mpi/recorded/recorded.h"

#include <stdlib.h>

/* The call is over, and told what it came to. */
static int record(struct mpi_call *c, uint32_t function, const struct record_value *v, int error)
{
    struct record_words w = {0};
    mpi_record_before(c, &w, function, v);
    mpi_record_after(c, &w, function, v, error);
    c->told = NULL;
    return error;
}

int mpi_recorded_file_open(struct mpi_call *c, MPI_Comm comm, const char *filename, int amode, MPI_Info info,
                           MPI_File *fh)
{
    struct mpi_beside told = {0};
    c->told = &told;
    int rc = mpi_file_open(c, comm, filename, amode, info, fh);
    const struct record_value v[] = {{.i = (int64_t)comm}, {.p = told.path}, {.i = amode},
                                     {.i = (int64_t)info}, {.p = fh},        {.i = told.size}};
    if (told.path)
        record(c, RECORD_MPI_FILE_OPEN, v, rc);
    free(told.path);
    return rc;
}

int mpi_recorded_file_delete(struct mpi_call *c, const char *filename, MPI_Info info)
{
    struct mpi_beside told = {0};
    c->told = &told;
    int rc = mpi_file_delete(c, filename, info);
    const struct record_value v[] = {{.p = told.path}, {.i = (int64_t)info}};
    if (told.path)
        record(c, RECORD_MPI_FILE_DELETE, v, rc);
    free(told.path);
    return rc;
}

int mpi_recorded_file_seek(struct mpi_call *c, MPI_File fh, MPI_Offset offset, int whence)
{
    struct mpi_beside told = {.place = -1};
    c->told = &told;
    int rc = mpi_file_seek(c, fh, offset, whence);
    const struct record_value v[] = {{.i = (int64_t)fh}, {.i = told.place}, {.i = MPI_SEEK_SET}};
    return record(c, RECORD_MPI_FILE_SEEK, v, rc);
}

int mpi_recorded_file_seek_shared(struct mpi_call *c, MPI_File fh, MPI_Offset offset, int whence)
{
    struct mpi_beside told = {.place = -1};
    c->told = &told;
    int rc = mpi_file_seek_shared(c, fh, offset, whence);
    const struct record_value v[] = {{.i = (int64_t)fh}, {.i = told.place}, {.i = MPI_SEEK_SET}};
    return record(c, RECORD_MPI_FILE_SEEK_SHARED, v, rc);
}
