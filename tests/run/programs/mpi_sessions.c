// SPDX-License-Identifier: BSD-3-Clause
// Objects of two sessions, or of a session and the world model, in one call are refused (MPI-5.0 section
// 11.3); those of one session are not. Attributes of a session's communicator (section 9.1.2).
// run: -np 4
// stdout: sessions: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORLD, FIRST, SECOND, ORIGINS };

static MPI_Session session[ORIGINS];
static MPI_Group group[ORIGINS];
static MPI_Comm comm[ORIGINS];
static int rank;

static void expect(int line, const char *what, int rc, int class)
{
    int is;
    MPI_Error_class(rc, &is);
    if (is == class)
        return;
    printf("line %d: %s: class %d, expected %d\n", line, what, is, class);
    exit(1);
}
#define EXPECT(class, call) expect(__LINE__, #call, call, class)

static void with_groups(int a, int b)
{
    int class = a == b ? MPI_SUCCESS : MPI_ERR_GROUP, result, one = 0, other;
    MPI_Group made = MPI_GROUP_NULL, part;
    MPI_Comm new = MPI_COMM_NULL;
    EXPECT(class, MPI_Group_compare(group[a], group[b], &result));
    EXPECT(class, MPI_Group_translate_ranks(group[a], 1, &one, group[b], &other));
    EXPECT(class, MPI_Group_union(group[a], group[b], &made));
    EXPECT(class, MPI_Group_intersection(group[a], group[b], &made));
    EXPECT(class, MPI_Comm_create(comm[a], group[b], &new));
    if (!class)
        MPI_Comm_free(&new);
    EXPECT(class, MPI_Comm_create_group(comm[a], group[b], 3, &new));
    if (!class)
        MPI_Comm_free(&new);
    EXPECT(MPI_SUCCESS, MPI_Group_difference(group[a], MPI_GROUP_EMPTY, &made)); /* it is of no session */
    EXPECT(class, MPI_Group_compare(made, group[b], &result));
    EXPECT(MPI_SUCCESS, MPI_Group_incl(group[a], 1, &rank, &part)); /* what is made of a group inherits */
    EXPECT(class, MPI_Group_compare(part, group[b], &result));
    MPI_Comm_group(comm[b], &made);
    EXPECT(class, MPI_Group_compare(part, made, &result));
    EXPECT(MPI_SUCCESS, MPI_Group_compare(group[b], made, &result));
}

static void with_comms(int a, int b)
{
    int class = a == b ? MPI_SUCCESS : MPI_ERR_COMM, result;
    MPI_Comm copy, half, inter;
    EXPECT(class, MPI_Comm_compare(comm[a], comm[b], &result));
    MPI_Comm_dup(comm[a], &copy); /* inherits, too */
    EXPECT(class, MPI_Comm_compare(copy, comm[b], &result));
    MPI_Comm_free(&copy);
    MPI_Comm_split(comm[a], rank % 2, 0, &half);
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    /* the leaders' other communicator is not looked at */
    EXPECT(MPI_SUCCESS, MPI_Intercomm_create(half, 0, comm[b], (rank + 1) % 2, 5, &inter));
    EXPECT(class, MPI_Comm_compare(inter, comm[b], &result));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void with_requests(int a, int b)
{
    int class = a == b ? MPI_SUCCESS : MPI_ERR_REQUEST, in[2], index, flag, count, indices[3];
    MPI_Request r[3] = {MPI_REQUEST_NULL};
    MPI_Irecv(&in[0], 1, MPI_INT, rank, 1, comm[a], &r[1]);
    MPI_Irecv(&in[1], 1, MPI_INT, rank, 2, comm[b], &r[2]);
    if (class) {
        EXPECT(class, MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
        EXPECT(class, MPI_Waitany(3, r, &index, MPI_STATUS_IGNORE));
        EXPECT(class, MPI_Waitsome(3, r, &count, indices, MPI_STATUSES_IGNORE));
        EXPECT(class, MPI_Testall(3, r, &flag, MPI_STATUSES_IGNORE));
        EXPECT(class, MPI_Testany(3, r, &index, &flag, MPI_STATUS_IGNORE));
        EXPECT(class, MPI_Testsome(3, r, &count, indices, MPI_STATUSES_IGNORE));
    }
    MPI_Send(&rank, 1, MPI_INT, rank, 1, comm[a]);
    MPI_Send(&rank, 1, MPI_INT, rank, 2, comm[b]);
    EXPECT(MPI_SUCCESS, MPI_Wait(&r[1], MPI_STATUS_IGNORE)); /* they are as they were */
    EXPECT(MPI_SUCCESS, MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
    if (in[0] != rank || in[1] != rank)
        exit(1);
}

static void attributes(int a)
{
    static const int keys[] = {MPI_HOST,          MPI_IO,           MPI_WTIME_IS_GLOBAL,
                               MPI_UNIVERSE_SIZE, MPI_LASTUSEDCODE, MPI_APPNUM};
    int flag, *value;
    MPI_Comm_get_attr(comm[a], MPI_TAG_UB, &value, &flag);
    for (int k = 0; flag && k < 6; k++) {
        MPI_Comm_get_attr(comm[a], keys[k], &value, &flag);
        flag = flag == (a == WORLD);
    }
    if (!flag) {
        printf("attributes of origin %d are wrong\n", a);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[WORLD]);
    MPI_Comm_group(MPI_COMM_WORLD, &group[WORLD]);
    for (int k = FIRST; k < ORIGINS; k++) {
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session[k]);
        MPI_Group_from_session_pset(session[k], "mpi://WORLD", &group[k]);
        MPI_Comm_create_from_group(group[k], "all", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm[k]);
    }
    for (int k = 0; k < ORIGINS; k++)
        MPI_Comm_set_errhandler(comm[k], MPI_ERRORS_RETURN);
    for (int a = 0; a < ORIGINS; a++) {
        for (int b = 0; b < ORIGINS; b++) {
            with_groups(a, b);
            with_comms(a, b);
            with_requests(a, b);
        }
        attributes(a);
    }
    for (int k = 0; k < ORIGINS; k++)
        MPI_Comm_free(&comm[k]);
    for (int k = FIRST; k < ORIGINS; k++)
        MPI_Session_finalize(&session[k]);
    if (!rank)
        printf("sessions: right\n");
    MPI_Finalize();
    return 0;
}
