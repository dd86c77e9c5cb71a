/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line: "MPI_Name:start:arguments:end". Arguments are in the order of the function's parameters, so that its signature
 * says what each field is: a number, an address, "handle,rank,size", "number,size,extent". Of arrays with an element
 * for each rank the field behind the address has the elements; of others only the address is there.
 */
#include <mpi.h>

#include "replay/allprof/line.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REQUESTS = 1 << 24 }; /* of one call */

struct call {
    struct replay_allprof_rank *x;
    const struct record_function *f;
    size_t field, fields; /* the next one; all */
    int64_t number[RECORD_PARAMS];
    int64_t type;     /* the last one, of which an operator must be */
    uint32_t members; /* of the line's communicator */
    struct base_status *st;
};

static int wrong(const struct call *c, const struct record_param *p, const char *what)
{
    return base_fail(c->st, "%s, %s: expected %s, not '%.60s'", c->f->name, p->name, what,
                     c->field < c->fields ? c->x->fields.at[c->field] : "");
}

static bool signed_number(const char **at, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(*at, &end, 10);
    bool good = end != *at && !errno;
    *at = end;
    return good;
}

/* --- fields by kind -------------------------------------------------------------------------------------- */

static int read_address(struct call *c, const struct record_param *p, uint64_t *value)
{
    char *end;
    const char *field = c->field < c->fields ? c->x->fields.at[c->field] : "";
    errno = 0;
    *value = strtoull(field, &end, 10);
    if (end == field || *end || errno)
        return wrong(c, p, "an address");
    c->field++;
    return 0;
}

/* Negative ranks and tags have the numbers of Open MPI. */
static int64_t meant(const struct record_param *p, int64_t value)
{
    if (value >= 0)
        return value;
    if (!strcmp(p->name, "source"))
        return value == -1 ? MPI_ANY_SOURCE : MPI_PROC_NULL;
    if (!strcmp(p->name, "dest"))
        return MPI_PROC_NULL;
    if (strstr(p->name, "tag"))
        return MPI_ANY_TAG;
    return !strcmp(p->name, "color") ? MPI_UNDEFINED : value;
}

static int read_number(struct call *c, uint32_t k)
{
    const struct record_param *p = &c->f->param[k];
    const char *at = c->field < c->fields ? c->x->fields.at[c->field] : "";
    if (!signed_number(&at, &c->number[k]) || *at || c->number[k] > INT32_MAX || c->number[k] < INT32_MIN)
        return wrong(c, p, "a number");
    c->field++;
    record_push(&c->x->words, meant(p, c->number[k]));
    return 0;
}

static int read_buffer(struct call *c, const struct record_param *p)
{
    uint64_t address;
    if (read_address(c, p, &address))
        return -1;
    record_push(&c->x->words, address == UINT64_MAX || address == 1 ? RECORD_IN_PLACE : RECORD_SOMEWHERE);
    return 0;
}

static int64_t null_comm(void)
{
    int64_t word = 0;
    record_value_of(RECORD_COMM, "MPI_COMM_NULL", 13, &word);
    return word;
}

/* The rank is in no part of a split. */
static bool makes_none(const struct call *c)
{
    for (uint32_t k = 0; k < c->f->n; k++)
        if (!strcmp(c->f->param[k].name, "color") && meant(&c->f->param[k], c->number[k]) == MPI_UNDEFINED)
            return true;
    return false;
}

static int read_object(struct call *c, const struct record_param *p)
{
    int64_t word = 0;
    uint64_t address = 0;
    const char *field = c->field < c->fields ? c->x->fields.at[c->field] : "";
    if (p->way == RECORD_IN && (p->object == RECORD_COMM || p->object == RECORD_TYPE)) {
        c->field++;
        if (p->object == RECORD_COMM ? replay_allprof_comm(c->x, field, &word, &c->members, c->st)
                                     : replay_allprof_type(c->x, field, &word, c->st))
            return -1;
        c->type = p->object == RECORD_TYPE ? word : c->type;
        record_push(&c->x->words, word);
        return 0;
    }
    if (read_address(c, p, &address))
        return -1;
    switch (p->object) {
    case RECORD_OP:
        record_value_of(RECORD_OP, "MPI_SUM", 7, &word);
        break;
    case RECORD_INFO:
        record_value_of(RECORD_INFO, "MPI_INFO_NULL", 13, &word);
        break;
    case RECORD_COMM:
        word = makes_none(c) ? null_comm() : replay_allprof_new_comm(c->x);
        break;
    default:
        word = p->way == RECORD_OUT ? replay_allprof_new_request(c->x, address)
                                    : replay_allprof_request(c->x, address);
    }
    record_push(&c->x->words, word);
    return 0;
}

static int read_requests(struct call *c, const struct record_param *p)
{
    uint64_t address;
    int64_t n = c->number[p->of[0]];
    if (n < 0 || n > MOST_REQUESTS)
        return base_fail(c->st, "%s: %" PRId64 " requests: expected 0 to %d", c->f->name, n, MOST_REQUESTS);
    if (read_address(c, p, &address))
        return -1;
    unsigned stride = replay_allprof_stride(c->x);
    record_push(&c->x->words, n);
    for (int64_t k = 0; k < n; k++)
        record_push(&c->x->words, replay_allprof_request(c->x, address + (uint64_t)k * stride));
    return 0;
}

