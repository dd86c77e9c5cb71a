/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures of the engine and the fluid model alone: prints one line `name count cpu_seconds` for each figure
 * named on the command line, all without one but those of fat trees:
 * "fat-tree[-sizes][-weights][-cross]-FLOWS". Linked to the modules' static libraries (bench/run does it).
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
    struct fluid_counts c = fluid_counts(fluid);
    if (getenv("BENCH_COUNTS"))
        fprintf(stderr, "  %llu flows, %llu solo, %llu runs of the solver, %llu variables in them\n",
                (unsigned long long)c.started, (unsigned long long)c.solo, (unsigned long long)c.solves,
                (unsigned long long)c.solved_flows);
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

/* An event that schedules itself again, a random time ahead. */
struct ticker {
    struct engine_event event;
    struct base_random random;
    uint64_t left;
};

static void tick(struct engine *e, struct engine_event *ev)
{
    struct ticker *t = BASE_CONTAINER(ev, struct ticker, event);
    if (t->left-- > 0)
        engine_event_at(e, ev, engine_now(e) + base_random_unit(&t->random));
}

static void idle(void *arg)
{
    (void)arg;
    engine_sleep(engine, 1e6);
}

static void figure_events(const char *name, uint64_t pending)
{
    struct ticker *t = base_zalloc(pending * sizeof *t, "tickers");
    uint64_t each = 4000000 / pending;
    begin(1);
    for (uint64_t i = 0; i < pending; i++) {
        engine_event_init(&t[i].event, tick);
        base_random_seed(&t[i].random, 1, i);
        t[i].left = each;
        tick(engine, &t[i].event);
    }
    engine_actor_spawn(engine, idle, NULL, NULL);
    say(name, (double)(each * pending), run_to_end());
    free(t);
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

/*
 * 4 096 hosts, 16 under each of 256 switches, 16 of these under 8, 16 such groups under 64: half as much up
 * as down, at each step. Links are numbered level by level, up and down in turn; the way up is chosen by the
 * destination (D-mod-k).
 */
enum { HOSTS = 4096, LEAVES = 256, MIDDLES = 128 };

static uint32_t tree_route(uint32_t from, uint32_t to, uint32_t *link)
{
    const uint32_t low = 2 * HOSTS, high = low + 2 * LEAVES * 8;
    uint32_t n = 0, port = to % 8, root = to / 8 % 8;
    link[n++] = 2 * from;
    if (from / 16 != to / 16) {
        link[n++] = low + 2 * (from / 16 * 8 + port);
        if (from / 256 != to / 256) {
            link[n++] = high + 2 * ((from / 256 * 8 + port) * 8 + root);
            link[n++] = high + 2 * ((to / 256 * 8 + port) * 8 + root) + 1;
        }
        link[n++] = low + 2 * (to / 16 * 8 + port) + 1;
    }
    link[n++] = 2 * to + 1;
    return n;
}

enum tree_kind { TREE_SIZES = 1, TREE_CROSS = 2, TREE_WEIGHTS = 4 };

/* LV08's weight and bound of a flow over links of 1.25 GB/s with 1 to 3 us each. */
static void tree_weight(const uint32_t *link, uint32_t n, double *weight, double *bound)
{
    double latency = 0;
    *weight = 0;
    for (uint32_t k = 0; k < n; k++) {
        latency += 1e-6 * (1 + link[k] % 3);
        *weight += 20537 / 1.25e9;
    }
    *weight += latency;
    *bound = fmin(1.25e9, 4194304 / (2 * latency));
}

/* Random pairs, all at once: of equal size or within a factor of 3, of equal weight or LV08's; with
 * crosstraffic each flow also takes a twentieth of its way back. */
static void figure_fat_tree(const char *name, int flows, int kind)
{
    struct base_random random;
    base_random_seed(&random, 42, 0);
    begin(1);
    for (int i = 0; i < 2 * HOSTS + 2 * LEAVES * 8 + 2 * MIDDLES * 8; i++)
        fluid_resource_add(fluid, 1.25e9, FLUID_SHARED);
    double start = cpu_seconds();
    for (int i = 0; i < flows; i++) {
        uint32_t link[6], from = (uint32_t)base_random_below(&random, HOSTS);
        uint32_t to = (uint32_t)base_random_below(&random, HOSTS), n = tree_route(from, to, link);
        struct fluid_use uses[12];
        for (uint32_t k = 0; k < n; k++) {
            uses[k] = (struct fluid_use){link[k], 1};
            uses[n + k] = (struct fluid_use){link[k] ^ 1, 0.05};
        }
        double weight = 1, bound = INFINITY;
        double bytes = kind & TREE_SIZES ? (1 << 20) * (0.5 + base_random_unit(&random)) : 1 << 20;
        if (kind & TREE_WEIGHTS)
            tree_weight(link, n, &weight, &bound);
        fluid_start(fluid, uses, kind & TREE_CROSS ? 2 * n : n, bytes, weight, bound, nothing, NULL);
    }
    engine_actor_spawn(engine, idle, NULL, NULL);
    double cost = cpu_seconds() - start;
    say(name, flows, cost + run_to_end());
}

/* "fat-tree-sizes-weights-5000" */
static void figure_tree_named(const char *name)
{
    int kind = (strstr(name, "sizes") ? TREE_SIZES : 0) | (strstr(name, "cross") ? TREE_CROSS : 0) |
               (strstr(name, "weights") ? TREE_WEIGHTS : 0);
    figure_fat_tree(name, atoi(strrchr(name, '-') + 1), kind);
}

/* A busy fat tree: 256 hosts, 16 switches of 16 under 8; `flows` at a time, each followed by another until
 * `total` have started. */
struct busy {
    struct base_random random;
    int left;
};

static void busy_start(struct fluid *f, void *arg)
{
    enum { FEW = 256, LEAF = 16, SPINES = 8 };
    struct busy *b = arg;
    const fluid_resource up = 2 * FEW, down = up + FEW / LEAF * SPINES;
    uint32_t from = (uint32_t)base_random_below(&b->random, FEW);
    uint32_t to = (uint32_t)base_random_below(&b->random, FEW);
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
    say(name, total, run_to_end());
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
    FIGURE("events-1000", figure_events("events-1000", 1000));
    FIGURE("solo-paths", figure_solo("solo-paths", true));
    FIGURE("solo-starts", figure_solo("solo-starts", false));
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], "fat-tree-", 9))
            figure_tree_named(argv[i]);
    FIGURE("busy-256", figure_busy("busy-256", 256, 20000));
    FIGURE("busy-2000", figure_busy("busy-2000", 2000, 10000));
    FIGURE("steps-1000", figure_steps("steps-1000"));
    FIGURE("one-path-1000", figure_full("one-path-1000", 1, 1000));
    FIGURE("backbone-100", figure_full("backbone-100", 100, 1));
    FIGURE("backbone-1000", figure_full("backbone-1000", 1000, 1));
    return 0;
}
