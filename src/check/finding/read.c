/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read: the lines of json.c, read back with yajl. What a line does not have keeps its default; what has another
 * type than it should is an error.
 */
#include "check/finding/parts.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_tree.h>

/* --- values --------------------------------------------------------------------------------------------- */

static yajl_val member(yajl_val v, const char *key)
{
    const char *path[] = {key, NULL};
    return yajl_tree_get(v, path, yajl_t_any);
}

static int read_text(yajl_val v, const char *key, char **out, struct base_status *st)
{
    yajl_val at = member(v, key);
    if (!at)
        return 0;
    if (!YAJL_IS_STRING(at))
        return base_fail(st, "%s: expected a text", key);
    finding_set(out, YAJL_GET_STRING(at));
    return 0;
}

static int count_of(yajl_val at, uint64_t *out)
{
    if (!at || !YAJL_IS_INTEGER(at) || YAJL_GET_INTEGER(at) < 0)
        return -1;
    *out = (uint64_t)YAJL_GET_INTEGER(at);
    return 0;
}

static int read_count(yajl_val v, const char *key, uint64_t *out, struct base_status *st)
{
    yajl_val at = member(v, key);
    return at && count_of(at, out) ? base_fail(st, "%s: expected a count", key) : 0;
}

static int read_number(yajl_val v, const char *key, uint32_t *out, struct base_status *st)
{
    uint64_t n = *out;
    if (read_count(v, key, &n, st))
        return -1;
    if (n > UINT32_MAX)
        return base_fail(st, "%s: too large", key);
    *out = (uint32_t)n;
    return 0;
}

static int read_array(yajl_val v, const char *key, size_t most, size_t *n, struct base_status *st)
{
    yajl_val at = member(v, key);
    *n = 0;
    if (at && (!YAJL_IS_ARRAY(at) || YAJL_GET_ARRAY(at)->len > most))
        return base_fail(st, "%s: expected a list", key);
    *n = at ? YAJL_GET_ARRAY(at)->len : 0;
    return 0;
}

static yajl_val element(yajl_val v, const char *key, size_t k)
{
    yajl_val list = member(v, key);
    return YAJL_IS_ARRAY(list) ? list->u.array.values[k] : NULL; /* it is one: read_array */
}

/* --- findings ------------------------------------------------------------------------------------------- */

static int read_place(yajl_val v, struct finding_place *p, struct base_status *st)
{
    if (!v || !YAJL_IS_OBJECT(v))
        return base_fail(st, "expected a place");
    return read_text(v, "function", &p->function, st) || read_text(v, "file", &p->file, st) ||
                   read_number(v, "line", &p->line, st) || read_text(v, "object", &p->object, st) ||
                   read_number(v, "offset", &p->offset, st)
               ? -1
               : 0;
}

static int read_time(yajl_val v, double *out, struct base_status *st)
{
    yajl_val at = member(v, "at");
    if (!at)
        return 0;
    double seconds = YAJL_IS_INTEGER(at)  ? (double)YAJL_GET_INTEGER(at)
                     : YAJL_IS_DOUBLE(at) ? YAJL_GET_DOUBLE(at)
                                          : -1;
    if (!(seconds >= 0 && seconds <= DBL_MAX))
        return base_fail(st, "at: expected a time");
    *out = seconds + 0.0; /* not -0 */
    return 0;
}

static int read_access(yajl_val v, struct finding_access *a, struct base_status *st)
{
    size_t frames;
    if (!YAJL_IS_OBJECT(v))
        return base_fail(st, "accesses: expected an access");
    a->threaded = member(v, "thread") != NULL;
    if (read_text(v, "verb", &a->verb, st) || read_text(v, "what", &a->what, st) ||
        read_number(v, "rank", &a->rank, st) || read_number(v, "thread", &a->thread, st) ||
        read_time(v, &a->at, st) || read_place(member(v, "place"), &a->place, st) ||
        read_array(v, "stack", SIZE_MAX, &frames, st))
        return -1;
    for (size_t k = 0; k < frames; k++)
        if (read_place(element(v, "stack", k), finding_frame_add(a), st))
            return -1;
    return 0;
}

static int read_finding(yajl_val v, struct finding *f, struct base_status *st)
{
    size_t accesses;
    if (read_text(v, "object", &f->object, st) || read_number(v, "owner", &f->owner, st) ||
        read_count(v, "bytes", &f->bytes, st) || read_text(v, "missing", &f->missing, st) ||
        read_text(v, "fix", &f->fix, st) || read_count(v, "count", &f->count, st) ||
        read_array(v, "accesses", BASE_LENGTH(f->access), &accesses, st))
        return -1;
    f->accesses = (uint32_t)accesses;
    if (!member(v, "owner"))
        f->owner = FINDING_NOBODY;
    for (size_t k = 0; k < accesses; k++)
        if (read_access(element(v, "accesses", k), &f->access[k], st))
            return -1;
    return 0;
}

