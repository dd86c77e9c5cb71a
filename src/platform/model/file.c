/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file: reads a whole text file into memory, for both readers of this folder.
 */
#include "platform/model/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const size_t size_limit = (size_t)1 << 31;

static int read_all(FILE *f, char **text, size_t *size)
{
    BASE_ARRAY(char) a = {0};
    for (;;) {
        if (a.cap - a.n < 2)
            a.at = base_array_grow(a.at, &a.cap, a.n + 65536, 1, "a file");
        size_t got = fread(a.at + a.n, 1, a.cap - a.n - 1, f);
        a.n += got;
        if (!got || a.n >= size_limit)
            break;
    }
    if (ferror(f) || a.n >= size_limit) {
        if (a.n >= size_limit)
            errno = EFBIG;
        free(a.at);
        return -1;
    }
    a.at[a.n] = 0;
    *text = a.at;
    *size = a.n;
    return 0;
}

int platform_file_read(const char *path, char **text, size_t *size, struct base_status *st)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return base_fail(st, "%s: cannot open: %s", path, strerror(errno));
    int rc = read_all(f, text, size), why = errno;
    fclose(f);
    return rc ? base_fail(st, "%s: cannot read: %s", path, strerror(why)) : 0;
}
