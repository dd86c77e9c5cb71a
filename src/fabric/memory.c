/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: the bandwidth that the cores of a host have together, where the platform says it (decision 0045): one resource
 * of the host, which computations, copies and messages between its ranks share. Their weight is the memory that a unit of
 * them moves, so that shares are max-min fair in bytes a second: what needs less than a share has all that it needs.
 */
#include "fabric/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- parameters ------------------------------------------------------------------------------------------- */

static int read_bandwidth(const struct base_settings *s, const char *key, double *out, struct base_status *st)
{
    struct base_number x = {0};
    const char *text = base_settings_text(s, key);
    if (strcmp(text, "none") != 0 && base_parse_range(BASE_BANDWIDTH, BASE_BANDWIDTHS, text, &x, NULL))
        return base_fail(st, "setting %s: '%.80s'; expected none, or %s", key, text, BASE_BANDWIDTHS);
    *out = x.number;
    return 0;
}

int fabric_memory_read(struct fabric_memory *m, const struct base_settings *s, struct base_status *st)
{
    *m = (struct fabric_memory){.copy = base_settings_number(s, "local/copy-traffic"),
                                .message = base_settings_number(s, "local/message-traffic"),
                                .intensity = base_settings_number(s, "local/memory-intensity")};
    return read_bandwidth(s, "local/memory-bandwidth", &m->bandwidth, st) ||
                   read_bandwidth(s, "local/core-bandwidth", &m->core, st)
               ? -1
               : 0;
}

/* --- resources -------------------------------------------------------------------------------------------- */

void fabric_memories_begin(struct fabric *f)
{
    for (uint32_t h = 0; h < f->hosts; h++) {
        const struct fabric_memory *m = &fabric_model_at(f, h)->memory;
        if (!(m->bandwidth > 0))
            continue;
        if (!f->memory)
            f->memory = base_zalloc(f->hosts * sizeof *f->memory, "memories of hosts");
        f->memory[h] = fluid_resource_add(f->fluid, m->bandwidth, FLUID_SHARED);
    }
}

void fabric_memories_release(struct fabric *f)
{
    free(f->memory);
}

bool fabric_host_has_memory(const struct fabric *f, uint32_t host)
{
    return fabric_memory_at(f, host) != NULL;
}

/* --- what moves how much ---------------------------------------------------------------------------------- */

struct fabric_computation fabric_computation_of(const struct fabric *f, uint32_t host, double flops,
                                                struct fabric_traffic t)
{
    const struct fabric_memory *m = fabric_memory_at(f, host);
    struct fabric_computation c = {.flops = flops};
    if (!m)
        return c;
    if (!(t.moved > 0) && !(t.copied > 0))
        t.moved = flops > 0 ? m->intensity * flops : 0;
    c.bytes = t.moved + m->copy * t.copied;
    c.least = t.moved / (m->core > 0 ? m->core : m->bandwidth) +
              t.copied * fabric_model_at(f, host)->local_per_byte;
    return c;
}

/* A copy that is short stays in the core's caches. */
bool fabric_copy_shares(const struct fabric *f, uint32_t host, uint64_t bytes)
{
    return BASE_UNLIKELY(f->memory != NULL) && fabric_memory_at(f, host) &&
           bytes > fabric_model_at(f, host)->buffered_limit;
}

double fabric_message_traffic(const struct fabric *f, uint32_t from, uint32_t to)
{
    const struct fabric_memory *m = from == to ? fabric_memory_at(f, from) : NULL;
    return m ? m->message : 0;
}
