/* SPDX-License-Identifier: BSD-3-Clause */
/* places: finds the parts of this installation. */
#include "cli/places.h"

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

static int find(struct cli_places *p, const char *bin, const char *lib, struct base_status *st)
{
    p->library = real(lib, "libpgasim.so");
    if (!p->library)
        return missing(lib, "libpgasim.so", st);
    p->crt = real(lib, "pgasim/pgasim_crt.o");
    if (!p->crt)
        return missing(lib, "pgasim/pgasim_crt.o", st);
    p->include = real(bin, "../include");
    if (!p->include)
        return missing(bin, "../include", st);
    p->wrappers = real(bin, "wrappers"); /* in the build folder */
    if (!p->wrappers)
        p->wrappers = real(lib, "pgasim/wrappers");
    return p->wrappers ? 0 : missing(lib, "pgasim/wrappers", st);
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
    *p = (struct cli_places){0};
}
