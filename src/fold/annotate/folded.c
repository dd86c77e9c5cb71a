/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folded: memory that the ranks share because its contents do not matter (SMPI paper, section 3.4).
 *
 * All ranks are in one process, so a folded block is one block at one address for every rank. It needs no
 * mapping and no page table per rank, as separate processes would. A rank that holds several blocks gets
 * different ones. Ranks share a block if they ask for the same size, at the same place of the program, as
 * their n-th block of this kind (`turn`).
 *
 * A block that would occupy more memory than the setting allows maps one file of that size repeatedly. A
 * block of which only parts are shared has its own address at every rank and maps those parts from one file.
 * That takes a few mappings per rank, and a process may have 65 530. When they run out, such a block becomes
 * entirely private to the rank, with a warning.
 */
#include "fold/annotate/annotate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    MAPPINGS_MOST = 512,
    MAPPINGS_KEPT = 4096, /* of a repeating block; for everything else */
    TURNS_SEEN = 4096
};

/* Ranks share a block when these agree, and the turn. */
struct key {
    struct folded_place from;
    uint64_t bytes, partial; /* no padding: keys are compared byte by byte */
};
struct folded_block {
    struct folded_family *family;
    uint32_t turn;
    uint32_t holders;
    size_t room; /* bytes, whole pages */
    void *at;    /* partial: NULL, since each holder has its own */
    int file;    /* -1: none */
    size_t file_size;
};
/* The blocks requested at one place, by turn: each rank's first, second, ... at one time. Deleted when
 * empty. */
struct folded_family {
    struct key key;
    BASE_ARRAY(struct folded_block *) block; /* by turn; NULL: nobody holds it */
    size_t live;
};

static size_t whole_pages(size_t bytes)
{
    size_t page = base_page_size();
    return (bytes + page - 1) & ~(page - 1);
}

/* --- mappings ------------------------------------------------------------------------------------ */

static int make_file(size_t size)
{
    int fd = memfd_create("pgasim-folded", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)size)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Reserves addresses, which cost nothing until touched; NULL: none are left. */
static void *reserve(size_t room)
{
    void *p = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    madvise(p, room, MADV_NOHUGEPAGE); /* touched sparsely, like base_reserve's */
    return p;
}

static bool map_file(const struct folded_block *b, char *at, size_t bytes, size_t offset)
{
    return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, b->file,
                (off_t)offset) != MAP_FAILED;
}

/* The window grows with the block, so that a large block needs few mappings. */
static size_t window_for(const struct annotated_job *a, size_t room)
{
    size_t window = a->window;
    while (room / window >= MAPPINGS_MOST)
        window *= 2;
    return window;
}

static bool map_windows(struct folded_block *b, char *at)
{
    for (size_t k = 0; k < b->room; k += b->file_size)
        if (!map_file(b, at + k, b->room - k < b->file_size ? b->room - k : b->file_size, 0))
            return false;
    return true;
}

static uint64_t mappings_now(void)
{
    uint64_t n = 0;
    char part[4096];
    ssize_t got;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (got = read(fd, part, sizeof part)) > 0)
        for (ssize_t k = 0; k < got; k++)
            n += part[k] == '\n';
    if (fd >= 0)
        close(fd);
    return n;
}

static uint64_t mappings_limit(void)
{
    unsigned long most = 65530;
    FILE *f = fopen("/proc/sys/vm/max_map_count", "re");
    if (f && fscanf(f, "%lu", &most) != 1)
        most = 65530;
    if (f)
        fclose(f);
    return most;
}

/* Whether n more mappings leave enough for the rest of the process. */
static bool has_mappings(struct annotated_job *a, uint64_t n)
{
    if (!a->mappings_most) {
        uint64_t limit = mappings_limit(), used = mappings_now() + MAPPINGS_KEPT;
        a->mappings_most = limit > used ? limit - used : 1;
    }
    return a->mappings + n <= a->mappings_most;
}

/* --- families ------------------------------------------------------------------------------------ */

void folded_init(struct annotated_job *a)
{
    base_table_init(&a->folded, BASE_BYTES, sizeof(struct folded_family *), "folded blocks");
}

