/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_check: misuse of collectives that a real machine does not see, and names for its reports. */
#include "shmem/collective.h"
#include "shmem/team.h"

static void name_group(struct rank *r, const struct coll_group *g, char *buf, size_t size)
{
    char name[SHMEM_TEAM_NAME_SIZE];
    snprintf(buf, size, "%s", shmem_team_name(shmem_pe_known(r), shmem_team_handle(g->id), name));
}

static void name_object(struct rank *r, uintptr_t address, char *buf, size_t size)
{
    shmem_object_name(shmem_pe_known(r), address, buf, size);
}

static void check_room(struct rank *r, uintptr_t address, size_t bytes, const char *call)
{
    shmem_check_symmetric(shmem_pe_known(r), (const void *)address, bytes, call);
}

const struct coll_names shmem_coll_names = {name_group, name_object};
const struct coll_put_hooks shmem_coll_hooks = {rma_deliver, rma_touched, check_room};

void shmem_check_overlap(const struct shmem_pe *self, const struct shmem_buffers *b, const char *call)
{
    uintptr_t dest = (uintptr_t)b->dest, source = (uintptr_t)b->source;
    if (BASE_LIKELY(dest >= source + b->source_bytes || source >= dest + b->dest_bytes))
        return;
    if (dest == source && b->in_place)
        return;
    if (base_warn_again("misuse/overlap"))
        return;
    char dest_name[256], source_name[256];
    shmem_object_name(self, dest, dest_name, sizeof dest_name);
    shmem_object_name(self, source, source_name, sizeof source_name);
    base_warn("misuse/overlap", "%s: dest, %zu bytes at %s, and source, %zu bytes at %s, overlap", call,
              b->dest_bytes, dest_name, b->source_bytes, source_name);
}

static void warn_unfinished(void *arg, const char *call, const char *text)
{
    (void)arg;
    base_warn("misuse/collective-unfinished", "%s: %s, and never will", call, text);
}

void shmem_check_unfinished(const struct shmem_pe *self)
{
    if (!self->job->world.id) /* else other worlds may be in the middle of theirs */
        coll_unfinished(self->job->job, warn_unfinished, NULL);
    shmem_teams_check(self->job);
}
