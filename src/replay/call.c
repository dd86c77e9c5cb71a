/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call: MPI's calls of traces that have them whole, played by the functions of mpi/ themselves: so they take the time
 * of a program's. What a call gave in the recorded run, a test's answer for example, is what the program went by. So a
 * test that succeeded there is repeated until it does, and what a wait for any of several had completed is waited for.
 */
#include <mpi.h>

#include "mpi/mpi_front.h"
#include "replay/player.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A call that is played: on the heap, so that little is on the frames with which a rank waits. */
struct frame {
    const struct record_function *f;
    uint32_t function, words;
    bool absent; /* frees what the trace does not make */
    struct record_part part[RECORD_PARAMS];
    struct record_value v[RECORD_PARAMS];
    uint64_t cell[RECORD_PARAMS]; /* what handles and answers are pointed to in */
    char *arrays;
    int64_t space[]; /* the words, then arrays */
};

static _Noreturn void wrong(const struct replay_job *j, const struct rank *r, const char *call,
                            const struct record_param *p, int64_t word)
{
    base_fatal(BASE_EXIT_INPUT,
               "%s: rank %" PRIu32 ", line %" PRIu32 ": %s, %s: no object number %" PRId64
               " of its kind was made before",
               replay_world_of(j, r)->path, replay_world_place(replay_world_of(j, r), r->id),
               replay_player_of(j, r)->line, call, p->name, word - RECORD_MADE);
}

static uint64_t handle(const struct replay_job *j, const struct rank *r, struct frame *x,
                       const struct record_param *p, int64_t word)
{
    uint64_t found;
    if (replay_handle_of(*replay_handles_at(j, r), (enum record_object)p->object, word, &found))
        return found;
    if (p->object == RECORD_REQUEST) /* complete, in the trace only later */
        return (uint64_t)(uintptr_t)MPI_REQUEST_NULL;
    if (p->object == RECORD_INFO &&
        p->way == RECORD_IN) /* of the environment, or of the implementation's hints */
        return (uint64_t)(uintptr_t)MPI_INFO_NULL;
    if (p->object == RECORD_ERRHANDLER)
        return (uint64_t)(uintptr_t)MPI_ERRORS_RETURN;
    x->absent = p->way == RECORD_CHANGED;
    if (!x->absent)
        wrong(j, r, x->f->name, p, word);
    return 0;
}

/* --- arguments ------------------------------------------------------------------------------------ */

static const void *of_no_array(int64_t n)
{
    return n == RECORD_UNWEIGHTED   ? (const void *)MPI_UNWEIGHTED
           : n == RECORD_NO_WEIGHTS ? (const void *)MPI_WEIGHTS_EMPTY
                                    : NULL;
}

/* An array as the function takes it, in the frame's space. */
static const void *array(const struct replay_job *j, const struct rank *r, struct frame *x,
                         const struct record_part *part)
{
    const struct record_param *p = part->param;
    char *at = x->arrays;
    for (int64_t k = 0; k < part->n; k++)
        if (p->kind == RECORD_HANDLES)
            ((uint64_t *)at)[k] = handle(j, r, x, p, part->at[k]);
        else if (p->kind == RECORD_TEXT)
            at[k] = (char)part->at[k];
        else if (p->width == 4)
            ((int32_t *)at)[k] = (int32_t)part->at[k];
        else
            ((int64_t *)at)[k] = part->at[k];
    if (p->kind == RECORD_TEXT)
        at[part->n] = '\0';
    x->arrays += (size_t)(part->n + 1) * sizeof(int64_t);
    return at;
}

/* Each buffer of a call has a place of its own, as they must not be the same. */
static const void *buffer(const struct replay_job *j, uint32_t k, int64_t word)
{
    return word == RECORD_NULL       ? NULL
           : word == RECORD_IN_PLACE ? MPI_IN_PLACE
                                     : j->memory + k * (j->memory_bytes / RECORD_PARAMS);
}

