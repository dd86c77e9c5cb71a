/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the ranks' images. Loading is up to elf/sparse.c, exchanging bytes to swap.c, naming data to
 * symbols.c.
 */
#include "fold/image/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/sanitizer.h"
#include "crt/program.h"
#include "fold/ahead/ahead.h"

#include <dlfcn.h>
#include <link.h>

extern void *__tls_get_addr(size_t *module_and_offset);

/* --- which way ----------------------------------------------------------------------------------- */

enum fold_privatize images_choose(const struct objects *o, uint32_t ranks, enum fold_privatize wanted,
                                  const struct base_settings *settings)
{
    if (wanted != FOLD_AUTO)
        return wanted;
    if (objects_checked(o)) /* a block of memory that only a saved copy points to would be taken for lost */
        return FOLD_DLOPEN;
    if (ranks <= base_settings_count(settings, "fold/dlopen-ranks"))
        return FOLD_DLOPEN;
    bool large = objects_data_size(o) > base_settings_count(settings, "fold/swap-bytes");
    return large && ranks <= base_settings_count(settings, "fold/dlopen-ranks-large") ? FOLD_DLOPEN
                                                                                      : FOLD_SWAP;
}

/* Per copy: each loaded segment, and one more where a segment has both file and zero pages. */
uint64_t images_mappings(const struct objects *o, uint32_t ranks, enum fold_privatize way)
{
    uint64_t one = 0;
    for (size_t i = 0; i < o->list.n; i++) {
        const struct elf_file *e = &o->list.at[i]->elf;
        for (uint32_t k = 0; k < e->n_segments; k++)
            if (e->segment[k].p_type == PT_LOAD)
                one += 1 + (e->segment[k].p_memsz > e->segment[k].p_filesz);
    }
    return way == FOLD_DLOPEN ? one * ranks : one;
}

/* --- making them --------------------------------------------------------------------------------- */

/* Loads the system's libraries before any copy. If loaded with the first copy, they would be bound to its
 * definitions, so that one rank's would be used for all. A library not found here is left to the loading of
 * the program. */
static void load_system_libraries(const struct images *im)
{
    const char *name;
    for (size_t i = 0; i < im->objects.list.n; i++)
        for (uint32_t k = 0; (name = elf_needed(&im->objects.list.at[i]->elf, k)); k++)
            if (objects_needed(&im->objects, name) < 0 && !objects_simulator(name))
                (void)dlopen(name, RTLD_LAZY | RTLD_LOCAL);
}

static void account_for(const struct images *im, const struct sparse_loaded *l)
{
    for (size_t i = 0; base_accounts_on && i < im->objects.list.n; i++)
        base_account_region((void *)l[i].base, im->objects.list.at[i]->elf.image_size,
                            "the program's code and globals", PGASIM_LAYER);
}

struct copying {
    struct images *im;
    struct sparse_loaded *at; /* where they are noted */
    uint32_t copies, made;
    struct base_status why; /* if fewer were made */
};

static void make_copies(void *arg)
{
    struct copying *c = arg;
    size_t n = c->im->objects.list.n;
    uint32_t places[n];
    for (size_t i = 0; i < n; i++)
        places[i] = (uint32_t)i;
    for (; c->made < c->copies; c->made++) {
        struct sparse_loaded *at = c->at + c->made * n;
        gates_copy(c->made);
        if (sparse_load(&c->im->objects, places, n, RTLD_NOW | RTLD_LOCAL, at, &c->why))
            return;
        account_for(c->im, at);
    }
}

