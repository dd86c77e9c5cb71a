/* SPDX-License-Identifier: BSD-3-Clause */
/* call: a call as a line. Its fields are in the order of the parameters (line.c, which reads them). */
#include <mpi.h>

#include "replay/allprof/write.h"

#include <inttypes.h>
#include <string.h>

enum { WORLD = 1, SELF = 2, BUFFER = 4096, IN_PLACE = 1 }; /* handles; addresses */
enum { SPECIAL = -2, UNDEFINED = -32766 };                 /* numbers of Open MPI */

struct saying {
    struct replay_allprof_writer *x;
    const struct record_function *f;
    const struct record_part *part;
    const struct replay_allprof_with *with;
    bool known; /* so far all can be said */
};

static const struct record_part *named(const struct saying *s, const char *name)
{
    for (uint32_t k = 0; k < s->f->n; k++)
        if (s->part[k].param && !strcmp(s->f->param[k].name, name))
            return &s->part[k];
    return NULL;
}

static void put_number(struct saying *s, int64_t value)
{
    base_text_format(&s->x->line, ":%" PRId64, value);
}

/* --- numbers -------------------------------------------------------------------------------------------------------- */

static int64_t said(const struct record_param *p, int64_t value)
{
    if (!strcmp(p->name, "color"))
        return value == MPI_UNDEFINED ? UNDEFINED : value;
    if (value >= 0)
        return value;
    if (!strcmp(p->name, "source"))
        return value == MPI_ANY_SOURCE ? -1 : SPECIAL;
    if (!strcmp(p->name, "dest"))
        return SPECIAL;
    return strstr(p->name, "tag") ? -1 : value;
}

static void put_count(struct saying *s, const struct record_part *p)
{
    int64_t value = said(p->param, p->at[0]);
    s->known &= value >= INT32_MIN && value <= INT32_MAX;
    put_number(s, value);
}

/* Where they do not count, there are none, but a line has them. */
static void put_numbers(struct saying *s, const struct record_part *p)
{
    uint32_t n = s->with->members;
    s->known &= p->n < 0 || p->n == n || (!p->n && p->param->length == RECORD_LENGTH_AT_ROOT);
    put_number(s, BUFFER);
    for (uint32_t k = 0; k < n && s->known; k++)
        base_text_format(&s->x->line, "%c%" PRId64, k ? ',' : ':', p->n == n ? p->at[k] : 0);
}

/* --- objects --------------------------------------------------------------------------------------------------------- */

static int64_t named_comm(const char *name)
{
    int64_t word = -1;
    record_value_of(RECORD_COMM, name, strlen(name), &word);
    return word;
}

static int64_t handle_of(const struct replay_allprof_writer *x, int64_t comm)
{
    const int64_t *found = base_table_find(&x->handles, (uint64_t)comm);
    if (found)
        return *found;
    return comm == named_comm("MPI_COMM_WORLD") ? WORLD : comm == named_comm("MPI_COMM_SELF") ? SELF : 0;
}

static void put_comm(struct saying *s, int64_t comm)
{
    int64_t handle = handle_of(s->x, comm);
    s->known &= handle && s->with->members;
    base_text_format(&s->x->line, ":%" PRId64 ",%" PRIu32 ",%" PRIu32, handle, s->with->place,
                     s->with->members);
}

/* What a buffer in place has no use for, and who is not the root. */
static bool is_void(const struct saying *s, const struct record_param *p)
{
    const struct record_part *send = named(s, "sendbuf"), *receive = named(s, "recvbuf"),
                             *root = named(s, "root");
    const char *at_root = strstr(s->f->name, "catter") ? "sendtype" : "recvtype";
    return (send && send->at[0] == RECORD_IN_PLACE && !strcmp(p->name, "sendtype")) ||
           (receive && receive->at[0] == RECORD_IN_PLACE && !strcmp(p->name, "recvtype")) ||
           (root && root->at[0] != s->with->place && !strcmp(p->name, at_root));
}

static void put_type(struct saying *s, const struct record_part *p)
{
    uint64_t size = is_void(s, p->param) ? 1 : s->with->size_of(s->with->arg, p->at[0]);
    s->known &= size && size <= INT32_MAX && (!named(s, "op") || replay_allprof_combines(size));
    base_text_format(&s->x->line, ":1,%" PRIu64 ",%" PRIu64, size, size);
}

