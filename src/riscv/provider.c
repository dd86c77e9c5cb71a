/* SPDX-License-Identifier: BSD-3-Clause */
/* provider: supplies ranks that are cores: their memory by the addresses of their programs, their life,
 * settings. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "riscv/internal.h"

const struct base_setting riscv_settings[] = {
    {"riscv/frequency", BASE_DOUBLE, "2e9", "1e3 to 1e12", "cycles of a RISC-V core in a second",
     "paper 002, Table I: 2 GHz"},
    {"riscv/quantum", BASE_UINT, "1000", "1 to 1000000000",
     "instructions that a core runs before the clock catches up with it: how late it sees others' stores",
     "a choice: docs/riscv.md"},
    {"riscv/cache", BASE_TEXT, "off", "off, on or data",
     "whether cores have caches and DRAM behind them (cache/..., dram/...): off, for all, or for data only",
     "a choice: docs/riscv.md"},
    {"riscv/memory", BASE_SIZE, "128MiB", "64KiB to 64GiB",
     "memory of a bare program without the symbol __stack; of a Linux program the heap, and as much for mmap",
     "qemu's default for the machine virt"},
    {"riscv/stack", BASE_SIZE, "8MiB", "128KiB to 1GiB", "stack of a Linux program", "Linux's usual limit"},
};
const size_t riscv_settings_count = BASE_LENGTH(riscv_settings);

/* --- memory --------------------------------------------------------------------------------------------- */

/* The bytes of a rank that an operation reaches; a reservation there is lost, as it may be at any time. */
static void *direct(struct rank *r, uintptr_t address, size_t size)
{
    struct riscv_rank *k = riscv_rank_of(r);
    if (address - RISCV_SCRATCH < sizeof k->scratch)
        return size <= sizeof k->scratch - (address - RISCV_SCRATCH)
                   ? (unsigned char *)&k->scratch + (address - RISCV_SCRATCH)
                   : NULL;
    k->reached++;
    riscv_core_changed(&k->process.core, address, size);
    return riscv_core_bytes(&k->process.core, address, size, RISCV_READ);
}

static void *must(struct rank *r, uintptr_t address, size_t size)
{
    void *at = direct(r, address, size);
    BASE_ASSERT("V1", at);
    return at;
}

static void memory_read(struct rank *r, uintptr_t address, void *out, size_t size)
{
    memcpy(out, must(r, address, size), size);
}

static void memory_write(struct rank *r, uintptr_t address, const void *in, size_t size)
{
    memcpy(must(r, address, size), in, size);
}

static const struct rank_memory memory = {direct, memory_read, memory_write, direct, false};

/* --- life ----------------------------------------------------------------------------------------------- */

static struct riscv_start *start_of(struct riscv_job *job, uint32_t rank)
{
    size_t k = 0;
    while (rank >= job->start[k].part.ranks)
        rank -= job->start[k++].part.ranks;
    return &job->start[k];
}

double riscv_frequency_of(const struct rank *r)
{
    const struct platform *p = fabric_platform(rank_fabric(r->job));
    const char *own = platform_host_property(p, r->host, "riscv/frequency");
    double f = base_settings_number(rank_settings(r->job), "riscv/frequency");
    if (own && base_parse_double(own, &f, NULL))
        f = 0;
    if (!(f >= 1e3 && f <= 1e12))
        base_fatal(BASE_EXIT_INPUT,
                   "host %s: property riscv/frequency=%s: expected 1e3 to 1e12 cycles in a second",
                   platform_host(p, r->host)->name, own ? own : "");
    return f;
}

/* Registers that tell a program who it is (the authors' simulator and their runtime, xbrtime). */
static void set_registers(struct riscv_rank *k, uint32_t ranks)
{
    struct riscv_core *c = &k->process.core;
    c->e[10] = k->rank->id;
    c->e[11] = ranks;
    c->hart = k->rank->id;
    c->x[10] =
        k->process.program && riscv_program_system(k->process.program) == RISCV_SYSTEM_BARE ? k->rank->id : 0;
    c->options = k->job->config.core;
    c->port = &riscv_port;
}

