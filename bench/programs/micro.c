/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures of the engine and the fluid model alone: prints one line `name count cpu_seconds` for each figure
 * named on the command line, all without one. Linked to the modules' static libraries (bench/run does it).
 */
#include "fluid/fluid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct engine *engine;
static struct fluid *fluid;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(uint32_t actors)
{
    engine = engine_create(&(struct engine_config){.max_actors = actors, .stack_size = 16 << 10});
    fluid = fluid_create(engine);
}

static double run_to_end(void)
{
    double start = cpu_seconds();
    if (engine_run(engine) != ENGINE_ALL_DONE)
        exit(1);
    double cost = cpu_seconds() - start;
    fluid_destroy(fluid);
    engine_destroy(engine);
    return cost;
}

static void say(const char *name, double count, double cost)
{
    printf("%s %.0f %.6f\n", name, count, cost);
    fflush(stdout);
}

/* --- engine --------------------------------------------------------------------------------------- */

static void yields(void *arg)
{
    for (uint64_t n = *(uint64_t *)arg; n; n--)
        engine_yield(engine);
}

static void figure_yields(const char *name, uint64_t actors)
{
    uint64_t each = 4000000 / actors;
    begin((uint32_t)actors);
    for (uint64_t i = 0; i < actors; i++)
        engine_actor_spawn(engine, yields, &each, NULL);
    say(name, (double)(each * actors), run_to_end());
}

struct sleeper {
    uint64_t n;
    struct base_random random;
};

static void sleeps(void *arg)
{
    struct sleeper *s = arg;
    for (uint64_t n = s->n; n; n--)
        engine_sleep(engine, 1e-6 + 1e-6 * base_random_unit(&s->random));
}

static void figure_sleeps(const char *name, uint64_t actors)
{
    struct sleeper *s = base_zalloc(actors * sizeof *s, "sleepers");
    uint64_t each = 2000000 / actors;
    begin((uint32_t)actors);
    for (uint64_t i = 0; i < actors; i++) {
        s[i].n = each;
        base_random_seed(&s[i].random, 1, i);
        engine_actor_spawn(engine, sleeps, &s[i], NULL);
    }
    say(name, (double)(each * actors), run_to_end());
    free(s);
}

/* --- flows that meet nobody ------------------------------------------------------------------------ */

struct solo {
    uint64_t left;
    struct fluid_use use[3];
    struct fluid_path *path;
};

static void solo_ended(struct fluid *f, void *arg)
{
    struct solo *s = arg;
    if (s->left == 0)
        return;
    s->left--;
    if (s->path)
        fluid_path_start(f, s->path, 1024, solo_ended, s);
    else
        fluid_start(f, s->use, 3, 1024, 1, INFINITY, solo_ended, s);
}

static void idle(void *arg)
{
    (void)arg;
    engine_sleep(engine, 1e6);
}

/* 1 000 pairs of hosts over one backbone that is wide enough; 1 000 flows at any time. */
static void figure_solo(const char *name, bool kept)
{
    enum { PAIRS = 1000 };
    static struct solo s[PAIRS];
    begin(1);
    fluid_resource bone = fluid_resource_add(fluid, 1e12, FLUID_SHARED);
    for (int i = 0; i < PAIRS; i++) {
        double speed = 1e8 * (1 + i * 1e-5);
        fluid_resource up = fluid_resource_add(fluid, speed, FLUID_SHARED);
        fluid_resource down = fluid_resource_add(fluid, speed, FLUID_SHARED);
        s[i] = (struct solo){2000, {{up, 1}, {bone, 1}, {down, 1}}, NULL};
        if (kept)
            s[i].path = fluid_path_create(fluid, s[i].use, 3, 1, INFINITY);
        solo_ended(fluid, &s[i]);
    }
    engine_actor_spawn(engine, idle, NULL, NULL);
    say(name, 2000.0 * PAIRS, run_to_end());
}

/* --- flows that share ------------------------------------------------------------------------------- */

static void nothing(struct fluid *f, void *arg)
{
    (void)f;
    (void)arg;
}

