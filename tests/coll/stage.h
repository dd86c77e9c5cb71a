/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage: what the tests of coll_run share: test ranks on the real engine, network, fabric and rma. All of a
 * rank's heap is one symmetric object; no byte but those of a rank's areas may be touched.
 */
#ifndef PGASIM_TESTS_COLL_STAGE_H
#define PGASIM_TESTS_COLL_STAGE_H

#include "coll/p2p/p2p.h"
#include "coll/put/put.h"
#include "p2p/p2p.h"
#include "rank/ranks.h"
#include "rma/rma.h"

#include <sys/wait.h>
#include <unistd.h>

static struct ranks stage;
static struct coll_counts stage_counts; /* of the last run */
static uint64_t stage_requests;         /* of messages, that were left at its end */
static struct coll_put *stage_puts;
static struct coll_p2p *stage_messages; /* NULL until stage_two_sided */

/* --- the heap ------------------------------------------------------------------------------------- */

/* What others may reach is the heap. */
static void stage_check(struct rank *r, uintptr_t address, size_t bytes, const char *call)
{
    size_t at = address - ranks_heap_at(r->id, 0);
    if (at < stage.bytes && bytes > stage.bytes - at)
        rank_program_error(r, call, "%zu bytes of rank %u run %zu bytes past the end of the heap+%zu", bytes,
                           r->id, bytes - (stage.bytes - at), at);
    if (at >= stage.bytes)
        rank_program_error(r, call, "%zu bytes of rank %u: not in the heap", bytes, r->id);
}

static void (*stage_ask_room)(struct rank *r, uintptr_t address, size_t bytes, const char *call);

static void stage_room(struct rank *r, uintptr_t address, size_t bytes, const char *call)
{
    if (stage_ask_room)
        stage_ask_room(r, address, bytes, call);
    else
        stage_check(r, address, bytes, call);
}

static void stage_job_begin(struct rank_job *job)
{
    static const struct coll_put_hooks hooks = {rma_deliver, rma_touched, stage_room};
    stage_puts = coll_put_create(job, &hooks);
}

static void stage_job_end(struct rank_job *job)
{
    stage_counts = coll_counts(job);
    stage_requests = p2p_counts(job).requests;
    coll_put_destroy(stage_puts);
    if (stage_messages)
        coll_p2p_destroy(stage_messages);
    stage_messages = NULL;
}

/* --- a test's stage ------------------------------------------------------------------------------- */

static inline void stage_prepare(uint32_t ranks, size_t bytes)
{
    static const struct rank_front front = {"stage", stage_job_begin, stage_job_end, NULL};
    rma_register();
    p2p_register();
    coll_register();
    rank_front_register(&front);
    ranks_prepare(&stage, ranks, bytes);
    stage.strict = true;
    base_settings_declare(stage.settings, coll_settings, coll_settings_count);
    base_settings_declare(stage.settings, fabric_message_settings, fabric_message_settings_count);
}

/* Takes `platform` over. Rank k is on host k / per_host. */
static inline void stage_begin(struct platform *platform, uint32_t per_host)
{
    uint32_t *host = base_alloc(stage.n * sizeof *host, "test");
    for (uint32_t k = 0; k < stage.n; k++)
        host[k] = k / per_host;
    ranks_begin(&stage, platform, host);
    free(host);
}

static inline enum engine_end stage_run(ranks_body_fn body)
{
    stage.all = body;
    enum engine_end end = ranks_run(&stage);
    if (end == ENGINE_ALL_DONE)
        assert_int_equal(stage_requests, 0);
    return end;
}

/* Runs `body` in a child, which must end with a report of rank 2's that ends so: what is noticed in an
 * event ends the process. */
static inline void stage_expect_error(ranks_body_fn body, const char *text)
{
    static const char who[] = "pgasim: error: rank 2 (host node-0) at ";
    char got[1024] = "";
    int fd[2], status;
    assert_int_equal(pipe(fd), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(fd[1], STDERR_FILENO);
        stage.all = body;
        _exit(rank_job_run(stage.job));
    }
    close(fd[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    ssize_t n = read(fd[0], got, sizeof got - 1);
    close(fd[0]);
    got[n > 0 ? n : 0] = 0;
    size_t length = strlen(got), end = strlen(text);
    if (strncmp(got, who, strlen(who)) != 0 || length < end || strcmp(got + length - end, text) != 0)
        fail_msg("report: %s\nexpected: %s ... %s", got, who, text);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == BASE_EXIT_PROGRAM);
}

/* The other transport. */
static inline const struct coll_transport *stage_two_sided(void)
{
    if (!stage_messages)
        stage_messages = coll_p2p_create(stage.job);
    return coll_p2p_transport(stage_messages);
}

/* Carries out one collective by puts, and waits. */
static inline void stage_call(struct rank *r, const struct coll_call *call)
{
    struct coll_call c = *call;
    c.transport = coll_put_transport(stage_puts);
    coll_run(r, &c);
}

/* An address of rank r's heap, as its program has it. */
static inline void *stage_at(const struct rank *r, size_t offset)
{
    return (void *)ranks_heap_at(r->id, offset);
}

#endif
