/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins that the grid holds each configuration of a space once: the same ones that remain when all assignments
 * of hosts and servers are made one by one, and those are taken as equal that some exchange of hosts of a
 * class, and some order of the clients, make equal. Random small spaces; prints its seed.
 */
#include "random_space.h"

enum { SPACES = 60, MOST = 100000 };

/* --- equal up to exchanges, by trying all of them ------------------------------------------------------- */

static const struct deploy_space *space;
static char best[256], now[256];

static int compare_pairs(const void *a, const void *b)
{
    return memcmp(a, b, 2);
}

/* The configuration under the names `to` of hosts, as bytes. */
static void write_bytes(const struct deploy_config *c, const uint16_t *to)
{
    memset(now, 0, sizeof now);
    char *at = now;
    for (int k = 0; k < DEPLOY_KINDS; k++)
        *at++ = (char)c->count[k];
    for (int k = 0; k < DEPLOY_LISTS; k++)
        *at++ = (char)c->protocol[k];
    uint16_t rank = 0;
    for (int kind = 0; kind < DEPLOY_KINDS; kind++) {
        char *first = at;
        for (int k = 0; k < c->count[kind]; k++, rank++) {
            *at++ = (char)to[c->at[rank].host];
            *at++ = (char)c->at[rank].server;
        }
        if (kind > 0 && !space->distinct)
            qsort(first, c->count[kind], 2, compare_pairs);
    }
}

static void try_names(const struct deploy_config *c, uint16_t *to, uint32_t host)
{
    if (host == space->hosts->n) {
        write_bytes(c, to);
        if (memcmp(now, best, sizeof best) < 0)
            memcpy(best, now, sizeof best);
        return;
    }
    for (uint32_t k = 0; k < space->hosts->n; k++) {
        bool taken = false;
        for (uint32_t h = 0; h < host; h++)
            taken |= to[h] == k;
        if (taken || space->like[k] != space->like[host])
            continue;
        to[host] = (uint16_t)k;
        try_names(c, to, host + 1);
    }
}

/* All that is equal gives the same key. */
static const char *key_of(const struct deploy_config *c)
{
    uint16_t to[16];
    memset(best, 127, sizeof best);
    try_names(c, to, 0);
    return best;
}

/* --- all assignments ------------------------------------------------------------------------------------ */

static BASE_ARRAY(char *) keys;

static int compare_keys(const void *a, const void *b)
{
    return memcmp(*(char *const *)a, *(char *const *)b, sizeof best);
}

static void note(const struct deploy_config *c)
{
    if (!deploy_space_holds(space, c))
        return;
    char *copy = malloc(sizeof best);
    memcpy(copy, key_of(c), sizeof best);
    BASE_ARRAY_PUSH(&keys, copy);
}

static void note_protocols(struct deploy_config *c, uint16_t list)
{
    if (list == space->lists)
        note(c);
    for (uint16_t k = 0; list < space->lists && k < space->list[list].n; k++) {
        c->protocol[list] = k;
        note_protocols(c, list + 1);
        c->protocol[list] = 0;
    }
}

static void note_servers(struct deploy_config *c, uint16_t rank)
{
    for (int how = 0; how < DEPLOY_PATTERNS && rank == c->count[0]; how++)
        if (space->serve >> how & 1) {
            struct deploy_config *copy = deploy_config_copy(c);
            deploy_serve_apply(space, (enum deploy_serve)how, copy);
            note_protocols(copy, 0);
            free(copy);
        }
    if (!(space->serve >> DEPLOY_ANY & 1))
        return;
    if (rank == c->n) {
        struct deploy_config *copy = deploy_config_copy(c);
        deploy_config_canonical(space, copy);
        note_protocols(copy, 0);
        free(copy);
        return;
    }
    for (uint16_t k = 0; k < c->count[0]; k++) {
        c->at[rank].server = k;
        note_servers(c, rank + 1);
    }
}

static void note_hosts(struct deploy_config *c, uint16_t rank)
{
    if (rank == c->n) {
        note_servers(c, c->count[0]);
        return;
    }
    for (uint32_t h = 0; h < space->hosts->n; h++) {
        c->at[rank].host = (uint16_t)h;
        note_hosts(c, rank + 1);
    }
}

static void note_counts(uint16_t *count, uint16_t kind)
{
    if (kind == space->kinds) {
        struct deploy_config *c = deploy_config_create(count);
        note_hosts(c, 0);
        free(c);
        return;
    }
    for (uint16_t n = space->kind[kind].least; n <= space->kind[kind].most; n++) {
        count[kind] = n;
        note_counts(count, kind + 1);
    }
}

/* Sorted, each once. */
static void all_keys(void)
{
    uint16_t count[DEPLOY_KINDS] = {0};
    size_t n = 0;
    keys.n = 0;
    note_counts(count, 0);
    qsort(keys.at, keys.n, sizeof *keys.at, compare_keys);
    for (size_t k = 0; k < keys.n; k++)
        if (n && !memcmp(keys.at[n - 1], keys.at[k], sizeof best))
            free(keys.at[k]);
        else
            keys.at[n++] = keys.at[k];
    keys.n = n;
}

/* --- the comparison ------------------------------------------------------------------------------------- */

