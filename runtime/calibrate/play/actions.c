/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * actions: the actions of SMPI's time-independent traces, as calls. Messages and data are bytes (MPI_BYTE), reductions
 * numbers of the type's size; flops of a reduction are computed after it. What does not say enough is refused: tests and
 * waits for any request (which one?), receives of an unknown size, one-sided operations, files.
 */
#include "play/actions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- requests ------------------------------------------------------------------------------------------- */

/* A new request; its word. */
int64_t play_open_request(struct play_reader *x, int64_t from, int64_t to, int64_t tag)
{
    /* The lowest number that no open request has: a loop gives the same ones in each of its turns. */
    int64_t number = RECORD_MADE;
    for (size_t k = 0; k < x->n_open; k++)
        if (x->open[k].request == number) {
            number++;
            k = (size_t)-1;
        }
    if (x->n_open == x->cap_open)
        x->open = base_array_grow(x->open, &x->cap_open, x->n_open + 1, sizeof *x->open, "open requests");
    x->open[x->n_open++] = (struct play_open){(int)from, (int)to, (int)tag, number};
    return number;
}

static bool meant(const struct play_open *o, int64_t from, int64_t to, int64_t tag, bool exact)
{
    if (exact)
        return o->from == from && o->to == to && o->tag == tag;
    return o->to == to && (o->from == from || o->from == ANY_RANK) && (o->tag == tag || o->tag == ANY_TAG);
}

/* The oldest with these; a wait for one that is not open passes. */
static int wait_read(struct play_reader *x, const struct play_words *w, struct base_status *st)
{
    int64_t from, to, tag;
    if (play_rank(x, w, 2, true, &from, st) || play_rank(x, w, 3, true, &to, st) ||
        play_whole(w, 4, "a tag", -MOST, MOST, &tag, st))
        return -1;
    tag = tag < 0 ? ANY_TAG : tag;
    for (int exact = 1; exact >= 0; exact--)
        for (size_t k = 0; k < x->n_open; k++)
            if (meant(&x->open[k], from, to, tag, exact)) {
                play_add_call(x, RECORD_MPI_WAIT, &x->open[k].request, 1);
                x->n_open--;
                memmove(x->open + k, x->open + k + 1, (x->n_open - k) * sizeof *x->open);
                return 0;
            }
    return 0;
}

static int waitall(struct play_reader *x)
{
    struct record_words words = {0};
    record_push(&words, (int64_t)x->n_open);
    record_push(&words, (int64_t)x->n_open);
    for (size_t k = 0; k < x->n_open; k++)
        record_push(&words, x->open[k].request);
    if (x->n_open)
        play_add_call(x, RECORD_MPI_WAITALL, words.at, words.n);
    record_words_release(&words);
    x->n_open = 0;
    return 0;
}

void play_actions_end(struct play_reader *x)
{
    waitall(x);
}

/* --- messages ------------------------------------------------------------------------------------------- */

struct message {
    const char *name;
    uint32_t function;
    bool sends, request;
};

/* peer tag count [type] */
static int message_read(struct play_reader *x, const struct play_words *w, const struct message *m,
                        struct base_status *st)
{
    int64_t peer, tag, bytes;
    bool sends = m->sends;
    if (play_rank(x, w, 2, !sends, &peer, st) || play_whole(w, 3, "a tag", sends ? 0 : -MOST, MOST, &tag, st))
        return -1;
    if (!sends && w->n > 4 && *w->at[4] == '-')
        return base_fail(st, "%s: a receive of an unknown size cannot be played", w->at[1]);
    if (play_bytes(x, w, 4, 5, &bytes, st))
        return -1;
    tag = tag < 0 ? ANY_TAG : tag;
    uint32_t function = m->function;
    if (!strcasecmp(m->name, "start") &&
        peer == x->wanted->rank) { /* of a receive, whose source is not said */
        sends = false;
        peer = ANY_RANK;
        function = RECORD_MPI_IRECV;
    }
    int64_t self = x->wanted->rank;
    int64_t words[] = {RECORD_SOMEWHERE, bytes, play_byte_type(), peer, tag, play_world(), 0};
    if (m->request)
        words[6] = sends ? play_open_request(x, self, peer, tag) : play_open_request(x, peer, self, tag);
    play_add_call(x, function, words, m->request ? 7 : 6);
    return 0;
}

/* scount dst rcount src [stype rtype] */
static int exchange_read(struct play_reader *x, const struct play_words *w, struct base_status *st)
{
    int64_t sent, to, received, from;
    if (play_bytes(x, w, 2, 6, &sent, st) || play_rank(x, w, 3, false, &to, st) ||
        play_bytes(x, w, 4, 7, &received, st) || play_rank(x, w, 5, true, &from, st))
        return -1;
    const int64_t words[] = {RECORD_SOMEWHERE, sent,     play_byte_type(), to,   0,
                             RECORD_SOMEWHERE, received, play_byte_type(), from, 0,
                             play_world()};
    play_add_call(x, RECORD_MPI_SENDRECV, words, BASE_LENGTH(words));
    return 0;
}

/* --- by name -------------------------------------------------------------------------------------------- */

int play_action(struct play_reader *x, const struct play_words *w, struct base_status *st)
{
    static const struct message messages[] = {
        {"send", RECORD_MPI_SEND, true, false},   {"isend", RECORD_MPI_ISEND, true, true},
        {"ssend", RECORD_MPI_SSEND, true, false}, {"issend", RECORD_MPI_ISSEND, true, true},
        {"recv", RECORD_MPI_RECV, false, false},  {"irecv", RECORD_MPI_IRECV, false, true},
        {"start", RECORD_MPI_ISEND, true, true}};
    static const char *const nothing[] = {"finalize", "comm_size", "comm_split",
                                          "comm_dup", "location",  "source",
                                          "moves",    "pstate"};
    if (w->n < 2)
        return base_fail(st, "the action is missing");
    const char *name = w->at[1];
    for (size_t k = 0; k < BASE_LENGTH(messages); k++)
        if (!strcasecmp(messages[k].name, name))
            return message_read(x, w, &messages[k], st);
    int found = play_group_action(x, w, st);
    if (found)
        return found < 0 ? -1 : 0;
    for (size_t k = 0; k < BASE_LENGTH(nothing); k++)
        if (!strcasecmp(nothing[k], name))
            return 0;
    if (!strcasecmp(name, "init")) {
        x->doubles = w->n > 2;
        return 0;
    }
    if (!strcasecmp(name, "sendrecv"))
        return exchange_read(x, w, st);
    if (!strcasecmp(name, "wait") && w->n > 2)
        return wait_read(x, w, st);
    if (!strcasecmp(name, "waitall"))
        return waitall(x);
    return base_fail(st, "%.60s: no action that can be played on a real MPI", name);
}
