/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage: the real engine, network and fabric below coll_run, with as much of fold and rma as it calls. A rank is
 * an actor that runs a C function; in the `exchanged` way all ranks have the same addresses and no memory lies in
 * one piece, as for ranks that are not loaded in swap mode.
 */
#ifndef PGASIM_TESTS_COLL_STAGE_H
#define PGASIM_TESTS_COLL_STAGE_H

#include "coll/coll.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define STAGE_ADDRESS ((uintptr_t)0x100000000000)

typedef void (*stage_body_fn)(struct fold_rank *r);
struct fold_job {
    struct engine *engine;
    struct fluid *fluid;
    struct platform *platform;
    struct fabric *fabric;
    struct base_settings *settings;
    struct fold_rank *rank;
    unsigned char **memory;
    uint32_t ranks;
    size_t bytes; /* of a rank */
    bool exchanged;
    void *upper[FOLD_UPPERS];
    stage_body_fn body;
    struct trace trace;
    uint64_t numbers;
};
FOLD_THREAD struct fold_rank *fold_current;
void (*fold_stored)(struct fold_rank *r);
bool fold_jobs_on;
static struct fold_front stage_front;

/* --- fold's and rma's faces --------------------------------------------------------------------- */

bool fold_jobs_may_go(const struct fold_rank *r)
{
    (void)r;
    return false;
}

void fold_owe(struct fold_rank *r, void (*fn)(void *arg), void *arg)
{
    (void)r, (void)fn, (void)arg;
}

struct fold_rank *fold_rank_at(struct fold_job *job, uint32_t id)
{
    return &job->rank[id];
}
struct engine *fold_engine(const struct fold_job *job)
{
    return job->engine;
}
struct trace *fold_trace(const struct fold_job *job)
{
    return (struct trace *)(uintptr_t)&job->trace;
}
void fold_trace_emit(const struct fold_rank *r, struct trace_event *ev)
{
    ev->time = rank_now(r);
    ev->rank = r->id;
    trace_emit(&r->job->trace, ev);
}
uint64_t rma_number(struct fold_job *job)
{
    return ++job->numbers;
}
struct fabric *fold_fabric(const struct fold_job *job)
{
    return job->fabric;
}
const struct base_settings *fold_job_settings(const struct fold_job *job)
{
    return job->settings;
}
void *fold_job_upper(const struct fold_job *job, enum fold_upper which)
{
    return job->upper[which];
}
void fold_job_set_upper(struct fold_job *job, enum fold_upper which, void *p)
{
    job->upper[which] = p;
}
void fold_front_register(const struct fold_front *front)
{
    stage_front = *front;
}

static unsigned char *stage_bytes(const struct fold_rank *r, uintptr_t address, size_t size)
{
    uintptr_t base = r->job->exchanged ? STAGE_ADDRESS : (uintptr_t)r->job->memory[r->id];
    if (address < base || address - base + size > r->job->bytes)
        fail_msg("rank %u: %zu bytes at %#zx are not its own", r->id, size, (size_t)address);
    return r->job->memory[r->id] + (address - base);
}
void *fold_direct(struct fold_rank *r, uintptr_t address, size_t size)
{
    return r->job->exchanged ? NULL : stage_bytes(r, address, size);
}
void fold_read(struct fold_rank *r, uintptr_t address, void *out, size_t size)
{
    memcpy(out, stage_bytes(r, address, size), size);
}
void rma_deliver(struct fold_rank *r, uintptr_t address, const void *bytes, size_t size)
{
    memcpy(stage_bytes(r, address, size), bytes, size);
}
void rma_touched(struct fold_rank *r, uintptr_t address, size_t bytes)
{
    stage_bytes(r, address, bytes);
}
/* All of a rank's memory is one symmetric object. */
uintptr_t rma_symmetric(struct fold_rank *r, const void *address, size_t bytes, int64_t target,
                        const char *call)
{
    uintptr_t base = r->job->exchanged ? STAGE_ADDRESS : (uintptr_t)r->job->memory[r->id];
    assert_int_equal(target, r->id);
    if ((uintptr_t)address - base + bytes > r->job->bytes)
        fold_program_error(r, call, "%zu bytes past the end",
                           (uintptr_t)address - base + bytes - r->job->bytes);
    return (uintptr_t)address;
}

