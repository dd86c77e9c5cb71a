/* SPDX-License-Identifier: BSD-3-Clause */
/* places: finds the parts of this installation. */
#include "cli/places/places.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* `folder` + `rest` as a real path; NULL when there is no such file. */
static char *real(const char *folder, const char *rest)
{
    char *path = base_strfmt("%s/%s", folder, rest);
    char *out = realpath(path, NULL);
    free(path);
    return out;
}

static char *folder_of(char *path)
{
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = 0;
    return path;
}

static int missing(const char *folder, const char *what, struct base_status *st)
{
    return base_fail(st, "this installation of pgasim is incomplete: %s/%s: %s", folder, what,
                     strerror(errno));
}

/* A part of the installation that lies at `rest` in `folder`. */
static int take(char **out, const char *folder, const char *rest, struct base_status *st)
{
    *out = real(folder, rest);
    return *out ? 0 : missing(folder, rest, st);
}

static int find(struct cli_places *p, const char *bin, const char *lib, struct base_status *st)
{
    p->wrappers = real(bin, "wrappers"); /* in the build folder */
    if (!p->wrappers && take(&p->wrappers, lib, "pgasim/wrappers", st))
        return -1;
    return take(&p->library, lib, "libpgasim.so", st) || take(&p->crt, lib, "pgasim/pgasim_crt.o", st) ||
                   take(&p->include, bin, "../include", st) || take(&p->root, lib, "pgasim/shmem", st) ||
                   take(&p->mpi, lib, "pgasim/mpi", st) || take(&p->packages, lib, "pkgconfig", st) ||
                   take(&p->aliases, lib, "pgasim/pkgconfig", st) ||
                   take(&p->riscv, bin, "../share/pgasim/riscv", st) || take(&p->prefix, bin, "..", st)
               ? -1
               : 0;
}

int cli_places_find(struct cli_places *p, struct base_status *st)
{
    Dl_info info;
    *p = (struct cli_places){0};
    char *bin = folder_of(realpath("/proc/self/exe", NULL));
    char *lib =
        dladdr((const void *)pgasim_version, &info) ? folder_of(realpath(info.dli_fname, NULL)) : NULL;
    int rc = bin && lib ? find(p, bin, lib, st) : base_fail(st, "cannot find out where pgasim is installed");
    free(bin);
    free(lib);
    if (rc)
        cli_places_release(p);
    return rc;
}

void cli_places_release(struct cli_places *p)
{
    free(p->library);
    free(p->crt);
    free(p->include);
    free(p->wrappers);
    free(p->root);
    free(p->mpi);
    free(p->packages);
    free(p->aliases);
    free(p->riscv);
    free(p->prefix);
    *p = (struct cli_places){0};
}
