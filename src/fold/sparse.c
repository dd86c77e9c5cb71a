/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads a private copy of the program and its libraries through the dynamic linker.
 *
 * The dynamic linker loads a file once, however often it is asked, so each copy is a file of its own: an
 * anonymous one (memfd) that has just what the linker reads (tables and writable data) and holes for the
 * text. In the copy
 *   - constructors and destructors are taken out of the dynamic section, for we run them on the rank's own
 * stack,
 *   - the flag that forbids dlopen of a position-independent executable is cleared,
 *   - "unique" C++ symbols become ordinary ones: a unique symbol is shared by all copies,
 *   - the libraries that are the application's own are needed by the paths of this copy's files. The paths
 * lie where the text would be. After loading, the text is mapped again from the original file, which drops
 * the patched pages and shares the text of all copies in the page cache; references to interposed functions
 * are redirected.
 */
#include "fold/objects.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATH_BITS   20 /* copies times objects that can be told apart */
#define PATH_ROOM   64 /* "/proc/self/", at most 2 x PATH_BITS characters of copy number, "fd/", a descriptor */
#define NO_TAG      0x6000000e /* a tag that the dynamic linker passes over */
#define MAX_OBJECTS 256

/* --- preparing ----------------------------------------------------------------------------------- */

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

/* Bytes from `at` that a copy can use in segment k: to the end of what is mapped of it, page slack included, as
 * far as no other segment's bytes begin. */
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

/* Where the paths can lie: in a text segment behind the tables; where resolvers make the text needed while
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

/* The place of library `lib` among the paths that f keeps; added when f did not need it so far. */
static uint64_t name_place(struct object_file *f, int lib)
{
    size_t k = 0;
    while (k < f->names.n && f->names.at[k] != (uint32_t)lib)
        k++;
    if (k == f->names.n)
        BASE_ARRAY_PUSH(&f->names, (uint32_t)lib);
    return f->names_address + k * PATH_ROOM;
}

/* Version requirements name the library they are for, in the same words as DT_NEEDED. */
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
    patch_versions(o, f, strtab);
    if (f->names_room < f->names.n * PATH_ROOM)
        return base_fail(st, "%s: its text is too small to load it with %zu libraries of its own", f->path,
                         f->names.n);
    return 0;
}

int sparse_prepare(struct objects *o, struct base_status *st)
{
    if (o->list.n > MAX_OBJECTS)
        return base_fail(st, "%s: more than %d shared libraries of its own", objects_program(o)->path,
                         MAX_OBJECTS - 1);
    for (size_t i = 0; i < o->list.n; i++) {
        copy_parts(o->list.at[i]);
        patch_dynamic(o->list.at[i]);
        patch_symbols(o->list.at[i]);
    }
    for (size_t i = 0; i < o->list.n; i++)
        if (patch_needed(o, o->list.at[i], st))
            return -1;
    return 0;
}

/* --- loading ------------------------------------------------------------------------------------- */

/* A path to descriptor fd that no other copy ever had: the dynamic linker takes equal names for one object
 * even when the descriptor means another file by then. "." and empty components spell the number in binary.
 */
static void unique_path(char *buf, uint64_t number, int fd)
{
    char *p = stpcpy(buf, "/proc/self/");
    for (int bit = 0; bit < PATH_BITS; bit++) {
        if (number >> bit & 1)
            *p++ = '.';
        *p++ = '/';
    }
    sprintf(p, "fd/%d", fd);
}

static bool write_all(int fd, const void *bytes, size_t size, size_t at)
{
    return size == 0 || pwrite(fd, bytes, size, (off_t)at) == (ssize_t)size;
}

static int fill_copy(const struct object_file *f, int fd, const char (*paths)[PATH_ROOM],
                     struct base_status *st)
{
    bool good = ftruncate(fd, (off_t)f->elf.size) == 0 && write_all(fd, f->head, f->head_size, 0) &&
                write_all(fd, f->tail, f->tail_size, f->tail_at);
    for (size_t k = 0; k < f->names.n && good; k++)
        good = write_all(fd, paths[f->names.at[k]], PATH_ROOM, f->names_at + k * PATH_ROOM);
    return good ? 0 : base_fail(st, "cannot make a copy of %s for a rank: %s", f->path, strerror(errno));
}

/* Maps the text again from the original. */
static int map_text(const struct object_file *f, uintptr_t base, struct base_status *st)
{
    size_t page = base_page_size();
    for (uint32_t i = 0; i < f->elf.n_segments; i++) {
        const Elf64_Phdr *p = &f->elf.segment[i];
        if (p->p_type != PT_LOAD || (p->p_flags & PF_W) || p->p_filesz == 0)
            continue;
        uint64_t low = p->p_vaddr & ~(uint64_t)(page - 1);
        int prot = (p->p_flags & PF_R ? PROT_READ : 0) | (p->p_flags & PF_X ? PROT_EXEC : 0);
        if (mmap((void *)(base + low), p->p_vaddr + p->p_filesz - low, prot, MAP_PRIVATE | MAP_FIXED, f->fd,
                 (off_t)(p->p_offset - (p->p_vaddr - low))) == MAP_FAILED)
            return base_fail(st, "%s: cannot map its text: %s", f->path, strerror(errno));
    }
    return 0;
}

