/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remainder: what pools of operations still held when they were released. AddressSanitizer knows only slabs,
 * so it does not see an operation that is over but was not given back. Callers decide whether all operations
 * should be over: after a run that was stopped in the middle they are not.
 */
#include "base/base.h"

#include <string.h>

enum { KINDS_MOST = 32 };

/* All pools of one name. The last entry takes the rest when the table is full. */
struct remainder {
    const char *layer, *what;
    size_t objects;
};
static struct {
    struct remainder kind[KINDS_MOST];
    size_t n;
} left;

static bool is(const struct remainder *r, const struct base_pool *p)
{
    return !strcmp(r->layer, p->layer) && !strcmp(r->what, p->what);
}

void base_remainder_note(const struct base_pool *p)
{
    size_t k = 0;
    while (k < left.n && !is(&left.kind[k], p))
        k++;
    if (k == KINDS_MOST)
        k--;
    if (k == left.n)
        left.kind[left.n++] = (struct remainder){.layer = p->layer, .what = p->what};
    left.kind[k].objects += p->live;
}

size_t base_remainder_report(void)
{
    size_t objects = 0;
    for (size_t k = 0; k < left.n; k++) {
        base_error("not released at the end of the run: %zu of %s's %s", left.kind[k].objects,
                   left.kind[k].layer, left.kind[k].what);
        objects += left.kind[k].objects;
    }
    return objects;
}

void base_remainder_clear(void)
{
    left.n = 0;
}
