/* SPDX-License-Identifier: BSD-3-Clause */
/* report: the findings for people: a table of outcomes, the decisions that matter, the races, and a verdict. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

static void say(const char *fmt, ...) BASE_PRINTF(1, 2);
static void say(const char *fmt, ...)
{
    va_list args;
    FILE *out = base_report_stream();
    fputs("pgasim: check: ", out);
    va_start(args, fmt);
    vfprintf(out, fmt, args);
    va_end(args);
    fputc('\n', out);
}

/* What the number of a run is. */
static const char *unit(const struct explore *x)
{
    return x->request->systematic ? "run" : "seed";
}

/* --- commands ----------------------------------------------------------------------------------------- */

char *explore_command_text(const struct explore_command *c, const char *before)
{
    struct base_text t;
    base_text_init(&t, "a command");
    base_text_add(&t, before);
    base_text_shell_words(&t, c->options);
    base_text_shell_words(&t, c->program);
    return base_text_take(&t);
}

char *explore_repeat_text(const struct explore *x, const struct explore_seed *s,
                          const struct explore_row *row)
{
    if (row && row->file) {
        struct base_text t;
        base_text_init(&t, "a command");
        base_text_add(&t, "pgasim check --replay ");
        base_text_shell(&t, row->file);
        return base_text_take(&t);
    }
    char *before = s ? base_strfmt("pgasim run --check=nasty --seed %" PRIu64, s->seed)
                     : base_strdup("pgasim run --check=races --compute=off");
    char *text = explore_command_text(&x->request->command, before);
    free(before);
    return text;
}

static void say_repeat(const struct explore *x, const struct explore_seed *s, const struct explore_row *row)
{
    char *text = explore_repeat_text(x, s, row);
    say("to repeat it: %s", text);
    free(text);
}

/* --- outcomes ------------------------------------------------------------------------------------------- */

static uint64_t last_seed(const struct explore_findings *f)
{
    return f->seeds.at[f->seeds.n - 1].seed;
}

static void say_row(const struct explore *x, const struct explore_findings *f, const struct explore_row *r)
{
    FILE *out = base_report_stream();
    const struct explore_seed *s = &f->seeds.at[r->first];
    if (s->outcome.end == EXPLORE_PASSED)
        fprintf(out, "  %6" PRIu64 "  %s\n", r->runs, s->outcome.text);
    else
        fprintf(out, "  %6" PRIu64 "  %s (first: %s %" PRIu64 ")%s%s\n", r->runs, s->outcome.text, unit(x),
                s->seed, s->outcome.sample ? ": " : "", s->outcome.sample ? s->outcome.sample : "");
}

static void say_outcomes(const struct explore *x, const struct explore_findings *f)
{
    if (!f->seeds.n) {
        say("no adversarial run came to its end in time");
        return;
    }
    say("how %zu %s run%s ended, %ss %" PRIu64 " to %" PRIu64 "%s", f->seeds.n,
        x->request->systematic ? "systematic" : "adversarial", f->seeds.n > 1 ? "s" : "", unit(x),
        f->seeds.at[0].seed, last_seed(f),
        f->stopped ? " (stopped at the first failure)"
        : f->late  ? " (the time was over)"
                   : "");
    for (size_t k = 0; k < f->rows.n; k++)
        say_row(x, f, &f->rows.at[k]);
}

/* --- decisions ------------------------------------------------------------------------------------------ */

/* What a decision says, and the races that it is about. */
static void say_decision(const struct explore_findings *f, const char *decision)
{
    FILE *out = base_report_stream();
    const char *space = strchr(decision, ' ');
    fprintf(out, "    %s", space ? space + 1 : decision);
    for (size_t k = 0; k < f->races.n; k++)
        if (explore_race_has(&f->races.at[k], decision))
            fprintf(out, " [%s %zu]", finding_rules[f->found.at.at[k].kind].word, k + 1);
    fputc('\n', out);
}

static void say_least(const struct explore *x, const struct explore_findings *f, const struct explore_row *r)
{
    const struct explore_seed *s = &f->seeds.at[r->first];
    size_t n = r->least.line.n, of = s->decisions.line.n;
    if (s->outcome.end == EXPLORE_ENDLESS)
        say("%s %" PRIu64 " did not end, so it was not shrunk", unit(x), s->seed);
    else if (r->anyway)
        say("%s %" PRIu64 " fails without any decision of the adversary, too", unit(x), s->seed);
    else if (!n)
        say("%s %" PRIu64 " could not be repeated, or the time was over", unit(x), s->seed);
    else
        say("%s %" PRIu64 " fails %s (%zu of %zu decision%s):", unit(x), s->seed,
            r->shrunk ? "if and only if" : "if, at least,", n, of, of == 1 ? "" : "s");
    for (size_t k = 0; k < n; k++)
        say_decision(f, r->least.line.at[k]);
}

