/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats: reads the files that the S-DSM's library writes on a real MPI, one for each process. Files of a
 * folder that do not begin as these do are left alone. A file that ends early, because its process was
 * killed, is read as far as it goes.
 */
#include "report/sdsm/sdsm.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MOST = 1 << 20, NAME = 32 };

/* --- a line --------------------------------------------------------------------------------------- */

/* A whole number, with or without a sign, of up to 64 bits either way: ids of chunks may be above
 * INT64_MAX. */
static bool read_value(const char **at, int64_t *value)
{
    char *end;
    const char *from = *at + (**at == '-');
    if (*from < '0' || *from > '9')
        return false;
    errno = 0;
    *value = **at == '-' ? strtoll(*at, &end, 10) : (int64_t)strtoull(*at, &end, 10);
    if (errno || (*end != ' ' && *end != '\n' && *end))
        return false;
    *at = end;
    return true;
}

static bool read_time(const char **at, double *time)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    *time = strtod(*at, &end);
    if (*end != ' ' || !isfinite(*time))
        return false;
    *at = end + 1;
    return true;
}

static const char *read_name(const char **at)
{
    char name[NAME];
    size_t n = strcspn(*at, " \n");
    if (n >= sizeof name)
        return NULL;
    memcpy(name, *at, n);
    name[n] = 0;
    *at += n;
    return sdsm_event_name(name);
}

/* NULL, or what is wrong. */
static const char *read_event(const char *at, struct sdsm_event *ev)
{
    if (!read_time(&at, &ev->time))
        return "expected a time in seconds and the name of an event";
    if (!(ev->name = read_name(&at)))
        return "there is no event of this name";
    for (ev->n = 0; *at == ' ';) {
        at++;
        if (ev->n == BASE_LENGTH(ev->value))
            return "an event has at most 8 values";
        if (!read_value(&at, &ev->value[ev->n++]))
            return "values are whole numbers of 64 bits";
    }
    return *at == '\n' ? NULL : "the line has no end";
}

/* --- a file --------------------------------------------------------------------------------------- */

static bool read_head(const char *text, uint32_t *rank, uint32_t *processes)
{
    unsigned version;
    uint32_t r, n;
    int used = 0;
    if (sscanf(text, "# sat-stats %u rank %" SCNu32 " of %" SCNu32 "%n", &version, &r, &n, &used) != 3)
        return false;
    *rank = r;
    *processes = n;
    return version == 1 && text[used] == '\n' && r < n && n <= PROCESSES_MOST;
}

bool sdsm_stats_parse(struct sdsm_stats *s, const char *text, uint32_t *rank, struct base_status *st)
{
    uint32_t processes;
    unsigned line = 1;
    st->text[0] = 0;
    if (!read_head(text, rank, &processes))
        return false;
    s->processes = processes;
    for (const char *at = strchr(text, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
        struct sdsm_event ev = {.rank = *rank};
        const char *wrong = read_event(at, &ev);
        line++;
        if (wrong) {
            base_fail(st, "%u: %s", line, wrong);
            break;
        }
        BASE_ARRAY_PUSH(&s->events, ev);
    }
    return true;
}

/* NULL: it cannot be read. */
static char *read_text(const char *path)
{
    FILE *in = fopen(path, "re");
    char *text = NULL;
    size_t n = 0, cap = 0;
    if (!in)
        return NULL;
    do {
        text = base_array_grow(text, &cap, n + 65536, 1, "statistics of the S-DSM");
        n += fread(text + n, 1, cap - n - 1, in);
    } while (!feof(in) && !ferror(in));
    text[n] = 0;
    fclose(in);
    return text;
}

/* --- a folder ------------------------------------------------------------------------------------- */

struct reading {
    struct sdsm_stats *s;
    uint32_t files, processes;
    struct base_table ranks; /* that have been read */
    struct base_status *st;
};

static int add_text(struct reading *r, const char *path, const char *text)
{
    struct base_status st;
    uint32_t rank;
    bool fresh;
    if (!sdsm_stats_parse(r->s, text, &rank, &st))
        return 0; /* another kind of file */
    if (r->files++ && r->s->processes != r->processes)
        return base_fail(r->st, "%s: of %u processes; other files of the folder are of %u", path,
                         r->s->processes, r->processes);
    r->processes = r->s->processes;
    base_table_add(&r->ranks, rank, &fresh);
    if (!fresh)
        return base_fail(r->st, "%s: another file of the folder is of rank %u, too", path, rank);
    if (*st.text && !r->s->damage)
        r->s->damage = base_strfmt("%s:%s", path, st.text);
    return 0;
}

static int add_file(struct reading *r, const char *folder, const struct dirent *d)
{
    if (d->d_name[0] == '.' || (d->d_type != DT_REG && d->d_type != DT_LNK && d->d_type != DT_UNKNOWN))
        return 0;
    char *path = base_strfmt("%s/%s", folder, d->d_name), *text = read_text(path);
    int status = text ? add_text(r, path, text) : 0;
    free(text);
    free(path);
    return status;
}

/* Events by time, those of one process as they are in its file. */
struct turn {
    double time;
    uint32_t rank;
    size_t event;
};

static int by_time(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static void sort(struct sdsm_stats *s)
{
    size_t n = s->events.n;
    struct turn *turns = base_alloc((n + 1) * sizeof *turns, "statistics of the S-DSM");
    struct sdsm_event *sorted = base_alloc((n + 1) * sizeof *sorted, "statistics of the S-DSM");
    for (size_t k = 0; k < n; k++)
        turns[k] = (struct turn){s->events.at[k].time, s->events.at[k].rank, k};
    qsort(turns, n, sizeof *turns, by_time);
    for (size_t k = 0; k < n; k++)
        sorted[k] = s->events.at[turns[k].event];
    free(turns);
    free(s->events.at);
    s->events.at = sorted;
    s->events.cap = n + 1;
}

static int read_folder(struct reading *r, const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return base_fail(r->st, "%s: %s", folder, strerror(errno));
    int status = 0;
    for (const struct dirent *d; !status && (d = readdir(dir));)
        status = add_file(r, folder, d);
    closedir(dir);
    if (!status && !r->files)
        return base_fail(r->st, "%s: no file in this folder begins with \"# sat-stats 1 rank R of N\"",
                         folder);
    return status;
}

int sdsm_stats_read(struct sdsm_stats *s, const char *folder, struct base_status *st)
{
    *s = (struct sdsm_stats){0};
    struct reading r = {.s = s, .st = st};
    base_table_init(&r.ranks, BASE_NUMBERS, 0, "statistics of the S-DSM");
    int status = read_folder(&r, folder);
    base_table_release(&r.ranks);
    if (status) {
        sdsm_stats_release(s);
        return -1;
    }
    if (!s->damage && r.files < r.processes)
        s->damage = base_strfmt("files of only %u of %u processes", r.files, r.processes);
    sort(s);
    return 0;
}

void sdsm_stats_release(struct sdsm_stats *s)
{
    free(s->events.at);
    free(s->damage);
    *s = (struct sdsm_stats){0};
}
