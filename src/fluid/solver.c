/* SPDX-License-Identifier: BSD-3-Clause */
/* Progressive filling on arrays; see solver.h for the method and the invariants. */
#include "fluid/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Levels closer than this (relatively) are one level (S1): some hundred roundings. */
#define SAME_LEVEL 1e-13
/* If subtractions leave less than this fraction of a sum, it is summed again. */
#define LOST_DIGITS 0x1p-10

void solver_init(struct fluid_solver *s)
{
    memset(s, 0, sizeof *s);
}

void solver_release(struct fluid_solver *s)
{
    free(s->variable.at);
    free(s->resource.at);
    free(s->use.at);
    free(s->member.at);
    free(s->keys.at);
    free(s->full.at);
    solver_init(s);
}

void solver_clear(struct fluid_solver *s)
{
    s->variable.n = s->resource.n = s->use.n = 0;
    s->claimed = s->fatpipes = 0;
}

/* --- heaps ---------------------------------------------------------------------------------------- */

/* Moves the entry at `i` down to its place; ties are broken by id, so that the order is total. */
static void heap_sink(struct solver_heap *h, uint32_t i)
{
    struct solver_key k = h->at[i];
    for (;;) {
        uint32_t c = 2 * i + 1;
        if (c >= h->n)
            break;
        if (c + 1 < h->n && (h->at[c + 1].level < h->at[c].level ||
                             (h->at[c + 1].level == h->at[c].level && h->at[c + 1].id < h->at[c].id)))
            c++;
        if (h->at[c].level > k.level || (h->at[c].level == k.level && h->at[c].id > k.id))
            break;
        h->at[i] = h->at[c];
        i = c;
    }
    h->at[i] = k;
}

static void heap_order(struct solver_heap *h)
{
    for (uint32_t i = h->n / 2; i-- > 0;)
        heap_sink(h, i);
}

static void heap_pop(struct solver_heap *h)
{
    h->at[0] = h->at[--h->n];
    if (h->n)
        heap_sink(h, 0);
}

/* --- setting up ----------------------------------------------------------------------------------- */

static uint32_t uses_end(const struct fluid_solver *s, uint32_t v)
{
    return v + 1 < s->variable.n ? s->variable.at[v + 1].first_use : (uint32_t)s->use.n;
}

static void members_place(struct fluid_solver *s)
{
    uint32_t first = 0;
    for (size_t i = 0; i < s->resource.n; i++) {
        struct solver_resource *r = &s->resource.at[i];
        r->first_member = first;
        first += r->members;
        r->left = r->capacity;
        r->draw = 0;
        r->open = 0;
        r->level = INFINITY;
        r->fresh = true;
    }
    if (s->member.cap < first)
        s->member.at = base_array_grow(s->member.at, &s->member.cap, first, sizeof *s->member.at, "solver");
}

/* Opens every variable. Sorts uses by variable into members by resource, in order of variables. */
static void members_fill(struct fluid_solver *s)
{
    members_place(s);
    s->lowest_cap = INFINITY;
    for (uint32_t v = 0; v < s->variable.n; v++) {
        struct solver_variable *var = &s->variable.at[v];
        var->limit = FLUID_NONE;
        if (var->cap_level < s->lowest_cap)
            s->lowest_cap = var->cap_level;
        for (uint32_t u = var->first_use, end = uses_end(s, v); u < end; u++) {
            struct solver_resource *r = &s->resource.at[s->use.at[u].resource];
            double draw = s->use.at[u].load * var->inverse_weight;
            s->member.at[r->first_member + r->open++] = (struct solver_member){s->use.at[u].load, v};
            r->draw = r->fatpipe ? fmax(r->draw, draw) : r->draw + draw;
        }
    }
}

