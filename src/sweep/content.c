/* SPDX-License-Identifier: BSD-3-Clause */
/* content: what files hold, as numbers: results of a changed program are not taken for those of the present one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "sweep/internal.h"

char *sweep_path(const struct sweep *x, const char *name)
{
    return name[0] == '/' ? base_strdup(name) : base_strfmt("%s/%s", x->folder, name);
}

static bool is_file(const char *path)
{
    struct stat file;
    return !stat(path, &file) && S_ISREG(file.st_mode);
}

char *sweep_find_program(const struct sweep *x, const char *name)
{
    char *path = sweep_path(x, name);
    if (is_file(path))
        return path;
    free(path);
    const char *list = strchr(name, '/') ? NULL : getenv("PATH");
    while (list && *list) {
        size_t n = strcspn(list, ":");
        path = base_strfmt("%.*s/%s", (int)n, list, name);
        if (n && is_file(path) && !access(path, X_OK))
            return path;
        free(path);
        list += n + (list[n] == ':');
    }
    return NULL;
}

int sweep_content(struct sweep *x, const char *path, uint64_t *out, struct base_status *st)
{
    char bytes[65536];
    struct stat file;
    ssize_t n;
    for (size_t k = 0; k < x->content.n; k++)
        if (!strcmp(x->content.at[k].path, path)) {
            *out = x->content.at[k].hash;
            return 0;
        }
    int fd = base_input_open(path, &file);
    if (fd < 0)
        return base_fail(st, "%.200s: %s", path, strerror(errno));
    struct sweep_content c = {.hash = BASE_FNV};
    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        c.hash = base_fnv(c.hash, bytes, (size_t)n);
    int failed = n < 0 ? errno : 0;
    close(fd);
    if (failed)
        return base_fail(st, "%.200s: %s", path, strerror(failed));
    c.path = base_strdup(path);
    BASE_ARRAY_PUSH(&x->content, c);
    *out = c.hash;
    return 0;
}
