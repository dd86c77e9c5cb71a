/* SPDX-License-Identifier: BSD-3-Clause */
/* What real libraries let pass, row by row of docs/real-libraries.md: the symmetric heap, and addresses that
 * are not symmetric. misuse_rows.h says more. */
// misuse: notice misuse/alignment-small -np 4 -- align_small
// misuse: warning misuse/alignment -np 4 -- align_odd
// misuse: warning misuse/alignment-zero -np 4 -- align_zero
// misuse: warning misuse/not-a-block -np 4 -- free_inside
// misuse: warning misuse/not-a-block -np 4 -- free_twice
// misuse: warning misuse/not-a-block -np 4 -- realloc_inside
// misuse: warning misuse/not-a-block -np 4 -- realloc_freed
// misuse: warning misuse/not-a-block -np 4 -- free_static
// misuse: error not.in.the.symmetric.heap -np 4 -- free_stack
// misuse: error heap.differ -np 4 -- free_differs
// misuse: warning misuse/freed-memory -np 4 -- freed_put
// misuse: warning misuse/freed-memory -np 4 -- freed_get
// misuse: warning misuse/freed-memory -np 4 -- freed_atomic
// misuse: warning misuse/freed-memory -np 4 -- freed_collective
// misuse: warning misuse/no-object -np 4 -- never_allocated
// misuse: error not.a.symmetric.address -np 4 -- past_heap
// misuse: error null.pointer -np 4 -- null_local
// misuse: error null.pointer -np 4 -- null_remote
// run: -np 4 -- free_null
// stdout: free_null: went on
// stderr-not: pgasim
// run: --strict -np 4 -- free_null
// stdout: free_null: went on
#include "misuse_rows.h"

static void usable(void *p)
{
    CHECK(p && shmem_addr_accessible(p, n - 1));
    shmem_long_p(p, 7, (me + 1) % n);
    shmem_barrier_all();
    CHECK(*(long *)p == 7);
    shmem_free(p);
}

static void align_small(void)
{
    usable(shmem_align(2, 80));
}

static void align_odd(void)
{
    long *p = shmem_align(24, 80);
    CHECK((uintptr_t)p % 32 == 0);
    usable(p);
}

static void align_zero(void)
{
    CHECK(!shmem_align(0, 80));
}

static void free_null(void)
{
    shmem_free(NULL);
}

static void free_inside(void)
{
    shmem_free(block + 1);
    shmem_long_p(block, 5, (me + 1) % n);
    shmem_barrier_all();
    CHECK(*block == 5);
}

static void free_twice(void)
{
    shmem_free(gone);
    usable(shmem_malloc(800));
}

static void realloc_inside(void)
{
    *block = 9;
    CHECK(!shmem_realloc(block + 1, 8000) && *block == 9);
}

static void realloc_freed(void)
{
    CHECK(!shmem_realloc(gone, 8000));
    usable(shmem_malloc(8000));
}

static void free_static(void)
{
    shmem_free(all);
}

static void free_stack(void)
{
    int here = me;
    shmem_free(&here);
}

static void free_differs(void)
{
    shmem_free(me ? block : next);
}

static void freed_put(void)
{
    shmem_long_p(gone, 70 + me, (me + 1) % n);
    shmem_barrier_all();
    CHECK(*gone == 70 + (me + n - 1) % n);
}

static void freed_get(void)
{
    gone[1] = 30 + me;
    shmem_barrier_all();
    CHECK(shmem_long_g(gone + 1, (me + 1) % n) == 30 + (me + 1) % n);
}

static void freed_atomic(void)
{
    *gone = 0;
    shmem_barrier_all();
    shmem_long_atomic_add(gone, 1, 0);
    shmem_barrier_all();
    CHECK(me || *gone == n);
}

static void freed_collective(void)
{
    from[0] = me;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, gone, from, 1);
    CHECK(*gone == (long)n * (n - 1) / 2);
}

static void never_allocated(void)
{
    long *far = next + 100;
    shmem_long_p(far, 70 + me, (me + 1) % n);
    shmem_barrier_all();
    CHECK(*far == 70 + (me + n - 1) % n);
}

static void past_heap(void)
{
    shmem_long_p(block + ((long)1 << 40), 1, 0);
}

static void null_local(void)
{
    shmem_long_put(block, NULL, 1, 0);
}

static void null_remote(void)
{
    shmem_long_p(NULL, 1, 0);
}

static const struct row rows[] = {
    ROW(align_small),     ROW(align_odd),      ROW(align_zero),    ROW(free_null),    ROW(free_inside),
    ROW(free_twice),      ROW(realloc_inside), ROW(realloc_freed), ROW(free_static),  ROW(free_stack),
    ROW(free_differs),    ROW(freed_put),      ROW(freed_get),     ROW(freed_atomic), ROW(freed_collective),
    ROW(never_allocated), ROW(past_heap),      ROW(null_local),    ROW(null_remote),
};

int main(int argc, char **argv)
{
    return run_row(rows, sizeof rows / sizeof *rows, argc > 1 ? argv[1] : "");
}
