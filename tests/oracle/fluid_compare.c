/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plays what fluid_flows prints (a random problem and when each flow ended in SimGrid) with the fluid model
 * and compares. In SimGrid a flow first waits for its route's latency, then shares with that latency as
 * weight (1 if it is 0). Arguments: path of fluid_flows, first seed, number of seeds.
 */
#include "fluid/fluid.h"

#include <math.h>
#include <stdlib.h>

#define WITHIN 1e-6 /* relative */

enum { MAX_LINKS = 16, MAX_FLOWS = 64 };

struct flow {
    double start, amount, want, end, latency;
    struct fluid_use use[2 * MAX_LINKS];
    unsigned n;
};

static struct engine *engine;
static struct fluid *fluid;
static struct flow flows[MAX_FLOWS];
static unsigned n_flows;

static bool read_flow(FILE *in, struct flow *f, const double *latency, unsigned n_links, bool crosstraffic)
{
    if (fscanf(in, "%lf %lf %lf %u", &f->start, &f->amount, &f->want, &f->n) != 4 || f->n > n_links)
        return false;
    f->latency = 0;
    f->end = -1;
    for (unsigned k = 0; k < f->n; k++) {
        uint32_t link;
        if (fscanf(in, "%u", &link) != 1 || link >= n_links)
            return false;
        f->latency += latency[link];
        f->use[k] = (struct fluid_use){link, 1};
        f->use[f->n + k] = (struct fluid_use){link, 0.05};
    }
    f->n *= crosstraffic ? 2 : 1;
    return true;
}

static bool read_problem(FILE *in)
{
    double latency[MAX_LINKS];
    unsigned n_links, crosstraffic;
    if (fscanf(in, "crosstraffic %u links %u", &crosstraffic, &n_links) != 2 || n_links > MAX_LINKS)
        return false;
    for (unsigned i = 0; i < n_links; i++) {
        double bandwidth;
        int fatpipe;
        if (fscanf(in, "%lf %lf %d", &bandwidth, &latency[i], &fatpipe) != 3)
            return false;
        fluid_resource_add(fluid, bandwidth, fatpipe ? FLUID_FATPIPE : FLUID_SHARED);
    }
    if (fscanf(in, " flows %u", &n_flows) != 1 || n_flows > MAX_FLOWS)
        return false;
    for (unsigned i = 0; i < n_flows; i++)
        if (!read_flow(in, &flows[i], latency, n_links, crosstraffic))
            return false;
    return true;
}

static void ended(struct fluid *f, void *arg)
{
    (void)f;
    ((struct flow *)arg)->end = engine_now(engine);
}

static void play(void *arg)
{
    struct flow *f = arg;
    engine_sleep(engine, f->start);
    engine_sleep(engine, f->latency);
    fluid_start(fluid, f->use, f->n, f->amount, f->latency > 0 ? f->latency : 1, INFINITY, ended, f);
    engine_sleep(engine, 1e6);
}

static int compare(unsigned long seed)
{
    int wrong = 0;
    for (unsigned i = 0; i < n_flows; i++) {
        if (!(fabs(flows[i].end - flows[i].want) <= WITHIN * flows[i].want)) {
            fprintf(stderr, "seed %lu: flow %u ends at %.15g, in SimGrid at %.15g\n", seed, i, flows[i].end,
                    flows[i].want);
            wrong++;
        }
    }
    return wrong;
}

static int one_seed(const char *oracle, unsigned long seed)
{
    char command[4096];
    int wrong = 1;
    snprintf(command, sizeof command, "'%s' %lu", oracle, seed);
    FILE *in = popen(command, "r");
    engine = engine_create(&(struct engine_config){.max_actors = MAX_FLOWS, .stack_size = 64 << 10});
    fluid = fluid_create(engine);
    if (in && read_problem(in)) {
        for (unsigned i = 0; i < n_flows; i++)
            engine_actor_spawn(engine, play, &flows[i], NULL);
        engine_run(engine);
        wrong = compare(seed);
    } else {
        fprintf(stderr, "seed %lu: nothing to read from %s\n", seed, oracle);
    }
    fluid_destroy(fluid);
    engine_destroy(engine);
    if (in && pclose(in) != 0)
        wrong++;
    return wrong;
}

int main(int argc, char **argv)
{
    int wrong = 0;
    if (argc != 4) {
        fprintf(stderr, "usage: fluid_compare FLUID_FLOWS FIRST_SEED SEEDS\n");
        return 2;
    }
    unsigned long first = strtoul(argv[2], NULL, 0), n = strtoul(argv[3], NULL, 0);
    for (unsigned long seed = first; seed < first + n; seed++)
        wrong += one_seed(argv[1], seed);
    printf("%lu problems, %d flows differ\n", n, wrong);
    return wrong != 0;
}