/* For the ranks from `first` on. */
static int load_copies(struct images *im, uint32_t first, uint32_t ranks, struct base_status *st)
{
    size_t n = im->objects.list.n;
    BASE_ASSERT("D4: the program is an object", n > 0);
    struct copying c = {.im = im, .copies = im->way == FOLD_DLOPEN ? ranks : 1};
    c.at = base_zalloc(c.copies * n * sizeof *c.at, "loaded objects");
    BASE_ARRAY_PUSH(&im->loaded, c.at); /* what was loaded stays, even if the rest cannot be */
    unseen_load(make_copies, &c);
    if (c.made < c.copies)
        return c.copies == 1 ? base_fail(st, "%s", c.why.text)
                             : base_fail(st, "%s (copy %u of %u; --privatize=swap needs one)", c.why.text,
                                         c.made + 1, c.copies);
    for (uint32_t r = 0; r < ranks; r++)
        im->image[first + r].loaded = c.at + (im->way == FOLD_DLOPEN ? r * n : 0);
    return 0;
}

int images_add(struct images *im, uint32_t n, struct base_status *st)
{
    if (n > im->room - im->ranks)
        return base_fail(st, "there is room for %u more ranks of a program", im->room - im->ranks);
    if (im->way == FOLD_DLOPEN && load_copies(im, im->ranks, n, st))
        return -1;
    for (uint32_t r = 0; r < n && im->way != FOLD_DLOPEN; r++)
        im->image[im->ranks + r].loaded = im->loaded.at[0];
    im->ranks += n;
    return 0;
}

/* This thread's block of an object's thread-local data: all ranks run on this thread. */
static uintptr_t tls_block(const struct sparse_loaded *l)
{
    size_t index[2] = {0, 0};
    if (dlinfo(l->handle, RTLD_DI_TLS_MODID, &index[0]) != 0 || index[0] == 0)
        return 0;
    return (uintptr_t)__tls_get_addr(index);
}

struct rank_span image_thread_local(const struct images *im, const struct fold_image *i, size_t object)
{
    const struct elf_file *e = &im->objects.list.at[object]->elf;
    uintptr_t block = e->tls_size ? tls_block(&i->loaded[object]) : 0;
    return (struct rank_span){block, block ? e->tls_size : 0};
}

/* A rank whose pages are moved has two to four mappings. */
static size_t move_from(const struct images *im, const struct base_settings *settings)
{
    bool few = im->ranks <= base_settings_count(settings, "fold/dlopen-ranks-large");
    return few ? base_settings_count(settings, "fold/move-bytes") : 0;
}

static void start_swap(struct images *im, const struct base_settings *settings)
{
    BASE_ARRAY(struct swap_range) ranges = {0};
    for (uint32_t k = 0; k < im->n_spans; k++) {
        struct rank_span s = image_span(im, &im->image[0], k);
        BASE_ARRAY_PUSH(&ranges, ((struct swap_range){s.base, s.size, true}));
    }
    for (size_t i = 0; i < im->objects.list.n; i++) {
        struct rank_span s = image_thread_local(im, &im->image[0], i);
        if (s.size)
            BASE_ARRAY_PUSH(&ranges, ((struct swap_range){s.base, s.size, false}));
    }
    im->swap = swap_create(ranges.at, (uint32_t)ranges.n, &im->image[0].version, move_from(im, settings));
    free(ranges.at);
}

/* Ranks that run ahead need globals at addresses of their own. Returns the way to take. */
static enum fold_privatize open_gates(struct images *im, enum fold_privatize wanted,
                                      const struct base_settings *settings)
{
    uint64_t most = base_settings_count(settings, "fold/dlopen-ranks-large");
    im->alone = gates_refusal(&im->objects);
    if (objects_checked(&im->objects))
        im->alone = "its memory is checked";
    if (base_settings_count(settings, "memory/fold-threshold") > 0)
        im->alone = "it folds memory";
    if (!im->alone &&
        (base_settings_flag(settings, "heap/leaks") || base_settings_flag(settings, "heap/guard")))
        im->alone = "it is run with --leaks or --heap-guard";
    if (wanted != FOLD_DLOPEN && (wanted != FOLD_AUTO || im->ranks > most))
        im->alone = "their globals are not loaded apart (--privatize=dlopen)";
    if (!im->alone && gates_collect(&im->objects, im->ranks))
        im->alone = "it calls too many functions of libraries";
    im->gated = !im->alone;
    return im->gated ? FOLD_DLOPEN : wanted;
}

