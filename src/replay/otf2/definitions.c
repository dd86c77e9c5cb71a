/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * definitions: locations, regions, communicators. The ranks are the locations that communicate by MPI, or, where there
 * are none, by another library, in the order of their group.
 */
#include "replay/otf2/reader.h"

#include "p2p/p2p.h"

#include <stdlib.h>
#include <string.h>

static const OTF2_Paradigm libraries[] = {OTF2_PARADIGM_MPI, OTF2_PARADIGM_SHMEM, OTF2_PARADIGM_GASPI,
                                          OTF2_PARADIGM_UPC};

static bool is_library(OTF2_Paradigm p)
{
    for (size_t k = 0; k < BASE_LENGTH(libraries); k++)
        if (libraries[k] == p)
            return true;
    return false;
}

const char *replay_otf2_string(const struct replay_otf2 *x, uint32_t string)
{
    char *const *text = base_table_find(&x->strings, string);
    return text ? *text : "";
}

/* --- what the library tells ----------------------------------------------------------------------------------- */

static OTF2_CallbackCode on_clock(void *arg, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t date)
{
    (void)offset, (void)length, (void)date;
    ((struct replay_otf2 *)arg)->second = (double)resolution;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *arg, OTF2_StringRef self, const char *text)
{
    bool fresh;
    char **at = base_table_add(&((struct replay_otf2 *)arg)->strings, self, &fresh);
    if (fresh)
        *at = base_strdup(text);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *arg, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events, OTF2_LocationGroupRef process)
{
    struct replay_otf2 *x = arg;
    (void)name, (void)events;
    const struct replay_otf2_location l = {self, process, type == OTF2_LOCATION_TYPE_CPU_THREAD};
    BASE_ARRAY_PUSH(&x->locations, l);
    return OTF2_CALLBACK_SUCCESS;
}

static enum replay_otf2_region region_of(const char *name, OTF2_Paradigm paradigm)
{
    static const struct {
        const char *name;
        enum replay_otf2_region region;
    } known[] = {{"MPI_Init", REPLAY_OTF2_INIT},
                 {"MPI_Init_thread", REPLAY_OTF2_INIT},
                 {"MPI_Finalize", REPLAY_OTF2_FINALIZE},
                 {"MPI_Sendrecv", REPLAY_OTF2_EXCHANGE},
                 {"MPI_Sendrecv_replace", REPLAY_OTF2_EXCHANGE},
                 {"MPI_Isend", REPLAY_OTF2_STARTS},
                 {"MPI_Ibsend", REPLAY_OTF2_STARTS},
                 {"MPI_Issend", REPLAY_OTF2_STARTS},
                 {"MPI_Irsend", REPLAY_OTF2_STARTS},
                 {"MPI_Start", REPLAY_OTF2_STARTS},
                 {"MPI_Startall", REPLAY_OTF2_STARTS}};
    if (!is_library(paradigm))
        return REPLAY_OTF2_CODE;
    for (size_t k = 0; k < BASE_LENGTH(known); k++)
        if (!strcmp(known[k].name, name))
            return known[k].region;
    return REPLAY_OTF2_CALL;
}

/* How sends in a region of this name are done. */
static enum p2p_sending mode_of(const char *name)
{
    if (!strcmp(name, "MPI_Ssend") || !strcmp(name, "MPI_Issend"))
        return P2P_SYNCHRONOUS;
    return !strcmp(name, "MPI_Bsend") || !strcmp(name, "MPI_Ibsend") ? P2P_BUFFERED : P2P_STANDARD;
}

