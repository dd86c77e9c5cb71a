/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call: the fields of a record become the words of the call, in the order of the function's parameters. What records do
 * not have: buffers, and so whether one is in place, which is taken to be so where type or count of it say nothing.
 */
#include <mpi.h>

#include "replay/dumpi/reader.h"

#include <inttypes.h>
#include <string.h>

struct call {
    struct replay_dumpi_rank *x;
    const struct replay_dumpi_layout *l;
    const struct record_function *f;
    const char *in_place; /* the buffer that is; NULL: none */
    const char **skipped; /* why it is not played */
    bool nothing_to_do;   /* it frees what is predefined, or freed before */
    int64_t comm;         /* the last one that it takes */
    struct base_status *st;
};

static const struct replay_dumpi_value *field(const struct call *c, const char *name)
{
    return replay_dumpi_value(&c->x->record, name);
}

static int64_t number_of(const struct call *c, const char *name)
{
    const struct replay_dumpi_value *v = field(c, name);
    return v ? v->number : 0;
}

static int64_t element(const struct call *c, const struct replay_dumpi_value *v, size_t k)
{
    return c->x->record.numbers.at[v->first + k];
}

/* --- actions ------------------------------------------------------------------------------------------------ */

void replay_dumpi_put(struct replay_dumpi_rank *x, uint32_t function, const int64_t *words, size_t n)
{
    const struct replay_action a = {
        .kind = REPLAY_CALL, .line = x->call, .number = function, .counts = words, .n = (uint32_t)n};
    replay_tape_write(x->tape, x->rank, &a);
}

static void put_times(struct replay_dumpi_rank *x)
{
    if (x->timed)
        replay_tape_write(x->tape, x->rank, &x->times);
    x->timed = false;
}

static void put_skip(struct replay_dumpi_rank *x, const char *what, bool takes_time)
{
    const struct replay_action a = {.kind = REPLAY_SKIP, .line = x->call, .text = what, .number = takes_time};
    replay_tape_write(x->tape, x->rank, &a);
}

void replay_dumpi_put_skip(struct replay_dumpi_rank *x, const char *what, bool takes_time)
{
    put_times(x);
    put_skip(x, what, takes_time);
}

/* --- numbers -------------------------------------------------------------------------------------------------- */

/* MPI_ANY_SOURCE and MPI_ANY_TAG are -1 in records; MPI_PROC_NULL and MPI_ROOT are those of the library: -1 and -3 in
 * MPICH, -2 and -4 in Open MPI. Where the message came from tells the first two apart. */
static int64_t meant_source(const struct call *c, int64_t value)
{
    bool from_nobody = c->x->record.has_source && c->x->record.source < 0;
    return value == -1 && !from_nobody ? MPI_ANY_SOURCE : MPI_PROC_NULL;
}

static int64_t meant_assert(int64_t bits)
{
    static const int mode[] = {MPI_MODE_NOCHECK, MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE,
                               MPI_MODE_NOSUCCEED};
    int64_t meant = 0;
    for (size_t k = 0; bits < 1 << BASE_LENGTH(mode) && k < BASE_LENGTH(mode); k++)
        meant |= bits >> k & 1 ? mode[k] : 0;
    return meant;
}

