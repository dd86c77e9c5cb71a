/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest: which known word somebody meant who typed an unknown one. Leaves the report to its callers. */
#include "base/base.h"

#include <string.h>

enum { WORD = 96 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned base_distance(const char *a, const char *b)
{
    unsigned rows[3][WORD + 1]; /* of three successive characters of a */
    size_t n = strnlen(b, WORD);
    for (unsigned j = 0; j <= n; j++)
        rows[0][j] = j;
    unsigned i = 0;
    for (; i < WORD && a[i]; i++) {
        unsigned *above = rows[i % 3], *row = rows[(i + 1) % 3], *two_above = rows[(i + 2) % 3];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            row[j + 1] = least(above[j] + (a[i] != b[j]), least(above[j + 1], row[j]) + 1);
            if (i && j && a[i] == b[j - 1] && a[i - 1] == b[j])
                row[j + 1] = least(row[j + 1], two_above[j - 1] + 1);
        }
    }
    return rows[i % 3][n];
}

/* "put-overhead" is the end of "rdma/put-overhead". */
static bool is_end(const char *given, const char *known)
{
    size_t n = strlen(given), all = strlen(known);
    return n && all > n && known[all - n - 1] == '/' && !strcmp(known + all - n, given);
}

bool base_nearest_offer(struct base_nearest *n, const char *known)
{
    size_t a = strlen(n->given), b = strlen(known), longer = a > b ? a : b;
    unsigned errors = is_end(n->given, known) ? 0 : base_distance(n->given, known);
    if (errors > (longer + 1) / 3 || (n->errors && errors + 1 >= n->errors))
        return false;
    n->errors = errors + 1;
    return true;
}
