/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings: the one table of everything that can be set, with typed values. Modules declare their keys; the
 * platform file, the environment and the command line set them. The table is sorted by key, for both look-up
 * and printing; it is read while modules are set up, never during the simulation.
 *
 * Invariants (also B3 of base.h)
 *  B8  Every default parses as its kind and lies in its range.
 */
#include "base/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A key: its declaration and the value from the strongest origin so far. */
struct entry {
    const struct base_setting *decl;
    char *text; /* as given; NULL: the default */
    enum base_origin from;
    union {
        double number;
        uint64_t count;
        bool flag;
    } value;
};

struct base_settings {
    BASE_ARRAY(struct entry) entries; /* sorted by key */
};

struct base_settings *base_settings_create(void)
{
    return base_zalloc(sizeof(struct base_settings), "settings");
}

void base_settings_destroy(struct base_settings *s)
{
    if (!s)
        return;
    for (size_t k = 0; k < s->entries.n; k++)
        free(s->entries.at[k].text);
    free(s->entries.at);
    free(s);
}

/* The first entry whose key is not before `key`. */
static size_t lower_bound(const struct base_settings *s, const char *key)
{
    size_t low = 0, high = s->entries.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (strcmp(s->entries.at[mid].decl->key, key) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static struct entry *find(const struct base_settings *s, const char *key)
{
    size_t k = lower_bound(s, key);
    return k < s->entries.n && !strcmp(s->entries.at[k].decl->key, key) ? &s->entries.at[k] : NULL;
}

/* Parses text into e->value; leaves it unchanged on failure. */
static int parse(struct entry *e, const char *text, struct base_status *st)
{
    const struct base_setting *d = e->decl;
    struct base_number x;
    if (d->kind == BASE_TEXT)
        return 0;
    if (d->kind == BASE_BOOL)
        return base_parse_bool(text, &e->value.flag, st);
    if (base_parse_range(d->kind, d->range, text, &x, st))
        return -1;
    if (d->kind == BASE_SIZE || d->kind == BASE_UINT)
        e->value.count = x.whole;
    else
        e->value.number = x.number;
    return 0;
}

void base_settings_declare(struct base_settings *s, const struct base_setting *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct entry e = {.decl = &table[i], .from = BASE_FROM_DEFAULT};
        BASE_ASSERT("B3", !find(s, table[i].key));
        BASE_ASSERT("B8", parse(&e, table[i].value, NULL) == 0);
        size_t at = lower_bound(s, table[i].key);
        BASE_ARRAY_PUSH(&s->entries, e);
        struct entry *place = &s->entries.at[at];
        memmove(place + 1, place, (s->entries.n - 1 - at) * sizeof *place);
        *place = e;
    }
}

bool base_settings_known(const struct base_settings *s, const char *key)
{
    return find(s, key) != NULL;
}

/* --- the nearest key, for reports of unknown keys ------------------------------------------------- */

enum { WORD = 96 };

/* "rdma/put-overhead" is PGASIM_RDMA_PUT_OVERHEAD in the environment. */
static const char *environment_name(char *buf, const char *key)
{
    size_t n = 0;
    for (const char *p = "PGASIM_"; *p; p++)
        buf[n++] = *p;
    for (; *key && n < WORD - 1; key++)
        buf[n++] = *key == '/' || *key == '-' ? '_' : (char)toupper((unsigned char)*key);
    buf[n] = 0;
    return buf;
}

/* The key that was probably meant, or NULL. In the environment the names begin alike: that does not make them
 * similar. */
static const struct entry *nearest(const struct base_settings *s, const char *name, bool in_environment)
{
    const struct entry *best = NULL;
    struct base_nearest near = {.given = in_environment ? name + strlen("PGASIM_") : name};
    for (size_t k = 0; k < s->entries.n; k++) {
        char buf[WORD];
        const char *key = s->entries.at[k].decl->key;
        if (base_nearest_offer(&near, in_environment ? environment_name(buf, key) + strlen("PGASIM_") : key))
            best = &s->entries.at[k];
    }
    return best;
}

/* --- setting ------------------------------------------------------------------------------------ */

static int set(struct entry *e, const char *value, enum base_origin from, struct base_status *st)
{
    struct entry new = *e;
    struct base_status why;
    if (parse(&new, value, &why))
        return base_fail(st, "setting %s: %s", e->decl->key, why.text);
    if (from < e->from)
        return 0;
    new.text = base_strdup(value);
    new.from = from;
    free(e->text);
    *e = new;
    return 0;
}

/* "coll.reduce" is "coll/reduce" with the separator of other launchers. */
static struct entry *find_either(const struct base_settings *s, const char *key)
{
    struct entry *e = find(s, key);
    if (e || !strchr(key, '.'))
        return e;
    char *slashed = base_strdup(key);
    for (char *p = slashed; (p = strchr(p, '.')); p++)
        *p = '/';
    e = find(s, slashed);
    free(slashed);
    return e;
}

int base_settings_set(struct base_settings *s, const char *key, const char *value, enum base_origin from,
                      struct base_status *st)
{
    struct entry *e = find_either(s, key);
    if (e)
        return set(e, value, from, st);
    const struct entry *near = nearest(s, key, false);
    if (!near)
        return base_fail(st, "unknown setting '%s'; pgasim info settings lists the known ones", key);
    return base_fail(st, "unknown setting '%s'; the nearest known one is %s", key, near->decl->key);
}

static bool listed(const char *const *names, const char *name, size_t length)
{
    for (; names && *names; names++)
        if (strlen(*names) == length && !strncmp(*names, name, length))
            return true;
    return false;
}

static int set_from_environment(struct base_settings *s, const char *name, const char *value,
                                struct base_status *st)
{
    char buf[WORD];
    for (size_t k = 0; k < s->entries.n; k++)
        if (!strcmp(environment_name(buf, s->entries.at[k].decl->key), name))
            return set(&s->entries.at[k], value, BASE_FROM_ENVIRONMENT, st);
    const struct entry *near = nearest(s, name, true);
    if (!near)
        return base_fail(st, "unknown environment variable %s; pgasim info settings lists the known ones",
                         name);
    return base_fail(st, "unknown environment variable %s; the nearest known one is %s", name,
                     environment_name(buf, near->decl->key));
}

int base_settings_read_environment(struct base_settings *s, char **environment, const char *const *ignore,
                                   struct base_status *st)
{
    for (; *environment; environment++) {
        const char *equals = strchr(*environment, '=');
        if (!equals || strncmp(*environment, "PGASIM_", 7))
            continue;
        size_t length = (size_t)(equals - *environment);
        if (listed(ignore, *environment, length))
            continue;
        char *name = base_strfmt("%.*s", (int)length, *environment);
        int rc = set_from_environment(s, name, equals + 1, st);
        free(name);
        if (rc)
            return rc;
    }
    return 0;
}

/* --- reading ------------------------------------------------------------------------------------ */

static const struct entry *declared(const struct base_settings *s, const char *key, unsigned kinds)
{
    const struct entry *e = find(s, key);
    BASE_ASSERT("B3", e);
    BASE_ASSERT("B8", kinds >> e->decl->kind & 1);
    return e;
}

double base_settings_number(const struct base_settings *s, const char *key)
{
    return declared(s, key, 1u << BASE_TIME | 1u << BASE_BANDWIDTH | 1u << BASE_SPEED | 1u << BASE_DOUBLE)
        ->value.number;
}

uint64_t base_settings_count(const struct base_settings *s, const char *key)
{
    return declared(s, key, 1u << BASE_SIZE | 1u << BASE_UINT)->value.count;
}

bool base_settings_flag(const struct base_settings *s, const char *key)
{
    return declared(s, key, 1u << BASE_BOOL)->value.flag;
}

static const char *text_of(const struct entry *e)
{
    return e->text ? e->text : e->decl->value;
}

const char *base_settings_text(const struct base_settings *s, const char *key)
{
    return text_of(declared(s, key, ~0u));
}

bool base_settings_is_default(const struct base_settings *s, const char *key)
{
    return declared(s, key, ~0u)->from == BASE_FROM_DEFAULT;
}

void base_settings_each(const struct base_settings *s, base_setting_fn fn, void *arg)
{
    for (size_t k = 0; k < s->entries.n; k++)
        fn(arg, s->entries.at[k].decl, text_of(&s->entries.at[k]), s->entries.at[k].from);
}
