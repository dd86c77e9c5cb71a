/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats: the statistics stream (the paper's section 3.1). Events go to the trace of a simulated run, and with
 * --sat-stats DIR to a file per process: a head line, then `TIME NAME VALUE ...`. At the end the classes of
 * time, the energy, and, with --sat-summary, a file about all processes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sdsm/internal.h"

bool sat_stats_on;

static const struct {
    const char *name, *fields;
    int n;
} events[SAT_EVENTS] = {
    [SAT_EV_PROCESS] = {"sat.process", "role server", 2},
    [SAT_EV_ALLOC] = {"sat.alloc", "chunk bytes kind chunks footprint", 5},
    [SAT_EV_ACQUIRE] = {"sat.acquire", "chunk mode protocol", 3},
    [SAT_EV_GRANTED] = {"sat.granted", "chunk mode hit bytes", 4},
    [SAT_EV_RELEASE] = {"sat.release", "chunk mode first end changed size", 6},
    [SAT_EV_SENT] = {"sat.sent", "peer type messages bytes", 4},
    [SAT_EV_TIME] = {"sat.time", "user sdsm sync sleep", 4},
    [SAT_EV_ENERGY] = {"sat.energy", "microjoules", 1},
    [SAT_EV_WAIT] = {"sat.wait", "kind id", 2},
    [SAT_EV_WOKEN] = {"sat.woken", "kind id", 2},
    [SAT_EV_NOTIFY] = {"sat.notify", "chunk", 1},
};

struct sat_stats {
    int types[SAT_EVENTS];
    bool traced;
    FILE *file;
    char *path;
};

void sat_stats_write(enum sat_event event, const long long *values)
{
    struct sat_stats *s = sdsm->stats;
    if (s->traced)
        sat_host_event(s->types[event], values);
    if (!s->file)
        return;
    fprintf(s->file, "%.9f %s", MPI_Wtime() - sdsm->started, events[event].name);
    for (int k = 0; k < events[event].n; k++)
        fprintf(s->file, " %llu", (unsigned long long)values[k]);
    fputc('\n', s->file);
}

static void open_file(struct sat_stats *s)
{
    const char *folder = sdsm->options.stats;
    size_t n = strlen(folder) + 32;
    if (mkdir(folder, 0777) && errno != EEXIST)
        sat_fail(SAT_STATUS_INPUT, NULL, "--sat-stats %s: cannot make the folder: %s", folder,
                 strerror(errno));
    s->path = sat_alloc(n);
    snprintf(s->path, n, "%s/rank-%d.sat", folder, sdsm->id);
    s->file = fopen(s->path, "we");
    if (!s->file)
        sat_fail(SAT_STATUS_INPUT, NULL, "%s: cannot write it: %s", s->path, strerror(errno));
    fprintf(s->file, "# sat-stats 1 rank %d of %d\n", sdsm->id, sdsm->np);
}

void sat_stats_start(void)
{
    struct sat_stats *s = sdsm->stats = sat_alloc(sizeof *s);
    s->traced = sat_host_event_wanted();
    for (int k = 0; k < SAT_EVENTS && s->traced; k++)
        s->types[k] = sat_host_event_type(events[k].name, events[k].fields);
    if (sdsm->options.stats)
        open_file(s);
    sat_stats_on = s->traced || s->file;
    sdsm->timed = sat_stats_on || sdsm->options.summary;
    sat_time_start();
    SAT_EVENT(SAT_EV_PROCESS, sdsm->role, sdsm->role ? sdsm->server : -1);
}

/* --- the end -------------------------------------------------------------------------------------- */

/* What the seed collects of each process. */
struct total {
    double time[SAT_CLASSES], energy, elapsed;
    int role;
    char host[64];
};

static struct total total_of(void)
{
    struct total t = {.role = sdsm->role, .elapsed = MPI_Wtime() - sdsm->started};
    char host[MPI_MAX_PROCESSOR_NAME];
    int n;
    for (int k = 0; k < SAT_CLASSES; k++) {
        t.time[k] = sdsm->time[k];
        t.energy += sdsm->time[k] * sdsm->options.power[k];
    }
    MPI_Get_processor_name(host, &n);
    snprintf(t.host, sizeof t.host, "%.*s", (int)sizeof t.host - 1, host);
    return t;
}

static void print_summary(FILE *f, const struct total *all)
{
    double time = 0, energy = 0;
    for (int k = 0; k < sdsm->np; k++) {
        time = all[k].elapsed > time ? all[k].elapsed : time;
        energy += all[k].energy;
    }
    fprintf(f, "{\"time\": %.9g, \"energy\": %.9g, \"processes\": [", time, energy);
    for (int k = 0; k < sdsm->np; k++)
        fprintf(f,
                "%s\n {\"rank\": %d, \"role\": %d, \"host\": \"%s\", \"user\": %.9g, \"sdsm\": %.9g, "
                "\"sync\": %.9g, "
                "\"sleep\": %.9g, \"energy\": %.9g}",
                k ? "," : "", k, all[k].role, all[k].host, all[k].time[SAT_USER], all[k].time[SAT_SDSM],
                all[k].time[SAT_SYNC], all[k].time[SAT_SLEEP], all[k].energy);
    fputs("]}\n", f);
}

static void write_summary(const struct total *mine)
{
    struct total *all = sdsm->id ? NULL : sat_alloc((size_t)sdsm->np * sizeof *all);
    MPI_Gather(mine, sizeof *mine, MPI_BYTE, all, sizeof *mine, MPI_BYTE, 0, sdsm->comm);
    if (!all)
        return;
    FILE *f = fopen(sdsm->options.summary, "we");
    if (f)
        print_summary(f, all);
    if (!f || ferror(f) | fclose(f))
        sat_fail(SAT_STATUS_INPUT, NULL, "--sat-summary %s: cannot write it: %s", sdsm->options.summary,
                 strerror(errno));
    free(all);
}

void sat_stats_end(void)
{
    struct sat_stats *s = sdsm->stats;
    sat_enter(sdsm->class == SAT_SDSM ? SAT_USER : SAT_SDSM); /* the class that was open is counted */
    sat_enter(SAT_SDSM);
    struct total t = {0};
    if (sdsm->timed)
        t = total_of();
    SAT_EVENT(SAT_EV_TIME, (long long)(t.time[SAT_USER] * 1e9), (long long)(t.time[SAT_SDSM] * 1e9),
              (long long)(t.time[SAT_SYNC] * 1e9), (long long)(t.time[SAT_SLEEP] * 1e9));
    SAT_EVENT(SAT_EV_ENERGY, (long long)(t.energy * 1e6));
    if (sat_stats_on)
        sat_transport_tell();
    if (sdsm->options.summary)
        write_summary(&t);
    if (s->file && (ferror(s->file) | fclose(s->file)))
        sat_fail(SAT_STATUS_INPUT, NULL, "%s: cannot write it: %s", s->path, strerror(errno));
    free(s->path);
    free(s);
    sat_stats_on = false;
}
