/* SPDX-License-Identifier: BSD-3-Clause */
/* facts: what rows say beside their times: when and on which machine they were made, by which MPI or pgasim. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "sweep/validate/parts.h"

enum { LINE = 200 };

/* The first (or last) line that a shell's command prints, in the file's folder; NULL: none. */
static char *line_of(const struct validate *v, const char *command, bool last)
{
    char line[LINE], kept[LINE] = "";
    struct base_text t;
    base_text_init(&t, "a command");
    const char *const words[] = {v->main.folder, NULL};
    base_text_add(&t, "cd");
    base_text_shell_words(&t, words);
    base_text_format(&t, " && { %s\n} 2>/dev/null </dev/null", command);
    char *all = base_text_take(&t);
    FILE *in = popen(all, "r");
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        if (last ? *line : !*kept)
            memcpy(kept, line, sizeof kept);
    }
    if (in)
        (void)pclose(in);
    free(all);
    return *kept ? base_strdup(kept) : NULL;
}

/* What the compiler's mpi.h says. */
static char *version_of_header(const struct validate *v)
{
    int major, minor, release;
    char mpich[40];
    char *command = base_strfmt("printf '#include <mpi.h>\\nOMPI_MAJOR_VERSION OMPI_MINOR_VERSION "
                                "OMPI_RELEASE_VERSION MPICH_VERSION\\n' | %s -E -P -x c -",
                                v->file->real_cc.at);
    char *line = line_of(v, command, true), *out = NULL;
    if (line && sscanf(line, "%d %d %d", &major, &minor, &release) == 3)
        out = base_strfmt("Open MPI %d.%d.%d", major, minor, release);
    else if (line && sscanf(line, "%*s %*s %*s \"%39[^\"]\"", mpich) == 1)
        out = base_strfmt("MPICH %s", mpich);
    free(line);
    free(command);
    return out;
}

void validate_facts_read(struct validate *v)
{
    struct utsname host;
    if (!uname(&host)) {
        v->machine = base_strfmt("%s, %ld CPUs", host.nodename, sysconf(_SC_NPROCESSORS_ONLN));
        v->kernel = base_strfmt("%s %s %s", host.sysname, host.release, host.machine);
    }
    if (v->q->simulate_only || v->q->dry_run)
        return;
    v->mpi = v->file->version.at   ? line_of(v, v->file->version.at, false)
             : v->file->real_cc.at ? version_of_header(v)
                                   : NULL;
}

/* Of a platform that has an MPI of its own. */
static const char *mpi_of(const struct validate *v, const struct validate_side *s, char **made)
{
    const struct validate_pair *p = v->pair;
    while (&p->real != s)
        p++;
    *made = p->platform->version.at ? line_of(v, p->platform->version.at, false) : NULL;
    return *made ? *made : v->mpi;
}

void validate_facts_add(const struct validate *v, const struct validate_side *s, struct store_row *row)
{
    char now[32], *made = NULL;
    time_t at = time(NULL);
    struct tm parts;
    struct base_json j;
    (void)strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &parts));
    base_json_init(&j, NULL, &(struct base_json_form){0});
    base_json_open(&j, NULL, '{');
    base_json_text(&j, "at", now);
    base_json_text(&j, "machine", v->machine);
    base_json_text(&j, "kernel", v->kernel);
    base_json_text(&j, "platform_content", s->content);
    if (s->real)
        base_json_text(&j, "mpi", mpi_of(v, s, &made));
    else
        base_json_text(&j, "pgasim", v->q->version);
    base_json_close(&j);
    char *facts = base_text_take(&j.text), *kept = row->kept;
    base_json_end(&j);
    size_t n = strlen(kept) - 1; /* without its bracket */
    row->kept = base_strfmt("%.*s%s%s", (int)n, kept, n > 1 ? "," : "", facts + 1);
    free(kept);
    free(facts);
    free(made);
}