static void set_value(const struct replay_job *j, const struct rank *r, struct frame *x, uint32_t k)
{
    const struct record_param *p = &x->f->param[k];
    const struct record_part *part = &x->part[k];
    struct record_value *v = &x->v[k];
    x->cell[k] = 0;
    switch ((enum record_kind)p->kind) {
    case RECORD_NUMBER:
        v->i = part->at[0];
        return;
    case RECORD_BUFFER:
        v->p = buffer(j, k, part->at[0]);
        return;
    case RECORD_ADDRESS:
        v->p = (const void *)(uintptr_t)part->at[0]; // NOLINT(performance-no-int-to-ptr)
        return;
    case RECORD_HANDLE:
        if (p->way != RECORD_OUT)
            x->cell[k] = handle(j, r, x, p, part->at[0]);
        v->i = p->way == RECORD_OUT ? part->at[0] : (int64_t)x->cell[k];
        v->p = &x->cell[k];
        return;
    case RECORD_NUMBERS:
    case RECORD_HANDLES:
    case RECORD_TEXT:
        v->p = part->n < 0 ? of_no_array(part->n) : array(j, r, x, part);
        v->i = part->n;
        return;
    case RECORD_ANSWER:
        v->p = &x->cell[k];
        return;
    case RECORD_STATUS:
        v->p = strstr(p->name, "array") ? (const void *)MPI_STATUSES_IGNORE : MPI_STATUS_IGNORE;
        return;
    default:
        v->p = strncmp(p->name, "arg", 3) && strcmp(p->name, "extra_state") ? buffer(j, k, RECORD_SOMEWHERE)
                                                                            : NULL;
    }
}

/* For the datatypes that one is made of there is as much room as the trace has them. Its numbers go where buffers are:
 * they may be more than in the recorded run, where they had another form (large counts). */
static void set_room(struct frame *x, uint32_t types)
{
    enum { MOST = 1 << 28 };
    uint32_t last = x->f->param[types].of[1];
    for (uint32_t k = 0; k < last; k++)
        if (x->f->param[k].kind == RECORD_NUMBER)
            x->v[k].i = MOST;
    x->v[last].i = x->part[types].n > 0 ? x->part[types].n : 0;
}

/* Words for the arrays of a call: all that it takes, each with one more, and one that it gives, with an element for each
 * request. */
static size_t room(const struct replay_action *a)
{
    return 2 * (size_t)a->n + RECORD_PARAMS + 1;
}

static _Noreturn void no_source(const struct replay_job *j, const struct rank *r, const char *call)
{
    const struct replay_world *w = replay_world_of(j, r);
    base_fatal(BASE_EXIT_INPUT,
               "%s: rank %" PRIu32 ", line %" PRIu32
               ": %s takes any source or tag: expected one more line \"source\" of the "
               "rank; --set replay/sources=any plays the trace without them",
               w->path, replay_world_place(w, r->id), replay_player_of(j, r)->line, call);
}

static void find_source(struct replay_job *j, const struct rank *r, struct frame *x, size_t n)
{
    struct replay_sources *s = replay_player_of(j, r)->sources;
    int found = s ? replay_sources_resolve(s, x->function, x->space, n, MPI_ANY_SOURCE) : 0;
    if (found < 0)
        no_source(j, r, x->f->name);
    j->counts.sourced += found > 0;
}

bool replay_next_source(struct mpi_source *out)
{
    struct rank *r = rank_current;
    struct replay_job *j = replay_job_of(r);
    struct replay_sources *s = j ? replay_player_of(j, r)->sources : NULL;
    int64_t source, tag;
    enum replay_source found = s ? replay_sources_next(s, &source, &tag) : REPLAY_SOURCE_UNKNOWN;
    if (found == REPLAY_SOURCE_MISSING)
        no_source(j, r, "MPI_Start");
    if (found == REPLAY_SOURCE_UNKNOWN)
        return false;
    if (found == REPLAY_SOURCE_NOBODY)
        source = MPI_PROC_NULL;
    else
        j->counts.sourced++;
    *out = (struct mpi_source){(int)source, (int)tag};
    return true;
}

/* A matched probe that found nothing in the recorded run takes no message here either: it looks for a tag that nobody uses. */
static void take_nothing(struct frame *x)
{
    enum { TAG = 1, FLAG = 3 };
    if (x->function == RECORD_MPI_IMPROBE && !x->part[FLAG].at[0])
        x->v[TAG].i = INT32_MAX;
}

/* In a function of its own, so that little is on the frames with which the rank waits. */
static __attribute__((noinline)) struct frame *make_frame(struct replay_job *j, const struct rank *r)
{
    const struct replay_action *a = &j->action;
    struct frame *x = base_alloc(sizeof *x + (a->n + room(a)) * sizeof *x->space, "a call of a trace");
    x->absent = false;
    x->f = &record_mpi[a->number];
    x->function = a->number;
    x->words = a->n;
    if (a->n) /* else there may be no words at all */
        memcpy(x->space, a->counts, a->n * sizeof *x->space);
    find_source(j, r, x, a->n);
    x->arrays = (char *)(x->space + a->n);
    if (!record_parts(x->f, x->space, a->n, x->part))
        base_fatal(BASE_EXIT_BUG, "words of %s", x->f->name);
    for (uint32_t k = 0; k < x->f->n; k++)
        if (!record_comes_last(&x->f->param[k]))
            set_value(j, r, x, k);
    take_nothing(x);
    for (uint32_t k = 0; k < x->f->n; k++)
        if (record_comes_last(&x->f->param[k])) {
            x->v[k].p = x->arrays;
            if (x->f->param[k].length == RECORD_LENGTH_CONTENTS)
                set_room(x, k);
            x->arrays += (size_t)(a->n + 1) * sizeof(int64_t);
        }
    return x;
}

