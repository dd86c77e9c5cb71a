/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run: `pgasim run`. Makes the simulator's parts from the lowest up, lets the job run, reports. Each step
 * that depends on the user's input gives a reason when it fails, and nothing has been started by then.
 */
#include "cli/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"
#include "base/sanitizer.h"
#include "check/check.h"
#include "cli/command.h"
#include "cli/platform/platform.h"
#include "cli/self_profile/self_profile.h"
#include "clocks/clocks.h"
#include "coll/coll.h"
#include "mpi/mpi_front.h"
#include "replay/replay.h"
#include "riscv/riscv.h"
#include "shmem/shmem_front.h"
#include "storage/storage.h"

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
    if (o->platform && cli_platform_load(&r->platform, o->platform, r->settings, st))
        return -1;
    return o->platform ? 0 : cli_platform_built_in(&r->platform, o->ranks, r->settings, st);
}

/* Guards of their own mappings find a stack overflow at once, but cost two mappings a rank. */
static bool guards_fit(const struct run *r, uint64_t mappings)
{
    enum { OTHERS = 5000 }; /* libraries, heaps, and what the program maps */
    unsigned long limit = 65530;
    FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
    if (f) {
        if (fscanf(f, "%lu", &limit) != 1)
            limit = 65530;
        fclose(f);
    }
    return mappings + 2 * r->options.ranks + OTHERS < limit;
}

/* Stacks of threads that programs make cost addresses only: 64 a rank, 256 at least, in 4 TiB at most, or in
 * a quarter of what the process may have (ulimit -v). */
static uint32_t most_threads(const struct run *r, size_t stack)
{
    uint64_t asked = base_settings_count(r->settings, "thread/most"), ranks = r->options.ranks;
    uint64_t most = ranks * 64 < 256 ? 256 : ranks * 64, room = UINT64_C(4) << 40;
    struct rlimit limit;
    if (asked)
        return (uint32_t)(asked < UINT32_MAX - ranks ? asked : UINT32_MAX - ranks);
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur / 4 < room)
        room = limit.rlim_cur / 4;
    return (uint32_t)(most < room / stack ? most : room / stack);
}

static uint32_t later_ranks(const struct run *r, bool starts)
{
    static const char key[] = "spawn/most";
    bool asked = !base_settings_is_default(r->settings, key);
    if (r->kind)
        return r->kind->later ? r->kind->later(r) : 0;
    return starts || asked ? (uint32_t)base_settings_count(r->settings, key) : 0;
}

/* Not more processes of programs live at a time than there are slots, so these are the stacks for them. */
static uint32_t later_stacks(const struct run *r)
{
    return r->kind || r->later < r->slots.n ? r->later : r->slots.n;
}

/* Sizes and guards of the stacks, and how many there may be. */
static struct engine_config stacks_of(const struct run *r, const struct fold_wants *wants)
{
    const uint64_t most = (uint64_t)16 << 40, light = 16 << 20; /* light guards cost 8 bytes a page */
    uint32_t ranks = (uint32_t)r->options.ranks;
    struct engine_config c = {.usual = ranks,
                              .stack_size = run_options_stack_size(&r->options),
                              .guard_pages = guards_fit(r, wants->mappings),
                              .light_guards = true};
    uint64_t room = c.guard_pages ? most / ranks : light;
    c.guard_size = wants->guard < room ? wants->guard : room;
    c.max_actors = ranks + later_stacks(r) + most_threads(r, c.stack_size + c.guard_size);
    return c;
}

static struct fold_wants find_wants(const struct run *r)
{
    struct fold_wants wants = {0};
    base_guard_file(r->start[0].program, "reading it");
    if (!r->kind)
        wants = fold_wants(r->start, r->options.parts.n);
    base_guard_end();
    return wants;
}

static int load_programs(struct run *r, struct base_status *st)
{
    if (r->kind)
        return r->kind->load(r, st);
    base_guard_file(r->start[0].program, "loading it");
    int rc = fold_attach(r->job, r->start, r->options.parts.n, st);
    base_guard_end();
    return rc;
}

static int open_recorder(struct run *r, struct base_status *st)
{
    bool traced = (!r->kind || r->kind->recorded) && trace_wants(&r->trace, TRACE_CATEGORY_REPLAY);
    if (!r->options.record && !traced)
        return 0;
    r->recorder = replay_recorder_open(r->options.record, traced ? &r->trace : NULL,
                                       (uint32_t)r->options.ranks, r->later > 0, st);
    return r->recorder ? 0 : -1;
}

