/* SPDX-License-Identifier: BSD-3-Clause */
/* The solver alone: cases worked out by hand, symmetry to the last bit, and random problems against the
 * judge. */
#include "fluid/solver.h"
#include "fluid/naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void add_variable(struct fluid_solver *s, double weight, double cap)
{
    solver_add_variable(s, 1 / weight, cap, weight * cap);
}

/* Of the variable that is added next. */
static void add_use(struct fluid_solver *s, uint32_t resource, double load, double weight)
{
    solver_add_use(s, resource, load, 1 / weight);
}

static void expect(double got, double want, double tolerance, const char *what, uint64_t seed)
{
    if (!(fabs(got - want) <= tolerance * fabs(want)))
        fail_msg("%s: got %.17g, want %.17g (seed %llu)", what, got, want, (unsigned long long)seed);
}

/* Two resources of 10 and 4; one flow over both, one over each: 2, 8, 2. */
static void line_of_two(void **state)
{
    (void)state;
    struct fluid_solver s;
    solver_init(&s);
    solver_clear(&s);
    uint32_t a = solver_add_resource(&s, 10, false), b = solver_add_resource(&s, 4, false);
    add_use(&s, a, 1, 1);
    add_use(&s, b, 1, 1);
    add_variable(&s, 1, INFINITY);
    add_use(&s, a, 1, 1);
    add_variable(&s, 1, INFINITY);
    add_use(&s, b, 1, 1);
    add_variable(&s, 1, INFINITY);
    solver_run(&s);
    expect(s.variable.at[0].rate, 2, 0, "long flow", 0);
    expect(s.variable.at[1].rate, 8, 0, "flow on 10", 0);
    expect(s.variable.at[2].rate, 2, 0, "flow on 4", 0);
    assert_int_equal(s.variable.at[0].limit, b);
    assert_int_equal(s.variable.at[1].limit, a);
    expect(s.resource.at[a].level, 8, 0, "level of a", 0);
    assert_int_equal(s.resource.at[a].members, 2);
    solver_release(&s);
}

/* Capacity 12, weights 1 and 2, the third capped at 3: 12 - 3 = 9 shared 2 : 1. */
static void weights_and_cap(void **state)
{
    (void)state;
    struct fluid_solver s;
    solver_init(&s);
    solver_clear(&s);
    uint32_t r = solver_add_resource(&s, 12, false);
    const double weight[] = {1, 2, 1}, cap[] = {INFINITY, INFINITY, 3}, want[] = {6, 3, 3};
    for (int i = 0; i < 3; i++) {
        add_use(&s, r, 1, weight[i]);
        add_variable(&s, weight[i], cap[i]);
    }
    solver_run(&s);
    for (int i = 0; i < 3; i++)
        expect(s.variable.at[i].rate, want[i], 1e-15, "rate", 0);
    assert_int_equal(s.variable.at[2].limit, FLUID_OWN);
    solver_release(&s);
}

/* One resource of 12 that limits all: 4 of weight 1, 2 of weight 2. Then the same with one capped at 1. */
static void one_resource(void **state)
{
    (void)state;
    struct fluid_solver s;
    solver_init(&s);
    for (int capped = 0; capped < 2; capped++) {
        solver_clear(&s);
        uint32_t r = solver_add_resource(&s, 12, false);
        for (int i = 0; i < 6; i++) {
            add_use(&s, r, 1, i < 4 ? 1 : 2);
            add_variable(&s, i < 4 ? 1 : 2, capped && i == 0 ? 1 : 100);
        }
        solver_run(&s);
        double level = capped ? 11.0 / 4 : 12.0 / 5;
        for (int i = capped; i < 6; i++) {
            expect(s.variable.at[i].rate, i < 4 ? level : level / 2, 1e-15, "rate", 0);
            assert_int_equal(s.variable.at[i].limit, r);
        }
        expect(s.resource.at[r].level, level, 1e-15, "level", 0);
    }
    expect(s.variable.at[0].rate, 1, 0, "capped rate", 0);
    solver_release(&s);
}

/* What others use may leave nothing, or less: rate 0, limited there. */
static void nothing_left(void **state)
{
    (void)state;
    struct fluid_solver s;
    solver_init(&s);
    solver_clear(&s);
    uint32_t r = solver_add_resource(&s, 5, false);
    solver_set_capacity(&s, r, -0.5);
    add_use(&s, r, 1, 1);
    add_variable(&s, 1, 7);
    solver_run(&s);
    expect(s.variable.at[0].rate, 0, 0, "rate", 0);
    assert_int_equal(s.variable.at[0].limit, r);
    solver_release(&s);
}

