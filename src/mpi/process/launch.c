/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch: the root's part of a call that starts processes: files, folders, free slots, info keys (MPI-5.0 section 11.8.4).
 * Ranks come in the order of the commands. Each takes a free slot: a slot of the host that no living rank has.
 */
#include "mpi/info/info.h"
#include "mpi/process/process.h"
#include "rank/slots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* What is being made of the commands. */
struct launch {
    struct mpi_call *c;
    struct mpi_crossing *out; /* the first error */
    uint32_t *taken;          /* slots of each host, in this call */
    struct rank_start *start;
};

/* --- slots ------------------------------------------------------------------------------------------------ */

/* The slots that a list of hosts or a hostfile names. -1: `out` says what is wrong. */
static int named_slots(struct launch *l, const char *hosts, const char *hostfile, struct rank_slots *s)
{
    enum { SLOTS_MOST = 1 << 24 };
    const struct platform *p = fabric_platform(rank_fabric(l->c->rank->job));
    const struct platform_where where = {.hosts = hosts, .hostfile = hostfile, .map = PLATFORM_MAP_CORE};
    struct platform_placement placed;
    struct base_status st;
    uint32_t first;
    if (platform_place_where(p, 1, &where, &first, &placed, &st)) {
        mpi_crossing_fail(l->out, MPI_ERR_SPAWN, "%s", st.text);
        return -1;
    }
    s->n = placed.slots < SLOTS_MOST ? (uint32_t)placed.slots : SLOTS_MOST;
    uint32_t *host = base_alloc(s->n * sizeof *host, "hosts of slots");
    (void)platform_place_where(p, s->n, &where, host, &placed, &st);
    s->host = host;
    return 0;
}

static void take(struct launch *l, const struct mpi_command *k, const char *soft, const struct rank_slots *s,
                 struct rank_start *start)
{
    uint32_t *host = base_alloc(((size_t)k->maxprocs + 1) * sizeof *host, "hosts of ranks");
    uint32_t free_slots = rank_slots_take(l->c->rank->job, s, (uint32_t)k->maxprocs, host, l->taken);
    int64_t n = free_slots == (uint32_t)k->maxprocs ? k->maxprocs : -1;
    if (soft)
        n = mpi_soft_most(soft, free_slots);
    start->host = host;
    start->ranks = n > 0 ? (uint32_t)n : 0;
    if (soft && n == -2)
        mpi_crossing_fail(l->out, MPI_ERR_INFO_VALUE,
                          "soft is \"%s\": expected numbers a, a:b or a:b:c, separated by commas", soft);
    else if (n < 0)
        mpi_crossing_fail(
            l->out, MPI_ERR_SPAWN, "%d processes of %s are to be started%s%s, and %u of %u slots are free",
            k->maxprocs, k->command, soft ? ", or fewer: " : "", soft ? soft : "", free_slots, s->n);
}

static int find_slots(struct launch *l, const struct mpi_command *k, const struct mpi_info *info,
                      struct rank_start *start)
{
    const char *hosts = mpi_info_value(info, "host"), *hostfile = mpi_info_value(info, "hostfile");
    struct rank_slots s = *rank_slots_of(l->c->rank);
    bool named = hosts || hostfile;
    if (named && named_slots(l, hosts, hosts ? NULL : hostfile, &s))
        return -1;
    take(l, k, mpi_info_value(info, "soft"), &s, start);
    if (named)
        free((uint32_t *)(uintptr_t)s.host);
    return l->out->error ? -1 : 0;
}

/* --- files ------------------------------------------------------------------------------------------------ */

static int find_folder(struct launch *l, const struct mpi_info *info, struct rank_start *start)
{
    const char *folder = mpi_info_value(info, "wdir");
    if (!folder)
        return 0;
    start->folder = realpath(folder, NULL);
    if (!start->folder)
        mpi_crossing_fail(l->out, MPI_ERR_SPAWN, "wdir %s: %s", folder, strerror(errno));
    return start->folder ? 0 : -1;
}

static int find_program(struct launch *l, const struct mpi_command *k, const struct mpi_info *info,
                        struct rank_start *start)
{
    struct utsname system;
    const char *arch = mpi_info_value(info, "arch");
    if (arch && !uname(&system) && strcmp(arch, system.machine) != 0) {
        mpi_crossing_fail(l->out, MPI_ERR_SPAWN, "arch is %s: all hosts are %s", arch, system.machine);
        return -1;
    }
    start->program = mpi_command_find(k->command, start->folder, mpi_info_value(info, "path"));
    if (!start->program)
        mpi_crossing_fail(l->out, MPI_ERR_SPAWN, "there is no program %s%s%s", k->command,
                          start->folder ? " for " : "", start->folder ? start->folder : "");
    return start->program ? 0 : -1;
}

static void give_words(const struct mpi_command *k, struct rank_start *start)
{
    size_t n = 0;
    while (k->argv && k->argv[n])
        n++;
    char **words = base_zalloc((n + 2) * sizeof *words, "arguments");
    words[0] = (char *)(uintptr_t)k->command;
    for (size_t i = 0; i < n; i++)
        words[i + 1] = k->argv[i];
    start->argv = words;
}