static void put_handle(struct saying *s, const struct record_part *p)
{
    const struct record_param *of = p->param;
    if (of->object == RECORD_COMM && of->way == RECORD_IN)
        put_comm(s, p->at[0]);
    else if (of->object == RECORD_TYPE)
        put_type(s, p);
    else if (of->object == RECORD_REQUEST)
        put_number(s, (int64_t)replay_allprof_place(&s->x->places, p->at[0]));
    else
        put_number(s, BUFFER);
}

static void put_requests(struct saying *s, const struct record_part *p)
{
    uint64_t place = 0;
    s->known &= p->n >= 0 && replay_allprof_places_array(&s->x->places, p->at, p->n, &place);
    put_number(s, (int64_t)place);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static void put_param(struct saying *s, uint32_t k)
{
    const struct record_param *of = &s->f->param[k];
    const struct record_part *p = &s->part[k];
    switch (p->param ? (enum record_kind)of->kind : RECORD_NOTHING) {
    case RECORD_NUMBER:
        put_count(s, p);
        return;
    case RECORD_BUFFER:
        put_number(s, p->at[0] == RECORD_IN_PLACE ? IN_PLACE : BUFFER);
        return;
    case RECORD_HANDLE:
        put_handle(s, p);
        return;
    case RECORD_HANDLES:
        put_requests(s, p);
        return;
    case RECORD_NUMBERS:
        if (of->way != RECORD_OUT) {
            put_numbers(s, p);
            return;
        }
        break;
    default:
        break;
    }
    put_number(s, BUFFER);
}

/* Communicators that the call makes get handles that no other has had. */
static void make(struct replay_allprof_writer *x, const struct record_function *f,
                 const struct record_part *part)
{
    for (uint32_t k = 0; k < f->n; k++) {
        const struct record_param *of = part[k].param;
        if (of && of->object == RECORD_COMM && of->way == RECORD_OUT && part[k].at[0] >= RECORD_MADE)
            *(int64_t *)base_table_add(&x->handles, (uint64_t)part[k].at[0], NULL) = SELF + ++x->next_handle;
    }
}

void replay_allprof_writer_pass(struct replay_allprof_writer *x, const struct record_function *f,
                                const struct record_part *part)
{
    for (uint32_t k = 0; k < f->n; k++) {
        const struct record_param *of = part[k].param;
        if (of && of->kind == RECORD_HANDLE && of->object == RECORD_REQUEST && of->way == RECORD_OUT)
            replay_allprof_places_make(&x->places, part[k].at[0]);
    }
}

bool replay_allprof_needs_no_line(const char *name)
{
    return replay_allprof_is_local(name);
}

bool replay_allprof_writer_call(struct replay_allprof_writer *x, const struct record_function *f,
                                const struct record_part *part, const struct replay_allprof_with *with)
{
    struct saying s = {.x = x, .f = f, .part = part, .with = with, .known = true};
    replay_allprof_writer_pass(x, f, part);
    if (!replay_allprof_says(f) || replay_allprof_is_local(f->name))
        return false;
    replay_allprof_put_begin(x);
    x->line.n = 0;
    base_text_add(&x->line, f->name);
    if (x->begun || strncmp(f->name, "MPI_Init", 8) != 0)
        replay_allprof_put_time(x, x->now);
    else
        base_text_add(&x->line,
                      ":-"); /* nobody knows when the first call began, nor when the last one ended */
    for (uint32_t k = 0; k < f->n && s.known; k++)
        put_param(&s, k);
    if (!s.known)
        return false;
    if (strcmp(f->name, "MPI_Finalize") != 0)
        replay_allprof_put_time(x, x->now);
    else
        base_text_add(&x->line, ":-");
    replay_allprof_put_line(x, x->now);
    make(x, f, part);
    return true;
}

void replay_allprof_writer_show(struct replay_allprof_writer *x, int64_t comm, uint32_t place,
                                uint32_t members)
{
    const struct replay_allprof_with with = {.place = place, .members = members};
    struct saying s = {.x = x, .with = &with, .known = true};
    x->line.n = 0;
    base_text_add(&x->line, "MPI_Comm_rank");
    replay_allprof_put_time(x, x->now);
    put_comm(&s, comm);
    put_number(&s, BUFFER);
    replay_allprof_put_time(x, x->now);
    replay_allprof_put_line(x, x->now);
}
