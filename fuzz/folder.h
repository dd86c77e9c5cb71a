/* SPDX-License-Identifier: BSD-3-Clause */
/* folder: a folder of a fuzz target's own, in which an input that names files finds no others. */
#ifndef PGASIM_FUZZ_FOLDER_H
#define PGASIM_FUZZ_FOLDER_H

#include <stdlib.h>
#include <unistd.h>

static char fuzz_folder[] = "/tmp/pgasim-fuzz-XXXXXX";
static const char *const *fuzz_files; /* what the target writes there; NULL ends the list */

static void fuzz_leave(void)
{
    for (; *fuzz_files; fuzz_files++)
        unlink(*fuzz_files);
    rmdir(fuzz_folder);
}

/* The process is there from now on; at its end the folder goes. */
static inline void fuzz_enter(const char *const *files)
{
    if (fuzz_files)
        return;
    fuzz_files = files;
    if (!mkdtemp(fuzz_folder) || chdir(fuzz_folder))
        abort();
    atexit(fuzz_leave);
}

#endif