/* An element for each rank of the communicator, which comes later. */
static int read_numbers(struct call *c, const struct record_param *p)
{
    uint64_t address;
    int64_t value;
    if (read_address(c, p, &address))
        return -1;
    size_t length = c->x->words.n;
    const char *at = c->field < c->fields ? c->x->fields.at[c->field] : "";
    record_push(&c->x->words, 0);
    do {
        if (!signed_number(&at, &value))
            return wrong(c, p, "a number for each rank, separated by commas");
        record_push(&c->x->words, value);
    } while (*at++ == ',');
    if (at[-1])
        return wrong(c, p, "a number for each rank, separated by commas");
    c->field++;
    c->x->words.at[length] = (int64_t)(c->x->words.n - length - 1);
    return 0;
}

static int read_param(struct call *c, uint32_t k)
{
    uint64_t address;
    const struct record_param *p = &c->f->param[k];
    switch ((enum record_kind)p->kind) {
    case RECORD_NUMBER:
        return read_number(c, k);
    case RECORD_BUFFER:
        return read_buffer(c, p);
    case RECORD_HANDLE:
        return read_object(c, p);
    case RECORD_HANDLES:
        return read_requests(c, p);
    case RECORD_NUMBERS:
        return p->way == RECORD_OUT ? read_address(c, p, &address) : read_numbers(c, p);
    default:
        if (read_address(c, p, &address))
            return -1;
        if (p->kind == RECORD_ANSWER)
            record_push(&c->x->words, strcmp(p->name, "indx") ? 0 : MPI_UNDEFINED);
        return 0;
    }
}

/* --- functions ------------------------------------------------------------------------------------------- */

/* A line says all that a player needs of this parameter. */
static bool is_said(const struct record_param *p)
{
    switch ((enum record_kind)p->kind) {
    case RECORD_ADDRESS:
    case RECORD_TEXT:
        return false;
    case RECORD_HANDLES:
        return p->object == RECORD_REQUEST && p->way == RECORD_CHANGED;
    case RECORD_NUMBERS:
        return p->way == RECORD_OUT || p->length == RECORD_LENGTH_MEMBERS ||
               p->length == RECORD_LENGTH_LOCAL || p->length == RECORD_LENGTH_AT_ROOT;
    case RECORD_HANDLE:
        return p->object == RECORD_REQUEST || (p->object == RECORD_COMM && p->way != RECORD_CHANGED) ||
               (p->way == RECORD_IN &&
                (p->object == RECORD_TYPE || p->object == RECORD_OP || p->object == RECORD_INFO));
    default:
        return true;
    }
}

bool replay_allprof_says(const struct record_function *f)
{
    for (uint32_t k = 0; k < f->n; k++)
        if (!is_said(&f->param[k]))
            return false;
    return true;
}

/* Of the rank alone, and quick: what they are about, other lines say. */
bool replay_allprof_is_local(const char *name)
{
    static const char *const begins[] = {
        "Comm_rank", "Comm_size",   "Comm_free",   "Comm_group", "Comm_set_",   "Comm_get_", "Comm_compare",
        "Type_",     "Group_",      "Op_",         "Get_",       "Errhandler_", "Error_",    "Attr_",
        "Keyval_",   "Address",     "Initialized", "Finalized",  "Pack",        "Unpack",    "Wtime",
        "Wtick",     "Cart_coords", "Cart_rank",   "Cart_shift", "Cart_get",    "Cartdim_",  "Dims_",
        "Topo_test", "Buffer_",     "Query_",      "Is_thread",  "Pcontrol",    "Status_"};
    for (size_t k = 0; k < BASE_LENGTH(begins); k++)
        if (!strncmp(name + 4, begins[k], strlen(begins[k])))
            return true;
    return false;
}

static void put_skip(struct replay_allprof_rank *x, const char *name)
{
    const struct replay_action a = {
        .kind = REPLAY_SKIP, .line = x->line, .text = name, .number = !replay_allprof_is_local(name)};
    replay_tape_write(x->tape, x->rank, &a);
}

/* Arrays have as many elements as the communicator has members. */
static int check_arrays(struct call *c)
{
    struct record_part part[RECORD_PARAMS];
    if (!record_parts(c->f, c->x->words.at, c->x->words.n, part))
        base_fatal(BASE_EXIT_BUG, "words of %s", c->f->name);
    for (uint32_t k = 0; k < c->f->n; k++)
        if (part[k].param && c->f->param[k].kind == RECORD_NUMBERS && c->f->param[k].way == RECORD_IN &&
            part[k].n != c->members)
            return base_fail(c->st, "%s, %s: %" PRId64 " numbers; expected %" PRIu32 ", one for each member",
                             c->f->name, c->f->param[k].name, part[k].n, c->members);
    return 0;
}

