/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile: a platform's traces, each read once, and its profiles, which connect a trace to a trait of a host
 * or link. profile_text.c has the format; the fabric acts on them.
 */
#include "platform/model/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct base_setting platform_settings[] = {
    {"path", BASE_TEXT, "", "folders, separated by colons",
     "folders in which the files that a platform names are searched, separated by ':'",
     "SimGrid's option of this name; empty: the current folder"},
};
const size_t platform_settings_count = BASE_LENGTH(platform_settings);

uint32_t platform_trace_add(struct platform *p, struct platform_trace trace)
{
    BASE_ARRAY_PUSH(&p->traces, trace);
    return (uint32_t)p->traces.n - 1;
}

/* --- files -------------------------------------------------------------------------------------- */

static bool is_there(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0;
}

/* `folder`/name if it exists, else NULL. */
static char *in_folder(const char *folder, size_t length, const char *name)
{
    char *path = base_strfmt("%.*s/%s", (int)length, folder, name);
    if (is_there(path))
        return path;
    free(path);
    return NULL;
}

/* Searches like SimGrid: through `path`, or the current
 * folder if that is empty, then next to the platform's file. */
static char *look_for(const struct platform *p, const char *name, const char *path)
{
    const char *slash = strrchr(p->file, '/');
    char *found = NULL;
    if (*name == '/')
        return base_strdup(name);
    if (!path || !*path)
        path = ".";
    for (size_t length; !found && *path; path += length + (path[length] == ':')) {
        length = strcspn(path, ":");
        if (length)
            found = in_folder(path, length, name);
    }
    if (!found && slash)
        found = in_folder(p->file, slash == p->file ? 0 : (size_t)(slash - p->file), name);
    return found ? found : base_strdup(name);
}

