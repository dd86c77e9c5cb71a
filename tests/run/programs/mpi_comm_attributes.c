/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes: when their functions are called, with what, in which order; failing ones; predefined ones. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 1
// stdout: right
// run: -np 5
// stdout: right
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me, size, key[3], copies, deletes, refuse;
static char log_of[64];
static int logged;
static long extra[3] = {100, 200, 300};

static void expect(int good, const char *what, long a, long b)
{
    if (good)
        return;
    printf("rank %d: %s: %ld, %ld\n", me, what, a, b);
    exit(1);
}

/* The new value is one more; values that are negative are not copied. */
static int copy(MPI_Comm comm, int k, void *state, void *in, void *out, int *flag)
{
    int n;
    copies++;
    MPI_Comm_size(comm, &n); /* calls are allowed here */
    expect(n == size, "the communicator that is copied", n, size);
    expect(state == &extra[0] || state == &extra[1] || state == &extra[2], "the extra state", k,
           *(long *)state);
    log_of[logged++] = (char)('a' + ((long *)state - extra));
    *(long *)out = (long)in + 1;
    *flag = (long)in >= 0;
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int k, void *value, void *state)
{
    (void)comm, (void)k, (void)value;
    deletes++;
    log_of[logged++] = (char)('A' + ((long *)state - extra));
    return MPI_SUCCESS;
}

static void check_log(const char *expected)
{
    log_of[logged] = 0;
    for (int k = 0; k <= logged; k++)
        expect(log_of[k] == expected[k], log_of, k, expected[k]);
    logged = 0;
}

static void check_value(MPI_Comm comm, int k, int there, long value)
{
    long got = -77;
    int flag = -1;
    MPI_Comm_get_attr(comm, k, &got, &flag);
    expect(flag == there && (!there || got == value), "attribute", flag, got);
}

static void copies_of(MPI_Comm comm)
{
    MPI_Comm first, second;
    MPI_Comm_dup(comm, &first);
    for (long k = 2; k >= 0; k--)
        MPI_Comm_set_attr(first, key[k], (void *)(k == 1 ? -5 : 10 * k));
    check_log("");
    MPI_Comm_dup(first, &second);
    check_log("cba"); /* in the order in which they were set */
    check_value(second, key[0], 1, 1);
    check_value(second, key[1], 0, 0);
    check_value(second, key[2], 1, 21);
    MPI_Comm_set_attr(second, key[2], (void *)33L);
    check_log("C"); /* the old value goes */
    check_value(second, key[2], 1, 33);
    check_value(first, key[2], 1, 20);
    MPI_Comm_delete_attr(second, key[0]);
    check_log("A");
    check_value(second, key[0], 0, 0);
    MPI_Comm_free(&second);
    check_log("C");
    MPI_Comm_free(&first);
    check_log("ABC"); /* the last one first */
}

static void predefined(void)
{
    int *value, *again, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    expect(flag && *value == INT_MAX, "MPI_TAG_UB", flag, *value);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &again, &flag);
    expect(value == again, "its place", 0, 0);
    MPI_Comm_get_attr(MPI_COMM_SELF, MPI_UNIVERSE_SIZE, &value, &flag);
    expect(flag && *value == size, "MPI_UNIVERSE_SIZE", flag, *value);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
    expect(flag && *value == 1, "MPI_WTIME_IS_GLOBAL", flag, *value);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag);
    expect(flag && *value == 0, "MPI_APPNUM", flag, *value);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    expect(flag && *value >= MPI_ERR_LASTCODE, "MPI_LASTUSEDCODE", flag, *value);
}

/* A key that was freed serves its attributes as long as there are any. */
static void freed_key(void)
{
    MPI_Comm comm, other;
    int k, number;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete, &k, &extra[1]);
    number = k;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_attr(comm, k, (void *)4L);
    MPI_Comm_free_keyval(&k);
    expect(k == MPI_KEYVAL_INVALID, "a freed key", k, number);
    check_value(comm, number, 1, 4);
    MPI_Comm_dup(comm, &other);
    check_value(other, number, 1, 4);
    MPI_Comm_free(&comm);
    check_log("B");
    MPI_Comm_free(&other);
    check_log("B");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &k, NULL);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_attr(comm, k, (void *)4L);
    MPI_Comm_dup(comm, &other);
    check_value(other, k, 0, 0);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&other);
    MPI_Comm_free_keyval(&k);
}

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < 3; k++)
        MPI_Comm_create_keyval(copy, delete, &key[k], &extra[k]);
    copies_of(MPI_COMM_WORLD);
    predefined();
    freed_key();
    for (int k = 0; k < 3; k++)
        MPI_Comm_free_keyval(&key[k]);
    MPI_Finalize();
    if (me == 0)
        puts("right");
    return 0;
}
