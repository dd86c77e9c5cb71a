/* SPDX-License-Identifier: BSD-3-Clause */
/* sqlite: loads the library. */
#include "sweep/store/sqlite.h"

#include <dlfcn.h>

const struct store_sqlite *store_sqlite(struct base_status *st)
{
    static struct store_sqlite table;
    static const char name[] = "libsqlite3.so.0";
    static void *library;
    bool missing = false;
    if (library)
        return &table;
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        (void)base_fail(st, "%s cannot be loaded; it is in Debian's package libsqlite3-0", name);
        return NULL;
    }
#define FIND(function)                                                                                       \
    *(void **)&table.function = dlsym(library, "sqlite3_" #function);                                        \
    missing |= !table.function;
    SWEEP_SQLITE(FIND)
#undef FIND
    if (!missing)
        return &table;
    dlclose(library);
    library = NULL;
    (void)base_fail(st, "%s lacks functions of version 3", name);
    return NULL;
}
