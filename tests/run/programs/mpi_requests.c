// SPDX-License-Identifier: BSD-3-Clause
// Requests: null and inactive ones, empty statuses, persistent ones, several at a time, generalized ones, cancelled ones.
// (MPI-5.0 sections 3.7, 3.8.4, 3.9, 13.2)
// run: -np 2
// stdout: requests: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(x)                                                                                             \
    do {                                                                                                     \
        if (!(x)) {                                                                                          \
            printf("rank %d, line %d: not %s\n", me, __LINE__, #x);                                          \
            fflush(stdout);                                                                                  \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static int me, other, flag, n, index_found;
static MPI_Status s, many[8];
static int which[8];

static int is_empty(const MPI_Status *status)
{
    int count, cancelled;
    MPI_Get_count(status, MPI_BYTE, &count);
    MPI_Test_cancelled(status, &cancelled);
    return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG &&
           status->MPI_ERROR == MPI_SUCCESS && !count && !cancelled;
}

static void test_null(void)
{
    MPI_Request q[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Wait(&q[0], &s);
    CHECK(is_empty(&s));
    flag = 0;
    MPI_Test(&q[0], &flag, &s);
    CHECK(flag && is_empty(&s));
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Waitall(3, q, many);
    CHECK(is_empty(&many[2]));
    MPI_Waitany(3, q, &index_found, &s);
    CHECK(index_found == MPI_UNDEFINED && is_empty(&s));
    MPI_Testany(3, q, &index_found, &flag, &s);
    CHECK(flag && index_found == MPI_UNDEFINED && is_empty(&s));
    MPI_Waitsome(3, q, &n, which, many);
    CHECK(n == MPI_UNDEFINED);
    MPI_Testsome(3, q, &n, which, many);
    CHECK(n == MPI_UNDEFINED);
    MPI_Request_get_status_any(3, q, &index_found, &flag, &s);
    CHECK(flag && index_found == MPI_UNDEFINED);
    MPI_Request_get_status_all(3, q, &flag, many);
    CHECK(flag);
}

static void test_persistent(void)
{
    int out = me + 10, in = -1;
    MPI_Request q[2], kept;
    MPI_Send_init(&out, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init(&in, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &q[1]);
    kept = q[1];
    MPI_Waitany(2, q, &index_found, &s);
    CHECK(index_found == MPI_UNDEFINED);
    for (int k = 0; k < 3; k++) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, many);
        CHECK(in == other + 10 && q[1] == kept && many[1].MPI_SOURCE == other && many[1].MPI_TAG == 3);
        in = -1;
    }
    MPI_Wait(&q[1], &s);
    CHECK(is_empty(&s));
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    CHECK(q[0] == MPI_REQUEST_NULL);
}

static void test_some(void)
{
    int in[4], out[4] = {1, 2, 3, 4}, seen = 0, done = 0;
    MPI_Request q[5] = {MPI_REQUEST_NULL};
    for (int k = 0; k < 4; k++)
        MPI_Irecv(&in[k], 1, MPI_INT, other, k, MPI_COMM_WORLD, &q[k + 1]);
    MPI_Testall(5, q, &flag, many);
    CHECK(!flag);
    for (int k = 3; k >= 0; k--)
        MPI_Send(&out[k], 1, MPI_INT, other, k, MPI_COMM_WORLD);
    while (done < 4) {
        MPI_Waitsome(5, q, &n, which, many);
        CHECK(n > 0);
        for (int k = 0; k < n; k++) {
            CHECK(many[k].MPI_TAG == which[k] - 1 && in[which[k] - 1] == which[k]);
            CHECK(q[which[k]] == MPI_REQUEST_NULL);
            seen |= 1 << which[k];
        }
        done += n;
    }
    CHECK(seen == 30);
}

static void test_get_status(void)
{
    int in, out = 7;
    MPI_Request q;
    MPI_Isendrecv(&out, 1, MPI_INT, other, 9, &in, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &q);
    do
        MPI_Request_get_status(q, &flag, &s);
    while (!flag);
    CHECK(q != MPI_REQUEST_NULL && s.MPI_SOURCE == other && s.MPI_TAG == 9);
    MPI_Request_get_status(q, &flag, &s);
    MPI_Wait(&q, &s);
    CHECK(in == 7 && s.MPI_SOURCE == other);
    in = me;
    MPI_Isendrecv_replace(&in, 1, MPI_INT, other, 2, other, 2, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, &s);
    CHECK(in == other);
    MPI_Sendrecv_replace(&in, 1, MPI_INT, other, 2, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in == me);
}

static void test_nobody(void)
{
    int in = 5;
    MPI_Request q[2];
    MPI_Message m;
    MPI_Recv(&in, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &s);
    CHECK(s.MPI_SOURCE == MPI_PROC_NULL && s.MPI_TAG == MPI_ANY_TAG && in == 5);
    MPI_Irecv(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(&in, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &q[1]);
    MPI_Waitall(2, q, many);
    CHECK(many[0].MPI_SOURCE == MPI_PROC_NULL);
    MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &m, &s);
    CHECK(m == MPI_MESSAGE_NO_PROC && s.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Mrecv(&in, 1, MPI_INT, &m, &s);
    CHECK(m == MPI_MESSAGE_NULL && s.MPI_SOURCE == MPI_PROC_NULL);
}

static void test_cancel(void)
{
    int in = 5;
    MPI_Request q;
    MPI_Irecv(&in, 1, MPI_INT, other, 99, MPI_COMM_WORLD, &q);
    MPI_Cancel(&q);
    MPI_Wait(&q, &s);
    MPI_Test_cancelled(&s, &flag);
    CHECK(flag && in == 5);
}

static int queried, freed, cancelled;
static int query(void *state, MPI_Status *status)
{
    queried++;
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, cancelled);
    status->MPI_SOURCE = 77;
    status->MPI_TAG = 78;
    return MPI_SUCCESS;
}
static int release(void *state)
{
    (void)state;
    freed++;
    return MPI_SUCCESS;
}
static int cancel(void *state, int complete)
{
    (void)state;
    cancelled = !complete;
    return MPI_SUCCESS;
}

static void test_general(void)
{
    MPI_Request q[2];
    int elements = 5, in, out = 1;
    MPI_Grequest_start(query, release, cancel, &elements, &q[0]);
    MPI_Test(&q[0], &flag, &s);
    CHECK(!flag && !queried);
    MPI_Cancel(&q[0]);
    CHECK(cancelled);
    MPI_Irecv(&in, 1, MPI_INT, other, 4, MPI_COMM_WORLD, &q[1]);
    MPI_Send(&out, 1, MPI_INT, other, 4, MPI_COMM_WORLD);
    MPI_Grequest_complete(q[0]);
    MPI_Waitall(2, q, many);
    MPI_Get_count(&many[0], MPI_INT, &n);
    CHECK(n == 5 && many[0].MPI_SOURCE == 77 && many[0].MPI_TAG == 78 && queried == 1 && freed == 1);
    MPI_Test_cancelled(&many[0], &flag);
    CHECK(flag && q[0] == MPI_REQUEST_NULL);
    MPI_Grequest_start(query, release, cancel, &elements, &q[0]);
    MPI_Request kept = q[0];
    MPI_Request_free(&q[0]);
    CHECK(freed == 1);
    MPI_Grequest_complete(kept);
    CHECK(freed == 2);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = 1 - me;
    test_null();
    test_persistent();
    test_some();
    test_get_status();
    test_nobody();
    test_cancel();
    test_general();
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("requests: right\n");
    MPI_Finalize();
}
