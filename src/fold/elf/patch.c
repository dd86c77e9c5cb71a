/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prepares what the loadable copies of an object have in common: the parts of the file that the dynamic
 * linker reads, patched. In them
 *   - constructors and destructors are removed from the dynamic section: they run on the rank's own stack,
 *   - the flag that forbids dlopen of a position-independent executable is cleared,
 *   - "unique" C++ symbols become ordinary ones: a unique symbol is shared by all copies,
 *   - DT_NEEDED names the application's own libraries by the paths of this copy's files, which are stored
 *     where the text would be.
 */
#include "fold/elf/elf.h"

#include <stdlib.h>
#include <string.h>

#define PATH_ROOM   OBJECT_PATH_ROOM
#define NO_TAG      0x6000000e /* a tag that the dynamic linker ignores */
#define MAX_OBJECTS 256

/* The patched byte at a file offset, or NULL when the copy has a hole there. */
static unsigned char *patchable(struct object_file *f, size_t offset, size_t size)
{
    if (offset >= f->tail_at && offset - f->tail_at + size <= f->tail_size)
        return f->tail + (offset - f->tail_at);
    return offset + size <= f->head_size ? f->head + offset : NULL;
}

static bool uses_ifuncs(const struct elf_file *e)
{
    for (uint32_t i = 1; i < e->n_symbols; i++)
        if (ELF64_ST_TYPE(e->symbol[i].st_info) == STT_GNU_IFUNC)
            return true;
    for (uint32_t i = 0; i < e->n_relocations + e->n_plt_relocations; i++) {
        uint64_t type = ELF64_R_TYPE(elf_relocation_at(e, i)->r_info);
#if defined(__x86_64__)
        if (type == R_X86_64_IRELATIVE)
            return true;
#else
        if (type == R_AARCH64_IRELATIVE)
            return true;
#endif
    }
    return false;
}

/* Bytes from `at` that a copy can use in segment k: to the end of its mapping, page slack included, or to the
 * start of another segment. */
static size_t room_in_segment(const struct elf_file *e, uint32_t k, size_t at)
{
    const Elf64_Phdr *p = &e->segment[k];
    size_t page = base_page_size(), end = (p->p_offset + p->p_filesz + page - 1) & ~(page - 1);
    for (uint32_t i = 0; i < e->n_segments; i++) {
        const Elf64_Phdr *o = &e->segment[i];
        if (o->p_type == PT_LOAD && o->p_offset > p->p_offset && o->p_offset < end)
            end = o->p_offset;
    }
    return at < end ? end - at : 0;
}

/* Where the paths can be stored: in a text segment behind the tables. If resolvers need the text during
 * loading, over the unwind tables. */
static void choose_names_place(struct object_file *f, bool whole_text)
{
    size_t from = (f->elf.tables_end + 7) & ~(size_t)7;
    for (uint32_t i = 0; i < f->elf.n_segments && whole_text; i++)
        if (f->elf.segment[i].p_type == PT_GNU_EH_FRAME)
            from = f->elf.segment[i].p_offset;
    for (uint32_t i = 0; i < f->elf.n_segments; i++) {
        const Elf64_Phdr *p = &f->elf.segment[i];
        size_t at = p->p_offset > from ? p->p_offset : from;
        if (p->p_type != PT_LOAD || (p->p_flags & PF_W) || (whole_text && p->p_offset > from) ||
            room_in_segment(&f->elf, i, at) <= f->names_room)
            continue;
        f->names_at = at;
        f->names_room = room_in_segment(&f->elf, i, at);
        f->names_address = p->p_vaddr + (at - p->p_offset);
    }
}

static void copy_parts(struct object_file *f)
{
    size_t low = f->elf.size, high = 0;
    for (uint32_t i = 0; i < f->elf.n_segments; i++) {
        const Elf64_Phdr *p = &f->elf.segment[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        low = p->p_offset < low ? p->p_offset : low;
        high = p->p_offset + p->p_filesz > high ? p->p_offset + p->p_filesz : high;
    }
    bool whole_text = uses_ifuncs(&f->elf) || f->elf.tables_end >= low;
    choose_names_place(f, whole_text);
    f->head_size = whole_text ? low : f->elf.tables_end;
    f->tail_at = low;
    f->tail_size = high > low ? high - low : 0;
    f->head = base_alloc(f->head_size + 1, "program copy");
    f->tail = base_alloc(f->tail_size + 1, "program copy");
    memcpy(f->head, f->elf.bytes, f->head_size);
    memcpy(f->tail, f->elf.bytes + low, f->tail_size);
}

static void patch_dynamic(struct object_file *f)
{
    for (uint32_t i = 0; i < f->elf.n_dynamic && f->elf.dynamic[i].d_tag != DT_NULL; i++) {
        Elf64_Dyn d = f->elf.dynamic[i];
        switch (d.d_tag) {
        case DT_INIT:
        case DT_FINI:
            d.d_tag = NO_TAG;
            break;
        case DT_INIT_ARRAYSZ:
        case DT_FINI_ARRAYSZ:
            d.d_un.d_val = 0;
            break;
        case DT_FLAGS_1:
            d.d_un.d_val &= ~(Elf64_Xword)(DF_1_PIE | DF_1_NODELETE | DF_1_NOOPEN);
            break;
        default:
            continue;
        }
        unsigned char *at = patchable(f, f->elf.dynamic_offset + i * sizeof d, sizeof d);
        if (at)
            memcpy(at, &d, sizeof d);
    }
}

static void patch_symbols(struct object_file *f)
{
    for (uint32_t i = 1; i < f->elf.n_symbols; i++) {
        Elf64_Sym s = f->elf.symbol[i];
        if (ELF64_ST_BIND(s.st_info) != STB_GNU_UNIQUE)
            continue;
        s.st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(s.st_info));
        unsigned char *at =
            patchable(f, (size_t)((const unsigned char *)&f->elf.symbol[i] - f->elf.bytes), sizeof s);
        if (at)
            memcpy(at, &s, sizeof s);
    }
}

