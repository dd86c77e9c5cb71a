/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a list of jobs, as JSON and as a workload; those that are right are placed on a platform. */
#include "replay/jobs/jobs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct platform *machine(void)
{
    static struct platform *p;
    if (!p)
        p = platform_default(3);
    return p;
}

static void place(const struct replay_list *l)
{
    struct base_status st = {""};
    uint64_t ranks = 0;
    size_t crowded;
    for (size_t k = 0; k < l->at.n; k++)
        ranks += l->at.at[k].ranks;
    if (ranks > 1000)
        return;
    uint32_t *host = calloc(ranks + 1, sizeof *host);
    for (size_t k = 0; k < l->at.n; k++)
        if (l->at.at[k].placement == REPLAY_BY_HOSTFILE) {
            free(host);
            return;
        }
    int rc = replay_list_place(l, machine(), host, &crowded, &st);
    BASE_ASSERT("a reason", !rc || strlen(st.text) > 0);
    for (uint64_t k = 0; k < ranks && !rc; k++)
        BASE_ASSERT("a host", host[k] < platform_host_count(machine()));
    BASE_ASSERT("a job", crowded <= l->at.n);
    free(host);
}

/* Some of the jobs wait, a few run: none begins for which there are no cores. */
static void backfill(const struct replay_list *l)
{
    size_t n = l->at.n < 50 ? l->at.n : 50;
    struct replay_running *running = calloc(n + 3, sizeof *running);
    struct replay_waiting *waiting = calloc(n + 1, sizeof *waiting);
    uint64_t begun = 0;
    for (uint32_t k = 0; k < 3; k++)
        running[k] = (struct replay_running){10.0 * k, k + 1};
    for (size_t k = 0; k < n; k++)
        waiting[k] = (struct replay_waiting){l->at.at[k].expected, l->at.at[k].ranks, false};
    replay_backfill(running, 3, 9, 0, waiting, n);
    for (size_t k = 0; k < n; k++)
        begun += waiting[k].begins ? waiting[k].cores : 0;
    BASE_ASSERT("cores", begun <= 9);
    BASE_ASSERT("the first", !n || waiting[0].cores > 9 || waiting[0].begins);
    free(running);
    free(waiting);
}

static void check(struct replay_list *l, int rc, const struct base_status *st)
{
    BASE_ASSERT("a reason", !rc || strlen(st->text) > 0);
    for (size_t k = 0; k < l->at.n && !rc; k++) {
        const struct replay_entry *e = &l->at.at[k];
        BASE_ASSERT("a job", e->name && e->start >= 0 && e->compute_scale >= 0);
        BASE_ASSERT("order", !l->queued || !k || e[-1].start <= e->start);
    }
    if (!rc) {
        place(l);
        backfill(l);
    }
    replay_list_release(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const traces[] = {"3=a/%n", "b"};
    const struct replay_job_traces given = {traces, 2};
    struct base_status st = {""};
    struct replay_list l = {.path = "folder/list"};
    check(&l, replay_list_parse(&l, (const char *)data, size, &st), &st);
    l = (struct replay_list){.path = "list"};
    check(&l, replay_swf_parse(&l, (const char *)data, size, &given, &st), &st);
    return 0;
}
