/* SPDX-License-Identifier: BSD-3-Clause */
/* socket: on which socket a rank is, where Linux tells: if all processors that it may use are of one. */
#define _GNU_SOURCE
#include "calibrate.h"

#ifdef __linux__
#include <sched.h>

/* The package of a processor; -1: not known. */
static int package_of(int processor)
{
    char path[80];
    int package = -1;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", processor);
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    if (fscanf(f, "%d", &package) != 1)
        package = -1;
    fclose(f);
    return package;
}

int bench_socket(void)
{
    cpu_set_t mine;
    int socket = -1;
    if (sched_getaffinity(0, sizeof mine, &mine))
        return -1;
    for (int k = 0; k < CPU_SETSIZE; k++) {
        if (!CPU_ISSET(k, &mine))
            continue;
        int package = package_of(k);
        if (package < 0 || (socket >= 0 && package != socket))
            return -1;
        socket = package;
    }
    return socket;
}
#else
int bench_socket(void)
{
    return -1;
}
#endif
