/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a topology file of the S-DSM, for a number of processes that the first byte says: one message,
 * or each process has a role, and each client a server. */
#include "sdsm/internal.h"

#include <sys/mman.h>
#include <unistd.h>

#include "sdsm_alone.h"

enum { MOST = 8 };

struct input {
    char path[64];
    struct sat_process all[MOST];
    int np;
};

static void read_file(void *ctx)
{
    struct input *in = ctx;
    sat_topology_read_file(in->path, in->all, in->np);
}

static void check(const struct sat_process *all, int np)
{
    for (int k = 0; k < np; k++) {
        const struct sat_process *p = &all[k];
        if (!p->named || p->role < 0 || (k == 0 && p->role))
            abort();
        if (p->role && (p->server < 0 || p->server >= np || all[p->server].role))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {.np = size ? 1 + data[0] % MOST : 1};
    int fd = memfd_create("topology", 0);
    if (fd < 0 || (size > 1 && write(fd, data + 1, size - 1) != (ssize_t)size - 1))
        abort();
    snprintf(in.path, sizeof in.path, "/proc/self/fd/%d", fd);
    if (!sdsm_fails(read_file, &in))
        check(in.all, in.np);
    close(fd);
    return 0;
}
