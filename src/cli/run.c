/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run: `pgasim run`. Makes the simulator's parts from the lowest up, lets the job run, reports. Each step
 * that depends on the user's input gives a reason when it fails, and nothing has been started by then.
 */
#include "cli/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/profile.h"
#include "shmem/shmem_front.h"

double run_host_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- making, lowest first ------------------------------------------------------------------------ */

static int make_settings(struct run *r, struct base_status *st)
{
    r->settings = cli_settings_create();
    run_options_export(&r->options);
    if (base_settings_read_environment(r->settings, environ, cli_not_settings, st))
        return -1;
    return run_options_apply_sets(&r->options, r->settings, st);
}

static int make_platform(struct run *r, struct base_status *st)
{
    const struct run_options *o = &r->options;
    if (o->platform && platform_load(&r->platform, o->platform, r->settings, st))
        return -1;
    if (!o->platform)
        r->platform = platform_default(o->ranks);
    return 0;
}

static int place(struct run *r, struct base_status *st)
{
    const struct run_options *o = &r->options;
    struct platform_placement placed;
    r->rank_host = base_alloc(o->ranks * sizeof *r->rank_host, "hosts of the ranks");
    if (platform_place(r->platform, (uint32_t)o->ranks, o->hostfile,
                       o->by_host ? PLATFORM_MAP_HOST : PLATFORM_MAP_CORE, r->rank_host, &placed, st))
        return -1;
    if (placed.crowded && !o->quiet)
        base_info("on %u of %u hosts, the ranks outnumber the cores and share them", placed.crowded,
                  placed.hosts);
    return 0;
}

/* The current folder comes first, as it does for other launchers, then PATH. */
static int find_program(struct run *r, struct base_status *st)
{
    const char *name = r->options.program[0], *path = getenv("PATH");
    if (r->options.folder && chdir(r->options.folder))
        return base_fail(st, "--wdir %s: %s", r->options.folder, strerror(errno));
    r->program = base_strdup(name);
    for (const char *p = path; p && !strchr(name, '/') && access(r->program, F_OK); p = strchr(p, ':')) {
        p += *p == ':';
        free(r->program);
        r->program = base_strfmt("%.*s/%s", (int)strcspn(p, ":"), p, name);
    }
    struct stat file;
    if (stat(r->program, &file))
        return base_fail(st, "program %s: %s", name, strerror(errno));
    if (S_ISDIR(file.st_mode))
        return base_fail(st, "program %s is a directory", name);
    return 0;
}

/* Guard pages find a stack overflow at once, but cost two mappings a rank. */
static bool guards_fit(const struct run *r, const struct fold_config *config)
{
    enum { OTHERS = 5000 }; /* libraries, heaps, and what the program maps */
    unsigned long limit = 65530;
    FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
    if (f) {
        if (fscanf(f, "%lu", &limit) != 1)
            limit = 65530;
        fclose(f);
    }
    return fold_mappings_wanted(config, (uint32_t)r->options.ranks) + 2 * r->options.ranks + OTHERS < limit;
}

/* Stacks of threads that programs make cost addresses only: 64 a rank, 256 at least, in 4 TiB at most. */
static uint32_t most_threads(const struct run *r, size_t stack)
{
    uint64_t asked = base_settings_count(r->settings, "thread/most"), ranks = r->options.ranks;
    uint64_t most = ranks * 64 < 256 ? 256 : ranks * 64, room = (UINT64_C(4) << 40) / stack;
    if (asked)
        return (uint32_t)(asked < UINT32_MAX - ranks ? asked : UINT32_MAX - ranks);
    return (uint32_t)(most < room ? most : room);
}

static int make_job(struct run *r, struct base_status *st)
{
    const struct run_options *o = &r->options;
    struct rank_config ranks = {.ranks = (uint32_t)o->ranks,
                                .rank_host = r->rank_host,
                                .compute = o->compute,
                                .compute_factor = o->compute_factor,
                                .ahead = (uint32_t)o->jobs,
                                .tag_output = o->tag_output};
    struct fold_config program = {
        .program = r->program, .argv = o->program, .envp = environ, .privatize = o->privatize};
    size_t stack_size = run_options_stack_size(o);
    struct engine_config engine = {.max_actors = ranks.ranks + most_threads(r, stack_size),
                                   .usual = ranks.ranks,
                                   .stack_size = stack_size,
                                   .guard_pages = guards_fit(r, &program)};
    r->engine = engine_create(&engine);
    r->fluid = fluid_create(r->engine);
    r->fabric = fabric_create(r->engine, r->fluid, r->platform, r->settings);
    run_traces_clock(r);
    if (rank_job_create(&r->job, &ranks, r->fabric, &r->trace, r->settings, st) ||
        fold_attach(r->job, &program, st))
        return -1;
    const char *alone = rank_ahead_refusal(r->job);
    if (alone && !o->quiet)
        base_info("--jobs has no effect, the ranks run one at a time: %s", alone);
    return 0;
}

