/* SPDX-License-Identifier: BSD-3-Clause */
/* lines: the files of runtime/calibrate: a line of JSON for each point (docs/calibrate.md). Strict: a key that is not
 * known, or not of its type, is a fault. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_tree.h>

#include "calibrate/read/read.h"

enum { FORMAT = 1 };

static bool is_lines(const char *line)
{
    while (*line == ' ' || *line == '\t')
        line++;
    return *line == '{';
}

/* --- values ------------------------------------------------------------------------------------------- */

static int text_of(struct read_state *r, const char *key, yajl_val v, const char **out)
{
    if (!YAJL_IS_STRING(v))
        return calibrate_read_fail(r, "\"%s\": expected a text", key);
    *out = YAJL_GET_STRING(v);
    return 0;
}

static int number_of(struct read_state *r, const char *key, yajl_val v, double most, double *out)
{
    if (!YAJL_IS_NUMBER(v))
        return calibrate_read_fail(r, "\"%s\": expected a number", key);
    return calibrate_read_number(r, key, YAJL_GET_NUMBER(v), 0, most, out);
}

static int whole_of(struct read_state *r, const char *key, yajl_val v, double most, double *out)
{
    if (number_of(r, key, v, most, out))
        return -1;
    if (*out != floor(*out))
        return calibrate_read_fail(r, "\"%s\": expected a whole number", key);
    return 0;
}

/* The number of a name in a list of names; -1 with st. */
static int name_of(struct read_state *r, const char *key, yajl_val v, const char *(*name)(int), int n,
                   int *out)
{
    const char *text = "";
    if (text_of(r, key, v, &text))
        return -1;
    for (int k = 0; k < n; k++) {
        const char *known = name(k);
        if (known && !strcmp(known, text)) {
            *out = k;
            return 0;
        }
    }
    return calibrate_read_fail(r, "\"%s\":\"%.40s\" is not known", key, text);
}

static const char *kind_at(int k)
{
    return calibrate_kind_name((enum calibrate_kind)k);
}

static const char *mode_at(int k)
{
    return calibrate_mode_name((enum calibrate_mode)k);
}

static const char *where_at(int k)
{
    return calibrate_where_name((enum calibrate_where)k);
}

/* --- points ------------------------------------------------------------------------------------------- */

/* Where the numbers of a point go. */
enum type { SECONDS, BYTES, COUNT, RANK };
static const struct field {
    const char *key;
    enum type type;
    size_t offset;
} fields[] = {
#define FIELD(key, type, field)                                                                              \
    {                                                                                                        \
        key, type, offsetof(struct calibrate_point, field)                                                   \
    }
    FIELD("wait", SECONDS, wait),
    FIELD("seconds", SECONDS, seconds),
    FIELD("mean", SECONDS, mean),
    FIELD("low", SECONDS, low),
    FIELD("high", SECONDS, high),
    FIELD("least", SECONDS, least),
    FIELD("q10", SECONDS, q10),
    FIELD("q90", SECONDS, q90),
    FIELD("q99", SECONDS, q99),
    FIELD("most", SECONDS, most),
    FIELD("at", SECONDS, at),
    FIELD("bytes", BYTES, bytes),
    FIELD("width", BYTES, width),
    FIELD("from", RANK, from),
    FIELD("to", RANK, to),
    FIELD("rank", RANK, rank),
    FIELD("samples", COUNT, samples),
    FIELD("repetitions", COUNT, repetitions),
    FIELD("pass", COUNT, pass),
    FIELD("disturbed", COUNT, disturbed),
    FIELD("excess", SECONDS, excess),
    FIELD("excess0", SECONDS, excesses[0]),
    FIELD("excess10", SECONDS, excesses[1]),
    FIELD("excess25", SECONDS, excesses[2]),
    FIELD("excess50", SECONDS, excesses[3]),
    FIELD("excess75", SECONDS, excesses[4]),
    FIELD("excess90", SECONDS, excesses[5]),
    FIELD("excess95", SECONDS, excesses[6]),
    FIELD("excess99", SECONDS, excesses[7]),
    FIELD("excess100", SECONDS, excesses[8]),
#undef FIELD
};

const double calibrate_excess_parts[CALIBRATE_EXCESSES] = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};

