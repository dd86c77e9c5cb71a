/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of pgasim.h for views, their mappings, and messages to and from them. fault.c has what happens at
 * an access that is not allowed.
 */
#include "pgasim.h"

#include "fold/view/view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sanitizer.h"

static const char make_call[] = "pgasim_view_make", protect_call[] = "pgasim_view_protect";

/* --- mappings ------------------------------------------------------------------------------------ */

static off_t part_of(const struct views *v, const struct rank *r)
{
    return (off_t)(r->id * v->bytes);
}

static _Noreturn void no_mapping(const struct views *v)
{
    base_fatal(BASE_EXIT_HOST, "cannot map %zu bytes for the ranks' views: %s", v->bytes, strerror(errno));
}

static void map_at(struct views *v, const struct rank *r)
{
    if (mmap(v->at, v->bytes, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, v->file, part_of(v, r)) ==
        MAP_FAILED)
        no_mapping(v);
    v->mapped = r;
    v->open = false;
}

void view_enter(struct views *v, const struct rank *to)
{
    map_at(v, to);
}

static int protection_of(unsigned char access)
{
    return access == PGASIM_READ_WRITE ? PROT_READ | PROT_WRITE
           : access == PGASIM_READ     ? PROT_READ
                                       : PROT_NONE;
}

/* Each piece of another protection is a mapping, of which the system allows so many. When there are no more,
 * everything is closed, so that pieces are opened again as they are touched. */
static void set_protection(struct views *v, const struct rank *r, size_t page, size_t n, unsigned char access)
{
    char *from = v->at + page * v->page;
    if (mprotect(from, n * v->page, protection_of(access))) {
        map_at(v, r);
        if (access != PGASIM_NO_ACCESS && mprotect(from, n * v->page, protection_of(access)))
            no_mapping(v);
    }
    v->open |= access != PGASIM_NO_ACCESS;
}

/* Together with its neighbours of the same kind, so that a rank that works on many pages does not stop at
 * each. */
void view_open(const struct rank *r, size_t page)
{
    enum { GROUP = 512 };
    struct views *v = fold_of(r)->views;
    const unsigned char *access = fold_part(r)->view->access;
    size_t low = page / GROUP * GROUP, high = low + GROUP, pages = v->bytes / v->page, from = page, to = page;
    while (from > low && access[from - 1] == access[page])
        from--;
    while (to + 1 < high && to + 1 < pages && access[to + 1] == access[page])
        to++;
    if (v->mapped != r)
        map_at(v, r);
    set_protection(v, r, from, to + 1 - from, access[page]);
}

/* What is taken away is taken away at once. What is granted, too, since it is about to be used. */
void view_protect(const struct rank *r, size_t page, size_t n, unsigned char access)
{
    struct views *v = fold_of(r)->views;
    bool less = access < fold_part(r)->view->access[page];
    memset(fold_part(r)->view->access + page, access, n);
    if (v->mapped != r && !less && access != PGASIM_NO_ACCESS)
        map_at(v, r);
    if (v->mapped == r && (v->open || !less))
        set_protection(v, r, page, n, access);
}

/* --- messages ------------------------------------------------------------------------------------ */

/* The simulator moves messages' bytes while any rank may be mapped, whatever the protection. */
static void *inside(const struct rank *r, uintptr_t address)
{
    const struct views *v = fold_of(r)->views;
    size_t offset = address - (uintptr_t)v->at;
    return offset < v->bytes ? fold_part(r)->view->inside + offset : NULL;
}

static void *direct(struct rank *r, uintptr_t address, size_t size)
{
    void *p = inside(r, address);
    return p ? p : fold_part(r)->view->beneath->direct(r, address, size);
}

static void read_bytes(struct rank *r, uintptr_t address, void *out, size_t size)
{
    const void *p = inside(r, address);
    if (p)
        memcpy(out, p, size);
    else
        fold_part(r)->view->beneath->read(r, address, out, size);
}

static void write_bytes(struct rank *r, uintptr_t address, const void *in, size_t size)
{
    void *p = inside(r, address);
    if (p)
        memcpy(p, in, size);
    else
        fold_part(r)->view->beneath->write(r, address, in, size);
}

static void *share(struct rank *r, uintptr_t address, size_t size)
{
    void *p = inside(r, address);
    return p ? p : fold_part(r)->view->beneath->share(r, address, size);
}

static const struct rank_memory viewed = {direct, read_bytes, write_bytes, share, false};

/* --- making -------------------------------------------------------------------------------------- */

static void refuse_checkers(const struct rank *r)
{
    if (base_checked() || base_sanitizer.address)
        base_fatal(
            BASE_EXIT_INPUT,
            "%s of rank %u: views need a program and a pgasim without sanitizers, outside of Valgrind: "
            "these handle faults themselves",
            make_call, r->id);
}

