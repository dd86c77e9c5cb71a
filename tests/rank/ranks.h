/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks: ranks without programs, for tests of modules above rank/: plain C functions on malloc'ed memory, on
 * a real engine, network and fabric. A rank has two areas, `statics` (its one span) and `heap`. In the
 * `exchanged` way all ranks have the same addresses, and no area is contiguous in this process, as for ranks
 * that are not live in swap mode.
 *
 *   ranks_prepare(&s, 4, 1 << 18);          then settings may be given
 *   ranks_begin(&s, ranks_platform(&s, text));   and modules registered before
 *   s.body[0] = f;                          or s.all = f
 *   assert_int_equal(ranks_run(&s), ENGINE_ALL_DONE);
 *   ranks_end(&s);
 */
#ifndef PGASIM_TESTS_RANK_RANKS_H
#define PGASIM_TESTS_RANK_RANKS_H

#include "rank/rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANKS_STATICS ((uintptr_t)0x100000000000) /* addresses of the exchanged way */
#define RANKS_HEAP    ((uintptr_t)0x200000000000)

typedef void (*ranks_body_fn)(struct rank *r);

struct ranks {
    /* given by the test before ranks_begin */
    uint32_t n;
    size_t bytes; /* of each area */
    bool exchanged;
    bool strict;                       /* only bytes of a rank's areas are touched */
    const struct rank_object *objects; /* in the statics, in order of address; NULL: no symbols */
    size_t n_objects;
    struct rank_config config;            /* but for the ranks and their hosts */
    const struct rank_provider *provider; /* NULL: plain functions on the two areas */
    /* before ranks_run */
    ranks_body_fn *body; /* of each rank; NULL: */
    ranks_body_fn all;
    /* what is there */
    struct base_settings *settings;
    struct trace trace;
    struct engine *engine;
    struct fluid *fluid;
    struct platform *platform;
    struct fabric *fabric;
    struct rank_job *job;
    unsigned char **statics, **heap;
    int status;   /* of the job, after ranks_run */
    char *report; /* what was reported */
    FILE *reports;
    size_t report_size;
};
static struct ranks *ranks_stage; /* the one that runs: tests have one at a time */

/* --- the provider --------------------------------------------------------------------------------- */

/* Where the bytes really are. */
static unsigned char *ranks_bytes(const struct rank *r, uintptr_t address, size_t size)
{
    const struct ranks *s = ranks_stage;
    uintptr_t statics = s->exchanged ? RANKS_STATICS : (uintptr_t)s->statics[r->id],
              heap = s->exchanged ? RANKS_HEAP : (uintptr_t)s->heap[r->id];
    if (address - statics <= s->bytes && size <= s->bytes - (address - statics))
        return s->statics[r->id] + (address - statics);
    if (address - heap <= s->bytes && size <= s->bytes - (address - heap))
        return s->heap[r->id] + (address - heap);
    if (s->strict)
        fail_msg("rank %u: %zu bytes at %#zx are not its own", r->id, size, (size_t)address);
    return (unsigned char *)address;
}

static void *ranks_direct(struct rank *r, uintptr_t address, size_t size)
{
    unsigned char *p = ranks_bytes(r, address, size);
    return p == (unsigned char *)address ? p : NULL;
}

static void ranks_read(struct rank *r, uintptr_t address, void *out, size_t size)
{
    memcpy(out, ranks_bytes(r, address, size), size);
}

static void ranks_write(struct rank *r, uintptr_t address, const void *in, size_t size)
{
    memcpy(ranks_bytes(r, address, size), in, size);
}

static void *ranks_share(struct rank *r, uintptr_t address, size_t size)
{
    return ranks_bytes(r, address, size);
}

static uint32_t ranks_span_count(const struct rank *r)
{
    (void)r;
    return 1;
}

static struct rank_span ranks_span_of(const struct rank *r, uint32_t k)
{
    const struct ranks *s = ranks_stage;
    (void)k;
    return (struct rank_span){s->exchanged ? RANKS_STATICS : (uintptr_t)s->statics[r->id], s->bytes};
}

static bool ranks_object_find(const struct rank *r, uint32_t span, size_t offset, struct rank_object *out)
{
    const struct ranks *s = ranks_stage;
    (void)r, (void)span;
    for (size_t k = s->objects ? s->n_objects : 0; k-- > 0;)
        if (offset >= s->objects[k].offset) {
            *out = s->objects[k];
            return true;
        }
    return false;
}

static bool ranks_static_name(const struct rank *r, uintptr_t address, char *buf, size_t size)
{
    struct rank_span span = ranks_span_of(r, 0);
    struct rank_object o;
    if (address - span.base >= span.size || !ranks_object_find(r, 0, address - span.base, &o))
        return false;
    snprintf(buf, size, "'%s'", o.name);
    return true;
}

static struct rank_code ranks_code_of(const struct rank *r, const void *address)
{
    (void)r, (void)address;
    return (struct rank_code){0, 0};
}

static struct rank_code ranks_code_of_low(const struct rank *r, uint32_t address)
{
    (void)r, (void)address;
    return (struct rank_code){0, 0};
}

static struct rank_code ranks_code_caller(const struct rank *r)
{
    (void)r;
    return (struct rank_code){0, 0};
}

static void ranks_code_source(const struct rank *r, struct rank_code c, struct rank_source *out)
{
    (void)r, (void)c, (void)out;
}

static void ranks_main(struct rank *r)
{
    const struct ranks *s = ranks_stage;
    ranks_body_fn body = s->body[r->id] ? s->body[r->id] : s->all;
    if (body)
        body(r);
}