static void tight_fill(struct fluid_solver *s)
{
    size_t need = s->resource.n + s->variable.n;
    if (s->keys.cap < need)
        s->keys.at = base_array_grow(s->keys.at, &s->keys.cap, need, sizeof *s->keys.at, "solver");
    s->fat = (struct solver_heap){s->keys.at, 0};
    s->tight = (struct solver_heap){s->keys.at + s->fatpipes, 0};
    for (uint32_t i = 0; i < s->resource.n; i++) {
        struct solver_resource *r = &s->resource.at[i];
        struct solver_heap *h = r->fatpipe ? &s->fat : &s->tight;
        r->sure_left = r->capacity;
        r->sure_draw = r->draw;
        if (r->open)
            h->at[h->n++] = (struct solver_key){r->left / r->draw, i};
    }
    heap_order(&s->fat);
    heap_order(&s->tight);
}

/* Often no variable reaches its cap, so this heap is made
 * only when the levels have risen to the lowest one. */
static void capped_fill(struct fluid_solver *s)
{
    s->capped = (struct solver_heap){s->keys.at + s->resource.n, 0};
    for (uint32_t v = 0; v < s->variable.n; v++)
        if (s->variable.at[v].limit == FLUID_NONE)
            s->capped.at[s->capped.n++] = (struct solver_key){s->variable.at[v].cap_level, v};
    heap_order(&s->capped);
}

/* --- filling -------------------------------------------------------------------------------------- */

static void freeze(struct fluid_solver *s, uint32_t v, double level, uint32_t limit)
{
    struct solver_variable *var = &s->variable.at[v];
    double rate = level * var->inverse_weight;
    var->rate = limit == FLUID_OWN || rate > var->cap ? var->cap : rate;
    var->level = level;
    var->limit = limit;
    s->open--;
    for (uint32_t u = var->first_use, end = uses_end(s, v); u < end; u++) {
        struct solver_resource *r = &s->resource.at[s->use.at[u].resource];
        if (!r->fatpipe) {
            r->left -= s->use.at[u].load * var->rate;
            r->draw -= s->use.at[u].load * var->inverse_weight;
        }
        r->open--;
        r->fresh = false;
    }
}

/* Sums left and draw again, after subtractions left them with few digits. */
static void refresh(struct fluid_solver *s, struct solver_resource *r)
{
    double used = 0, draw = 0;
    for (uint32_t m = 0; m < r->members; m++) {
        const struct solver_member *mem = &s->member.at[r->first_member + m];
        const struct solver_variable *v = &s->variable.at[mem->variable];
        if (v->limit == FLUID_NONE)
            draw += mem->load * v->inverse_weight;
        else
            used += mem->load * v->rate;
    }
    r->left = r->sure_left = r->capacity - used;
    r->draw = r->sure_draw = draw;
    r->fresh = true;
}

/* Finds who draws most of a FATPIPE resource now. */
static void refresh_fatpipe(const struct fluid_solver *s, struct solver_resource *r)
{
    double draw = 0;
    for (uint32_t m = 0; m < r->members; m++) {
        const struct solver_member *mem = &s->member.at[r->first_member + m];
        const struct solver_variable *v = &s->variable.at[mem->variable];
        if (v->limit == FLUID_NONE)
            draw = fmax(draw, mem->load * v->inverse_weight);
    }
    r->draw = draw;
    r->fresh = true;
}

/* Brings the resource with the lowest level to the top of
 * the heap, with its right key; false if none is open. */
static bool tightest(struct fluid_solver *s, struct solver_heap *h)
{
    while (h->n) {
        struct solver_resource *r = &s->resource.at[h->at[0].id];
        if (!r->open) {
            heap_pop(h);
            continue;
        }
        if (!r->fresh && r->fatpipe)
            refresh_fatpipe(s, r);
        else if (!r->fresh && (r->left < LOST_DIGITS * r->sure_left || r->draw < LOST_DIGITS * r->sure_draw))
            refresh(s, r);
        double level = r->left / r->draw;
        if (level <= h->at[0].level)
            return true;
        h->at[0].level = level;
        heap_sink(h, 0);
    }
    return false;
}

/* The heap whose first resource fills next; NULL if none is open. */
static struct solver_heap *next_full(struct fluid_solver *s)
{
    bool shared = tightest(s, &s->tight);
    if (s->fat.n && tightest(s, &s->fat) &&
        (!shared || s->fat.at[0].level <= s->tight.at[0].level * (1 + FLUID_TIE)))
        return &s->fat;
    return shared ? &s->tight : NULL;
}

