/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * account: whose memory it is, by layer and purpose, for `pgasim run --self-profile`. Knows only what this
 * module's allocators tell it, each block by its address. The rest of the process (the program's heap,
 * libraries) is left to callers, who compare with the system's figures. Its own tables are mapped directly,
 * so that they appear in no account.
 *
 * Blocks that a module frees reach base_account_forget through free: libpgasim is linked with --wrap=free.
 *
 * Invariants
 *  B6  A block is in the table exactly once, from its allocation to its free.
 *  B7  Regions do not overlap, and none touches another mapping.
 */
#include "base/table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ACCOUNTS_MOST = 512, TEXT = 64, REGIONS_MOST = 1 << 17 };

/* An account with copies of its texts: callers may reuse the buffer of `what`. */
struct entry {
    struct base_account is;
    char layer[16], what[TEXT];
};
/* A block. */
struct known {
    uint64_t account : 16, bytes : 48;
};
struct region {
    uintptr_t at, end;
    uint32_t account;
};

bool base_accounts_on;
static struct {
    atomic_flag busy; /* threads of system libraries may free, too */
    struct entry *entry;
    uint32_t n;
    struct base_table known; /* blocks, by address */
    struct region *region;
    size_t n_regions;
} table = {.busy = ATOMIC_FLAG_INIT};

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&table.busy, memory_order_acquire))
        ;
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&table.busy, memory_order_release);
}

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        base_fatal(BASE_EXIT_HOST, "out of memory: %zu bytes for --self-profile", bytes);
    return p;
}

/* --- accounts ------------------------------------------------------------------------------------ */

static bool is(const struct entry *e, const char *what, const char *layer)
{
    return !strcmp(e->layer, layer) && !strncmp(e->what, what, TEXT - 1);
}

/* When the table is full, the last account takes the rest. */
static uint32_t account_of(const char *what, const char *layer)
{
    uint32_t k = 0;
    while (k < table.n && !is(&table.entry[k], what, layer))
        k++;
    if (k < table.n)
        return k;
    if (k == ACCOUNTS_MOST)
        return k - 1;
    struct entry *e = &table.entry[table.n++];
    snprintf(e->layer, sizeof e->layer, "%s", layer);
    snprintf(e->what, sizeof e->what, "%s", what);
    e->is.layer = e->layer;
    e->is.what = e->what;
    return k;
}

static void raise_peak(struct base_account *a)
{
    if (a->peak < a->blocks + a->pools)
        a->peak = a->blocks + a->pools;
}

void base_account_pool(int64_t more, const char *what, const char *layer)
{
    lock();
    struct base_account *a = &table.entry[account_of(what, layer)].is;
    if (more >= 0 || a->pools >= (uint64_t)-more) /* otherwise the pool is older than the accounts */
        a->pools += (uint64_t)more;
    raise_peak(a);
    unlock();
}

/* --- blocks -------------------------------------------------------------------------------------- */

/* Subtracts it from its account. */
static void take_off(const struct known *b)
{
    struct base_account *a = &table.entry[b->account].is;
    BASE_ASSERT("B6", a->blocks >= b->bytes);
    a->blocks -= b->bytes;
}

/* A block still known at this address was freed by code that did not tell us. */
void base_account_block(void *p, size_t bytes, const char *what, const char *layer)
{
    lock();
    uint32_t k = account_of(what, layer);
    struct base_account *a = &table.entry[k].is;
    struct known *b = base_table_add(&table.known, (uintptr_t)p, NULL);
    take_off(b);
    *b = (struct known){.account = k, .bytes = bytes};
    a->blocks += bytes;
    raise_peak(a);
    unlock();
}

void base_account_forget(const void *p)
{
    lock();
    const struct known *b = base_table_find(&table.known, (uintptr_t)p);
    if (b) {
        take_off(b);
        base_table_remove(&table.known, (uintptr_t)p);
    }
    unlock();
}

/* Called by every object of libpgasim for free (the linker's --wrap); other programs do not refer to it. */
void __wrap_free(void *p);
extern void __real_free(void *p) __attribute__((weak));
void __wrap_free(void *p)
{
    if (BASE_UNLIKELY(base_accounts_on))
        base_account_forget(p);
    __real_free(p);
}

/* --- regions ------------------------------------------------------------------------------------- */

void base_account_region(void *p, size_t bytes, const char *what, const char *layer)
{
    lock();
    if (table.n_regions < REGIONS_MOST) {
        uint32_t k = account_of(what, layer);
        table.region[table.n_regions++] = (struct region){(uintptr_t)p, (uintptr_t)p + bytes, k};
        table.entry[k].is.reserved += bytes;
    }
    unlock();
}

void base_account_region_end(const void *p)
{
    lock();
    for (size_t k = table.n_regions; k-- > 0;)
        if (table.region[k].at == (uintptr_t)p) {
            table.entry[table.region[k].account].is.reserved -= table.region[k].end - table.region[k].at;
            table.region[k] = table.region[--table.n_regions];
            break;
        }
    unlock();
}

static int by_address(const void *a, const void *b)
{
    const struct region *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* The last region that begins at or before the address; NULL if it does not contain the address. */
static struct base_account *region_with(uintptr_t at)
{
    size_t low = 0, high = table.n_regions;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table.region[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low && at < table.region[low - 1].end ? &table.entry[table.region[low - 1].account].is : NULL;
}

/* The system lists each mapping: first a line with its addresses, then its resident memory. */
uint64_t base_accounts_read(void)
{
    FILE *f = fopen("/proc/self/smaps", "re");
    struct base_account *a = NULL;
    unsigned long from, to, kib;
    uint64_t all = 0;
    char line[512];
    qsort(table.region, table.n_regions, sizeof *table.region, by_address);
    for (uint32_t k = 0; k < table.n; k++)
        table.entry[k].is.resident = 0;
    while (f && fgets(line, sizeof line, f))
        if (line[0] == 'R' && sscanf(line, "Rss: %lu kB", &kib) == 1) {
            all += (uint64_t)kib * 1024;
            if (a)
                a->resident += (uint64_t)kib * 1024;
        } else if ((line[0] < 'A' || line[0] > 'Z') && sscanf(line, "%lx-%lx ", &from, &to) == 2) {
            a = region_with(from);
        }
    if (f)
        fclose(f);
    return all;
}

/* --- life ---------------------------------------------------------------------------------------- */

void base_accounts_begin(void)
{
    base_table_init_for(&table.known, BASE_NUMBERS, sizeof(struct known), "--self-profile", NULL);
    table.entry = map(ACCOUNTS_MOST * sizeof *table.entry);
    table.region = map(REGIONS_MOST * sizeof *table.region);
    base_accounts_on = true;
}

void base_accounts_end(void)
{
    if (!base_accounts_on)
        return;
    base_accounts_on = false;
    base_table_release(&table.known);
    munmap(table.entry, ACCOUNTS_MOST * sizeof *table.entry);
    munmap(table.region, REGIONS_MOST * sizeof *table.region);
    table.n = 0;
    table.n_regions = 0;
}

void base_accounts_each(base_account_fn fn, void *arg)
{
    for (uint32_t k = 0; k < table.n; k++)
        fn(arg, &table.entry[k].is);
}
