/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads a private copy of the program and its libraries, or of a module, through the dynamic linker.
 *
 * The dynamic linker loads a file only once, so each copy is a file of its own: an anonymous one (memfd) with
 * just what the linker reads (tables and writable data, from patch.c) and holes for the text. After loading,
 * the text is mapped again from the original file, which drops the patched pages and shares the text of all
 * copies in the page cache; references to interposed functions are redirected.
 *
 * The file's name means the same to every process, for debuggers and profilers open what the dynamic linker's
 * list names. Once loaded, a copy is listed under the name of the original file, which has its symbols; the
 * name by which the dynamic linker finds it again is kept beside. A debugger that is there from the start
 * does not see the loading itself (unseen.c).
 */
#include "fold/elf/elf.h"

#include "base/output.h"
#include "base/sanitizer.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATH_BITS 20 /* number of copies with distinct paths, as a power of two */
#define PATH_ROOM OBJECT_PATH_ROOM

/* --- loading ------------------------------------------------------------------------------------- */

/* A path to descriptor fd that no other copy ever had: the dynamic linker takes equal names for one object
 * even when the descriptor means another file by then. "." and empty components spell the number in binary.
 */
static void unique_path(char *buf, int fd)
{
    static uint32_t paths; /* per process, as is the dynamic linker's list */
    uint32_t number = paths++;
    char *p = buf + sprintf(buf, "/proc/%d/", (int)getpid());
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
    bool good = (base_sanitizer.valgrind || ftruncate(fd, (off_t)f->elf.size) == 0) &&
                write_all(fd, f->head, f->head_size, 0) && write_all(fd, f->tail, f->tail_size, f->tail_at);
    for (size_t k = 0; k < f->names.n && good; k++)
        good = write_all(fd, paths[f->names.at[k]], PATH_ROOM, f->names_at + k * PATH_ROOM);
    return good ? 0 : base_fail(st, "cannot copy %s for a rank: %s", f->path, strerror(errno));
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

/* Frees the memory of the copy's tables, which nothing maps any more. */
static void drop_head(const struct object_file *f, int fd)
{
    size_t whole = f->tail_at & ~(base_page_size() - 1);
    if (whole)
        (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)whole);
}

/* Removes the write protection that a linker may have set on relocated data. */
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
    if (base_sanitizer.valgrind)
        return visible_finish(f, fd, st) || unprotect(f, base, st) ? -1 : 0;
    if (map_text(f, base, st) || unprotect(f, base, st))
        return -1;
    drop_head(f, fd);
    return 0;
}

/* One loading: the objects at `places`; the paths of all objects of the list, because the copies need each
 * other. */
struct loading {
    struct objects *o;
    const uint32_t *places;
    size_t n;
    char (*path)[PATH_ROOM];
    int *fd; /* one for each of `places` */
};

/* Finds where the objects of this copy were loaded: they follow the root in the linker's list. */
static int locate(const struct loading *l, void *root, struct sparse_loaded *at, struct base_status *st)
{
    struct link_map *first = NULL;
    if (dlinfo(root, RTLD_DI_LINKMAP, &first) != 0)
        return base_fail(st, "%s", dlerror());
    for (size_t i = 0; i < l->n; i++) {
        struct link_map *m = first;
        while (m && strcmp(m->l_name, l->path[l->places[i]]) != 0)
            m = m->l_next;
        if (!m)
            return base_fail(st, "%s: the dynamic linker did not load it with the program",
                             l->o->list.at[l->places[i]]->path);
        at[l->places[i]] = (struct sparse_loaded){m, m->l_addr, m->l_name};
    }
    return 0;
}

static bool writable(const struct object_file *f, uint64_t address, uint64_t size)
{
    for (size_t k = 0; k < f->spans.n; k++)
        if (address >= f->spans.at[k].address && address - f->spans.at[k].address < f->spans.at[k].size)
            return size <= f->spans.at[k].size - (address - f->spans.at[k].address);
    return false;
}

/* The DT_NEEDED names of the copy are lost with its text, but the dynamic linker reads them again when a
 * module needs the object. So the entries are changed to point at the linker's own names of the libraries; an
 * offset can reach any address. */
static void keep_names(const struct loading *l, uint32_t place, const struct sparse_loaded *at)
{
    const struct object_file *f = l->o->list.at[place];
    uint64_t strtab = 0;
    (void)elf_dynamic_find(&f->elf, DT_STRTAB, &strtab);
    Elf64_Dyn *d = (Elf64_Dyn *)(at[place].base + f->elf.dynamic_address);
    if (!writable(f, f->elf.dynamic_address, f->elf.n_dynamic * sizeof *d))
        return;
    for (uint32_t i = 0; i < f->elf.n_dynamic && d[i].d_tag != DT_NULL; i++) {
        uint64_t offset = d[i].d_un.d_val + strtab - f->names_address;
        if (d[i].d_tag != DT_NEEDED || offset >= f->names.n * PATH_ROOM)
            continue;
        const char *name = at[f->names.at[offset / PATH_ROOM]].name;
        d[i].d_un.d_val = (uintptr_t)name - (at[place].base + strtab);
    }
}

