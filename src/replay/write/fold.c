/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fold: lines that repeat become loops, while they are written. What was added last is a list of items, lines and loops. When
 * its last items are equal to those before them, both become a loop; when they are equal to the body of a loop before
 * them, the loop has one more turn. So loops come to be within loops. Items that are too old to be part of a longer loop
 * are put out.
 *
 * Invariants
 *  F1  The items put out, unrolled, and those in the list, unrolled, are the lines that were added.
 *  F2  What lines compute in all their turns is as much as was added (replay_fold_compute).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "replay/write/block.h"

enum { DEPTH = 8 }; /* of loops within loops, as readers take them */

struct item {
    uint64_t hash;
    char *text;                  /* of a line */
    struct replay_block *before; /* what is computed before a line; NULL: nothing */
    struct item *body;
    uint32_t n;     /* bytes of the line; items of the body */
    uint32_t times; /* 0: a line */
    uint32_t depth; /* of loops; 0: a line */
    uint64_t lines; /* that it is put out as */
};

struct replay_fold {
    replay_fold_put put;
    void *ctx;
    char who[24];
    size_t window;                 /* the list's length, at most */
    struct replay_block *computed; /* since the last line; NULL: nothing */
    BASE_ARRAY(struct item) items;
};

struct replay_fold *replay_fold_create(const char *who, size_t window, replay_fold_put put, void *ctx)
{
    struct replay_fold *f = base_zalloc(sizeof *f, "lines of a trace");
    *f = (struct replay_fold){.put = put, .ctx = ctx, .window = window};
    snprintf(f->who, sizeof f->who, "%s", who);
    return f;
}

static void release(struct item *x)
{
    for (uint32_t k = 0; x->times && k < x->n; k++)
        release(&x->body[k]);
    free(x->body);
    free(x->text);
    free(x->before);
}

/* --- putting out ---------------------------------------------------------------------------------------- */

static uint64_t lines_of(const struct item *items, size_t n)
{
    uint64_t lines = 0;
    for (size_t k = 0; k < n; k++)
        lines += items[k].lines;
    return lines;
}

/* A loop of little is put out unrolled, if that is not longer. */
static bool is_short(const struct item *loop)
{
    uint64_t body = lines_of(loop->body, loop->n);
    return (loop->times - 1) * body <= 2;
}

static void put_items(const struct replay_fold *f, const struct item *items, size_t n, uint64_t visits);

static void put_block(const struct replay_fold *f, const struct replay_block *b, uint64_t visits)
{
    struct base_text text;
    if (!b)
        return;
    base_text_init(&text, "lines of a trace");
    replay_block_print(b, f->who, visits, &text);
    f->put(f->ctx, text.at, text.n);
    base_text_release(&text);
}

static void put_loop(const struct replay_fold *f, const struct item *loop, uint64_t visits)
{
    char line[64];
    visits *= loop->times;
    if (is_short(loop)) {
        for (uint32_t k = 0; k < loop->times; k++)
            put_items(f, loop->body, loop->n, visits);
        return;
    }
    f->put(f->ctx, line, (size_t)snprintf(line, sizeof line, "%s repeat %" PRIu32 "\n", f->who, loop->times));
    put_items(f, loop->body, loop->n, visits);
    f->put(f->ctx, line, (size_t)snprintf(line, sizeof line, "%s end\n", f->who));
}

/* Each of them has been met so many times. */
static void put_items(const struct replay_fold *f, const struct item *items, size_t n, uint64_t visits)
{
    for (size_t k = 0; k < n; k++) {
        if (items[k].times) {
            put_loop(f, &items[k], visits);
            continue;
        }
        put_block(f, items[k].before, visits);
        f->put(f->ctx, items[k].text, items[k].n);
    }
}

static void put_oldest(struct replay_fold *f, size_t n)
{
    put_items(f, f->items.at, n, 1);
    for (size_t k = 0; k < n; k++)
        release(&f->items.at[k]);
    f->items.n -= n;
    memmove(f->items.at, f->items.at + n, f->items.n * sizeof *f->items.at);
}

/* --- folding -------------------------------------------------------------------------------------------- */