/* All ranks' bytes, one after the other. */
static int make_file(const struct views *v, uint32_t ranks)
{
    int file = memfd_create("pgasim-views", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)(ranks * v->bytes)))
        base_fatal(BASE_EXIT_HOST, "cannot make a file in memory for the views of %u ranks: %s", ranks,
                   strerror(errno));
    return file;
}

/* The first rank decides. */
static struct views *make_views(struct rank *r, void *wish, size_t bytes)
{
    struct views *v = base_zalloc(sizeof *v, "views");
    *v = (struct views){.bytes = bytes, .page = base_page_size()};
    v->file = make_file(v, fold_of(r)->ranks);
    v->at = mmap(wish, bytes, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (wish ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    if (v->at == MAP_FAILED || (wish && v->at != wish))
        rank_program_error(r, make_call,
                           "%zu bytes at address %p: these addresses are not free; expected "
                           "others, or NULL for any",
                           bytes, wish);
    view_signals_begin(v);
    return v;
}

static void check(struct rank *r, const void *wish, size_t bytes)
{
    const struct views *v = fold_of(r)->views;
    size_t page = base_page_size();
    if (fold_part(r)->view)
        rank_program_error(r, make_call, "the rank has a view already: expected one call");
    if (!bytes || bytes % page || bytes > SIZE_MAX / 2 / fold_of(r)->ranks || (uintptr_t)wish % page)
        rank_program_error(r, make_call, "%zu bytes at address %p: expected whole pages of %zu bytes", bytes,
                           wish, page);
    if (v && (v->bytes != bytes || (wish && wish != v->at)))
        rank_program_error(
            r, make_call,
            "%zu bytes at address %p, but another rank's view has %zu bytes at %p: expected the "
            "same at all ranks",
            bytes, wish, v->bytes, (void *)v->at);
}

BASE_PUBLIC int pgasim_view_make(struct pgasim_view *view, void *wish, size_t bytes,
                                 int (*fault)(void *address, int store))
{
    struct rank *r = rank_current;
    if (!r)
        return 0;
    (void)rank_enter_plain(make_call);
    refuse_checkers(r);
    check(r, wish, bytes);
    struct views *all = fold_of(r)->views;
    if (!all)
        all = fold_of(r)->views = make_views(r, wish, bytes);
    struct view *v = base_zalloc(sizeof *v, "a view");
    v->inside =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, all->file, part_of(all, r));
    if (v->inside == MAP_FAILED)
        no_mapping(all);
    v->access = base_reserve(bytes / all->page, "a view's pages");
    v->fault = fault;
    v->beneath = r->memory;
    fold_part(r)->view = v;
    rank_use_memory(r, &viewed);
    *view = (struct pgasim_view){.at = all->at, .inside = v->inside, .bytes = bytes};
    rank_leave(r, make_call);
    return 1;
}

BASE_PUBLIC void pgasim_view_protect(void *from, size_t bytes, enum pgasim_access access)
{
    struct rank *r = rank_current;
    if (!r || !bytes)
        return;
    (void)rank_enter_plain(protect_call);
    const struct views *v = fold_of(r)->views;
    size_t offset = v && fold_part(r)->view ? (uintptr_t)from - (uintptr_t)v->at : 0, page = base_page_size();
    if (!v || !fold_part(r)->view || offset >= v->bytes || bytes > v->bytes - offset || offset % page ||
        bytes % page || access < PGASIM_NO_ACCESS || access > PGASIM_READ_WRITE)
        rank_program_error(r, protect_call,
                           "%zu bytes at address %p, access %d: expected whole pages of the "
                           "rank's view and an access of enum pgasim_access",
                           bytes, from, (int)access);
    view_protect(r, offset / page, bytes / page, (unsigned char)access);
    rank_leave(r, protect_call);
}

/* --- end ----------------------------------------------------------------------------------------- */

/* Other ranks' operations may still move bytes of it, so `inside` stays; its memory goes. */
void view_release(struct rank *r)
{
    struct views *all = fold_of(r)->views;
    if (!fold_part(r)->view)
        return;
    if (all->mapped == r && all->open)
        map_at(all, r);
    fallocate(all->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, part_of(all, r), (off_t)all->bytes);
}

void views_end(struct fold_job *job)
{
    struct views *v = job->views;
    if (!v)
        return;
    for (uint32_t k = 0; k < job->ranks; k++) {
        struct rank *r = fold_rank_at(job, k);
        struct view *own = fold_part(r)->view;
        if (!own)
            continue;
        rank_use_memory(r, own->beneath);
        munmap(own->inside, v->bytes);
        base_unreserve(own->access, v->bytes / v->page);
        free(own);
        fold_part(r)->view = NULL;
    }
    munmap(v->at, v->bytes);
    close(v->file);
    free(v);
    job->views = NULL;
}
