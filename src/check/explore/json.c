/* SPDX-License-Identifier: BSD-3-Clause */
/* json: the findings for machines, as one object. Its keys are documented in pgasim-check(1). */
#include <stdlib.h>

#include "check/explore/parts.h"

static void put_words(struct base_json *j, const char *key, const char *const *words)
{
    base_json_open(j, key, '[');
    for (; *words; words++)
        base_json_text(j, NULL, *words);
    base_json_close(j);
}

static void put_lines(struct base_json *j, const char *key, const struct explore_lines *l)
{
    base_json_open(j, key, '[');
    for (size_t k = 0; k < l->line.n; k++)
        base_json_text(j, NULL, l->line.at[k]);
    base_json_close(j);
}

static const char *end_name(enum explore_end e)
{
    static const char *const names[] = {"passed", "other output", "other memory",
                                        "failed", "did not end",  "not run"};
    return names[e];
}

static void put_outcome(struct base_json *j, const char *key, const struct explore_outcome *o)
{
    base_json_open(j, key, '{');
    base_json_text(j, "end", end_name(o->end));
    base_json_count(j, "status", (uint64_t)o->status);
    base_json_text(j, "text", o->text);
    base_json_text(j, "sample", o->sample);
    base_json_close(j);
}

static void put_race(struct base_json *j, const struct explore_findings *f, size_t number)
{
    const struct explore_race *r = &f->races.at[number];
    const struct finding *g = &f->found.at.at[number];
    static const char *const bites[] = {"not seen", "perhaps", "confirmed"};
    base_json_open(j, NULL, '{');
    finding_json_members(j, g);
    base_json_text(j, "bites", bites[r->bite]);
    if (r->bite)
        base_json_count(j, "seed", f->seeds.at[r->seed].seed);
    base_json_close(j);
}

static void put_mistake(struct base_json *j, const struct explore_mistake *m)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "text", m->text);
    base_json_count(j, "runs", m->runs);
    if (m->drawn)
        base_json_count(j, "seed", m->seed);
    base_json_close(j);
}

static void put_row(struct base_json *j, const struct explore *x, const struct explore_findings *f,
                    const struct explore_row *r)
{
    const struct explore_seed *s = &f->seeds.at[r->first];
    base_json_open(j, NULL, '{');
    base_json_count(j, "runs", r->runs);
    base_json_count(j, "seed", s->seed);
    put_outcome(j, "outcome", &s->outcome);
    base_json_flag(j, "failure", explore_is_failure(x->request, &s->outcome));
    base_json_count(j, "decisions", s->decisions.line.n);
    if (r->shrunk)
        put_lines(j, "least", &r->least);
    base_json_text(j, "replay", r->file);
    base_json_close(j);
}

static void put_all(struct base_json *j, const struct explore *x, const struct explore_findings *f)
{
    static const char *const compared[] = {"whole", "without digits", "not"};
    base_json_open(j, NULL, '{');
    base_json_text(j, "pgasim", pgasim_version);
    put_words(j, "options", x->request->command.options);
    put_words(j, "program", x->request->command.program);
    base_json_count(j, "status", (uint64_t)explore_status(x, f));
    put_outcome(j, "plain", &f->plain);
    base_json_text(j, "outputs", compared[x->plain.compare]);
    if (x->request->memory)
        base_json_flag(j, "memory", x->plain.memory.compared);
    base_json_count(j, "seeds", f->seeds.n);
    if (x->request->systematic)
        base_json_flag(j, "complete", !f->partial);
    base_json_open(j, "outcomes", '[');
    for (size_t k = 0; k < f->rows.n; k++)
        put_row(j, x, f, &f->rows.at[k]);
    base_json_close(j);
    base_json_open(j, "races", '[');
    for (size_t k = 0; k < f->races.n; k++)
        put_race(j, f, k);
    base_json_close(j);
    base_json_open(j, "mistakes", '[');
    for (size_t k = 0; k < f->mistakes.n; k++)
        put_mistake(j, &f->mistakes.at[k]);
    base_json_close(j);
    put_lines(j, "left", &f->leaks);
    finding_json_texts(j, "unseen", &f->found.summary.unseen);
    finding_json_texts(j, "allowed", &f->found.summary.allowed);
    finding_json_suppressed(j, &f->found.summary);
    base_json_close(j);
}

int explore_json(const struct explore *x, const struct explore_findings *f, struct base_status *st)
{
    struct base_output o;
    struct base_json json;
    if (base_output_open(&o, x->request->json, st))
        return -1;
    base_json_init(&json, o.out, &(struct base_json_form){.indent = "  "});
    put_all(&json, x, f);
    base_json_end(&json);
    return base_output_commit(&o, st);
}