/* A platform file may come from anywhere: it must not make us wait for a pipe or a terminal. */
static int file_read(const char *path, char **text, size_t *size, struct base_status *st)
{
    struct stat file;
    if (stat(path, &file))
        return base_fail(st, "%s: cannot open: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode))
        return base_fail(st, "%s: not a regular file", path);
    return platform_file_read(path, text, size, st);
}

static int file_parse(struct platform *p, const char *path, uint32_t *trace, struct base_status *st)
{
    struct base_status why;
    struct platform_trace t;
    char *text;
    size_t size;
    uint32_t line;
    if (file_read(path, &text, &size, st))
        return -1;
    int rc = platform_trace_parse(&t, text, size, -1, &line, &why);
    free(text);
    if (rc)
        return base_fail(st, "%s:%u: %s", path, line, why.text);
    *trace = platform_trace_add(p, t);
    return 0;
}

int platform_trace_of_file(struct platform *p, const char *name, const char *path, uint32_t *trace,
                           struct base_status *st)
{
    struct platform_named known;
    if (platform_names_find(p->names, PLATFORM_TRACE_FILES, name, strlen(name), &known)) {
        *trace = known.id;
        return 0;
    }
    char *file = look_for(p, name, path);
    int rc = file_parse(p, file, trace, st);
    free(file);
    if (rc)
        return -1;
    const char *kept = platform_names_keep(p->names, name, strlen(name));
    platform_names_add(p->names, PLATFORM_TRACE_FILES, (struct platform_named){kept, *trace, 0}, &known);
    return 0;
}

/* --- profiles ----------------------------------------------------------------------------------- */

void platform_profile_add(struct platform *p, enum platform_trait trait, uint32_t id, uint32_t trace,
                          uint32_t line)
{
    const struct platform_trace *t = &p->traces.at[trace];
    struct platform_profile new = {
        .trait = trait, .id = id, .changes = t->changes, .n = t->n, .period = t->period};
    BASE_ARRAY_PUSH(&p->profiles, new);
    BASE_ARRAY_PUSH(&p->profile_lines, line);
}

static bool is_of_host(enum platform_trait trait)
{
    return trait == PLATFORM_SPEED || trait == PLATFORM_HOST_STATE;
}

static const char *const trait_words[] = {"speed", "state", "bandwidth", "latency", "state"};

static const char *name_of(const struct platform *p, const struct platform_profile *a)
{
    return is_of_host(a->trait) ? p->hosts.at[a->id].name : platform_link(p, a->id)->name;
}

static int second_fail(const struct platform *p, const struct platform_profile *a, struct base_status *st)
{
    return base_fail(st, "a second profile of the %s of %s '%.80s'", trait_words[a->trait],
                     is_of_host(a->trait) ? "host" : "link", name_of(p, a));
}

/* A factor of the speed is 0 (the host is off) or one that leaves a speed; a state is off for any value that
 * is not above 0. */
static int value_check(enum platform_trait trait, double value, struct base_status *st)
{
    char text[32];
    struct base_number x = {.number = value};
    snprintf(text, sizeof text, "%.15g", value);
    switch (trait) {
    case PLATFORM_SPEED:
        return base_range_check(BASE_DOUBLE, "0 or " BASE_FACTORS, &x, text, st);
    case PLATFORM_BANDWIDTH:
        return base_within(BASE_BANDWIDTH, value, text, st);
    case PLATFORM_LATENCY:
        return base_within(BASE_TIME, value, text, st);
    case PLATFORM_HOST_STATE:
    case PLATFORM_LINK_STATE:
        break;
    }
    return 0;
}

static int values_check(const struct platform *p, const struct platform_profile *a, struct base_status *st)
{
    struct base_status why;
    for (uint32_t k = 0; k < a->n; k++)
        if (value_check(a->trait, a->changes[k].value, &why))
            return base_fail(st, "the profile of the %s of %s '%.80s' at %g s: %s", trait_words[a->trait],
                             is_of_host(a->trait) ? "host" : "link", name_of(p, a), a->changes[k].at,
                             why.text);
    return 0;
}

int platform_profiles_seal(struct platform *p, uint32_t *line, struct base_status *st)
{
    if (!p->profiles.n)
        return 0;
    size_t things = p->hosts.n > p->links.n ? p->hosts.n : p->links.n;
    uint8_t *seen = base_zalloc(things, "profiles"); /* by number, a set of traits */
    int rc = 0;
    for (size_t k = 0; k < p->profiles.n && rc == 0; k++) {
        const struct platform_profile *a = &p->profiles.at[k];
        *line = p->profile_lines.at[k];
        rc = seen[a->id] & 1u << a->trait ? second_fail(p, a, st) : values_check(p, a, st);
        seen[a->id] |= (uint8_t)(1u << a->trait);
    }
    free(seen);
    return rc;
}

void platform_profiles_release(struct platform *p)
{
    for (size_t k = 0; k < p->traces.n; k++)
        free(p->traces.at[k].changes);
    free(p->traces.at);
    free(p->profiles.at);
    free(p->profile_lines.at);
    free(p->disks.at);
    for (size_t k = 0; k < p->pstates.n; k++)
        free(p->pstates.at[k].speed);
    free(p->pstates.at);
}

uint32_t platform_profile_count(const struct platform *p)
{
    return (uint32_t)p->profiles.n;
}

const struct platform_profile *platform_profile_at(const struct platform *p, uint32_t k)
{
    return &p->profiles.at[k];
}

/* --- disks -------------------------------------------------------------------------------------- */

uint32_t platform_disk_count(const struct platform *p)
{
    return (uint32_t)p->disks.n;
}

const struct platform_disk *platform_disk(const struct platform *p, uint32_t k)
{
    return &p->disks.at[k];
}

/* --- for people --------------------------------------------------------------------------------- */

static void print_profile(const struct platform *p, const struct platform_profile *a, FILE *out)
{
    fprintf(out, "  profile of the %s of %s %s: %u change%s", trait_words[a->trait],
            is_of_host(a->trait) ? "host" : "link", name_of(p, a), a->n, a->n == 1 ? "" : "s");
    if (a->period > 0)
        fprintf(out, ", again every %g s", a->period);
    fputc('\n', out);
}

static void print_disk(const struct platform *p, const struct platform_disk *d, FILE *out)
{
    char reads[32], writes[32];
    fprintf(out, "  disk %s of host %s: reads %sB/s, writes %sB/s\n", d->name, p->hosts.at[d->host].name,
            base_show_count(reads, d->read_bandwidth), base_show_count(writes, d->write_bandwidth));
}

void platform_varying_print(const struct platform *p, uint32_t shown, FILE *out)
{
    for (size_t k = 0; k < p->disks.n && k < shown; k++)
        print_disk(p, &p->disks.at[k], out);
    if (p->disks.n > shown)
        fprintf(out, "  ... and %zu more disks\n", p->disks.n - shown);
    for (size_t k = 0; k < p->profiles.n && k < shown; k++)
        print_profile(p, &p->profiles.at[k], out);
    if (p->profiles.n > shown)
        fprintf(out, "  ... and %zu more profiles\n", p->profiles.n - shown);
}
