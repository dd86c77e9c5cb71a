/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dl: dlopen and its relatives as far as they must know of ranks. image/module.c does the work. dladdr and
 * the like accept a rank's addresses and handles as they are.
 */
#include "fold/libc/libc.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "fold/image/image.h"

void *in_rank_dlopen(const char *name, int flags)
{
    const void *caller = __builtin_return_address(0);
    return rank_current ? module_open(rank_current, name, flags, caller) : dlopen(name, flags);
}

void *in_rank_dlsym(void *handle, const char *symbol)
{
    const void *caller = __builtin_return_address(0);
    return rank_current ? module_symbol(rank_current, handle, symbol, caller) : dlsym(handle, symbol);
}

/* A rank's own modules stay. */
int in_rank_dlclose(void *handle)
{
    return rank_current && module_is_own(rank_current, handle) ? 0 : dlclose(handle);
}

char *in_rank_dlerror(void)
{
    struct module_copies *c = rank_current ? fold_part(rank_current)->image->modules : NULL;
    if (!c || !c->error)
        return dlerror();
    free(c->told);
    c->told = c->error;
    c->error = NULL;
    return c->told;
}
