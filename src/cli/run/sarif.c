/* SPDX-License-Identifier: BSD-3-Clause */
/* sarif: what the checks of a run have found, as SARIF. */
#include "base/text.h"
#include "check/check.h"
#include "cli/run/run.h"

#include <stdlib.h>

static char *command_text(const struct run *r)
{
    struct base_text t;
    char **words = run_parts_words(&r->options);
    base_text_init(&t, "a command");
    base_text_add(&t, "pgasim run");
    base_text_shell_words(&t, (const char *const *)words);
    free(words);
    return base_text_take(&t);
}

int run_sarif_write(struct run *r, const char *path, struct base_status *st)
{
    char *command = command_text(r);
    int rc = check_sarif(path, command, r->figures.status, st);
    free(command);
    return rc;
}
