/* SPDX-License-Identifier: BSD-3-Clause */
/* nasty: the adversary's beginning and end with a job. */
#include "check/nasty/parts.h"

#include <stdlib.h>

struct rank_slot nasty_slot;
static struct nasty *prepared; /* by the settings, for the job that comes */

static void release(struct nasty *n)
{
    nasty_decisions_close(n);
    nasty_kept_end(n);
    base_table_release(&n->ops);
    base_table_release(&n->sites);
    base_pool_release(&n->pool);
    free(n->others.at);
    free(n->rank);
    free(n);
}

/* Long puts are copied at their issue, too, so that they are locally complete long before they arrive. */
static int copy_long_puts(struct nasty *n, struct base_settings *s, struct base_status *st)
{
    static const char key[] = "rdma/buffered-limit";
    struct nasty_key k = {NASTY_BUFFER, 0, 0};
    struct base_random r = nasty_random(n, k);
    if (!n->options.local || !base_settings_known(s, key) || !base_settings_is_default(s, key) ||
        nasty_chance(&r, 1, 2) ||
        !nasty_may(n, k, &(struct nasty_about){0}, "sources of long puts are copied"))
        return 0;
    return base_settings_set(s, key, "1GiB", BASE_FROM_ENVIRONMENT, st);
}

int nasty_configure(struct base_settings *s, struct base_status *st)
{
    struct nasty_options options;
    if (prepared)
        release(prepared);
    prepared = NULL;
    if (!base_settings_flag(s, "check/nasty"))
        return 0;
    if (nasty_environment(s, st) || nasty_options_read(s, &options, st))
        return -1;
    struct nasty *n = base_zalloc(sizeof *n, "the adversary");
    n->options = options;
    base_pool_init(&n->pool, sizeof(struct nasty_op), "operations of the adversary");
    base_table_init(&n->ops, BASE_NUMBERS, sizeof(struct nasty_op *), "operations of the adversary");
    base_table_init(&n->sites, BASE_NUMBERS, sizeof(enum nasty_temper), "call sites of the adversary");
    if (nasty_decisions_open(n, s, st) || copy_long_puts(n, s, st)) {
        release(n);
        return -1;
    }
    prepared = n;
    return 0;
}

static void job_begin(struct rank_job *job)
{
    struct nasty *n = prepared;
    if (!n)
        return;
    prepared = NULL;
    n->job = job;
    n->rank = base_zalloc(rank_room(job) * sizeof *n->rank, "the adversary");
    rank_set_part(job, &nasty_slot, n);
    nasty_polls_begin(n);
    rma_police(job, &nasty_policy, n);
    rma_listen(job, &nasty_listener, n);
    rank_oppose(&nasty_adversary);
    struct base_random r = nasty_random(n, (struct nasty_key){NASTY_MODE, 0, 3});
    n->waiting = (enum nasty_waiting)((n->options.seed + 2) % NASTY_WAITINGS);
    n->fills = nasty_chance(&r, 1, 3) && n->options.patterns;
    nasty_progress_begin(n);
    nasty_speed_begin(n);
    if (n->options.platform)
        nasty_platform_vary(n);
}

static void job_end(struct rank_job *job)
{
    struct nasty *n = nasty_of(job);
    if (!n)
        return;
    rank_oppose(NULL);
    nasty_progress_end(n);
    nasty_polls_end(n);
    release(n);
    rank_set_part(job, &nasty_slot, NULL);
}

void nasty_place(uint32_t *rank_host, uint32_t ranks, uint32_t hosts)
{
    if (prepared && prepared->options.platform)
        nasty_platform_place(prepared, rank_host, ranks, hosts);
}

void nasty_register(void)
{
    static const struct rank_front front = {.name = "nasty", .job_begin = job_begin, .job_end = job_end};
    rank_front_register(&front);
    rank_slot_register(&nasty_slot, 0);
}
