/* SPDX-License-Identifier: BSD-3-Clause */
/* calls: the arguments of a call, and who plays which function. */
#include <stdlib.h>
#include <string.h>

#include "play/play.h"

_Noreturn void play_stop(const struct play *p, const char *what, const char *expected)
{
    unsigned line = p->step ? (unsigned)p->step->line : 0;
    fprintf(stderr, "play: %s:%u: %s: expected %s\n", p->trace.path, line, what, expected);
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, 2);
    abort();
}

static play_fn player_of(uint32_t function)
{
    static play_fn players[RECORD_MPI_FUNCTIONS];
    static const struct play_entry *const tables[] = {play_messages, play_requests, play_collectives,
                                                      play_objects, play_type_calls};
    static bool known;
    for (size_t k = 0; !known && k < BASE_LENGTH(tables); k++)
        for (const struct play_entry *e = tables[k]; e->play; e++)
            players[e->function] = e->play;
    known = true;
    return function < RECORD_MPI_FUNCTIONS ? players[function] : NULL;
}

bool play_has_player(uint32_t function)
{
    return player_of(function) != NULL;
}

void play_step_call(struct play *p, const struct play_step *s)
{
    struct play_call c = {.play = p, .f = &record_mpi[s->what]};
    p->step = s;
    p->calls++;
    record_parts(c.f, p->trace.words.at + s->at, s->n, c.part);
    const struct record_param *last = c.f->n ? &c.f->param[c.f->n - 1] : NULL;
    if (last && last->object == RECORD_REQUEST && last->way == RECORD_OUT) {
        c.later = play_request(p, c.part[c.f->n - 1].at[0]);
        play_give_back(p, &c.later->blocks); /* of one that was freed before */
        c.later->persistent = false;
    }
    player_of(s->what)(&c);
    play_give_back(p, &p->blocks);
}

int play_int(const struct play_call *c, uint32_t k)
{
    return (int)c->part[k].at[0];
}

MPI_Aint play_aint(const struct play_call *c, uint32_t k)
{
    return (MPI_Aint)c->part[k].at[0];
}

int play_length(const struct play_call *c, uint32_t k)
{
    return c->part[k].n < 0 ? 0 : (int)c->part[k].n;
}

int *play_ints(struct play_call *c, uint32_t k)
{
    int n = play_length(c, k);
    if (c->part[k].n < 0)
        return NULL;
    int *at = play_keep(c, ((size_t)n + 1) * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = (int)c->part[k].at[i];
    return at;
}

MPI_Aint *play_aints(struct play_call *c, uint32_t k)
{
    int n = play_length(c, k);
    if (c->part[k].n < 0)
        return NULL;
    MPI_Aint *at = play_keep(c, ((size_t)n + 1) * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = (MPI_Aint)c->part[k].at[i];
    return at;
}

MPI_Comm play_comm(const struct play_call *c, uint32_t k)
{
    return play_handle(c, RECORD_COMM, c->part[k].at[0]).comm;
}

MPI_Group play_group(const struct play_call *c, uint32_t k)
{
    return play_handle(c, RECORD_GROUP, c->part[k].at[0]).group;
}

MPI_Datatype play_type(const struct play_call *c, uint32_t k)
{
    return play_handle(c, RECORD_TYPE, c->part[k].at[0]).type;
}

MPI_Datatype *play_types(struct play_call *c, uint32_t k)
{
    int n = play_length(c, k);
    if (c->part[k].n < 0)
        return NULL;
    MPI_Datatype *at = play_keep(c, ((size_t)n + 1) * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = play_handle(c, RECORD_TYPE, c->part[k].at[i]).type;
    return at;
}

MPI_Op play_op(const struct play_call *c, uint32_t k)
{
    return play_handle(c, RECORD_OP, c->part[k].at[0]).op;
}
