/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs that do not make the same calls on the symmetric heap: a report that names both PEs and both calls. */
// run: -np 4 -- size
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_malloc: .*PE \d .*shmem_malloc of (100|104) bytes \(in main, shmem_heap_differs.c:\d+\); PE \d called shmem_malloc of (100|104) bytes \(in main, shmem_heap_differs.c:\d+\)$
// run: -np 4 -- function
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_\w+: .*(shmem_calloc|shmem_free).*(shmem_calloc|shmem_free)
// run: -np 4 -- block
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_free: .*shmem_free of heap block of [12]00 bytes \(shmem_malloc in main, shmem_heap_differs.c:\d+\) \(in main, shmem_heap_differs.c:\d+\); PE \d called shmem_free of heap block of [12]00 bytes
// run: -np 4 -- realloc
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_realloc: .*to (300|308) bytes.*to (300|308) bytes
// run: -np 4 -- zero
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_\w+: .*shmem_(malloc|barrier_all).*shmem_(malloc|barrier_all)
// run: --strict -np 4 -- alignment
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_align: alignment 24
// run: -np 4 -- huge
// stderr-match: ^pgasim: warning: shmem_align to 1073741824 bytes returns a null pointer
// run: --strict -np 4 -- huge
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_align to 1073741824 bytes returns .*--strict: not-modelled/alignment\)$
// stderr-match: ^pgasim:   called in main, shmem_heap_differs.c:\d+$
#include <shmem.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    shmem_init();
    int odd = shmem_my_pe() == 2;
    char *a = shmem_malloc(100), *b = shmem_malloc(200);
    if (strcmp(what, "size") == 0)
        shmem_malloc(odd ? 104 : 100);
    else if (strcmp(what, "function") == 0 && odd)
        shmem_free(a);
    else if (strcmp(what, "function") == 0)
        shmem_calloc(1, 1);
    else if (strcmp(what, "block") == 0)
        shmem_free(odd ? a : b);
    else if (strcmp(what, "realloc") == 0)
        shmem_realloc(a, odd ? 308 : 300);
    else if (strcmp(what, "zero") == 0)
        shmem_malloc(odd ? 0 : 8);
    else if (strcmp(what, "alignment") == 0)
        shmem_align(24, 8);
    else if (strcmp(what, "huge") == 0)
        shmem_align(1 << 30, 8);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