static void prepare(struct rank *r)
{
    struct riscv_job *job = riscv_job_of(r->job);
    struct riscv_rank *k = base_zalloc(sizeof *k, "a core");
    const struct riscv_start *s = start_of(job, r->id);
    struct base_status st;
    k->job = job;
    k->start = s;
    k->rank = r;
    k->me = r->id;
    k->frequency = riscv_frequency_of(r);
    k->look_at = RISCV_FIRST_LOOK;
    k->world = riscv_world;
    k->world.rank = r->id;
    k->world.ranks = rank_count(r->job);
    if (riscv_process_start(&k->process, s->program, &k->world, k, s->part.argv, s->part.envp, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    if (s->part.folder && (k->process.folder = open(s->part.folder, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
        base_fatal(BASE_EXIT_INPUT, "cannot change to the folder %s: %s", s->part.folder, strerror(errno));
    set_registers(k, k->world.ranks);
    if (job->cache != RISCV_CACHE_OFF)
        riscv_cache_begin(k);
    if (riscv_recording)
        riscv_record_attach(k);
    rank_keep(r, &riscv_slot, k);
}

static void release(struct rank *r)
{
    struct riscv_rank *k = riscv_rank_of(r);
    if (!k)
        return;
    riscv_counts_take(k);
    rank_keep(r, &riscv_slot, NULL);
    riscv_cache_end(k);
    riscv_record_detach(k);
    riscv_process_release(&k->process);
    free(k);
}

static void flush_at_end(void *unused)
{
    (void)unused;
    rank_output_flush();
}

/* All cores are there before the first one runs: each may reach any other's memory. */
static void job_begin(struct rank_job *ranks)
{
    riscv_calls_register();
    base_at_fatal(flush_at_end, NULL);
    for (uint32_t k = 0; k < rank_count(ranks); k++)
        prepare(rank_at(ranks, k));
}

/* Cores that were stopped have not told what they counted. */
static void job_end(struct rank_job *ranks)
{
    for (uint32_t k = 0; k < rank_count(ranks); k++)
        if (riscv_rank_of(rank_at(ranks, k)))
            riscv_counts_tell(riscv_rank_of(rank_at(ranks, k)));
    rank_output_flush();
}

static void job_destroy(struct rank_job *ranks)
{
    struct riscv_job *job = riscv_job_of(ranks);
    if (!job)
        return;
    for (uint32_t k = 0; k < rank_count(ranks); k++)
        release(rank_at(ranks, k));
    for (size_t k = 0; k < job->starts; k++) {
        riscv_program_close(job->start[k].program);
        riscv_profile_destroy(job->start[k].profile);
    }
    riscv_barriers_end(job);
    rma_writers_destroy(job->writers);
    rank_set_part(ranks, &riscv_slot, NULL);
    free(job->start);
    free(job);
}

static const struct rank_life life = {
    .job_begin = job_begin, .run = riscv_run, .job_end = job_end, .job_destroy = job_destroy};
static const struct rank_provider provider = {"RISC-V core", &memory, &life, &riscv_names, NULL};

/* --- making --------------------------------------------------------------------------------------------- */

static int open_programs(struct riscv_job *job, const struct riscv_part *part, size_t n,
                         struct base_status *st)
{
    const struct base_settings *s = rank_settings(job->job);
    for (size_t k = 0; k < n; k++) {
        const struct riscv_program_config config = {.path = part[k].path,
                                                    .system = job->config.system,
                                                    .memory = base_settings_count(s, "riscv/memory"),
                                                    .stack = base_settings_count(s, "riscv/stack")};
        struct riscv_start *start = &job->start[k];
        start->part = part[k];
        if (riscv_program_open(&start->program, &config, st))
            return -1;
        job->starts++;
        if (job->config.profile)
            riscv_program_profile(start->program, start->profile = riscv_profile_create());
    }
    return 0;
}

int riscv_attach(struct rank_job *ranks, const struct riscv_config *config, const struct riscv_part *part,
                 size_t n, struct base_status *st)
{
    struct riscv_job *job = base_zalloc(sizeof *job, "job of cores");
    job->job = ranks;
    job->config = *config;
    job->cores.n = rank_count(ranks);
    job->start = base_zalloc(n * sizeof *job->start, "programs of cores");
    job->quantum = base_settings_count(rank_settings(ranks), "riscv/quantum");
    riscv_barriers_begin(job);
    rank_set_part(ranks, &riscv_slot, job);
    if (riscv_cache_mode_read(&job->cache, base_settings_text(rank_settings(ranks), "riscv/cache"), st) ||
        open_programs(job, part, n, st))
        return -1;
    rank_job_supply(ranks, &provider, 0, rank_count(ranks));
    return 0;
}

void riscv_register(void)
{
    static const struct rank_front front = {.name = "riscv", .job_begin = riscv_record_begin};
    rank_slot_register(&riscv_slot, sizeof(void *));
    rank_front_register(&front); /* behind rma's */
}
