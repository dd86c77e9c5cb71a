/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late: files that are written once, at whatever end the run has, also a fatal one: --json, --sarif. A path that
 * cannot be written is found before the run; what is there is replaced at the end.
 */
#include "base/output.h"
#include "cli/run/run.h"

#include <stdlib.h>
#include <string.h>

int run_late_write(struct run_late *l, struct base_status *st)
{
    struct base_status why;
    char *path = l->path;
    if (!path)
        return 0;
    l->path = NULL; /* a failure must not come back here */
    int rc = l->write(l->run, path, &why);
    free(path);
    return rc ? base_fail(st, "%s %s", l->option, why.text) : 0;
}

static void write_at_fatal(void *arg)
{
    struct run_late *l = arg;
    struct base_status st;
    l->run->figures.status = base_exit_status();
    run_figures_take(l->run);
    if (run_late_write(l, &st))
        base_error("%s", st.text);
}

int run_late_begin(struct run_late *l, const char *path, struct base_status *st)
{
    struct base_status why;
    bool direct, standard = path && !strcmp(path, "-");
    if (!path)
        return 0;
    if (!standard && base_output_check(path, &why))
        return base_fail(st, "%s %s", l->option, why.text);
    l->path = standard ? base_strdup(path) : base_output_place(path, &direct, st);
    if (!l->path)
        return -1;
    base_at_fatal(write_at_fatal, l);
    return 0;
}

void run_late_release(struct run_late *l)
{
    free(l->path);
    l->path = NULL;
}
