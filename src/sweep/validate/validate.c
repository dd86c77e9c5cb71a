/* SPDX-License-Identifier: BSD-3-Clause */
/* validate: a validation from its file to its exit status. */
#include "sweep/validate/validate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/validate/parts.h"

static int open_all(struct validate *v, struct base_status *st)
{
    const struct validate_request *q = v->q;
    v->request = (struct sweep_request){.study = q->file,
                                        .self = q->self,
                                        .library = q->library,
                                        .database = q->database,
                                        .retry_failed = q->retry_failed,
                                        .quiet = q->quiet,
                                        .jobs = q->jobs};
    v->main = (struct sweep){.q = &v->request, .lock = -1, .jobs = 1};
    base_table_init(&v->main.rows, BASE_NUMBERS, sizeof(struct store_row), "rows of a validation");
    if (study_validation_read(&v->file, q->file, st))
        return -1;
    v->main.folder = realpath(v->file->folder, NULL);
    if (!v->main.folder)
        return base_fail(st, "%.200s: %s", v->file->folder, strerror(errno));
    if (q->against && access(q->against, R_OK))
        return base_fail(st, "--against %.200s: %s", q->against, strerror(errno));
    v->main.database = sweep_database_path(&v->main, v->file->database, v->file->path, st);
    if (!v->main.database)
        return -1;
    v->main.work = base_strfmt("%s.work", v->main.database);
    v->main.files = base_strfmt("%s.files", v->main.database);
    return validate_sides_make(v, st) || validate_rows_look(v, st) ? -1 : 0;
}

static void close_all(struct validate *v)
{
    char *const texts[] = {v->machine, v->kernel, v->mpi};
    validate_sides_release(v);
    sweep_close(&v->main);
    if (v->file)
        study_validation_destroy(v->file);
    for (size_t k = 0; k < BASE_LENGTH(texts); k++)
        free(texts[k]);
    free(v->program);
    free(v->platform);
}

/* --- runs ------------------------------------------------------------------------------------------- */

static int run_all(struct validate *v, struct base_status *st)
{
    validate_facts_read(v);
    if (sweep_work_open(&v->main, st))
        return -1;
    base_signals_block(&v->main.signals);
    v->main.began = sweep_clock();
    v->main.on_terminal = !v->q->quiet && isatty(STDERR_FILENO);
    int rc = v->q->simulate_only ? 0 : validate_measure(v, st);
    v->main.began = sweep_clock();
    rc = rc || validate_simulate(v, st) || validate_rows_number(v, st) ? -1 : 0;
    base_signals_restore(&v->main.signals);
    return rc;
}

/* The first real run and the first simulated run of each case. */
static void show_commands(struct validate *v, FILE *out)
{
    for (size_t k = 0; k < v->cases; k++) {
        struct validate_pair *p = (struct validate_pair *)v->at[k].pair;
        if (!v->at[k].wanted)
            continue;
        sweep_show_command(&p->real.sweep, validate_task(&p->real, v->at[k].number, 0), out);
        sweep_show_command(&p->simulated.sweep, validate_task(&p->simulated, v->at[k].number, 0), out);
    }
}

/* --- results ---------------------------------------------------------------------------------------- */

static void put_results(struct validate *v)
{
    const struct validate_request *q = v->q;
    if (q->table)
        validate_table(v, q->table);
    if (q->json)
        validate_json(v, q->json);
    if (q->csv)
        validate_csv(v, q->csv);
    if (q->page)
        validate_page(v, q->page);
}

static int conclude(struct validate *v)
{
    struct base_status st;
    validate_compare(v);
    if (v->q->against && validate_rows_against(v, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    put_results(v);
    if (v->all.n < v->all.cases || !v->all.cases)
        return BASE_EXIT_PROGRAM;
    return validate_within_target(v) && !v->worse ? BASE_EXIT_OK : VALIDATE_FAR;
}

static int carry_out(struct validate *v)
{
    struct base_status st;
    if (v->q->dry_run) {
        show_commands(v, stdout);
        return BASE_EXIT_OK;
    }
    if (run_all(v, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    if (v->main.interrupt) {
        base_info("ended by SIG%s: the same command goes on from there", sigabbrev_np(v->main.interrupt));
        return 128 + v->main.interrupt;
    }
    return conclude(v);
}

int validate_run(const struct validate_request *q)
{
    struct validate v = {.q = q};
    struct base_status st;
    int status = BASE_EXIT_INPUT;
    if (open_all(&v, &st))
        base_error("%s", st.text);
    else
        status = carry_out(&v);
    close_all(&v);
    return status;
}
