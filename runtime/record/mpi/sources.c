/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sources: whose messages calls got that take any source or any tag. A line says it for each of them, in the order in which
 * the thread has started them (docs/replay.md, "Sources"): so what is known early waits for older ones. Statuses tell it, so
 * where the program ignores them, the call gets others.
 */
#include "mpi_recorder.h"

#include <stdlib.h>
#include <string.h>

enum outcome { OPEN, UNKNOWN, NOBODY, FOUND };
struct sought {
    struct sought *next;
    enum outcome outcome;
    int source, tag;
};
struct queue { /* of a thread */
    struct sought *first, *last;
};
/* Of a request, by its number. */
struct sought_by {
    struct sought *sought; /* NULL: it takes none, or is not started */
    bool seeks;            /* persistent: each start takes any */
};

static struct {
    struct queue *of; /* by thread, from 1 */
    size_t n, cap;
} queues;
static struct {
    struct sought_by *at;
    size_t n, cap;
} requests;
static size_t open_requests; /* that are sought or may be */

/* --- statuses --------------------------------------------------------------------------------------------- */

MPI_Status *recorder_status(MPI_Status *status)
{
    static __thread MPI_Status own;
    return status == MPI_STATUS_IGNORE ? &own : status;
}

MPI_Status *recorder_statuses(MPI_Status *statuses, int n)
{
    static __thread MPI_Status *own;
    static __thread size_t cap;
    if (statuses != MPI_STATUSES_IGNORE || !open_requests || n <= 0)
        return statuses;
    if ((size_t)n > cap)
        own = base_array_grow(own, &cap, (size_t)n, sizeof *own, "statuses");
    return own;
}

/* --- queues ----------------------------------------------------------------------------------------------- */

static struct queue *queue_of(uint32_t thread)
{
    if (thread >= queues.cap)
        queues.of = base_array_grow(queues.of, &queues.cap, thread + (size_t)1, sizeof *queues.of, "threads");
    for (; queues.n <= thread; queues.n++)
        queues.of[queues.n] = (struct queue){0};
    return &queues.of[thread];
}

/* Lines of what is known and has nothing open before it; `all`: of the others, too. */
static void tell(uint32_t thread, bool all)
{
    struct queue *q = queue_of(thread);
    for (struct sought *s = q->first; s && (all || s->outcome != OPEN); s = q->first) {
        recorder_write_source(thread,
                              s->outcome == FOUND    ? RECORDER_FOUND
                              : s->outcome == NOBODY ? RECORDER_NOBODY
                                                     : RECORDER_UNKNOWN,
                              s->source, s->tag);
        q->first = s->next;
        free(s);
    }
    if (!q->first)
        q->last = NULL;
}

static void tell_all(bool all)
{
    for (uint32_t thread = 1; thread < queues.n; thread++)
        tell(thread, all);
}

static struct sought *begin(void)
{
    struct queue *q = queue_of(recorder_thread());
    struct sought *s = calloc(1, sizeof *s);
    if (!s)
        recorder_stop("there is no memory for sources of receives");
    if (q->last)
        q->last->next = s;
    else
        q->first = s;
    q->last = s;
    return s;
}

static void end(struct sought *s, const MPI_Status *status, bool cancelled)
{
    s->outcome = cancelled ? NOBODY : FOUND;
    s->source = status->MPI_SOURCE;
    s->tag = status->MPI_TAG;
}

/* --- requests --------------------------------------------------------------------------------------------- */

static struct sought_by *request_of(int64_t word, bool made)
{
    if (word < RECORD_MADE)
        return NULL;
    size_t k = (size_t)(word - RECORD_MADE);
    if (k >= requests.n && !made)
        return NULL;
    if (k >= requests.cap)
        requests.at = base_array_grow(requests.at, &requests.cap, k + 1, sizeof *requests.at, "requests");
    for (; requests.n <= k; requests.n++)
        requests.at[requests.n] = (struct sought_by){0};
    return &requests.at[k];
}

static void start(int64_t word)
{
    struct sought_by *r = request_of(word, true);
    if (r && !r->sought) {
        r->sought = begin();
        open_requests++;
    }
}

static void start_persistent(int64_t word)
{
    const struct sought_by *r = request_of(word, false);
    if (r && r->seeks)
        start(word);
}

static void complete(int64_t word, const MPI_Status *status)
{
    struct sought_by *r = request_of(word, false);
    int cancelled = 0;
    if (!r || !r->sought)
        return;
    PMPI_Test_cancelled(status, &cancelled);
    end(r->sought, status, cancelled);
    r->sought = NULL;
    open_requests--;
}

/* It may go on, and nobody will know what it got. */
static void drop(int64_t word)
{
    struct sought_by *r = request_of(word, false);
    if (!r)
        return;
    if (r->sought) {
        r->sought->outcome = UNKNOWN;
        open_requests--;
    }
    *r = (struct sought_by){0};
}

/* --- calls ------------------------------------------------------------------------------------------------ */

struct seen {
    const struct record_function *f;
    const struct record_value *v;
    struct record_part part[RECORD_PARAMS];
};

/* Its number among the parameters; f->n: there is none. */
static uint32_t param_of(const struct record_function *f, const char *name)
{
    uint32_t k = 0;
    while (k < f->n && strcmp(f->param[k].name, name) != 0)
        k++;
    return k;
}

