/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: the memory that other ranks reach, at each point at which all ranks meet, compared with the plain run's: by
 * the files of hashes that runs write (check/memory/memory.h). Blocks in which plain runs differ on other platforms are
 * not compared: pointers, times, what legally depends on who came first. Nor are those that an operation under way may
 * still write, at that point.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

enum { OPEN = 1 };

struct block {
    uint32_t rank, number;
    uint64_t offset, hash; /* OPEN; 0: only zeros */
    const char *kind;      /* in its line */
};

static bool read_block(const char *line, struct block *b)
{
    char hash[24];
    int end = 0;
    if (sscanf(line, "%" SCNu32 " %" SCNu32 " %" SCNx64 " %23s %n", &b->rank, &b->number, &b->offset, hash,
               &end) != 4 ||
        !end)
        return false;
    b->hash = hash[0] == '-' ? OPEN : strtoull(hash, NULL, 16);
    b->kind = line + end;
    return true;
}

static uint64_t key_of(const struct block *b)
{
    uint64_t name = base_hash_bytes(b->kind, strlen(b->kind));
    return base_hash_fold((uint64_t)b->rank << 32 | b->number) ^ base_hash_fold(b->offset + 1) ^
           base_hash_fold(name << 1 | 1);
}

static bool is_point(const char *line)
{
    return !strncmp(line, "point ", strlen("point "));
}

/* One run's blocks, up to some point. */
struct state {
    const struct explore_lines *lines;
    size_t at; /* the next line */
    struct base_table blocks;
};

static void state_init(struct state *s, const struct explore_lines *lines)
{
    *s = (struct state){.lines = lines};
    base_table_init(&s->blocks, BASE_NUMBERS, sizeof(uint64_t), "hashes of memory");
}

/* Goes to the next point; NULL: there is none. The blocks that change there stand behind it, up to `at`. */
static const char *next_point(struct state *s, size_t *first)
{
    struct block b;
    if (s->at == s->lines->line.n)
        return NULL;
    const char *point = s->lines->line.at[s->at++];
    for (*first = s->at; s->at < s->lines->line.n && !is_point(s->lines->line.at[s->at]); s->at++)
        if (read_block(s->lines->line.at[s->at], &b))
            *(uint64_t *)base_table_add(&s->blocks, key_of(&b), NULL) = b.hash;
    return point;
}

static uint64_t hash_in(const struct state *s, uint64_t key)
{
    const uint64_t *hash = base_table_find(&s->blocks, key);
    return hash ? *hash : 0;
}

/* Called for a block that differs; false: enough. */
typedef bool (*differs_fn)(void *arg, size_t number, const char *point, const struct block *b);

static bool compare_blocks(const struct state *one, const struct state *other, size_t first,
                           const char *point, size_t number, differs_fn fn, void *arg)
{
    struct block b;
    for (size_t k = first; k < one->at; k++) {
        if (!read_block(one->lines->line.at[k], &b))
            continue;
        uint64_t left = hash_in(one, key_of(&b)), right = hash_in(other, key_of(&b));
        if (left != right && left != OPEN && right != OPEN && !fn(arg, number, point, &b))
            return false;
    }
    return true;
}

static void compare(const struct explore_lines *left, const struct explore_lines *right, differs_fn fn,
                    void *arg)
{
    struct state a, b;
    size_t number = 0, from_a, from_b;
    const char *point;
    state_init(&a, left);
    state_init(&b, right);
    bool more = true;
    while (more && next_point(&a, &from_a) && (point = next_point(&b, &from_b))) {
        number++;
        more = compare_blocks(&a, &b, from_a, point, number, fn, arg) &&
               compare_blocks(&b, &a, from_b, point, number, fn, arg);
    }
    base_table_release(&a.blocks);
    base_table_release(&b.blocks);
}

static size_t points_in(const struct explore_lines *l)
{
    size_t n = 0;
    for (size_t k = 0; k < l->line.n; k++)
        n += is_point(l->line.at[k]);
    return n;
}

/* --- plain runs ----------------------------------------------------------------------------------------- */

static bool note_varying(void *arg, size_t number, const char *point, const struct block *b)
{
    (void)number, (void)point;
    base_table_add(arg, key_of(b), NULL);
    return true;
}

void explore_memory_init(struct explore_memory *m)
{
    *m = (struct explore_memory){.compared = false};
    base_table_init(&m->varying, BASE_NUMBERS, sizeof(uint8_t), "memory that differs legally");
}

void explore_memory_release(struct explore_memory *m)
{
    explore_lines_release(&m->plain);
    base_table_release(&m->varying);
}

void explore_memory_plain(struct explore_memory *m, struct explore_lines *lines)
{
    m->plain = *lines;
    *lines = (struct explore_lines){{0}};
    m->compared = points_in(&m->plain) > 0;
}

void explore_memory_vary(struct explore_memory *m, const struct explore_lines *lines)
{
    if (points_in(lines) != points_in(&m->plain))
        m->compared = false;
    if (m->compared)
        compare(&m->plain, lines, note_varying, &m->varying);
}

/* --- others --------------------------------------------------------------------------------------------- */

struct finder {
    const struct explore_memory *memory;
    char *text;
};

static bool find(void *arg, size_t number, const char *point, const struct block *b)
{
    struct finder *f = arg;
    char which[32] = "";
    if (base_table_find(&f->memory->varying, key_of(b)))
        return true;
    if (b->number)
        snprintf(which, sizeof which, " %" PRIu32, b->number + 1);
    f->text = base_strfmt("at point %zu, %s: %s%s+0x%" PRIx64 " of rank %" PRIu32, number,
                          point + strlen("point "), b->kind, which, b->offset, b->rank);
    return false;
}

char *explore_memory_unlike(const struct explore_memory *m, const struct explore_lines *lines)
{
    struct finder f = {m, NULL};
    if (m->compared)
        compare(&m->plain, lines, find, &f);
    return f.text;
}
