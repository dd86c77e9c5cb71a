/* SPDX-License-Identifier: BSD-3-Clause */
/* space: from what the command line asks for to a space, and from its table to files. */
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/table.h"
#include "cli/platform/platform.h"
#include "cli/tune/tune.h"

static const char all_shapes[] = "grid-2d,grid-3d,moore-2d,moore-3d,random-16";

static void add_setting(void *arg, const struct base_setting *decl, const char *value, enum base_origin from)
{
    uint64_t *of = arg;
    (void)from;
    *of = base_fnv(*of, decl->key, strlen(decl->key) + 1);
    *of = base_fnv(*of, value, strlen(value) + 1);
}

/* Of what times depend on besides the trial. A platform without a file is what its name says. */
static uint64_t fingerprint_of(const struct tune_space *s, const struct tune_request *q)
{
    uint64_t of = base_fnv(BASE_FNV, pgasim_version, strlen(pgasim_version));
    const char *name = q->run.platform ? q->run.platform : "";
    const uint64_t rest[] = {s->stage.one_sided, s->stage.times, s->stage.seed, s->events,
                             platform_host_count(s->stage.platform)};
    char bytes[4096];
    FILE *f = q->run.platform ? fopen(name, "re") : NULL;
    of = base_fnv(of, rest, sizeof rest);
    of = base_fnv(of, &s->stage.skew, sizeof s->stage.skew);
    of = base_fnv(of, name, f ? 0 : strlen(name));
    for (size_t n; f && (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        of = base_fnv(of, bytes, n);
    if (f)
        fclose(f);
    base_settings_each(s->stage.settings, add_setting, &of);
    return of;
}

static void show_progress(void *arg, uint64_t trials, uint64_t asked)
{
    (void)arg;
    fprintf(stderr, "pgasim: %llu trials, %llu under way\033[K\r", (unsigned long long)trials,
            (unsigned long long)asked);
}

/* A whole word of the list. */
static bool is_named(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ','))
            return true;
    return false;
}

/* Names what the form has no rules for; true: it has. */
static bool holds(const struct tune_request *q, enum coll_op op, char *left_out, size_t size)
{
    if (tune_form_holds(q->form, op))
        return true;
    if (!is_named(left_out, tune_op_name(op)))
        snprintf(left_out + strlen(left_out), size - strlen(left_out), "%s%s", *left_out ? ", " : "",
                 tune_op_name(op));
    return false;
}

static int say_left_out(const char *left_out, bool rest, struct base_status *st)
{
    if (*left_out && !rest)
        return base_fail(st, "--form: files of this form have no rules for %s", left_out);
    if (*left_out)
        base_info("files of this form have no rules for %s: left out", left_out);
    return 0;
}

/* They are MPI's alone. */
static void leave_out_between(struct tune_space *s)
{
    size_t kept = 0;
    for (size_t k = 0; k < s->op.n; k++)
        if (!tune_op_is_between(s->op.at[k]))
            s->op.at[kept++] = s->op.at[k];
    if (kept < s->op.n)
        base_info("--one-sided: operations between groups are left out, as their messages are MPI's");
    s->op.n = kept;
}

static int keep_held(struct tune_space *s, const struct tune_request *q, struct base_status *st)
{
    char left_out[512] = "";
    if (q->one_sided)
        leave_out_between(s);
    size_t kept = 0;
    for (size_t k = 0; k < s->op.n; k++)
        if (holds(q, s->op.at[k], left_out, sizeof left_out))
            s->op.at[kept++] = s->op.at[k];
    s->op.n = kept;
    if (!kept && !*left_out)
        return base_fail(st, "--op: nothing is left that can be tuned");
    return say_left_out(left_out, kept > 0, st);
}

static bool has_any(const struct tune_space *s, bool (*is)(enum coll_op op))
{
    for (size_t k = 0; k < s->op.n; k++)
        if (is(s->op.at[k]))
            return true;
    return false;
}

static bool is_between(enum coll_op op)
{
    return tune_op_is_between(op);
}

static int fill_places(struct tune_space *s, const struct tune_request *q, struct base_status *st)
{
    const struct run_options *o = &q->run;
    const struct platform_where where = {.hostfile = o->hostfile,
                                         .hosts = o->parts.at[0].hosts,
                                         .map = o->by_host ? PLATFORM_MAP_HOST : PLATFORM_MAP_CORE,
                                         .per_host = o->per_host};
    if (tune_space_ops(s, q->ops ? q->ops : "all", st) || keep_held(s, q, st) ||
        tune_space_sizes(s, q->sizes ? q->sizes : "8:1MiB", st))
        return -1;
    for (size_t k = 0; k < q->ranks.n; k++)
        if (tune_space_place(s, q->ranks.at[k], &where, st) ||
            (has_any(s, tune_op_has_graph) && tune_space_shapes(s, q->shapes ? q->shapes : all_shapes, st)))
            return -1;
        else if (has_any(s, is_between))
            tune_space_halves(s);
    return 0;
}

