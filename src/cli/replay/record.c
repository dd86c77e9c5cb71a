/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record: `pgasim record`: records an MPI program on a real machine. A script does it (runtime/record), which is
 * also usable where pgasim itself does not run.
 */
#include "cli/command.h"
#include "cli/places/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_record(int argc, char **args)
{
    struct base_status st;
    struct cli_places places;
    (void)argc;
    if (cli_places_find(&places, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    char *script = base_strfmt("%s/share/pgasim/record/record.sh", places.prefix);
    char *own = base_strfmt("%s/bin/pgasim", places.prefix);
    setenv("PGASIM_RECORD_FOLDER", own,
           1); /* what --fold calls: the script may stand elsewhere than an installation's */
    free(own);
    cli_places_release(&places);
    args[0] = script;
    execv(script, args);
    base_error("%s: cannot be run: %s", script, strerror(errno));
    free(script);
    return BASE_EXIT_HOST;
}
