/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime: which run time of a sanitizer the program brings with it. The run times of AddressSanitizer and
 * LeakSanitizer replace libc's allocator and more, so they must be in the process before anything else is;
 * the process is that of `pgasim run`, and the copies of the program share the one run time.
 */
#include "fold/elf/elf.h"

#include "base/sanitizer.h"
#include "base/text.h"
#include "fold/fold.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* OURS: libpgasim takes the place of the run time (check/). */
enum kind { ADDRESS, LEAK, OURS, REFUSED };

/* By the beginnings of a library's name, and by what only a run time within the program defines. */
static const struct runtime {
    enum kind kind;
    const char *library, *entry, *name;
} runtimes[] = {
    {ADDRESS, "libasan.so", "__asan_init", "AddressSanitizer"},
    {ADDRESS, "libclang_rt.asan", "__asan_init", "AddressSanitizer"},
    {LEAK, "liblsan.so", "__lsan_init", "LeakSanitizer"},
    {OURS, "libtsan.so", "__tsan_init", "ThreadSanitizer"},
    {OURS, "libclang_rt.tsan", "__tsan_init", "ThreadSanitizer"},
    {REFUSED, "libclang_rt.msan", "__msan_init", "MemorySanitizer"},
    {REFUSED, "libhwasan.so", "__hwasan_init", "HWAddressSanitizer"},
    {REFUSED, "libclang_rt.hwasan", "__hwasan_init", "HWAddressSanitizer"},
};

static const struct runtime *by_library(const char *needed)
{
    const char *slash = strrchr(needed, '/'), *base = slash ? slash + 1 : needed;
    for (size_t k = 0; k < BASE_LENGTH(runtimes); k++)
        if (!strncmp(base, runtimes[k].library, strlen(runtimes[k].library)))
            return &runtimes[k];
    return NULL;
}

/* One that is linked into an object. */
static const struct runtime *by_entry(const struct object_file *f)
{
    for (size_t k = 0; k < BASE_LENGTH(runtimes); k++)
        if (elf_definition(&f->elf, runtimes[k].entry))
            return &runtimes[k];
    return NULL;
}

/* The first object, from the program on, with a run time; `needed` is NULL if that is a part of it. None in
 * our own build with ThreadSanitizer, whose programs are there to check --jobs (tests/run/tsan.sh). */
static const struct runtime *find(const struct objects *o, const struct object_file **user,
                                  const char **needed)
{
    const struct runtime *t;
    for (size_t i = BASE_TSAN ? 0 : o->list.n; i-- > 0;) {
        *user = o->list.at[i];
        *needed = NULL;
        if ((t = by_entry(*user)))
            return t;
        for (uint32_t k = 0; (*needed = elf_needed(&(*user)->elf, k)); k++)
            if ((t = by_library(*needed)))
                return t;
    }
    return NULL;
}

bool objects_checked(const struct objects *o)
{
    const struct object_file *user;
    const char *needed;
    return base_sanitizer.valgrind || find(o, &user, &needed);
}

static int check(const struct runtime *t, const struct object_file *user, const char *needed,
                 struct base_status *st)
{
    if (t->kind == OURS)
        return base_fail(
            st,
            "%s: linked with %s's run time, which cannot follow ranks that share a process; pgasim "
            "has one of its own: link with `pgasim cc` or its wrappers (docs/sanitizers.md)",
            user->path, t->name);
    if (t->kind == REFUSED)
        return base_fail(
            st,
            "%s: built with %s, which cannot follow ranks that share a process; AddressSanitizer, "
            "LeakSanitizer and UndefinedBehaviorSanitizer can be used (docs/sanitizers.md)",
            user->path, t->name);
    if (!needed)
        return base_fail(st,
                         "%s: contains %s's run time, of which a job can have only one; link it with "
                         "-shared-libasan (clang), or without -static-libasan (gcc)",
                         user->path, t->name);
    if (base_sanitizer.valgrind)
        return base_fail(st, "%s: built with %s, which does not work under Valgrind; use one of them",
                         user->path, t->name);
    return 0;
}

int objects_check_runtime(const struct objects *o, struct base_status *st)
{
    const struct object_file *user;
    const char *needed;
    const struct runtime *t = find(o, &user, &needed);
    return t ? check(t, user, needed, st) : 0;
}

/* Functions of the C++ library are replaced as well. They are found only if it is there when the run time
 * begins. */
static void add_cxx(const struct objects *o, struct base_text *list)
{
    const char *name;
    for (size_t i = 0; i < o->list.n; i++)
        for (uint32_t k = 0; (name = elf_needed(&o->list.at[i]->elf, k)); k++)
            if (!strncmp(name, "libstdc++.so", 12)) {
                base_text_format(list, ":%s", name);
                return;
            }
}

static int preload(const struct objects *o, const char *library_path, char **out, struct base_status *st)
{
    const struct object_file *user;
    const char *needed;
    struct base_text list;
    const struct runtime *t = find(o, &user, &needed);
    if (!t || (BASE_ASAN && t->kind == ADDRESS))
        return 0;
    if (check(t, user, needed, st))
        return -1;
    if (dlsym(RTLD_DEFAULT, t->entry))
        return 0;
    char *path = objects_find_library(user, needed, library_path);
    base_text_init(&list, "libraries to load first");
    base_text_add(&list, path ? path : needed);
    free(path);
    add_cxx(o, &list);
    *out = base_text_take(&list);
    return 0;
}

int fold_preload(const char *program, const char *library_path, char **out, struct base_status *st)
{
    struct objects o;
    struct base_status ignored;
    *out = NULL;
    if (objects_look(&o, program, library_path, &ignored))
        return 0; /* fold_attach will say why */
    int failed = preload(&o, library_path, out, st);
    objects_close(&o);
    return failed;
}
