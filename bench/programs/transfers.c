/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A million transfers of 1 KiB between 1 024 pairs of hosts, each pair one after the other, without a program
 * and without a list: prints `name count cpu_seconds`. Hosts of a flat cluster without backbone, SimGrid's
 * model LV08.
 */
#include "fabric/fabric.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { PAIRS = 1024, EACH = 1000, BYTES = 1024 };

static const char cluster[] =
    "<?xml version='1.0'?><platform version='4.1'><cluster id='c' prefix='node-' suffix='' "
    "radical='0-2047' speed='1Gf' bw='10Gbps' lat='1us'/></platform>";
static unsigned left[PAIRS];

static void next(struct fabric *f, void *arg, enum fabric_outcome how)
{
    struct base_status st;
    uint32_t pair = (uint32_t)(uintptr_t)arg;
    if (how != FABRIC_DONE || !left[pair]--)
        return;
    if (!fabric_transfer_start(f, 2 * pair, 2 * pair + 1, BYTES, INFINITY, next, arg, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
    struct base_status st;
    struct platform *p;
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, fabric_settings, fabric_settings_count);
    if (base_settings_set(s, "network/model", "LV08", BASE_FROM_COMMAND, &st) ||
        platform_load_text(&p, cluster, strlen(cluster), "cluster", s, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    struct engine *e = engine_create(&(struct engine_config){.max_actors = 1, .stack_size = 16 << 10});
    struct fluid *fluid = fluid_create(e);
    struct fabric *f = fabric_create(e, fluid, p, s);
    double start = cpu_seconds();
    for (uintptr_t pair = 0; pair < PAIRS; pair++) {
        left[pair] = EACH;
        next(f, (void *)pair, FABRIC_DONE);
    }
    engine_run(e);
    printf("transfers-1024 %d %.6f\n", PAIRS * EACH, cpu_seconds() - start);
}