/* Random pairs on a fat tree of two levels, twice as much down as up: 64 switches of 64 hosts under 32. */
static void figure_fat_tree(const char *name, int flows, bool equal)
{
    enum { HOSTS = 4096, LEAVES = 64, SPINES = 32 };
    struct base_random random;
    base_random_seed(&random, 42, 0);
    begin(1);
    for (int i = 0; i < 2 * HOSTS + 2 * LEAVES * SPINES; i++)
        fluid_resource_add(fluid, 1.25e9, FLUID_SHARED);
    const fluid_resource up = 2 * HOSTS, down = up + LEAVES * SPINES;
    for (int i = 0; i < flows; i++) {
        uint32_t from = (uint32_t)base_random_below(&random, HOSTS), to = (uint32_t)base_random_below(&random, HOSTS);
        uint32_t spine = to % SPINES, leaf = from / 64, under = to / 64;
        struct fluid_use uses[] = {
            {2 * from, 1}, {2 * to + 1, 1}, {up + leaf * SPINES + spine, 1}, {down + under * SPINES + spine, 1}};
        double bytes = equal ? 1 << 20 : (1 << 20) * (0.5 + base_random_unit(&random));
        fluid_start(fluid, uses, leaf == under ? 2 : 4, bytes, 1, INFINITY, nothing, NULL);
    }
    engine_actor_spawn(engine, idle, NULL, NULL);
    uint64_t solves, solved;
    double start = cpu_seconds();
    engine_run(engine);
    double cost = cpu_seconds() - start;
    solves = fluid_counts(fluid).solves;
    solved = fluid_counts(fluid).solved_flows;
    say(name, flows, cost);
    if (getenv("BENCH_COUNTS"))
        fprintf(stderr, "  %llu runs of the solver, %llu variables\n", (unsigned long long)solves,
                (unsigned long long)solved);
    fluid_destroy(fluid);
    engine_destroy(engine);
}

/* A busy fat tree: 256 hosts, 16 switches of 16 under 8; `flows` at a time, each followed by another until
 * `total` have started. */
struct busy {
    struct base_random random;
    int left;
};

static void busy_start(struct fluid *f, void *arg)
{
    enum { HOSTS = 256, LEAF = 16, SPINES = 8 };
    struct busy *b = arg;
    const fluid_resource up = 2 * HOSTS, down = up + HOSTS / LEAF * SPINES;
    uint32_t from = (uint32_t)base_random_below(&b->random, HOSTS);
    uint32_t to = (uint32_t)base_random_below(&b->random, HOSTS);
    uint32_t spine = to % SPINES, leaf = from / LEAF, under = to / LEAF;
    struct fluid_use uses[] = {
        {2 * from, 1}, {2 * to + 1, 1}, {up + leaf * SPINES + spine, 1}, {down + under * SPINES + spine, 1}};
    if (b->left == 0)
        return;
    b->left--;
    fluid_start(f, uses, leaf == under ? 2 : 4, (1 << 20) * (0.5 + base_random_unit(&b->random)), 1, INFINITY,
                busy_start, b);
}

static void figure_busy(const char *name, int flows, int total)
{
    struct busy b = {.left = total};
    base_random_seed(&b.random, 42, 0);
    begin(1);
    for (int i = 0; i < 2 * 256 + 2 * 16 * 8; i++)
        fluid_resource_add(fluid, 1.25e9, FLUID_SHARED);
    for (int i = 0; i < flows; i++)
        busy_start(fluid, &b);
    engine_actor_spawn(engine, idle, NULL, NULL);
    double start = cpu_seconds();
    engine_run(engine);
    double cost = cpu_seconds() - start;
    if (getenv("BENCH_COUNTS"))
        fprintf(stderr, "  %llu runs of the solver, %llu variables\n",
                (unsigned long long)fluid_counts(fluid).solves,
                (unsigned long long)fluid_counts(fluid).solved_flows);
    say(name, total, cost);
    fluid_destroy(fluid);
    engine_destroy(engine);
}

