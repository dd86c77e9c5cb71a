/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: what a communication library costs in instructions. The tables have what was measured of Open MPI
 * at the origin; a setting `software/...` overrides each number. An operation for which a library was not
 * measured has the number of its addition.
 *
 * The counts are those of the program's own operations (rma/), also within a host, where the library runs as
 * well. Messages of collectives and of a runtime are not counted.
 */
#include "fabric/parts.h"

#include <string.h>

struct library {
    const char *name;
    uint32_t each[FABRIC_WORKS];
};

/* Open MPI 4.1.4: docs/fabric.md says how it was measured. */
static const struct library libraries[] = {
    {"off", {0}},
    /* OpenSHMEM over UCX, shared memory; the put with its quiet. It has no minimum and no maximum. */
    {"oshmem",
     {[FABRIC_WORK_PUT] = 414,
      [FABRIC_WORK_GET] = 410,
      [FABRIC_WORK_ADD] = 366,
      [FABRIC_WORK_CAS] = 377,
      [FABRIC_WORK_AND] = 373,
      [FABRIC_WORK_OR] = 369,
      [FABRIC_WORK_XOR] = 365}},
    /* The first operation of a process. */
    {"oshmem-first", {[FABRIC_WORK_ADD] = 3613, [FABRIC_WORK_CAS] = 3642}},
    /* MPI_Fetch_and_op alone; osc/rdma. */
    {"mpi-rdma", {[FABRIC_WORK_ADD] = 582, [FABRIC_WORK_XOR] = 582, [FABRIC_WORK_MIN_MAX] = 555}},
    /* The same and MPI_Win_flush. */
    {"mpi-rdma-flush", {[FABRIC_WORK_ADD] = 828}},
    {"mpi-rdma-first", {[FABRIC_WORK_ADD] = 2808}},
    /* MPI_Fetch_and_op and MPI_Compare_and_swap; osc/pt2pt. */
    {"mpi-pt2pt", {[FABRIC_WORK_ADD] = 1122, [FABRIC_WORK_CAS] = 1950}},
    /* xBGAS's own runtime at 6478cba, gcc -O2, on RISC-V: its addition less the two instructions of xBGAS. */
    {"xbrtime", {[FABRIC_WORK_ADD] = 104}},
};
enum { OFF, LONGEST = 1000000000 };

static const struct work {
    const char *name, *setting;
} works[FABRIC_WORKS] = {
    [FABRIC_WORK_PUT] = {"put", "software/put"},
    [FABRIC_WORK_GET] = {"get", "software/get"},
    [FABRIC_WORK_ADD] = {"add", "software/add"},
    [FABRIC_WORK_CAS] = {"compare-and-swap", "software/cas"},
    [FABRIC_WORK_AND] = {"and", "software/and"},
    [FABRIC_WORK_OR] = {"or", "software/or"},
    [FABRIC_WORK_XOR] = {"xor", "software/xor"},
    [FABRIC_WORK_MIN_MAX] = {"minimum or maximum", "software/min-max"},
    [FABRIC_WORK_OTHER] = {"other", "software/other"},
};

/* --- settings ------------------------------------------------------------------------------------------- */

static int read_name(struct fabric_library *l, const struct base_settings *s, struct base_status *st)
{
    const char *text = base_settings_text(s, "software/library");
    for (size_t k = 0; k < BASE_LENGTH(libraries); k++)
        if (!strcmp(text, libraries[k].name)) {
            l->name = (uint8_t)k;
            return 0;
        }
    return base_fail(st,
                     "setting software/library: '%.80s'; expected off, oshmem, oshmem-first, mpi-rdma, "
                     "mpi-rdma-flush, mpi-rdma-first, mpi-pt2pt or xbrtime",
                     text);
}

static int read_count(struct fabric_library *l, const struct base_settings *s, enum fabric_work w,
                      struct base_status *st)
{
    const char *key = works[w].setting, *text = base_settings_text(s, key);
    const uint32_t *measured = libraries[l->name].each;
    uint64_t own;
    if (!strcmp(text, "library")) {
        l->each[w] = measured[w] ? measured[w] : measured[FABRIC_WORK_ADD];
        return 0;
    }
    if (base_parse_uint(text, &own, NULL) || own > LONGEST)
        return base_fail(st, "setting %s: '%.80s'; expected library, or 0 to 1000000000", key, text);
    l->each[w] = (uint32_t)own;
    l->on = true;
    return 0;
}

int fabric_library_read(struct fabric_library *l, const struct base_settings *s, struct base_status *st)
{
    *l = (struct fabric_library){.target = (uint32_t)base_settings_count(s, "software/target"),
                                 .cycles = base_settings_number(s, "software/cycles"),
                                 .frequency = base_settings_number(s, "software/frequency")};
    if (read_name(l, s, st))
        return -1;
    l->on = l->name != OFF;
    for (int w = 0; w < FABRIC_WORKS; w++)
        if (read_count(l, s, (enum fabric_work)w, st))
            return -1;
    return 0;
}

/* --- use ------------------------------------------------------------------------------------------------ */

uint64_t fabric_library_call(struct fabric *f, uint32_t host, enum fabric_work work)
{
    const struct fabric_library *l = &fabric_model_at(f, host)->library;
    if (BASE_LIKELY(!l->on))
        return 0;
    f->library.calls[work]++;
    f->library.at_origins += l->each[work];
    return l->each[work];
}

double fabric_library_cost(const struct fabric *f, uint32_t host, uint64_t instructions)
{
    return fabric_library_time(&fabric_model_at(f, host)->library, instructions);
}

uint64_t fabric_library_instructions(const struct fabric *f, uint32_t host, enum fabric_work work)
{
    const struct fabric_library *l = &fabric_model_at(f, host)->library;
    return l->on ? l->each[work] : 0;
}

struct fabric_library_counts fabric_library_counts(const struct fabric *f)
{
    struct fabric_library_counts c = f->library;
    c.on = f->model.library.on;
    for (size_t k = 0; k < f->models.n; k++)
        c.on |= f->models.at[k]->library.on;
    return c;
}

static const char *name_of(const struct fabric_library *l)
{
    if (!l->on)
        return "of single hosts";
    return l->name == OFF ? "of own counts" : libraries[l->name].name;
}

struct fabric_library_facts fabric_library_facts(const struct fabric *f)
{
    const struct fabric_library *l = &f->model.library;
    struct fabric_library_facts facts = {
        .name = name_of(l), .target = l->target, .cycles = l->cycles, .frequency = l->frequency};
    memcpy(facts.each, l->each, sizeof facts.each);
    return facts;
}

const char *fabric_work_name(enum fabric_work work)
{
    return works[work].name;
}