static int make_job(struct run *r, struct base_status *st)
{
    const struct run_options *o = &r->options;
    struct fold_wants wants = find_wants(r);
    r->later = later_ranks(r, wants.starts);
    if (run_place_slots(r, st) || open_recorder(r, st))
        return -1;
    struct rank_config ranks = {.ranks = (uint32_t)o->ranks,
                                .part_ranks = r->part_ranks,
                                .parts = (uint32_t)o->parts.n,
                                .rank_host = r->rank_host,
                                .later = r->later,
                                .slots = r->slots,
                                .compute = o->compute,
                                .compute_factor = o->compute_factor,
                                .ahead = (uint32_t)o->jobs,
                                .tag_output = o->tag_output,
                                .checked = check_on(r->settings),
                                .silent = o->alone != NULL};
    struct engine_config engine = stacks_of(r, &wants);
    r->engine = engine_create(&engine);
    r->fluid = fluid_create(r->engine);
    r->fabric = fabric_create(r->engine, r->fluid, r->platform, r->settings);
    run_traces_begin(r);
    if (rank_job_create(&r->job, &ranks, r->fabric, &r->trace, r->settings, st) || load_programs(r, st))
        return -1;
    const char *alone = rank_ahead_refusal(r->job);
    if (alone && !o->quiet)
        base_info("--jobs has no effect, the ranks run one at a time: %s", alone);
    return 0;
}

static int close_recorder(struct run *r)
{
    struct base_status st;
    int rc = replay_recorder_close(r->recorder, &st);
    r->recorder = NULL;
    if (rc)
        base_error("%s", st.text);
    return rc;
}

/* No output of the run goes where another one goes, or where its input is. */
static int check_files(const struct run_options *o, struct base_status *st)
{
    struct base_file_use file[6 + RUN_TRACES] = {
        {"--platform", o->platform, false},    {"--hostfile", o->hostfile, false},
        {"the program", o->program[0], false}, {"--json", o->json, true},
        {"--sarif", o->sarif, true},           {"--record-ti", o->record, true}};
    size_t n = 6;
    for (size_t k = 0; k < o->traces.n; k++)
        file[n++] = (struct base_file_use){"--trace", o->traces.at[k], true};
    return base_files_distinct(file, n, st);
}

static int read_suppressions(const struct run_options *o, struct base_status *st)
{
    check_say(o->gen_suppressions, o->verbose);
    for (size_t k = 0; k < o->suppressions.n; k++)
        if (check_suppress(o->suppressions.at[k], st))
            return -1;
    return 0;
}

static int begin_late(struct run *r, struct base_status *st)
{
    r->json = (struct run_late){.option = "--json", .write = run_json_write, .run = r};
    r->sarif = (struct run_late){.option = "--sarif", .write = run_sarif_write, .run = r};
    return run_late_begin(&r->json, r->options.json, st) || run_late_begin(&r->sarif, r->options.sarif, st)
               ? -1
               : 0;
}

/* What may start the command again comes before other processes are there. */
static int prepare(struct run *r, struct base_status *st)
{
    if (r->kind ? r->kind->check(r, st) : run_starts_prepare(r, st))
        return -1;
    run_seeds_begin(r);
    return 0;
}

static int make_all(struct run *r, struct base_status *st)
{
    trace_init(&r->trace);
    if (check_files(&r->options, st) || begin_late(r, st) || make_settings(r, st) || make_platform(r, st) ||
        read_suppressions(&r->options, st) || check_configure(r->settings, st) || run_place(r, st) ||
        run_traces_open(r, st))
        return -1;
    if (run_starts_make(r, st))
        return -1;
    coll_environment(r->start[0].envp);
    return make_job(r, st);
}

static void release_all(struct run *r)
{
    if (r->engine && engine_ahead_lost(r->engine))
        return; /* the process ends with what still runs */
    rank_job_destroy(r->job);
    free(r->figures.seeds.time);
    joules_release(&r->figures.joules);
    disks_release(&r->figures.disks);
    run_late_release(&r->json);
    run_late_release(&r->sarif);
    run_traces_close(r);
    replay_recorder_discard(r->recorder);
    run_traces_release(r);
    if (r->engine) {
        fabric_destroy(r->fabric);
        fluid_destroy(r->fluid);
        engine_destroy(r->engine);
    }
    if (r->platform)
        platform_destroy(r->platform);
    if (r->kind)
        r->kind->release(r);
    free(r->rank_host);
    free(r->slot_host);
    run_starts_release(r);
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
    struct run *r = running;
    struct run_figures *f = &r->figures;
    if (f->taken)
        return;
    f->taken = true;
    f->whole = engine_all_ended(running->engine);
    f->simulated = engine_now(running->engine);
    f->events = engine_event_count(running->engine);
    f->switches = engine_switch_count(running->engine);
    f->rma = rma_counts(job);
    f->coll = coll_counts(job);
    f->p2p = p2p_counts(job);
    f->ranks = rank_counts(job);
    f->cards = cards_counts(running->fabric);
    if (f->cards.n)
        f->links = busy_links_of(running->fabric, running->platform, f->simulated);
    f->joules = joules_of_job(job);
    f->disks = disks_of_job(job, f->simulated);
    f->library = library_of(running->fabric);
    if (r->kind) {
        r->kind->figures(r, job);
    } else {
        f->fold = fold_counts(job);
        f->way = fold_privatize_of(job);
    }
    profile_take(job);
    if (r->options.best_collectives && f->whole)
        run_better(r, job);
}

static struct rank_job *begun; /* the fronts' parts of it are there */

static void measure(struct run *r)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    r->figures.cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    r->figures.wall = run_host_seconds() - r->started;
    r->figures.peak_memory = base_peak_rss();
}

