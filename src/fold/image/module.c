/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens modules. The files are prepared once for the job, in one growing list (struct objects) that begins
 * with the program's objects. A rank's table covers the list up to the last module that the rank has opened.
 */
#include "fold/image/image.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/internal.h"

/* --- a rank's table ------------------------------------------------------------------------------ */

static struct module_copies *copies_of(struct rank *r)
{
    struct images *im = fold_images(r);
    if (!im->modules.list.n)
        objects_borrow(&im->modules, &im->objects);
    if (!fold_part(r)->image->modules)
        fold_part(r)->image->modules = base_zalloc(sizeof *fold_part(r)->image->modules, "modules of a rank");
    struct module_copies *c = fold_part(r)->image->modules;
    size_t n = im->modules.list.n, own = im->objects.list.n;
    if (c->n < n) {
        c->at = base_realloc(c->at, n * sizeof *c->at, "modules of a rank");
        memset(c->at + c->n, 0, (n - c->n) * sizeof *c->at);
        if (c->n == 0)
            memcpy(c->at, fold_part(r)->image->loaded, own * sizeof *c->at);
        c->n = n;
    }
    return c;
}

static void *program_handle(struct rank *r)
{
    return fold_part(r)->image->loaded[fold_images(r)->objects.list.n - 1].handle;
}

bool module_is_own(struct rank *r, const void *handle)
{
    const struct module_copies *c = copies_of(r);
    for (size_t i = 0; i < c->n; i++)
        if (c->at[i].handle && c->at[i].handle == handle)
            return true;
    return false;
}

/* The place of the rank's object that contains the address, or of the program. */
static uint32_t place_of(struct rank *r, const void *address)
{
    const struct objects *o = &fold_images(r)->modules;
    const struct module_copies *c = copies_of(r);
    for (size_t i = 0; i < c->n; i++)
        if (c->at[i].handle && (uintptr_t)address - c->at[i].base < o->list.at[i]->elf.image_size)
            return (uint32_t)i;
    return (uint32_t)(o->borrowed - 1);
}

static void *failed(struct module_copies *c, const char *text)
{
    free(c->error);
    c->error = base_strdup(text);
    return NULL;
}

struct module_view modules_view(const struct rank *r)
{
    const struct images *im = fold_images(r);
    const struct module_copies *c = fold_part(r)->image->modules;
    return c ? (struct module_view){&im->modules, c->at, c->n}
             : (struct module_view){&im->objects, fold_part(r)->image->loaded, im->objects.list.n};
}

/* --- opening ------------------------------------------------------------------------------------- */

/* The objects that the rank still lacks of the module at `root` and its libraries, libraries first. */
struct lacking {
    BASE_ARRAY(uint32_t) place;
};

static void add_lacking(struct lacking *l, const struct objects *o, const struct module_copies *c,
                        uint32_t place)
{
    const char *name;
    for (size_t i = 0; i < l->place.n; i++)
        if (l->place.at[i] == place)
            return;
    if (c->at[place].handle)
        return;
    BASE_ARRAY_PUSH(&l->place, place);
    size_t own = l->place.n - 1;
    for (uint32_t k = 0; (name = elf_needed(&o->list.at[place]->elf, k)); k++) {
        int lib = objects_needed(o, name);
        if (lib >= 0)
            add_lacking(l, o, c, (uint32_t)lib);
    }
    for (size_t i = own; i + 1 < l->place.n; i++) /* behind what it needs */
        l->place.at[i] = l->place.at[i + 1];
    l->place.at[l->place.n - 1] = place;
}

struct module_load {
    struct objects *o;
    struct lacking lacking;
    int flags, bad;
    struct sparse_loaded *at;
    struct base_status *st;
};

static void load_lacking(void *arg)
{
    struct module_load *l = arg;
    l->bad = sparse_load(l->o, l->lacking.place.at, l->lacking.place.n, l->flags, l->at, l->st);
}

static int load(struct rank *r, uint32_t root, int flags, struct base_status *st)
{
    struct objects *o = &fold_images(r)->modules;
    struct module_copies *c = copies_of(r);
    struct module_load job = {o, {{0}}, flags & RTLD_LAZY ? RTLD_LAZY : RTLD_NOW, 0, c->at, st};
    add_lacking(&job.lacking, o, c, root);
    unseen_load(load_lacking, &job);
    const struct lacking l = job.lacking;
    int bad = job.bad;
    for (size_t i = 0; i < l.place.n && bad; i++)
        c->at[l.place.at[i]] = (struct sparse_loaded){0};
    for (size_t i = 0; i < l.place.n && !bad; i++) {
        BASE_ARRAY_PUSH(&c->constructed, l.place.at[i]);
        sparse_construct(o->list.at[l.place.at[i]], c->at[l.place.at[i]], (int)fold_part(r)->start->argc,
                         fold_part(r)->start->config.argv, environ);
    }
    free(l.place.at);
    return bad;
}

