/* SPDX-License-Identifier: BSD-3-Clause */
/* explain: what order is missing between two accesses, in words. */
#include "check/race/accesses.h"
#include "check/race/reports.h"
#include "check/race/strands.h"

#include <stdlib.h>

static void add_over(struct base_text *t, struct race *d, const struct race_over *over)
{
    char name[FINDING_NAME];
    const char *call = over->place ? d->places.at[over->place].call : NULL;
    base_text_format(t, "by %s", call ? call : "a call");
    if (over->place && *race_name_of(d, over->place, name, sizeof name))
        base_text_format(t, " in %s", name);
}

/* An operation that is not complete, or whose completion the other does not know. */
static void explain_operation(struct base_text *t, struct race *d, const struct race_access *a,
                              const struct race_access *b)
{
    const struct race_end *e = &d->ends.at[a->end];
    const char *call = race_what(d, a);
    const struct race_over *over = a->remote ? &e->remote : &e->local;
    bool one = e->origin != RACE_NOBODY;
    if (over->count) {
        base_text_format(t, "%s was completed ", call);
        add_over(t, d, over);
        base_text_format(t, ", and nothing orders that before %s", race_what(d, b));
    } else if (a->remote && e->local.count) {
        base_text_format(t, "%s was completed at its origin ", call);
        add_over(t, d, &e->local);
        base_text_add(t, ", but not at its target");
    } else {
        base_text_format(t, "%s %s when %s began", call, one ? "was not complete" : "had not been waited for",
                         race_what(d, b));
        if (a->strand != b->strand && race_knows(race_strand_now(d), a->strand, a->count))
            base_text_add(t, ": the ranks synchronize in between, but that completes no operation");
    }
}

static void explain_order(struct base_text *t, struct race *d, const struct race_access *a,
                          const struct race_access *b)
{
    if (race_is_atomic(a->kind) && race_is_atomic(b->kind))
        base_text_add(t, "both are atomic, but of different types or at overlapping places\n");
    if (a->end)
        explain_operation(t, d, a, b);
    else
        base_text_format(t, "nothing orders %s before %s", race_what(d, a), race_what(d, b));
}

void race_explain(struct race *d, struct finding *f, const struct race_access *a, const struct race_access *b)
{
    struct base_text t;
    base_text_init(&t, "a report");
    if (a->kind == RACE_UNSET) {
        base_text_add(&t, "nothing has written it in between");
    } else if (race_handle_of(d, a)) {
        race_file_explain(&t, d, a, b);
    } else if (race_is_over(d, a, b)) {
        base_text_add(
            &t, "the window has two copies (separate memory model), and no synchronization of its owner "
                "came in between");
    } else {
        explain_order(&t, d, a, b);
    }
    char *text = base_text_take(&t);
    finding_set(&f->missing, text);
    free(text);
}