/* The finding that can be repeated best: the first failure; NULL: none. */
static const struct explore_row *best(const struct explore *x, const struct explore_findings *f)
{
    for (size_t k = 0; k < f->rows.n; k++)
        if (explore_is_failure(x->request, &f->seeds.at[f->rows.at[k].first].outcome))
            return &f->rows.at[k];
    return NULL;
}

static void say_decisions(const struct explore *x, const struct explore_findings *f)
{
    for (size_t k = 0; k < f->rows.n; k++) {
        const struct explore_row *r = &f->rows.at[k];
        enum explore_end end = f->seeds.at[r->first].outcome.end;
        if (end == EXPLORE_PASSED || end == EXPLORE_UNTRIED)
            continue;
        if (x->request->shrink)
            say_least(x, f, r);
        if (r != best(x, f)) /* whose command comes last */
            say_repeat(x, &f->seeds.at[r->first], r);
    }
    if (x->paired)
        say("what differs between the run that fails and one that does not: pgasim diff %s-passes.pgt "
            "%s-fails.pgt",
            x->request->pair, x->request->pair);
}

/* --- races -------------------------------------------------------------------------------------------- */

char *explore_bite_text(const struct explore *x, const struct explore_findings *f, size_t race)
{
    const struct explore_race *r = &f->races.at[race];
    if (!r->bite)
        return base_strfmt("not seen to bite in %zu %ss", f->seeds.n, unit(x));
    const struct explore_seed *s = &f->seeds.at[r->seed];
    return base_strfmt("%s %s %" PRIu64 ": %s",
                       r->bite == EXPLORE_CONFIRMED ? "confirmed by" : "perhaps what goes wrong with",
                       unit(x), s->seed, s->outcome.text);
}

static void add_access(struct base_text *t, const struct finding_access *a)
{
    char name[FINDING_NAME];
    base_text_format(t, "%s of rank %" PRIu32, a->what, a->rank);
    if (*finding_place_name(&a->place, name, sizeof name))
        base_text_format(t, " in %s", name);
}

static void say_races(const struct explore *x, const struct explore_findings *f)
{
    for (size_t k = 0; k < f->races.n; k++) {
        const struct finding *g = &f->found.at.at[k];
        char *bite = explore_bite_text(x, f, k);
        struct base_text t;
        base_text_init(&t, "a report");
        base_text_format(&t, "%s %zu, ", finding_rules[g->kind].word, k + 1);
        finding_object_text(g, &t);
        base_text_add(&t, ": ");
        for (uint32_t i = 0; i < g->accesses; i++) {
            base_text_add(&t, i ? " and " : "");
            add_access(&t, &g->access[i]);
        }
        char *text = base_text_take(&t);
        say("%s: %s", text, bite);
        free(text);
        free(bite);
    }
}

/* --- mistakes ------------------------------------------------------------------------------------------ */

static void say_mistakes(const struct explore *x, const struct explore_findings *f)
{
    for (size_t k = 0; k < f->mistakes.n; k++) {
        const struct explore_mistake *m = &f->mistakes.at[k];
        if (m->drawn)
            say("mistake %zu, first with %s %" PRIu64 ": %s", k + 1, unit(x), m->seed, m->text);
        else
            say("mistake %zu: %s", k + 1, m->text);
    }
}

/* --- verdict -------------------------------------------------------------------------------------------- */

static size_t failures(const struct explore *x, const struct explore_findings *f)
{
    size_t n = 0;
    for (size_t k = 0; k < f->rows.n; k++)
        n += explore_is_failure(x->request, &f->seeds.at[f->rows.at[k].first].outcome);
    if (!n) /* with seeds, it is among them */
        n = explore_is_failure(x->request, &f->plain) || explore_is_failure(x->request, &f->detector);
    return n;
}

int explore_status(const struct explore *x, const struct explore_findings *f)
{
    if (explore_errors(f) || f->mistakes.n || failures(x, f))
        return BASE_EXIT_FOUND;
    for (size_t k = 0; k < f->rows.n; k++)
        if (f->seeds.at[f->rows.at[k].first].outcome.end == EXPLORE_UNTRIED)
            return f->seeds.at[f->rows.at[k].first].outcome.status;
    return BASE_EXIT_OK;
}

static void say_plain(const struct explore *x, const struct explore_findings *f)
{
    if (explore_is_failure(x->request, &f->plain))
        say("the plain run fails, too: %s", f->plain.text);
    else if (explore_is_failure(x->request, &f->detector))
        say("the run for races fails: %s", f->detector.text);
}

