/* SPDX-License-Identifier: BSD-3-Clause */
/* files: what the four figures show, as tables of comma-separated values, for other tools; and the
 * figures. */
#include "report/sdsm/chart.h"

#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void write_volume(const struct report_sdsm *s, uint32_t rank, FILE *out)
{
    (void)rank;
    fputs("sender,receiver,type,messages,bytes\n", out);
    for (uint32_t k = 0; k < s->processes; k++)
        for (size_t i = 0; i < s->process[k].sent.n; i++) {
            const struct sdsm_sent *t = &s->process[k].sent.at[i];
            fprintf(out, "%u,%u,%s,%" PRIu64 ",%" PRIu64 "\n", k, t->peer, sdsm_type_text(t->type),
                    t->messages, t->bytes);
        }
}

static void write_time(const struct report_sdsm *s, uint32_t rank, FILE *out)
{
    (void)rank;
    fputs("process,role,server,user,sdsm,sync,sleep,joules\n", out);
    for (uint32_t k = 0; k < s->processes; k++) {
        const struct sdsm_process *p = &s->process[k];
        if (!p->seen)
            continue;
        fprintf(out, "%u,%" PRId64 ",%" PRId64, k, p->role, p->server);
        for (int c = 0; c < SDSM_CLASSES; c++)
            fprintf(out, ",%.9f", p->time[c]);
        fprintf(out, ",%.6f\n", p->joules);
    }
}

static void write_allocation(const struct report_sdsm *s, uint32_t rank, FILE *out)
{
    (void)rank;
    fputs("process,time,chunk,event,chunks,footprint\n", out);
    for (uint32_t k = 0; k < s->processes; k++)
        for (size_t i = 0; i < s->process[k].allocations.n; i++) {
            const struct sdsm_allocation *a = &s->process[k].allocations.at[i];
            fprintf(out, "%u,%.9f,%" PRIu64 ",%s,%u,%u\n", k, a->time, sdsm_chunk_at(s, a->chunk)->id,
                    sdsm_alloc_text((enum sdsm_alloc)a->kind), a->chunks, a->footprint);
        }
}

static void write_accesses(const struct report_sdsm *s, uint32_t rank, FILE *out)
{
    (void)rank;
    fputs("process,chunk,mode,outcome,begin,granted,end,bytes\n", out);
    for (uint32_t k = 0; k < s->processes; k++)
        for (size_t i = 0; i < s->process[k].scopes.n; i++) {
            const struct sdsm_scope *a = &s->process[k].scopes.at[i];
            fprintf(out, "%u,%" PRIu64 ",%s,%s,%.9f,", k, sdsm_chunk_at(s, a->chunk)->id,
                    sdsm_mode_text((enum sdsm_mode)a->mode),
                    !a->granted ? "waits"
                    : a->hit    ? "hit"
                                : "miss",
                    a->begin);
            if (a->granted)
                fprintf(out, "%.9f", a->begin + (double)a->wait);
            fputc(',', out);
            if (a->ended)
                fprintf(out, "%.9f", a->end);
            fprintf(out, ",%" PRIu64 "\n", a->bytes);
        }
}

/* --- pictures ------------------------------------------------------------------------------------- */

static void write_volume_svg(const struct report_sdsm *s, uint32_t rank, FILE *out)
{
    (void)rank;
    chart_volume(s, out);
}

static void write_time_svg(const struct report_sdsm *s, uint32_t rank, FILE *out)
{
    (void)rank;
    chart_times(s, out);
}

static void write_allocation_svg(const struct report_sdsm *s, uint32_t rank, FILE *out)
{
    chart_allocation(s, rank, s->end, out);
}

static void write_accesses_svg(const struct report_sdsm *s, uint32_t rank, FILE *out)
{
    chart_accesses(s, rank, s->end, out);
}

/* --- files ---------------------------------------------------------------------------------------- */

typedef void (*write_fn)(const struct report_sdsm *s, uint32_t rank, FILE *out);

static int write_file(const struct report_sdsm *s, const char *folder, const char *name, write_fn fn,
                      uint32_t rank, struct base_status *st)
{
    struct base_output o;
    char *path = base_strfmt("%s/%s", folder, name);
    int status = base_output_open(&o, path, st);
    if (!status) {
        fn(s, rank, o.out);
        status = base_output_commit(&o, st);
    }
    free(path);
    return status;
}

static int write_process(const struct report_sdsm *s, const char *folder, uint32_t rank,
                         struct base_status *st)
{
    char name[40];
    int status = 0;
    snprintf(name, sizeof name, "allocation-%u.svg", rank);
    if (s->process[rank].allocations.n)
        status = write_file(s, folder, name, write_allocation_svg, rank, st);
    snprintf(name, sizeof name, "accesses-%u.svg", rank);
    return status ? status : write_file(s, folder, name, write_accesses_svg, rank, st);
}

int sdsm_write_files(const struct report_sdsm *s, const char *folder, struct base_status *st)
{
    static const struct {
        const char *name;
        write_fn fn;
    } files[] = {{"volume.csv", write_volume},         {"time.csv", write_time},
                 {"allocation.csv", write_allocation}, {"accesses.csv", write_accesses},
                 {"volume.svg", write_volume_svg},     {"time.svg", write_time_svg}};
    if (mkdir(folder, 0777) && errno != EEXIST)
        return base_fail(st, "%s: %s", folder, strerror(errno));
    for (size_t k = 0; k < BASE_LENGTH(files); k++)
        if (write_file(s, folder, files[k].name, files[k].fn, 0, st))
            return -1;
    for (uint32_t k = 0, drawn = 0; k < s->processes && drawn < SDSM_DRAWN_MOST; k++) {
        if (!s->process[k].scopes.n)
            continue;
        if (write_process(s, folder, k, st))
            return -1;
        drawn++;
    }
    return 0;
}