/* Reports end the process (stage_expect_error). */
void fold_program_error(struct fold_rank *r, const char *call, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "rank %u: %s: ", r->id, call);
    vfprintf(stderr, fmt, args);
    va_end(args);
    _exit(BASE_EXIT_PROGRAM);
}

void fold_operation_failed(struct fold_rank *r, const char *operation, const struct fabric_failure *why)
{
    char text[FABRIC_FAILURE_TEXT];
    fprintf(stderr, "rank %u: %s: %s", r->id, operation,
            fabric_failure_text(r->job->fabric, why, text, sizeof text));
    _exit(BASE_EXIT_FAILURE);
}

/* --- the stage of a test ------------------------------------------------------------------------ */

static inline void stage_setting(struct fold_job *j, const char *key, const char *value)
{
    struct base_status st;
    if (base_settings_set(j->settings, key, value, BASE_FROM_COMMAND, &st))
        fail_msg("%s", st.text);
}

static inline void stage_prepare(struct fold_job *j, uint32_t ranks, size_t bytes)
{
    *j = (struct fold_job){.ranks = ranks, .bytes = bytes, .settings = base_settings_create()};
    base_settings_declare(j->settings, fabric_settings, fabric_settings_count);
    base_settings_declare(j->settings, coll_settings, coll_settings_count);
}

/* Takes `platform` over. Rank k is on host k / per_host. */
static inline void stage_begin(struct fold_job *j, struct platform *platform, uint32_t per_host)
{
    j->engine = engine_create(&(struct engine_config){.max_actors = 2 * j->ranks, .stack_size = 64 << 10});
    j->fluid = fluid_create(j->engine);
    j->platform = platform;
    j->fabric = fabric_create(j->engine, j->fluid, platform, j->settings);
    j->rank = base_zalloc(j->ranks * sizeof *j->rank, "test");
    j->memory = base_zalloc(j->ranks * sizeof *j->memory, "test");
    for (uint32_t k = 0; k < j->ranks; k++) {
        j->rank[k] = (struct fold_rank){.id = k, .host = k / per_host, .job = j, .engine = j->engine};
        j->memory[k] = base_zalloc(j->bytes + 1, "test");
    }
    coll_register();
    stage_front.job_begin(j);
}

/* When all ranks came to their ends, nothing of a collective is left in a pool. */
static inline void stage_end(struct fold_job *j)
{
    bool whole = engine_all_ended(j->engine);
    stage_front.job_end(j);
    fabric_destroy(j->fabric);
    platform_destroy(j->platform);
    fluid_destroy(j->fluid);
    engine_destroy(j->engine);
    base_settings_destroy(j->settings);
    for (uint32_t k = 0; k < j->ranks; k++)
        free(j->memory[k]);
    free(j->memory);
    free(j->rank);
    if (whole)
        assert_int_equal(base_remainder_report(), 0);
    base_remainder_clear();
}

static inline void stage_actor(void *arg)
{
    struct fold_rank *r = arg;
    r->job->body(r);
}

static inline enum engine_end stage_run(struct fold_job *j, stage_body_fn body)
{
    j->body = body;
    for (uint32_t k = 0; k < j->ranks; k++)
        j->rank[k].actor = engine_actor_spawn(j->engine, stage_actor, &j->rank[k], &j->rank[k]);
    return engine_run(j->engine);
}

/* Runs `body` in a child, which must end with this report. */
static inline void stage_expect_error(struct fold_job *j, stage_body_fn body, const char *text)
{
    char got[1024] = "";
    int fd[2], status;
    assert_int_equal(pipe(fd), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(fd[1], STDERR_FILENO);
        stage_run(j, body);
        _exit(0);
    }
    close(fd[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    ssize_t n = read(fd[0], got, sizeof got - 1);
    close(fd[0]);
    got[n > 0 ? n : 0] = 0;
    assert_string_equal(got, text);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == BASE_EXIT_PROGRAM);
}

/* An address of rank r, as its program has it. */
static inline void *stage_at(const struct fold_rank *r, size_t offset)
{
    return (void *)((r->job->exchanged ? STAGE_ADDRESS : (uintptr_t)r->job->memory[r->id]) + offset);
}

#endif
