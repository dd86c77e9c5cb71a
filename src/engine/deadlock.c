/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: reports who waits for what when nothing can happen any more. Waiting actors are grouped: a
 * thousand ranks in a barrier are one fact, and the rank that is missing is another.
 */
#include "engine/internal.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DETAILS = 4, RANGES = 12 };

/* A waiting actor and the numbers by which users know it. */
struct waiter {
    const char *what;
    uint64_t number, part;
    struct engine_actor *actor;
};

static int by_what_and_number(const void *left, const void *right)
{
    const struct waiter *a = left, *b = right;
    int order = strcmp(a->what, b->what);
    if (order == 0)
        order = (a->number > b->number) - (a->number < b->number);
    return order ? order : (a->part > b->part) - (a->part < b->part);
}

static struct waiter *collect(const struct engine *e, const struct engine_naming *as, size_t *n)
{
    struct waiter *w = base_alloc(e->waiting * sizeof *w, "the deadlock report");
    *n = 0;
    for (uint32_t k = 0; k < e->fresh_actor; k++) {
        struct engine_actor *a = &e->actors[k];
        if (a->state != ENGINE_BLOCKED && a->state != ENGINE_SLEEPING)
            continue;
        const struct engine_reason *why = engine_actor_place(e, a, a->reason);
        const char *what = a->state == ENGINE_SLEEPING ? "sleep" : why ? why->what : "something";
        w[(*n)++] = (struct waiter){.what = what,
                                    .number = as->number(a->owner),
                                    .part = as->part ? as->part(a->owner, a->local) : 0,
                                    .actor = a};
    }
    qsort(w, *n, sizeof *w, by_what_and_number);
    return w;
}

/* "0-4, 6, 9-63" */
static void print_ranges(FILE *out, const struct waiter *w, size_t n)
{
    size_t shown = 0;
    for (size_t k = 0, end; k < n; k = end) {
        if (shown++ == RANGES) {
            fprintf(out, ", and %zu more", n - k);
            break;
        }
        for (end = k + 1; end < n && w[end].number - w[end - 1].number <= 1; end++)
            ;
        fprintf(out, "%s%" PRIu64, k ? ", " : "", w[k].number);
        if (w[end - 1].number > w[k].number)
            fprintf(out, "-%" PRIu64, w[end - 1].number);
    }
}

enum { PLACE_SIZE = 256 };
struct question {
    engine_place_fn place;
    char text[PLACE_SIZE];
};

static void answer(void *ctx, struct engine_actor *a)
{
    struct question *q = ctx;
    q->place(a->owner, q->text, sizeof q->text);
}

static engine_describe_fn tells_place;

void engine_waits_placed(engine_describe_fn describe)
{
    tells_place = describe;
}

static void print_place(struct engine *e, FILE *out, const struct engine_naming *as, const struct waiter *w)
{
    struct question q = {as->place, ""};
    const struct engine_reason *why = w->actor->state == ENGINE_BLOCKED ? w->actor->reason : NULL;
    if (!as->place || (why && why->describe && why->describe == tells_place))
        return;
    if (engine_errand_ask(e, w->actor, answer, &q) && *q.text)
        fprintf(out, "      called in %s\n", q.text);
}

static void print_detail(struct engine *e, FILE *out, const struct engine_naming *as, const struct waiter *w)
{
    engine_lodger_show(e, w->actor);
    const struct engine_reason *why = w->actor->state == ENGINE_BLOCKED ? w->actor->reason : NULL;
    char since[32], text[512] = "", title[PLACE_SIZE] = "";
    if (why && why->describe)
        why->describe(why->arg, text, sizeof text);
    base_text_mask(text);
    fprintf(out, "    %s %" PRIu64, as->noun, w->number);
    if (w->part)
        fprintf(out, ", %s %" PRIu64, as->part_noun, w->part);
    if (as->title)
        as->title(w->actor->owner, title, sizeof title);
    base_text_mask(title);
    if (*title)
        fprintf(out, " (%s)", title);
    fprintf(out, " since %s%s%s\n", base_show_time(since, w->actor->since), *text ? ": " : "", text);
    print_place(e, out, as, w);
}

static void print_group(struct engine *e, FILE *out, const struct engine_naming *as, const struct waiter *w,
                        size_t n)
{
    bool parts = false;
    for (size_t k = 0; k < n && !parts; k++)
        parts = w[k].part != 0;
    fprintf(out, "  %s: %zu %s%s", w->what, n, parts ? as->part_noun : as->noun, n == 1 ? "" : "s");
    if (parts)
        fprintf(out, " of %s%s", as->noun, w[n - 1].number == w->number ? "" : "s");
    fputs(": ", out);
    print_ranges(out, w, n);
    fputc('\n', out);
    for (size_t k = 0; k < n && k < DETAILS; k++)
        print_detail(e, out, as, &w[k]);
}

void engine_deadlock_report(struct engine *e, FILE *out, const char *noun, engine_number_fn number)
{
    engine_deadlock_report_parts(e, out, &(struct engine_naming){.noun = noun, .number = number});
}

void engine_deadlock_report_parts(struct engine *e, FILE *out, const struct engine_naming *as)
{
    size_t n, end;
    struct waiter *w = collect(e, as, &n);
    for (size_t k = 0; k < n; k = end) {
        for (end = k + 1; end < n && !strcmp(w[end].what, w[k].what); end++)
            ;
        print_group(e, out, as, &w[k], end - k);
    }
    engine_cycle_report(e, out, as->noun, as->number);
    fflush(out);
    free(w);
}
