/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs: sets of pages as runs, in ascending order, disjoint: write notices, and what locks and barriers keep
 * of them. Touching runs of one kind are one.
 */
#ifndef SAT_JIA_RUNS_H
#define SAT_JIA_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JIA_NOBODY = -1, JIA_SEVERAL = -2 };

/* Pages [first, end). */
struct jia_run {
    uint32_t first, end;
    int32_t writer; /* the client that wrote them, or JIA_SEVERAL */
    uint32_t epoch; /* of a lock: its release that told of them */
};
struct jia_runs {
    struct jia_run *at;
    size_t n, cap;
};

/* As they travel. */
struct jia_notice {
    uint32_t first, end;
};

void jia_runs_release(struct jia_runs *r);
/* The pages of a list, which is sorted, as notices, without duplicates. At least `n` notices have room. */
size_t jia_notices_of_pages(uint32_t *pages, size_t n, struct jia_notice *out);
/* Whether bytes that have come are notices of pages below `pages`. */
bool jia_notices_valid(const struct jia_notice *notices, size_t bytes, uint32_t pages);
/* `writer` wrote these pages. Where the runs have them already, another writer's make the writer JIA_SEVERAL
 * (a barrier: `several`), or are replaced (a lock). */
void jia_runs_add(struct jia_runs *r, const struct jia_notice *notices, size_t n, int32_t writer,
                  uint32_t epoch, bool several);
/* Those that others than `client` wrote, in a release after `seen`: their number; `out` NULL: only that. */
size_t jia_runs_for(const struct jia_runs *r, int32_t client, uint32_t seen, struct jia_notice *out);

#endif
