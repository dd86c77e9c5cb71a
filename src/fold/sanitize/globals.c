/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * globals: the red zones around the program's globals. Code that is built with AddressSanitizer registers its
 * globals when it is constructed, and takes that back when it is destructed: each rank for its own copy. If
 * all ranks' globals have one place (private globals by exchange), the first rank does it for all, and none
 * takes it back.
 */
#include "fold/sanitize/sanitize.h"

#include <dlfcn.h>

typedef void (*list_fn)(void *globals, uintptr_t n);
typedef void (*section_fn)(uintptr_t *flag, void *start, void *stop);

static bool shared(void)
{
    return rank_running_job && fold_way(fold_of_job(rank_running_job)) != FOLD_DLOPEN;
}

/* The places that are registered already. */
static struct {
    BASE_ARRAY(void *) at;
} known;

static bool first(void *globals)
{
    for (size_t k = 0; k < known.at.n; k++)
        if (known.at.at[k] == globals)
            return false;
    BASE_ARRAY_PUSH(&known.at, globals);
    return true;
}

void in_rank___asan_register_globals(void *globals, uintptr_t n)
{
    static list_fn real;
    if (!real)
        real = (list_fn)dlsym(RTLD_DEFAULT, "__asan_register_globals");
    if (real && (!shared() || first(globals)))
        real(globals, n);
}

void in_rank___asan_unregister_globals(void *globals, uintptr_t n)
{
    static list_fn real;
    if (!real)
        real = (list_fn)dlsym(RTLD_DEFAULT, "__asan_unregister_globals");
    if (real && !shared())
        real(globals, n);
}

void in_rank___asan_register_elf_globals(uintptr_t *flag, void *start, void *stop)
{
    static section_fn real;
    if (!real)
        real = (section_fn)dlsym(RTLD_DEFAULT, "__asan_register_elf_globals");
    if (real && (!shared() || first(start)))
        real(flag, start, stop);
}

void in_rank___asan_unregister_elf_globals(uintptr_t *flag, void *start, void *stop)
{
    static section_fn real;
    if (!real)
        real = (section_fn)dlsym(RTLD_DEFAULT, "__asan_unregister_elf_globals");
    if (real && !shared())
        real(flag, start, stop);
}