static int add_finding(struct finding_list *l, yajl_val v, struct base_status *st)
{
    struct finding f;
    enum finding_kind kind;
    yajl_val word = member(v, "kind");
    if (!YAJL_IS_STRING(word) || !finding_kind_find(YAJL_GET_STRING(word), &kind))
        return base_fail(st, "kind: expected the kind of a finding");
    finding_init(&f, kind);
    int failed = read_finding(v, &f, st);
    if (failed)
        finding_release(&f);
    else
        BASE_ARRAY_PUSH(&l->at, f);
    return failed;
}

/* --- the summary ---------------------------------------------------------------------------------------- */

static int read_texts(yajl_val v, const char *key, struct finding_texts *out, struct base_status *st)
{
    size_t n;
    if (read_array(v, key, SIZE_MAX, &n, st))
        return -1;
    for (size_t k = 0; k < n; k++) {
        if (!YAJL_IS_STRING(element(v, key, k)))
            return base_fail(st, "%s: expected a text", key);
        BASE_ARRAY_PUSH(&out->text, base_strdup(YAJL_GET_STRING(element(v, key, k))));
    }
    return 0;
}

static int read_suppressed(struct finding_summary *s, yajl_val v, struct base_status *st)
{
    size_t n;
    if (read_array(v, "suppressed", SIZE_MAX, &n, st))
        return -1;
    for (size_t k = 0; k < n; k++) {
        struct finding_suppressed r = {base_strdup(""), base_strdup(""), 0};
        yajl_val at = element(v, "suppressed", k);
        int failed = read_text(at, "name", &r.name, st) || read_text(at, "place", &r.place, st) ||
                     read_count(at, "findings", &r.findings, st);
        BASE_ARRAY_PUSH(&s->suppressed, r);
        if (failed)
            return -1;
    }
    return 0;
}

static int read_end(struct finding_list *l, yajl_val v, struct base_status *st)
{
    struct finding_summary *s = &l->summary;
    size_t n;
    if (read_array(v, "counts", l->at.n, &n, st) || read_count(v, "found", &s->found, st) ||
        read_count(v, "operations", &s->operations, st) || read_count(v, "actions", &s->actions, st) ||
        read_count(v, "files", &s->files, st) || read_count(v, "loads", &s->loads, st) ||
        read_count(v, "stores", &s->stores, st) || read_texts(v, "unseen", &s->unseen, st) ||
        read_texts(v, "allowed", &s->allowed, st) || read_suppressed(s, v, st))
        return -1;
    for (size_t k = 0; k < n; k++)
        if (count_of(element(v, "counts", k), &l->at.at[k].count))
            return base_fail(st, "counts: expected a count");
    s->ended = true;
    return 0;
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static int read_value(struct finding_list *l, yajl_val v, bool first, struct base_status *st)
{
    uint64_t format = 0;
    if (!YAJL_IS_OBJECT(v))
        return base_fail(st, "expected an object");
    if (first)
        return count_of(member(v, "findings"), &format) || format != FINDING_FORMAT
                   ? base_fail(st, "no list of findings, or another version's")
                   : 0;
    if (l->summary.ended)
        return base_fail(st, "more lines than there should be");
    return member(v, "counts") ? read_end(l, v, st) : add_finding(l, v, st);
}

static int read_line(struct finding_list *l, const char *line, bool first, struct base_status *st)
{
    char why[200] = "";
    yajl_val v = yajl_tree_parse(line, why, sizeof why);
    if (!v) {
        why[strcspn(why, "\n")] = 0;
        return base_fail(st, "%s", *why ? why : "nothing");
    }
    int failed = read_value(l, v, first, st);
    yajl_tree_free(v);
    return failed;
}

int finding_list_read(struct finding_list *l, FILE *in, const char *name, struct base_status *st)
{
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0;
    int failed = 0;
    struct base_status why;
    *l = (struct finding_list){.summary = {.ended = false}};
    for (ssize_t n; !failed && (n = getline(&line, &size, in)) > 0 && line[n - 1] == '\n';) {
        line[n - 1] = 0;
        failed = read_line(l, line, !number++, &why);
        if (failed)
            failed = base_fail(st, "%s:%u: %s", name, number, why.text);
    }
    free(line);
    if (failed)
        finding_list_release(l);
    return failed;
}
