/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * swap_pages: the pages of large ranges, which are moved, not copied (mremap(2)). Each version has pages of
 * its own, with its own entries in the page tables, so that an exchange takes two or four system calls for
 * each run of pages, however many there are, and causes no page faults. Pages that a version has not changed
 * are those of a file in memory, with the pristine bytes, or zero.
 *
 * A place that pages were moved from stays mapped (MREMAP_DONTUNMAP), so that nothing else is mapped there.
 * Kernels that cannot do that have no runs. A run's first and last page may hold bytes of no range: each
 * version has its own of those, too.
 */
#include "fold/image/swap_parts.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define FEW_PAGES 16

/* --- making runs ---------------------------------------------------------------------------------- */

static bool is_zero(const char *at, size_t size)
{
    return at[0] == 0 && swap_raw.compare(at, at + 1, size - 1) == 0;
}

/* A file with these bytes, without memory for pages of zeros. Returns -1 when the system has none. */
static int file_of(const char *at, size_t size)
{
    size_t page = base_page_size();
    int file = memfd_create("pgasim-globals", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    bool well = ftruncate(file, (off_t)size) == 0;
    for (size_t k = 0; well && k < size; k += page)
        well = is_zero(at + k, page) || pwrite(file, at + k, page, (off_t)k) == (ssize_t)page;
    if (!well) {
        close(file);
        return -1;
    }
    return file;
}

/* Where the zeros at the end begin, in pages. A few are not worth two more system calls at each exchange. */
static size_t zeros_of(const char *at, size_t size)
{
    size_t page = base_page_size(), zero = size;
    while (zero > 0 && is_zero(at + zero - page, page))
        zero -= page;
    return size - zero < FEW_PAGES * page ? size : zero;
}

/* Maps pristine pages of the run: in place of those at `at`, which may be NULL. */
static char *map(const struct run *r, void *at, int protection)
{
    int flags = MAP_PRIVATE | MAP_NORESERVE;
    char *p = mmap(at, r->size, protection, flags | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (r->zero_from > 0 && mmap(p, r->zero_from, protection, flags | MAP_FIXED, r->file, 0) == MAP_FAILED)
        return NULL;
    return p;
}

static bool move(const struct run *r, void *from, void *to)
{
    char *a = from, *b = to;
    size_t part = r->zero_from, rest = r->size - part;
    int flags = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
    return (!part || mremap(a, part, part, flags, b) == b) &&
           (!rest || mremap(a + part, rest, rest, flags, b + part) == b + part);
}

/* Tries it with the run's own kinds of pages. */
static bool moves(const struct run *r)
{
    char *from = map(r, NULL, PROT_READ | PROT_WRITE), *to = map(r, NULL, PROT_READ | PROT_WRITE);
    bool well = from && to && move(r, from, to);
    if (from)
        munmap(from, r->size);
    if (to)
        munmap(to, r->size);
    return well;
}

static void unmake(struct run *r)
{
    if (r->pristine)
        munmap((void *)(uintptr_t)r->pristine, r->size);
    if (r->file >= 0)
        close(r->file);
}

bool swap_pages_take(struct swap *s, uintptr_t base, size_t size)
{
    size_t page = base_page_size();
    struct run r = {.base = base / page * page, .file = -1};
    r.size = (base + size + page - 1) / page * page - r.base;
    r.zero_from = zeros_of((const char *)r.base, r.size);
    if (r.zero_from > 0 && (r.file = file_of((const char *)r.base, r.zero_from)) < 0)
        return false;
    r.pristine = map(&r, NULL, PROT_READ);
    if (!r.pristine || !moves(&r) || !map(&r, (void *)r.base, PROT_READ | PROT_WRITE)) {
        unmake(&r);
        return false;
    }
    r.home_at = s->home_bytes + r.base % SWAP_TABLE_SPAN;
    s->home_bytes +=
        (r.base % SWAP_TABLE_SPAN + r.size + SWAP_TABLE_SPAN - 1) / SWAP_TABLE_SPAN * SWAP_TABLE_SPAN;
    BASE_ARRAY_PUSH(&s->runs, r);
    return true;
}

/* --- homes ---------------------------------------------------------------------------------------- */

static char *home_of(const struct swap_version *v, const struct run *r)
{
    char *first = (char *)(((uintptr_t)v->home + SWAP_TABLE_SPAN - 1) / SWAP_TABLE_SPAN * SWAP_TABLE_SPAN);
    return first + r->home_at;
}

static _Noreturn void no_mapping(const struct run *r)
{
    base_fatal(BASE_EXIT_HOST, "out of memory: cannot map %zu bytes for globals of a rank: %s", r->size,
               strerror(errno));
}

static void make_home(const struct swap *s, struct swap_version *v)
{
    v->home = base_reserve(s->home_bytes + SWAP_TABLE_SPAN, "globals of a rank");
    for (size_t i = 0; i < s->runs.n; i++) {
        const struct run *r = &s->runs.at[i];
        if (r->file >= 0 && !map(r, home_of(v, r), PROT_READ | PROT_WRITE))
            no_mapping(r);
    }
}

static void drop_home(const struct swap *s, char *home)
{
    base_unreserve(home, s->home_bytes + SWAP_TABLE_SPAN);
}

/* --- exchange ------------------------------------------------------------------------------------- */

void swap_pages_leave(struct swap *s, struct swap_version *v)
{
    if (s->runs.n && !v->home)
        make_home(s, v);
    for (size_t i = 0; i < s->runs.n; i++) {
        const struct run *r = &s->runs.at[i];
        if (!move(r, (void *)r->base, home_of(v, r)))
            no_mapping(r);
    }
}

void swap_pages_enter(struct swap *s, struct swap_version *v)
{
    if (s->runs.n && !v->home)
        make_home(s, v);
    for (size_t i = 0; i < s->runs.n; i++) {
        const struct run *r = &s->runs.at[i];
        if (!move(r, home_of(v, r), (void *)r->base))
            no_mapping(r);
    }
}

/* --- access --------------------------------------------------------------------------------------- */

const struct run *swap_pages_find(const struct swap *s, uintptr_t address)
{
    for (size_t i = 0; i < s->runs.n; i++)
        if (address - s->runs.at[i].base < s->runs.at[i].size)
            return &s->runs.at[i];
    return NULL;
}

const char *swap_pages_place(const struct swap *s, const struct swap_version *v, const struct run *r,
                             uintptr_t address)
{
    if (s->live == v)
        return (const char *)address;
    return (v->home ? home_of(v, r) : r->pristine) + (address - r->base);
}

char *swap_pages_own(struct swap *s, struct swap_version *v, const struct run *r, uintptr_t address)
{
    if (s->live == v)
        return (char *)address;
    if (!v->home)
        make_home(s, v);
    return home_of(v, r) + (address - r->base);
}

void *swap_pages_share(struct swap *s, struct swap_version *v, const struct run *r, uintptr_t address)
{
    if (!v->home)
        make_home(s, v);
    s->pointed = true;
    return home_of(v, r) + (address - r->base);
}

void *swap_pages_live_place(const struct swap *s, uintptr_t address)
{
    for (size_t i = 0; s->live && s->live->home && i < s->runs.n; i++) {
        const struct run *r = &s->runs.at[i];
        size_t at = address - (uintptr_t)home_of(s->live, r);
        if (at < r->size)
            return (char *)r->base + at;
    }
    return NULL;
}

/* --- end ------------------------------------------------------------------------------------------ */

void swap_pages_forget(struct swap *s, struct swap_version *v)
{
    if (!v->home)
        return;
    if (s->pointed)
        BASE_ARRAY_PUSH(&s->kept, v->home);
    else
        drop_home(s, v->home);
    v->home = NULL;
}

/* The pages in the ranges stay there. */
void swap_pages_release(struct swap *s)
{
    for (size_t i = 0; i < s->kept.n; i++)
        drop_home(s, s->kept.at[i]);
    for (size_t i = 0; i < s->runs.n; i++)
        unmake(&s->runs.at[i]);
    free(s->kept.at);
    free(s->runs.at);
}
