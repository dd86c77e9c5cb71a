/* SPDX-License-Identifier: BSD-3-Clause */
/* sarif: what the checks of a run have found, as SARIF, at whatever end the run has: as json.c. */
#include "base/output.h"
#include "base/text.h"
#include "check/check.h"
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

static char *command_text(const struct run *r)
{
    struct base_text t;
    char **words = run_parts_words(&r->options);
    base_text_init(&t, "a command");
    base_text_add(&t, "pgasim run");
    for (char **word = words; *word; word++) {
        base_text_char(&t, ' ');
        base_text_shell(&t, *word);
    }
    free(words);
    return base_text_take(&t);
}

int run_sarif_write(struct run *r, struct base_status *st)
{
    struct base_status why;
    char *path = r->sarif, *command;
    if (!path)
        return 0;
    r->sarif = NULL; /* a failure must not come back here */
    command = command_text(r);
    int rc = check_sarif(path, command, r->figures.status, &why);
    free(command);
    free(path);
    return rc ? base_fail(st, "--sarif %s", why.text) : 0;
}

static void write_at_fatal(void *arg)
{
    struct run *r = arg;
    struct base_status st;
    r->figures.status = base_exit_status();
    if (run_sarif_write(r, &st))
        base_error("%s", st.text);
}

int run_sarif_begin(struct run *r, struct base_status *st)
{
    const char *path = r->options.sarif;
    struct base_status why;
    bool direct, standard = path && !strcmp(path, "-");
    if (!path)
        return 0;
    if (!standard && base_output_check(path, &why))
        return base_fail(st, "--sarif %s", why.text);
    r->sarif = standard ? base_strdup(path) : base_output_place(path, &direct, st);
    if (!r->sarif)
        return -1;
    base_at_fatal(write_at_fatal, r);
    return 0;
}

void run_sarif_release(struct run *r)
{
    free(r->sarif);
    r->sarif = NULL;
}