/* Gives back the memory of the copy's tables, which nothing maps any more. */
static void drop_head(const struct object_file *f, int fd)
{
    size_t whole = f->tail_at & ~(base_page_size() - 1);
    if (whole)
        (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)whole);
}

/* Takes away the write protection that a linker may have asked for relocated data. */
static int unprotect(const struct object_file *f, uintptr_t base, struct base_status *st)
{
    size_t page = base_page_size();
    for (uint32_t i = 0; i < f->elf.n_segments; i++) {
        const Elf64_Phdr *p = &f->elf.segment[i];
        if (p->p_type != PT_GNU_RELRO)
            continue;
        uintptr_t low = (base + p->p_vaddr) & ~(page - 1),
                  high = (base + p->p_vaddr + p->p_memsz) & ~(page - 1);
        if (high > low && mprotect((void *)low, high - low, PROT_READ | PROT_WRITE) != 0)
            return base_fail(st, "%s: cannot make relocated data writable: %s", f->path, strerror(errno));
    }
    return 0;
}

static int finish_object(const struct object_file *f, uintptr_t base, int fd, struct base_status *st)
{
    if (map_text(f, base, st) || unprotect(f, base, st))
        return -1;
    drop_head(f, fd);
    return 0;
}

/* Finds where the libraries of this copy went: they follow the program in the linker's list. */
static int locate(const struct objects *o, void *program, const char (*paths)[PATH_ROOM],
                  struct sparse_loaded *out, struct base_status *st)
{
    struct link_map *first = NULL;
    if (dlinfo(program, RTLD_DI_LINKMAP, &first) != 0)
        return base_fail(st, "%s", dlerror());
    for (size_t i = 0; i < o->list.n; i++) {
        struct link_map *m = first;
        while (m && strcmp(m->l_name, paths[i]) != 0)
            m = m->l_next;
        if (!m)
            return base_fail(st, "%s: the dynamic linker did not load it with the program",
                             o->list.at[i]->path);
        out[i] = (struct sparse_loaded){m, m->l_addr};
    }
    return 0;
}

static int load_files(struct objects *o, const char (*paths)[PATH_ROOM], const int *fd,
                      struct sparse_loaded *out, struct base_status *st)
{
    size_t n = o->list.n;
    void *program = dlopen(paths[n - 1], RTLD_NOW | RTLD_LOCAL);
    if (!program)
        return base_fail(st, "cannot load %s: %s", objects_program(o)->path, dlerror());
    if (locate(o, program, paths, out, st))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (finish_object(o->list.at[i], out[i].base, fd[i], st))
            return -1;
    references_redirect(o, out);
    return 0;
}

int sparse_load(struct objects *o, uint32_t copy, struct sparse_loaded *out, struct base_status *st)
{
    char paths[MAX_OBJECTS][PATH_ROOM];
    int fd[MAX_OBJECTS], failed = 0;
    size_t n = o->list.n, made = 0;
    for (; made < n && !failed; made++) {
        fd[made] = memfd_create("pgasim-rank", MFD_CLOEXEC);
        if (fd[made] < 0) {
            failed = base_fail(st, "cannot make a copy of %s for a rank: %s", o->list.at[made]->path,
                               strerror(errno));
            break;
        }
        memset(paths[made], 0, PATH_ROOM);
        unique_path(paths[made], (uint64_t)copy * n + made, fd[made]);
    }
    for (size_t i = 0; i < n && !failed; i++)
        failed = fill_copy(o->list.at[i], fd[i], paths, st);
    if (!failed)
        failed = load_files(o, paths, fd, out, st);
    for (size_t i = 0; i < made; i++)
        close(fd[i]);
    return failed;
}

/* --- constructors and destructors ---------------------------------------------------------------- */

typedef void (*init_fn)(int, char **, char **);
typedef void (*fini_fn)(void);

void sparse_construct(const struct objects *o, const struct sparse_loaded *at, int argc, char **argv,
                      char **envp)
{
    for (size_t i = 0; i < o->list.n; i++) {
        const struct elf_file *e = &o->list.at[i]->elf;
        if (e->init)
            ((init_fn)(at[i].base + e->init))(argc, argv, envp);
        const init_fn *fn = (const init_fn *)(at[i].base + e->init_array);
        for (size_t k = 0; k < e->init_array_size / sizeof *fn; k++)
            if (fn[k] && (uintptr_t)fn[k] != UINTPTR_MAX)
                fn[k](argc, argv, envp);
    }
}

void sparse_destruct(const struct objects *o, const struct sparse_loaded *at)
{
    for (size_t i = o->list.n; i-- > 0;) {
        const struct elf_file *e = &o->list.at[i]->elf;
        const fini_fn *fn = (const fini_fn *)(at[i].base + e->fini_array);
        for (size_t k = e->fini_array_size / sizeof *fn; k-- > 0;)
            if (fn[k] && (uintptr_t)fn[k] != UINTPTR_MAX)
                fn[k]();
        if (e->fini)
            ((fini_fn)(at[i].base + e->fini))();
    }
}
