/* SPDX-License-Identifier: BSD-3-Clause */
/* explore_lines: a text as the lines that a run has written, for tests. */
#ifndef PGASIM_TESTS_CHECK_EXPLORE_LINES_H
#define PGASIM_TESTS_CHECK_EXPLORE_LINES_H

#include "check/explore/parts.h"

#include <string.h>

static inline struct explore_lines lines(const char *text)
{
    struct explore_lines l = {{0}};
    while (*text) {
        size_t n = strcspn(text, "\n");
        BASE_ARRAY_PUSH(&l.line, base_strfmt("%.*s", (int)n, text));
        text += n + (text[n] == '\n');
    }
    return l;
}

#endif
