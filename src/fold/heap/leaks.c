/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaks: blocks that ranks had not freed when they ended, by the place where they were allocated; ranks that
 * left equally many blocks and bytes of a place share a line.
 */
#include "fold/heap/traced.h"

#include <stdlib.h>
#include <string.h>

/* Of one rank and place. */
struct leak {
    uint64_t place; /* object and offset */
    uint64_t bytes, blocks;
    uint32_t rank;
};

static BASE_ARRAY(struct leak) leaks;
static struct base_table by_place; /* of the rank that ends now: number in `leaks` */
static uint32_t of_rank = UINT32_MAX;

void leaks_note(const struct rank *r, struct rank_code from, size_t bytes)
{
    uint64_t place = (uint64_t)from.object << 32 | from.offset;
    bool added;
    if (of_rank != r->id) {
        base_table_release(&by_place);
        base_table_init(&by_place, BASE_NUMBERS, sizeof(size_t), "leaks");
        of_rank = r->id;
    }
    size_t *k = base_table_add(&by_place, place, &added);
    if (added) {
        *k = leaks.n;
        BASE_ARRAY_PUSH(&leaks, ((struct leak){place, 0, 0, r->id}));
    }
    leaks.at[*k].bytes += bytes;
    leaks.at[*k].blocks++;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_line(const void *a, const void *b)
{
    const struct leak *x = a, *y = b;
    int c = compare(x->place, y->place);
    c = c ? c : compare(x->bytes, y->bytes);
    c = c ? c : compare(x->blocks, y->blocks);
    return c ? c : compare(x->rank, y->rank);
}

static bool same_line(const struct leak *a, const struct leak *b)
{
    return a->place == b->place && a->bytes == b->bytes && a->blocks == b->blocks;
}

static void print_line(FILE *out, const struct fold_job *job, const struct leak *l, size_t n)
{
    char ranks[HEAP_PLACE], place[HEAP_PLACE];
    struct rank_code from = {(uint32_t)(l->place >> 32), (uint32_t)l->place};
    fprintf(out, "pgasim:   leak: %s: %lu bytes in %lu block%s%s%s\n",
            rank_list(&l->rank, sizeof *l, n, ranks, sizeof ranks), l->bytes, l->blocks,
            l->blocks == 1 ? "" : "s", n > 1 ? " each" : "",
            heap_place(fold_rank_at(job, l->rank), "allocated", from, place, sizeof place));
}

void leaks_print(const struct fold_job *job, bool all)
{
    FILE *out = base_report_stream();
    size_t end;
    fflush(stdout);
    if (leaks.n)
        qsort(leaks.at, leaks.n, sizeof *leaks.at, by_line);
    for (size_t k = 0; k < leaks.n; k = end) {
        for (end = k + 1; end < leaks.n && same_line(&leaks.at[k], &leaks.at[end]);)
            end++;
        print_line(out, job, &leaks.at[k], end - k);
    }
    if (!leaks.n && all)
        fprintf(out, "pgasim:   leaks: none\n");
    fflush(out);
    base_table_release(&by_place);
    free(leaks.at);
    memset(&leaks, 0, sizeof leaks);
    of_rank = UINT32_MAX;
}
