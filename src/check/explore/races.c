/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * races: what the race detector's run has found, read from the file that it wrote meanwhile, and the search for runs
 * in which a race bites.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

void explore_races_take(struct explore_findings *f, struct finding_list found)
{
    f->found = found;
    for (size_t k = 0; k < found.at.n; k++) {
        struct finding *g = &found.at.at[k];
        struct explore_race r = {.seed = 0};
        if (!strncmp(g->object, "0x", 2)) /* it differs from run to run */
            finding_set(&g->object, "memory");
        for (int i = 0; i < 2; i++)
            finding_place_line(&g->access[i].place, r.line[i], sizeof r.line[i]);
        BASE_ARRAY_PUSH(&f->races, r);
    }
}

/* There is no file if the run did not come so far. */
void explore_races_read(const struct explore *x, struct explore_findings *f, const struct explore_run *r)
{
    struct finding_list found;
    struct base_status st;
    char *path = explore_path(x, r->number, "findings");
    FILE *in = fopen(path, "re");
    if (in && finding_list_read(&found, in, path, &st))
        base_error("%s", st.text);
    else if (in)
        explore_races_take(f, found);
    if (in)
        fclose(in);
    free(path);
}

size_t explore_errors(const struct explore_findings *f)
{
    return finding_list_errors(&f->found);
}

/* --- does it bite? ------------------------------------------------------------------------------------ */

/* A decision names places as "(main, a.c:16)". */
bool explore_line_in(const char *line, const char *decision)
{
    size_t n = strlen(line);
    for (const char *at = decision; n && (at = strstr(at, line)); at++)
        if (at > decision && strchr(" (/", at[-1]) && !isdigit((unsigned char)at[n]))
            return true;
    return false;
}

bool explore_race_has(const struct explore_race *r, const char *decision)
{
    return explore_line_in(r->line[0], decision) || explore_line_in(r->line[1], decision);
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
