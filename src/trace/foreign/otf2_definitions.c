/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * otf2_definitions: what an archive defines for all its locations: clock, strings, the tree of the platform,
 * locations, regions, the communicator with its two windows, metrics. Written once, at the close. Each
 * definition comes before those that refer to it, as readers need it.
 */
#include "trace/foreign/otf2.h"

#include <stdlib.h>

enum { GROUP_LOCATIONS, GROUP_RANKS };
enum { MEMBER_BYTES, MEMBER_THREADS, MEMBER_ENERGY, MEMBER_DISKS };

struct definitions {
    const struct otf2_library *lib;
    OTF2_GlobalDefWriter *w;
    OTF2_Archive *archive;
    const struct trace_foreign *f;
    const struct otf2_facts *facts;
    OTF2_StringRef strings;       /* so far */
    OTF2_SystemTreeNodeRef nodes; /* the same */
    OTF2_SystemTreeNodeRef *node; /* by thing (struct otf2_facts): its node, or 0 */
};

/* --- strings ------------------------------------------------------------------------------------------- */

/* The format requires UTF-8. Each byte that is not becomes '?'. */
static OTF2_StringRef add_string(struct definitions *d, const char *text)
{
    char *clean = base_strdup(text);
    for (char *p = clean; *p;) {
        unsigned bytes = base_utf8(p);
        if (!bytes)
            *p = '?';
        p += bytes ? bytes : 1;
    }
    d->lib->GlobalDefWriter_WriteString(d->w, d->strings, clean);
    free(clean);
    return d->strings++;
}

/* The names come first, under their own numbers. */
static void define_names(struct definitions *d)
{
    char buf[512];
    for (size_t k = 0; k < d->f->names.name.n; k++)
        add_string(d, trace_name_show(&d->f->names.name.at[k], buf, sizeof buf));
}

/* --- the platform -------------------------------------------------------------------------------------- */

