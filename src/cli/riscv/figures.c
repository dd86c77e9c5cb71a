/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * figures: `pgasim riscv figures`, the figures of the paper on the remote atomic extension. They are
 * drawn by a program in Python (examples/rae/figures, installed under share/), which runs this pgasim again
 * and again. This process becomes that program.
 */
#include "cli/words/words.h"
#include "cli/command.h"
#include "cli/places/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The folder or the command of that name in this installation. */
static void push_path(struct cc_words *command, const struct cli_places *p, const char *rest)
{
    char *path = base_strfmt("%s/%s", p->prefix, rest);
    cc_words_push(command, path);
    free(path);
}

int cli_riscv_figures(int argc, char **args)
{
    struct base_status st;
    struct cli_places p;
    struct cc_words command = {0};
    if (cli_places_find(&p, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    cc_words_push(&command, "python3");
    push_path(&command, &p, "share/pgasim/rae/figures");
    cc_words_push(&command, "--pgasim");
    push_path(&command, &p, "bin/pgasim");
    for (int k = 1; k < argc; k++)
        cc_words_push(&command, args[k]);
    int why = cc_words_become(&command);
    base_error("cannot run python3, which draws the figures: %s", strerror(why));
    cc_words_release(&command);
    cli_places_release(&p);
    return why == ENOENT ? 127 : 126;
}
