/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: allocation that ends the process with a clear report instead of failing, reserved regions, pools of
 * equal objects, buffers of any size.
 *
 * Invariants
 *  B5  A pool's free objects form one list through their first word, but for the last `fresh` of its newest
 *      slab; slabs are given back only at release.
 */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/sanitizer.h"
#include "base/slab.h"

enum {
    LINE_BYTES = BASE_SLAB_FIRST,
    FREE_AT_ONCE = 16,
    SLAB_FIRST = 16,
    SLAB_BYTES = 2 << 20,
    HUGE_FROM = 16 << 20
};

static uint64_t fail_countdown; /* 0: off */

void base_alloc_fail_at(uint64_t n)
{
    fail_countdown = n;
}

/* Every allocation of this file passes through here, so that tests can make the n-th one fail. */
static void *or_report(void *p, size_t bytes, const char *what)
{
    if (BASE_UNLIKELY(fail_countdown) && --fail_countdown == 0)
        p = NULL;
    if (BASE_UNLIKELY(!p))
        base_fatal(BASE_EXIT_HOST, "out of memory: %zu bytes for %s", bytes, what);
    return p;
}

static void *noted(void *p, size_t bytes, const char *what, const char *layer)
{
    p = or_report(p, bytes, what);
    if (BASE_UNLIKELY(base_sanitizer.ignore != NULL))
        base_sanitizer.ignore(p);
    if (BASE_UNLIKELY(base_accounts_on))
        base_account_block(p, bytes, what, layer);
    return p;
}

void *base_alloc_for(size_t bytes, const char *what, const char *layer)
{
    return noted(malloc(bytes ? bytes : 1), bytes, what, layer);
}

void *base_zalloc_for(size_t bytes, const char *what, const char *layer)
{
    return noted(calloc(1, bytes ? bytes : 1), bytes, what, layer);
}

void *base_realloc_for(void *p, size_t bytes, const char *what, const char *layer)
{
    if (BASE_UNLIKELY(base_accounts_on))
        base_account_forget(p);
    return noted(realloc(p, bytes ? bytes : 1), bytes, what, layer);
}

char *base_strdup_for(const char *s, const char *layer)
{
    size_t size = strlen(s) + 1;
    return memcpy(base_alloc_for(size, "strings", layer), s, size);
}

char *base_strfmt_for(const char *layer, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    BASE_ASSERT("B2", n >= 0);
    char *text = base_alloc_for((size_t)n + 1, "strings", layer);
    va_start(args, fmt);
    vsnprintf(text, (size_t)n + 1, fmt, args);
    va_end(args);
    return text;
}

/* --- regions ------------------------------------------------------------------------------------ */

size_t base_page_size(void)
{
    static size_t size;
    if (!size)
        size = (size_t)sysconf(_SC_PAGESIZE);
    return size;
}