static OTF2_CallbackCode on_region(void *arg, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description, OTF2_RegionRole role,
                                   OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file,
                                   uint32_t begin, uint32_t end)
{
    struct replay_otf2 *x = arg;
    (void)canonical, (void)description, (void)role, (void)flags, (void)file, (void)begin, (void)end;
    const char *text = replay_otf2_string(x, name);
    *(uint64_t *)base_table_add(&x->regions, self, NULL) =
        region_of(text, paradigm) | (uint64_t)mode_of(text) << REPLAY_OTF2_MODE;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *arg, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
                                  OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t n,
                                  const uint64_t *member)
{
    struct replay_otf2 *x = arg;
    bool fresh;
    (void)name;
    struct replay_otf2_group *g = base_table_add(&x->groups, self, &fresh);
    if (!fresh)
        return OTF2_CALLBACK_SUCCESS;
    *g = (struct replay_otf2_group){type, paradigm, (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0, n, NULL};
    g->member = base_alloc(((size_t)n + 1) * sizeof *member, "a group of a trace");
    if (n)
        memcpy(g->member, member, n * sizeof *member);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *arg, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                 OTF2_CommRef parent, OTF2_CommFlag flags)
{
    (void)name, (void)parent, (void)flags;
    *(uint64_t *)base_table_add(&((struct replay_otf2 *)arg)->comms, self, NULL) = group;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_win(void *arg, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm,
                                OTF2_RmaWinFlag flags)
{
    struct replay_otf2 *x = arg;
    (void)flags;
    *(struct replay_otf2_win *)base_table_add(&x->wins, self, NULL) =
        (struct replay_otf2_win){comm, !strcmp(replay_otf2_string(x, name), "messages of collectives")};
    return OTF2_CALLBACK_SUCCESS;
}

/* --- what follows from it --------------------------------------------------------------------------------------- */

static const struct replay_otf2_group *locations_of(const struct replay_otf2 *x, OTF2_Paradigm paradigm)
{
    struct replay_otf2_group *g;
    for (uint32_t at = 0; (g = base_table_next(&x->groups, &at));)
        if (g->type == OTF2_GROUP_TYPE_COMM_LOCATIONS && g->paradigm == paradigm && g->n)
            return g;
    return NULL;
}

static int find_ranks(struct replay_otf2 *x)
{
    const struct replay_otf2_group *g = NULL;
    for (size_t k = 0; k < BASE_LENGTH(libraries) && !g; k++)
        g = locations_of(x, libraries[k]);
    if (!g)
        return base_fail(x->st,
                         "%s: the archive defines no group of locations that communicate: it has no ranks",
                         x->path);
    x->ranks = g->n;
    for (uint32_t k = 0; k < g->n; k++)
        *(uint32_t *)base_table_add(&x->ranks_of, g->member[k], NULL) = k;
    return 0;
}

/* Its members as ranks; false: some are none. */
static bool resolve(const struct replay_otf2 *x, const struct replay_otf2_group *g,
                    struct replay_otf2_comm *out)
{
    const struct replay_otf2_group *all = locations_of(x, g->paradigm);
    *out = (struct replay_otf2_comm){
        .n = g->n, .self = g->type == OTF2_GROUP_TYPE_COMM_SELF, .world = g->n == x->ranks};
    out->rank = base_alloc(((size_t)g->n + 1) * sizeof *out->rank, "a communicator of a trace");
    if (!out->self && (!all || !is_library(g->paradigm) || g->n > x->ranks))
        return false;
    for (uint32_t k = 0; k < g->n; k++) {
        bool location = g->global || g->type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
        if (!location && !out->self && g->member[k] >= all->n)
            return false;
        const uint32_t *rank =
            out->self ? NULL
                      : base_table_find(&x->ranks_of, location ? g->member[k] : all->member[g->member[k]]);
        if (!rank && !out->self)
            return false;
        out->rank[k] = rank ? *rank : 0;
        out->world = out->world && out->rank[k] == k;
    }
    return out->self || g->n;
}

/* From groups to members; what is no communicator of ranks, is forgotten. */
static void resolve_comms(struct replay_otf2 *x)
{
    uint64_t *of;
    for (uint32_t at = 0; (of = base_table_next(&x->comms, &at));) {
        const struct replay_otf2_group *g = base_table_find(&x->groups, *of);
        struct replay_otf2_comm c = {0};
        *of = 0;
        if (g && resolve(x, g, &c)) {
            BASE_ARRAY_PUSH(&x->comm, c);
            *of = x->comm.n;
        } else {
            free(c.rank);
        }
    }
}

struct replay_otf2_comm *replay_otf2_comm(struct replay_otf2 *x, OTF2_CommRef comm)
{
    const uint64_t *place = base_table_find(&x->comms, comm);
    return place && *place ? &x->comm.at[*place - 1] : NULL;
}

static OTF2_GlobalDefReaderCallbacks *callbacks(const struct replay_otf2_library *lib)
{
    OTF2_GlobalDefReaderCallbacks *c = lib->GlobalDefReaderCallbacks_New();
    lib->GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, on_clock);
    lib->GlobalDefReaderCallbacks_SetStringCallback(c, on_string);
    lib->GlobalDefReaderCallbacks_SetLocationCallback(c, on_location);
    lib->GlobalDefReaderCallbacks_SetRegionCallback(c, on_region);
    lib->GlobalDefReaderCallbacks_SetGroupCallback(c, on_group);
    lib->GlobalDefReaderCallbacks_SetCommCallback(c, on_comm);
    lib->GlobalDefReaderCallbacks_SetRmaWinCallback(c, on_win);
    return c;
}

int replay_otf2_definitions(struct replay_otf2 *x)
{
    const struct replay_otf2_library *lib = x->lib;
    uint64_t n;
    base_table_init(&x->strings, BASE_NUMBERS, sizeof(char *), "names of a trace");
    base_table_init(&x->regions, BASE_NUMBERS, sizeof(uint64_t), "regions of a trace");
    base_table_init(&x->groups, BASE_NUMBERS, sizeof(struct replay_otf2_group), "groups of a trace");
    base_table_init(&x->comms, BASE_NUMBERS, sizeof(uint64_t), "communicators of a trace");
    base_table_init(&x->wins, BASE_NUMBERS, sizeof(struct replay_otf2_win), "windows of a trace");
    base_table_init(&x->ranks_of, BASE_NUMBERS, sizeof(uint32_t), "locations of a trace");
    OTF2_GlobalDefReader *reader = lib->Reader_GetGlobalDefReader(x->reader);
    if (!reader)
        return -1;
    OTF2_GlobalDefReaderCallbacks *c = callbacks(lib);
    lib->Reader_RegisterGlobalDefCallbacks(x->reader, reader, c, x);
    lib->GlobalDefReaderCallbacks_Delete(c);
    OTF2_ErrorCode rc = lib->Reader_ReadAllGlobalDefinitions(x->reader, reader, &n);
    lib->Reader_CloseGlobalDefReader(x->reader, reader);
    if (rc != OTF2_SUCCESS)
        return -1;
    if (!(x->second > 0))
        return base_fail(x->st, "%s: the archive does not say how fast its clock is", x->path);
    if (find_ranks(x))
        return -1;
    resolve_comms(x);
    return 0;
}

void replay_otf2_release(struct replay_otf2 *x)
{
    char **text;
    struct replay_otf2_group *g;
    for (uint32_t at = 0; (text = base_table_next(&x->strings, &at));)
        free(*text);
    for (uint32_t at = 0; (g = base_table_next(&x->groups, &at));)
        free(g->member);
    for (size_t k = 0; k < x->comm.n; k++) {
        free(x->comm.at[k].rank);
        free(x->comm.at[k].volume.at);
    }
    base_table_release(&x->strings);
    base_table_release(&x->regions);
    base_table_release(&x->groups);
    base_table_release(&x->comms);
    base_table_release(&x->wins);
    base_table_release(&x->ranks_of);
    free(x->locations.at);
    free(x->comm.at);
}
