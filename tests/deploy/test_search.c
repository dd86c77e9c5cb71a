/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what a search finds: on spaces that can be enumerated, with 1500 evaluations, or a quarter of all if
 * that is less, a front whose hypervolume is within 5% of the best one; and that it asks for each
 * configuration once, only for those of the space, and for the same ones with the same seed, whatever it is
 * told in which order. Prints its seed.
 */
#include "random_space.h"

#include <math.h>

enum { MOST = 60000, SEARCHES = 3 };

/* --- an application ------------------------------------------------------------------------------------- */

/* Random costs of a made-up application: what its time and energy depend on is what a real one's do. */
struct costs {
    double speed[DEPLOY_HOSTS], watts[DEPLOY_HOSTS], wait[DEPLOY_HOSTS]; /* of a host's class */
    double work[DEPLOY_KINDS], serve, message, far, protocol[4];
};

static struct costs draw_costs(const struct deploy_space *s, struct base_random *r)
{
    struct costs c;
    for (uint32_t h = 0; h < s->hosts->n; h++) {
        uint32_t like = s->hosts->at[h].like;
        c.speed[h] = like < h ? c.speed[like] : 1 + 6 * base_random_unit(r);
        c.watts[h] = like < h ? c.watts[like] : 0.5 * pow(c.speed[h], 1 + base_random_unit(r));
        c.wait[h] = like < h ? c.wait[like] : c.watts[h] * 0.5 * base_random_unit(r);
    }
    for (int k = 0; k < DEPLOY_KINDS; k++)
        c.work[k] = 1 + 20 * base_random_unit(r);
    c.serve = base_random_unit(r);
    c.message = 0.2 * base_random_unit(r);
    c.far = 2 * base_random_unit(r);
    for (int k = 0; k < 4; k++)
        c.protocol[k] = 1 + base_random_unit(r);
    return c;
}

/* Seconds that each process is busy; those of a role share its work. */
static void find_busy(const struct deploy_space *s, const struct costs *m, const struct deploy_config *c,
                      double *busy)
{
    for (uint16_t k = 0; k < c->n; k++) {
        uint16_t kind = deploy_config_kind(c, k);
        busy[k] += kind ? m->work[kind] / c->count[kind] / m->speed[c->at[k].host] : 0;
        if (!kind)
            continue;
        bool apart = c->at[c->at[k].server].host != c->at[k].host;
        busy[k] += (m->message + (apart ? m->far / c->n : 0)) * m->protocol[c->protocol[0]];
        busy[c->at[k].server] +=
            m->serve / m->speed[c->at[c->at[k].server].host] * m->protocol[c->protocol[0]];
    }
    (void)s;
}

static struct deploy_value run(const struct deploy_space *s, const struct costs *m,
                               const struct deploy_config *c)
{
    double busy[64] = {0}, load[DEPLOY_HOSTS] = {0};
    struct deploy_value v = {0, 0};
    find_busy(s, m, c, busy);
    for (uint16_t k = 0; k < c->n; k++) {
        load[c->at[k].host] += busy[k] / 2; /* two cores */
        v.time = fmax(v.time, busy[k]);
    }
    for (uint32_t h = 0; h < s->hosts->n; h++)
        v.time = fmax(v.time, load[h]);
    for (uint16_t k = 0; k < c->n; k++)
        v.energy += busy[k] * m->watts[c->at[k].host] + (v.time - busy[k]) * m->wait[c->at[k].host];
    return v;
}

/* --- within 5% ------------------------------------------------------------------------------------------ */

/* The reference: a tenth more than the worst of the best front in each objective. */
static struct deploy_value reference_of(const struct deploy_value *v, uint32_t n)
{
    uint32_t *rank = calloc(n + 1ul, sizeof *rank);
    struct deploy_value high = {0, 0};
    deploy_front_ranks(v, n, rank);
    for (uint32_t k = 0; k < n; k++)
        if (rank[k] == 0)
            high = (struct deploy_value){fmax(high.time, v[k].time), fmax(high.energy, v[k].energy)};
    free(rank);
    return (struct deploy_value){1.1 * high.time, 1.1 * high.energy};
}

/* It is in the space, and in the form in which a table gives it back. */
static void check_config(const struct deploy_space *s, const struct deploy_config *c)
{
    struct deploy_config *again = NULL;
    struct base_status st;
    char *text = deploy_config_text(s, c);
    if (!deploy_space_holds(s, c))
        fail_msg("%s is not in the space", text);
    if (deploy_config_read(s, text, &again, &st) != DEPLOY_READ || !deploy_config_equal(c, again))
        fail_msg("%s is not canonical", text);
    free(text);
    free(again);
}