static int64_t meant(const struct call *c, const char *name, int64_t value)
{
    static const int threads[] = {MPI_THREAD_SINGLE, MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED,
                                  MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
    if (!strcmp(name, "assert"))
        return meant_assert(value);
    if (!strcmp(name, "lock_type"))
        return value == 1 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;
    if (!strcmp(name, "required"))
        return value < (int64_t)BASE_LENGTH(threads) ? threads[value] : MPI_THREAD_SINGLE;
    if (!strcmp(name, "size")) /* of a window or a buffer; records have 32 bits of it */
        return (uint32_t)value;
    if (value >= 0)
        return value;
    if (!strcmp(name, "source"))
        return meant_source(c, value);
    if (!strcmp(name, "dest") || !strcmp(name, "target_rank"))
        return MPI_PROC_NULL;
    if (!strcmp(name, "root"))
        return value <= -3 ? MPI_ROOT : MPI_PROC_NULL;
    if (strstr(name, "tag"))
        return MPI_ANY_TAG;
    return !strcmp(name, "color") || !strcmp(name, "indx") || !strcmp(name, "outcount") ? MPI_UNDEFINED
                                                                                        : value;
}

/* --- buffers in place --------------------------------------------------------------------------------------------- */

static bool is_root(const struct call *c)
{
    return !field(c, "me") || number_of(c, "me") == number_of(c, "root");
}

/* Something is sent or received here, in the part of this rank. */
static bool has_part(const struct call *c, const char *count, const char *counts)
{
    const struct replay_dumpi_value *all = field(c, counts), *me = field(c, "me");
    if (!all)
        return number_of(c, count) > 0;
    for (size_t k = 0; k < all->n; k++)
        if ((!me || me->number == (int64_t)k) && element(c, all, k) <= 0)
            return false;
    return all->n > 0;
}

static const char *find_in_place(const struct call *c)
{
    const struct replay_dumpi_value *sendtype = field(c, "sendtype"), *recvtype = field(c, "recvtype");
    bool scatter = strstr(c->f->name, "Scatter") != NULL;
    if (!sendtype || !recvtype || field(c, "dest") || !is_root(c))
        return NULL;
    if (scatter)
        return replay_dumpi_no_type(recvtype->number) ||
                       (!number_of(c, "recvcount") && has_part(c, "sendcount", "sendcounts"))
                   ? "recvbuf"
                   : NULL;
    if (replay_dumpi_no_type(sendtype->number))
        return "sendbuf";
    return field(c, "sendcount") && !number_of(c, "sendcount") && has_part(c, "recvcount", "recvcounts")
               ? "sendbuf"
               : NULL;
}

/* --- parameters ---------------------------------------------------------------------------------------------------- */

static int push_type(struct call *c, int64_t number)
{
    int64_t word = 0;
    if (replay_dumpi_type(c->x, number, &word, c->st))
        return -1;
    c->x->type = number;
    c->x->type_at = c->x->words.n;
    record_push(&c->x->words, word);
    return 0;
}

/* A request that waits and tests take may be gone; what others do needs one. */
static int push_request(struct call *c, int64_t number, bool needed)
{
    int64_t word = 0;
    const struct replay_dumpi_object *found = replay_dumpi_object(c->x, RECORD_REQUEST, number);
    replay_dumpi_taken(c->x, RECORD_REQUEST, number, &word, c->st);
    if (number > 1 && !found)
        put_skip(c->x, "a request that no call in the trace made", true);
    c->nothing_to_do |= needed && word < RECORD_MADE;
    record_push(&c->x->words, word);
    return 0;
}

static bool needs_requests(const struct call *c)
{
    switch (c->l->function) {
    case RECORD_MPI_START:
    case RECORD_MPI_STARTALL:
    case RECORD_MPI_CANCEL:
    case RECORD_MPI_REQUEST_FREE:
    case RECORD_MPI_GREQUEST_COMPLETE:
        return true;
    default:
        return false;
    }
}

static int push_taken(struct call *c, const struct record_param *p, int64_t number)
{
    int64_t word = 0;
    enum record_object o = (enum record_object)p->object;
    if (o == RECORD_TYPE)
        return push_type(c, number);
    if (o == RECORD_REQUEST)
        return push_request(c, number, needs_requests(c));
    const struct replay_dumpi_object *found = replay_dumpi_object(c->x, o, number);
    if (p->way == RECORD_CHANGED && (!found || !found->uses)) {
        c->nothing_to_do = true;
        return 0;
    }
    if (o == RECORD_OP ? replay_dumpi_operator(c->x, number, &word, c->st)
                       : replay_dumpi_taken(c->x, o, number, &word, c->st))
        return -1;
    if (o == RECORD_COMM)
        c->comm = number;
    record_push(&c->x->words, word);
    return 0;
}

static int push_handle(struct call *c, const struct record_param *p, const struct replay_dumpi_value *v)
{
    if (p->object == RECORD_INFO) {
        record_push(&c->x->words, replay_dumpi_named(RECORD_INFO, "MPI_INFO_NULL"));
        return 0;
    }
    if (!v->there) /* of others than the root */
        return p->object == RECORD_TYPE ? push_type(c, 0) : base_fail(c->st, "%s is not there", p->name);
    if (p->way != RECORD_OUT)
        return push_taken(c, p, v->number);
    record_push(&c->x->words, replay_dumpi_made(c->x, (enum record_object)p->object, v->number));
    return 0;
}

static int check_length(const struct call *c, const struct record_param *p,
                        const struct replay_dumpi_value *v, int64_t expected)
{
    return expected == (int64_t)v->n
               ? 0
               : base_fail(c->st, "%s: %zu numbers; expected %" PRId64, p->name, v->n, expected);
}

/* Arrays have the length that the function takes them to have. */
static int check_array(const struct call *c, const struct record_param *p, const struct replay_dumpi_value *v)
{
    const struct replay_dumpi_object *comm = replay_dumpi_object(c->x, RECORD_COMM, c->comm);
    const struct replay_dumpi_value *of;
    switch ((enum record_length)p->length) {
    case RECORD_LENGTH_PARAMETER:
    case RECORD_LENGTH_TRIPLES:
        of = field(c, c->f->param[p->of[0]].name);
        return check_length(c, p, v, (p->length == RECORD_LENGTH_TRIPLES ? 3 : 1) * of->number);
    case RECORD_LENGTH_LAST:
        of = field(c, c->f->param[p->of[0]].name);
        return check_length(c, p, v, of->n ? element(c, of, of->n - 1) : 0);
    case RECORD_LENGTH_RESULT:
        of = field(c, c->f->param[p->of[0]].name);
        return check_length(c, p, v, of->number > 0 ? of->number : 0);
    case RECORD_LENGTH_DIMENSIONS:
        return check_length(c, p, v, comm ? comm->dims : 0);
    default:
        return check_length(c, p, v, number_of(c, "members"));
    }
}

static int push_array(struct call *c, const struct record_param *p, const struct replay_dumpi_value *v)
{
    if (!v->there) {
        record_push(&c->x->words, RECORD_NO_ARRAY);
        return 0;
    }
    if (check_array(c, p, v))
        return -1;
    record_push(&c->x->words, (int64_t)v->n);
    for (size_t k = 0; k < v->n; k++)
        if (p->kind == RECORD_NUMBERS)
            record_push(&c->x->words, element(c, v, k));
        else if (push_taken(c, p, element(c, v, k)))
            return -1;
    return 0;
}

static int push(struct call *c, uint32_t k)
{
    static const struct replay_dumpi_value absent;
    const struct record_param *p = &c->f->param[k];
    const struct replay_dumpi_value *v = c->l->of[k] < 0 ? &absent : &c->x->record.value[c->l->of[k]];
    switch ((enum record_kind)p->kind) {
    case RECORD_BUFFER:
        record_push(&c->x->words,
                    c->in_place && !strcmp(p->name, c->in_place) ? RECORD_IN_PLACE : RECORD_SOMEWHERE);
        return 0;
    case RECORD_HANDLE:
        return push_handle(c, p, v);
    case RECORD_NUMBERS:
    case RECORD_HANDLES:
        return push_array(c, p, v);
    default:
        record_push(&c->x->words, meant(c, p->name, v->number));
        return 0;
    }
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

/* Of inter-communicators records have the local group's size, and do not know the root. */
static bool says_too_little(const struct call *c)
{
    const struct replay_dumpi_value *comm = field(c, "comm");
    const struct replay_dumpi_object *object =
        comm ? replay_dumpi_object(c->x, RECORD_COMM, comm->number) : NULL;
    return object && object->inter && (field(c, "me") || field(c, "members"));
}

/* A group that was handed out twice is freed once. */
static bool is_still_used(const struct call *c)
{
    const struct replay_dumpi_object *group =
        c->l->function == RECORD_MPI_GROUP_FREE
            ? replay_dumpi_object(c->x, RECORD_GROUP, number_of(c, "group"))
            : NULL;
    return group && group->uses > 1;
}

static int push_all(struct call *c)
{
    c->x->words.n = 0;
    for (int last = 0; last < 2; last++)
        for (uint32_t k = 0; k < c->f->n; k++)
            if (record_has_words(&c->f->param[k]) && record_comes_last(&c->f->param[k]) == (last == 1) &&
                push(c, k))
                return -1;
    return 0;
}

int replay_dumpi_call(struct replay_dumpi_rank *x, const char **skipped, struct base_status *st)
{
    const struct replay_dumpi_layout *l = x->record.layout;
    struct call c = {.x = x, .l = l, .f = &record_mpi[l->function], .st = st};
    if (says_too_little(&c)) {
        *skipped = l->name;
        return 0;
    }
    if (replay_dumpi_learn(x, st))
        return -1;
    c.in_place = find_in_place(&c);
    if (push_all(&c))
        return -1;
    if (is_still_used(&c) || c.nothing_to_do)
        replay_dumpi_put_skip(x, l->name, false);
    else {
        put_times(x);
        replay_dumpi_put(x, l->function, x->words.at, x->words.n);
    }
    replay_dumpi_note(x, c.comm);
    return 0;
}
