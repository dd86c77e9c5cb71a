/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * videostream.c: the video application of the paper (section 3.2) on the S-DSM. stream.h tells how tasks work
 * together. Linked with one of the parts_*.c it is videostream, videostreampthread or videostreamopenmp; they
 * may run together in one job, and any of them may have any role.
 *
 *   videostream --topology FILE [options]      (options: those of the input task count)
 *
 * Output prints the number of lines and a checksum for each frame, in the order of frames: the same as
 * videostream-seq.
 */
#include "stream.h"
#include <mpi.h>
#include <stdlib.h>

Chunk_t *stream_buffer(const struct video *v, unsigned long id)
{
    const unsigned long size = sizeof(struct frame) + (unsigned long)v->width * (unsigned long)v->height;
    return MALLOC_LST(NULL, UL_LIST(id), UL_LIST(size));
}

Chunk_t *stream_taken(unsigned long task)
{
    return MALLOC(TAKEN + task, sizeof(long));
}

void stream_settings_put(const struct video *v)
{
    initSymbolicTable(sdsm);
    writeSymbol(sdsm, "settings", v, sizeof *v);
}

struct video stream_settings_get(void)
{
    struct video v;
    void *place = &v;
    size_t size = sizeof v;
    initSymbolicTable(sdsm);
    readSymbol(sdsm, "settings", &place, &size);
    return v;
}

void stream_abort(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
    exit(status);
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[ROLES] = {NULL, role_input, role_process, role_output};
    int failed = 0; /* set by output */
    _SAT_BOOTSTRAP(roles, &failed, argc, argv);
    return failed;
}