int images_open(struct images *im, const char *program, const char *library_path, uint32_t ranks, uint32_t room,
                enum fold_privatize wanted, bool ahead, const struct base_settings *settings,
                struct base_status *st)
{
    *im = (struct images){.ranks = ranks, .room = room};
    if (objects_open(&im->objects, program, library_path, st))
        return -1;
    if (objects_check_runtime(&im->objects, st)) {
        objects_close(&im->objects);
        return -1;
    }
    if (ahead)
        wanted = open_gates(im, wanted, settings);
    im->way = images_choose(&im->objects, ranks, wanted, settings);
    for (size_t i = 0; i < im->objects.list.n; i++)
        im->n_spans += (uint32_t)im->objects.list.at[i]->spans.n;
    im->image = base_reserve(room * sizeof *im->image, "ranks' images");
    base_fill(im->image, ranks * sizeof *im->image);
    load_system_libraries(im);
    if (load_copies(im, 0, ranks, st)) {
        images_close(im);
        return -1;
    }
    if (im->way == FOLD_SWAP)
        start_swap(im, settings);
    return 0;
}

/* Valgrind looks for what saved globals point to when the process ends. */
static __attribute__((used)) struct images until_the_end;

/* Loaded copies stay: application code may still be on a stack, and the process ends with the job. */
void images_close(struct images *im)
{
    if (im->modules.list.n)
        objects_close(&im->modules);
    if (im->gated)
        gates_close();
    if (im->swap && base_sanitizer.valgrind) {
        until_the_end = *im;
        *im = (struct images){0};
        return;
    }
    for (uint32_t r = 0; im->swap && r < im->ranks; r++)
        swap_release(im->swap, &im->image[r].version);
    swap_destroy(im->swap);
    for (size_t k = 0; k < im->loaded.n; k++)
        free(im->loaded.at[k]);
    free(im->loaded.at);
    free(im->symbols.at);
    if (im->image)
        base_unreserve(im->image, im->room * sizeof *im->image);
    objects_close(&im->objects);
    *im = (struct images){0};
}

void image_release(struct images *im, struct fold_image *i)
{
    if (im->swap && !base_checked()) /* what it points to is not lost */
        swap_release(im->swap, &i->version);
    modules_forget(i);
}

/* --- what is in one ------------------------------------------------------------------------------ */

image_main_fn image_main(const struct images *im, const struct fold_image *i)
{
    size_t last = im->objects.list.n - 1;
    uint64_t address = 0;
    (void)elf_symbol_find(&objects_program(&im->objects)->elf, PGASIM_PROGRAM_SYMBOL, &address);
    return ((const struct pgasim_program *)(i->loaded[last].base + address))->main;
}

void image_construct(const struct images *im, const struct fold_image *i, int argc, char **argv, char **envp)
{
    for (size_t k = 0; k < im->objects.list.n; k++)
        sparse_construct(im->objects.list.at[k], i->loaded[k], argc, argv, envp);
}

void image_destruct(const struct images *im, const struct fold_image *i)
{
    for (size_t k = im->objects.list.n; k-- > 0;)
        sparse_destruct(im->objects.list.at[k], i->loaded[k]);
}

/* Spans are numbered from the program's, which is last in loading order. */
struct rank_span image_span(const struct images *im, const struct fold_image *i, uint32_t k)
{
    size_t o = im->objects.list.n - 1;
    while (k >= im->objects.list.at[o]->spans.n)
        k -= (uint32_t)im->objects.list.at[o--]->spans.n;
    const struct object_span *s = &im->objects.list.at[o]->spans.at[k];
    return (struct rank_span){i->loaded[o].base + s->address, s->size};
}