/* The open variable whose cap is reached no later than the heap's first resource is full, or FLUID_NONE. */
static uint32_t first_capped(struct fluid_solver *s, const struct solver_heap *full)
{
    struct solver_heap *h = &s->capped;
    double level = full ? full->at[0].level : INFINITY;
    if (full == &s->fat)
        level = fmax(nextafter(level, 0), s->capped_until);
    if (s->lowest_cap > level)
        return FLUID_NONE;
    if (!h->at)
        capped_fill(s);
    while (h->n && s->variable.at[h->at[0].id].limit != FLUID_NONE)
        heap_pop(h);
    s->lowest_cap = h->n ? h->at[0].level : INFINITY;
    return s->lowest_cap <= level ? h->at[0].id : FLUID_NONE;
}

static void level_rise(struct fluid_solver *s, double level)
{
    if (level > s->level * (1 + SAME_LEVEL))
        s->level = level;
}

static void freeze_members(struct fluid_solver *s, uint32_t id)
{
    struct solver_resource *r = &s->resource.at[id];
    r->level = s->level;
    for (uint32_t m = 0; m < r->members; m++) {
        uint32_t v = s->member.at[r->first_member + m].variable;
        if (s->variable.at[v].limit == FLUID_NONE)
            freeze(s, v, s->level, id);
    }
}

/* Finds all FATPIPE resources that are full at the level of the first, then freezes their variables. */
static void freeze_fatpipes(struct fluid_solver *s)
{
    double level = s->fat.at[0].level;
    s->full.n = 0;
    do {
        BASE_ARRAY_PUSH(&s->full, s->fat.at[0].id);
        heap_pop(&s->fat);
    } while (tightest(s, &s->fat) && s->fat.at[0].level <= level);
    for (size_t i = 0; i < s->full.n; i++)
        freeze_members(s, s->full.at[i]);
}

/* The frequent simple case of one resource that limits all variables; true if it applies. */
static bool run_one_resource(struct fluid_solver *s)
{
    double draw = 0, lowest = INFINITY;
    if (s->resource.n != 1 || s->use.n != s->variable.n || s->fatpipes)
        return false;
    for (size_t v = 0; v < s->variable.n; v++) {
        draw += s->use.at[v].load * s->variable.at[v].inverse_weight;
        if (s->variable.at[v].cap_level < lowest)
            lowest = s->variable.at[v].cap_level;
    }
    double level = fmax(0, s->resource.at[0].capacity / draw);
    if (level >= lowest)
        return false;
    for (size_t v = 0; v < s->variable.n; v++) {
        struct solver_variable *var = &s->variable.at[v];
        var->rate = level * var->inverse_weight;
        var->level = level;
        var->limit = 0;
    }
    s->resource.at[0].level = level;
    return true;
}

void solver_run(struct fluid_solver *s)
{
    if (run_one_resource(s))
        return;
    members_fill(s);
    tight_fill(s);
    s->capped = (struct solver_heap){NULL, 0};
    s->level = s->capped_until = 0;
    s->open = (uint32_t)s->variable.n;
    while (s->open) {
        const struct solver_heap *full = next_full(s);
        uint32_t v = first_capped(s, full);
        if (v != FLUID_NONE) {
            s->level = fmax(s->level, s->lowest_cap);
            s->capped_until = s->lowest_cap * (1 + FLUID_TIE / 2);
            freeze(s, v, s->lowest_cap, FLUID_OWN);
            continue;
        }
        level_rise(s, full->at[0].level);
        if (full == &s->fat)
            freeze_fatpipes(s);
        else
            freeze_members(s, full->at[0].id);
    }
}

uint32_t solver_members(const struct fluid_solver *s, uint32_t resource)
{
    return s->resource.at[resource].members;
}

double solver_level_of(const struct fluid_solver *s, uint32_t resource)
{
    return s->resource.at[resource].level;
}
