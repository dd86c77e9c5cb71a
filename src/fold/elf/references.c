/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides which references of the application's objects need another binding than the dynamic linker's.
 *
 * The dynamic linker searches the process's scope first, where the simulator's library and libc come before
 * objects that are loaded later. Natively the program comes first. So a name that one of the rank's own
 * objects defines is bound here to the first definition in the native order: the program, preloaded tools,
 * then their libraries breadth first (System V ABI, chapter 5, shared object dependencies). A name that none
 * of them defines but libc.def lists is bound to our function.
 */
#include "fold/elf/elf.h"

#include "base/sanitizer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static bool has_place(const struct references_order *o, uint32_t place)
{
    for (size_t i = 0; i < o->place.n; i++)
        if (o->place.at[i] == place)
            return true;
    return false;
}

static void add_place(struct references_order *out, uint32_t place)
{
    if (!has_place(out, place))
        BASE_ARRAY_PUSH(&out->place, place);
}

/* Adds the libraries that the places from `i` on need, and theirs. */
static void widen(struct references_order *out, const struct objects *o, size_t i)
{
    const char *name;
    for (; i < out->place.n; i++)
        for (uint32_t k = 0; (name = elf_needed(&o->list.at[out->place.at[i]]->elf, k)); k++) {
            int lib = objects_needed(o, name);
            if (lib >= 0)
                add_place(out, (uint32_t)lib);
        }
}

void references_order(struct references_order *out, const struct objects *o, uint32_t root)
{
    uint32_t program = o->borrowed ? (uint32_t)(o->borrowed - 1) : root;
    *out = (struct references_order){0};
    add_place(out, program);
    for (uint32_t i = 0; i < program; i++)
        if (o->list.at[i]->preloaded)
            add_place(out, i);
    widen(out, o, 0);
    size_t n = out->place.n;
    add_place(out, root);
    widen(out, o, n);
}

/* A definition whose address is known without running the object's code. */
static bool plain(const Elf64_Sym *s)
{
    unsigned type = ELF64_ST_TYPE(s->st_info);
    return ELF64_ST_BIND(s->st_info) != STB_LOCAL && s->st_shndx != SHN_ABS && type != STT_TLS &&
           type != STT_GNU_IFUNC;
}

struct interposers {
    const struct fold_interposer *at;
    size_t n, threads;
};
static struct interposers ours;   /* constant after start-up */
static struct interposers before; /* looked at before ours; constant while there is a job */

void references_interpose(const struct fold_interposer *table, size_t n, size_t threads)
{
    ours.at = table;
    ours.n = n;
    ours.threads = threads;
}

void references_interpose_before(const struct fold_interposer *table, size_t n)
{
    before.at = table;
    before.n = n;
}

static const struct fold_interposer *find(const struct interposers *t, const char *symbol)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->at[i].symbol[0] == symbol[0] && strcmp(t->at[i].symbol, symbol) == 0)
            return &t->at[i];
    return NULL;
}

const struct fold_interposer *references_interposer(const char *symbol)
{
    const struct fold_interposer *ip = find(&before, symbol);
    return ip ? ip : find(&ours, symbol);
}

const struct fold_interposer *references_interposer_always(const char *symbol)
{
    return find(&ours, symbol);
}

bool references_for_system(const struct fold_interposer *ip)
{
    return (size_t)(ip - ours.at) < ours.threads;
}

/* An object linked with -Bsymbolic, or a protected symbol, is bound within the object by anyone. */
static bool bound_within(const struct object_file *f, const Elf64_Sym *s)
{
    uint64_t flags = 0;
    if (s->st_shndx == SHN_UNDEF)
        return false;
    return ELF64_ST_VISIBILITY(s->st_other) != STV_DEFAULT ||
           elf_dynamic_find(&f->elf, DT_SYMBOLIC, &flags) ||
           (elf_dynamic_find(&f->elf, DT_FLAGS, &flags) && (flags & DF_SYMBOLIC));
}

/* An allocator in a library of the program is ignored: memory goes to and from libc, whose own references
 * cannot be changed. One in the program itself is already bound by the linker. */