static void compare(const struct test_space *t, uint64_t seed, int number)
{
    struct deploy_set grid;
    deploy_set_init(&grid);
    space = &t->s;
    all_keys();
    assert_true(deploy_grid(&t->s, MOST, &grid));
    bool *met = calloc(keys.n + 1, 1);
    for (size_t k = 0; k < grid.at.n; k++) {
        const char *key = key_of(grid.at.at[k]);
        char **found = bsearch(&key, keys.at, keys.n, sizeof *keys.at, compare_keys);
        char *text = deploy_config_text(&t->s, grid.at.at[k]);
        if (!found || met[found - keys.at])
            fail_msg("seed %llu, space %d: %s is in the grid %s", (unsigned long long)seed, number, text,
                     found ? "twice" : "and not in the space");
        met[found - keys.at] = true;
        free(text);
    }
    if (grid.at.n != keys.n)
        fail_msg("seed %llu, space %d: %zu in the grid, %zu in the space: servers '%s', roles '%s', hosts "
                 "'%s', serve "
                 "'%s'%s, in\n%s",
                 (unsigned long long)seed, number, grid.at.n, keys.n, t->words.servers, t->words.roles,
                 t->words.hosts, t->words.serve, t->words.distinct ? ", distinct" : "", t->xml);
    free(met);
    for (size_t k = 0; k < keys.n; k++)
        free(keys.at[k]);
    deploy_set_release(&grid);
}

static void grids_hold_each_once(void **state)
{
    static const char *const servers[] = {"1", "1-2", "2"}, *const roles[] = {"1:1-2", "1:1 2:1-2", "1:2-3",
                                                                              "5:0-1 2:1"};
    static const char *const serve[] = {"any", "blocks", "round-robin,nearest", "nearest",
                                        "blocks,round-robin"};
    static const char *const hosts[] = {NULL, "0:a*", "2:a0 1:a0,b0", "a0 0:*"};
    static const char *const protocols[] = {"p=p,q"};
    uint64_t seed = test_seed();
    (void)state;
    for (int k = 0; k < SPACES; k++) {
        struct base_random r;
        base_random_seed(&r, seed, (uint64_t)k);
        const uint32_t clusters[] = {1 + test_below(&r, 3), 1 + test_below(&r, 2)};
        struct test_space t = {0};
        t.words = (struct deploy_words){.servers = servers[test_below(&r, 3)],
                                        .roles = roles[test_below(&r, 4)],
                                        .serve = serve[test_below(&r, 5)],
                                        .protocols = protocols,
                                        .n_protocols = test_below(&r, 2),
                                        .distinct = test_below(&r, 3) == 0};
        const char *some = hosts[test_below(&r, 4)];
        bool role_2 = strchr(t.words.roles, '2') && strstr(t.words.roles, "1:");
        t.words.hosts = some && *some == '2' && !(role_2 && strstr(t.words.roles, "2:")) ? NULL : some;
        test_space_open(&t, test_clusters(clusters, 2), 2 + test_below(&r, 2) * 3);
        compare(&t, seed, k);
        test_space_close(&t);
    }
    free(keys.at);
}

/* Exchanges hosts of a class and, if they are interchangeable, clients of a role, at random. */
static void disguise(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    uint16_t to[64], first = c->count[0];
    for (uint32_t h = 0; h < s->hosts->n; h++)
        to[h] = (uint16_t)h;
    for (uint32_t h = 0; h < s->hosts->n; h++) {
        uint32_t k = test_below(r, s->hosts->n);
        uint16_t old = to[h];
        if (s->like[k] == s->like[h]) {
            to[h] = to[k];
            to[k] = old;
        }
    }
    for (uint16_t k = 0; k < c->n; k++)
        c->at[k].host = to[c->at[k].host];
    for (uint16_t kind = 1; kind < s->kinds && !s->distinct; first += c->count[kind++])
        for (uint16_t k = 0; k < c->count[kind]; k++) {
            struct deploy_process *other = &c->at[first + test_below(r, c->count[kind])],
                                  old = c->at[first + k];
            c->at[first + k] = *other;
            *other = old;
        }
}

static void disguised_ones_are_recognized(void **state)
{
    uint64_t seed = test_seed();
    (void)state;
    for (int k = 0; k < 6; k++) {
        struct base_random r;
        struct test_space t = {.words = {.servers = "1-4", .roles = "1:0-6 2:1-6", .distinct = k % 3 == 2}};
        base_random_seed(&r, seed, (uint64_t)k);
        test_space_open(&t, test_clusters((const uint32_t[]){4, 3}, 2), 4);
        for (int n = 0; n < 500; n++) {
            struct deploy_config *c = deploy_random(&t.s, &r), *d = deploy_config_copy(c);
            disguise(&t.s, d, &r);
            deploy_config_canonical(&t.s, d);
            if (!deploy_config_equal(c, d))
                fail_msg("seed %llu: %s and %s", (unsigned long long)seed, deploy_config_text(&t.s, c),
                         deploy_config_text(&t.s, d));
            free(c);
            free(d);
        }
        test_space_close(&t);
    }
}

/* A grid that is too large is not made whole. */
static void a_grid_has_a_limit(void **state)
{
    struct test_space t = {.words = {.servers = "1-2", .roles = "1:2"}};
    struct deploy_set all, some;
    (void)state;
    test_space_open(&t, test_clusters((const uint32_t[]){3, 2}, 2), 0);
    deploy_set_init(&all);
    deploy_set_init(&some);
    assert_true(deploy_grid(&t.s, MOST, &all));
    assert_true(all.at.n > 10);
    assert_false(deploy_grid(&t.s, (uint32_t)all.at.n - 1, &some));
    assert_int_equal(some.at.n, all.at.n - 1);
    deploy_set_release(&some);
    deploy_set_init(&some);
    assert_true(deploy_grid(&t.s, (uint32_t)all.at.n, &some));
    deploy_set_release(&some);
    deploy_set_release(&all);
    test_space_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_hold_each_once),
        cmocka_unit_test(disguised_ones_are_recognized),
        cmocka_unit_test(a_grid_has_a_limit),
    };
    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
