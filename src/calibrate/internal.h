/* SPDX-License-Identifier: BSD-3-Clause */
/* internal: what the files of calibrate/ share: the result and how its parts are added. */
#ifndef PGASIM_CALIBRATE_INTERNAL_H
#define PGASIM_CALIBRATE_INTERNAL_H

#include "calibrate/calibrate.h"
#include "calibrate/fit/fit.h"

/* What a message carries besides its payload: pgasim's smpi/envelope. Transfers are fitted with it. */
enum { CALIBRATE_ENVELOPE = 16 };

/* The functions of a size that are fitted. */
enum calibrate_curve_id {
    CALIBRATE_OS,       /* MPI_Send, of messages that do not wait for the receiver */
    CALIBRATE_OIS,      /* MPI_Isend */
    CALIBRATE_OR,       /* MPI_Recv of a message that is there */
    CALIBRATE_TRANSFER, /* half a round trip without the overheads, of the bytes and the envelope */
    CALIBRATE_LOCAL,    /* the same within a node, in units of the transfer's factors */
    CALIBRATE_ACROSS,   /* the same between two sockets of a node */
    CALIBRATE_CURVES
};
struct calibrate_curve {
    const char *name, *about; /* for people */
    struct fit fit;           /* without segments: not identified */
};

enum calibrate_unit {
    CALIBRATE_SECONDS,
    CALIBRATE_SECONDS_PER_BYTE,
    CALIBRATE_BYTES,
    CALIBRATE_BANDWIDTH,
    CALIBRATE_FLOPS_PER_SECOND,
    CALIBRATE_RATIO
};
struct calibrate_constant {
    char *name;
    enum calibrate_unit unit;
    double value, low, high; /* a 95% interval, or the sizes between which a threshold is */
    size_t points;
    const char *from; /* which measurements */
};
/* What the measurements do not tell, and why. */
struct calibrate_missing {
    char *name, *why;
};

struct calibrate_threshold {
    bool known;
    double bytes, low,
        high; /* messages below it are of the lower mode; infinite high: no message was above */
};

/* Why both directions together have less than twice what one has. */
enum calibrate_cause {
    CALIBRATE_UNKNOWN,  /* nothing was measured that tells */
    CALIBRATE_FULL,     /* they have it all */
    CALIBRATE_HALF,     /* links are half duplex */
    CALIBRATE_MIDDLE,   /* all share the middle of the network */
    CALIBRATE_PROTOCOL, /* messages wait for words of the other side, which wait behind its messages */
    CALIBRATE_CAUSES
};

enum { CALIBRATE_ONE_SIDED = 3 };

struct calibrate_result {
    const struct calibrate_table *table;
    struct calibrate_options options;
    enum calibrate_where where; /* of overheads and the transfer: the network if it was measured */
    double clock;               /* one MPI_Wtime */
    struct calibrate_curve curve[CALIBRATE_CURVES];
    struct calibrate_threshold async, detached;
    double ahead; /* bytes of a message that go with its request; 0: none */
    bool apart; /* overheads fit into half a round trip: they are taken from it, and are in the platform */
    double latency, bandwidth; /* of a transfer that is not shared; 0: not identified */
    double link;               /* bandwidth of a node's link, to be shared; 0: as the transfer's */
    double host_latency;       /* the part of the latency that is the hosts' */
    double goodput;            /* what a message has of a link's bandwidth on paper; 1: links are what was measured */
    double backbone;           /* bandwidth that all nodes share; 0: there is no such limit */
    bool half_duplex;
    enum calibrate_cause cause; /* of what both directions lose */
    double crosstraffic;        /* what a message takes of the way back, of its rate */
    double bidirectional;       /* what both directions between two nodes have, in bandwidths of one; 0: each its own */
    double above;               /* bytes with the envelope: of messages that are longer */
    double local_latency, local_bandwidth;
    bool local_shared; /* messages within a node share that bandwidth */
    double speed;
    double between[CALIBRATE_ONE_SIDED], completed[CALIBRATE_ONE_SIDED]; /* of put, get, atomic: seconds; 0: not known */
    BASE_ARRAY(struct calibrate_collective) collective;
    struct {
        double bandwidth, core, copying; /* bytes/s: of a node, of one core; what one core copies */
        double copy, message;            /* bytes of memory for each byte of these */
    } memory;                            /* bandwidth 0: not identified */
    BASE_ARRAY(struct calibrate_constant) constant;
    BASE_ARRAY(struct calibrate_missing) missing;
};

