/* SPDX-License-Identifier: BSD-3-Clause */
/* log: what a run has found, and the file to which it goes as it is found. */
#include "check/finding/parts.h"

#include <errno.h>
#include <string.h>

int finding_log_open(struct finding_log *g, const char *path, struct base_status *st)
{
    g->lines = fopen(path, "we");
    if (!g->lines)
        return base_fail(st, "%s: %s", path, strerror(errno));
    finding_write_head(g->lines);
    return 0;
}

int finding_log_suppress(struct finding_log *g, const char *path, struct base_status *st)
{
    FILE *in = fopen(path, "re");
    if (!in)
        return base_fail(st, "%s: %s", path, strerror(errno));
    int failed = finding_suppressions_read(&g->suppressions, in, path, st);
    fclose(in);
    return failed;
}

size_t finding_log_add(struct finding_log *g, const struct finding *f)
{
    BASE_ARRAY_PUSH(&g->list.at, *f);
    if (g->lines)
        finding_write(g->lines, f);
    return g->list.at.n - 1;
}

void finding_log_end(struct finding_log *g)
{
    struct finding_summary *s = &g->list.summary;
    for (size_t k = 0; k < g->suppressions.at.n; k++) {
        const struct finding_suppression *r = &g->suppressions.at.at[k];
        struct finding_suppressed said = {base_strdup(r->name), base_strdup(r->place), r->findings};
        BASE_ARRAY_PUSH(&s->suppressed, said);
    }
    s->ended = true;
    if (g->lines)
        finding_write_end(g->lines, &g->list);
}

void finding_log_release(struct finding_log *g)
{
    if (g->lines)
        fclose(g->lines);
    g->lines = NULL;
    finding_suppressions_release(&g->suppressions);
    finding_list_release(&g->list);
}
