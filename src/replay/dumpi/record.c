/* SPDX-License-Identifier: BSD-3-Clause */
/* record: a call as a record of DUMPI: its fields in the order of the layout, each from the parameter of its name. */
#include <mpi.h>

#include "replay/dumpi/write.h"

#include <stdlib.h>
#include <string.h>

enum { WALL = 1 << 3, THREAD = 1 << 6, NO_TYPE = 1, NUMBERS = 32 };
#define SECOND INT64_C(1000000000)

struct writing {
    struct replay_dumpi_writer *x;
    const struct replay_dumpi_layout *l;
    const struct record_part *part; /* of the call */
    const struct record_function *f;
    const struct replay_dumpi_with *with;
    bool known; /* so far all fields can be said */
};

static const struct record_part *part_of(const struct writing *w, const struct replay_dumpi_field *field)
{
    for (uint32_t k = 0; k < w->f->n; k++)
        if (w->part[k].param && strlen(w->f->param[k].name) == field->length &&
            !memcmp(w->f->param[k].name, field->name, field->length))
            return &w->part[k];
    return NULL;
}

static const struct record_part *named(const struct writing *w, const char *name)
{
    const struct replay_dumpi_field field = {.name = name, .length = strlen(name)};
    return part_of(w, &field);
}

static bool is(const struct replay_dumpi_field *field, const char *name)
{
    return field->length == strlen(name) && !memcmp(field->name, name, field->length);
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

static int64_t assert_of(int64_t modes)
{
    static const int mode[] = {MPI_MODE_NOCHECK, MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE,
                               MPI_MODE_NOSUCCEED};
    int64_t bits = 0;
    for (size_t k = 0; k < BASE_LENGTH(mode); k++)
        bits |= modes & mode[k] ? INT64_C(1) << k : 0;
    return bits;
}

static int64_t thread_of(int64_t level)
{
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                 MPI_THREAD_MULTIPLE};
    for (size_t k = 0; k < BASE_LENGTH(levels); k++)
        if (level == levels[k])
            return (int64_t)k + 1;
    return 1;
}

/* Special ranks and tags as Open MPI has them; any is -1. */
static int64_t said(const struct replay_dumpi_field *field, int64_t value)
{
    if (is(field, "assert"))
        return assert_of(value);
    if (is(field, "lock_type"))
        return value == MPI_LOCK_SHARED ? 1 : 0;
    if (is(field, "required"))
        return thread_of(value);
    if (value >= 0)
        return value;
    if (is(field, "source"))
        return value == MPI_ANY_SOURCE ? -1 : -2;
    if (is(field, "dest") || is(field, "target_rank"))
        return -2;
    if (is(field, "root"))
        return value == MPI_ROOT ? -4 : -2;
    return is(field, "key") ? value : -1;
}

/* --- objects ------------------------------------------------------------------------------------------------------- */

static enum record_object object_of(char kind)
{
    switch (kind) {
    case 'c':
        return RECORD_COMM;
    case 'g':
        return RECORD_GROUP;
    case 'o':
        return RECORD_OP;
    case 'w':
        return RECORD_WIN;
    default:
        return RECORD_REQUEST;
    }
}

static uint64_t key_of(enum record_object o, int64_t word)
{
    return (uint64_t)o << 56 | (uint64_t)word;
}

/* A type that DUMPI has no name for is its size. */
static int64_t type_number(struct writing *w, int64_t word)
{
    struct replay_dumpi_writer *x = w->x;
    int64_t number = replay_dumpi_type_number(word);
    if (number >= 0)
        return number;
    uint64_t size = w->with->size_of(w->with->arg, word);
    size_t k = REPLAY_DUMPI_FIRST_TYPE;
    while (k < x->sizes.n && (uint64_t)x->sizes.at[k] != size)
        k++;
    if (k == x->sizes.n && size && size <= INT32_MAX && k < UINT16_MAX)
        BASE_ARRAY_PUSH(&x->sizes, (int32_t)size);
    w->known &= k < x->sizes.n;
    return (int64_t)k;
}

static int64_t object_number(struct writing *w, enum record_object o, const struct record_part *p,
                             int64_t word)
{
    static const int64_t most[RECORD_OBJECTS] = {[RECORD_COMM] = UINT16_MAX,
                                                 [RECORD_GROUP] = UINT16_MAX,
                                                 [RECORD_OP] = UINT8_MAX,
                                                 [RECORD_WIN] = UINT16_MAX,
                                                 [RECORD_REQUEST] = INT32_MAX};
    int64_t number = replay_dumpi_predefined_number(o, word);
    if (number >= 0)
        return number;
    number = replay_dumpi_first_number(o) + word - RECORD_MADE;
    bool there = base_table_find(&w->x->made, key_of(o, word)) != NULL;
    if (o == RECORD_REQUEST && p->param->way != RECORD_OUT && !there)
        return 0; /* of a call that is not in the trace */
    w->known &= word >= RECORD_MADE && number <= most[o] && (there || p->param->way == RECORD_OUT);
    return number;
}

static int64_t element(struct writing *w, const struct replay_dumpi_field *field, const struct record_part *p,
                       int64_t value)
{
    switch (field->kind) {
    case 't':
    case 'T':
        return type_number(w, value);
    case 'c':
    case 'g':
    case 'o':
    case 'w':
    case 'r':
    case 'R':
        return object_number(w, object_of(field->kind), p, value);
    case 'i':
    case 'b':
    case 'I':
    case 'M':
        w->known &= value <= INT32_MAX && value >= INT32_MIN;
        return said(field, value);
    default:
        return value;
    }
}

/* --- fields -------------------------------------------------------------------------------------------------------- */

