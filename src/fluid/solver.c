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
    free(s->keys.at);
    free(s->full.at);
    solver_init(s);
}

void solver_clear(struct fluid_solver *s)
{
    s->variable.n = s->resource.n = s->use.n = 0;
    s->claimed = s->fatpipes = 0;
    s->least_cap = INFINITY;
    s->solved = false;
}

/* --- tournaments ---------------------------------------------------------------------------------- */

#define NO_KEY (~(solver_key)0)
#define SIGN   (UINT64_C(1) << 63)

/* Ties are broken by id, so that the order is total. Adding zero makes one zero of both. */
static solver_key key_of(double level, uint32_t id)
{
    uint64_t bits;
    level += 0.0;
    memcpy(&bits, &level, sizeof bits);
    bits = bits & SIGN ? ~bits : bits | SIGN;
    return (solver_key)bits << 64 | id;
}

static double level_of(solver_key key)
{
    uint64_t bits = (uint64_t)(key >> 64);
    double level;
    bits = bits & SIGN ? bits & ~SIGN : ~bits;
    memcpy(&level, &bits, sizeof level);
    return level;
}

/* By arithmetic: which of two keys is the lesser cannot be foreseen. */
static inline solver_key lesser(solver_key a, solver_key b)
{
    uint64_t mask = -(uint64_t)(b < a);
    return a ^ ((a ^ b) & ((solver_key)mask << 64 | mask));
}

/* The entrants' keys are in their places. */
static void race_run(struct solver_race *r)
{
    for (uint32_t i = r->n; i-- > 1;)
        r->at[i] = lesser(r->at[2 * i], r->at[2 * i + 1]);
}

/* An entrant has a new key: its way to the top is run again. */
static void race_change(struct solver_race *r, uint32_t entrant, solver_key key)
{
    for (uint32_t i = r->n + entrant; i > 1; i /= 2) {
        r->at[i] = key;
        key = lesser(key, r->at[i ^ 1]);
    }
    r->at[1] = key;
}

static bool race_over(const struct solver_race *r)
{
    return r->n == 0 || r->at[1] == NO_KEY;
}

static uint32_t race_first(const struct solver_race *r)
{
    return (uint32_t)r->at[1];
}

/* --- setting up ----------------------------------------------------------------------------------- */

static uint32_t uses_end(const struct fluid_solver *s, uint32_t v)
{
    return v + 1 < s->variable.n ? s->variable.at[v + 1].first_use : (uint32_t)s->use.n;
}

/* Opens every variable; those that were added since the last run are open. */
static void variables_open(struct fluid_solver *s)
{
    s->lowest_cap = s->least_cap;
    if (s->solved)
        for (size_t v = 0; v < s->variable.n; v++)
            s->variable.at[v].limit = FLUID_NONE;
    s->solved = true;
}

/* Opens every resource. Its number is its entrant's in both
 * tournaments: its key is above all others in one of them. */
static void resources_open(struct fluid_solver *s)
{
    uint32_t n = (uint32_t)s->resource.n;
    size_t need = 2 * (2 * s->resource.n + s->variable.n);
    if (s->keys.cap < need)
        s->keys.at = base_array_grow(s->keys.at, &s->keys.cap, need, sizeof *s->keys.at, "solver");
    s->tight = (struct solver_race){s->keys.at, n};
    s->fat = (struct solver_race){s->keys.at + 2 * n, s->fatpipes ? n : 0};
    for (uint32_t i = 0; i < n; i++) {
        struct solver_resource *r = &s->resource.at[i];
        r->left = r->sure_left = r->capacity;
        r->draw = r->sure_draw = r->all_draw;
        r->open = r->members;
        r->level = INFINITY;
        r->stale = false;
        solver_key key = r->open ? key_of(r->left / r->draw, i) : NO_KEY;
        s->tight.at[n + i] = r->fatpipe ? NO_KEY : key;
        if (s->fatpipes)
            s->fat.at[n + i] = r->fatpipe ? key : NO_KEY;
    }
    race_run(&s->tight);
    race_run(&s->fat);
}

/* Often no variable reaches its cap, so this tournament is
 * made only when the levels have risen to the lowest one. */
static void capped_fill(struct fluid_solver *s)
{
    uint32_t n = (uint32_t)s->variable.n;
    s->capped = (struct solver_race){s->keys.at + 4 * s->resource.n, n};
    for (uint32_t v = 0; v < n; v++)
        s->capped.at[n + v] =
            s->variable.at[v].limit == FLUID_NONE ? key_of(s->variable.at[v].cap_level, v) : NO_KEY;
    race_run(&s->capped);
}

/* --- filling -------------------------------------------------------------------------------------- */

static inline void freeze(struct fluid_solver *s, uint32_t v, double level, uint32_t limit)
{
    struct solver_variable *var = &s->variable.at[v];
    struct solver_resource *resource = s->resource.at;
    double inverse_weight = var->inverse_weight, rate = level * inverse_weight;
    rate = limit == FLUID_OWN || rate > var->cap ? var->cap : rate;
    var->rate = rate;
    var->level = level;
    var->limit = limit;
    s->open--;
    for (const struct solver_use *u = &s->use.at[var->first_use], *end = s->use.at + uses_end(s, v); u < end;
         u++) {
        struct solver_resource *r = &resource[u->resource];
        r->open--;
        if (BASE_LIKELY(!r->fatpipe)) {
            r->left -= u->load * rate;
            r->draw -= u->load * inverse_weight;
        } else {
            r->stale = true;
        }
    }
}