static bool are_same(const struct item *a, const struct item *b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const struct item *x = &a[k], *y = &b[k];
        if (x->hash != y->hash || x->times != y->times || x->n != y->n)
            return false;
        if (x->times ? !are_same(x->body, y->body, x->n) : memcmp(x->text, y->text, x->n) != 0)
            return false;
    }
    return true;
}

/* What is computed in these, too, is at the same places. */
static void join(struct item *to, const struct item *from, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (to[k].times)
            join(to[k].body, from[k].body, to[k].n);
        else
            replay_block_join(&to[k].before, from[k].before);
}

/* After a loop's turns have changed. */
static void finish_loop(struct item *loop)
{
    uint64_t body = lines_of(loop->body, loop->n);
    loop->hash = base_fnv(BASE_FNV, &loop->times, sizeof loop->times);
    loop->depth = 0;
    for (uint32_t k = 0; k < loop->n; k++) {
        loop->hash = base_fnv(loop->hash, &loop->body[k].hash, sizeof loop->body[k].hash);
        loop->depth = loop->body[k].depth >= loop->depth ? loop->body[k].depth + 1 : loop->depth;
    }
    loop->lines = is_short(loop) ? loop->times * body : body + 2;
}

static void drop_last(struct replay_fold *f, size_t n)
{
    for (; n; n--)
        release(&f->items.at[--f->items.n]);
}

/* The last n items are one more turn of the loop before them. */
static bool add_turn(struct replay_fold *f, size_t n)
{
    struct item *last = &f->items.at[f->items.n - n], *loop = last - 1;
    if (loop->n != n || loop->times == UINT32_MAX || !are_same(loop->body, last, n))
        return false;
    loop->times++;
    join(loop->body, last, n);
    finish_loop(loop);
    drop_last(f, n);
    return true;
}

/* The last n items are the n before them. */
static bool make_loop(struct replay_fold *f, size_t n)
{
    struct item *last = &f->items.at[f->items.n - n], *first = last - n;
    struct item loop = {.n = (uint32_t)n, .times = 2};
    for (size_t k = 0; k < n; k++)
        if (last[k].depth >= DEPTH)
            return false;
    if (!are_same(first, last, n))
        return false;
    loop.body = base_alloc(n * sizeof *loop.body, "lines of a trace");
    memcpy(loop.body, first, n * sizeof *loop.body);
    join(loop.body, last, n);
    finish_loop(&loop);
    drop_last(f, n);
    f->items.n -= n - 1;
    f->items.at[f->items.n - 1] = loop;
    return true;
}

/* Shorter loops first, so that those become parts of longer ones. */
static bool fold(struct replay_fold *f)
{
    const struct item *at = f->items.at;
    size_t all = f->items.n;
    uint64_t hash = at[all - 1].hash;
    for (size_t n = 1; n < all; n++) {
        const struct item *before = &at[all - 1 - n];
        if (before->times && before->body[before->n - 1].hash == hash && add_turn(f, n))
            return true;
        if (before->hash == hash && 2 * n <= all && make_loop(f, n))
            return true;
    }
    return false;
}

void replay_fold_line(struct replay_fold *f, const char *text, size_t n)
{
    struct item line = {.hash = base_fnv(BASE_FNV, text, n), .n = (uint32_t)n, .lines = 1};
    if (f->items.n == f->window)
        put_oldest(f, f->window / 2);
    line.text = base_alloc(n, "lines of a trace");
    memcpy(line.text, text, n);
    line.before = f->computed;
    f->computed = NULL;
    BASE_ARRAY_PUSH(&f->items, line);
    while (fold(f))
        ;
}

void replay_fold_compute(struct replay_fold *f, enum replay_computes kind, double amount, uint64_t counted)
{
    f->computed = replay_block_add(f->computed, kind, amount, counted);
}

void replay_fold_close(struct replay_fold *f)
{
    if (!f)
        return;
    put_oldest(f, f->items.n);
    put_block(f, f->computed, 1);
    replay_fold_discard(f);
}

void replay_fold_discard(struct replay_fold *f)
{
    if (!f)
        return;
    drop_last(f, f->items.n);
    free(f->items.at);
    free(f->computed);
    free(f);
}
