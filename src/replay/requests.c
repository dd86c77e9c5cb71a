/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * requests: the open requests of a player, which a trace knows by sender, receiver and tag, the oldest first. A wait
 * for one that is not open passes: in the program that was traced a test had completed it, or a wait for all.
 */
#include "replay/player.h"

#include <stdlib.h>
#include <string.h>

void replay_keep_open(struct replay_player *p, struct p2p_request *q, uint32_t from, uint32_t to, int32_t tag)
{
    if (p->n == p->cap) {
        size_t cap = p->cap;
        p->open = base_array_grow(p->open, &cap, p->n + 1, sizeof *p->open, "open requests");
        p->cap = (uint32_t)cap;
    }
    p->open[p->n++] = (struct replay_open){q, from, to, tag};
}

static struct replay_open take(struct replay_player *p, uint32_t k)
{
    struct replay_open o = p->open[k];
    p->n--;
    memmove(p->open + k, p->open + k + 1, (p->n - k) * sizeof *p->open);
    return o;
}

/* The oldest with that triple; else the oldest receive from anyone, or of any tag, that could be meant; else p->n. */
static uint32_t find(const struct replay_player *p, uint32_t from, uint32_t to, int32_t tag)
{
    for (uint32_t k = 0; k < p->n; k++)
        if (p->open[k].from == from && p->open[k].to == to && p->open[k].tag == tag)
            return k;
    for (uint32_t k = 0; k < p->n; k++) {
        const struct replay_open *o = &p->open[k];
        if (o->to == to && (o->from == from || o->from == REPLAY_ANY) &&
            (o->tag == tag || o->tag == REPLAY_ANY_TAG))
            return k;
    }
    return p->n;
}

static void wait_for(struct rank *r, struct p2p_request *q)
{
    static const char call[] = "MPI_Wait";
    rank_enter_issue(call);
    p2p_wait_all(r, &q, 1, call);
    p2p_request_destroy(q);
    rank_leave(r, call);
}

void replay_wait(struct replay_job *j, struct rank *r)
{
    struct replay_player *p = replay_player_of(j, r);
    uint32_t k = find(p, j->action.peer, j->action.peer2, j->action.tag);
    struct p2p_request *q = k < p->n ? take(p, k).q : NULL;
    if (q)
        wait_for(r, q);
    else
        j->counts.passed++;
}

void replay_wait_last(struct replay_job *j, struct rank *r)
{
    struct replay_player *p = replay_player_of(j, r);
    struct p2p_request *q = p->n ? take(p, p->n - 1).q : NULL;
    if (q)
        wait_for(r, q);
    else
        j->counts.passed++;
}

/* As SMPI's replayer has it: what a test did not complete goes to the end of those with its triple, and so does a
 * mark for what it did, which the next wait or test of the triple may find. */
void replay_test(struct replay_job *j, struct rank *r)
{
    static const char call[] = "MPI_Test";
    struct replay_player *p = replay_player_of(j, r);
    uint32_t k = find(p, j->action.peer, j->action.peer2, j->action.tag);
    struct replay_open o = k < p->n ? take(p, k) : (struct replay_open){0};
    if (!o.q) {
        j->counts.passed++;
        return;
    }
    rank_enter_issue(call);
    if (p2p_test_all(r, &o.q, 1)) {
        p2p_request_destroy(o.q);
        o.q = NULL;
    }
    replay_keep_open(p, o.q, o.from, o.to, o.tag);
    rank_leave(r, call);
}

/* --- all of them -------------------------------------------------------------------------------------- */

/* The open ones, in an array to be freed; NULL: there are none. Marks of tests go. */
static struct p2p_request **all_open(struct replay_player *p, size_t *n)
{
    struct p2p_request **q =
        p->n ? base_alloc(p->n * sizeof(struct p2p_request *), "requests to wait for") : NULL;
    *n = 0;
    for (uint32_t k = 0; k < p->n; k++)
        if (p->open[k].q) {
            q[*n] = p->open[k].q;
            p->open[(*n)++] = p->open[k];
        }
    p->n = (uint32_t)*n;
    return q;
}

static void close_all(struct replay_player *p)
{
    for (uint32_t k = 0; k < p->n; k++)
        p2p_request_destroy(p->open[k].q);
    p->n = 0;
}

/* Waits for all, or asks whether all are complete. */
static void complete_all(struct replay_job *j, struct rank *r, const char *call, bool waits)
{
    struct replay_player *p = replay_player_of(j, r);
    size_t n;
    struct p2p_request **q = all_open(p, &n);
    rank_enter_issue(call);
    if (n && waits)
        p2p_wait_all(r, q, n, call);
    if (n && (waits || p2p_test_all(r, q, n)))
        close_all(p);
    rank_leave(r, call);
    free(q);
}

/* The same for the first that is complete. */
static void complete_any(struct replay_job *j, struct rank *r, const char *call, bool waits)
{
    struct replay_player *p = replay_player_of(j, r);
    size_t n, k = 0;
    struct p2p_request **q = all_open(p, &n);
    rank_enter_issue(call);
    if (n)
        k = waits ? p2p_wait_any(r, q, n, call) : p2p_test_any(r, q, n);
    if (k < n)
        p2p_request_destroy(take(p, (uint32_t)k).q);
    rank_leave(r, call);
    free(q);
}

void replay_wait_all(struct replay_job *j, struct rank *r)
{
    complete_all(j, r, "MPI_Waitall", true);
}

void replay_test_all(struct replay_job *j, struct rank *r)
{
    complete_all(j, r, "MPI_Testall", false);
}

void replay_wait_any(struct replay_job *j, struct rank *r)
{
    complete_any(j, r, "MPI_Waitany", true);
}

void replay_test_any(struct replay_job *j, struct rank *r)
{
    complete_any(j, r, "MPI_Testany", false);
}
