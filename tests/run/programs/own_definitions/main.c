/* SPDX-License-Identifier: BSD-3-Clause */
/* A program's own definitions come first, as they do natively: functions of the OpenSHMEM library that a
 * profiling library wraps, and functions of the C library that the program or its library has for itself.
 * Whoever calls them, through whatever kind of reference; the system's own libraries keep theirs. */
// build: mkdir -p lazy now noplt
// build: $OSHCC -g -shared -fPIC -Wl,-z,lazy -o lazy/libprofile.so $DIR/profile.c
// build: $OSHCC -g -shared -fPIC -Wl,-z,now -o now/libprofile.so $DIR/profile.c
// build: $CC -g -shared -fPIC -O2 -fno-plt -I$TOP/include -o noplt/libprofile.so $DIR/profile.c
// build: $OSHCC -g -shared -fPIC -fno-builtin -o lazy/liballoc.so $DIR/alloc.c
// build: $OSHCC -g -o $EXE $SRC -Llazy -lprofile
// build: $OSHCC -g -o $EXE.alloc $SRC -Llazy -lalloc -lprofile
// build: $OSHCC -g -O2 -fno-plt -o $EXE.noplt $SRC -Llazy -lprofile
// shell: LD_LIBRARY_PATH=$W/lazy $RUN --quiet -np 3 $EXE
// stdout: 0 wrong in 3 PEs
// shell: LD_LIBRARY_PATH=$W/now $RUN --quiet -np 3 $EXE
// stdout: 0 wrong in 3 PEs
// shell: LD_LIBRARY_PATH=$W/noplt $RUN --quiet -np 3 $EXE.noplt
// stdout: 0 wrong in 3 PEs
// shell: LD_LIBRARY_PATH=$W/lazy $RUN --quiet -np 3 $EXE.alloc
// stdout: 0 wrong in 3 PEs
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In libprofile.so */
extern int profile_puts, profile_sizes[4];
int profile_n_pes(void);
int profile_rand(void);
int profile_next(void);
extern int (*profile_pointer)(void);
int both(void);
int profile_both(void);

/* In data, so that the loader writes their addresses. */
static int (*const n_pes_pointer)(void) = shmem_n_pes;
static int *const third_size = &profile_sizes[3];

static int dest[3], wrong;
static long sum;

/* The program's own, which its library must get, too. */
int rand(void)
{
    static int next;
    return next += 7;
}

int both(void)
{
    return 1;
}

#define EXPECT(a, b)                                                                                         \
    do {                                                                                                     \
        long is = (a);                                                                                       \
        if (is != (b)) {                                                                                     \
            printf("line %d: %ld, expected %ld\n", __LINE__, is, (long)(b));                                 \
            wrong++;                                                                                         \
        }                                                                                                    \
    } while (0)

int main(void)
{
    shmem_init();
    int n = _num_pes(), me = shmem_my_pe(), next = (me + 1) % n, values[] = {me + 10, me + 20, me + 30};
    EXPECT(shmem_n_pes(), 1000 + n);
    EXPECT(n_pes_pointer(), 1000 + n);
    EXPECT(profile_n_pes(), 1000 + n);
    EXPECT(profile_pointer(), 1000 + n);
    EXPECT(rand(), 7);
    EXPECT(profile_rand(), 14);
    EXPECT(profile_next(), 1);
    EXPECT(both(), 1);
    EXPECT(profile_both(), 1);
    srand((unsigned)me);
    char *copy = strdup("made by libc"), *own = malloc(20);
    EXPECT(strcmp(copy, "made by libc"), 0);
    free(copy);
    free(own);
    shmem_int_put(dest, values, 3, next);
    EXPECT(profile_puts, 1);
    EXPECT(profile_sizes[3], 1);
    EXPECT(*third_size, 1);
    shmem_barrier_all();
    EXPECT(dest[2], (me + n - 1) % n + 30);
    shmem_long_atomic_add(&sum, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%ld wrong in %d PEs\n", sum, n);
    shmem_finalize();
    return 0;
}
