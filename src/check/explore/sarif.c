/* SPDX-License-Identifier: BSD-3-Clause */
/* sarif: the findings for other tools: races with how each was seen to bite, and the kinds of failures. */
#include <inttypes.h>
#include <stdlib.h>

#include "check/explore/parts.h"

static void put_race(struct base_json *j, const struct explore *x, const struct explore_findings *f,
                     size_t race)
{
    char *bite = explore_bite_text(x, f, race);
    finding_sarif_add(j, &f->found.at.at[race], bite);
    free(bite);
}

static char *failure_text(const struct explore_row *r, const struct explore_seed *s)
{
    struct base_text t;
    base_text_init(&t, "a report");
    base_text_format(&t, "with seed %" PRIu64 ": %s", s->seed, s->outcome.text);
    if (s->outcome.sample)
        base_text_format(&t, ": %s", s->outcome.sample);
    for (size_t k = 0; k < r->least.line.n; k++) {
        const char *space = strchr(r->least.line.at[k], ' ');
        base_text_add(&t, !k ? (r->shrunk ? "; if and only if: " : "; if, at least: ") : "; ");
        base_text_add(&t, space ? space + 1 : r->least.line.at[k]);
    }
    return base_text_take(&t);
}

/* The place of the first race that the failure's decisions are about; none of its own is known. */
static void place_failure(struct finding *to, const struct explore_findings *f, const struct explore_row *r)
{
    for (size_t k = 0; k < f->races.n; k++)
        for (size_t i = 0; i < r->least.line.n; i++)
            for (uint32_t a = 0; a < f->found.at.at[k].accesses; a++)
                if (explore_line_in(f->races.at[k].line[a], r->least.line.at[i])) {
                    finding_access_copy(to, &f->found.at.at[k].access[a]);
                    return;
                }
}

/* takes `text` and `command` */
static void put_finding(struct base_json *j, struct finding *g, char *text, char *command)
{
    char *repeat = base_strfmt("to repeat it: %s", command);
    finding_set(&g->missing, text);
    finding_sarif_add(j, g, repeat);
    finding_release(g);
    free(text);
    free(command);
    free(repeat);
}

/* Without the adversary, too; with seeds, it is among them. */
static void put_plain(struct base_json *j, const struct explore *x, const struct explore_findings *f)
{
    bool plain = explore_is_failure(x->request, &f->plain);
    if (!plain && !explore_is_failure(x->request, &f->detector))
        return;
    struct finding g;
    finding_init(&g, FINDING_FAILURE);
    put_finding(j, &g, base_strfmt("without the adversary: %s", plain ? f->plain.text : f->detector.text),
                explore_command_text(&x->request->command, plain ? "pgasim run --compute=off"
                                                                 : "pgasim run --check=races --compute=off"));
}

static void put_failure(struct base_json *j, const struct explore *x, const struct explore_findings *f,
                        const struct explore_row *r)
{
    const struct explore_seed *s = &f->seeds.at[r->first];
    struct finding g;
    finding_init(&g, FINDING_FAILURE);
    g.count = r->runs;
    place_failure(&g, f, r);
    put_finding(j, &g, failure_text(r, s), explore_repeat_text(x, s, r));
}

int explore_sarif(const struct explore *x, const struct explore_findings *f, struct base_status *st)
{
    struct base_output o;
    struct base_json j;
    char *command = explore_command_text(&x->request->command, "pgasim check");
    size_t failures = 0;
    if (base_output_open(&o, x->request->sarif, st)) {
        free(command);
        return -1;
    }
    base_json_init(&j, o.out, &(struct base_json_form){.indent = "  "});
    finding_sarif_begin(&j);
    for (size_t k = 0; k < f->found.at.n; k++)
        put_race(&j, x, f, k);
    for (size_t k = 0; k < f->rows.n; k++)
        if (explore_is_failure(x->request, &f->seeds.at[f->rows.at[k].first].outcome)) {
            put_failure(&j, x, f, &f->rows.at[k]);
            failures++;
        }
    if (!failures)
        put_plain(&j, x, f);
    finding_sarif_end(&j, command, explore_status(x, f));
    base_json_end(&j);
    free(command);
    return base_output_commit(&o, st);
}
