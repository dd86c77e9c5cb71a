/* SPDX-License-Identifier: BSD-3-Clause */
/* cli_settings: one table of all modules' settings. */
#include "cli/command.h"

#include "shmem/shmem_front.h"

const char *const cli_not_settings[] = {
    "PGASIM_CC", "PGASIM_CXX", /* compilers of the wrappers */
    "PGASIM_ALONE",            /* set by a program that starts itself again under `pgasim run` */
    NULL};

struct base_settings *cli_settings_create(void)
{
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, fabric_settings, fabric_settings_count);
    base_settings_declare(s, fold_settings, fold_settings_count);
    base_settings_declare(s, coll_settings, coll_settings_count);
    base_settings_declare(s, shmem_settings, shmem_settings_count);
    return s;
}
