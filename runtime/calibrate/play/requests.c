/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * requests: waits and tests. What the program went by is played: a test that had succeeded is repeated until it does, and
 * what a wait for some of several requests had completed is waited for.
 */
#include <string.h>

#include "play/play.h"

/* The request is as the call has left it. */
static void settle(struct play *p, struct play_request *r)
{
    if (r->request == MPI_REQUEST_NULL)
        play_give_back(p, &r->blocks);
}

static MPI_Request *several(struct play_call *c, uint32_t k)
{
    int n = play_length(c, k);
    MPI_Request *at = play_keep(c, ((size_t)n + 1) * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = play_request(c->play, c->part[k].at[i])->request;
    return at;
}

static void settle_several(struct play_call *c, uint32_t k, const MPI_Request *at)
{
    for (int i = 0; i < play_length(c, k); i++) {
        struct play_request *r = play_request(c->play, c->part[k].at[i]);
        r->request = at[i];
        settle(c->play, r);
    }
}

static struct play_request *single(struct play_call *c, uint32_t k)
{
    return play_request(c->play, c->part[k].at[0]);
}

/* The requests of which the trace says that they were complete are, too. */
static void complete(struct play_call *c, MPI_Request *at, int n, int64_t index)
{
    if (index < 0 || index >= n || at[index] == MPI_REQUEST_NULL)
        return;
    c->play->differing++;
    MPI_Wait(&at[index], MPI_STATUS_IGNORE);
}

static bool is_among(const int *indices, int n, int64_t index)
{
    for (int k = 0; k < n; k++)
        if (indices[k] == index)
            return true;
    return false;
}

static void wait_one(struct play_call *c)
{
    struct play_request *r = single(c, 0);
    MPI_Wait(&r->request, MPI_STATUS_IGNORE);
    settle(c->play, r);
}

static void wait_all(struct play_call *c)
{
    MPI_Request *at = several(c, 1);
    MPI_Waitall(play_length(c, 1), at, MPI_STATUSES_IGNORE);
    settle_several(c, 1, at);
}

static void wait_any(struct play_call *c)
{
    MPI_Request *at = several(c, 1);
    int n = play_length(c, 1), index;
    int64_t wanted = c->part[2].at[0];
    MPI_Waitany(n, at, &index, MPI_STATUS_IGNORE);
    if (index != wanted)
        complete(c, at, n, wanted);
    settle_several(c, 1, at);
}

/* A wait for some, or tests until there are some. */
static void some(struct play_call *c,
                 int (*fn)(int n, MPI_Request *at, int *count, int *indices, MPI_Status *statuses))
{
    MPI_Request *at = several(c, 1);
    int n = play_length(c, 1), count, *indices = play_keep(c, ((size_t)n + 1) * sizeof *indices);
    int wanted = play_int(c, 2);
    do
        fn(n, at, &count, indices, MPI_STATUSES_IGNORE);
    while (wanted > 0 && count == 0);
    for (int64_t k = 0; k < c->part[3].n; k++)
        if (!is_among(indices, count, c->part[3].at[k]))
            complete(c, at, n, c->part[3].at[k]);
    settle_several(c, 1, at);
}

static void wait_some(struct play_call *c)
{
    some(c, MPI_Waitsome);
}

static void test_some(struct play_call *c)
{
    some(c, MPI_Testsome);
}

static void test_one(struct play_call *c)
{
    struct play_request *r = single(c, 0);
    int flag;
    do
        MPI_Test(&r->request, &flag, MPI_STATUS_IGNORE);
    while (play_int(c, 1) && !flag);
    settle(c->play, r);
}

static void test_all(struct play_call *c)
{
    MPI_Request *at = several(c, 1);
    int flag;
    do
        MPI_Testall(play_length(c, 1), at, &flag, MPI_STATUSES_IGNORE);
    while (play_int(c, 2) && !flag);
    settle_several(c, 1, at);
}

static void test_any(struct play_call *c)
{
    MPI_Request *at = several(c, 1);
    int n = play_length(c, 1), index, flag;
    int64_t wanted = c->part[2].at[0];
    do
        MPI_Testany(n, at, &index, &flag, MPI_STATUS_IGNORE);
    while (play_int(c, 3) && !flag);
    if (index != wanted)
        complete(c, at, n, wanted);
    settle_several(c, 1, at);
}

static void status(struct play_call *c)
{
    int flag;
    do
        MPI_Request_get_status(single(c, 0)->request, &flag, MPI_STATUS_IGNORE);
    while (play_int(c, 1) && !flag);
}

static void start_one(struct play_call *c)
{
    MPI_Start(&single(c, 0)->request);
}

static void start_all(struct play_call *c)
{
    MPI_Request *at = several(c, 1);
    MPI_Startall(play_length(c, 1), at);
    settle_several(c, 1, at);
}

static void request_free(struct play_call *c)
{
    struct play_request *r = single(c, 0);
    if (r->request != MPI_REQUEST_NULL)
        MPI_Request_free(
            &r->request); /* its blocks may still be written to: they stay until the number is used again */
}

const struct play_entry play_requests[] = {{RECORD_MPI_WAIT, wait_one},
                                           {RECORD_MPI_WAITALL, wait_all},
                                           {RECORD_MPI_WAITANY, wait_any},
                                           {RECORD_MPI_WAITSOME, wait_some},
                                           {RECORD_MPI_TEST, test_one},
                                           {RECORD_MPI_TESTALL, test_all},
                                           {RECORD_MPI_TESTANY, test_any},
                                           {RECORD_MPI_TESTSOME, test_some},
                                           {RECORD_MPI_REQUEST_GET_STATUS, status},
                                           {RECORD_MPI_START, start_one},
                                           {RECORD_MPI_STARTALL, start_all},
                                           {RECORD_MPI_REQUEST_FREE, request_free},
                                           {0, NULL}};