/* The place of library `lib` among f's paths; added if f did not need it before. */
static uint64_t name_place(struct object_file *f, int lib)
{
    size_t k = 0;
    while (k < f->names.n && f->names.at[k] != (uint32_t)lib)
        k++;
    if (k == f->names.n)
        BASE_ARRAY_PUSH(&f->names, (uint32_t)lib);
    return f->names_address + k * PATH_ROOM;
}

/* Version requirements name their library in the same way as DT_NEEDED. */
static void patch_versions(const struct objects *o, struct object_file *f, uint64_t strtab)
{
    uint64_t v, n;
    if (!elf_dynamic_find(&f->elf, DT_VERNEED, &v) || !elf_dynamic_find(&f->elf, DT_VERNEEDNUM, &n))
        return;
    for (; n; n--) {
        size_t at = elf_offset(&f->elf, v, sizeof(Elf64_Verneed));
        unsigned char *where = at == SIZE_MAX ? NULL : patchable(f, at, sizeof(Elf64_Verneed));
        Elf64_Verneed need;
        if (!where)
            return;
        memcpy(&need, where, sizeof need);
        int lib = objects_needed(o, elf_string(&f->elf, need.vn_file));
        if (lib >= 0)
            need.vn_file = (Elf64_Word)(name_place(f, lib) - strtab);
        memcpy(where, &need, sizeof need);
        v += need.vn_next;
        if (!need.vn_next)
            return;
    }
}

/* The k-th entry of the dynamic section that may hold something else, in the copy, or NULL. Linkers leave
 * empty entries at the end, of which one stays. Behind them come those that a copy does not use. */
static unsigned char *spare_entry(struct object_file *f, size_t k)
{
    const Elf64_Dyn *d = f->elf.dynamic, *spare = NULL;
    uint32_t end = 0;
    while (end < f->elf.n_dynamic && d[end].d_tag != DT_NULL)
        end++;
    for (uint32_t i = end; i + 1 < f->elf.n_dynamic && d[i + 1].d_tag == DT_NULL && !spare; i++)
        if (k-- == 0)
            spare = &d[i];
    for (uint32_t i = 0; i < end && !spare; i++)
        if ((d[i].d_tag == DT_SONAME || d[i].d_tag == DT_DEBUG) && k-- == 0)
            spare = &d[i];
    return spare ? patchable(f, (size_t)((const unsigned char *)spare - f->elf.bytes), sizeof *d) : NULL;
}

/* Makes f need the object at place `lib`, which it does not name. false: there is no k-th spare entry. */
static bool add_need(struct object_file *f, size_t k, int lib, uint64_t strtab)
{
    unsigned char *at = spare_entry(f, k);
    Elf64_Dyn need = {.d_tag = DT_NEEDED};
    if (!at)
        return false;
    need.d_un.d_val = name_place(f, lib) - strtab;
    memcpy(at, &need, sizeof need);
    return true;
}

/* What natively is in every scope: a module refers to the program's symbols, and all refer to tools that are
 * preloaded, without DT_NEEDED. The program gets entries for the tools, a module one for the program. */
static int need_scope(const struct objects *o, struct object_file *f, uint64_t strtab, struct base_status *st)
{
    size_t k = 0;
    if (o->borrowed)
        (void)add_need(f, 0, (int)o->borrowed - 1, strtab);
    for (size_t i = 0; !o->borrowed && f == objects_program(o) && i + 1 < o->list.n; i++)
        if (o->list.at[i]->preloaded && !add_need(f, k++, (int)i, strtab))
            return base_fail(st, "%s: has no room to load it with %s, which LD_PRELOAD names: link it",
                             f->path, o->list.at[i]->path);
    return 0;
}

/* Makes f need the application's libraries by the strings at names_at. */
static int patch_needed(const struct objects *o, struct object_file *f, struct base_status *st)
{
    uint64_t strtab = 0;
    (void)elf_dynamic_find(&f->elf, DT_STRTAB, &strtab);
    for (uint32_t i = 0; i < f->elf.n_dynamic && f->elf.dynamic[i].d_tag != DT_NULL; i++) {
        Elf64_Dyn d = f->elf.dynamic[i];
        int lib = d.d_tag == DT_NEEDED ? objects_needed(o, elf_string(&f->elf, d.d_un.d_val)) : -1;
        unsigned char *at = patchable(f, f->elf.dynamic_offset + i * sizeof d, sizeof d);
        if (lib < 0 || !at)
            continue;
        d.d_un.d_val = name_place(f, lib) - strtab;
        memcpy(at, &d, sizeof d);
    }
    if (need_scope(o, f, strtab, st))
        return -1;
    patch_versions(o, f, strtab);
    if (f->names_room < f->names.n * PATH_ROOM)
        return base_fail(st, "%s: its text is too small to load it with %zu libraries of its own", f->path,
                         f->names.n);
    return 0;
}

int objects_patch(struct objects *o, size_t first, struct base_status *st)
{
    if (o->list.n > MAX_OBJECTS)
        return base_fail(st, "%s: more than %d shared libraries of its own", objects_program(o)->path,
                         MAX_OBJECTS - 1);
    for (size_t i = first; i < o->list.n; i++) {
        copy_parts(o->list.at[i]);
        patch_dynamic(o->list.at[i]);
        patch_symbols(o->list.at[i]);
    }
    for (size_t i = first; i < o->list.n; i++)
        if (patch_needed(o, o->list.at[i], st))
            return -1;
    return 0;
}
