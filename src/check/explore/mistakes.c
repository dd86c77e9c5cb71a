/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mistakes: what runs have reported of the program that is neither a race nor an end of its own, read back
 * from their text:
 *
 *     pgasim: error: rank 1 (host node-4) at 194.0 us: MPI_Irecv: its buffer has ... (misuse/buffer-in-use)
 *     pgasim:   called in main, a.c:12
 *
 * and objects that were left, which is no error (MPI-5.0 section 11.2.2):
 *
 *     pgasim:   leak: ranks 0-3: 2 communicators each, made by MPI_Comm_dup in main, a.c:42
 */
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

static const char error[] = "pgasim: error: ", more[] = "pgasim:   called in ",
                  leak[] = "pgasim:   leak: ", key[] = "(misuse/";

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static bool is_mistake(const char *line)
{
    const char *open = strrchr(line, '(');
    return begins(line, error) && open && begins(open, key) && line[strlen(line) - 1] == ')';
}

/* Takes the mistakes out of `err`, whose rest says how the run has ended. */
void explore_mistakes_take(struct explore_result *t)
{
    size_t kept = 0;
    bool other = false, mine = false;
    for (size_t k = 0; k < t->err.line.n; k++) {
        char *line = t->err.line.at[k];
        mine = is_mistake(line) || (mine && begins(line, more));
        other |= !mine && begins(line, error);
        if (mine)
            BASE_ARRAY_PUSH(&t->mistakes.line, line);
        else
            t->err.line.at[kept++] = line;
    }
    t->err.line.n = kept;
    if (t->ended && t->status == BASE_EXIT_FOUND && t->mistakes.line.n && !other)
        t->status = BASE_EXIT_OK;
}

static void add(struct explore_findings *f, const char *line, const char *place, const struct explore_seed *s)
{
    const char *text = explore_without_rank(line + strlen(error));
    struct explore_mistake m = {.seed = s ? s->seed : 0, .drawn = s != NULL, .runs = 1};
    m.text = *place ? base_strfmt("%s, called in %s", text, place) : base_strdup(text);
    m.kind = explore_mask(m.text);
    for (size_t k = 0; k < f->mistakes.n; k++)
        if (!strcmp(f->mistakes.at[k].kind, m.kind)) {
            f->mistakes.at[k].runs++;
            free(m.text);
            free(m.kind);
            return;
        }
    BASE_ARRAY_PUSH(&f->mistakes, m);
}

void explore_mistakes_add(struct explore_findings *f, const struct explore_lines *l,
                          const struct explore_seed *s)
{
    for (size_t k = 0; k < l->line.n; k++) {
        const char *next = k + 1 < l->line.n ? l->line.at[k + 1] : "";
        if (is_mistake(l->line.at[k]))
            add(f, l->line.at[k], begins(next, more) ? next + strlen(more) : "", s);
    }
}

void explore_leaks_read(struct explore_findings *f, const struct explore_lines *err)
{
    for (size_t k = 0; k < err->line.n; k++)
        if (begins(err->line.at[k], leak))
            BASE_ARRAY_PUSH(&f->leaks.line, base_strdup(err->line.at[k] + strlen(leak)));
}

void explore_mistakes_release(struct explore_findings *f)
{
    for (size_t k = 0; k < f->mistakes.n; k++) {
        free(f->mistakes.at[k].text);
        free(f->mistakes.at[k].kind);
    }
    free(f->mistakes.at);
    explore_lines_release(&f->leaks);
}
