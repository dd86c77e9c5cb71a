/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * study: runs what a grid or a search asks for, unless the table has it, and keeps the results.
 * Rows are written as they become known; what a search asks for next depends on none of that, but on all
 * results of its last generation.
 */
#include "cli/study/study.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL = 256, LARGEST_GRID = 100000 };

const struct deploy_row *study_row(const struct study *x, uint32_t number)
{
    return deploy_table_row(x->table, x->row.at[number]);
}

/* --- the table ------------------------------------------------------------------------------------ */

/* The rows of the table that are in the space. */
static int take_old(struct study *x, struct base_status *st)
{
    for (uint32_t k = 0; k < deploy_table_rows(x->table); k++) {
        struct deploy_config *c = NULL;
        struct base_status why;
        const char *text = deploy_table_row(x->table, k)->config;
        enum deploy_read got = deploy_config_read(&x->space, text, &c, &why);
        if (got == DEPLOY_DAMAGED)
            return base_fail(st, "%s:%u: %s", x->q->table, k + 2, why.text);
        if (got == DEPLOY_READ && deploy_set_take(&x->known, c))
            BASE_ARRAY_PUSH(&x->row, k);
    }
    x->old = (uint32_t)x->row.n;
    return 0;
}

static int keep(struct study *x, const struct deploy_config *c, const struct deploy_result *result,
                struct base_status *st)
{
    struct deploy_row row = {.config = deploy_config_text(&x->space, c),
                             .servers = c->count[DEPLOY_SERVERS],
                             .clients = (uint16_t)(c->n - c->count[DEPLOY_SERVERS]),
                             .result = *result};
    (void)deploy_set_take(&x->known, deploy_config_copy(c));
    BASE_ARRAY_PUSH(&x->row, deploy_table_rows(x->table));
    return deploy_table_add(x->table, &row, st);
}

/* --- many configurations -------------------------------------------------------------------------- */

static void show_progress(const struct study *x, uint32_t known, uint32_t all)
{
    if (isatty(STDERR_FILENO) && !x->q->run.quiet)
        fprintf(stderr, "pgasim: %u of %u configurations\033[K\r", known, all);
}

static void end_progress(const struct study *x)
{
    if (isatty(STDERR_FILENO) && !x->q->run.quiet)
        fputs("\033[K", stderr);
}

struct batch {
    struct study *x;
    struct deploy_config *const *config;
    uint32_t n, next, running, done, before, all;
};

static int start_some(struct batch *b, struct base_status *st)
{
    struct study *x = b->x;
    for (uint32_t k = 0; k < x->q->jobs && b->next < b->n; k++) {
        if (x->run[k].pid)
            continue;
        while (b->next < b->n && deploy_set_find(&x->known, b->config[b->next]) != BASE_NONE) {
            b->next++;
            b->done++;
        }
        if (b->next == b->n)
            break;
        if (!study_run_start(x, &x->run[k], b->config[b->next++]))
            return base_fail(st, "this machine cannot start another run");
        b->running++;
    }
    return 0;
}

static int take_ended(struct batch *b, struct base_status *st)
{
    struct study *x = b->x;
    for (uint32_t k = 0; k < x->q->jobs; k++) {
        struct deploy_result result;
        if (!x->run[k].pid || !study_run_ended(x, &x->run[k], &result))
            continue;
        b->running--;
        b->done++;
        if (keep(x, x->run[k].config, &result, st))
            return -1;
        show_progress(x, b->before + b->done, b->all);
    }
    return 0;
}

/* `before` were asked for before, of `all`. */
static int run_all(struct study *x, struct deploy_config *const *config, uint32_t n, uint32_t before,
                   uint32_t all, struct base_status *st)
{
    struct batch b = {.x = x, .config = config, .n = n, .before = before, .all = all};
    while (!x->interrupt) {
        if (start_some(&b, st))
            return -1;
        if (!b.running)
            break;
        base_signals_wait(&x->signals, 0.02, &x->interrupt);
        if (take_ended(&b, st))
            return -1;
    }
    return 0;
}

/* --- which ones ----------------------------------------------------------------------------------- */

static int search(struct study *x, uint32_t budget, struct base_status *st)
{
    struct deploy_search *s = deploy_search_create(&x->space, budget, x->q->seed);
    uint32_t first, n;
    int rc = 0;
    while (rc == 0 && !x->interrupt && (n = deploy_search_ask(s, &first)) > 0) {
        struct deploy_config *const *config = deploy_search_set(s)->at.at + first;
        rc = run_all(x, config, n, first, budget, st);
        for (uint32_t k = 0; k < n && rc == 0 && !x->interrupt; k++)
            deploy_search_tell(s, first + k,
                               study_row(x, deploy_set_find(&x->known, config[k]))->result.value);
    }
    deploy_search_destroy(s);
    return rc;
}

static int decide(struct study *x, struct deploy_set *grid, struct base_status *st)
{
    const struct study_request *q = x->q;
    bool whole = !q->search && deploy_grid(&x->space, q->grid ? LARGEST_GRID : SMALL, grid);
    if (q->grid && !whole) {
        base_fail(st, "--grid: there are more than %d configurations; use --search N, or let less vary",
                  LARGEST_GRID);
        return BASE_EXIT_INPUT;
    }
    int failed = whole ? run_all(x, grid->at.at, (uint32_t)grid->at.n, 0, (uint32_t)grid->at.n, st)
                       : search(x, q->search ? q->search : SMALL, st);
    if (!failed && !x->interrupt && !x->known.at.n) {
        base_fail(st, "no configuration fits these hosts: see --hosts and --per-host");
        return BASE_EXIT_INPUT;
    }
    return failed ? BASE_EXIT_HOST : BASE_EXIT_OK;
}

int study_carry_out(struct study *x, struct base_status *st)
{
    struct deploy_set grid;
    if (take_old(x, st))
        return BASE_EXIT_INPUT;
    deploy_set_init(&grid);
    int status = decide(x, &grid, st);
    end_progress(x);
    deploy_set_release(&grid);
    return status;
}
