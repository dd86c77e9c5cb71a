/* SPDX-License-Identifier: BSD-3-Clause */
/* settings: the parameters of folding, with their defaults and sources. */
#include "fold/fold.h"

const struct base_setting fold_settings[] = {
    {"fold/dlopen-ranks", BASE_UINT, "1024", "most ranks for which --privatize=auto loads one copy per rank",
     "measured: docs/private-globals.md"},
    {"fold/dlopen-ranks-large", BASE_UINT, "8192",
     "the same for programs with more globals than fold/swap-bytes",
     "limit on memory mappings, vm.max_map_count = 65530"},
    {"fold/swap-bytes", BASE_SIZE, "64KiB",
     "bytes of globals per rank from which exchanging them costs more than loading copies",
     "measured: docs/private-globals.md"},
    {"thread/create-cost", BASE_TIME, "20us", "time that pthread_create takes in its caller",
     "measured: pthread_create on Linux 6, x86-64: 15 to 30 us"},
    {"thread/wake-cost", BASE_TIME, "4us", "time from the waking of a blocked thread until it runs",
     "measured: two threads that wake each other in turn, Linux 6, x86-64: 3 to 6 us"},
    {"thread/call-cost", BASE_TIME, "20ns",
     "time of a call that finds its lock free, in a rank with several threads",
     "measured: pthread_mutex_lock or _unlock, uncontended, x86-64: 10 to 25 ns"},
    {"thread/most", BASE_UINT, "0",
     "most threads alive at once, besides each rank's first; 0: 64 per rank, within limits",
     "addresses for their stacks are reserved at the start: docs/threads.md"},
    {"memory/fold-threshold", BASE_SIZE, "0", "smallest block from malloc or new that is folded; 0: none is",
     "as SMPI's smpi/auto-shared-malloc-thresh: docs/annotations.md"},
    {"memory/fold-most", BASE_SIZE, "64MiB",
     "most memory that one folded block takes up; a larger block repeats it",
     "a choice: docs/annotations.md"},
};
const size_t fold_settings_count = BASE_LENGTH(fold_settings);
