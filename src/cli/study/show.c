/* SPDX-License-Identifier: BSD-3-Clause */
/* show: what an exploration has found, for people, as JSON, as a picture. */
#include "cli/study/study.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"

/* --- for people ----------------------------------------------------------------------------------- */

static void print_hosts(const struct study *x)
{
    const struct deploy_hosts *h = &x->hosts;
    const char *separator = "";
    printf("hosts: ");
    for (uint32_t k = 0; k < h->n; k++) {
        uint32_t like = 0;
        for (uint32_t l = k; l < h->n; l++)
            like += h->at[l].like == k;
        if (h->at[k].like != k)
            continue;
        printf("%s%s", separator, h->at[k].name);
        if (like > 1)
            printf(" and %u like it", like - 1);
        separator = "; ";
    }
    printf("\n");
}

static void print_point(uint32_t number, const struct study_point *p)
{
    char time[32];
    const struct deploy_result *r = &p->row->result;
    double sum = 0;
    for (int k = 0; k < DEPLOY_PARTS; k++)
        sum += r->part[k];
    printf("%3u  %11s  %9.4g J  %7u  %7u  ", number, base_show_time(time, r->value.time), r->value.energy,
           p->row->servers, p->row->clients);
    if (sum > 0)
        printf("%3.0f%%  %3.0f%%  %3.0f%%  ", 100 * r->part[0] / sum, 100 * (r->part[1] + r->part[2]) / sum,
               100 * r->part[3] / sum);
    else
        printf("   -     -     -  ");
    printf("%s%s", p->row->config, p->same ? "" : "\n");
    if (p->same)
        printf(" (and %u with the same values)\n", p->same);
}

/* The failures by their first lines, in order of the first of each kind. */
static void print_failures(const struct study *x)
{
    enum { KINDS = 5 };
    const struct deploy_result *kind[KINDS];
    uint32_t times[KINDS], kinds = 0, others = 0;
    for (uint32_t k = 0; k < x->known.at.n; k++) {
        const struct deploy_result *r = &study_row(x, k)->result;
        uint32_t to = 0;
        if (deploy_result_ok(r))
            continue;
        while (to < kinds &&
               (strcmp(kind[to]->status, r->status) != 0 ||
                strcmp(kind[to]->message ? kind[to]->message : "", r->message ? r->message : "") != 0))
            to++;
        if (to == KINDS) {
            others++;
            continue;
        }
        if (to == kinds) {
            kind[kinds] = r;
            times[kinds++] = 0;
        }
        times[to]++;
    }
    for (uint32_t k = 0; k < kinds; k++)
        printf("failed: %u with %s%s%s\n", times[k], kind[k]->status, kind[k]->message ? ": " : "",
               kind[k]->message ? kind[k]->message : "");
    if (others)
        printf("failed: %u in other ways\n", others);
}

static void print_all(const struct study *x, const struct study_points *p)
{
    uint32_t all = p->n + p->failed;
    if (x->q->run.quiet)
        return;
    print_hosts(x);
    printf("configurations: %u, of which %u ran now", all, all - x->old);
    if (x->old)
        printf(" and %u are from the table", x->old);
    printf("; %u failed\n", p->failed);
    print_failures(x);
    if (!p->n)
        return;
    printf("front: %u\n     %11s  %11s  %7s  %7s  %4s  %4s  %5s  %s\n", p->front, "time", "energy", "servers",
           "clients", "user", "dsm", "sleep", "configuration");
    for (uint32_t k = 0, number = 0; k < p->n; k++)
        if (p->at[k].front)
            print_point(++number, &p->at[k]);
}

/* --- files ---------------------------------------------------------------------------------------- */

static void put_row(struct base_json *j, const struct deploy_row *row, bool front)
{
    const struct deploy_result *r = &row->result;
    base_json_open(j, NULL, '{');
    base_json_text(j, "configuration", row->config);
    base_json_text(j, "status", r->status);
    if (r->message)
        base_json_text(j, "message", r->message);
    base_json_count(j, "servers", row->servers);
    base_json_count(j, "clients", row->clients);
    if (deploy_result_ok(r)) {
        base_json_flag(j, "front", front);
        base_json_number(j, "time", r->value.time);
        base_json_number(j, "energy", r->value.energy);
        for (int k = 0; k < DEPLOY_PARTS; k++)
            base_json_number(j, deploy_part_names[k], r->part[k]);
    }
    base_json_close(j);
}

static void put_json(const struct study *x, const struct study_points *p, FILE *out)
{
    struct base_json j;
    base_json_init(&j, out, &(struct base_json_form){.indent = " "});
    base_json_open(&j, NULL, '{');
    base_json_text(&j, "platform", x->q->run.platform);
    base_json_text(&j, "program", x->q->run.program[0]);
    base_json_count(&j, "configurations", p->n + p->failed);
    base_json_count(&j, "failed", p->failed);
    base_json_open(&j, "results", '[');
    for (uint32_t k = 0; k < p->n; k++)
        put_row(&j, p->at[k].row, p->at[k].front);
    for (uint32_t k = 0; k < x->known.at.n; k++)
        if (!deploy_result_ok(&study_row(x, k)->result))
            put_row(&j, study_row(x, k), false);
    base_json_close(&j);
    base_json_close(&j);
    base_json_end(&j);
}

static void put_picture(const struct study *x, const struct study_points *p, FILE *out)
{
    struct deploy_point *point = base_zalloc((p->n + 1) * sizeof *point, "points");
    const char *program = x->q->run.program[0], *slash = strrchr(program, '/');
    for (uint32_t k = 0; k < p->n; k++)
        point[k] = (struct deploy_point){p->at[k].row->result.value, p->at[k].front, p->at[k].row->config};
    char *title = base_strfmt("%s: %u configurations", slash ? slash + 1 : program, p->n);
    deploy_draw(point, p->n, title, out);
    free(title);
    free(point);
}

static int write_file(const struct study *x, const struct study_points *p, const char *option,
                      const char *path,
                      void (*put)(const struct study *x, const struct study_points *p, FILE *out),
                      struct base_status *st)
{
    struct base_output o;
    struct base_status why;
    if (!path)
        return 0;
    if (!base_output_open(&o, path, &why)) {
        put(x, p, o.out);
        if (!base_output_commit(&o, &why))
            return 0;
    }
    return base_fail(st, "%s %s", option, why.text);
}

int study_show(const struct study *x, struct base_status *st)
{
    struct study_points p = study_points_of(x);
    print_all(x, &p);
    int rc = write_file(x, &p, "--json", x->q->json, put_json, st) ||
                     write_file(x, &p, "--svg", x->q->svg, put_picture, st) ||
                     (x->q->output && study_save(x, &p, x->q->output, st))
                 ? -1
                 : 0;
    study_points_release(&p);
    return rc;
}