static int field_read(struct read_state *r, const struct field *f, yajl_val v, struct calibrate_point *p)
{
    double x = 0;
    char *at = (char *)p + f->offset;
    if (f->type == SECONDS ? number_of(r, f->key, v, 1e12, &x)
                           : whole_of(r, f->key, v, f->type == BYTES ? 1e15 : 2e9, &x))
        return -1;
    if (f->type == SECONDS)
        *(double *)(void *)at = x;
    else if (f->type == BYTES)
        *(uint64_t *)(void *)at = (uint64_t)x;
    else if (f->type == COUNT)
        *(uint32_t *)(void *)at = (uint32_t)x;
    else
        *(int32_t *)(void *)at = (int32_t)x;
    return 0;
}

static int member_read(struct read_state *r, const char *key, yajl_val v, struct calibrate_point *p,
                       bool *timed)
{
    const char *text = NULL;
    int number = 0;
    if (!strcmp(key, "mode")) {
        if (name_of(r, key, v, mode_at, CALIBRATE_MODES, &number))
            return -1;
        p->mode = (enum calibrate_mode)number;
        return 0;
    }
    if (!strcmp(key, "where")) {
        if (name_of(r, key, v, where_at, CALIBRATE_NODE + 1, &number))
            return -1;
        p->where = (enum calibrate_where)number;
        return 0;
    }
    if (!strcmp(key, "unidentified") || !strcmp(key, "api")) {
        p->identified &= strcmp(key, "unidentified") != 0;
        p->shmem |= !strcmp(key, "api");
        return text_of(r, key, v, &text);
    }
    for (size_t k = 0; k < BASE_LENGTH(fields); k++)
        if (!strcmp(key, fields[k].key)) {
            *timed |= !strcmp(key, "seconds");
            return field_read(r, &fields[k], v, p);
        }
    return calibrate_read_fail(r, "\"%.40s\" is not a key of a point", key);
}

static int point_check(struct read_state *r, const struct calibrate_point *p, bool timed)
{
    if (timed != p->identified)
        return calibrate_read_fail(r, "expected \"seconds\" or \"unidentified\", and one of them");
    if (timed && (p->least > p->seconds || (p->most > 0 && p->most < p->seconds)))
        return calibrate_read_fail(r, "expected \"seconds\" from \"least\" to \"most\"");
    return 0;
}

static int point_read(struct read_state *r, yajl_val line, int kind)
{
    struct calibrate_point p = calibrate_read_point(r, (enum calibrate_kind)kind, CALIBRATE_PLAIN);
    bool timed = false;
    for (size_t k = 0; k < line->u.object.len; k++) {
        const char *key = line->u.object.keys[k];
        if (strcmp(key, "kind") != 0 && member_read(r, key, line->u.object.values[k], &p, &timed))
            return -1;
    }
    if (point_check(r, &p, timed))
        return -1;
    calibrate_read_add(r, &p);
    return 0;
}

/* --- what is measured --------------------------------------------------------------------------------- */

static int head_member(struct read_state *r, const char *key, yajl_val v, struct calibrate_file *f)
{
    const char *text = NULL;
    double x = 0;
    if (!strcmp(key, "library")) {
        if (text_of(r, key, v, &text))
            return -1;
        free(f->library);
        f->library = base_strdup(text);
        return 0;
    }
    if (!strcmp(key, "api") || !strcmp(key, "host"))
        return text_of(r, key, v, &text);
    if (!strcmp(key, "tick"))
        return number_of(r, key, v, 1, &f->tick);
    if (!strcmp(key, "mpi") || !strcmp(key, "shmem"))
        return number_of(r, key, v, 100, &x);
    if (strcmp(key, "format") != 0 && strcmp(key, "ranks") != 0 && strcmp(key, "nodes") != 0)
        return calibrate_read_fail(r, "\"%.40s\" is not a key of the first line", key);
    if (whole_of(r, key, v, 2e9, &x))
        return -1;
    if (!strcmp(key, "format") && x != FORMAT)
        return calibrate_read_fail(r, "format %g: expected %d", x, FORMAT);
    if (!strcmp(key, "ranks"))
        f->ranks = (uint32_t)x;
    if (!strcmp(key, "nodes"))
        f->nodes = (uint32_t)x;
    return 0;
}

