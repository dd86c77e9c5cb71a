/* SPDX-License-Identifier: BSD-3-Clause */
/* library: OTF2's library, loaded by the first archive that is read or written. */
#include "replay/otf2/library.h"

#include <dlfcn.h>

const struct replay_otf2_library *replay_otf2_library(struct base_status *st)
{
    static struct replay_otf2_library functions;
    static bool loaded;
    if (loaded)
        return &functions;
    void *library = dlopen(PGASIM_OTF2, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        base_fail(st, "the OTF2 library cannot be loaded (Debian package libopen-trace-format2-10): %s",
                  dlerror());
        return NULL;
    }
#define FIND(f)                                                                                              \
    if (!(functions.f = (__typeof__(OTF2_##f) *)dlsym(library, "OTF2_" #f))) {                               \
        base_fail(st, "%s has no OTF2_%s", PGASIM_OTF2, #f);                                                 \
        return NULL;                                                                                         \
    }
    REPLAY_OTF2_EACH(FIND)
    REPLAY_OTF2_EACH_WRITTEN(FIND)
#undef FIND
    loaded = true;
    return &functions;
}