/* --- lengths of arrays ------------------------------------------------------------------------------ */

static int64_t sum_of(const struct record_part *part)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < part->n; k++)
        if (__builtin_add_overflow(sum, part->at[k], &sum))
            return INT64_MAX;
    return sum;
}

/* How many elements the function will read. */
static int64_t length_of(const struct frame *x, const struct record_param *p)
{
    const struct record_part *of = &x->part[p->of[0]];
    int64_t n = 0;
    switch ((enum record_length)p->length) {
    case RECORD_LENGTH_PARAMETER:
        return of->at[0];
    case RECORD_LENGTH_TRIPLES:
        return __builtin_mul_overflow(of->at[0], 3, &n) ? INT64_MAX : n;
    case RECORD_LENGTH_SUM:
        return sum_of(of);
    case RECORD_LENGTH_LAST:
        return of->n > 0 ? of->at[of->n - 1] : 0;
    case RECORD_LENGTH_NONE:
    case RECORD_LENGTH_RESULT:
    case RECORD_LENGTH_GIVEN:
    case RECORD_LENGTH_CONTENTS:
        return 0;
    default:
        return mpi_played_length(p, x->cell[p->of[0]], x->v[p->of[1]].i);
    }
}

/* A trace that somebody has written by hand may have too few elements. */
static void check_lengths(const struct replay_job *j, const struct rank *r, const struct frame *x)
{
    const struct replay_world *w = replay_world_of(j, r);
    for (uint32_t k = 0; k < x->f->n; k++) {
        const struct record_param *p = &x->f->param[k];
        const struct record_part *part = &x->part[k];
        bool is_array = p->kind == RECORD_NUMBERS || p->kind == RECORD_HANDLES;
        if (!is_array || !part->param || part->n < 0 || record_comes_last(p))
            continue;
        int64_t n = length_of(x, p);
        if (n > part->n)
            base_fatal(BASE_EXIT_INPUT,
                       "%s: rank %" PRIu32 ", line %" PRIu32 ": %s, %s: %" PRId64
                       " elements: expected %" PRId64,
                       w->path, replay_world_place(w, r->id), replay_player_of(j, r)->line, x->f->name,
                       p->name, part->n, n);
    }
}

/* --- what it gave ----------------------------------------------------------------------------------- */

/* Where the handles of the trace lead now. */
static void keep(struct replay_job *j, const struct rank *r, const struct frame *x)
{
    struct replay_handles **h = replay_handles_at(j, r);
    if (x->function == RECORD_MPI_REQUEST_FREE) /* it may still be completed, if it is a generalized one */
        return;
    for (uint32_t k = 0; k < x->f->n; k++) {
        const struct record_param *p = &x->f->param[k];
        const struct record_part *part = &x->part[k];
        enum record_object o = (enum record_object)p->object;
        if (p->way == RECORD_IN)
            continue;
        if (p->kind == RECORD_HANDLE && x->cell[k])
            replay_handle_set(h, o, part->at[0],
                              o != RECORD_REQUEST && x->cell[k] < RECORD_MADE ? 0 : x->cell[k]);
        for (int64_t i = 0; p->kind == RECORD_HANDLES && i < part->n; i++)
            replay_handle_set(h, o, part->at[i], ((const uint64_t *)x->v[k].p)[i]);
    }
}

/* The parameter of a kind, from `from` on; NULL: there is none. */
static const struct record_part *part_of(const struct frame *x, enum record_kind kind, uint32_t from,
                                         uint32_t *place)
{
    for (*place = from; *place < x->f->n; ++*place)
        if (x->f->param[*place].kind == kind)
            return &x->part[*place];
    return NULL;
}

/* The recorded call had an answer other than no, and this one says no. */
static bool says_no(const struct frame *x)
{
    uint32_t k;
    const struct record_part *part;
    for (uint32_t from = 0; (part = part_of(x, RECORD_ANSWER, from, &k)); from = k + 1) {
        bool flag = !strcmp(part->param->name, "flag");
        bool count = !strcmp(part->param->name, "outcount");
        int now = *(const int *)x->v[k].p;
        if ((flag && part->at[0] && !now) || (count && part->at[0] > 0 && now == 0))
            return true;
    }
    return false;
}