static void say_detected(const struct explore_findings *f)
{
    struct base_text t;
    base_text_init(&t, "a report");
    finding_summary_text(&f->found, &t);
    char *text = base_text_take(&t);
    say("checked: one run for races: %s", f->found.summary.ended ? text : "it did not come to its end");
    free(text);
}

static void say_checked(const struct explore *x, const struct explore_findings *f)
{
    const struct explore_plain *p = &x->plain;
    say_detected(f);
    say("checked: %zu %s run%s, whose ends%s%s were compared", f->seeds.n,
        x->request->systematic ? "systematic" : "adversarial", f->seeds.n == 1 ? "" : "s",
        p->compare == EXPLORE_NOT ? ""
        : p->memory.compared      ? ", outputs"
                                  : " and outputs",
        p->memory.compared ? " and memory where all ranks meet" : "");
    if (p->memory.compared && p->memory.varying.live)
        say("not checked: %" PRIu32 " blocks of memory, which differ with the platform",
            p->memory.varying.live);
    if (x->request->memory && !p->memory.compared)
        say("not checked: memory: all ranks never meet, or not equally often");
    if (x->request->systematic && !f->partial)
        say("checked: complete: all %zu orders of the operations that may be kept back", f->seeds.n);
    if (x->request->systematic && f->partial)
        say("not checked: not complete: there are other orders of the operations that may be kept back");
    if (p->compare == EXPLORE_MASKED)
        say("not checked: numbers in outputs, which differ with the platform");
    if (p->compare == EXPLORE_NOT)
        say("not checked: outputs: %s", f->detector.end == EXPLORE_PASSED
                                            ? "they differ with the platform"
                                            : "no run without the adversary ended well");
    for (size_t k = 0; k < f->found.summary.unseen.text.n; k++)
        say("not checked: %s", f->found.summary.unseen.text.at[k]);
    for (size_t k = 0; k < f->found.summary.allowed.text.n; k++)
        say("not reported: %s", f->found.summary.allowed.text.at[k]);
    for (size_t k = 0; k < f->leaks.line.n; k++)
        say("not freed, which is no error: %s", f->leaks.line.at[k]);
    say("not checked: code that was not run, and what libraries of the system do but for the calls that are "
        "known (docs/check.md)");
}

static void say_suppressed(const struct explore *x, const struct explore_findings *f)
{
    struct base_text t;
    base_text_init(&t, "a report");
    finding_suppressed_text(&f->found.summary, x->request->verbose, "pgasim: check: ", &t);
    base_text_write(&t, base_report_stream());
    base_text_release(&t);
}

static void say_command(const struct explore *x)
{
    struct base_text t;
    base_text_init(&t, "a command");
    base_text_add(&t, "pgasim check");
    base_text_shell_words(&t, x->request->words);
    char *text = base_text_take(&t);
    say("to repeat it: %s", text);
    free(text);
}

static void say_last(const struct explore *x, const struct explore_findings *f)
{
    const struct explore_row *r = best(x, f);
    if (r)
        say_repeat(x, &f->seeds.at[r->first], r);
    else if (f->races.n || (f->mistakes.n && !f->mistakes.at[0].drawn))
        say_repeat(x, NULL, NULL);
    else if (f->mistakes.n)
        say_repeat(x, &(struct explore_seed){.seed = f->mistakes.at[0].seed}, NULL);
    else
        say_command(x);
}

void explore_report_nothing(const struct explore *x, const struct explore_findings *f)
{
    say(x->interrupt ? "interrupted" : "the program could not be run");
    say("checked: nothing to its end%s", f->found.summary.ended ? " but one run for races" : "");
    say_command(x);
    fflush(base_report_stream());
}

static void say_verdict(size_t races, size_t mistakes, size_t failed)
{
    char more[40] = "";
    if (mistakes)
        snprintf(more, sizeof more, ", %zu mistake%s", mistakes, mistakes == 1 ? "" : "s");
    if (races || mistakes || failed)
        say("errors were found: %zu race%s, %zu kind%s of failure%s", races, races == 1 ? "" : "s", failed,
            failed == 1 ? "" : "s", more);
    else
        say("no error was found");
}

void explore_report(const struct explore *x, const struct explore_findings *f)
{
    say_plain(x, f);
    say_outcomes(x, f);
    say_decisions(x, f);
    say_races(x, f);
    say_mistakes(x, f);
    say_verdict(explore_errors(f), f->mistakes.n, failures(x, f));
    if (x->request->verbose)
        say("it took %.1f s", explore_seconds() - x->began);
    say_checked(x, f);
    say_suppressed(x, f);
    say_last(x, f);
    fflush(base_report_stream());
}