/* A module that cannot be loaded twice is better shared than missing. */
static void *open_shared(const char *name, int flags, const char *why)
{
    void *handle = dlopen(name, flags);
    if (handle)
        base_warn("dlopen/shared", "%s; because it was opened by dlopen, all ranks share its globals", why);
    return handle;
}

static void *open_own(struct rank *r, const char *name, const char *path, int flags)
{
    struct objects *o = &fold_images(r)->modules;
    struct module_copies *c = copies_of(r);
    struct base_status st;
    int place = objects_place(o, path);
    if (place >= 0 && c->at[place].handle)
        return c->at[place].handle;
    if (flags & RTLD_NOLOAD)
        return NULL;
    if (place < 0) {
        size_t known = o->list.n;
        if (objects_add_module(o, path, getenv("LD_LIBRARY_PATH"), &st))
            return open_shared(name, flags, st.text);
        images_check_frames(o, known, engine_guard_size(r->engine));
        place = (int)o->list.n - 1;
        c = copies_of(r);
    }
    if (load(r, (uint32_t)place, flags, &st))
        return failed(c, st.text);
    return c->at[place].handle;
}

void *module_open(struct rank *r, const char *name, int flags, const void *caller)
{
    if (!name)
        return program_handle(r);
    (void)copies_of(r);
    const struct objects *o = &fold_images(r)->modules;
    char *path = objects_find_library(o->list.at[place_of(r, caller)], name, getenv("LD_LIBRARY_PATH"));
    bool own = path && !objects_system_directory(path) && !objects_simulator(path);
    void *handle = own ? open_own(r, name, path, flags) : dlopen(name, flags);
    free(path);
    return handle;
}

/* --- symbols ------------------------------------------------------------------------------------- */

static void *address_of(const struct module_copies *c, uint32_t place, const struct objects *o,
                        const char *symbol)
{
    if (!c->at[place].handle || !elf_definition(&o->list.at[place]->elf, symbol))
        return NULL;
    return dlsym(c->at[place].handle, symbol);
}

/* The definition behind the caller's object in the native order, or the process's. */
static void *next_symbol(struct rank *r, const char *symbol, const void *caller)
{
    const struct module_copies *c = copies_of(r);
    const struct objects *o = &fold_images(r)->modules;
    struct references_order order;
    uint32_t from = place_of(r, caller);
    void *p = NULL;
    bool behind = false;
    references_order(&order, o, from);
    for (size_t i = 0; i < order.place.n && !p; i++) {
        if (behind)
            p = address_of(c, order.place.at[i], o, symbol);
        behind |= order.place.at[i] == from;
    }
    free(order.place.at);
    return p ? p : dlsym(RTLD_DEFAULT, symbol);
}

static void *any_symbol(struct rank *r, const char *symbol)
{
    void *p = dlsym(program_handle(r), symbol);
    return p ? p : dlsym(RTLD_DEFAULT, symbol);
}

void *module_symbol(struct rank *r, void *handle, const char *symbol, const void *caller)
{
    void *p = handle == RTLD_NEXT      ? next_symbol(r, symbol, caller)
              : handle == RTLD_DEFAULT ? any_symbol(r, symbol)
                                       : dlsym(handle, symbol);
    const struct fold_interposer *ip = p ? references_interposer(symbol) : NULL;
    if (ip && p == dlsym(RTLD_DEFAULT, symbol)) /* the process's; a rank has its own */
        p = (void *)(uintptr_t)ip->function;
    return p;
}

/* --- the end ------------------------------------------------------------------------------------- */

void modules_destruct(struct rank *r)
{
    struct module_copies *c = fold_part(r)->image->modules;
    while (c && c->constructed.n) {
        uint32_t place = c->constructed.at[--c->constructed.n];
        sparse_destruct(fold_images(r)->modules.list.at[place], c->at[place]);
    }
}

void modules_forget(struct fold_image *i)
{
    struct module_copies *c = i->modules;
    if (!c)
        return;
    free(c->at);
    free(c->constructed.at);
    free(c->error);
    free(c->told);
    free(c);
    i->modules = NULL;
}
