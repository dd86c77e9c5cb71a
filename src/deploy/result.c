/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * result: what a run has said: libsat's summary, read with yajl.
 *
 *     {"time": SECONDS, "energy": JOULES, "processes": [{"user": s, "sdsm": s, "sync": s, "sleep": s, ...},
 *     ...]}
 */
#include "deploy/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_tree.h>

const char *const deploy_part_names[DEPLOY_PARTS] = {"user", "sdsm", "sync", "sleep"};

bool deploy_result_ok(const struct deploy_result *r)
{
    return !strcmp(r->status, "ok");
}

void deploy_result_release(struct deploy_result *r)
{
    free(r->message);
    *r = (struct deploy_result){0};
}

/* A number that is no time and no energy would break every comparison. */
static int read_number(yajl_val v, const char *key, double *out, struct base_status *st)
{
    const char *path[] = {key, NULL};
    yajl_val at = yajl_tree_get(v, path, yajl_t_number);
    double x = NAN;
    if (!at || base_parse_double(YAJL_GET_NUMBER(at), &x, NULL) || x < 0)
        return base_fail(st, "%s: expected a number, 0 or more", key);
    *out = x;
    return 0;
}

static int read_processes(yajl_val v, double part[DEPLOY_PARTS], struct base_status *st)
{
    const char *path[] = {"processes", NULL};
    yajl_val list = yajl_tree_get(v, path, yajl_t_array);
    for (size_t k = 0; list && k < list->u.array.len; k++)
        for (int p = 0; p < DEPLOY_PARTS; p++) {
            double x = 0;
            struct base_status why;
            if (read_number(list->u.array.values[k], deploy_part_names[p], &x, &why))
                return base_fail(st, "process %zu: %s", k, why.text);
            part[p] += x;
        }
    return 0;
}

int deploy_result_read(const char *text, size_t size, struct deploy_result *out, struct base_status *st)
{
    char error[160] = "";
    struct deploy_result r = {.status = "ok"};
    char *copy = base_alloc(size + 1, "a summary");
    memcpy(copy, text, size);
    copy[size] = 0;
    yajl_val v = yajl_tree_parse(copy, error, sizeof error);
    free(copy);
    int rc = !v ? base_fail(st, "not JSON")
             : read_number(v, "time", &r.value.time, st) || read_number(v, "energy", &r.value.energy, st) ||
                     read_processes(v, r.part, st)
                 ? -1
                 : 0;
    yajl_tree_free(v);
    if (rc == 0)
        *out = r;
    return rc;
}