/* Sizes of one graph on the same hosts have one place. */
static uint32_t place_of(struct tune_space *s, const struct tune_use *u)
{
    const struct tune_place *last = s->place.n ? &s->place.at[s->place.n - 1] : NULL;
    if (u->first)
        return tune_space_between(s, u->ranks, u->host, u->first);
    if (!u->graph)
        return tune_space_hosts(s, u->ranks, u->host);
    if (last && last->graph && last->ranks == u->ranks &&
        !memcmp(last->host, u->host, u->ranks * sizeof *u->host) &&
        tune_graph_fingerprint(last->graph) == tune_graph_fingerprint(u->graph))
        return (uint32_t)s->place.n - 1;
    return tune_space_graph(s, u->ranks, u->host, tune_graph_copy(u->graph));
}

/* What the form has no rules for is left out of `u`, too. */
static int fill_uses(struct tune_space *s, struct tune_uses *u, const struct tune_request *q,
                     struct base_status *st)
{
    char left_out[512] = "";
    size_t kept = 0;
    for (size_t k = 0; k < u->n; k++)
        if (holds(q, u->at[k].op, left_out, sizeof left_out))
            u->at[kept++] = u->at[k];
        else
            tune_use_release(&u->at[k]);
    u->n = kept;
    for (size_t k = 0; k < u->n; k++) {
        struct tune_point p = {u->at[k].op, place_of(s, &u->at[k]), u->at[k].bytes};
        BASE_ARRAY_PUSH(&s->only, p);
    }
    return say_left_out(left_out, kept > 0, st);
}

static int make_stage(struct tune_space *s, const struct tune_request *q, struct base_status *st)
{
    struct tune_stage *g = &s->stage;
    g->settings = cli_settings_create();
    if (base_settings_read_environment(g->settings, environ, cli_not_settings, st) ||
        run_options_apply_sets(&q->run, g->settings, st))
        return -1;
    if (q->run.platform)
        return cli_platform_load(&g->platform, q->run.platform, g->settings, st);
    uint32_t most = (uint32_t)q->run.ranks;
    for (size_t k = 0; k < q->ranks.n; k++)
        most = q->ranks.at[k] > most ? q->ranks.at[k] : most;
    g->platform = platform_default(most);
    platform_default_configure(g->settings);
    return 0;
}

static bool allows(void *arg, const struct coll_algorithm_info *a, const struct tune_choice *c)
{
    const struct tune_request *q = arg;
    return tune_form_allows(q->form, a, c);
}

int tune_make_space(struct tune_space *s, const struct tune_request *q, struct tune_uses *u,
                    struct base_status *st)
{
    if (make_stage(s, q, st))
        return -1;
    s->stage.one_sided = u ? u->n && u->at[0].one_sided : q->one_sided;
    s->stage.skew = q->skew;
    s->stage.seed = q->seed;
    s->stage.times = q->times;
    s->budget = q->budget;
    s->events = q->events;
    s->workers = q->workers;
    s->whole = q->whole;
    s->journal = q->journal;
    s->arg = (void *)(uintptr_t)q;
    if (q->form != TUNE_RULES)
        s->allows = allows;
    s->fingerprint = fingerprint_of(s, q);
    if (isatty(STDERR_FILENO) && !q->run.quiet)
        s->progress = show_progress;
    return u ? fill_uses(s, u, q, st) : fill_places(s, q, st);
}

/* --- files ---------------------------------------------------------------------------------------- */

static int write_csv(const struct tune_space *s, const struct tune_table *t, const char *path,
                     struct base_status *st)
{
    struct base_output o;
    if (base_output_open(&o, path, st))
        return -1;
    tune_write_csv(s, t, o.out);
    return base_output_commit(&o, st);
}

static const char *title_of(const struct tune_request *q)
{
    return q->run.program ? q->run.program[0] : q->run.platform ? q->run.platform : "built-in cluster";
}

static int write_page(const struct tune_space *s, const struct tune_table *t, const struct tune_request *q,
                      struct base_status *st)
{
    struct base_output o;
    if (base_output_open(&o, q->page, st))
        return -1;
    tune_write_page(s, t, title_of(q), o.out);
    return base_output_commit(&o, st);
}

static int write_form(const struct tune_space *s, const struct tune_table *t, const struct tune_request *q,
                      struct base_status *st)
{
    struct base_output o;
    if (base_output_open(&o, q->output, st))
        return -1;
    tune_write_form(q->form, s, t, title_of(q), o.out);
    return base_output_commit(&o, st);
}

int tune_write_files(const struct tune_space *s, const struct tune_table *t, const struct tune_request *q,
                     struct base_status *st)
{
    if (q->output && write_form(s, t, q, st))
        return -1;
    if (q->csv && write_csv(s, t, q->csv, st))
        return -1;
    return q->page ? write_page(s, t, q, st) : 0;
}