/* Sums of such types there are none. */
static int set_operator(struct call *c)
{
    struct record_part part[RECORD_PARAMS];
    record_parts(c->f, c->x->words.at, c->x->words.n, part);
    for (uint32_t k = 0; k < c->f->n; k++) {
        if (c->f->param[k].kind != RECORD_HANDLE || c->f->param[k].object != RECORD_OP)
            continue;
        if (c->type >= RECORD_MADE)
            return base_fail(c->st,
                             "%s: a reduction of elements of a size other than 1, 2, 4, 8, 12 and 16 bytes",
                             c->f->name);
        const char *name = record_name_of(RECORD_TYPE, c->type);
        if (name && !strcmp(name, "MPI_DOUBLE_INT"))
            record_value_of(RECORD_OP, "MPI_MINLOC", 10, &c->x->words.at[part[k].at - c->x->words.at]);
    }
    return 0;
}

static int read_call(struct replay_allprof_rank *x, uint32_t function, struct base_status *st)
{
    struct call c = {.x = x, .f = &record_mpi[function], .field = 2, .fields = x->fields.n - 1, .st = st};
    x->words.n = 0;
    for (uint32_t k = 0; k < c.f->n; k++)
        if (read_param(&c, k))
            return -1;
    for (uint32_t k = 0; k < c.f->n; k++)
        if (record_comes_last(&c.f->param[k]))
            record_push(&x->words, 0);
    if (c.field != c.fields)
        return base_fail(st, "%s: more arguments than it has, from '%.60s' on", c.f->name,
                         x->fields.at[c.field]);
    if (check_arrays(&c) || set_operator(&c))
        return -1;
    replay_allprof_put(x, function, x->words.at, x->words.n);
    return 0;
}

/* --- times ------------------------------------------------------------------------------------------------ */

/* "-" where the tracer had no clock: then *out is NAN. */
static int read_time(const char *field, double *out, struct base_status *st)
{
    char *end;
    *out = NAN;
    if (!strcmp(field, "-"))
        return 0;
    *out = strtod(field, &end);
    return end == field || *end || !(*out >= 0 && *out < 1e18)
               ? base_fail(st, "expected a time in microseconds, not '%.60s'", field)
               : 0;
}

/* What the rank computed since its last call. */
static void put_gap(struct replay_allprof_rank *x, double start)
{
    const struct replay_action a = {
        .kind = REPLAY_SECONDS, .line = x->line, .amount = (start - x->end) * 1e-6};
    if (x->end >= 0 && start > x->end)
        replay_tape_write(x->tape, x->rank, &a);
}

/* Of the first call only the end is known, of the last one only the start. */
static void put_times(struct replay_allprof_rank *x, double start, double end)
{
    double ns = isnan(start) || isnan(end) ? 0 : (end - start) * 1e3;
    const struct replay_action a = {.kind = REPLAY_TIMES,
                                    .line = x->line,
                                    .amount = (isnan(start) ? end : start) * 1e3,
                                    .bytes = (uint64_t)fmin(ns, 1e18)};
    if (replay_tape_keeps_times(x->tape) && !isnan(a.amount))
        replay_tape_write(x->tape, x->rank, &a);
}

/* Calls that ask for a rank or a size show the handle of a communicator early. */
static void meet_comm(struct replay_allprof_rank *x, const char *name)
{
    struct base_status unknown;
    int64_t word;
    uint32_t members;
    if (x->fields.n > 3 && (!strcmp(name, "MPI_Comm_rank") || !strcmp(name, "MPI_Comm_size")))
        replay_allprof_comm(x, x->fields.at[2], &word, &members, &unknown);
}

static void cut(struct replay_allprof_rank *x, char *line)
{
    char *colon;
    x->fields.n = 0;
    line[strcspn(line, "\r")] = '\0';
    for (; (colon = strchr(line, ':')); line = colon + 1) {
        *colon = '\0';
        BASE_ARRAY_PUSH(&x->fields, line);
    }
    BASE_ARRAY_PUSH(&x->fields, line);
}

int replay_allprof_line(struct replay_allprof_rank *x, char *line, struct base_status *st)
{
    double start, end;
    if (!*line || *line == '#' || *line == '\r')
        return 0;
    cut(x, line);
    const char *name = x->fields.at[0];
    if (x->fields.n < 3 || strncmp(name, "MPI_", 4))
        return base_fail(st, "expected MPI_Name:start:arguments:end, not '%.60s'", name);
    if (read_time(x->fields.at[1], &start, st) || read_time(x->fields.at[x->fields.n - 1], &end, st))
        return -1;
    if (start > end)
        return base_fail(st, "%.60s: it ends before it starts", name);
    put_gap(x, start);
    put_times(x, start, end);
    uint32_t function = record_mpi_find(name, strlen(name));
    if (!isnan(start) || !isnan(end))
        x->end = isnan(end) ? start : end;
    if (replay_allprof_is_local(name) || function == record_mpi_count ||
        !replay_allprof_says(&record_mpi[function])) {
        meet_comm(x, name);
        put_skip(x, name);
        return 0;
    }
    return read_call(x, function, st);
}