void run_figures_take(struct run *r)
{
    if (begun)
        take_figures(begun);
    measure(r);
}

static void ranks_begin(struct rank_job *job)
{
    begun = job;
    profile_enter(PROFILE_RUN);
}

static void register_fronts(bool native)
{
    /* The last one registered is the first to see a job's end. */
    static const struct rank_front figures = {
        .name = "figures", .job_begin = ranks_begin, .job_end = take_figures};
    if (native)
        fold_ranks_register();
    clocks_register();
    storage_register();
    rma_register();
    riscv_register();
    coll_register();
    shmem_register();
    mpi_register();
    replay_register();
    check_register();
    rank_front_register(&figures);
}

static void on_tick(void *ctx)
{
    run_interrupt_tick();
    run_progress_tick(ctx);
}

/* Core files are as large as the system permits. */
static void leave_core(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_CORE, &limit);
    }
    base_exit_dumps(true);
}

static void run_job(struct run *r)
{
    running = r;
    if (r->options.core)
        leave_core();
    rank_warnings_begin(r->options.strict, check_on(r->settings));
    run_interrupt_begin(r);
    run_progress_begin(r);
    engine_on_tick(r->engine, on_tick, r);
    r->figures.status = rank_job_run(r->job);
    run_progress_end();
    run_interrupt_end();
    run_stop_end();
    r->over = true;
    measure(r);
}

/* A program that has written to memory that is not its own may be noticed only when that is released. */
static void guard_end(const struct run *r, int status)
{
    base_guard_end();
    base_guard_begin(
        &(struct base_guard){.what = r->options.program[0],
                             .doing = "the process was ended",
                             .blame = "the program is damaged, or has written to memory that is not its own",
                             .status = status,
                             .to_the_end = true});
}

static int carry_out(struct run *r)
{
    struct base_status st, why;
    if (r->options.self_profile)
        profile_begin();
    if (prepare(r, &st) || make_all(r, &st) || run_stop_begin(r, &st)) {
        base_error("%s", st.text);
        r->figures.status = BASE_EXIT_INPUT;
        measure(r);
        run_seeds_end(r);
        if (run_late_write(&r->json, &why) || run_late_write(&r->sarif, &why))
            base_error("%s", why.text);
        return BASE_EXIT_INPUT;
    }
    guard_end(r, BASE_EXIT_PROGRAM); /* fold/ has handlers of its own while ranks run */
    run_job(r);
    guard_end(r, r->figures.status ? r->figures.status : BASE_EXIT_PROGRAM);
    if (r->kind && r->kind->after && r->kind->after(r, &st)) {
        base_error("%s", st.text);
        r->figures.status = r->figures.status ? r->figures.status : BASE_EXIT_INPUT;
    }
    if ((run_traces_close(r) | close_recorder(r)) && !r->figures.status)
        r->figures.status = BASE_EXIT_HOST;
    if (!r->options.quiet)
        run_summary_print(r);
    profile_print(base_report_stream());
    run_seeds_end(r);
    if (!run_late_write(&r->sarif, &st) && !run_late_write(&r->json, &st))
        return r->figures.status;
    base_error("%s", st.text);
    return r->figures.status ? r->figures.status : BASE_EXIT_HOST;
}

static int carry_out_wrapped(const struct run *r, int argc, char **args)
{
    struct base_status st;
    (void)run_wrapped(&r->options, argc, args, &st);
    base_error("%s", st.text);
    return BASE_EXIT_INPUT;
}

static bool asks_for_version(int argc, char **args)
{
    static const char *const words[] = {"-V", "-version", "--version"};
    for (size_t k = 0; argc == 2 && k < BASE_LENGTH(words); k++)
        if (!strcmp(args[1], words[k]))
            return true;
    return false;
}

int run_command(struct run *r, const struct cli_options *table, const struct cli_options *help, int argc,
                char **args)
{
    struct base_status st;
    int status = BASE_EXIT_OK;
    r->started = run_host_seconds();
    if (asks_for_version(argc, args)) {
        printf("pgasim %s\n", pgasim_version);
        return BASE_EXIT_OK;
    }
    register_fronts(!r->kind);
    switch (run_options_read_by(table, &r->options, argc, args, &st)) {
    case CLI_READ_HELP:
        cli_options_help(help, stdout);
        break;
    case CLI_READ_FAILED:
        status = cli_options_refuse(help, st.text);
        break;
    case CLI_READ:
        status = r->options.gdb || r->options.lldb || r->options.wrapper ? carry_out_wrapped(r, argc, args)
                                                                         : carry_out(r);
        break;
    }
    run_seeds_tell(r);
    release_all(r);
    profile_end();
    status = check_remainder(r, status);
    if (base_sanitizer.program) { /* it would look for leaks now, when the ranks' memory is gone */
        fflush(NULL);
        _exit(status);
    }
    return status;
}

int cli_run(int argc, char **args)
{
    static struct run r; /* hooks of a fatal end see it until the process has ended */
    r = (struct run){0};
    return run_command(&r, &run_options_table, &run_options_table, argc, args);
}
