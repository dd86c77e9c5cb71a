/* SPDX-License-Identifier: BSD-3-Clause */
/* front: the configurations in the order in which they are shown, and the files to run the best ones
 * again. */
#include "cli/study/study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output.h"

static int compare(const void *pa, const void *pb)
{
    const struct study_point *a = pa, *b = pb;
    const struct deploy_value x = a->row->result.value, y = b->row->result.value;
    if (x.time != y.time)
        return x.time < y.time ? -1 : 1;
    if (x.energy != y.energy)
        return x.energy < y.energy ? -1 : 1;
    return strcmp(a->row->config, b->row->config);
}

/* Of equal values, the first stands for the others. */
static void find_front(struct study_points *p)
{
    struct study_point *last = NULL;
    for (uint32_t k = 0; k < p->n; k++) {
        const struct deploy_value v = p->at[k].row->result.value;
        if (!last || v.energy < last->row->result.value.energy) {
            last = &p->at[k];
            last->front = true;
            p->front++;
        } else if (v.time == last->row->result.value.time && v.energy == last->row->result.value.energy) {
            last->same++;
        }
    }
}

struct study_points study_points_of(const struct study *x)
{
    struct study_points p = {.at = base_zalloc((x->known.at.n + 1) * sizeof *p.at, "points")};
    for (uint32_t k = 0; k < x->known.at.n; k++) {
        const struct deploy_row *row = study_row(x, k);
        if (deploy_result_ok(&row->result))
            p.at[p.n++] = (struct study_point){.config = x->known.at.at[k], .row = row};
        else
            p.failed++;
    }
    qsort(p.at, p.n, sizeof *p.at, compare);
    find_front(&p);
    return p;
}

void study_points_release(struct study_points *p)
{
    free(p->at);
}

/* --- files ---------------------------------------------------------------------------------------- */

/* The command that runs it again, as a comment of the rankfile. */
static void put_command(const struct study *x, const struct study_point *p, const char *path, FILE *out)
{
    struct base_text t;
    base_text_init(&t, "a command");
    base_text_format(&t, "# SAT_OPTIONS='--topology=%s.xml", path);
    char *protocols = deploy_config_protocols(&x->space, p->config);
    if (*protocols)
        base_text_format(&t, " --sat-protocol=%s", protocols);
    free(protocols);
    base_text_format(&t, "' pgasim run -np %u --compute=off --platform ", p->config->n);
    base_text_shell(&t, x->q->run.platform);
    base_text_format(&t, " -rankfile %s.rankfile", path);
    base_text_shell_words(&t, x->options);
    base_text_shell_words(&t, (const char *const *)x->q->run.program);
    base_text_char(&t, '\n');
    base_text_write(&t, out);
    base_text_release(&t);
}

static int save(const struct study *x, const struct study_point *p, const char *path, bool topology,
                struct base_status *st)
{
    struct base_output o;
    char *name = base_strfmt("%s.%s", path, topology ? "xml" : "rankfile");
    int rc = base_output_open(&o, name, st);
    if (rc == 0 && topology)
        deploy_write_topology(&x->space, p->config, o.out);
    if (rc == 0 && !topology) {
        put_command(x, p, path, o.out);
        deploy_write_rankfile(&x->space, p->config, o.out);
    }
    if (rc == 0)
        rc = base_output_commit(&o, st);
    free(name);
    return rc;
}

int study_save(const struct study *x, const struct study_points *p, const char *folder,
               struct base_status *st)
{
    uint32_t number = 0;
    int rc = 0;
    if (mkdir(folder, 0777) && errno != EEXIST)
        return base_fail(st, "--output %s: %s", folder, strerror(errno));
    for (uint32_t k = 0; k < p->n && rc == 0; k++) {
        if (!p->at[k].front)
            continue;
        char *path = base_strfmt("%s/%u", folder, ++number);
        rc = save(x, &p->at[k], path, true, st) || save(x, &p->at[k], path, false, st) ? -1 : 0;
        free(path);
    }
    return rc;
}
