/* SPDX-License-Identifier: BSD-3-Clause */
/* repeat: `pgasim check --replay`: runs what a replay file describes, and compares how it ends. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/explore/parts.h"

/* The words of the file, and those of the command line: its options are more options, its program is instead. */
struct words {
    BASE_ARRAY(const char *) options, program;
};

static void collect(struct words *w, const struct explore_replay *r, const struct explore_command *c)
{
    for (size_t k = 0; k < r->options.line.n; k++)
        BASE_ARRAY_PUSH(&w->options, (const char *)r->options.line.at[k]);
    for (size_t k = 0; c->options[k]; k++)
        BASE_ARRAY_PUSH(&w->options, c->options[k]);
    for (size_t k = 0; !c->program[0] && k < r->program.line.n; k++)
        BASE_ARRAY_PUSH(&w->program, (const char *)r->program.line.at[k]);
    for (size_t k = 0; c->program[k]; k++)
        BASE_ARRAY_PUSH(&w->program, c->program[k]);
    BASE_ARRAY_PUSH(&w->options, (const char *)NULL);
    BASE_ARRAY_PUSH(&w->program, (const char *)NULL);
}

static int read_file(struct explore_replay *r, const char *path, struct base_status *st)
{
    FILE *in = fopen(path, "re");
    if (!in)
        return base_fail(st, "%s: %s", path, strerror(errno));
    int failed = explore_replay_read(r, in, path, st);
    fclose(in);
    return failed;
}

/* An output that is unlike the plain run's is known by comparison alone. */
static void compare_outputs(struct explore *x)
{
    struct explore_findings f = {.stopped = false};
    struct explore_run r = {.way = EXPLORE_PLAIN, .limit = x->request->limit};
    if (explore_one(x, &r)) {
        struct explore_result got = explore_read(x, &r);
        f.detector = explore_outcome_of(&got, NULL);
        x->plain.out = got.out;
        x->compares = true;
        explore_lines_release(&got.err);
        explore_lines_release(&got.mistakes);
        explore_lines_release(&got.memory);
        explore_run_plain(x, &f);
    }
    explore_findings_release(&f);
}

static int judge(const struct explore_replay *r, const struct explore_outcome *o)
{
    if (!strcmp(o->key, r->key)) {
        base_info("check: the same outcome: %s", o->text);
        return BASE_EXIT_FOUND;
    }
    base_info("check: another outcome: %s", o->text);
    base_info("check: it was: %s", r->outcome);
    return o->end == EXPLORE_UNTRIED ? o->status : o->end == EXPLORE_PASSED ? BASE_EXIT_OK : BASE_EXIT_FOUND;
}

static int repeat(struct explore *x, const struct explore_replay *r)
{
    char *allow = explore_allow(x, &r->decisions, NULL);
    struct explore_run run = {.way = EXPLORE_NASTY,
                              .seed = r->seed,
                              .allow = allow,
                              .shown = true,
                              .limit = x->request->limit,
                              .scripted = r->scripted};
    int status = BASE_EXIT_OK;
    if (!strncmp(r->key, "other ", strlen("other ")))
        compare_outputs(x);
    if (explore_one(x, &run)) {
        struct explore_result got = explore_read(x, &run);
        struct explore_outcome o = explore_outcome_of(&got, x->compares ? &x->plain : NULL);
        status = judge(r, &o);
        explore_outcome_release(&o);
        explore_result_release(&got);
    }
    free(allow);
    return status;
}

static void say_last(const struct explore_replay *r, const char *file)
{
    base_info("check: checked: one run, with the %zu %s of the file and no others", r->decisions.line.n,
              r->decisions.line.n == 1 ? "decision" : "decisions");
    base_info("check: not checked: races, and other executions");
    base_info("check: to repeat it: pgasim check --replay %s", file);
}

int explore_replay(const char *file, const struct explore_request *instead)
{
    struct explore_replay r;
    struct explore_request q = *instead;
    struct words w = {{0}, {0}};
    struct explore x;
    struct base_status st;
    int status = BASE_EXIT_HOST;
    if (read_file(&r, file, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    collect(&w, &r, &instead->command);
    q.command.options = w.options.at;
    q.command.program = w.program.at;
    q.memory |= !strncmp(r.key, "other memory", strlen("other memory"));
    if (explore_open(&x, &q, &st)) {
        base_error("%s", st.text);
    } else {
        status = repeat(&x, &r);
        say_last(&r, file);
        explore_close(&x);
    }
    free(w.options.at);
    free(w.program.at);
    explore_replay_release(&r);
    return status;
}