static uint32_t search(const struct deploy_space *s, const struct costs *m, uint32_t budget, uint64_t seed,
                       struct deploy_value *v)
{
    struct deploy_search *x = deploy_search_create(s, budget, seed);
    uint32_t first, n, end = 0;
    while ((n = deploy_search_ask(x, &first)) > 0) {
        assert_int_equal(first, end);
        end += n;
        for (uint32_t k = end; k-- > first;) {
            const struct deploy_config *c = deploy_search_set(x)->at.at[k];
            check_config(s, c);
            v[k] = run(s, m, c);
            deploy_search_tell(x, k, v[k]);
        }
    }
    assert_true(end <= budget);
    deploy_search_destroy(x);
    return end;
}

static double compare(const struct test_space *t, struct base_random *r, uint64_t seed, int number)
{
    struct deploy_set grid;
    double worst = 1;
    deploy_set_init(&grid);
    struct costs m = draw_costs(&t->s, r);
    assert_true(deploy_grid(&t->s, MOST, &grid));
    uint32_t all = (uint32_t)grid.at.n, budget = all / 4 > 1500 ? 1500 : all / 4;
    struct deploy_value *v = calloc(all, sizeof *v), *found = calloc(all, sizeof *found);
    for (uint32_t k = 0; k < all; k++)
        v[k] = run(&t->s, &m, grid.at.at[k]);
    struct deploy_value reference = reference_of(v, all);
    double wanted = deploy_hypervolume(v, all, reference);
    for (uint64_t k = 0; k < SEARCHES && budget; k++) {
        uint32_t n = search(&t->s, &m, budget, seed + k, found);
        double share = wanted > 0 ? deploy_hypervolume(found, n, reference) / wanted : 1;
        worst = fmin(worst, share);
        if (share < 0.95)
            fail_msg(
                "seed %llu, space %d, search %llu: %.3f of the best front's area with %u of %u evaluations",
                (unsigned long long)seed, number, (unsigned long long)k, share, n, all);
    }
    printf("space %d: %u configurations, %u evaluated: %.4f of the best area\n", number, all, budget, worst);
    free(v);
    free(found);
    deploy_set_release(&grid);
    return worst;
}

static void searches_find_the_front(void **state)
{
    static const struct {
        const char *servers, *roles, *serve;
        uint32_t clusters[2], protocols;
    } space[] = {
        {"1-2", "1:1 2:1-4 3:1", "nearest,blocks", {2, 2}, 1},
        {"1-3", "1:2-4", "any", {2, 2}, 0},
        {"1-2", "1:1 2:1-3 3:1", "any", {2, 3}, 0},
        {"1-4", "1:3", "round-robin", {3, 3}, 1},
        {"1", "1:1 2:2-6 3:1", "any", {3, 4}, 0},
    };
    static const char *const protocols[] = {"p=p,q,r"};
    uint64_t seed = test_seed();
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(space); k++) {
        struct base_random r;
        struct test_space t = {.words = {.servers = space[k].servers,
                                         .roles = space[k].roles,
                                         .serve = space[k].serve,
                                         .protocols = protocols,
                                         .n_protocols = space[k].protocols}};
        base_random_seed(&r, seed, k);
        test_space_open(&t, test_clusters(space[k].clusters, 2), 3);
        compare(&t, &r, seed, (int)k);
        test_space_close(&t);
    }
}

/* --- the same again ------------------------------------------------------------------------------------- */

static void a_seed_gives_one_search(void **state)
{
    struct test_space t = {.words = {.servers = "1-3", .roles = "1:1-3 2:1-2"}};
    struct base_random r;
    (void)state;
    base_random_seed(&r, 7, 0);
    test_space_open(&t, test_clusters((const uint32_t[]){3, 3}, 2), 2);
    struct costs m = draw_costs(&t.s, &r);
    struct deploy_value a[100], b[100], c[100];
    assert_int_equal(search(&t.s, &m, 100, 1, a), 100);
    assert_int_equal(search(&t.s, &m, 100, 1, b), 100);
    assert_int_equal(search(&t.s, &m, 100, 2, c), 100);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
    test_space_close(&t);
}

/* When there is nothing new, or nothing works, a search ends all the same. */
static void a_search_ends(void **state)
{
    struct test_space t = {.words = {.servers = "1", .roles = "1:1"}};
    struct deploy_set grid;
    uint32_t first, n, asked = 0;
    (void)state;
    test_space_open(&t, test_clusters((const uint32_t[]){2, 2}, 2), 2);
    deploy_set_init(&grid);
    assert_true(deploy_grid(&t.s, MOST, &grid));
    struct deploy_search *x = deploy_search_create(&t.s, 1000, 1);
    while ((n = deploy_search_ask(x, &first)) > 0)
        for (asked = first + n; n-- > 0;)
            deploy_search_tell(x, first + n, (struct deploy_value){INFINITY, INFINITY});
    assert_int_equal(asked, grid.at.n);
    deploy_search_destroy(x);
    deploy_set_release(&grid);
    test_space_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_find_the_front),
        cmocka_unit_test(a_seed_gives_one_search),
        cmocka_unit_test(a_search_ends),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