bool references_allocates(const char *name)
{
    static const char *const names[] = {
        "malloc",        "free",           "calloc", "realloc", "reallocarray",       "memalign",
        "aligned_alloc", "posix_memalign", "valloc", "pvalloc", "malloc_usable_size", "cfree"};
    for (size_t i = 0; i < BASE_LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* operator new and delete in all forms, as the C++ ABI names them */
static bool allocates_objects(const char *name)
{
    return !strncmp(name, "_Znw", 4) || !strncmp(name, "_Zna", 4) || !strncmp(name, "_Zdl", 4) ||
           !strncmp(name, "_Zda", 4);
}

/* Functions of whoever checks memory: the program calls them itself. In a build of ours with AddressSanitizer
 * blocks of the C++ library, which are from its operator new, are deleted by the program, too. */
static bool is_checkers(const char *name)
{
    return base_checked() ? references_allocates(name) || allocates_objects(name)
                          : base_sanitizer.address && allocates_objects(name);
}

/* The slot for a reference, without its address. false: the dynamic linker's binding is right. */
static bool decide(const struct objects *o, const struct references_order *order, const char *name,
                   int64_t addend, struct object_slot *out)
{
    const struct fold_interposer *ip = references_interposer(name);
    if (is_checkers(name))
        return false;
    /* If the process has none, the linker finds the program's own, in order; but a module's before the
     * program's. */
    if (!ip && !o->borrowed && !dlsym(RTLD_DEFAULT, name))
        return false;
    for (size_t i = 0; i < order->place.n; i++) {
        uint32_t place = order->place.at[i];
        const Elf64_Sym *s = elf_definition(&o->list.at[place]->elf, name);
        if (s && (!plain(s) || (i > 0 && references_allocates(name))))
            return false;
        if (s) {
            out->owner = place;
            out->value = s->st_value + (uint64_t)addend;
            return true;
        }
    }
    if (!ip || addend != 0)
        return false;
    out->owner = OBJECT_OURS;
    out->value = (uintptr_t)ip->function;
    return true;
}

static void collect(const struct objects *o, const struct references_order *order, struct object_file *f)
{
    for (uint32_t i = 0; i < f->elf.n_relocations + f->elf.n_plt_relocations; i++) {
        const Elf64_Rela *r = elf_relocation_at(&f->elf, i);
        const Elf64_Sym *s = elf_relocation_symbol(&f->elf, r);
        uint64_t type = ELF64_R_TYPE(r->r_info);
        struct object_slot slot = {.address = r->r_offset};
        if (!s || ELF64_ST_BIND(s->st_info) == STB_LOCAL || bound_within(f, s) ||
            (type != RELOC_SLOT && type != RELOC_GLOB && type != RELOC_WORD) ||
            r->r_offset > f->elf.image_size - 8)
            continue;
        if (decide(o, order, elf_string(&f->elf, s->st_name), type == RELOC_WORD ? r->r_addend : 0, &slot))
            BASE_ARRAY_PUSH(&f->slots, slot);
    }
}

void references_collect(struct objects *o, size_t first, uint32_t root)
{
    struct references_order order;
    references_order(&order, o, root);
    for (size_t i = first; i < o->list.n; i++)
        collect(o, &order, o->list.at[i]);
    free(order.place.at);
}

void references_redirect(const struct objects *o, uint32_t place, const struct sparse_loaded *at)
{
    const struct object_file *f = o->list.at[place];
    for (size_t k = 0; k < f->slots.n; k++) {
        const struct object_slot *s = &f->slots.at[k];
        void *word = (void *)(at[place].base + s->address);
        uintptr_t value;
        if (s->owner == OBJECT_GATED) {
            memcpy(&value, word, sizeof value); /* the dynamic linker's value, or an earlier slot's */
            value = o->gate(s->value, value);
        } else {
            value = s->owner == OBJECT_OURS ? s->value : at[s->owner].base + s->value;
        }
        memcpy(word, &value, sizeof value);
    }
}
