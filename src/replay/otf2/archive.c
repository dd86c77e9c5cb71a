/* SPDX-License-Identifier: BSD-3-Clause */
/* archive: opens an archive, and reads its locations one after the other. */
#include "replay/otf2/reader.h"

#include <stdlib.h>
#include <string.h>

bool replay_otf2_is(const char *head, size_t n)
{
    return n > 6 && !memcmp(head + 1, "BOTF2", 5);
}

/* The first one is reported: it causes the others. */
static OTF2_ErrorCode on_error(void *arg, const char *file, uint64_t line, const char *function,
                               OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct replay_otf2 *x = arg;
    char text[300];
    (void)file, (void)line, (void)function;
    if (x->failed)
        return code;
    vsnprintf(text, sizeof text, format, arguments);
    base_fail(x->st, "%s: %s (%s)", x->path, x->lib->Error_GetDescription(code), text);
    x->failed = true;
    return code;
}

/* The processes of the ranks' locations. */
static void find_processes(const struct replay_otf2 *x, struct base_table *processes)
{
    base_table_init(processes, BASE_NUMBERS, sizeof(uint32_t), "processes of a trace");
    for (size_t k = 0; k < x->locations.n; k++) {
        const struct replay_otf2_location *l = &x->locations.at[k];
        const uint32_t *rank = base_table_find(&x->ranks_of, l->location);
        if (rank)
            *(uint32_t *)base_table_add(processes, l->process, NULL) = *rank;
    }
}

/* Local definitions say what the numbers of a location mean in the whole archive. */
static void read_local(const struct replay_otf2 *x, OTF2_LocationRef location)
{
    uint64_t n;
    OTF2_DefReader *reader = x->lib->Reader_GetDefReader(x->reader, location);
    if (!reader)
        return;
    x->lib->Reader_ReadAllLocalDefinitions(x->reader, reader, &n);
    x->lib->Reader_CloseDefReader(x->reader, reader);
}

static int read_locations(struct replay_otf2 *x)
{
    struct base_table processes;
    int rc = 0;
    bool local = x->lib->Reader_OpenDefFiles(x->reader) == OTF2_SUCCESS;
    if (x->lib->Reader_OpenEvtFiles(x->reader) != OTF2_SUCCESS)
        return -1;
    find_processes(x, &processes);
    for (size_t k = 0; k < x->locations.n && !rc; k++) {
        const struct replay_otf2_location *l = &x->locations.at[k];
        const uint32_t *rank = base_table_find(&x->ranks_of, l->location);
        const uint32_t *process = l->thread ? base_table_find(&processes, l->process) : NULL;
        if (!rank && !process)
            continue;
        if (local)
            read_local(x, l->location);
        rc = replay_otf2_events(x, l->location, rank ? *rank : *process, !rank);
    }
    base_table_release(&processes);
    if (local)
        x->lib->Reader_CloseDefFiles(x->reader);
    x->lib->Reader_CloseEvtFiles(x->reader);
    return rc;
}

/* Locations are told to the library before their files are opened. */
static int read_all(struct replay_otf2 *x, uint32_t ranks)
{
    char *creator = NULL;
    if (replay_otf2_definitions(x))
        return -1;
    if (ranks && ranks != x->ranks)
        return base_fail(x->st, "%s: the archive has %u ranks; expected %u", x->path, x->ranks, ranks);
    if (x->lib->Reader_GetCreator(x->reader, &creator) == OTF2_SUCCESS && creator)
        x->multiplied = !strncmp(creator, "Score-P", 7);
    free(creator);
    for (size_t k = 0; k < x->locations.n; k++)
        x->lib->Reader_SelectLocation(x->reader, x->locations.at[k].location);
    replay_tape_ranks_least(x->tape, x->ranks);
    return read_locations(x);
}

struct replay_tape *replay_otf2_read(const char *path, uint32_t ranks, struct base_status *st)
{
    struct replay_otf2 x = {.path = path, .st = st, .lib = replay_otf2_library(st)};
    struct replay_tape *made = NULL;
    if (!x.lib)
        return NULL;
    *st = (struct base_status){""};
    x.lib->Error_RegisterCallback(on_error, &x);
    x.reader = x.lib->Reader_Open(path);
    if (x.reader) {
        x.tape = replay_tape_create();
        x.lib->Reader_SetSerialCollectiveCallbacks(x.reader);
        if (!read_all(&x, ranks))
            made = replay_otf2_sized(&x);
        else if (!*st->text)
            base_fail(st, "%s: OTF2's library cannot read the archive", path);
        replay_tape_destroy(x.tape);
        replay_otf2_release(&x);
        x.lib->Reader_Close(x.reader);
    } else if (!*st->text) {
        base_fail(st, "%s: OTF2's library cannot open the archive", path);
    }
    x.lib->Error_RegisterCallback(NULL, NULL);
    return made;
}
