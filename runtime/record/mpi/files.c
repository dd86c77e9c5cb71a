/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files: calls on files that are recorded as what they came to, so that a player needs no file (docs/replay.md, "Files"): names
 * are absolute and without links, an open has the size that the file had, and a seek leads to a place.
 */
#include "mpi_recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MADE = -1, FAILED = -2 };

RECORDER_REAL(MPI_File_open)
RECORDER_REAL(MPI_File_delete)
RECORDER_REAL(MPI_File_seek)
RECORDER_REAL(MPI_File_seek_shared)

void recorder_find_files(void)
{
    RECORDER_FIND(MPI_File_open);
    RECORDER_FIND(MPI_File_delete);
    RECORDER_FIND(MPI_File_seek);
    RECORDER_FIND(MPI_File_seek_shared);
}

/* --- names ---------------------------------------------------------------------------------------------- */

/* The caller frees it. */
static char *absolute(const char *name)
{
    char *folder, *path;
    name = record_path(name ? name : "");
    folder = *name == '/' ? strdup("") : getcwd(NULL, 0);
    path = folder ? malloc(strlen(folder) + strlen(name) + 2) : NULL;
    if (!path)
        recorder_stop("no memory left for the name of a file, or no current folder");
    sprintf(path, *name == '/' ? "%s%s" : "%s/%s", folder, name);
    free(folder);
    return path;
}

/* The same, of a file that is there, without links. */
static char *resolved(char *path)
{
    char *real = realpath(path, NULL);
    if (real)
        free(path);
    return real ? real : path;
}

/* --- opening and deleting ------------------------------------------------------------------------------- */

static int64_t size_before(const char *path)
{
    struct stat s;
    return stat(path, &s) ? MADE : (int64_t)s.st_size;
}

/* Members look at different moments; the first one's look counts, which was before any could make the file. */
static int64_t size_for_all(MPI_Comm comm, int64_t size)
{
    PMPI_Bcast(&size, 1, MPI_INT64_T, 0, comm);
    return size;
}

/* Members have met, unless this one's arguments were refused. */
static bool has_met(int error)
{
    int class = MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        PMPI_Error_class(error, &class);
    return class != MPI_ERR_COMM && class != MPI_ERR_ARG && class != MPI_ERR_AMODE && class != MPI_ERR_INFO;
}

int MPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh)
{
    struct recorder_call c;
    if (!recorder_enter(&c, RECORD_MPI_FILE_OPEN))
        return real_MPI_File_open(comm, filename, amode, info, fh);
    char *path = absolute(filename);
    int64_t size = size_before(path);
    MPI_File none = MPI_FILE_NULL;
    recorder_open(&c);
    recorder_go(&c);
    int result = real_MPI_File_open(comm, filename, amode, info, fh);
    int64_t end = recorder_now();
    bool opened = recorder_has_effect(result);
    size = opened ? size_for_all(comm, size) : FAILED;
    path = opened ? resolved(path) : path;
    const struct record_value v[] = {
        {.i = RECORDER_BITS(comm)}, {.p = path}, {.i = amode}, {.i = RECORDER_BITS(info)},
        {.p = opened ? fh : &none}, {.i = size}};
    recorder_return(&c);
    c.end = end;
    if (has_met(result))
        recorder_tell(&c, v);
    recorder_close(&c);
    free(path);
    return result;
}
RECORDER_ALSO(MPI_File_open)

int MPI_File_delete(const char *filename, MPI_Info info)
{
    struct recorder_call c;
    if (!recorder_enter(&c, RECORD_MPI_FILE_DELETE))
        return real_MPI_File_delete(filename, info);
    char *path = resolved(absolute(filename));
    const struct record_value v[] = {{.p = path}, {.i = RECORDER_BITS(info)}};
    recorder_before(&c, v);
    int result = real_MPI_File_delete(filename, info);
    recorder_after(&c, v, result);
    free(path);
    return result;
}
RECORDER_ALSO(MPI_File_delete)

/* --- pointers ------------------------------------------------------------------------------------------- */

static void tell_place(struct recorder_call *c, MPI_File fh, MPI_Offset place)
{
    const struct record_value v[] = {{.i = RECORDER_BITS(fh)}, {.i = (int64_t)place}, {.i = MPI_SEEK_SET}};
    recorder_tell(c, v);
}

int MPI_File_seek(MPI_File fh, MPI_Offset offset, int whence)
{
    struct recorder_call c;
    MPI_Offset place = offset;
    if (!recorder_enter(&c, RECORD_MPI_FILE_SEEK))
        return real_MPI_File_seek(fh, offset, whence);
    recorder_open(&c);
    recorder_go(&c);
    int result = real_MPI_File_seek(fh, offset, whence);
    recorder_return(&c);
    if (recorder_has_effect(result)) {
        if (whence != MPI_SEEK_SET)
            PMPI_File_get_position(fh, &place);
        tell_place(&c, fh, place);
    }
    recorder_close(&c);
    return result;
}
RECORDER_ALSO(MPI_File_seek)

/* A communicator of those who have the file open; MPI_COMM_NULL: some are not of this world. */
static MPI_Comm members_of(MPI_File fh)
{
    enum { TAG = 2 };
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group, world, both;
    int members = 0, known = 0;
    PMPI_File_get_group(fh, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_intersection(group, world, &both);
    PMPI_Group_size(group, &members);
    PMPI_Group_size(both, &known);
    if (known == members)
        PMPI_Comm_create_group(MPI_COMM_WORLD, group, TAG, &comm);
    PMPI_Group_free(&both);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return comm;
}

/* Where all have sought to. Nobody moves the pointer on before all know. */
static MPI_Offset shared_place(MPI_File fh)
{
    MPI_Offset place = 0;
    MPI_Comm comm = members_of(fh);
    PMPI_File_get_position_shared(fh, &place);
    if (comm == MPI_COMM_NULL)
        return place;
    PMPI_Barrier(comm);
    PMPI_Comm_free(&comm);
    return place;
}

int MPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence)
{
    struct recorder_call c;
    MPI_Offset place = offset;
    if (!recorder_enter(&c, RECORD_MPI_FILE_SEEK_SHARED))
        return real_MPI_File_seek_shared(fh, offset, whence);
    recorder_open(&c);
    recorder_go(&c);
    int result = real_MPI_File_seek_shared(fh, offset, whence);
    int64_t end = recorder_now();
    bool moved = recorder_has_effect(result);
    if (moved && whence != MPI_SEEK_SET)
        place = shared_place(fh);
    recorder_return(&c);
    c.end = end;
    if (moved)
        tell_place(&c, fh, place);
    recorder_close(&c);
    return result;
}
RECORDER_ALSO(MPI_File_seek_shared)
