/* SPDX-License-Identifier: BSD-3-Clause */
/* settings: one table of all modules' settings. */
#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "clocks/clocks.h"
#include "fold/fold.h"
#include "mpi/mpi_front.h"
#include "noise/noise.h"
#include "replay/replay.h"
#include "riscv/riscv.h"
#include "shmem/shmem_front.h"
#include "storage/storage.h"

const char *const cli_not_settings[] = {"PGASIM_CC",
                                        "PGASIM_CXX",
                                        "PGASIM_FC",
                                        "PGASIM_RISCV_CC", /* compilers of the wrappers */
                                        "PGASIM_CHECK",    /* cli/cc/check.c */
                                        "PGASIM_STOP_AT",  /* stop.c */
                                        "PGASIM_RECORD",   /* of `pgasim record`'s library */
                                        NULL};

struct base_settings *cli_settings_create(void)
{
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, platform_settings, platform_settings_count);
    base_settings_declare(s, energy_settings, energy_settings_count);
    base_settings_declare(s, noise_settings, noise_settings_count);
    base_settings_declare(s, fabric_settings, fabric_settings_count);
    base_settings_declare(s, node_settings, node_settings_count);
    base_settings_declare(s, fabric_message_settings, fabric_message_settings_count);
    base_settings_declare(s, rank_setting_table, rank_setting_count);
    base_settings_declare(s, clocks_settings, clocks_settings_count);
    base_settings_declare(s, storage_settings, storage_settings_count);
    base_settings_declare(s, fold_settings, fold_settings_count);
    base_settings_declare(s, coll_settings, coll_settings_count);
    base_settings_declare(s, shmem_settings, shmem_settings_count);
    base_settings_declare(s, mpi_settings, mpi_settings_count);
    base_settings_declare(s, riscv_settings, riscv_settings_count);
    base_settings_declare(s, replay_settings, replay_settings_count);
    check_settings_declare(s);
    return s;
}

int cli_settings_assign(struct base_settings *s, const char *text, struct base_status *st)
{
    size_t n = strcspn(text, "=");
    if (!text[n])
        n = strcspn(text, ":");
    if (!text[n])
        return base_fail(st, "'%s': expected KEY=VALUE or KEY:VALUE", text);
    char *key = base_strfmt("%.*s", (int)n, text);
    int rc = platform_configure(s, key, text + n + 1, BASE_FROM_COMMAND, st);
    free(key);
    return rc;
}
