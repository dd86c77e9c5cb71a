/* SPDX-License-Identifier: BSD-3-Clause */
/* transport: MPI messages become records, which are handled; the life of the messages. */
#include <stdlib.h>

#include "sdsm/transport.h"

const struct sat_extension *sat_extension;

void sat_transport_open(void)
{
    struct sat_transport *t = sdsm->transport = sat_alloc(sizeof *t);
    t->full = FLYING;
    t->last_local = &t->locals;
    t->in = malloc(SAT_ENVELOPE); /* not cleared: few of its pages are ever touched */
    if (!t->in)
        sat_fail(1, NULL, "no memory for %d bytes", SAT_ENVELOPE);
    MPI_Comm_dup(MPI_COMM_WORLD, &sdsm->comm);
}

/* --- receiving ------------------------------------------------------------------------------------ */

static const char *receive_behind(int from, uint64_t bytes)
{
    struct sat_transport *t = sdsm->transport;
    if (t->payload_cap < bytes) {
        free(t->payload);
        t->payload = malloc(bytes);
        t->payload_cap = bytes;
        if (!t->payload)
            sat_fail(1, NULL, "no memory for %llu bytes", (unsigned long long)bytes);
    }
    enum sat_class before = sat_enter(SAT_SYNC);
    MPI_Recv(t->payload, (int)bytes, MPI_BYTE, from, SAT_DATA_BEHIND, sdsm->comm, MPI_STATUS_IGNORE);
    sat_enter(before);
    return t->payload;
}

static void handle(int from, const struct sat_record *r, const char *data)
{
    if (sdsm->options.debug > 1)
        sat_log_record("Handles from", from, r, data);
    if (r->request == SAT_ASK_TOPOLOGY || r->request == SAT_TELL_TOPOLOGY)
        sat_topology_handle(from, r, data);
    else if (r->request >= SAT_JIA_PAGE)
        sat_extension->handle(from, r, data);
    else if (sdsm->role)
        sat_client_handle(r, data);
    else
        sat_server_handle(from, r, data);
}

static void handle_message(const MPI_Status *status, int n)
{
    struct sat_transport *t = sdsm->transport;
    SAT_LOG("Received message type %d (%s) from %d", status->MPI_TAG, sat_type_name(status->MPI_TAG),
            status->MPI_SOURCE);
    sat_host_charge(sdsm->role ? sdsm->options.client_overhead : sdsm->options.server_overhead);
    for (const char *at = t->in, *end = t->in + n; at < end;) {
        const struct sat_record *r = (const void *)at;
        at += sizeof *r;
        const char *data = NULL;
        if (r->bytes > SAT_INLINE) {
            data = receive_behind(status->MPI_SOURCE, r->bytes);
        } else if (r->bytes) {
            data = at;
            at += (r->bytes + 7) & ~(uint64_t)7;
        }
        handle(status->MPI_SOURCE, r, data);
    }
    if (t->payload_cap > KEPT_PAYLOAD) {
        free(t->payload);
        t->payload = NULL;
        t->payload_cap = 0;
    }
}

static bool handle_local(void)
{
    struct sat_transport *t = sdsm->transport;
    struct local *l = t->locals;
    if (!l)
        return false;
    t->locals = l->next;
    if (!t->locals)
        t->last_local = &t->locals;
    handle(sdsm->id, &l->record, l->record.bytes ? l->data : NULL);
    free(l);
    return true;
}

bool sat_receive(bool block)
{
    struct sat_transport *t = sdsm->transport;
    MPI_Status status;
    int n = 0, there = 0;
    bool local = handle_local();
    while (handle_local())
        ;
    sat_flush();
    if (local)
        return true;
    if (block) {
        sat_wait_message(t->in, SAT_ENVELOPE, &status);
    } else {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, sdsm->comm, &there, &status);
        if (!there)
            return false;
        MPI_Recv(t->in, SAT_ENVELOPE, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, sdsm->comm, &status);
    }
    MPI_Get_count(&status, MPI_BYTE, &n);
    handle_message(&status, n);
    while (handle_local())
        ;
    sat_flush();
    return true;
}

/* --- the end -------------------------------------------------------------------------------------- */

void sat_transport_close(void)
{
    struct sat_transport *t = sdsm->transport;
    sat_send_end();
    free(t->in);
    free(t->payload);
    MPI_Comm_free(&sdsm->comm);
    free(t);
    sdsm->transport = NULL;
}