static OTF2_SystemTreeNodeRef add_node(struct definitions *d, const char *name, OTF2_StringRef class)
{
    OTF2_StringRef string = add_string(d, name);
    d->lib->GlobalDefWriter_WriteSystemTreeNode(d->w, d->nodes, string, class,
                                                d->nodes ? 0 : OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    return d->nodes++;
}

/* Hosts without ranks, joules and disks, and links without loads, are left out. */
static void define_platform(struct definitions *d)
{
    const struct trace_about *a = d->f->about;
    OTF2_StringRef host = add_string(d, "node"), link = add_string(d, "link");
    add_node(d, a->platform, add_string(d, "platform"));
    for (uint32_t r = 0; r < a->ranks; r++) {
        OTF2_SystemTreeNodeRef *node = &d->node[a->links + a->rank_host[r]];
        if (!*node)
            *node = add_node(d, a->host[a->rank_host[r]].name, host);
    }
    for (uint32_t h = 0; h < a->hosts; h++) {
        const uint32_t *of = &d->facts->instance_of[a->links + h];
        if ((of[a->hosts] || of[2 * a->hosts]) && !d->node[a->links + h])
            d->node[a->links + h] = add_node(d, a->host[h].name, host);
    }
    for (uint32_t l = 0; l < a->links; l++)
        if (d->facts->instance_of[l])
            d->node[l] = add_node(d, a->link[l].name, link);
}

/* --- locations ----------------------------------------------------------------------------------------- */

static void define_location(struct definitions *d, OTF2_LocationRef location, const char *name,
                            OTF2_LocationType type, OTF2_EvtWriter *w, OTF2_LocationGroupRef group)
{
    uint64_t events = 0;
    OTF2_StringRef string = add_string(d, name);
    if (w)
        d->lib->EvtWriter_GetNumberOfEvents(w, &events);
    d->lib->GlobalDefWriter_WriteLocation(d->w, location, string, type, events, group);
}

static void define_thread(struct definitions *d, uint32_t rank, uint32_t thread)
{
    struct trace_lane *l = trace_lanes_find(&d->f->lanes, rank, thread);
    char name[64];
    if (!l && thread)
        return;
    snprintf(name, sizeof name, thread ? "rank %u thread %u" : "rank %u", rank, thread);
    define_location(d, otf2_location(rank, thread), name, OTF2_LOCATION_TYPE_CPU_THREAD, l ? l->of : NULL,
                    rank);
}

/* A rank is a group of locations, under its own number. */
static void define_rank(struct definitions *d, uint32_t rank)
{
    char name[64];
    snprintf(name, sizeof name, "rank %u", rank);
    OTF2_StringRef string = add_string(d, name);
    d->lib->GlobalDefWriter_WriteLocationGroup(d->w, rank, string, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                               d->node[d->f->about->links + d->f->about->rank_host[rank]],
                                               OTF2_UNDEFINED_LOCATION_GROUP);
    size_t threads = d->f->lanes.rank[rank].thread.n;
    for (uint32_t t = 0; t < threads || !t; t++)
        define_thread(d, rank, t);
}

static void define_recorder(struct definitions *d)
{
    uint32_t group = trace_about_room(d->f->about);
    if (!d->facts->loads)
        return;
    OTF2_StringRef string = add_string(d, "hosts and links");
    d->lib->GlobalDefWriter_WriteLocationGroup(d->w, group, string, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                               OTF2_UNDEFINED_LOCATION_GROUP);
    define_location(d, otf2_location(group, 0), "loads", OTF2_LOCATION_TYPE_METRIC, d->facts->loads, group);
}

/* --- regions ------------------------------------------------------------------------------------------- */

static OTF2_RegionRole role_of(enum trace_name_kind kind)
{
    static const OTF2_RegionRole roles[TRACE_NAME_KINDS] = {
        [TRACE_NAME_LIFE] = OTF2_REGION_ROLE_ARTIFICIAL,
        [TRACE_NAME_CALL] = OTF2_REGION_ROLE_RMA,
        [TRACE_NAME_WAIT] = OTF2_REGION_ROLE_TASK_WAIT,
        [TRACE_NAME_COLLECTIVE] = OTF2_REGION_ROLE_COLL_OTHER,
        [TRACE_NAME_COMPUTE] = OTF2_REGION_ROLE_CODE,
        [TRACE_NAME_REGION] = OTF2_REGION_ROLE_CODE,
        [TRACE_NAME_FILE] = OTF2_REGION_ROLE_FILE_IO,
        [TRACE_NAME_STEP] = OTF2_REGION_ROLE_FILE_IO};
    return roles[kind];
}

static bool is_of_library(enum trace_name_kind kind)
{
    return kind == TRACE_NAME_CALL || kind == TRACE_NAME_WAIT || kind == TRACE_NAME_COLLECTIVE;
}

static void define_regions(struct definitions *d)
{
    OTF2_StringRef none = add_string(d, "");
    for (uint32_t k = 0; k < d->facts->name.n; k++) {
        uint32_t name = d->facts->name.at[k];
        enum trace_name_kind kind = d->f->names.name.at[name].kind;
        d->lib->GlobalDefWriter_WriteRegion(d->w, k, name, name, none, role_of(kind),
                                            is_of_library(kind) ? OTF2_PARADIGM_SHMEM : OTF2_PARADIGM_USER,
                                            OTF2_REGION_FLAG_NONE, none, 0, 0);
    }
}

static void define_parameters(struct definitions *d)
{
    OTF2_StringRef mark = add_string(d, "mark"), signal = add_string(d, "signal of operation"),
                   race = add_string(d, "race"), kept = add_string(d, "operation kept back");
    d->lib->GlobalDefWriter_WriteParameter(d->w, OTF2_PARAMETER_MARK, mark, OTF2_PARAMETER_TYPE_STRING);
    d->lib->GlobalDefWriter_WriteParameter(d->w, OTF2_PARAMETER_SIGNAL, signal, OTF2_PARAMETER_TYPE_UINT64);
    d->lib->GlobalDefWriter_WriteParameter(d->w, OTF2_PARAMETER_RACE, race, OTF2_PARAMETER_TYPE_STRING);
    d->lib->GlobalDefWriter_WriteParameter(d->w, OTF2_PARAMETER_KEPT, kept, OTF2_PARAMETER_TYPE_UINT64);
}

/* --- windows ------------------------------------------------------------------------------------------- */

static void define_windows(struct definitions *d)
{
    uint32_t ranks = d->f->about->ranks;
    uint64_t *member = base_alloc(((size_t)ranks + 1) * sizeof *member, "members of a group");
    OTF2_StringRef none = add_string(d, ""), world = add_string(d, "world");
    OTF2_StringRef memory = add_string(d, "symmetric memory"),
                   messages = add_string(d, "messages of collectives");
    for (uint32_t r = 0; r < ranks; r++)
        member[r] = otf2_location(r, 0);
    d->lib->GlobalDefWriter_WriteGroup(d->w, GROUP_LOCATIONS, none, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                       OTF2_PARADIGM_SHMEM, OTF2_GROUP_FLAG_NONE, ranks, member);
    for (uint32_t r = 0; r < ranks; r++)
        member[r] = r;
    d->lib->GlobalDefWriter_WriteGroup(d->w, GROUP_RANKS, world, OTF2_GROUP_TYPE_COMM_GROUP,
                                       OTF2_PARADIGM_SHMEM, OTF2_GROUP_FLAG_NONE, ranks, member);
    d->lib->GlobalDefWriter_WriteComm(d->w, OTF2_COMM_WORLD, world, GROUP_RANKS, OTF2_UNDEFINED_COMM,
                                      OTF2_COMM_FLAG_NONE);
    d->lib->GlobalDefWriter_WriteRmaWin(d->w, OTF2_WIN_MEMORY, memory, OTF2_COMM_WORLD,
                                        OTF2_RMA_WIN_FLAG_NONE);
    d->lib->GlobalDefWriter_WriteRmaWin(d->w, OTF2_WIN_MESSAGES, messages, OTF2_COMM_WORLD,
                                        OTF2_RMA_WIN_FLAG_NONE);
    free(member);
}

/* --- metrics ------------------------------------------------------------------------------------------- */

/* What a class measures: whole numbers of 10^power units. */
struct member {
    OTF2_MetricMemberRef number;
    const char *name, *unit;
    OTF2_MetricMode mode;
    int64_t power;
};

static void define_class(struct definitions *d, OTF2_MetricRef class, const struct member *m)
{
    OTF2_StringRef string = add_string(d, m->name), of = add_string(d, m->unit);
    OTF2_MetricMemberRef member = m->number;
    d->lib->GlobalDefWriter_WriteMetricMember(d->w, member, string, string, OTF2_METRIC_TYPE_OTHER, m->mode,
                                              OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, m->power, of);
    d->lib->GlobalDefWriter_WriteMetricClass(d->w, class, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
                                             OTF2_RECORDER_KIND_ABSTRACT);
}

static void define_metrics(struct definitions *d)
{
    const struct trace_about *a = d->f->about;
    if (!d->facts->loads)
        return;
    define_class(d, OTF2_CLASS_LINK,
                 &(struct member){MEMBER_BYTES, "bytes on their way", "B", OTF2_METRIC_ABSOLUTE_NEXT, 0});
    define_class(d, OTF2_CLASS_HOST,
                 &(struct member){MEMBER_THREADS, "threads that run", "#", OTF2_METRIC_ABSOLUTE_NEXT, 0});
    define_class(d, OTF2_CLASS_ENERGY,
                 &(struct member){MEMBER_ENERGY, "energy", "J", OTF2_METRIC_ACCUMULATED_START, -9});
    define_class(d, OTF2_CLASS_DISKS,
                 &(struct member){MEMBER_DISKS, "bytes of disks", "B", OTF2_METRIC_ACCUMULATED_START, 0});
    for (uint32_t k = 0; k < d->facts->instance.n; k++) {
        uint32_t thing = d->facts->instance.at[k];
        OTF2_MetricRef class = thing < a->links ? OTF2_CLASS_LINK : OTF2_CLASS_HOST;
        for (uint32_t kind = 0; thing >= a->links + a->hosts; kind++) {
            class = kind ? OTF2_CLASS_DISKS : OTF2_CLASS_ENERGY;
            thing -= a->hosts;
        }
        d->lib->GlobalDefWriter_WriteMetricInstance(d->w, OTF2_METRIC_INSTANCES + k, class,
                                                    otf2_location(trace_about_room(a), 0),
                                                    OTF2_SCOPE_SYSTEM_TREE_NODE, d->node[thing]);
    }
}

/* --- files ---------------------------------------------------------------------------------------------- */

/* A handle for each file, whoever opened it: they are open from the beginning. */
static void define_files(struct definitions *d)
{
    if (!d->facts->file.n)
        return;
    OTF2_StringRef name = add_string(d, "files");
    d->lib->GlobalDefWriter_WriteIoParadigm(d->w, 0, name, name, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                            OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL);
    for (uint32_t k = 0; k < d->facts->file.n; k++) {
        OTF2_StringRef path = d->facts->file.at[k];
        d->lib->GlobalDefWriter_WriteIoRegularFile(d->w, k, path, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
        d->lib->GlobalDefWriter_WriteIoHandle(d->w, k, path, k, 0, OTF2_IO_HANDLE_FLAG_PRE_CREATED,
                                              OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
        d->lib->GlobalDefWriter_WriteIoPreCreatedHandleState(d->w, k, OTF2_IO_ACCESS_MODE_READ_WRITE,
                                                             OTF2_IO_STATUS_FLAG_NONE);
    }
}

/* --- all ----------------------------------------------------------------------------------------------- */

/* Readers look for a file of each location, so ranks that a filter left out get one, too. */
static void close_events(struct otf2_archive *a, const struct trace_foreign *f,
                         const struct otf2_facts *facts)
{
    for (uint32_t r = 0; r < f->lanes.ranks; r++)
        for (uint32_t t = 0; !t || t < f->lanes.rank[r].thread.n; t++) {
            const struct trace_lane *l = trace_lanes_find(&f->lanes, r, t);
            OTF2_EvtWriter *w = l ? l->of : NULL;
            if (!l && !t)
                w = a->lib->Archive_GetEvtWriter(a->archive, otf2_location(r, 0));
            if (w)
                a->lib->Archive_CloseEvtWriter(a->archive, w);
        }
    if (facts->loads)
        a->lib->Archive_CloseEvtWriter(a->archive, facts->loads);
    a->lib->Archive_CloseEvtFiles(a->archive);
}

/* Readers look for a file of local definitions, too; an empty one will do. */
static void leave_empty(struct otf2_archive *a, OTF2_LocationRef location)
{
    OTF2_DefWriter *w = a->lib->Archive_GetDefWriter(a->archive, location);
    if (w)
        a->lib->Archive_CloseDefWriter(a->archive, w);
}

static void leave_definitions_empty(struct otf2_archive *a, const struct trace_foreign *f,
                                    const struct otf2_facts *facts)
{
    a->lib->Archive_OpenDefFiles(a->archive);
    for (uint32_t r = 0; r < f->lanes.ranks; r++)
        for (uint32_t t = 0; !t || t < f->lanes.rank[r].thread.n; t++)
            if (!t || f->lanes.rank[r].thread.at[t])
                leave_empty(a, otf2_location(r, t));
    if (facts->loads)
        leave_empty(a, otf2_location(trace_about_room(f->about), 0));
    a->lib->Archive_CloseDefFiles(a->archive);
}

void otf2_definitions_write(struct otf2_archive *a, const struct trace_foreign *f,
                            const struct otf2_facts *facts)
{
    struct definitions d = {.lib = a->lib, .archive = a->archive, .f = f, .facts = facts};
    d.w = a->lib->Archive_GetGlobalDefWriter(a->archive);
    if (!d.w)
        return;
    d.node =
        base_zalloc(((size_t)f->about->links + f->about->hosts + 1) * sizeof *d.node, "a trace's platform");
    a->lib->GlobalDefWriter_WriteClockProperties(d.w, UINT64_C(1000000000000), facts->first,
                                                 facts->last - facts->first + 1, OTF2_UNDEFINED_TIMESTAMP);
    define_names(&d);
    OTF2_StringRef paradigm = add_string(&d, "OpenSHMEM");
    a->lib->GlobalDefWriter_WriteParadigm(d.w, OTF2_PARADIGM_SHMEM, paradigm, OTF2_PARADIGM_CLASS_PROCESS);
    define_platform(&d);
    for (uint32_t r = 0; r < f->about->ranks; r++)
        define_rank(&d, r);
    define_recorder(&d);
    define_regions(&d);
    define_parameters(&d);
    define_windows(&d);
    define_metrics(&d);
    define_files(&d);
    free(d.node);
    close_events(a, f, facts);
    leave_definitions_empty(a, f, facts);
}