static unsigned width_of(char kind)
{
    static const char one[] = "boDS", two[] = "htTcgwH";
    return strchr(one, kind) ? 1 : strchr(two, kind) ? 2 : kind == 'l' ? 8 : 4;
}

/* What a buffer in place has no use for. */
static bool is_void(const struct writing *w, const struct replay_dumpi_field *field)
{
    const struct record_part *send = named(w, "sendbuf"), *receive = named(w, "recvbuf");
    bool sent = send && send->at[0] == RECORD_IN_PLACE && (is(field, "sendtype") || is(field, "sendcount"));
    return sent || (receive && receive->at[0] == RECORD_IN_PLACE &&
                    (is(field, "recvtype") || is(field, "recvcount")));
}

static void write_one(struct writing *w, const struct replay_dumpi_field *field)
{
    const struct record_part *p = part_of(w, field);
    int64_t value = 0;
    if (is(field, "me"))
        value = w->with->place;
    else if (is(field, "members"))
        value = w->with->members;
    else if (is_void(w, field))
        value = field->kind == 't' ? NO_TYPE : 0;
    else if (p)
        value = element(w, field, p, p->at[0]);
    replay_dumpi_write(w->x, width_of(field->kind), (uint64_t)value);
}

static void write_array(struct writing *w, const struct replay_dumpi_field *field)
{
    const struct record_part *p = part_of(w, field);
    int64_t n = p && p->n > 0 ? p->n : 0;
    if (field->kind == 'M') { /* triples */
        replay_dumpi_write(w->x, 4, (uint64_t)(n / 3));
        for (int64_t k = 0; k < n; k++) {
            if (k % 3 == 0)
                replay_dumpi_write(w->x, 4, 3);
            replay_dumpi_write(w->x, 4, (uint64_t)p->at[k]);
        }
        return;
    }
    replay_dumpi_write(w->x, 4, (uint64_t)n);
    for (int64_t k = 0; k < n; k++)
        replay_dumpi_write(w->x, width_of(field->kind), (uint64_t)element(w, field, p, p->at[k]));
}

static void write_fields(struct writing *w)
{
    const struct record_part *root = named(w, "root");
    for (uint32_t k = 0; k < w->l->n; k++) {
        const struct replay_dumpi_field *field = &w->l->field[k];
        if (field->kind == 's' || (field->at_root && root && root->at[0] != w->with->place))
            continue;
        if (strchr("ITRDHMA", field->kind))
            write_array(w, field);
        else
            write_one(w, field);
    }
}

/* --- records ------------------------------------------------------------------------------------------------------- */

/* Arrays are as long as the call says; a trace of calls may be wrong there, which its player finds. */
static bool has_length(const struct writing *w, const struct record_part *p)
{
    const struct record_part *of = &w->part[p->param->of[0]], *root = named(w, "root");
    switch ((enum record_length)p->param->length) {
    case RECORD_LENGTH_PARAMETER:
    case RECORD_LENGTH_RESULT:
        return of->param && p->n == (of->at[0] > 0 ? of->at[0] : 0);
    case RECORD_LENGTH_TRIPLES:
        return of->param && p->n % 3 == 0 && p->n / 3 == of->at[0];
    case RECORD_LENGTH_MEMBERS:
    case RECORD_LENGTH_LOCAL:
        return p->n < 0 || p->n == w->with->members;
    case RECORD_LENGTH_AT_ROOT:
        return (root && root->at[0] != w->with->place) || p->n < 0 || p->n == w->with->members;
    default:
        return true;
    }
}

/* Whether all that the fields need can be said, before a byte is written. */
static bool can_be_said(struct writing *w)
{
    for (uint32_t k = 0; k < w->l->n; k++) {
        const struct replay_dumpi_field *field = &w->l->field[k];
        const struct record_part *p = part_of(w, field);
        bool needs_members = is(field, "members") || is(field, "me");
        if ((needs_members && !w->with->members) || (p && strchr("IRTMDH", field->kind) && !has_length(w, p)))
            return false;
        for (int64_t i = 0; p && i < (p->param->kind == RECORD_NUMBER ? 1 : p->n) && !is_void(w, field); i++)
            element(w, field, p, p->at[i]);
    }
    return w->known;
}

static void note_made(struct writing *w)
{
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        if (p->param && p->param->kind == RECORD_HANDLE && p->param->way == RECORD_OUT &&
            p->at[0] >= RECORD_MADE)
            base_table_add(&w->x->made, key_of((enum record_object)p->param->object, p->at[0]), NULL);
    }
}

static void write_time(struct replay_dumpi_writer *x)
{
    for (int moment = 0; moment < 2; moment++) { /* begin and end */
        replay_dumpi_write(x, 2, (uint64_t)(x->now / SECOND) & UINT16_MAX);
        replay_dumpi_write(x, 4, (uint64_t)(x->now % SECOND));
    }
}

bool replay_dumpi_writer_call(struct replay_dumpi_writer *x, uint32_t as, const struct record_function *f,
                              const struct record_part *part, const struct replay_dumpi_with *with)
{
    if (as >= BASE_LENGTH(x->call_of) || x->call_of[as] < 0)
        return false;
    struct writing w = {
        .x = x, .l = &x->layouts.of[x->call_of[as]], .part = part, .f = f, .with = with, .known = true};
    if (!can_be_said(&w))
        return false;
    replay_dumpi_write(x, 2, (uint64_t)x->call_of[as]);
    replay_dumpi_write(x, 1, WALL | THREAD);
    replay_dumpi_write(x, 2, 0); /* the thread */
    write_time(x);
    write_fields(&w);
    note_made(&w);
    x->calls[x->call_of[as]]++;
    return true;
}
