/* SPDX-License-Identifier: BSD-3-Clause */
/* choose: the adversary as ranks know it (rank/choice.h): who is taken, who is late, what happens at calls. */
#include "check/nasty/parts.h"

#include <string.h>

_Static_assert(NASTY_LATE_NOTICE - NASTY_LATE_LEAVE == RANK_DELAY_NOTICE, "in the same order");

static const enum nasty_kind kinds[RANK_CHOICES] = {
    [RANK_CHOOSE_MESSAGE] = NASTY_MESSAGE, [RANK_CHOOSE_REQUEST] = NASTY_REQUEST,
    [RANK_CHOOSE_GRANT] = NASTY_GRANT,     [RANK_CHOOSE_LATER] = NASTY_LATER,
    [RANK_CHOOSE_SEND] = NASTY_SEND,       [RANK_CHOOSE_MEET] = NASTY_MEET};
/* Choices of yes or no, in words. */
static const char *const deeds[RANK_CHOICES] = {[RANK_CHOOSE_LATER] = "waits later than at the call",
                                                [RANK_CHOOSE_SEND] = "waits for its receive",
                                                [RANK_CHOOSE_MEET] = "waits until all members have come"};

/* More calls that wait can only make more ranks wait for each other: the runs in which all do, and in
 * which none does, are enough, instead of two for each call. */
static size_t all_or_none(struct nasty *n, enum rank_choice what)
{
    const struct nasty_key k = {kinds[what], 0, 0};
    static const char *const all[RANK_CHOICES] = {
        [RANK_CHOOSE_SEND] = "each standard send waits for its receive",
        [RANK_CHOOSE_MEET] = "each collective waits until all members have come"};
    if (!n->asked[what])
        n->answer[what] = nasty_point(n, k, &(struct nasty_about){0}, 2, "%s", all[what]);
    n->asked[what] = true;
    return n->answer[what];
}

static size_t draw(const struct nasty *n, enum rank_choice what, size_t of, struct base_random *random)
{
    if (what != RANK_CHOOSE_SEND && what != RANK_CHOOSE_MEET)
        return base_random_below(random, of);
    return n->waiting == NASTY_ALL_WAIT || (n->waiting == NASTY_SOME_WAIT && nasty_chance(random, 1, 2));
}

static size_t choose(struct rank *r, enum rank_choice what, size_t of)
{
    struct nasty *n = nasty_of(r->job);
    struct nasty_key k = {kinds[what], r->id, n->rank[r->id].choices[what]++};
    struct base_random random = nasty_random(n, k);
    const struct nasty_about a = {r, rank_call_of(r->call), r->caller};
    if (n->points && (what == RANK_CHOOSE_SEND || what == RANK_CHOOSE_MEET))
        return all_or_none(n, what);
    if (n->points)
        return nasty_point(n, k, &a, of, "another one of %zu is taken", of);
    size_t taken = draw(n, what, of, &random);
    bool may = taken && (deeds[what] ? nasty_may(n, k, &a, "%s", deeds[what])
                                     : nasty_may(n, k, &a, "number %zu of %zu is taken", taken + 1, of));
    return may ? taken : 0;
}

static double delay(struct rank *r, enum rank_delay what)
{
    static const char *const names[] = {"leaves the collective", "learns that it has the lock",
                                        "sends its notice"};
    struct nasty *n = nasty_of(r->job);
    struct nasty_key k = {(enum nasty_kind)(NASTY_LATE_LEAVE + what), r->id, n->rank[r->id].delays[what]++};
    struct base_random random = nasty_random(n, k);
    const struct nasty_about a = {r, rank_call_of(r->call), r->caller};
    if (!nasty_chance(&random, 1, 3))
        return 0;
    double seconds = nasty_delay(&random, 9);
    return nasty_may(n, k, &a, "%s %.9f s late", names[what], seconds) ? seconds : 0;
}

/* Local completion counts as completion: what is at its target acts there. */
static void let_local_go(struct nasty *n, const struct rank *r)
{
    uint32_t at = 0;
    for (struct nasty_op **op; (op = base_table_next(&n->ops, &at));)
        if ((*op)->origin == r)
            rma_release(n->job, (*op)->number);
}

static void called(struct rank *r, const char *call)
{
    struct nasty *n = nasty_of(r->job);
    nasty_polls_called(n, r);
    if (!n->options.local && !strncmp(call, "MPI_Win_flush_local", 19))
        let_local_go(n, r);
    nasty_speed_called(n, r, call);
}

const struct rank_adversary nasty_adversary = {called, choose, delay};