/* 300 resources in a ring, flow i on resources i, i+1, i+2, of odd capacity: all rates the same bits (S1). */
static void ring_is_symmetric(void **state)
{
    (void)state;
    enum { N = 300 };
    struct fluid_solver s;
    solver_init(&s);
    solver_clear(&s);
    for (int i = 0; i < N; i++)
        solver_add_resource(&s, 0.1, false);
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t k = 0; k < 3; k++)
            add_use(&s, (i + k) % N, k == 1 ? 0.3 : 0.7, 1);
        add_variable(&s, 1, INFINITY);
    }
    solver_run(&s);
    for (int i = 0; i < N; i++)
        expect(s.variable.at[i].rate, s.variable.at[0].rate, 0, "rate around the ring", 0);
    expect(s.variable.at[0].rate, 0.1 / 1.7, 1e-12, "rate", 0);
    solver_release(&s);
}

/* One resource of 1 with 1000 flows capped near 1e-3, and one that gets the rest: digits are not lost. */
static void small_rest(void **state)
{
    (void)state;
    struct fluid_solver s;
    solver_init(&s);
    solver_clear(&s);
    uint32_t r = solver_add_resource(&s, 1, false);
    double used = 0;
    for (int i = 0; i < 1000; i++) {
        double cap = 0.00099999 - i * 1e-12;
        add_use(&s, r, 1, 1e-9);
        add_variable(&s, 1e-9, cap);
        used += cap;
    }
    add_use(&s, r, 1, 1e6);
    add_variable(&s, 1e6, INFINITY);
    solver_run(&s);
    expect(s.variable.at[1000].rate, 1 - used, 1e-9, "rest", 0);
    solver_release(&s);
}

/* --- random problems ------------------------------------------------------------------------------ */

enum { MAX_R = 40, MAX_V = 60 };

static double pick(struct base_random *rnd, const double *of, uint64_t n)
{
    return base_random_below(rnd, 2) ? of[base_random_below(rnd, n)] : 0.1 + 4 * base_random_unit(rnd);
}

static void problem_random(struct base_random *rnd, struct naive_resource *r, uint32_t n_r,
                           struct naive_flow *f, uint32_t n_f)
{
    static const double capacity[] = {1, 1, 2, 10}, weight[] = {1, 1, 1, 2}, usage[] = {1, 1, 1, 0.05};
    bool fat = base_random_below(rnd, 2), wide = base_random_below(rnd, 3) == 0;
    for (uint32_t i = 0; i < n_r; i++)
        r[i] = (struct naive_resource){pick(rnd, capacity, 4), fat && base_random_below(rnd, 4) == 0};
    for (uint32_t i = 0; i < n_f; i++) {
        f[i].weight = wide ? pow(10, 12 * base_random_unit(rnd) - 8) : pick(rnd, weight, 4);
        f[i].bound = base_random_below(rnd, 3) ? INFINITY : pick(rnd, capacity, 4) / 5;
        f[i].n = 0;
        for (uint32_t k = 0, n = 1 + (uint32_t)base_random_below(rnd, 6); k < n; k++) {
            uint32_t id = (uint32_t)base_random_below(rnd, n_r);
            if (naive_usage(&f[i], id, false) > 0)
                continue;
            f[i].resource[f[i].n] = id;
            f[i].usage[f[i].n++] = pick(rnd, usage, 4);
        }
    }
}

static void solve_both(struct fluid_solver *s, struct naive_resource *r, uint32_t n_r, struct naive_flow *f,
                       uint32_t n_f)
{
    solver_clear(s);
    for (uint32_t i = 0; i < n_r; i++)
        solver_add_resource(s, r[i].capacity, r[i].fatpipe);
    for (uint32_t i = 0; i < n_f; i++) {
        for (uint32_t k = 0; k < f[i].n; k++)
            add_use(s, f[i].resource[k], f[i].usage[k], f[i].weight);
        add_variable(s, f[i].weight, f[i].bound);
    }
    solver_run(s);
    naive_solve(r, n_r, f, n_f);
}

static void random_against_judge(void **state)
{
    (void)state;
    struct fluid_solver s;
    solver_init(&s);
    for (uint64_t seed = 1; seed <= 6000; seed++) {
        struct base_random rnd;
        static struct naive_resource r[MAX_R];
        static struct naive_flow f[MAX_V];
        base_random_seed(&rnd, seed, 0);
        uint32_t n_r = 1 + (uint32_t)base_random_below(&rnd, MAX_R);
        uint32_t n_f = 1 + (uint32_t)base_random_below(&rnd, MAX_V);
        problem_random(&rnd, r, n_r, f, n_f);
        solve_both(&s, r, n_r, f, n_f);
        for (uint32_t i = 0; i < n_f; i++)
            expect(s.variable.at[i].rate, f[i].rate, 1e-9, "rate", seed);
    }
    solver_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_of_two),          cmocka_unit_test(weights_and_cap),
        cmocka_unit_test(one_resource),         cmocka_unit_test(nothing_left),
        cmocka_unit_test(ring_is_symmetric),    cmocka_unit_test(small_rest),
        cmocka_unit_test(random_against_judge),
    };
    return cmocka_run_group_tests_name("fluid solver", tests, NULL, NULL);
}
