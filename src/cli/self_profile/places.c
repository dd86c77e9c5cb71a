/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places: which layer and which function the sampled instructions belong to. The layer is exact: it
 * is found from marks that the build puts between the modules, from the program's objects as fold loaded
 * them, and from the dynamic linker's list for the rest. Functions have names if the files have symbols.
 */
#include "cli/self_profile/self_profile.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Where samples are looked for. */
struct finder {
    const struct rank_job *job;
    struct fold_names *names; /* of libpgasim; NULL: stripped */
    const char *own;          /* where libpgasim lies */
};

static struct profile_layer *layer_named(const char *name)
{
    for (size_t k = 0; k < profile.layers.n; k++)
        if (!strcmp(profile.layers.at[k].name, name))
            return &profile.layers.at[k];
    struct profile_layer fresh = {0};
    snprintf(fresh.name, sizeof fresh.name, "%.*s", (int)sizeof fresh.name - 1, name);
    BASE_ARRAY_PUSH(&profile.layers, fresh);
    return &profile.layers.at[profile.layers.n - 1];
}

static struct profile_function *function_named(struct profile_layer *l, const char *name)
{
    for (size_t k = 0; k < l->functions.n; k++)
        if (!strncmp(l->functions.at[k].name, name, sizeof l->functions.at[k].name - 1))
            return &l->functions.at[k];
    struct profile_function fresh = {0};
    snprintf(fresh.name, sizeof fresh.name, "%.*s", (int)sizeof fresh.name - 1, name);
    BASE_ARRAY_PUSH(&l->functions, fresh);
    return &l->functions.at[l->functions.n - 1];
}

static void add_time(struct profile_time *to, const struct profile_sample *s)
{
    to->user[base_table_key(s) & 3] += s->user;
    to->system[base_table_key(s) & 3] += s->system;
}

/* "f" of "f, heat.c:12" and of "f.part.0": the compiler's name for a part of f. */
static void cut(char *name)
{
    name[strcspn(name, ",.")] = 0;
}

static const char *place_in_program(const struct finder *f, const char *pc, char *name, size_t size)
{
    struct rank_code c = fold_code_of_any(f->job, pc);
    if (!c.object)
        return NULL;
    c.offset++; /* names are looked up for return addresses */
    rank_code_name(rank_at(f->job, 0), c, name, size);
    cut(name);
    return PROFILE_PROGRAM;
}

static const char *place_in_ours(const struct finder *f, const Dl_info *info, const char *pc, char *name,
                                 size_t size)
{
    const char *layer = base_layer_of(pc);
    const char *known = f->names ? fold_names_at(f->names, (uint64_t)(pc - f->own)) : NULL;
    snprintf(name, size, "%s", known ? known : info->dli_sname ? info->dli_sname : "");
    cut(name);
    return layer ? layer : PROFILE_SWITCH;
}

static const char *place(const struct finder *f, const char *pc, char *name, size_t size)
{
    Dl_info info = {0};
    bool known = dladdr(pc, &info) && info.dli_fbase;
    name[0] = 0;
    if (known && info.dli_fbase == (const void *)f->own)
        return place_in_ours(f, &info, pc, name, size);
    const char *layer = place_in_program(f, pc, name, size);
    if (layer)
        return layer;
    if (!known || !info.dli_fname)
        return PROFILE_REST;
    const char *file = strrchr(info.dli_fname, '/');
    if (info.dli_sname)
        snprintf(name, size, "%s", info.dli_sname);
    else
        snprintf(name, size, "%s", file ? file + 1 : info.dli_fname);
    return PROFILE_LIBRARY;
}

static uint64_t sum(const uint64_t *part)
{
    uint64_t all = 0;
    for (unsigned k = 0; k < PROFILE_PHASES; k++)
        all += part[k];
    return all;
}

uint64_t profile_sum_system(const struct profile_time *t)
{
    return sum(t->system);
}

uint64_t profile_sum(const struct profile_time *t)
{
    return sum(t->user) + sum(t->system);
}

uint64_t profile_sum_phase(const struct profile_time *t, enum profile_phase phase)
{
    return t->user[phase] + t->system[phase];
}

static int more(uint64_t a, uint64_t b, const char *a_name, const char *b_name)
{
    return a != b ? (a < b) - (a > b) : strcmp(a_name, b_name);
}

static int by_time(const void *a, const void *b)
{
    const struct profile_layer *x = a, *y = b;
    return more(profile_sum(&x->time), profile_sum(&y->time), x->name, y->name);
}

static int functions_by_time(const void *a, const void *b)
{
    const struct profile_function *x = a, *y = b;
    return more(profile_sum(&x->time), profile_sum(&y->time), x->name, y->name);
}

static void sort_all(void)
{
    qsort(profile.layers.at, profile.layers.n, sizeof *profile.layers.at, by_time);
    for (size_t k = 0; k < profile.layers.n; k++) {
        struct profile_layer *l = &profile.layers.at[k];
        if (l->functions.n)
            qsort(l->functions.at, l->functions.n, sizeof *l->functions.at, functions_by_time);
    }
}

/* What no sample covers: before the first and behind the last. */
static void add_rest(void)
{
    struct profile_layer *rest = layer_named(PROFILE_REST);
    struct profile_time left = profile.all;
    for (size_t k = 0; k < profile.layers.n; k++)
        for (unsigned p = 0; p < PROFILE_PHASES; p++) {
            left.user[p] -= profile.layers.at[k].time.user[p];
            left.system[p] -= profile.layers.at[k].time.system[p];
        }
    for (unsigned p = 0; p < PROFILE_PHASES; p++) {
        rest->time.user[p] += left.user[p];
        rest->time.system[p] += left.system[p];
    }
}

void profile_place(const struct rank_job *job, const struct base_table *samples)
{
    struct finder f = {.job = job};
    Dl_info info = {0};
    char name[256];
    if (dladdr((const void *)(uintptr_t)profile_place, &info)) {
        f.own = info.dli_fbase;
        f.names = fold_names_open(info.dli_fname);
    }
    uint32_t at = 0;
    for (const struct profile_sample *s; (s = base_table_next(samples, &at));) {
        const char *layer = place(&f, (const char *)(uintptr_t)(base_table_key(s) / 4), name, sizeof name);
        struct profile_layer *l = layer_named(layer);
        add_time(&l->time, s);
        if (name[0])
            add_time(&function_named(l, name)->time, s);
    }
    fold_names_close(f.names);
    add_rest();
    sort_all();
}