static const struct record_value *value_of(const struct seen *x, const char *name)
{
    uint32_t k = param_of(x->f, name);
    return k < x->f->n ? &x->v[k] : NULL;
}

static bool seeks(const struct seen *x)
{
    const struct record_value *source = value_of(x, "source"), *tag = value_of(x, "tag");
    tag = tag ? tag : value_of(x, "recvtag");
    return source && tag && source->i != MPI_PROC_NULL &&
           (source->i == MPI_ANY_SOURCE || tag->i == MPI_ANY_TAG);
}

static int64_t word_of(const struct seen *x)
{
    return x->part[param_of(x->f, "request")].at[0];
}

static int answer(const struct seen *x, const char *name, int otherwise)
{
    const struct record_value *v = value_of(x, name);
    return v ? *(const int *)v->p : otherwise;
}

static void found_now(const struct seen *x)
{
    if (seeks(x) && answer(x, "flag", 1))
        end(begin(), value_of(x, "status")->p, false);
}

static void complete_one(const struct seen *x)
{
    if (answer(x, "flag", 1))
        complete(word_of(x), value_of(x, "status")->p);
}

/* Of an array, all of which are complete, or one, or some. */
static void complete_array(const struct seen *x)
{
    const struct record_part *all = &x->part[param_of(x->f, "array_of_requests")];
    const struct record_value *one = value_of(x, "status"), *each = value_of(x, "array_of_statuses"),
                              *which = value_of(x, "array_of_indices");
    const MPI_Status *status = one ? one->p : each->p;
    int n = which ? answer(x, "outcount", 0) : one ? 1 : (int)all->n;
    if (!open_requests || !answer(x, "flag", 1) || status == MPI_STATUSES_IGNORE)
        return;
    for (int k = 0; k < n; k++) {
        int at = which ? ((const int *)which->p)[k] : one ? answer(x, "indx", MPI_UNDEFINED) : k;
        if (at >= 0 && at < all->n)
            complete(all->at[at], &status[k]);
    }
}

static void take(const struct seen *x, uint32_t function)
{
    switch (function) {
    case RECORD_MPI_RECV:
    case RECORD_MPI_SENDRECV:
    case RECORD_MPI_SENDRECV_REPLACE:
    case RECORD_MPI_PROBE:
    case RECORD_MPI_MPROBE:
    case RECORD_MPI_IPROBE:
    case RECORD_MPI_IMPROBE:
        found_now(x);
        return;
    case RECORD_MPI_IRECV:
    case RECORD_MPI_ISENDRECV:
    case RECORD_MPI_ISENDRECV_REPLACE:
        if (seeks(x))
            start(word_of(x));
        return;
    case RECORD_MPI_RECV_INIT:
        if (seeks(x))
            request_of(word_of(x), true)->seeks = true;
        return;
    case RECORD_MPI_START:
        start_persistent(word_of(x));
        return;
    case RECORD_MPI_STARTALL: {
        const struct record_part *all = &x->part[param_of(x->f, "array_of_requests")];
        for (int64_t k = 0; k < all->n; k++)
            start_persistent(all->at[k]);
        return;
    }
    case RECORD_MPI_WAIT:
    case RECORD_MPI_TEST:
        complete_one(x);
        return;
    case RECORD_MPI_REQUEST_FREE:
        drop(word_of(x));
        return;
    default:
        complete_array(x);
    }
}

static bool concerns(uint32_t function)
{
    static const uint32_t functions[] = {
        RECORD_MPI_RECV,
        RECORD_MPI_SENDRECV,
        RECORD_MPI_SENDRECV_REPLACE,
        RECORD_MPI_PROBE,
        RECORD_MPI_MPROBE,
        RECORD_MPI_IPROBE,
        RECORD_MPI_IMPROBE,
        RECORD_MPI_IRECV,
        RECORD_MPI_ISENDRECV,
        RECORD_MPI_RECV_INIT,
        RECORD_MPI_ISENDRECV_REPLACE,
        RECORD_MPI_START,
        RECORD_MPI_STARTALL,
        RECORD_MPI_WAIT,
        RECORD_MPI_TEST,
        RECORD_MPI_REQUEST_FREE,
        RECORD_MPI_WAITALL,
        RECORD_MPI_WAITANY,
        RECORD_MPI_WAITSOME,
        RECORD_MPI_TESTALL,
        RECORD_MPI_TESTANY,
        RECORD_MPI_TESTSOME,
    };
    static bool known[RECORD_MPI_FUNCTIONS], listed;
    for (size_t k = 0; !listed && k < BASE_LENGTH(functions); k++)
        known[functions[k]] = true;
    listed = true;
    return known[function];
}

void recorder_note_sources(const struct recorder_call *c, const struct record_value *v)
{
    struct seen x = {.f = &record_mpi[c->function], .v = v};
    if (!v || !concerns(c->function) || !record_parts(x.f, c->words.at, c->words.n, x.part))
        return;
    take(&x, c->function);
    tell_all(false);
}

void recorder_end_sources(void)
{
    tell_all(true);
    free(requests.at);
    free(queues.of);
    memset(&requests, 0, sizeof requests);
    memset(&queues, 0, sizeof queues);
    open_requests = 0;
}