void folded_release(struct annotated_job *a)
{
    base_table_release(&a->folded);
}

static struct folded_family *family_of(struct annotated_job *a, const struct key *k)
{
    struct folded_family **found = base_table_find_bytes(&a->folded, k, sizeof *k);
    if (found)
        return *found;
    struct folded_family *f = base_zalloc(sizeof *f, "folded blocks");
    f->key = *k;
    *(struct folded_family **)base_table_add_bytes(&a->folded, &f->key, sizeof f->key, NULL) = f;
    return f;
}

static void drop_if_empty(struct annotated_job *a, struct folded_family *f)
{
    if (f->live)
        return;
    base_table_remove_bytes(&a->folded, &f->key, sizeof f->key);
    free(f->block.at);
    free(f);
}

/* The first turn for which the rank holds no block; beyond TURNS_SEEN, the one after the last that it
 * holds. */
static uint32_t free_turn(const struct fold_annotated *a, const struct folded_family *f)
{
    uint64_t seen[TURNS_SEEN / 64] = {0};
    uint32_t past = 0;
    for (size_t k = 0; k < a->held.n; k++) {
        const struct folded_block *b = a->held.at[k].block;
        if (b->family != f)
            continue;
        if (b->turn < TURNS_SEEN)
            seen[b->turn / 64] |= UINT64_C(1) << b->turn % 64;
        past = past <= b->turn ? b->turn + 1 : past;
    }
    for (uint32_t k = 0; k < TURNS_SEEN / 64; k++)
        if (~seen[k])
            return k * 64 + (uint32_t)__builtin_ctzll(~seen[k]);
    return past;
}

/* --- blocks -------------------------------------------------------------------------------------- */

static void count(struct annotated_job *a, size_t takes)
{
    a->folded_now += takes;
    if (a->folded_peak < a->folded_now)
        a->folded_peak = a->folded_now;
}

static size_t takes(const struct folded_block *b)
{
    return b->file >= 0 ? b->file_size : b->room;
}

static void destroy(struct annotated_job *a, struct folded_block *b)
{
    b->family->block.at[b->turn] = NULL;
    b->family->live--;
    a->folded_now -= takes(b);
    if (b->at)
        munmap(b->at, b->room);
    if (b->file >= 0)
        close(b->file);
    drop_if_empty(a, b->family);
    free(b);
}

static bool prepare_whole(struct annotated_job *a, struct folded_block *b)
{
    b->at = reserve(b->room);
    if (!b->at || b->room <= a->window)
        return b->at != NULL;
    b->file_size = window_for(a, b->room);
    b->file = make_file(b->file_size);
    return b->file >= 0 && map_windows(b, b->at);
}

static bool prepare_partial(struct folded_block *b)
{
    b->file_size = b->room;
    b->file = make_file(b->file_size);
    return b->file >= 0;
}

static struct folded_block *create(struct annotated_job *a, struct folded_family *f, uint32_t turn)
{
    struct folded_block *b = base_zalloc(sizeof *b, "a folded block");
    *b = (struct folded_block){.family = f, .turn = turn, .room = whole_pages(f->key.bytes), .file = -1};
    while (f->block.n <= turn)
        BASE_ARRAY_PUSH(&f->block, NULL);
    f->block.at[turn] = b;
    f->live++;
    bool ready = f->key.partial ? prepare_partial(b) : prepare_whole(a, b);
    count(a, takes(b));
    if (ready)
        return b;
    destroy(a, b);
    return NULL;
}

/* --- a rank's ------------------------------------------------------------------------------------ */

static struct folded_held *held(const struct rank *r, const void *p)
{
    for (size_t k = fold_part(r)->annotated->held.n; k-- > 0;)
        if (fold_part(r)->annotated->held.at[k].at == p)
            return &fold_part(r)->annotated->held.at[k];
    return NULL;
}

/* The first of its kind that the rank does not hold yet. */
static struct folded_block *choose(struct rank *r, const struct key *k)
{
    struct annotated_job *a = fold_of(r)->annotated;
    if (k->bytes > PTRDIFF_MAX)
        return NULL;
    struct folded_family *f = family_of(a, k);
    uint32_t turn = free_turn(annotated_of(r), f);
    struct folded_block *b = turn < f->block.n ? f->block.at[turn] : NULL;
    return b ? b : create(a, f, turn);
}

