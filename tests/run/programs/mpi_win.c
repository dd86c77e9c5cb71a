/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of all kinds, and what they tell: attributes, names, groups, hints, memory. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 4
// stdout: done
// run: -np 7
// stdout: done
// run: -np 1
// stdout: done
// run: -np 4 --set mpi/win-model=separate
// stdout: done
// run: -np 4 --set rdma/profile=software
// stdout: done
// run: -np 4 --leaks -- leak
// stderr-match: window
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, n, next, separate;
static double global[16]; /* a private global of each rank */

static void attributes(MPI_Win win, const void *base, MPI_Aint size, int unit, int flavor)
{
    void *value;
    int flag;
    MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag);
    assert(flag && (flavor == MPI_WIN_FLAVOR_DYNAMIC || value == base));
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &value, &flag);
    assert(flag && *(MPI_Aint *)value == size);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &flag);
    assert(flag && *(int *)value == unit);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &flag);
    assert(flag && *(int *)value == flavor);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &flag);
    assert(flag && (*(int *)value == MPI_WIN_UNIFIED || *(int *)value == MPI_WIN_SEPARATE));
    separate = *(int *)value == MPI_WIN_SEPARATE;
}

/* Every rank puts a value at its neighbour, and gets it back. */
static void exchange(MPI_Win win, const double *mine, MPI_Aint disp)
{
    double out = me + 0.5, in = -1;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(&out, 1, MPI_DOUBLE, next, disp, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    assert(*mine == (me + n - 1) % n + 0.5);
    MPI_Get(&in, 1, MPI_DOUBLE, next, disp, 1, MPI_DOUBLE, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    assert(in == me + 0.5);
}

static void created(void)
{
    MPI_Win win;
    double *heap = malloc(8 * sizeof *heap), stack[4] = {0};
    MPI_Win_create(heap, 8 * sizeof *heap, sizeof *heap, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    attributes(win, heap, 8 * sizeof *heap, sizeof *heap, MPI_WIN_FLAVOR_CREATE);
    exchange(win, &heap[5], 5);
    MPI_Win_free(&win);
    assert(win == MPI_WIN_NULL);
    MPI_Win_create(global, sizeof global, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    exchange(win, &global[3], 3 * sizeof *global);
    MPI_Win_free(&win);
    MPI_Win_create(stack, sizeof stack, sizeof *stack, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    exchange(win, &stack[2], 2);
    MPI_Win_free(&win);
    free(heap);
}

static void allocated(void)
{
    MPI_Win win;
    double *at;
    const MPI_Aint much = (MPI_Aint)1 << (separate ? 16 : 32); /* only pages that are touched cost anything */
    MPI_Win_allocate(much, sizeof *at, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &win);
    attributes(win, at, much, sizeof *at, MPI_WIN_FLAVOR_ALLOCATE);
    assert(at[1000] == 0);
    exchange(win, &at[1000], 1000);
    MPI_Win_free(&win);
}

static void shared(void)
{
    MPI_Win win;
    MPI_Comm node;
    long *at, *other;
    MPI_Aint size;
    int unit, k, count;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &k);
    MPI_Comm_size(node, &count);
    MPI_Win_allocate_shared((k + 1) * sizeof *at, sizeof *at, MPI_INFO_NULL, node, &at, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &other);
    assert(size == sizeof *at && unit == sizeof *at && at == other + k * (k + 1) / 2);
    MPI_Win_lock_all(0, win);
    at[k] = 100 + k;
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Win_sync(win);
    MPI_Win_shared_query(win, (k + 1) % count, &size, &unit, &other);
    assert(other[(k + 1) % count] == 100 + (k + 1) % count);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
}

static void dynamic(void)
{
    MPI_Win win;
    MPI_Aint address, *all = malloc(n * sizeof *all);
    double *at = calloc(64, sizeof *at);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    attributes(win, NULL, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
    MPI_Win_attach(win, at, 32 * sizeof *at);
    MPI_Win_attach(win, at + 32, 32 * sizeof *at);
    MPI_Get_address(at + 31, &address); /* two elements, one in each region */
    MPI_Allgather(&address, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
    double out[2] = {me, -me};
    MPI_Win_fence(0, win);
    MPI_Put(out, 2, MPI_DOUBLE, next, all[next], 2, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    assert(at[31] == (me + n - 1) % n && at[32] == -((me + n - 1) % n));
    MPI_Win_detach(win, at);
    MPI_Win_free(&win);
    free(at);
    free(all);
}

static int copies, deletes;
static int drop(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key, (void)extra;
    deletes += value == &deletes;
    return MPI_SUCCESS;
}

static void questions(void)
{
    MPI_Win win;
    MPI_Info info, told;
    MPI_Group group, world;
    char name[MPI_MAX_OBJECT_NAME], value[100];
    int length, flag, same, key;
    long *at;
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Info_set(info, "nobody_knows", "this");
    MPI_Win_allocate(8, 1, info, MPI_COMM_WORLD, &at, &win);
    MPI_Win_get_info(win, &told);
    MPI_Info_get(told, "accumulate_ordering", 99, value, &flag);
    assert(flag && !strcmp(value, "none"));
    MPI_Info_get(told, "no_locks", 99, value, &flag);
    assert(flag && !strcmp(value, "false"));
    MPI_Info_get(told, "nobody_knows", 99, value, &flag);
    assert(!flag);
    MPI_Info_free(&told);
    MPI_Info_free(&info);
    MPI_Win_get_name(win, name, &length);
    assert(!length);
    MPI_Win_set_name(win, "halo");
    MPI_Win_get_name(win, name, &length);
    assert(length == 4 && !strcmp(name, "halo"));
    MPI_Win_get_group(win, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_compare(group, world, &same);
    assert(same == MPI_IDENT);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop, &key, NULL);
    MPI_Win_set_attr(win, key, &deletes);
    void *found;
    MPI_Win_get_attr(win, key, &found, &flag);
    assert(flag && found == &deletes && !copies);
    MPI_Win_free(&win);
    assert(deletes == 1);
    MPI_Win_free_keyval(&key);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    next = (me + 1) % n;
    created();
    allocated();
    shared();
    dynamic();
    questions();
    if (argc > 1) {
        MPI_Win win;
        MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    }
    MPI_Finalize();
    if (!me)
        puts("done");
    return 0;
}