static int make_all(struct run *r, struct base_status *st)
{
    trace_init(&r->trace);
    if (make_settings(r, st) || make_platform(r, st) || place(r, st) || run_traces_open(r, st))
        return -1;
    return find_program(r, st) ? -1 : make_job(r, st);
}

static void release_all(struct run *r)
{
    if (r->engine && engine_ahead_lost(r->engine))
        return; /* the process ends with what still runs */
    rank_job_destroy(r->job);
    run_traces_close(r);
    run_traces_release(r);
    if (r->engine) {
        fabric_destroy(r->fabric);
        fluid_destroy(r->fluid);
        engine_destroy(r->engine);
    }
    if (r->platform)
        platform_destroy(r->platform);
    free(r->rank_host);
    free(r->program);
    base_settings_destroy(r->settings);
    run_options_release(&r->options);
}

/* Sanitizer builds, which are those that look for our bugs: after a run in which all ranks came to their ends
 * no operation is left. */
static int check_remainder(const struct run *r, int status)
{
    if (!BASE_ASAN || status || !r->figures.whole || !base_remainder_report())
        return status;
    return BASE_EXIT_BUG;
}

/* --- running ------------------------------------------------------------------------------------- */

static struct run *running; /* for the hooks below, which know only the job */

/* Called before the modules below take their records of the job apart. */
static void take_figures(struct rank_job *job)
{
    struct run_figures *f = &running->figures;
    f->whole = engine_all_ended(running->engine);
    f->simulated = engine_now(running->engine);
    f->events = engine_event_count(running->engine);
    f->switches = engine_switch_count(running->engine);
    f->rma = rma_counts(job);
    f->coll = coll_counts(job);
    f->ranks = rank_counts(job);
    f->fold = fold_counts(job);
    f->way = fold_privatize_of(job);
    profile_take(job);
}

static void ranks_begin(struct rank_job *job)
{
    (void)job;
    profile_enter(PROFILE_RUN);
}

static void register_fronts(void)
{
    /* The last one registered is the first to see a job's end. */
    static const struct rank_front figures = {
        .name = "figures", .job_begin = ranks_begin, .job_end = take_figures};
    rma_register();
    coll_register();
    shmem_register();
    rank_front_register(&figures);
}

static void on_tick(void *ctx)
{
    run_interrupt_tick();
    run_progress_tick(ctx);
}

static void run_job(struct run *r)
{
    struct rusage used;
    running = r;
    rank_warnings_begin(r->options.strict);
    run_interrupt_begin(r);
    run_progress_begin(r);
    engine_on_tick(r->engine, on_tick, r);
    r->figures.status = rank_job_run(r->job);
    run_progress_end();
    run_interrupt_end();
    getrusage(RUSAGE_SELF, &used);
    r->figures.cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    r->figures.wall = run_host_seconds() - r->started;
    r->figures.peak_memory = base_peak_rss();
}

static int carry_out(struct run *r)
{
    struct base_status st;
    struct run_json json = {0};
    if (r->options.self_profile)
        profile_begin();
    if ((r->options.json && run_json_open(&json, r->options.json, &st)) || make_all(r, &st)) {
        run_json_close(&json);
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    run_job(r);
    if (run_traces_close(r) && !r->figures.status)
        r->figures.status = BASE_EXIT_HOST;
    if (!r->options.quiet)
        run_summary_print(r);
    profile_print(base_report_stream());
    if (!json.out || !run_json_write(&json, r, &st))
        return r->figures.status;
    base_error("%s", st.text);
    return r->figures.status ? r->figures.status : BASE_EXIT_HOST;
}

int cli_run(int argc, char **args)
{
    struct run r = {.started = run_host_seconds()};
    struct base_status st;
    int status = BASE_EXIT_OK;
    register_fronts();
    switch (run_options_read(&r.options, argc, args, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&run_options_table, stdout);
        break;
    case CLI_READ_FAILED:
        status = cli_options_refuse(&run_options_table, st.text);
        break;
    case CLI_READ:
        status = carry_out(&r);
        break;
    }
    release_all(&r);
    profile_end();
    return check_remainder(&r, status);
}