static void wait_for(struct replay_job *j, const struct frame *x, uint32_t requests, int64_t place)
{
    uint64_t *q = (uint64_t *)(uintptr_t)x->v[requests].p;
    if (place < 0 || place >= x->part[requests].n)
        return;
    const struct record_value v[] = {{.p = &q[place]}, {.p = MPI_STATUS_IGNORE}};
    j->counts.assumed++;
    mpi_play(RECORD_MPI_WAIT, v);
}

static bool is_among(const struct frame *x, uint32_t indices, uint32_t count, int64_t place)
{
    int n = *(const int *)x->v[count].p;
    for (int k = 0; k < n; k++)
        if (((const int *)x->v[indices].p)[k] == place)
            return true;
    return false;
}

/* What completed in the recorded run is complete here, too. */
static void complete_the_same(struct replay_job *j, const struct frame *x)
{
    uint32_t requests, k, indices;
    if (!part_of(x, RECORD_HANDLES, 0, &requests) || x->f->param[requests].way != RECORD_CHANGED)
        return;
    const struct record_part *answer = part_of(x, RECORD_ANSWER, 0, &k);
    if (!answer)
        return;
    if (!strcmp(answer->param->name, "indx") && *(const int *)x->v[k].p != answer->at[0])
        wait_for(j, x, requests, answer->at[0]);
    if (!strcmp(answer->param->name, "outcount") && part_of(x, RECORD_NUMBERS, 0, &indices))
        for (int64_t i = 0; i < x->part[indices].n; i++)
            if (!is_among(x, indices, k, x->part[indices].at[i]))
                wait_for(j, x, requests, x->part[indices].at[i]);
}

/* It has failed once. */
static void repeat(struct replay_job *j, struct rank *r, const struct frame *x)
{
    struct replay_repeat *again = base_alloc(sizeof *again, "a test of a trace");
    replay_repeat_begin(j, r, again);
    do
        replay_repeat_again(j, r, again);
    while (mpi_play(x->function, x->v) == MPI_SUCCESS && says_no(x));
    replay_repeat_end(j, replay_player_of(j, r));
    free(again);
}

/* Tests of a window's exposure that had found it open and find it over here end it, so what ended it then has nothing to do
 * any more. true: it is such a call. */
static bool is_over(struct replay_handles **h, const struct frame *x)
{
    bool tests = x->function == RECORD_MPI_WIN_TEST;
    if (!(tests || x->function == RECORD_MPI_WIN_WAIT) || !replay_window_is_over(*h, x->part[0].at[0]))
        return false;
    if (!tests || x->part[1].at[0])
        replay_window_set_over(h, x->part[0].at[0], false);
    return true;
}

static void note_over(struct replay_handles **h, const struct frame *x)
{
    if (x->function == RECORD_MPI_WIN_TEST && !x->part[1].at[0] && *(const int *)x->v[1].p)
        replay_window_set_over(h, x->part[0].at[0], true);
}

/* Calls that name a rank of the trace, or start some. */
static void name_ranks(const struct replay_job *j, const struct rank *r, struct frame *x)
{
    const struct replay_world *w = replay_world_of(j, r);
    uint32_t first, n;
    if (replay_starts_of(x->function, x->space, x->words, &first, &n))
        replay_starts(j, r, first, n);
    else
        replay_player_of(j, r)->starts = 0;
    if (x->function == RECORD_MPI_COMM_JOIN)
        x->v[0].i = x->v[0].i >= 0 && x->v[0].i < replay_tape_ranks(w->tape)
                        ? (int64_t)replay_world_rank(w, (uint32_t)x->v[0].i)
                        : -1;
}

void replay_call(struct replay_job *j, struct rank *r)
{
    if (j->action.number >= RECORD_RISCV_FUNCTIONS) {
        replay_posix_call(j, r);
        return;
    }
    if (j->action.number >= RECORD_SHMEM_FUNCTIONS) {
        replay_core_call(j, r);
        return;
    }
    if (j->action.number >= RECORD_MPI_FUNCTIONS) {
        replay_shmem_call(j, r);
        return;
    }
    struct frame *x = make_frame(j, r);
    j->counts.calls++;
    if (x->absent || is_over(replay_handles_at(j, r), x)) {
        free(x);
        return;
    }
    check_lengths(j, r, x);
    name_ranks(j, r, x);
    if (mpi_play(x->function, x->v) == MPI_SUCCESS && says_no(x))
        repeat(j, r, x);
    complete_the_same(j, x);
    note_over(replay_handles_at(j, r), x);
    keep(j, r, x);
    free(x);
}
