/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accesses: what is done to memory, and which accesses are judged against each other: access.c, plain.c, state.c,
 * sweep.c, copies.c, value.c, fault.c.
 */
#ifndef PGASIM_CHECK_RACE_ACCESSES_H
#define PGASIM_CHECK_RACE_ACCESSES_H

#include "check/race/detector.h"

/* access.c */
uint32_t race_access_add(struct race *d, const struct race_access *a);
/* Access `id` to bytes of a rank's memory. */
struct race_bytes {
    struct rank *rank;
    uintptr_t address;
    size_t bytes;
};
void race_apply(struct race *d, uint32_t id, const struct race_bytes *b);

/* The cells of bytes in [low, high), by key; `follow`: also if they are no memory. */
void race_apply_key(struct race *d, uint32_t id, uint64_t low, uint64_t high, bool follow);

/* plain.c */
void race_plain(struct race *d, uintptr_t address, size_t bytes, enum race_kind kind, const void *pc,
                const char *call);

/* state.c */
/* Access a is over, as far as whoever makes b knows. */
bool race_is_over(struct race *d, const struct race_access *a, const struct race_access *b);
uint32_t race_state_judge(struct race *d, uint32_t state, uint32_t item);
uint32_t race_state_put(struct race *d, uint32_t item, uint32_t rest); /* the list of both */
static inline struct race_node race_node_of(const struct race *d, uint32_t state)
{
    return state & RACE_ONE ? (struct race_node){(state & ~RACE_ONE) << 4 | RACE_ALL, 0, 0}
                            : d->states.at[state];
}
static inline uint32_t race_state_next(struct race *d, uint32_t state, uint32_t item)
{
    if (!state && (item & RACE_ALL) == RACE_ALL)
        return RACE_ONE | item >> 4;
    size_t at = (state * UINT32_C(2654435761) ^ item * UINT32_C(2246822519)) >> 17;
    if (BASE_LIKELY(d->memo[at].item == item && d->memo[at].state == state))
        return d->memo[at].next;
    uint64_t unsure = d->unsure;
    uint32_t next = race_state_judge(d, state, item);
    if (BASE_UNLIKELY(d->unsure != unsure))
        return next;
    d->memo[at].state = state;
    d->memo[at].item = item;
    d->memo[at].next = next;
    return next;
}

/* sweep.c: call where no number of a state or an access is in hand. */
void race_sweep_if_due(struct race *d);

/* copies.c: windows of two copies. An access to key d->where is over; whether what it changed is seen from the
 * other side, too. */
bool race_copied(const struct race *d, const struct race_access *a, const struct race_access *b);
struct rank *race_copies_owner(const struct race *d, uint64_t key); /* whose whole window it is; NULL: none */
bool race_copies_apart(const struct race_access *a); /* it stands for a change anywhere in a window */
void race_copies_area(struct race *d, struct rank *r, const struct rank_area *a, bool there);
/* Where the owner has what an operation reaches at an address. */
uintptr_t race_copies_home(const struct race *d, uintptr_t address);
void race_copies_united(struct race *d, struct race_strand *s, uint64_t low);
void race_copies_changed(struct race *d, uint32_t id, const struct race_bytes *b);
void race_copies_renumbered(struct race *d);
void race_copies_release(struct race *d);

/* value.c, with check/same-value=no. First say what is being written. */
static inline bool race_values_matter(const struct race *d)
{
    return !race_wants(d, FINDING_SAME_VALUE);
}
enum race_same { RACE_DIFFERENT, RACE_SAME, RACE_LATER /* that is reported once it is known */ };
void race_value_of_put(struct race *d, const struct rma_issue *i, const struct rma_area *to);
void race_value_of_store(struct race *d, uintptr_t address, size_t bytes);
void race_value_note(struct race *d, uint32_t end);
enum race_same race_same_value(struct race *d, uint32_t earlier, uint32_t later);
void race_suspects_judge(struct race *d);
static inline void race_suspects_settle(struct race *d) /* call where the program has gone on */
{
    if (BASE_UNLIKELY(d->suspects.n))
        race_suspects_judge(d);
}
void race_values_release(struct race *d);

/* file.c: accesses to files, whose ends have a handle. */
static inline uint32_t race_handle_of(const struct race *d, const struct race_access *a)
{
    return a->end ? d->ends.at[a->end].handle : 0;
}
/* One with end e is over where access b, to a file, begins, which is now. */
bool race_file_over(struct race *d, const struct race_end *e, const struct race_access *b);
enum finding_kind race_file_kind(struct race *d, const struct race_access *a, const struct race_access *b);

/* fault.c: two accesses that may be a fault of some kind. */
void race_found(struct race *d, uint32_t earlier, uint32_t later);
void race_configure(struct race *d, const struct base_settings *s);
void race_faults_begin(struct race *d);
void race_ignored_note(const struct race *d, struct finding_summary *s);

#endif
