/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * races: what the race detector has reported, read back from its text:
 *
 *     pgasim: race: window+0x0 of rank 1
 *         written by MPI_Put of rank 0 in main, a.c:16
 *             called in ...
 *         read by MPI_Get of rank 0 in main, a.c:18
 *         what is missing
 *
 * and the search for runs in which a race bites.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

static const char begin[] = "pgasim: race: ", summary[] = "pgasim: races: ", indent[] = "    ";

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* "written by MPI_Put of rank 0 in main, a.c:16" -> "a.c:16": the last word, if a number ends it. */
static char *line_of(const char *access)
{
    const char *space = strrchr(access, ' '), *word = space ? space + 1 : access;
    const char *colon = strrchr(word, ':');
    bool place = colon && colon > word && isdigit((unsigned char)colon[1]);
    return base_strdup(place ? word : "");
}

static void read_access(struct explore_race *r, int which, const char *line)
{
    const char *by = strstr(line, " by ");
    r->access[which] = base_strdup(by ? by + strlen(" by ") : line);
    r->line[which] = line_of(line);
}

/* An address differs from run to run. */
static char *object_of(const char *text)
{
    const char *of = strstr(text, " of rank ");
    return !strncmp(text, "0x", 2) ? base_strfmt("memory%s", of ? of : "") : base_strdup(text);
}

/* The block whose first line is number `at`. */
static void read_race(struct explore_findings *f, const struct explore_lines *err, size_t at)
{
    struct explore_race r = {.object = object_of(err->line.at[at] + strlen(begin))};
    int found = 0;
    for (size_t k = at + 1; found < 2 && k < err->line.n && begins(err->line.at[k], indent); k++) {
        const char *line = err->line.at[k] + strlen(indent);
        if (*line != ' ')
            read_access(&r, found++, line);
    }
    for (; found < 2; found++)
        read_access(&r, found, "");
    BASE_ARRAY_PUSH(&f->races, r);
}

void explore_races_read(struct explore_findings *f, const struct explore_lines *err)
{
    for (size_t k = 0; k < err->line.n; k++) {
        const char *line = err->line.at[k];
        if (begins(line, begin))
            read_race(f, err, k);
        if (begins(line, "pgasim: ") && strstr(line, "not seen"))
            BASE_ARRAY_PUSH(&f->unseen.line, base_strdup(line + strlen("pgasim: ")));
        if (begins(line, summary)) {
            free(f->counted);
            f->counted = base_strdup(line + strlen(summary));
        }
    }
}

/* --- does it bite? ------------------------------------------------------------------------------------ */

/* A decision names places as "(main, a.c:16)". */
static bool names(const char *decision, const char *line)
{
    size_t n = strlen(line);
    for (const char *at = decision; n && (at = strstr(at, line)); at++)
        if (at > decision && strchr(" (/", at[-1]) && !isdigit((unsigned char)at[n]))
            return true;
    return false;
}

bool explore_race_has(const struct explore_race *r, const char *decision)
{
    return names(decision, r->line[0]) || names(decision, r->line[1]);
}

/* Those of the seed's decisions that are about the race; false: none is. */
static bool choose(const struct explore_race *r, const struct explore_lines *decisions, bool *chosen)
{
    bool any = false;
    for (size_t k = 0; k < decisions->line.n; k++)
        any |= chosen[k] = explore_race_has(r, decisions->line.at[k]);
    return any;
}

static void try_seed(struct explore *x, struct explore_findings *f, struct explore_race *r, size_t number)
{
    const struct explore_seed *s = &f->seeds.at[number];
    size_t n = s->decisions.line.n;
    bool *chosen = base_zalloc(n + 1, "decisions");
    struct explore_trial t = {x, s->seed, s->outcome.key, &s->decisions};
    if (choose(r, &s->decisions, chosen)) {
        bool bites = explore_try(&t, chosen, n, 1) == 0;
        if (bites || r->bite == EXPLORE_UNSEEN)
            r->seed = number;
        r->bite = bites ? EXPLORE_CONFIRMED : EXPLORE_MAY;
    }
    free(chosen);
}

/* A few of the seeds that failed. */
static void confirm(struct explore *x, struct explore_findings *f, struct explore_race *r)
{
    enum { SEEDS = 6 };
    unsigned tried = 0;
    for (size_t k = 0; k < f->seeds.n && tried < SEEDS && r->bite != EXPLORE_CONFIRMED; k++) {
        if (!f->seeds.at[k].decisions.line.n || explore_over(x))
            continue;
        try_seed(x, f, r, k);
        tried++;
    }
}

void explore_races_confirm(struct explore *x, struct explore_findings *f)
{
    for (size_t k = 0; k < f->races.n; k++)
        confirm(x, f, &f->races.at[k]);
}
