/* SPDX-License-Identifier: BSD-3-Clause */
/* A platform as code, which does what HOW says. */
#include "pgasim.h"
#include <stdlib.h>
#include <string.h>
int pgasim_platform(struct pgasim_platform *p)
{
    const char *how = getenv("HOW") ? getenv("HOW") : "";
    struct pgasim_zone *z = pgasim_zone_add(p, NULL, "z", PGASIM_FULL);
    pgasim_host_add(z, &(struct pgasim_host){.name = "a", .speed = 1e9});
    if (!strcmp(how, "crash"))
        *(volatile int *)0 = 1;
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "exit"))
        exit(0);
    if (!strcmp(how, "null"))
        pgasim_host_add(NULL, &(struct pgasim_host){.name = "b", .speed = 1e9});
    if (!strcmp(how, "again"))
        pgasim_host_add(z, &(struct pgasim_host){.name = "a", .speed = 1e9});
    if (!strcmp(how, "speed"))
        pgasim_host_add(z, &(struct pgasim_host){.name = "c", .speed = -1e308});
    return !strcmp(how, "fails");
}