static void *map_region(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* With a gap before and after it: the system reports memory per mapping, and merges adjacent ones. */
static void *map_apart(size_t bytes)
{
    size_t page = base_page_size(), whole = (bytes + page - 1) & ~(page - 1);
    char *p = map_region(whole + 2 * page);
    if (!p)
        return NULL;
    munmap(p, page);
    munmap(p + page + whole, page);
    return p + page;
}

static _Noreturn void no_addresses(size_t bytes, const char *what)
{
    struct rlimit limit;
    char shown[32];
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
        base_fatal(BASE_EXIT_HOST, "out of memory: %zu bytes for %s", bytes, what);
    base_fatal(BASE_EXIT_HOST,
               "out of memory: cannot reserve %zu bytes of address space for %s; the process is limited to "
               "%s (ulimit -v)",
               bytes, what, base_show_size(shown, (double)limit.rlim_cur));
}

void *base_reserve_for(size_t bytes, const char *what, const char *layer)
{
    void *p = base_accounts_on ? map_apart(bytes) : map_region(bytes);
    if (!p)
        no_addresses(bytes, what);
    or_report(p, bytes, what);
    /* A reserved region is touched sparsely: a huge page for each touch would fill the memory. */
    madvise(p, bytes, MADV_NOHUGEPAGE);
    if (base_accounts_on)
        base_account_region(p, bytes, what, layer);
    return p;
}

void base_unreserve(void *p, size_t bytes)
{
    if (base_accounts_on)
        base_account_region_end(p);
    if (p)
        munmap(p, bytes);
}

void base_fill(void *p, size_t bytes)
{
    if (bytes >= HUGE_FROM)
        madvise(p, bytes, MADV_HUGEPAGE);
}

/* A number of /proc/self/status; 0 if it is not there. */
static unsigned long long status_number(const char *name)
{
    char line[256];
    unsigned long long number = 0;
    size_t length = strlen(name);
    FILE *f = fopen("/proc/self/status", "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, length) == 0 && sscanf(line + length, ": %llu", &number) == 1)
            break;
    if (f)
        fclose(f);
    return number;
}

/* The kernel's peak for this process image; ru_maxrss would include the time before exec, too. */
uint64_t base_peak_rss(void)
{
    unsigned long long kib = status_number("VmHWM");
    if (!kib) {
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        kib = (unsigned long long)usage.ru_maxrss;
    }
    return (uint64_t)kib * 1024;
}

/* Also called in signal handlers, so without a stream. The line is one of the first. */
bool base_traced(void)
{
    char text[1024];
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, "TracerPid:");
    return at && strtol(at + strlen("TracerPid:"), NULL, 10) != 0;
}

/* --- pools -------------------------------------------------------------------------------------- */

void base_pool_init_for(struct base_pool *p, size_t object_size, const char *what, const char *layer)
{
    size_t size = (object_size + 15) & ~(size_t)15;
    *p = (struct base_pool){.size = size ? size : 16, .per_slab = SLAB_FIRST, .what = what, .layer = layer};
}

void base_pool_release(struct base_pool *p)
{
    if (BASE_UNLIKELY(p->operations && p->live))
        base_remainder_note(p);
    for (struct base_slab *slab = p->slabs, *next; slab; slab = next) {
        next = slab->next;
        if (base_accounts_on)
            base_account_pool(-(int64_t)slab->bytes, p->what, p->layer);
        if (slab->mapped)
            munmap(slab, SLAB_BYTES);
        else
            free(slab);
    }
    p->slabs = p->free = NULL;
    p->fresh = p->live = 0;
}

/* Aligned to SLAB_BYTES. */
static struct base_slab *map_slab(const char *what)
{
    const size_t bytes = SLAB_BYTES;
    char *p =
        mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    p = or_report(p == MAP_FAILED ? NULL : p, bytes, what);
    size_t before = -(uintptr_t)p & (bytes - 1);
    if (before)
        munmap(p, before);
    munmap(p + before + bytes, bytes - before);
    madvise(p + before, bytes, MADV_HUGEPAGE);
    return (struct base_slab *)(void *)(p + before);
}

/* Puts the next objects of the newest slab into the list: a few, which are then in the cache. */
static void *free_some(struct base_pool *p)
{
    char *first = (char *)p->slabs + LINE_BYTES + p->fresh_from * p->size, *o = first;
    size_t n = p->fresh < FREE_AT_ONCE ? p->fresh : FREE_AT_ONCE;
    for (size_t k = 1; k < n; k++, o += p->size)
        *(void **)(void *)o = o + p->size;
    *(void **)(void *)o = NULL;
    p->fresh -= n;
    p->fresh_from += n;
    return p->free = first;
}

void *base_pool_refill(struct base_pool *p)
{
    struct base_slab *slab;
    if (p->fresh)
        return free_some(p);
    size_t bytes = LINE_BYTES + p->per_slab * p->size;
    bool mapped = bytes > SLAB_BYTES / 4 && LINE_BYTES + p->size <= SLAB_BYTES;
    if (mapped) {
        p->per_slab = (SLAB_BYTES - LINE_BYTES) / p->size;
        bytes = SLAB_BYTES;
        slab = map_slab(p->what);
    } else {
        while (p->per_slab > 1 && bytes > SLAB_BYTES)
            bytes = LINE_BYTES + (p->per_slab /= 2) * p->size;
        bytes = (bytes + LINE_BYTES - 1) & ~(size_t)(LINE_BYTES - 1);
        slab = or_report(aligned_alloc(LINE_BYTES, bytes), bytes, p->what);
    }
    slab->next = p->slabs;
    slab->bytes = bytes;
    slab->mapped = mapped;
    if (base_accounts_on)
        base_account_pool((int64_t)bytes, p->what, p->layer);
    p->slabs = slab;
    p->fresh = p->per_slab;
    p->fresh_from = 0;
    if (!mapped)
        p->per_slab *= 2;
    return free_some(p);
}

/* --- buffers ------------------------------------------------------------------------------------ */

enum { SMALLEST_SHIFT = 5 };

/* The class whose buffers hold `bytes`, or the number of classes if none does. */
static unsigned class_of(const struct base_buffers *b, size_t bytes)
{
    if (bytes <= (size_t)1 << SMALLEST_SHIFT)
        return 0;
    unsigned bits = 64 - (unsigned)__builtin_clzll((unsigned long long)bytes - 1);
    unsigned k = bits - SMALLEST_SHIFT;
    return k < BASE_LENGTH(b->class) ? k : (unsigned)BASE_LENGTH(b->class);
}

void base_buffers_init_for(struct base_buffers *b, const char *what, const char *layer)
{
    for (unsigned k = 0; k < BASE_LENGTH(b->class); k++) {
        base_pool_init_for(&b->class[k], (size_t)1 << (SMALLEST_SHIFT + k), what, layer);
        if (k > 6) /* large buffers: few in the first slab */
            b->class[k].per_slab = SLAB_FIRST >> (k - 6) ? SLAB_FIRST >> (k - 6) : 1;
    }
}

void base_buffers_of_operations(struct base_buffers *b)
{
    for (unsigned k = 0; k < BASE_LENGTH(b->class); k++)
        base_pool_of_operations(&b->class[k]);
}

void base_buffers_release(struct base_buffers *b)
{
    for (unsigned k = 0; k < BASE_LENGTH(b->class); k++)
        base_pool_release(&b->class[k]);
}

void *base_buffers_get(struct base_buffers *b, size_t bytes)
{
    unsigned k = class_of(b, bytes);
    if (BASE_LIKELY(k < BASE_LENGTH(b->class)))
        return base_pool_get(&b->class[k]);
    return base_alloc_for(bytes, b->class[0].what, b->class[0].layer);
}

void base_buffers_put(struct base_buffers *b, void *p, size_t bytes)
{
    unsigned k = class_of(b, bytes);
    if (BASE_LIKELY(k < BASE_LENGTH(b->class)))
        base_pool_put(&b->class[k], p);
    else
        free(p);
}

/* --- arrays ------------------------------------------------------------------------------------- */

void *base_array_grow_for(void *at, size_t *cap, size_t need, size_t item, const char *what,
                          const char *layer)
{
    size_t wanted = *cap + *cap / 2 + 8;
    if (wanted < need)
        wanted = need;
    at = base_realloc_for(at, wanted * item, what, layer);
    *cap = wanted;
    return at;
}
