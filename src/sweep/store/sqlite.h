/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite: the functions of SQLite that are called, as pointers: the library is loaded by the first file, so that
 * programs that are simulated do not carry it, nor meet its names (private to store/).
 */
#ifndef PGASIM_SWEEP_STORE_SQLITE_H
#define PGASIM_SWEEP_STORE_SQLITE_H

#include <sqlite3.h>

#include "base/base.h"

#define SWEEP_SQLITE(X)                                                                                      \
    X(open_v2)                                                                                               \
    X(close)                                                                                                 \
    X(exec)                                                                                                  \
    X(errmsg)                                                                                                \
    X(busy_timeout)                                                                                          \
    X(prepare_v2)                                                                                            \
    X(step)                                                                                                  \
    X(reset)                                                                                                 \
    X(finalize)                                                                                              \
    X(bind_text)                                                                                             \
    X(bind_int64)                                                                                            \
    X(bind_double)                                                                                           \
    X(bind_null)                                                                                             \
    X(column_text)                                                                                           \
    X(column_int64)                                                                                          \
    X(column_double)                                                                                         \
    X(column_type)

struct store_sqlite {
#define FIELD(name) typeof(sqlite3_##name) *name;
    SWEEP_SQLITE(FIELD)
#undef FIELD
};
/* NULL with st: the library is not installed. */
const struct store_sqlite *store_sqlite(struct base_status *st);

#endif
