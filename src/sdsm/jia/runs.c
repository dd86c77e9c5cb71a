/* SPDX-License-Identifier: BSD-3-Clause */
/* runs: sets of pages as runs. Uses no MPI: tests/sdsm/test_runs.c compares it with plain arrays. */
#include "sdsm/jia/runs.h"

#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

void jia_runs_release(struct jia_runs *r)
{
    free(r->at);
    *r = (struct jia_runs){0};
}

/* --- notices -------------------------------------------------------------------------------------- */

static int ascending(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

size_t jia_notices_of_pages(uint32_t *pages, size_t n, struct jia_notice *out)
{
    size_t made = 0;
    if (n)
        qsort(pages, n, sizeof *pages, ascending);
    for (size_t k = 0; k < n; k++) {
        if (made && pages[k] <= out[made - 1].end)
            out[made - 1].end = pages[k] == out[made - 1].end ? pages[k] + 1 : out[made - 1].end;
        else
            out[made++] = (struct jia_notice){pages[k], pages[k] + 1};
    }
    return made;
}

bool jia_notices_valid(const struct jia_notice *notices, size_t bytes, uint32_t pages)
{
    uint32_t end = 0;
    if (bytes % sizeof *notices)
        return false;
    for (size_t k = 0; k < bytes / sizeof *notices; k++) {
        if (notices[k].first < end || notices[k].end <= notices[k].first || notices[k].end > pages)
            return false;
        end = notices[k].end;
    }
    return true;
}

/* --- adding --------------------------------------------------------------------------------------- */

static void append(struct jia_runs *r, struct jia_run run)
{
    struct jia_run *last = r->n ? &r->at[r->n - 1] : NULL;
    if (run.first == run.end)
        return;
    if (last && last->end == run.first && last->writer == run.writer && last->epoch == run.epoch) {
        last->end = run.end;
        return;
    }
    if (r->n == r->cap) {
        r->cap = r->cap ? 2 * r->cap : 16;
        r->at = sat_grow(r->at, r->cap * sizeof *r->at);
    }
    r->at[r->n++] = run;
}

/* The runs before and after page `from` of what is left of the first of two sequences. */
struct sequence {
    const struct jia_run *at;
    size_t n;
    struct jia_run now; /* what is left of the first */
};

static bool load(struct sequence *s)
{
    if (!s->n)
        return false;
    s->now = *s->at++;
    s->n--;
    return true;
}

static struct jia_run both(struct jia_run old, struct jia_run new, uint32_t end, bool several)
{
    struct jia_run run = {new.first, end, new.writer, new.epoch};
    if (several && old.writer != new.writer)
        run.writer = JIA_SEVERAL;
    return run;
}

static void merge(struct jia_runs *out, struct sequence *old, struct sequence *new, bool several)
{
    bool has_old = load(old), has_new = load(new);
    while (has_old || has_new) {
        if (!has_new || (has_old && old->now.end <= new->now.first)) {
            append(out, old->now);
            has_old = load(old);
        } else if (!has_old || new->now.end <= old->now.first) {
            append(out, new->now);
            has_new = load(new);
        } else if (old->now.first < new->now.first) {
            append(out, (struct jia_run){old->now.first, new->now.first, old->now.writer, old->now.epoch});
            old->now.first = new->now.first;
        } else if (new->now.first < old->now.first) {
            append(out, (struct jia_run){new->now.first, old->now.first, new->now.writer, new->now.epoch});
            new->now.first = old->now.first;
        } else {
            uint32_t end = old->now.end < new->now.end ? old->now.end : new->now.end;
            append(out, both(old->now, new->now, end, several));
            old->now.first = new->now.first = end;
            has_old = end < old->now.end || load(old);
            has_new = end < new->now.end || load(new);
        }
    }
}

void jia_runs_add(struct jia_runs *r, const struct jia_notice *notices, size_t n, int32_t writer,
                  uint32_t epoch, bool several)
{
    struct jia_runs out = {0};
    if (!n)
        return;
    struct jia_run *new = sat_alloc(n * sizeof *new);
    for (size_t k = 0; k < n; k++)
        new[k] = (struct jia_run){notices[k].first, notices[k].end, writer, epoch};
    merge(&out, &(struct sequence){.at = r->at, .n = r->n}, &(struct sequence){.at = new, .n = n}, several);
    free(new);
    free(r->at);
    *r = out;
}

size_t jia_runs_for(const struct jia_runs *r, int32_t client, uint32_t seen, struct jia_notice *out)
{
    size_t n = 0;
    uint32_t end = UINT32_MAX;
    for (size_t k = 0; k < r->n; k++) {
        const struct jia_run *run = &r->at[k];
        if (run->writer == client || run->epoch <= seen)
            continue;
        bool touches = run->first == end;
        end = run->end;
        if (touches && out)
            out[n - 1].end = end;
        if (touches)
            continue;
        if (out)
            out[n] = (struct jia_notice){run->first, run->end};
        n++;
    }
    return n;
}
