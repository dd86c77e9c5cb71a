/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * global: free, realloc and malloc_usable_size for the whole process: heap.ld lets libpgasim export the
 * functions here by these names, in front of libc's. System libraries may be given a block of a rank's heap
 * that they free or enlarge: getline a buffer, the C++ library a facet. All other blocks go on to who would
 * have got them: libc, or a library in front of us, a sanitizer's for one, in whose presence there are no
 * heaps. Builds of the simulator with a sanitizer do without these names.
 */
#include "fold/heap/heap.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

void heap_process_free(void *p);
void *heap_process_realloc(void *p, size_t bytes);
size_t heap_process_usable_size(void *p);

extern void __libc_free(void *p);
extern void *__libc_realloc(void *p, size_t bytes);

/* Until they are found, while the process begins, libc's. */
static struct {
    void (*free)(void *p);
    void *(*realloc)(void *p, size_t bytes);
    size_t (*usable_size)(void *p);
} others = {__libc_free, __libc_realloc, NULL};

/* The first function of this name in the process but ours. libpgasim's own search begins with itself. */
static void find(void *fn, const char *name, const void *ours)
{
    void *process = dlopen(NULL, RTLD_LAZY), *first = process ? dlsym(process, name) : NULL;
    *(void **)fn = first && first != ours ? first : dlsym(RTLD_NEXT, name);
}

static __attribute__((constructor(101))) void find_others(void)
{
    find(&others.free, "free", (void *)heap_process_free);
    find(&others.realloc, "realloc", (void *)heap_process_realloc);
    find(&others.usable_size, "malloc_usable_size", (void *)heap_process_usable_size);
}

BASE_PUBLIC void heap_process_free(void *p)
{
    if (BASE_LIKELY(!heap_holds(p)))
        others.free(p);
    else
        heap_free_any(p);
}

BASE_PUBLIC void *heap_process_realloc(void *p, size_t bytes)
{
    return BASE_LIKELY(!heap_holds(p)) ? others.realloc(p, bytes) : heap_realloc_any(p, bytes);
}

BASE_PUBLIC size_t heap_process_usable_size(void *p)
{
    return BASE_LIKELY(!heap_holds(p)) ? others.usable_size(p) : heap_usable_size(p);
}