static int head_read(struct read_state *r, yajl_val line)
{
    struct calibrate_file *f = &r->table->file.at[r->file];
    if (r->head)
        return calibrate_read_fail(r, "a second line of kind \"calibrate\"");
    r->head = true;
    for (size_t k = 0; k < line->u.object.len; k++) {
        const char *key = line->u.object.keys[k];
        if (strcmp(key, "kind") != 0 && head_member(r, key, line->u.object.values[k], f))
            return -1;
    }
    return 0;
}

static int rank_member(struct read_state *r, const char *key, yajl_val v, struct calibrate_rank *out,
                       const char **host)
{
    double x = 0;
    if (!strcmp(key, "host"))
        return text_of(r, key, v, host);
    if (strcmp(key, "rank") != 0 && strcmp(key, "node") != 0 && strcmp(key, "socket") != 0)
        return calibrate_read_fail(r, "\"%.40s\" is not a key of a rank", key);
    if (whole_of(r, key, v, 2e9, &x))
        return -1;
    if (!strcmp(key, "rank"))
        out->rank = (uint32_t)x;
    else if (!strcmp(key, "node"))
        out->node = (uint32_t)x;
    else
        out->socket = (int32_t)x;
    return 0;
}

static int rank_read(struct read_state *r, yajl_val line)
{
    struct calibrate_rank rank = {.socket = -1, .file = r->file};
    const char *host = "";
    for (size_t k = 0; k < line->u.object.len; k++) {
        const char *key = line->u.object.keys[k];
        if (strcmp(key, "kind") != 0 && rank_member(r, key, line->u.object.values[k], &rank, &host))
            return -1;
    }
    rank.host = base_strdup(host);
    BASE_ARRAY_PUSH(&r->table->rank, rank);
    return 0;
}

/* --- lines -------------------------------------------------------------------------------------------- */

static int object_read(struct read_state *r, yajl_val line)
{
    const char *path[] = {"kind", NULL}, *kind = "";
    int number = 0;
    yajl_val v = YAJL_IS_OBJECT(line) ? yajl_tree_get(line, path, yajl_t_any) : NULL;
    if (!v)
        return calibrate_read_fail(r, "expected an object with a \"kind\"");
    if (text_of(r, "kind", v, &kind))
        return -1;
    if (!strcmp(kind, "calibrate"))
        return head_read(r, line);
    if (!r->head)
        return calibrate_read_fail(r, "expected a line of kind \"calibrate\" first");
    if (!strcmp(kind, "rank"))
        return rank_read(r, line);
    return name_of(r, "kind", v, kind_at, CALIBRATE_TEST, &number) ? -1 : point_read(r, line, number);
}

static int line_read(struct read_state *r, char *text)
{
    char why[200] = "";
    if (!text[strspn(text, " \t")])
        return 0;
    yajl_val line = yajl_tree_parse(text, why, sizeof why);
    if (!line) {
        why[strcspn(why, "\n")] = '\0';
        return calibrate_read_fail(r, "expected a line of JSON: %.120s", why[0] ? why : "there is none");
    }
    int rc = object_read(r, line);
    yajl_tree_free(line);
    return rc;
}

/* The socket of a rank of this file; -1: not known. */
static int32_t socket_of(const struct read_state *r, int32_t rank)
{
    for (size_t k = 0; k < r->table->rank.n; k++)
        if (r->table->rank.at[k].file == r->file && (int64_t)r->table->rank.at[k].rank == rank)
            return r->table->rank.at[k].socket;
    return -1;
}

/* Points between two sockets. If there are no others within a node, they stand for the node. */
static int end(struct read_state *r)
{
    size_t within = 0;
    for (size_t k = 0; k < r->table->point.n; k++) {
        struct calibrate_point *p = &r->table->point.at[k];
        if (p->file != r->file || p->where != CALIBRATE_NODE || p->from < 0 || p->to < 0)
            continue;
        int32_t from = socket_of(r, p->from), to = socket_of(r, p->to);
        p->across = from >= 0 && to >= 0 && from != to;
        within += !p->across;
    }
    for (size_t k = 0; k < r->table->point.n && !within; k++)
        if (r->table->point.at[k].file == r->file)
            r->table->point.at[k].across = false;
    return 0;
}

const struct read_format calibrate_read_lines_format = {"lines of runtime/calibrate", is_lines, line_read,
                                                        end};