/* --- of players ------------------------------------------------------------------------------------------- */

/* As many as in the recorded run: where slots are free, and if these are too few, on all slots by turns. */
static void take_played(struct launch *l, const struct mpi_command *k, const struct rank_slots *s,
                        struct rank_start *start)
{
    static const char key[] = "replay/crowded-start";
    uint32_t n = (uint32_t)k->maxprocs, *host = base_alloc(((size_t)n + 1) * sizeof *host, "hosts of ranks");
    uint32_t found = rank_slots_take(l->c->rank->job, s, n, host, l->taken);
    if (found < n && !base_warn_again(key))
        base_notice(key, "rank %u starts %u processes, and %u of %u slots are free: they share cores",
                    l->c->rank->id, n, found, s->n);
    for (uint32_t at = 0; found < n; at++) {
        host[found++] = s->host[at % s->n];
        l->taken[s->host[at % s->n]]++;
    }
    start->host = host;
    start->ranks = n;
}

/* There is no program. Hosts of the info object that the platform has not are none. */
static void prepare_played(struct launch *l, const struct mpi_command *k, struct rank_start *start)
{
    const struct mpi_info *info = mpi_info_find(l->c->self, k->info);
    const char *hosts = mpi_info_value(info, "host"), *hostfile = mpi_info_value(info, "hostfile");
    struct rank_slots s = *rank_slots_of(l->c->rank);
    struct mpi_crossing none = {0};
    struct launch named = {.c = l->c, .out = &none};
    bool has = (hosts || hostfile) && !named_slots(&named, hosts, hosts ? NULL : hostfile, &s);
    take_played(l, k, &s, start);
    if (has)
        free((uint32_t *)(uintptr_t)s.host);
}

/* --- all commands ----------------------------------------------------------------------------------------- */

static int prepare(struct launch *l, const struct mpi_command *k, struct rank_start *start)
{
    const struct mpi_info *info = mpi_info_find(l->c->self, k->info);
    if (l->c->rank->memory->nowhere) {
        prepare_played(l, k, start);
        return 0;
    }
    if (!info && k->info != MPI_INFO_NULL)
        mpi_crossing_fail(l->out, MPI_ERR_INFO, "%#lx is no info object", (unsigned long)(uintptr_t)k->info);
    else if (!k->command || !*k->command)
        mpi_crossing_fail(l->out, MPI_ERR_ARG, "the command is %s", k->command ? "empty" : "NULL");
    else if (k->maxprocs < 0)
        mpi_crossing_fail(l->out, MPI_ERR_ARG, "%s is to be started %d times: expected 0 or more", k->command,
                          k->maxprocs);
    if (l->out->error || find_folder(l, info, start) || find_program(l, k, info, start))
        return -1;
    give_words(k, start);
    return find_slots(l, k, info, start);
}

static void release(struct launch *l, int n)
{
    for (int k = 0; k < n; k++) {
        free((char **)(uintptr_t)l->start[k].argv);
        free((char *)(uintptr_t)l->start[k].program);
        free((char *)(uintptr_t)l->start[k].folder);
        free((uint32_t *)(uintptr_t)l->start[k].host);
    }
    free(l->start);
    free(l->taken);
}

/* --- starting --------------------------------------------------------------------------------------------- */

static uint32_t start_all(struct launch *l, int n, uint32_t *first, uint32_t *started)
{
    struct rank *r = l->c->rank;
    const struct base_settings *s = rank_settings(r->job);
    uint32_t total = 0;
    struct base_status st;
    for (int k = 0; k < n; k++)
        total += started[k] = l->start[k].ranks;
    double when = engine_now(r->engine) + base_settings_number(s, "spawn/time") +
                  total * base_settings_number(s, "spawn/time-process");
    if (total && rank_start_others(r, l->start, (size_t)n, when, first, &st)) {
        mpi_crossing_fail(l->out, MPI_ERR_SPAWN, "%s", st.text);
        return 0;
    }
    r->ahead_until = when;
    rank_catch_up(r);
    return total;
}

uint32_t mpi_launch(struct mpi_call *c, const struct mpi_command *command, int n, uint32_t *first,
                    uint32_t *started, struct mpi_crossing *o)
{
    uint32_t hosts = platform_host_count(fabric_platform(rank_fabric(c->rank->job)));
    struct launch l = {.c = c, .out = o};
    uint32_t total = 0;
    if (!rank_job_config(c->rank->job)->later) {
        mpi_crossing_fail(o, MPI_ERR_SPAWN, "the job has no room for more processes (--set spawn/most=N)");
        return 0;
    }
    l.taken = base_zalloc(hosts * sizeof *l.taken, "slots of hosts");
    l.start = base_zalloc(((size_t)n + 1) * sizeof *l.start, "processes to be started");
    for (int k = 0; k < n && !o->error; k++)
        (void)prepare(&l, &command[k], &l.start[k]);
    if (!o->error)
        total = start_all(&l, n, first, started);
    release(&l, n);
    return total;
}