struct steps {
    struct fluid_path *path[1000];
};

static void step(void *arg)
{
    struct steps *s = arg;
    for (int n = 0; n < 1000; n++) {
        for (int i = 0; i < 1000; i++)
            fluid_path_start(fluid, s->path[i], 1024, nothing, NULL);
        engine_sleep(engine, 1);
    }
}

/* 1 000 pairs over one full backbone start and end together, as ranks in step do. */
static void figure_steps(const char *name)
{
    static struct steps s;
    begin(1);
    fluid_resource bone = fluid_resource_add(fluid, 2.25e9, FLUID_SHARED);
    for (int i = 0; i < 1000; i++) {
        struct fluid_use uses[] = {{fluid_resource_add(fluid, 1.25e8, FLUID_SHARED), 1},
                                   {bone, 1},
                                   {fluid_resource_add(fluid, 1.25e8, FLUID_SHARED), 1}};
        s.path[i] = fluid_path_create(fluid, uses, 3, 1, INFINITY);
    }
    engine_actor_spawn(engine, step, &s, NULL);
    say(name, 1e6, run_to_end());
}

/* `paths` pairs over one full backbone, `each` flows at a time on every pair, none in step with another. */
static void figure_full(const char *name, int paths, int each)
{
    static struct solo s[1000];
    begin(1);
    fluid_resource bone = fluid_resource_add(fluid, 2.25e9, FLUID_SHARED);
    for (int i = 0; i < paths; i++) {
        fluid_resource up = fluid_resource_add(fluid, 1.25e9 * (1 + i * 1e-3), FLUID_SHARED);
        fluid_resource down = fluid_resource_add(fluid, 1.25e9 * (1 + i * 1e-3), FLUID_SHARED);
        s[i] = (struct solo){20000 / (uint64_t)paths, {{up, 1}, {bone, 1}, {down, 1}}, NULL};
        for (int k = 0; k < each; k++)
            fluid_start(fluid, s[i].use, 3, 1024 + i + 0.1 * k, 1, INFINITY, solo_ended, &s[i]);
    }
    engine_actor_spawn(engine, idle, NULL, NULL);
    say(name, 20000, run_to_end());
}

static bool asked(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], name))
            return true;
    return argc == 1;
}

#define FIGURE(name, call)                                                                                   \
    do {                                                                                                     \
        if (asked(argc, argv, name))                                                                         \
            call;                                                                                            \
    } while (0)

int main(int argc, char **argv)
{
    FIGURE("yields-1", figure_yields("yields-1", 1));
    FIGURE("yields-1024", figure_yields("yields-1024", 1024));
    FIGURE("yields-16384", figure_yields("yields-16384", 16384));
    FIGURE("sleeps-1", figure_sleeps("sleeps-1", 1));
    FIGURE("sleeps-1024", figure_sleeps("sleeps-1024", 1024));
    FIGURE("solo-paths", figure_solo("solo-paths", true));
    FIGURE("solo-starts", figure_solo("solo-starts", false));
    FIGURE("fat-tree-1000", figure_fat_tree("fat-tree-1000", 1000, true));
    FIGURE("fat-tree-2000", figure_fat_tree("fat-tree-2000", 2000, true));
    FIGURE("fat-tree-5000", figure_fat_tree("fat-tree-5000", 5000, true));
    FIGURE("fat-tree-sizes-2000", figure_fat_tree("fat-tree-sizes-2000", 2000, false));
    FIGURE("fat-tree-sizes-5000", figure_fat_tree("fat-tree-sizes-5000", 5000, false));
    FIGURE("busy-256", figure_busy("busy-256", 256, 20000));
    FIGURE("busy-2000", figure_busy("busy-2000", 2000, 10000));
    FIGURE("steps-1000", figure_steps("steps-1000"));
    FIGURE("one-path-1000", figure_full("one-path-1000", 1, 1000));
    FIGURE("backbone-100", figure_full("backbone-100", 100, 1));
    FIGURE("backbone-1000", figure_full("backbone-1000", 1000, 1));
    return 0;
}
