/* SPDX-License-Identifier: BSD-3-Clause */
/* interposers: the functions that replace the application's references to libc, from the .def lists of the
 * rooms. */
#include "fold/annotate/annotate.h"
#include "fold/io/io.h"
#include "fold/sanitize/sanitize.h"
#include "fold/thread/thread.h"
#include "fold/touch/touch.h"

#define FOLD_LIBC(type, name, params)            {#name, (void (*)(void))in_rank_##name},
#define FOLD_LIBC_AS(symbol, type, name, params) {symbol, (void (*)(void))in_rank_##name},
#define FOLD_SHIM(type, name, params, call)      {#name, (void (*)(void))in_rank_##name},
const struct fold_interposer fold_interposers[] = {
#include "fold/thread/thread.def"
#include "fold/io/io.def"
#include "fold/io/shims.def"
#include "fold/libc/libc.def"
#include "fold/thread/program.def"
#include "fold/annotate/annotate.def"
#include "fold/sanitize/sanitize.def"
};
enum { /* one per line of the list */
#undef FOLD_LIBC
#undef FOLD_LIBC_AS
#undef FOLD_SHIM
#define FOLD_LIBC(type, name, params)            +1
#define FOLD_LIBC_AS(symbol, type, name, params) +1
#define FOLD_SHIM(type, name, params, call)      +1
       SYSTEM = 0
#include "fold/thread/thread.def"
#include "fold/io/io.def"
#include "fold/io/shims.def"
};
#undef FOLD_LIBC
#undef FOLD_LIBC_AS
#undef FOLD_SHIM
#define FOLD_LIBC(type, name, params)            {#name, (void (*)(void))in_rank_##name},
#define FOLD_LIBC_AS(symbol, type, name, params) {symbol, (void (*)(void))in_rank_##name},
#define FOLD_TOUCH(type, name, params)           {#name, (void (*)(void))touch_##name},
const struct fold_interposer fold_checking_interposers[] = {
#include "fold/thread/order.def"
#include "fold/thread/openmp.def"
#include "fold/touch/touch.def"
};
#undef FOLD_TOUCH
#undef FOLD_LIBC
#undef FOLD_LIBC_AS
const size_t fold_checking_interposer_count = BASE_LENGTH(fold_checking_interposers);
const size_t fold_interposer_count = BASE_LENGTH(fold_interposers);
const size_t fold_interposer_system = SYSTEM;
