/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages RANKS PLATFORM: a ring of 1 KiB messages between ranks that are plain C functions, so that only
 * messages are measured, and no program. Each rank sends to the next and receives from the one before, as
 * ring_mpi.c does by MPI_Sendrecv. SimGrid's model SMPI. Prints `name count cpu_seconds`.
 */
#include "p2p/p2p.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MESSAGES = 1 << 20, BYTES = 1024 };
static unsigned char (*in)[BYTES], (*out)[BYTES]; /* of each rank */

static void ring(struct rank *r)
{
    static const char call[] = "MPI_Sendrecv";
    uint32_t n = rank_count(r->job), rounds = MESSAGES / n;
    struct p2p_buffer to = {(uintptr_t)out[r->id], BYTES, types_layout_of(TYPES_BYTE)},
                      from = {(uintptr_t)in[r->id], BYTES, types_layout_of(TYPES_BYTE)};
    struct p2p_envelope wanted = {0, (r->id + n - 1) % n, 0};
    for (uint32_t k = 1; k <= rounds; k++) {
        struct p2p_status st;
        memset(out[r->id], (int)(k & 127), BYTES);
        rank_enter_issue(call);
        struct p2p_request *send = p2p_send_create(r, (r->id + 1) % n, 0, 0, &to, P2P_STANDARD, call);
        p2p_issue(send);
        p2p_receive(r, &wanted, &from, call, &st);
        p2p_wait_all(r, &send, 1, call);
        p2p_request_destroy(send);
        rank_leave(r, call);
        if (st.bytes != BYTES || in[r->id][0] != (k & 127) || in[r->id][BYTES - 1] != (k & 127))
            base_fatal(BASE_EXIT_BUG, "rank %u: wrong data in round %u", r->id, k);
    }
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void declare(struct base_settings *s)
{
    struct base_status st;
    base_settings_declare(s, platform_settings, platform_settings_count);
    base_settings_declare(s, fabric_settings, fabric_settings_count);
    base_settings_declare(s, fabric_message_settings, fabric_message_settings_count);
    base_settings_declare(s, rank_setting_table, rank_setting_count);
    if (base_settings_set(s, "network/model", "SMPI", BASE_FROM_COMMAND, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
}

int main(int argc, char **argv)
{
    static const struct rank_life life = {.run = ring};
    static const struct rank_provider functions = {"functions", &rank_memory_plain, &life, NULL, NULL};
    uint32_t n = argc == 3 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    struct base_settings *s = base_settings_create();
    struct base_status st;
    struct platform *p;
    struct rank_job *job;
    struct trace trace;
    declare(s);
    if (n < 2)
        base_fatal(BASE_EXIT_INPUT, "expected: messages RANKS PLATFORM, with at least 2 ranks");
    if (platform_load(&p, argv[2], s, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    p2p_register();
    trace_init(&trace);
    struct engine *e = engine_create(&(struct engine_config){.max_actors = n, .stack_size = 32 << 10});
    struct fabric *f = fabric_create(e, fluid_create(e), p, s);
    uint32_t *host = base_alloc(n * sizeof *host, "places");
    for (uint32_t k = 0; k < n; k++)
        host[k] = k % platform_host_count(p);
    struct rank_config config = {.ranks = n, .rank_host = host};
    if (rank_job_create(&job, &config, f, &trace, s, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    rank_job_supply(job, &functions, 0, n);
    in = base_alloc(n * sizeof *in, "payloads");
    out = base_alloc(n * sizeof *out, "payloads");
    double start = cpu_seconds();
    int status = rank_job_run(job);
    printf("messages-%u %d %.6f\n", n, MESSAGES, cpu_seconds() - start);
    return status;
}
