/* SPDX-License-Identifier: BSD-3-Clause */
/* load: opens a shared object that builds a platform, accepted wherever a platform file is. */
#include "platform/builder/parts.h"

#include "base/output.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef int (*build_fn)(struct pgasim_platform *p);

bool builder_is_object(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".so") == 0;
}

/* Opens it by path, like any file: dlopen would search the system's folders for a bare name. */
static void *object_open(const char *path, struct base_status *st)
{
    char *name = base_strfmt("%s%s", strchr(path, '/') ? "" : "./", path);
    void *object = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    free(name);
    if (!object)
        base_fail(st, "%s: cannot be loaded: %s", path, dlerror());
    return object;
}

static int build(struct pgasim_platform *b, void *object, struct base_status *st)
{
    build_fn fn;
    *(void **)&fn = dlsym(object, "pgasim_platform");
    if (!fn)
        return base_fail(st,
                         "%s: has no function pgasim_platform; expected int pgasim_platform(struct "
                         "pgasim_platform *), as pgasim.h says",
                         b->path);
    int rc = fn(b);
    return rc ? base_fail(st, "%s: pgasim_platform returned %d; expected 0", b->path, rc) : 0;
}

static int load(struct platform **out, struct pgasim_platform *b, struct base_settings *settings,
                struct base_status *st)
{
    struct builder_xml xml;
    builder_write(b, &xml);
    int rc = platform_load_text(out, xml.text, xml.size, b->path, settings, st);
    if (rc && st)
        builder_translate(b, &xml, st);
    free(xml.text);
    free(xml.calls.at);
    return rc;
}

/* The object is closed only when nothing of it is needed: reports name its source files. */
int builder_load(struct platform **out, const char *path, struct base_settings *settings,
                 struct base_status *st)
{
    base_guard_file(path, "loading it");
    void *object = object_open(path, st);
    base_guard_end();
    if (!object)
        return -1;
    struct pgasim_platform *b = builder_create(path);
    base_guard_file(path, "pgasim_platform built the platform");
    int rc = build(b, object, st);
    base_guard_end();
    rc = rc || load(out, b, settings, st) ? -1 : 0;
    builder_destroy(b);
    base_guard_file(path, "closing it");
    dlclose(object);
    base_guard_end();
    return rc;
}
