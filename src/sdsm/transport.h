/* SPDX-License-Identifier: BSD-3-Clause */
/* transport: what sending and receiving share. */
#ifndef SAT_TRANSPORT_H
#define SAT_TRANSPORT_H

#include "sdsm/internal.h"

enum { OPEN = 16, FLYING = 16, SMALL = 256, KEPT_PAYLOAD = 1 << 20 };

/* A message to be sent, or under way. Short ones need no other memory. */
struct outgoing {
    struct outgoing *next; /* free */
    int to, type;
    size_t n, cap;
    char *bytes;
    char small[SMALL];
};

/* A record to this process itself. */
struct local {
    struct local *next;
    struct sat_record record;
    char data[];
};

struct sat_transport {
    struct outgoing *open[OPEN];
    size_t n_open;
    struct outgoing *unused, **flying;
    MPI_Request *requests; /* of flying */
    int *done;
    size_t n_flying, cap, full; /* at `full` it is worth looking which have arrived */
    struct local *locals, **last_local;
    char *in, *payload;
    size_t payload_cap;
    void *counts; /* struct count by peer */
};

struct count {
    uint64_t peer, messages[SAT_TYPES], bytes[SAT_TYPES];
};

void sat_send_end(void); /* waits until all is sent */

#endif
