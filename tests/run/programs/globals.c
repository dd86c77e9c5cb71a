/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of writable static data belongs to one rank: it begins as the program says and no other rank's
 * writes are seen in it. */
// run: -np 1
// stdout: 0 wrong in 1 PEs
// run: -np 2
// stdout: 0 wrong in 2 PEs
// run: -np 7
// stdout: 0 wrong in 7 PEs
// run: -np 64
// stdout: 0 wrong in 64 PEs
// run: -np 900
// times: 1
// stdout: 0 wrong in 900 PEs
#include <shmem.h>
#include <stdio.h>
#include <string.h>

int data = 17;
int bss;
static int hidden_data = 23;
static int hidden_bss;
int *pointer_to_data = &data; /* relocated: must point into the rank's own copy */
static int *pointer_to_hidden = &hidden_bss;
const int *const constant_pointer = &hidden_data;
static char large[200000];
static char aligned[64] __attribute__((aligned(4096)));
static _Thread_local int thread_data = 31;
static _Thread_local int thread_bss;
_Thread_local int thread_public = 37;
static struct {
    char name[8];
    int *self;
} record = {"abc", &data};
static int (*function)(const char *) = puts;
static long wrong_of_all;

static int *function_static(void)
{
    static int value = 41;
    return &value;
}

static int function_counter(void)
{
    static int calls;
    return ++calls;
}

static int pristine(void)
{
    int wrong = data != 17 || bss != 0 || hidden_data != 23 || hidden_bss != 0;
    wrong += pointer_to_data != &data || pointer_to_hidden != &hidden_bss || *constant_pointer != 23;
    wrong += large[0] != 0 || large[sizeof large - 1] != 0 || aligned[5] != 0 ||
             (unsigned long)aligned % 4096 != 0;
    wrong += thread_data != 31 || thread_bss != 0 || thread_public != 37;
    wrong += strcmp(record.name, "abc") != 0 || record.self != &data || function != puts;
    wrong += *function_static() != 41 || function_counter() != 1;
    return wrong;
}

static void set(int me)
{
    data = me;
    bss = hidden_data = hidden_bss = me + 1;
    large[sizeof large - 1] = (char)me;
    aligned[5] = (char)me;
    thread_data = me + 2;
    thread_bss = me + 3;
    thread_public = me + 4;
    snprintf(record.name, sizeof record.name, "%d", me);
    *function_static() = me + 5;
}

static int kept(int me)
{
    char name[8];
    snprintf(name, sizeof name, "%d", me);
    int wrong = data != me || *pointer_to_data != me || bss != me + 1 || hidden_data != me + 1 ||
                hidden_bss != me + 1;
    wrong += large[sizeof large - 1] != (char)me || aligned[5] != (char)me;
    wrong += thread_data != me + 2 || thread_bss != me + 3 || thread_public != me + 4;
    wrong += strcmp(record.name, name) != 0 || *function_static() != me + 5 || function_counter() != 2;
    return wrong;
}

int main(void)
{
    int wrong = pristine();
    shmem_init();
    int me = shmem_my_pe();
    set(me);
    shmem_barrier_all();
    wrong += kept(me);
    shmem_long_atomic_add(&wrong_of_all, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%ld wrong in %d PEs\n", wrong_of_all, shmem_n_pes());
    shmem_finalize();
    return 0;
}
