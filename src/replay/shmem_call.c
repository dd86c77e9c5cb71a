/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_call: OpenSHMEM's calls of traces, played by shmem/: words become addresses, handles and numbers. */
#include "replay/player.h"
#include "shmem/shmem_front.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A call that is played: on the heap, so that little is on the frames with which a rank waits. */
struct frame {
    uint32_t function;
    const struct record_function *f;
    struct record_part part[RECORD_PARAMS];
    struct record_value v[RECORD_PARAMS];
    uint64_t cell[RECORD_PARAMS]; /* what handles are pointed to in */
    char type[64];
    int64_t words[];
};

static _Noreturn void wrong(const struct replay_job *j, const struct rank *r, const struct frame *x,
                            const struct record_param *p, const char *expected)
{
    base_fatal(BASE_EXIT_INPUT, "%s: rank %" PRIu32 ", line %" PRIu32 ": %s, %s: expected %s",
               replay_world_of(j, r)->path, replay_world_place(replay_world_of(j, r), r->id),
               replay_player_of(j, r)->line, x->f->name, p->name, expected);
}

static const void *place(const struct replay_job *j, struct rank *r, uint32_t k, int64_t word)
{
    if (word == RECORD_NULL)
        return NULL;
    if (word == RECORD_SOMEWHERE || word == RECORD_IN_PLACE)
        return j->memory + k * (j->memory_bytes / RECORD_PARAMS);
    return (const void *)shmem_place_at(r, word); // NOLINT(performance-no-int-to-ptr)
}

/* The name of an element's type, ended. */
static const char *type_of(const struct replay_job *j, const struct rank *r, struct frame *x,
                           const struct record_part *part)
{
    size_t n = 0;
    for (; (int64_t)n < part->n && n < sizeof x->type - 1; n++)
        x->type[n] = (char)part->at[n];
    x->type[n] = '\0';
    if (shmem_played_type(x->type) == TYPES_ELEMENTS)
        wrong(j, r, x, part->param, "a type (\"int\", \"double\", ...)");
    return x->type;
}

static void set_value(const struct replay_job *j, struct rank *r, struct frame *x, uint32_t k)
{
    const struct record_part *part = &x->part[k];
    const struct record_param *p = part->param;
    struct record_value *v = &x->v[k];
    *v = (struct record_value){0};
    x->cell[k] = 0;
    if (!part->at) /* all of them have words */
        return;
    switch ((enum record_kind)p->kind) {
    case RECORD_PLACE:
        v->p = place(j, r, k, part->at[0]);
        return;
    case RECORD_HANDLE:
        if (p->way == RECORD_IN &&
            !replay_handle_of(*replay_handles_at(j, r), (enum record_object)p->object, part->at[0],
                              &x->cell[k]) &&
            part->at[0] >= RECORD_MADE)
            wrong(j, r, x, p, "one that was made before");
        v->i = (int64_t)x->cell[k];
        v->p = &x->cell[k];
        return;
    case RECORD_NUMBERS:
        *v = (struct record_value){part->n, part->at, 8};
        return;
    case RECORD_TEXT:
        v->p = type_of(j, r, x, part);
        return;
    default:
        v->i = part->at[0];
    }
}

static __attribute__((noinline)) struct frame *make_frame(struct replay_job *j, struct rank *r)
{
    const struct replay_action *a = &j->action;
    struct frame *x = base_alloc(sizeof *x + a->n * sizeof *x->words, "a call of a trace");
    x->function = a->number;
    x->f = record_function_of(a->number);
    if (a->n)
        memcpy(x->words, a->counts, a->n * sizeof *x->words);
    if (!record_parts(x->f, x->words, a->n, x->part))
        base_fatal(BASE_EXIT_BUG, "words of %s", x->f->name);
    if (x->function == RECORD_SHMEM_INIT)
        replay_statics_open(replay_world_of(j, r), x->part[1].at, x->part[1].n);
    for (uint32_t k = 0; k < x->f->n; k++) {
        if (!strcmp(x->f->param[k].name, "causes"))
            replay_world_causes(j, replay_world_of(j, r), x->words + (x->part[k].at - x->words),
                                x->part[k].n);
        set_value(j, r, x, k);
    }
    return x;
}

static void keep(struct replay_job *j, const struct rank *r, const struct frame *x)
{
    for (uint32_t k = 0; k < x->f->n; k++)
        if (x->f->param[k].way == RECORD_OUT)
            replay_handle_set(replay_handles_at(j, r), (enum record_object)x->f->param[k].object,
                              x->part[k].at[0], x->cell[k]);
}

/* What ended a wait in the recorded run was no operation. */
static void warn_unknown(const struct replay_job *j, const struct rank *r, const struct frame *x)
{
    static const char key[] = "replay/unknown-cause";
    if (!base_warn_again(key))
        base_warn(
            key,
            "%s: rank %" PRIu32 ", line %" PRIu32
            ": %s waits for no operation here: the trace does not know what ended it in the recorded run",
            replay_world_of(j, r)->path, replay_world_place(replay_world_of(j, r), r->id),
            replay_player_of(j, r)->line, x->f->name);
}

/* The recorded test took the lock. If it never can here, this ends as the deadlock that it is. */
static void take_lock(struct replay_job *j, struct rank *r, const struct frame *x)
{
    if (!shmem_play(x->function, x->v))
        return;
    struct replay_repeat *again = base_alloc(sizeof *again, "a test of a trace");
    replay_repeat_begin(j, r, again);
    do
        replay_repeat_again(j, r, again);
    while (shmem_play(x->function, x->v));
    replay_repeat_end(j, replay_player_of(j, r));
    free(again);
}

static uint64_t play(struct replay_job *j, struct rank *r, const struct frame *x)
{
    if (x->function == RECORD_SHMEM_POLLED)
        return replay_polled(r, x->f->name, &x->v[0]);
    if (x->function != RECORD_SHMEM_TEST_LOCK || x->v[1].i)
        return shmem_play(x->function, x->v);
    take_lock(j, r, x);
    return 0;
}

void replay_shmem_call(struct replay_job *j, struct rank *r)
{
    struct frame *x = make_frame(j, r);
    bool polls = x->function == RECORD_SHMEM_POLLED, waits = polls || x->function == RECORD_SHMEM_WAIT_UNTIL;
    j->counts.calls++;
    if (waits && x->v[polls ? 0 : 2].i < 0)
        warn_unknown(j, r, x);
    uint64_t assumed = play(j, r, x);
    *(waits ? &j->counts.caused : &j->counts.assumed) += assumed;
    keep(j, r, x);
    free(x);
}
