/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * new: C++'s operators in the program's own code. The C++ library's own references to them are left alone:
 * what it keeps for all ranks must not end with one. If there is no memory, its operator does what the
 * language asks for: calls the new handler, throws.
 */
#include "fold/annotate/annotate.h"

#include <dlfcn.h>
#include <stdlib.h>

#define HERE __builtin_return_address(0)

static void *library_operator(const char *symbol)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
    void *found = NULL;
    for (unsigned k = 0; k < BASE_LENGTH(libraries) && !found; k++) {
        void *library = dlopen(libraries[k], RTLD_LAZY | RTLD_NOLOAD);
        found = library ? dlsym(library, symbol) : NULL;
    }
    if (!found)
        base_fatal(BASE_EXIT_PROGRAM, "out of memory, and the C++ library's %s was not found", symbol);
    return found;
}

static void *throwing(size_t bytes, const char *symbol, const void *caller)
{
    void *(*rest)(size_t);
    void *p = folded_or_own(bytes, caller);
    if (BASE_LIKELY(p != NULL))
        return p;
    *(void **)(void *)&rest = library_operator(symbol);
    return rest(bytes);
}

static void *throwing_aligned(size_t bytes, size_t alignment, const char *symbol, const void *caller)
{
    void *(*rest)(size_t, size_t);
    void *p = folded_or_aligned("memalign", alignment, bytes, caller);
    if (BASE_LIKELY(p != NULL))
        return p;
    *(void **)(void *)&rest = library_operator(symbol);
    return rest(bytes, alignment);
}

void *in_rank_new_one(size_t bytes)
{
    return throwing(bytes, "_Znwm", HERE);
}

void *in_rank_new_array(size_t bytes)
{
    return throwing(bytes, "_Znam", HERE);
}

void *in_rank_new_aligned(size_t bytes, size_t alignment)
{
    return throwing_aligned(bytes, alignment, "_ZnwmSt11align_val_t", HERE);
}

void *in_rank_new_array_aligned(size_t bytes, size_t alignment)
{
    return throwing_aligned(bytes, alignment, "_ZnamSt11align_val_t", HERE);
}

/* --- without exceptions, deleting ----------------------------------------------------------------- */

#define NOTHROW(name)                                                                                        \
    void *in_rank_##name(size_t bytes, const void *tag)                                                      \
    {                                                                                                        \
        (void)tag;                                                                                           \
        return folded_or_own(bytes, HERE);                                                                   \
    }
NOTHROW(new_one_nothrow)
NOTHROW(new_array_nothrow)

#define NOTHROW_ALIGNED(name)                                                                                \
    void *in_rank_##name(size_t bytes, size_t alignment, const void *tag)                                    \
    {                                                                                                        \
        (void)tag;                                                                                           \
        return folded_or_aligned("memalign", alignment, bytes, HERE);                                        \
    }
NOTHROW_ALIGNED(new_aligned_nothrow)
NOTHROW_ALIGNED(new_array_aligned_nothrow)

/* What deletes are told besides the block is not needed. */
void in_rank_delete_one(void *p)
{
    folded_or_own_free(p, "delete", HERE);
}

void in_rank_delete_array(void *p)
{
    folded_or_own_free(p, "delete", HERE);
}

#define DELETE_ONE_MORE(name, type)                                                                          \
    void in_rank_##name(void *p, type more)                                                                  \
    {                                                                                                        \
        (void)more;                                                                                          \
        folded_or_own_free(p, "delete", HERE);                                                               \
    }
DELETE_ONE_MORE(delete_sized, size_t)
DELETE_ONE_MORE(delete_array_sized, size_t)
DELETE_ONE_MORE(delete_nothrow, const void *)
DELETE_ONE_MORE(delete_array_nothrow, const void *)
DELETE_ONE_MORE(delete_aligned, size_t)
DELETE_ONE_MORE(delete_array_aligned, size_t)

#define DELETE_TWO_MORE(name, second)                                                                        \
    void in_rank_##name(void *p, size_t first, second more)                                                  \
    {                                                                                                        \
        (void)first, (void)more;                                                                             \
        folded_or_own_free(p, "delete", HERE);                                                               \
    }
DELETE_TWO_MORE(delete_sized_aligned, size_t)
DELETE_TWO_MORE(delete_array_sized_aligned, size_t)
DELETE_TWO_MORE(delete_aligned_nothrow, const void *)
DELETE_TWO_MORE(delete_array_aligned_nothrow, const void *)
