// SPDX-License-Identifier: BSD-3-Clause
// Collectives between folded blocks: they move bytes, or with coll/leave-folded only take their time. Where
// one of the two blocks is not folded, or the contents matter to the collective itself, bytes are always
// moved.
// build: $OSHCC -g -Wall -Wextra -Werror "$SRC" -o $EXE
// run: -np 8
// stdout: folded to folded: alltoall moved, fcollect moved, broadcast moved, reduction moved
// stdout: folded to private: alltoall moved, private to folded: moved
// run: -np 8 --set coll/leave-folded=yes
// stdout: folded to folded: alltoall left, fcollect left, broadcast left, reduction moved
// stdout: folded to private: alltoall moved, private to folded: moved
// run: -np 8 --set coll/leave-folded=yes --set coll/alltoall=bruck
// stdout: folded to folded: alltoall left, fcollect left, broadcast left, reduction moved
// stdout: folded to private: alltoall moved, private to folded: moved
#include <pgasim.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { EACH = 100, PES = 8 };
static long *folded_source, *folded_dest, *own_source, *own_dest;

/* All PEs write the same into source, and clear dest. */
static void begin(long *source, long *dest)
{
    for (int i = 0; i < PES * EACH; i++)
        source[i] = i % EACH + 1;
    memset(dest, 0, PES * EACH * sizeof *dest);
    shmem_barrier_all();
}

static const char *end(const long *dest)
{
    shmem_barrier_all();
    const char *how = dest[EACH - 1] ? "moved" : "left";
    shmem_barrier_all();
    return how;
}

static const char *alltoall(long *dest, long *source)
{
    begin(source, dest);
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, EACH);
    return end(dest);
}

static const char *fcollect(long *dest, long *source)
{
    begin(source, dest);
    shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, EACH);
    return end(dest);
}

static const char *broadcast(long *dest, long *source)
{
    begin(source, dest);
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, EACH, 3);
    return end(dest);
}

static const char *reduction(long *dest, long *source)
{
    begin(source, dest);
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, EACH);
    return end(dest);
}

int main(void)
{
    const size_t bytes = PES * EACH * sizeof(long);
    shmem_init();
    folded_source = pgasim_fold_shmem_malloc(bytes);
    folded_dest = pgasim_fold_shmem_malloc(bytes);
    own_source = shmem_malloc(bytes);
    own_dest = shmem_malloc(bytes);
    const char *a = alltoall(folded_dest, folded_source), *f = fcollect(folded_dest, folded_source),
               *b = broadcast(folded_dest, folded_source), *r = reduction(folded_dest, folded_source),
               *out = alltoall(own_dest, folded_source), *in = alltoall(folded_dest, own_source);
    if (shmem_my_pe() == 0) {
        printf("folded to folded: alltoall %s, fcollect %s, broadcast %s, reduction %s\n", a, f, b, r);
        printf("folded to private: alltoall %s, private to folded: %s\n", out, in);
    }
    shmem_finalize();
    return 0;
}