static void hold(struct rank *r, struct folded_block *b, void *at)
{
    struct folded_held h = {b, at};
    BASE_ARRAY_PUSH(&annotated_of(r)->held, h);
    b->holders++;
    fold_of(r)->annotated->asked += b->family->key.bytes;
}

void *folded_get(struct rank *r, struct folded_place from, size_t bytes)
{
    struct folded_block *b = choose(r, &(struct key){.from = from, .bytes = bytes ? bytes : 1});
    if (!b)
        return NULL;
    hold(r, b, b->at);
    return b->at;
}

/* Whole pages of range k; a range that ends with the block includes the block's last page. */
static void pages_of(const struct folded_block *b, const struct folded_ranges *f, size_t k, size_t *from,
                     size_t *to)
{
    *from = whole_pages(f->at[2 * k]);
    *to = f->at[2 * k + 1] == b->family->key.bytes ? b->room : f->at[2 * k + 1] & ~(base_page_size() - 1);
}

static void map_parts(struct annotated_job *a, const struct folded_block *b, char *at, struct folded_ranges f)
{
    uint64_t n = 2 * f.n + 1;
    bool mapped = has_mappings(a, n);
    for (size_t k = 0, from, to; k < f.n && mapped; k++) {
        pages_of(b, &f, k, &from, &to);
        if (from < to)
            mapped = map_file(b, at + from, to - from, from);
    }
    a->mappings += mapped ? n : 0;
    if (!mapped)
        base_warn("memory/not-folded",
                  "no memory mappings are left for a partly folded block (vm.max_map_count limits them): "
                  "from here on each rank has such blocks of its own");
}

void *folded_get_partial(struct rank *r, struct folded_place from, size_t bytes, struct folded_ranges f)
{
    struct folded_block *b = choose(r, &(struct key){.from = from, .bytes = bytes ? bytes : 1, .partial = 1});
    char *at = b ? reserve(b->room) : NULL;
    if (at) {
        hold(r, b, at);
        map_parts(fold_of(r)->annotated, b, at, f);
    } else if (b && !b->holders) {
        destroy(fold_of(r)->annotated, b);
    }
    return at;
}

static void let_go(struct rank *r, struct folded_held *h)
{
    struct fold_annotated *a = fold_part(r)->annotated;
    struct folded_block *b = h->block;
    if (h->at != b->at)
        munmap(h->at, b->room);
    *h = a->held.at[--a->held.n];
    BASE_ASSERT("N2", b->holders > 0);
    if (--b->holders == 0)
        destroy(fold_of(r)->annotated, b);
}

bool folded_put(struct rank *r, const void *p)
{
    struct folded_held *h = fold_part(r)->annotated ? held(r, p) : NULL;
    if (h)
        let_go(r, h);
    return h != NULL;
}

void folded_drop_all(struct rank *r)
{
    while (fold_part(r)->annotated->held.n)
        let_go(r, &fold_part(r)->annotated->held.at[fold_part(r)->annotated->held.n - 1]);
}

size_t folded_size(const struct rank *r, const void *p)
{
    const struct folded_held *h = fold_part(r)->annotated ? held(r, p) : NULL;
    return h ? h->block->family->key.bytes : 0;
}

/* Blocks with private parts do not count: their contents matter. */
bool folded_holds(const struct rank *r, const void *p)
{
    const struct fold_annotated *a = fold_part(r)->annotated;
    for (size_t k = 0; a && k < a->held.n; k++) {
        const struct folded_block *b = a->held.at[k].block;
        if (b->at && (uintptr_t)p - (uintptr_t)b->at < b->family->key.bytes)
            return true;
    }
    return false;
}

void folded_clear(struct rank *r, const void *p)
{
    const struct folded_held *h = held(r, p);
    const struct folded_block *b = h->block;
    if (b->file >= 0)
        fallocate(b->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)b->file_size);
    else
        madvise(h->at, b->room, MADV_DONTNEED);
}
