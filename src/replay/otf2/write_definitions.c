/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write_definitions: what an archive defines for all its locations, written at the end: clock, strings, locations, regions,
 * groups and communicators. What others refer to comes before them.
 */
#include "replay/otf2/write.h"

#include <stdlib.h>
#include <string.h>

enum { LOCATIONS, GROUPS }; /* groups: all locations, then those of communicators */
enum { MACHINE };           /* nodes of the system's tree */
#define TICKS UINT64_C(1000000000000)

struct definitions {
    const struct replay_otf2_library *lib;
    const struct replay_otf2_writer *of;
    OTF2_GlobalDefWriter *w;
    OTF2_StringRef strings;
    OTF2_StringRef none;
};

static OTF2_StringRef add_string(struct definitions *d, const char *text)
{
    d->lib->GlobalDefWriter_WriteString(d->w, d->strings, text);
    return d->strings++;
}

static void define_location(struct definitions *d, uint32_t rank)
{
    char text[32];
    snprintf(text, sizeof text, "rank %u", rank);
    OTF2_StringRef name = add_string(d, text);
    d->lib->GlobalDefWriter_WriteLocationGroup(d->w, rank, name, OTF2_LOCATION_GROUP_TYPE_PROCESS, MACHINE,
                                               OTF2_UNDEFINED_LOCATION_GROUP);
    d->lib->GlobalDefWriter_WriteLocation(d->w, rank, name, OTF2_LOCATION_TYPE_CPU_THREAD, d->of->count[rank],
                                          rank);
}

static void define_regions(struct definitions *d)
{
    for (uint32_t k = 0; k < d->of->regions.n; k++) {
        const struct replay_otf2_place *p = &d->of->regions.at[k];
        OTF2_StringRef name = add_string(d, p->name);
        OTF2_Paradigm paradigm = p->code                            ? OTF2_PARADIGM_USER
                                 : strncmp(p->name, "MPI_", 4) != 0 ? OTF2_PARADIGM_SHMEM
                                                                    : OTF2_PARADIGM_MPI;
        d->lib->GlobalDefWriter_WriteRegion(d->w, k, name, name, d->none,
                                            p->code ? OTF2_REGION_ROLE_CODE : OTF2_REGION_ROLE_FUNCTION,
                                            paradigm, OTF2_REGION_FLAG_NONE, d->none, 0, 0);
    }
}

/* Its members, as places among the locations. */
static void define_comm(struct definitions *d, uint32_t number, const uint32_t *rank, uint32_t n)
{
    char text[32];
    uint64_t *member = base_alloc((n + (size_t)1) * sizeof *member, "members of a group");
    for (uint32_t k = 0; k < n; k++)
        member[k] = rank ? rank[k] : k;
    snprintf(text, sizeof text, number ? "part %u" : "MPI_COMM_WORLD", number);
    OTF2_StringRef name = add_string(d, text);
    d->lib->GlobalDefWriter_WriteGroup(d->w, GROUPS + number, name, OTF2_GROUP_TYPE_COMM_GROUP,
                                       OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, member);
    d->lib->GlobalDefWriter_WriteComm(d->w, number, name, GROUPS + number, number ? 0 : OTF2_UNDEFINED_COMM,
                                      OTF2_COMM_FLAG_NONE);
    free(member);
}

static void define_comms(struct definitions *d)
{
    uint32_t ranks = d->of->ranks, groups = replay_tape_groups(d->of->groups);
    uint64_t *member = base_alloc((ranks + (size_t)1) * sizeof *member, "members of a group");
    for (uint32_t k = 0; k < ranks; k++)
        member[k] = k;
    d->lib->GlobalDefWriter_WriteGroup(d->w, LOCATIONS, d->none, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                       OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, member);
    free(member);
    define_comm(d, 0, NULL, ranks);
    for (uint32_t number = 1; number <= groups; number++) {
        const struct replay_group *g = replay_tape_group_at(d->of->groups, number);
        define_comm(d, number, g->rank, g->n);
    }
}

/* Readers look for a file of local definitions of each location; an empty one will do. */
static void leave_empty(const struct replay_otf2_writer *x)
{
    x->lib->Archive_OpenDefFiles(x->archive);
    for (uint32_t rank = 0; rank < x->ranks; rank++) {
        OTF2_DefWriter *w = x->lib->Archive_GetDefWriter(x->archive, rank);
        if (w)
            x->lib->Archive_CloseDefWriter(x->archive, w);
    }
    x->lib->Archive_CloseDefFiles(x->archive);
}

void replay_otf2_write_definitions(struct replay_otf2_writer *x)
{
    struct definitions d = {.lib = x->lib, .of = x, .w = x->lib->Archive_GetGlobalDefWriter(x->archive)};
    if (!d.w)
        return;
    x->lib->GlobalDefWriter_WriteClockProperties(d.w, TICKS, 0, x->last + 1, OTF2_UNDEFINED_TIMESTAMP);
    d.none = add_string(&d, "");
    x->lib->GlobalDefWriter_WriteParadigm(d.w, OTF2_PARADIGM_MPI, add_string(&d, "MPI"),
                                          OTF2_PARADIGM_CLASS_PROCESS);
    OTF2_StringRef machine = add_string(&d, "a real machine"), class = add_string(&d, "machine");
    x->lib->GlobalDefWriter_WriteSystemTreeNode(d.w, MACHINE, machine, class,
                                                OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t rank = 0; rank < x->ranks; rank++)
        define_location(&d, rank);
    define_regions(&d);
    define_comms(&d);
    leave_empty(x);
}
