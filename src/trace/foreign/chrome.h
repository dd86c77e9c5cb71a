/* SPDX-License-Identifier: BSD-3-Clause */
/* chrome: what the files of the Chrome writer share (private to trace/). */
#ifndef PGASIM_TRACE_CHROME_H
#define PGASIM_TRACE_CHROME_H

#include "trace/foreign/foreign.h"

struct trace_chrome {
    struct trace_out out;
    bool first; /* no record yet */
    uint8_t *host;
    struct trace_chrome_card {
        uint64_t thread; /* 0: the host's card has none yet */
        uint64_t requests;
        uint64_t works; /* the operation that its core executes; 0: none */
    } * card;           /* by host */
    struct trace_chrome_energy {
        uint64_t since, nanojoules; /* picoseconds; what the host had taken then */
    } * energy;                     /* by host; NULL: nothing is known of any */
    bool links;                     /* links have a process */
    int digits;                     /* of the highest rank */
    uint64_t threads;
    uint64_t parts; /* of requests to disks */
};

/* These viewers reserve 0 for the idle thread. */
static inline uint64_t trace_chrome_process(uint32_t host)
{
    return (uint64_t)host + 1;
}

static inline void trace_chrome_count(struct base_text *t, const char *key, uint64_t v)
{
    base_text_add(t, key);
    base_text_count(t, v);
}

/* Escapes '<', since a viewer may paste the text into an HTML page. */
static inline void trace_chrome_string(struct base_text *t, const char *key, const char *text)
{
    base_text_add(t, key);
    base_text_char(t, '"');
    base_text_json(t, BASE_JSON_CODES, text);
    base_text_char(t, '"');
}

/* A record of that phase, at a time in picoseconds. */
struct base_text *trace_chrome_begin(struct trace_foreign *f, const char *phase, uint64_t process,
                                     uint64_t time);
void trace_chrome_end(const struct trace_foreign *f);
/* Names a thread of a host's process, which is made if need be. Returns its number; 0: the next free one. */
uint64_t trace_chrome_thread(struct trace_foreign *f, uint32_t host, uint64_t number, const char *name);

/* Names a host's process, if that is not done yet. */
void trace_chrome_host(struct trace_foreign *f, uint32_t host);

/* chrome_energy.c */
void trace_chrome_energy(struct trace_foreign *f, uint32_t host, uint64_t nanojoules);

/* chrome_disk.c */
void trace_chrome_served(struct trace_foreign *f, const struct trace_event *ev, uint64_t bytes);

/* chrome_card.c */
void trace_chrome_card(struct trace_foreign *f, const struct trace_event *ev);

#endif