static const struct rank_memory ranks_memory = {ranks_direct, ranks_read, ranks_write, ranks_share, false};
static const struct rank_names ranks_names = {ranks_span_count,  ranks_span_of,     ranks_object_find,
                                              ranks_static_name, ranks_code_of,     ranks_code_of_low,
                                              ranks_code_caller, ranks_code_source, NULL};
/* As for native programs: when ranks share a stack, its frames are told apart from memory at its own
 * address. */
static void ranks_job_begin(struct rank_job *job)
{
    for (uint32_t k = 0; k < rank_count(job); k++)
        if (rank_at(job, k)->memory == &rank_memory_plain)
            rank_use_memory(rank_at(job, k), rank_memory_choose(job));
}

static const struct rank_life ranks_life = {.job_begin = ranks_job_begin, .run = ranks_main};
static const struct rank_provider ranks_plain = {"functions", &rank_memory_plain, &ranks_life, &ranks_names,
                                                 NULL};
static const struct rank_provider ranks_mapped = {"functions, mapped", &ranks_memory, &ranks_life,
                                                  &ranks_names, NULL};

/* --- the stage ------------------------------------------------------------------------------------ */

static inline void ranks_setting(struct ranks *s, const char *key, const char *value)
{
    struct base_status st;
    if (base_settings_set(s->settings, key, value, BASE_FROM_COMMAND, &st))
        fail_msg("%s", st.text);
}

static inline void ranks_prepare(struct ranks *s, uint32_t n, size_t bytes)
{
    *s = (struct ranks){
        .n = n, .bytes = bytes, .config.compute_factor = 1, .settings = base_settings_create()};
    base_settings_declare(s->settings, fabric_settings, fabric_settings_count);
    base_settings_declare(s->settings, rank_setting_table, rank_setting_count);
    s->body = base_zalloc(n * sizeof *s->body, "test");
    trace_init(&s->trace);
}

static inline struct platform *ranks_platform(struct ranks *s, const char *text)
{
    struct platform *p;
    struct base_status st;
    if (platform_load_text(&p, text, strlen(text), "test", s->settings, &st))
        fail_msg("%s", st.text);
    return p;
}

/* Takes the platform over. Rank k is on host[k], or where host is NULL on host k % hosts. */
static inline void ranks_begin(struct ranks *s, struct platform *platform, const uint32_t *host)
{
    struct base_status st;
    uint32_t *place = base_alloc(s->n * sizeof *place, "test"), hosts = platform_host_count(platform);
    for (uint32_t k = 0; k < s->n; k++)
        place[k] = host ? host[k] : k % hosts;
    s->engine = engine_create(
        &(struct engine_config){.max_actors = s->n + 64, .usual = s->n, .stack_size = 128 << 10});
    s->fluid = fluid_create(s->engine);
    s->platform = platform;
    s->fabric = fabric_create(s->engine, s->fluid, platform, s->settings);
    ranks_stage = s;
    s->config.ranks = s->n;
    s->config.rank_host = place;
    if (rank_job_create(&s->job, &s->config, s->fabric, &s->trace, s->settings, &st))
        fail_msg("%s", st.text);
    const struct rank_provider *functions = s->exchanged || s->strict ? &ranks_mapped : &ranks_plain;
    rank_job_supply(s->job, s->provider ? s->provider : functions, 0, s->n);
    s->statics = base_zalloc(s->n * sizeof *s->statics, "test");
    s->heap = base_zalloc(s->n * sizeof *s->heap, "test");
    for (uint32_t k = 0; k < s->n; k++) {
        s->statics[k] = base_zalloc(s->bytes + 1, "test");
        s->heap[k] = base_zalloc(s->bytes + 1, "test");
    }
    free(place);
}

/* Addresses as the program of rank r would have them. */
static inline uintptr_t ranks_statics_at(uint32_t rank, size_t offset)
{
    return (ranks_stage->exchanged ? RANKS_STATICS : (uintptr_t)ranks_stage->statics[rank]) + offset;
}
static inline uintptr_t ranks_heap_at(uint32_t rank, size_t offset)
{
    return (ranks_stage->exchanged ? RANKS_HEAP : (uintptr_t)ranks_stage->heap[rank]) + offset;
}

/* Runs all ranks; what is reported meanwhile is in s->report. */
static inline enum engine_end ranks_run(struct ranks *s)
{
    free(s->report);
    s->reports = open_memstream(&s->report, &s->report_size);
    base_report_to(s->reports);
    s->status = rank_job_run(s->job);
    base_report_to(stderr);
    fclose(s->reports);
    if (s->status == BASE_EXIT_DEADLOCK)
        return ENGINE_DEADLOCK;
    return s->status ? ENGINE_STOPPED : ENGINE_ALL_DONE;
}

/* Also after an assertion that failed within a run. */
static inline void ranks_end(struct ranks *s)
{
    bool whole = engine_all_ended(s->engine);
    base_report_to(stderr);
    trace_close(&s->trace);
    rank_job_destroy(s->job);
    fabric_destroy(s->fabric);
    platform_destroy(s->platform);
    fluid_destroy(s->fluid);
    engine_destroy(s->engine);
    base_settings_destroy(s->settings);
    for (uint32_t k = 0; k < s->n; k++) {
        free(s->statics[k]);
        free(s->heap[k]);
    }
    free(s->statics);
    free(s->heap);
    free(s->body);
    free(s->report);
    if (whole)
        assert_int_equal(base_remainder_report(), 0);
    base_remainder_clear();
}

#endif