void calibrate_add(struct calibrate_result *r, const struct calibrate_constant *c); /* takes over the name */
/* The first one of that name, until another is added; NULL: there is none. */
const struct calibrate_constant *calibrate_find(const struct calibrate_result *r, const char *name);
void calibrate_miss(struct calibrate_result *r, const char *name, const char *fmt, ...) BASE_PRINTF(3, 4);

/* thresholds.c: from which size on a send waits for its receiver, and a message does not set out without one. */
void calibrate_find_thresholds(struct calibrate_result *r);
/* How many bytes of a message that waits go ahead of its receive: after calibrate_find_transfers. */
void calibrate_find_data_ahead(struct calibrate_result *r);
/* noise.c: whether single late messages can be seen. */
void calibrate_check_late(struct calibrate_result *r);
/* overheads.c: os, ois, or; and what of them is in a half round trip of so many bytes. */
void calibrate_find_overheads(struct calibrate_result *r);
double calibrate_overheads_at(const struct calibrate_result *r, double bytes);
/* In replica k of the bootstrap, what overheads at size x, with its envelope, are more than in the fit. */
double calibrate_overheads_shift(const void *result, unsigned k, double x);
/* links.c: what links have on paper, and what is left for hosts and protocols. */
void calibrate_find_links(struct calibrate_result *r);
/* transfers.c: latency, bandwidth, factors; within a node. */
void calibrate_find_transfers(struct calibrate_result *r);
/* Factors of segment k of the transfer, in SimGrid's sense. */
double calibrate_latency_factor(const struct calibrate_result *r, unsigned k);
double calibrate_bandwidth_factor(const struct calibrate_result *r, unsigned k);
/* sharing.c: what pairs and many senders share. */
void calibrate_find_sharing(struct calibrate_result *r);
/* What all streams of a kind carry together, of messages of one size, bytes/s: the median. low, high: of the fastest and
 * the slowest point. */
struct calibrate_stream {
    uint64_t width, bytes;
    double rate, low, high;
    size_t points; /* 0: there is none */
};
struct calibrate_stream calibrate_stream_of(const struct calibrate_result *r, enum calibrate_kind kind,
                                            enum calibrate_where where, uint64_t width, uint64_t bytes);
void calibrate_stream_add(struct calibrate_result *r, const char *name, const struct calibrate_stream *s,
                          const char *from);
/* The longest messages of these points. The next larger width, and size; 0: no more. */
uint64_t calibrate_longest(const struct calibrate_result *r, const struct calibrate_query *q);
uint64_t calibrate_next_width(const struct calibrate_result *r, const struct calibrate_query *q, uint64_t after);
uint32_t calibrate_nodes(const struct calibrate_result *r); /* that were measured; 0: not known */
/* directions.c: what both directions share, and why. */
void calibrate_find_directions(struct calibrate_result *r);
const char *calibrate_cause_text(enum calibrate_cause cause);
/* others.c: constants that are a median each; drift and noise. */
void calibrate_find_others(struct calibrate_result *r);
/* onesided.c: what of put, get and atomic the platform has. */
void calibrate_check_one_sided(struct calibrate_result *r);
bool calibrate_has_one_sided(const struct calibrate_result *r);
void calibrate_one_sided_write(const struct calibrate_result *r, FILE *out);
/* collectives.c */
void calibrate_find_collectives(struct calibrate_result *r);
/* memory.c: what the ranks of a node share of its memory; after the others. */
void calibrate_find_memory(struct calibrate_result *r);
/* The most ranks that were on one; 1: it is not known. */
uint32_t calibrate_ranks_of_node(const struct calibrate_result *r);
/* Half a round trip as the constants say. */
double calibrate_predict_half(const struct calibrate_result *r, double bytes);

/* units.c: a value as people read it. */
char *calibrate_show_value(char buf[48], enum calibrate_unit unit, double value);
const char *calibrate_unit_name(enum calibrate_unit unit);

#endif
