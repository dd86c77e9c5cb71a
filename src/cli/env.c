/* SPDX-License-Identifier: BSD-3-Clause */
/* env: `pgasim env COMMAND...` runs a command with the wrappers' folder first on PATH. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_options help_env = {
    .usage = "pgasim env command [arguments]\n"
             "pgasim env",
    .about =
        "Runs a command with the folder of oshcc, oshc++, oshcxx, oshCC and oshrun first on PATH, so that\n"
        "other people's projects build as they are: pgasim env make CC=oshcc. Without a command, prints\n"
        "the line that does the same for a shell: eval \"$(pgasim env)\".",
    .notes = "exit status: the command's; 126 when it cannot be run, 127 when it is not found.",
};

static int with_wrappers(const struct cli_places *p, char **command)
{
    const char *path = getenv("PATH");
    char *longer = path && *path ? base_strfmt("%s:%s", p->wrappers, path) : base_strdup(p->wrappers);
    int rc = setenv("PATH", longer, 1);
    free(longer);
    if (!rc)
        execvp(command[0], command);
    base_error("%s: %s", command[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

int cli_env(int argc, char **args)
{
    struct base_status st;
    struct cli_places p;
    int rest = argc;
    switch (cli_options_read(&help_env, NULL, argc, args, &rest, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&help_env, stdout);
        return BASE_EXIT_OK;
    case CLI_READ_FAILED:
        return cli_options_refuse(&help_env, st.text);
    case CLI_READ:
        break;
    }
    if (cli_places_find(&p, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    int status = BASE_EXIT_OK;
    if (rest == argc)
        printf("export PATH='%s':\"$PATH\"\n", p.wrappers);
    else
        status = with_wrappers(&p, args + rest);
    cli_places_release(&p);
    return status;
}
