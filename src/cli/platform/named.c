/* SPDX-License-Identifier: BSD-3-Clause */
/* named: platforms that come with pgasim, or that it makes, by their names. */
#include "cli/places/places.h"
#include "cli/platform/platform.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the platform of that name would be; NULL: the installation is not whole. */
static char *place_of(const char *name)
{
    struct base_status ignored;
    struct cli_places p;
    if (cli_places_find(&p, &ignored))
        return NULL;
    char *path = base_strfmt("%s/share/pgasim/platforms/%s.xml", p.prefix, name);
    cli_places_release(&p);
    return path;
}

int cli_platform_load(struct platform **out, const char *name, struct base_settings *s,
                      struct base_status *st)
{
    char *path = NULL;
    if (platform_is_named(name) && access(name, F_OK))
        return platform_load_named(out, name, s, st);
    if (!strchr(name, '/') && !strchr(name, '.') && access(name, F_OK))
        path = place_of(name);
    bool known = path && !access(path, F_OK);
    if (path && !known) {
        free(path);
        return base_fail(st,
                         "%s: no such file, and no platform of this name; expected a file, rae-table1, or a "
                         "name with sizes, such as rae-mesh:8x8, mesh:8x8, torus:4x4x2",
                         name);
    }
    int status = platform_load(out, known ? path : name, s, st);
    free(path);
    return status;
}
