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

size_t finding_log_add(struct finding_log *g, const struct finding *f)
{
    BASE_ARRAY_PUSH(&g->list.at, *f);
    if (g->lines)
        finding_write(g->lines, f);
    return g->list.at.n - 1;
}

void finding_log_end(struct finding_log *g)
{
    g->list.summary.ended = true;
    if (g->lines)
        finding_write_end(g->lines, &g->list);
}

void finding_log_release(struct finding_log *g)
{
    if (g->lines)
        fclose(g->lines);
    g->lines = NULL;
    finding_list_release(&g->list);
}