/* Sums left and draw again, after subtractions left them with few digits. */
static void refresh(struct fluid_solver *s, struct solver_resource *r)
{
    double used = 0, draw = 0;
    for (uint32_t u = r->first; u != FLUID_NONE; u = s->use.at[u].next) {
        const struct solver_use *use = &s->use.at[u];
        const struct solver_variable *v = &s->variable.at[use->variable];
        if (v->limit == FLUID_NONE)
            draw += use->load * v->inverse_weight;
        else
            used += use->load * v->rate;
    }
    r->left = r->sure_left = r->capacity - used;
    r->draw = r->sure_draw = draw;
}

/* Finds who draws most of a FATPIPE resource now. */
static void refresh_fatpipe(const struct fluid_solver *s, struct solver_resource *r)
{
    double draw = 0;
    for (uint32_t u = r->first; u != FLUID_NONE; u = s->use.at[u].next) {
        const struct solver_use *use = &s->use.at[u];
        const struct solver_variable *v = &s->variable.at[use->variable];
        if (v->limit == FLUID_NONE)
            draw = fmax(draw, use->load * v->inverse_weight);
    }
    r->draw = draw;
    r->stale = false;
}

/* Makes the open resource with the lowest level the first, with its right key; false if none is open. */
static bool tightest(struct fluid_solver *s, struct solver_race *race)
{
    while (!race_over(race)) {
        uint32_t id = race_first(race);
        struct solver_resource *r = &s->resource.at[id];
        if (!r->open) {
            race_change(race, id, NO_KEY);
            continue;
        }
        if (r->stale)
            refresh_fatpipe(s, r);
        else if (!r->fatpipe &&
                 (r->left < LOST_DIGITS * r->sure_left || r->draw < LOST_DIGITS * r->sure_draw))
            refresh(s, r);
        double level = r->left / r->draw;
        if (level <= level_of(race->at[1]))
            return true;
        race_change(race, id, key_of(level, id));
    }
    return false;
}

/* The tournament whose first resource fills next; NULL if none is open. */
static struct solver_race *next_full(struct fluid_solver *s)
{
    bool shared = tightest(s, &s->tight);
    if (s->fatpipes && tightest(s, &s->fat) &&
        (!shared || level_of(s->fat.at[1]) <= level_of(s->tight.at[1]) * (1 + FLUID_TIE)))
        return &s->fat;
    return shared ? &s->tight : NULL;
}

/* The open variable whose cap is reached no later than the first resource is full, or FLUID_NONE. */
static uint32_t first_capped(struct fluid_solver *s, const struct solver_race *full)
{
    struct solver_race *race = &s->capped;
    double level = full ? level_of(full->at[1]) : INFINITY;
    if (full == &s->fat)
        level = fmax(nextafter(level, 0), s->capped_until);
    if (s->lowest_cap > level)
        return FLUID_NONE;
    if (!race->at)
        capped_fill(s);
    while (!race_over(race) && s->variable.at[race_first(race)].limit != FLUID_NONE)
        race_change(race, race_first(race), NO_KEY);
    s->lowest_cap = race_over(race) ? INFINITY : level_of(race->at[1]);
    return s->lowest_cap <= level ? race_first(race) : FLUID_NONE;
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
    for (uint32_t u = r->first; u != FLUID_NONE; u = s->use.at[u].next) {
        uint32_t v = s->use.at[u].variable;
        if (s->variable.at[v].limit == FLUID_NONE)
            freeze(s, v, s->level, id);
    }
}

/* Finds all FATPIPE resources that are full at the level of the first, then freezes their variables. */
static void freeze_fatpipes(struct fluid_solver *s)
{
    double level = level_of(s->fat.at[1]);
    s->full.n = 0;
    do {
        BASE_ARRAY_PUSH(&s->full, race_first(&s->fat));
        race_change(&s->fat, race_first(&s->fat), NO_KEY);
    } while (tightest(s, &s->fat) && level_of(s->fat.at[1]) <= level);
    for (size_t i = 0; i < s->full.n; i++)
        freeze_members(s, s->full.at[i]);
}

/* The frequent simple case of one resource that limits all variables; true if it applies. */
static bool run_one_resource(struct fluid_solver *s)
{
    if (s->resource.n != 1 || s->use.n != s->variable.n || s->fatpipes)
        return false;
    double level = fmax(0, s->resource.at[0].capacity / s->resource.at[0].all_draw);
    if (level >= s->least_cap)
        return false;
    s->solved = true;
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
    variables_open(s);
    resources_open(s);
    s->capped = (struct solver_race){NULL, 0};
    s->level = s->capped_until = 0;
    s->open = (uint32_t)s->variable.n;
    while (s->open) {
        const struct solver_race *full = next_full(s);
        uint32_t v = first_capped(s, full);
        if (v != FLUID_NONE) {
            s->level = fmax(s->level, s->lowest_cap);
            s->capped_until = s->lowest_cap * (1 + FLUID_TIE / 2);
            freeze(s, v, s->lowest_cap, FLUID_OWN);
            continue;
        }
        level_rise(s, level_of(full->at[1]));
        if (full == &s->fat)
            freeze_fatpipes(s);
        else
            freeze_members(s, race_first(full));
    }
}