/* The dynamic linker tells the error only in words. */
static int load_failed(const char *path, const char *why, struct base_status *st)
{
    static const int limits[] = {EMFILE, ENFILE, ENOMEM};
    for (size_t k = 0; k < BASE_LENGTH(limits); k++)
        if (strstr(why, strerror(limits[k]))) {
            errno = limits[k];
            base_open_failed(path);
        }
    return base_fail(st, "cannot load %s: %s", path, why);
}

struct sparse_listing sparse_listing;

static char *listed_name(const char *path, uintptr_t base)
{
    struct sparse_listing *all = &sparse_listing;
    for (size_t k = 0; k < all->n; k++)
        if (strcmp(all->at[k].path, path) == 0)
            return all->at[k].shown;
    struct sparse_listed l = {base_strdup(path), base_zalloc(PATH_MAX, "name of an object"), PATH_MAX, base};
    snprintf(l.shown, l.room, "%s", path);
    BASE_ARRAY_PUSH(all, l);
    return l.shown;
}

bool sparse_is_copy(const struct link_map *m)
{
    for (size_t k = 0; k < sparse_listing.n; k++)
        if (m->l_name == sparse_listing.at[k].shown)
            return true;
    return false;
}

/* The dynamic linker compares names with the one that was asked for as well, so it still finds the copy. */
static void list_as_original(const struct object_file *f, const struct sparse_loaded *at)
{
    static BASE_ARRAY(const char *) names; /* the dynamic linker's own, which would seem to be lost */
    if (base_sanitizer.valgrind)
        BASE_ARRAY_PUSH(&names, at->name);
    ((struct link_map *)at->handle)->l_name = listed_name(f->path, at->base);
}

static int load_files(const struct loading *l, int flags, struct sparse_loaded *at, struct base_status *st)
{
    uint32_t root = l->places[l->n - 1];
    void *handle = dlopen(l->path[root], flags);
    if (!handle)
        return load_failed(l->o->list.at[root]->path, dlerror(), st);
    if (locate(l, handle, at, st))
        return -1;
    for (size_t i = 0; i < l->n; i++)
        if (finish_object(l->o->list.at[l->places[i]], at[l->places[i]].base, l->fd[i], st))
            return -1;
    for (size_t i = 0; i < l->n; i++) {
        keep_names(l, l->places[i], at);
        references_redirect(l->o, l->places[i], at);
    }
    for (size_t i = 0; i < l->n; i++)
        list_as_original(l->o->list.at[l->places[i]], &at[l->places[i]]);
    return 0;
}

static int make_files(const struct loading *l, struct base_status *st)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct object_file *f = l->o->list.at[l->places[i]];
        l->fd[i] = base_sanitizer.valgrind ? visible_open(f) : memfd_create("pgasim-rank", MFD_CLOEXEC);
        if (l->fd[i] < 0)
            base_open_failed(f->path);
        if (l->fd[i] < 0)
            return base_fail(st, "cannot copy %s for a rank: %s", f->path, strerror(errno));
        memset(l->path[l->places[i]], 0, PATH_ROOM);
        unique_path(l->path[l->places[i]], l->fd[i]);
    }
    for (size_t i = 0; i < l->n; i++)
        if (fill_copy(l->o->list.at[l->places[i]], l->fd[i], (const char(*)[PATH_ROOM])l->path, st))
            return -1;
    return 0;
}

int sparse_load(struct objects *o, const uint32_t *places, size_t n, int flags, struct sparse_loaded *at,
                struct base_status *st)
{
    struct loading l = {o, places, n, base_alloc(o->list.n * PATH_ROOM, "loading"),
                        base_alloc(n * sizeof *l.fd, "loading")};
    objects_provide_abi(o);
    for (size_t i = 0; i < n; i++)
        l.fd[i] = -1;
    for (size_t i = 0; i < o->list.n; i++)
        if (at[i].handle)
            snprintf(l.path[i], PATH_ROOM, "%s", at[i].name);
    int failed = make_files(&l, st) || load_files(&l, flags, at, st) ? -1 : 0;
    for (size_t i = 0; i < n; i++)
        if (l.fd[i] >= 0)
            close(l.fd[i]);
    free(l.path);
    free(l.fd);
    return failed;
}

/* --- constructors and destructors ---------------------------------------------------------------- */

typedef void (*init_fn)(int, char **, char **);
typedef void (*fini_fn)(void);

void sparse_construct(const struct object_file *f, struct sparse_loaded at, int argc, char **argv,
                      char **envp)
{
    const struct elf_file *e = &f->elf;
    if (e->init)
        ((init_fn)(at.base + e->init))(argc, argv, envp);
    const init_fn *fn = (const init_fn *)(at.base + e->init_array);
    for (size_t k = 0; k < e->init_array_size / sizeof *fn; k++)
        if (fn[k] && (uintptr_t)fn[k] != UINTPTR_MAX)
            fn[k](argc, argv, envp);
}

void sparse_destruct(const struct object_file *f, struct sparse_loaded at)
{
    const struct elf_file *e = &f->elf;
    const fini_fn *fn = (const fini_fn *)(at.base + e->fini_array);
    for (size_t k = e->fini_array_size / sizeof *fn; k-- > 0;)
        if (fn[k] && (uintptr_t)fn[k] != UINTPTR_MAX)
            fn[k]();
    if (e->fini)
        ((fini_fn)(at.base + e->fini))();
}
