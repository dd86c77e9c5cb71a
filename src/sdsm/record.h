/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record: what processes send each other. A message is a sequence of records of one type, each followed by
 * its data, padded to 8 bytes. Data of more than SAT_INLINE bytes travel in an MPI message of their own,
 * behind the one that holds their record. Processes are of one byte order.
 */
#ifndef SAT_RECORD_H
#define SAT_RECORD_H

#include <stdint.h>

/* Types of messages: numbers of the paper's logs (Figures 13 and 14), and ours for the others. */
enum sat_type {
    SAT_HELLO,            /* 0 */
    SAT_REQUEST_TOPOLOGY, /* 1, the paper's */
    SAT_REPLY_TOPOLOGY,   /* 2 */
    SAT_DATA_CTRL,        /* 3, the paper's: records with data */
    SAT_CONSISTENCY,      /* 4, the paper's */
    SAT_SYNCHRONIZATION,  /* 5 */
    SAT_PUBLISH,          /* 6 */
    SAT_TERMINATION,      /* 7 */
    SAT_JIA,              /* 8: pages of jia/ */
    SAT_TYPES,
    SAT_DATA_BEHIND = SAT_TYPES /* the tag of data in a message of their own */
};

/* What a record asks or answers. Numbers of consistency requests are those of the logs (0, 1, 3, 4) and
 * ours. */
enum sat_request {
    SAT_CLIENT_REQ_WRITE,   /* client -> its server; writing scopes of both kinds */
    SAT_SERVER_REQ_WRITE,   /* server -> home */
    SAT_REP_WRITE,          /* home -> server -> client: the scope is open */
    SAT_CLIENT_REQ_RELEASE, /* 3 */
    SAT_SERVER_REQ_RELEASE, /* 4 */
    SAT_REP_RELEASE,        /* 5: to clients that wait for it */
    SAT_CLIENT_REQ_READ,    /* 6 */
    SAT_SERVER_REQ_READ,    /* 7 */
    SAT_REP_READ,           /* 8 */
    SAT_REQ_FETCH,          /* 9: home -> the server that has the data */
    SAT_REP_FETCH,          /* 10 */
    SAT_REQ_INVALIDATE,     /* 11: home -> server -> client that has a copy */
    SAT_REP_INVALIDATE,     /* 12 */
    SAT_CLIENT_UPLOAD,      /* 13: new data, client -> its server; the release follows */
    SAT_UPDATE,             /* 14: home -> server -> client that has a copy: new data */
    SAT_REQ_SIZE,           /* 15 */
    SAT_REP_SIZE,           /* 16 */
    SAT_LEAVE,              /* 17: the client has no copy any more, or gives its own back */
    SAT_REQ_OBSERVE,        /* 18: home -> server -> client: from now on it tells of its writing scopes */
    SAT_REP_OBSERVE,        /* 19 */
    /* synchronization */
    SAT_RENDEZVOUS,
    SAT_WAKEUP,
    SAT_BARRIER,
    SAT_LOCK,
    SAT_UNLOCK,
    SAT_GO, /* the call may return */
    /* publish-subscribe; `chunk` is a signal's id if SAT_OF_SIGNAL is set */
    SAT_SUBSCRIBE,
    SAT_UNSUBSCRIBE,
    SAT_SUBSCRIBED,
    SAT_SIGNALLED,
    SAT_NOTIFY,
    /* termination */
    SAT_CLIENT_DONE,
    SAT_SERVER_DONE,
    SAT_SHUT_DOWN,
    /* the bootstrap */
    SAT_ASK_TOPOLOGY,
    SAT_TELL_TOPOLOGY,
    SAT_EXPLAIN, /* says what it waits for: a call has run into --sat-timeout */
    /* jia/: `chunk` is a page, a lock, ...; `home` the server that answers */
    SAT_JIA_PAGE,    /* `argument` pages from `chunk` on */
    SAT_JIA_PAGE_IS, /* one of them */
    SAT_JIA_DIFF,    /* what was written in a page */
    SAT_JIA_FLUSH,   /* to a home: are all differences there? */
    SAT_JIA_FLUSHED,
    SAT_JIA_LOCK,
    SAT_JIA_UNLOCK,
    SAT_JIA_BARRIER,
    SAT_JIA_WAIT, /* a barrier without notices */
    SAT_JIA_SET,  /* condition variables */
    SAT_JIA_RESET,
    SAT_JIA_AWAIT,
    SAT_JIA_SEND, /* messages of the program */
    SAT_JIA_RECEIVE,
    SAT_JIA_GO, /* the call may return */
    SAT_REQUESTS
};

enum sat_mode { SAT_NONE, SAT_READ, SAT_WRITE, SAT_READWRITE };

enum sat_flag {
    SAT_WITH_DATA = 1,  /* the answer has data, or the client's server is to add them */
    SAT_NEWER = 2,      /* not before there is a version newer than `version` */
    SAT_HAS_DATA = 4,   /* the client has data of `version` */
    SAT_OBSERVED = 8,   /* the chunk has subscribers: its owner tells of each release */
    SAT_OF_SIGNAL = 16, /* publish-subscribe: of a signal, not of a chunk */
    SAT_FOLLOWS = 32,   /* not before the client's last request here is granted */
    SAT_LEADS = 64,     /* another one follows */
    SAT_HOLDER = 128    /* the client has the newest data, which the home has not */
};

enum { SAT_PLACE = 47, SAT_INLINE = 8192, SAT_ENVELOPE = 16384, SAT_BATCH = 128 };

/* Everything a request needs where it is answered: nothing is kept on its way. 112 bytes. */
struct sat_record {
    uint64_t chunk;    /* or the id of something else */
    uint64_t version;  /* of the data, or of the copy that the client has */
    uint64_t size;     /* of the chunk in bytes; 0: unknown */
    uint64_t bytes;    /* of the data behind this record */
    uint64_t argument; /* the request's own */
    uint64_t here;     /* server's requests: 1 + the version that it has itself; 0: none */
    int32_t client, server;
    int32_t home; /* rank; -1: not known yet (first touch) */
    uint16_t request;
    uint8_t protocol, mode, flags;
    char place[SAT_PLACE]; /* where the client's call is, without folders */
};

/* What locks and their requests carry of each bound chunk; followed, where it brings data, by them, padded
 * to 8. */
struct sat_bound {
    uint64_t id, version, size; /* version: 1 + it; 0: none */
};

_Static_assert(sizeof(struct sat_record) == 112, "no holes: records are compared and sent as bytes");

#endif
