/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file_text: what is missing between two accesses to a file (file.c), and the repair. By the end of the earlier one:
 *
 *   it is not complete                            wait for it
 *   the ranks have not synchronized               flush, synchronize, refresh; or atomic mode
 *   they have, and it was not flushed             the same around that
 *   it was flushed, and the later one knows it    refresh
 *   it was flushed, and the later one does not    synchronize, and refresh
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/reports.h"
#include "check/race/strands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum gap { OPEN, UNORDERED, UNFLUSHED, UNREFRESHED, UNKNOWN };

static const char *call_of(const struct race *d, uint32_t place)
{
    const char *call = place ? d->places.at[place].call : NULL;
    return call ? call : "a call";
}

static enum gap gap_of(struct race *d, const struct race_access *a, const struct race_access *b)
{
    const struct race_strand *s = race_strand_now(d);
    const struct race_end *e = &d->ends.at[a->end];
    if (!e->local.count)
        return a->strand == b->strand || race_knows(s, a->strand, a->count) ? OPEN : UNORDERED;
    if (!race_knows(s, e->local.strand, e->local.count))
        return UNORDERED;
    if (!e->remote.count || strcmp(call_of(d, e->remote.place), "MPI_File_sync") != 0)
        return UNFLUSHED;
    return race_knows(s, e->remote.strand, e->remote.count) ? UNREFRESHED : UNKNOWN;
}

static uint32_t rank_of(const struct race *d, const struct race_access *a)
{
    return race_strand_find(d, a->strand)->rank->id;
}

/* "MPI_File_sync in main, a.c:12" */
static void add_call(struct base_text *t, struct race *d, uint32_t place)
{
    char name[FINDING_NAME];
    base_text_add(t, call_of(d, place));
    if (place && *race_name_of(d, place, name, sizeof name))
        base_text_format(t, " in %s", name);
}

void race_file_explain(struct base_text *t, struct race *d, const struct race_access *a,
                       const struct race_access *b)
{
    const struct race_end *e = &d->ends.at[a->end];
    const char *one = race_what(d, a), *two = race_what(d, b);
    switch (gap_of(d, a, b)) {
    case OPEN:
        base_text_format(t, "%s was not complete when %s began", one, two);
        break;
    case UNORDERED:
        base_text_format(t, "nothing orders %s before %s", one, two);
        break;
    case UNFLUSHED:
        base_text_format(t,
                         "the ranks synchronize in between, but rank %" PRIu32
                         " does not call MPI_File_sync or MPI_File_close before that",
                         rank_of(d, a));
        break;
    case UNREFRESHED:
        add_call(t, d, e->remote.place);
        base_text_format(t,
                         " comes after %s, but rank %" PRIu32
                         " does not call MPI_File_sync or MPI_File_open after that",
                         one, rank_of(d, b));
        break;
    case UNKNOWN:
        add_call(t, d, e->remote.place);
        base_text_format(
            t, " comes after %s, but nothing orders it before the last MPI_File_sync of rank %" PRIu32, one,
            rank_of(d, b));
        break;
    }
}

/* Those of two collective opens have no common atomic mode. */
static void add_between(struct base_text *t, bool together)
{
    base_text_add(t, "MPI_File_sync, MPI_Barrier and again MPI_File_sync between the two");
    if (together)
        base_text_add(t, ", or MPI_Barrier and atomic mode (MPI_File_set_atomicity)");
}

void race_file_fix(struct base_text *t, struct race *d, const struct race_access *a,
                   const struct race_access *b)
{
    const struct race_end *e = &d->ends.at[a->end];
    const char *one = race_what(d, a), *two = race_what(d, b);
    bool together = race_files_together(d, e, &d->ends.at[b->end]);
    size_t n = strlen(one);
    switch (gap_of(d, a, b)) {
    case OPEN:
        if (a->strand == b->strand && n > 6 && !strcmp(one + n - 6, "_begin"))
            base_text_format(t, "call %.*s_end before %s", (int)n - 6, one, two);
        else if (a->strand == b->strand)
            base_text_format(t, "wait for the request of %s before %s", one, two);
        else
            base_text_format(t, "complete %s first", one);
        break;
    case UNORDERED:
    case UNFLUSHED:
        add_between(t, together);
        break;
    case UNREFRESHED:
        base_text_format(t, "call MPI_File_sync again before %s", two);
        break;
    case UNKNOWN:
        base_text_add(t, "call MPI_Barrier and again MPI_File_sync after ");
        add_call(t, d, e->remote.place);
        break;
    }
}
