/* SPDX-License-Identifier: BSD-3-Clause */
/* messages: sends, receives and probes. */
#include <stdlib.h>

#include "play/play.h"

typedef int (*send_fn)(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
typedef int (*start_fn)(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                        MPI_Request *request);

static void send(struct play_call *c, send_fn fn)
{
    MPI_Datatype type = play_type(c, 2);
    fn(play_from(c, 0, play_int(c, 1), type), play_int(c, 1), type, play_int(c, 3), play_int(c, 4),
       play_comm(c, 5));
}

static void start(struct play_call *c, start_fn fn, bool persistent)
{
    MPI_Datatype type = play_type(c, 2);
    fn(play_from(c, 0, play_int(c, 1), type), play_int(c, 1), type, play_int(c, 3), play_int(c, 4),
       play_comm(c, 5), &c->later->request);
    c->later->persistent = persistent;
}

static void standard(struct play_call *c)
{
    send(c, MPI_Send);
}

static void synchronous(struct play_call *c)
{
    send(c, MPI_Ssend);
}

static void ready(struct play_call *c)
{
    send(c, MPI_Rsend);
}

static void buffered(struct play_call *c)
{
    send(c, MPI_Bsend);
}

static void start_standard(struct play_call *c)
{
    start(c, MPI_Isend, false);
}

static void start_synchronous(struct play_call *c)
{
    start(c, MPI_Issend, false);
}

static void start_ready(struct play_call *c)
{
    start(c, MPI_Irsend, false);
}

static void start_buffered(struct play_call *c)
{
    start(c, MPI_Ibsend, false);
}

static void prepare_standard(struct play_call *c)
{
    start(c, MPI_Send_init, true);
}

static void prepare_synchronous(struct play_call *c)
{
    start(c, MPI_Ssend_init, true);
}

static void prepare_ready(struct play_call *c)
{
    start(c, MPI_Rsend_init, true);
}

static void prepare_buffered(struct play_call *c)
{
    start(c, MPI_Bsend_init, true);
}

static void receive(struct play_call *c)
{
    MPI_Datatype type = play_type(c, 2);
    int count = play_int(c, 1);
    void *buffer = play_into(c, 0, count, type);
    if (!c->later)
        MPI_Recv(buffer, count, type, play_int(c, 3), play_int(c, 4), play_comm(c, 5), MPI_STATUS_IGNORE);
    else
        MPI_Irecv(buffer, count, type, play_int(c, 3), play_int(c, 4), play_comm(c, 5), &c->later->request);
}

static void prepare_receive(struct play_call *c)
{
    MPI_Datatype type = play_type(c, 2);
    int count = play_int(c, 1);
    MPI_Recv_init(play_into(c, 0, count, type), count, type, play_int(c, 3), play_int(c, 4), play_comm(c, 5),
                  &c->later->request);
    c->later->persistent = true;
}

static void exchange(struct play_call *c)
{
    MPI_Datatype out = play_type(c, 2), in = play_type(c, 7);
    MPI_Sendrecv(play_from(c, 0, play_int(c, 1), out), play_int(c, 1), out, play_int(c, 3), play_int(c, 4),
                 play_into(c, 5, play_int(c, 6), in), play_int(c, 6), in, play_int(c, 8), play_int(c, 9),
                 play_comm(c, 10), MPI_STATUS_IGNORE);
}

static void exchange_replace(struct play_call *c)
{
    MPI_Datatype type = play_type(c, 2);
    MPI_Sendrecv_replace(play_into(c, 0, play_int(c, 1), type), play_int(c, 1), type, play_int(c, 3),
                         play_int(c, 4), play_int(c, 5), play_int(c, 6), play_comm(c, 7), MPI_STATUS_IGNORE);
}

/* --- probes --------------------------------------------------------------------------------------------- */

static void probe(struct play_call *c)
{
    MPI_Probe(play_int(c, 0), play_int(c, 1), play_comm(c, 2), MPI_STATUS_IGNORE);
}

/* One that had found a message is repeated until it does. */
static void probe_once(struct play_call *c)
{
    int flag;
    do
        MPI_Iprobe(play_int(c, 0), play_int(c, 1), play_comm(c, 2), &flag, MPI_STATUS_IGNORE);
    while (play_int(c, 3) && !flag);
}

static void probe_matched(struct play_call *c)
{
    MPI_Message message;
    MPI_Mprobe(play_int(c, 0), play_int(c, 1), play_comm(c, 2), &message, MPI_STATUS_IGNORE);
    PLAY_MADE(c, 3, message, message);
}

static void probe_matched_once(struct play_call *c)
{
    int flag;
    MPI_Message message = MPI_MESSAGE_NULL;
    do
        MPI_Improbe(play_int(c, 0), play_int(c, 1), play_comm(c, 2), &flag, &message, MPI_STATUS_IGNORE);
    while (play_int(c, 3) && !flag);
    if (flag)
        PLAY_MADE(c, 4, message, message);
}

static void receive_matched(struct play_call *c)
{
    MPI_Datatype type = play_type(c, 2);
    int count = play_int(c, 1);
    MPI_Message message = play_handle(c, RECORD_MESSAGE, c->part[3].at[0]).message;
    void *buffer = play_into(c, 0, count, type);
    if (!c->later)
        MPI_Mrecv(buffer, count, type, &message, MPI_STATUS_IGNORE);
    else
        MPI_Imrecv(buffer, count, type, &message, &c->later->request);
}

/* --- memory of buffered sends --------------------------------------------------------------------------- */

static void attach(struct play_call *c)
{
    free(c->play->attached);
    c->play->attached = malloc((size_t)play_aint(c, 1) + 1);
    if (!c->play->attached)
        play_stop(c->play, c->f->name, "as much memory");
    MPI_Buffer_attach(c->play->attached, play_int(c, 1));
}

static void detach(struct play_call *c)
{
    void *buffer;
    int size;
    MPI_Buffer_detach(&buffer, &size);
    free(c->play->attached);
    c->play->attached = NULL;
}

const struct play_entry play_messages[] = {{RECORD_MPI_SEND, standard},
                                           {RECORD_MPI_SSEND, synchronous},
                                           {RECORD_MPI_RSEND, ready},
                                           {RECORD_MPI_BSEND, buffered},
                                           {RECORD_MPI_ISEND, start_standard},
                                           {RECORD_MPI_ISSEND, start_synchronous},
                                           {RECORD_MPI_IRSEND, start_ready},
                                           {RECORD_MPI_IBSEND, start_buffered},
                                           {RECORD_MPI_SEND_INIT, prepare_standard},
                                           {RECORD_MPI_SSEND_INIT, prepare_synchronous},
                                           {RECORD_MPI_RSEND_INIT, prepare_ready},
                                           {RECORD_MPI_BSEND_INIT, prepare_buffered},
                                           {RECORD_MPI_RECV, receive},
                                           {RECORD_MPI_IRECV, receive},
                                           {RECORD_MPI_RECV_INIT, prepare_receive},
                                           {RECORD_MPI_SENDRECV, exchange},
                                           {RECORD_MPI_SENDRECV_REPLACE, exchange_replace},
                                           {RECORD_MPI_PROBE, probe},
                                           {RECORD_MPI_IPROBE, probe_once},
                                           {RECORD_MPI_MPROBE, probe_matched},
                                           {RECORD_MPI_IMPROBE, probe_matched_once},
                                           {RECORD_MPI_MRECV, receive_matched},
                                           {RECORD_MPI_IMRECV, receive_matched},
                                           {RECORD_MPI_BUFFER_ATTACH, attach},
                                           {RECORD_MPI_BUFFER_DETACH, detach},
                                           {0, NULL}};
