/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handles: what numbers of a trace are in this MPI. Handles that the standard names and constants are in the recorder's
 * list for this MPI (record/mpi/constants.c); what a call of the trace makes gets the number that the trace has for it.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_recorder.h"
#include "play/play.h"

enum { NAMED = 1024 };
static uint64_t named[RECORD_OBJECTS][NAMED];
static bool is_named[RECORD_OBJECTS][NAMED];

void recorder_predefine(enum record_object o, int64_t bits, int64_t value)
{
    if (value < 0 || value >= NAMED)
        return;
    named[o][value] = (uint64_t)bits;
    is_named[o][value] = true;
}

union play_handle play_handle(const struct play_call *c, enum record_object o, int64_t word)
{
    union play_handle h = {.bits = 0};
    const struct play_objects *made = &c->play->objects[o];
    size_t k = (size_t)(word - RECORD_MADE);
    if (word >= RECORD_MADE && k < made->n && made->made[k])
        return made->at[k];
    if (word < 0 || word >= NAMED || !is_named[o][word])
        play_stop(c->play, c->f->name, "an object that was made before, or one that this MPI has");
    if (sizeof(MPI_Comm) == 4) {
        uint32_t bits = (uint32_t)named[o][word];
        memcpy(&h, &bits, sizeof bits);
    } else {
        memcpy(&h, &named[o][word], sizeof h);
    }
    return h;
}

void play_made(struct play_call *c, uint32_t k, union play_handle h)
{
    int64_t word = c->part[k].at[0];
    struct play_objects *o = &c->play->objects[c->f->param[k].object];
    size_t at = (size_t)(word - RECORD_MADE), n = o->n;
    if (word < RECORD_MADE)
        return;
    if (at >= n) {
        o->n = at + at / 2 + 16;
        o->at = realloc(o->at, o->n * sizeof *o->at);
        o->made = realloc(o->made, o->n * sizeof *o->made);
        if (!o->at || !o->made)
            play_stop(c->play, c->f->name, "more memory");
        memset(o->made + n, 0, (o->n - n) * sizeof *o->made);
    }
    o->at[at] = h;
    o->made[at] = true;
}

struct play_request *play_request(struct play *p, int64_t word)
{
    size_t k = word < RECORD_MADE ? 0 : (size_t)(word - RECORD_MADE) + 1,
           n = p->n_requests; /* 0: MPI_REQUEST_NULL */
    if (k >= n) {
        p->n_requests = k + k / 2 + 16;
        p->requests = realloc(p->requests, p->n_requests * sizeof *p->requests);
        if (!p->requests)
            play_stop(p, "a request", "more memory");
        memset(p->requests + n, 0, (p->n_requests - n) * sizeof *p->requests);
    }
    if (!p->requests[k]) {
        p->requests[k] = calloc(1, sizeof **p->requests);
        if (!p->requests[k])
            play_stop(p, "a request", "more memory");
        p->requests[k]->request = MPI_REQUEST_NULL;
    }
    return p->requests[k];
}

/* --- numbers, before the start -------------------------------------------------------------------------- */

static bool has_constants(const char *parameter)
{
    const struct recorder_constant *k = recorder_constants;
    while (k->parameter && strcmp(k->parameter, parameter) != 0)
        k++;
    return k->parameter;
}

static int64_t constant(const char *parameter, int64_t value)
{
    for (const struct recorder_constant *k = recorder_constants; k->parameter; k++)
        if (k->there == value && !strcmp(k->parameter, parameter))
            return k->here;
    return value;
}

/* Whether the numbers of a parameter are constants of the MPI's, perhaps: 0, not known yet; 1, no; 2, yes. */
static bool may_be_constant(uint32_t function, uint32_t k)
{
    static char known[RECORD_MPI_FUNCTIONS][RECORD_PARAMS];
    if (!known[function][k])
        known[function][k] = has_constants(record_mpi[function].param[k].name) ? 2 : 1;
    return known[function][k] == 2;
}

static bool is_address(const char *parameter)
{
    return strstr(parameter, "disp") || strstr(parameter, "extent") || strstr(parameter, "stride") ||
           !strcmp(parameter, "lb") || !strcmp(parameter, "size");
}

static void prepare_call(struct play *p, const struct play_step *s)
{
    struct record_part part[RECORD_PARAMS];
    const struct record_function *f = &record_mpi[s->what];
    int64_t *words = p->trace.words.at + s->at;
    p->step = s;
    if (!record_parts(f, words, s->n, part))
        play_stop(p, f->name, "its arguments");
    for (uint32_t k = 0; k < f->n; k++) {
        bool number = f->param[k].kind == RECORD_NUMBER || f->param[k].kind == RECORD_NUMBERS;
        int64_t n = f->param[k].kind == RECORD_NUMBER ? 1 : part[k].n;
        for (int64_t i = 0; number && i < n; i++) {
            int64_t *word = words + (part[k].at - words) + i;
            if (may_be_constant(s->what, k))
                *word = constant(f->param[k].name, *word);
            if ((*word < INT_MIN || *word > INT_MAX) && !is_address(f->param[k].name))
                play_stop(p, f->param[k].name, "a number of 32 bits");
        }
    }
}

void play_prepare(struct play *p)
{
    recorder_list_handles();
    for (size_t k = 0; k < p->trace.n; k++)
        if (p->trace.step[k].what < RECORD_MPI_FUNCTIONS)
            prepare_call(p, &p->trace.step[k]);
}
