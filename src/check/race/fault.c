/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fault: which kind of fault two conflicting accesses are, and whether the user wants to know of it. What is not
 * wanted is counted.
 */
#include "check/race/accesses.h"

#include <inttypes.h>
#include <string.h>

const struct base_setting race_settings[] = {
    {"check/mixed-atomics", BASE_BOOL, "yes", NULL,
     "atomics of different types, sizes or domains on one word", "docs/check.md"},
    {"check/polling", BASE_BOOL, "yes", NULL,
     "loads of a window's memory that wait for another rank's operation (unified memory model)",
     "docs/check.md"},
    {"check/same-value", BASE_BOOL, "yes", NULL, "two writes of the same value", "docs/check.md"},
    {"check/uninitialised", BASE_BOOL, "no", NULL,
     "reads of memory that others reach, and that nobody has written since it was allocated",
     "docs/check.md"},
    {"check/file-sync", BASE_BOOL, "yes", NULL,
     "accesses to files that ranks order among themselves, but without MPI_File_sync", "docs/check.md"},
    {"check/redundant", BASE_BOOL, "no", NULL, "hints: calls that complete or order nothing",
     "docs/check.md"},
};
const size_t race_settings_count = BASE_LENGTH(race_settings);

/* Others have no setting. */
static const char *const key_of[FINDING_KINDS] = {
    [FINDING_MIXED_ATOMICS] = "check/mixed-atomics", [FINDING_POLLING] = "check/polling",
    [FINDING_SAME_VALUE] = "check/same-value",       [FINDING_UNINITIALISED] = "check/uninitialised",
    [FINDING_FILE_SYNC] = "check/file-sync",         [FINDING_REDUNDANT] = "check/redundant"};

void race_configure(struct race *d, const struct base_settings *s)
{
    for (unsigned k = 0; k < FINDING_KINDS; k++)
        d->wanted |= (uint32_t)(!key_of[k] || base_settings_flag(s, key_of[k])) << k;
}

/* Reads the program's code, so only if it matters. */
void race_faults_begin(struct race *d)
{
    struct rank_module m;
    if (!race_wants(d, FINDING_UNINITIALISED) && !race_wants(d, FINDING_REDUNDANT))
        return;
    for (uint32_t k = 0; rank_module_of(rank_at(d->job, 0), k, &m); k++)
        d->blind |= !m.instrumented || m.unseen[0];
}

/* --- kinds ---------------------------------------------------------------------------------------------- */

/* x is a load of memory in a window of the unified model, y an operation on it. Both may meet (MPI-5.0, section
 * 12.7), but the load may see any part of what y writes. */
static bool polls(const struct race *d, const struct race_access *x, const struct race_access *y)
{
    static const char window[] = "window";
    const struct shadow_area *area = shadow_area_of(&d->shadow, d->where);
    return x->kind == RACE_READ && !x->end && !d->places.at[x->place].call && y->remote && area &&
           !strcmp(area->kind, window);
}

static enum finding_kind kind_of(struct race *d, const struct race_access *a, const struct race_access *b)
{
    if (race_handle_of(d, a))
        return race_file_kind(d, a, b);
    if (a->kind == RACE_UNSET)
        return FINDING_UNINITIALISED;
    if (race_copies_apart(a))
        return FINDING_RACE;
    if (race_is_atomic(a->kind) && race_is_atomic(b->kind))
        return FINDING_MIXED_ATOMICS;
    if (polls(d, a, b) || polls(d, b, a))
        return FINDING_POLLING;
    return FINDING_RACE;
}

/* Whether they are, as far as known, a case of the same value: then it is settled, or will be. */
static bool is_same(struct race *d, uint32_t earlier, uint32_t later)
{
    const struct race_access *a = &d->accesses.at[earlier], *b = &d->accesses.at[later];
    if (race_wants(d, FINDING_SAME_VALUE) || a->kind != RACE_WRITE || b->kind != RACE_WRITE)
        return false;
    enum race_same same = race_same_value(d, earlier, later);
    d->ignored[FINDING_SAME_VALUE] += same == RACE_SAME;
    return same != RACE_DIFFERENT;
}

void race_ignored_note(const struct race *d, struct finding_summary *s)
{
    for (unsigned k = 0; k < FINDING_KINDS; k++)
        if (d->ignored[k] && !(d->wanted >> k & 1))
            BASE_ARRAY_PUSH(&s->allowed.text,
                            base_strfmt("%" PRIu64 " pairs of accesses, by %s=no", d->ignored[k], key_of[k]));
    if (d->blind && d->wanted >> FINDING_UNINITIALISED & 1)
        BASE_ARRAY_PUSH(&s->unseen.text,
                        base_strdup("memory without a value, because some code is not instrumented"));
}

void race_found(struct race *d, uint32_t earlier, uint32_t later)
{
    enum finding_kind k = kind_of(d, &d->accesses.at[earlier], &d->accesses.at[later]);
    if (k == FINDING_RACE && is_same(d, earlier, later))
        return;
    if (race_wants(d, k))
        d->report(d, k, earlier, later);
    else
        d->ignored[k]++;
}
