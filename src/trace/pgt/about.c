/* SPDX-License-Identifier: BSD-3-Clause */
/* about: what a run was, as the head of a trace holds it. */
#include "trace/pgt/pgt.h"

#include <math.h>
#include <stdlib.h>

/* The length + 1, and the bytes. 0 stands for NULL. */
static void put_text(struct trace_buffer *b, const char *text)
{
    trace_buffer_varint(b, text ? strlen(text) + 1 : 0);
    if (text)
        trace_buffer_bytes(b, text, strlen(text));
}

void pgt_about_put(struct trace_buffer *b, const struct trace_about *about)
{
    const char *const texts[] = {about->program, about->arguments, about->platform, about->version,
                                 about->drawing};
    for (size_t k = 0; k < BASE_LENGTH(texts); k++)
        put_text(b, texts[k]);
    trace_buffer_varint(b, about->ranks);
    trace_buffer_varint(b, about->hosts);
    trace_buffer_varint(b, about->links);
    for (uint32_t k = 0; k < about->ranks; k++)
        trace_buffer_varint(b, about->rank_host[k]);
    for (uint32_t k = 0; k < about->hosts; k++) {
        put_text(b, about->host[k].name);
        trace_buffer_double(b, about->host[k].speed);
        trace_buffer_varint(b, about->host[k].cores);
    }
    for (uint32_t k = 0; k < about->links; k++) {
        put_text(b, about->link[k].name);
        trace_buffer_double(b, about->link[k].bandwidth);
        trace_buffer_double(b, about->link[k].latency);
        trace_buffer_varint(b, about->link[k].fatpipe);
    }
}

void pgt_about_put_ranks(struct trace_buffer *b, const struct trace_about *about, uint32_t first)
{
    for (uint32_t k = first; k < about->ranks; k++)
        trace_buffer_varint(b, about->rank_host[k]);
}

/* --- back ------------------------------------------------------------------------------------------- */

struct pgt_about {
    struct trace_about about;
    char *texts; /* all texts, each terminated by 0 */
    size_t used;
    uint32_t *rank_host;
    size_t room; /* for ranks */
    struct trace_host *host;
    struct trace_link *link;
};

/* There is room: a text and its 0 take no more than the text and its length in the file. */
static const char *get_text(struct pgt_about *a, struct trace_bytes *b)
{
    uint64_t n = trace_get_varint(b);
    if (!n)
        return NULL;
    if (n - 1 > trace_bytes_left(b)) {
        b->bad = true;
        return NULL;
    }
    char *text = a->texts + a->used;
    memcpy(text, b->at, n - 1);
    text[n - 1] = 0;
    a->used += n;
    b->at += n - 1;
    return text;
}

static const char *get_name(struct pgt_about *a, struct trace_bytes *b)
{
    const char *name = get_text(a, b);
    b->bad = b->bad || !name;
    return name;
}

/* A count of items of at least `least` bytes each: bounded by the bytes left. */
static uint32_t get_count(struct trace_bytes *b, size_t least)
{
    uint64_t n = trace_get_within(b, UINT32_MAX);
    b->bad = b->bad || n > trace_bytes_left(b) / least;
    return b->bad ? 0 : (uint32_t)n;
}

static double get_positive(struct trace_bytes *b)
{
    double v = trace_get_double(b);
    b->bad = b->bad || !(v >= 0);
    return v;
}

static void get_hosts(struct pgt_about *a, struct trace_bytes *b)
{
    struct trace_about *about = &a->about;
    a->room = about->ranks + (size_t)1;
    a->rank_host = base_alloc(a->room * sizeof *a->rank_host, "hosts of ranks");
    a->host = base_alloc((about->hosts + (size_t)1) * sizeof *a->host, "hosts");
    for (uint32_t k = 0; k < about->ranks && !b->bad; k++)
        a->rank_host[k] = (uint32_t)trace_get_within(b, about->hosts - (uint64_t)1);
    for (uint32_t k = 0; k < about->hosts && !b->bad; k++) {
        a->host[k].name = get_name(a, b);
        a->host[k].speed = get_positive(b);
        a->host[k].cores = (uint32_t)trace_get_within(b, UINT32_MAX);
    }
}

static void get_links(struct pgt_about *a, struct trace_bytes *b)
{
    a->link = base_alloc((a->about.links + (size_t)1) * sizeof *a->link, "links");
    for (uint32_t k = 0; k < a->about.links && !b->bad; k++) {
        a->link[k].name = get_name(a, b);
        a->link[k].bandwidth = get_positive(b);
        a->link[k].latency = get_positive(b);
        a->link[k].fatpipe = trace_get_within(b, 1);
    }
}

void pgt_about_get_ranks(struct pgt_about *a, struct trace_bytes *b)
{
    struct trace_about *about = &a->about;
    while (!b->bad && b->at != b->end) {
        uint32_t host = (uint32_t)trace_get_within(b, about->hosts - (uint64_t)1);
        b->bad = b->bad || about->ranks == UINT32_MAX;
        if (b->bad)
            return;
        if (about->ranks + (size_t)1 > a->room)
            a->rank_host = base_array_grow(a->rank_host, &a->room, about->ranks + (size_t)2, sizeof *a->rank_host,
                                           "hosts of ranks");
        about->rank_host = a->rank_host;
        a->rank_host[about->ranks++] = host;
    }
}

struct pgt_about *pgt_about_get(struct trace_bytes *b)
{
    struct pgt_about *a = base_zalloc(sizeof *a, "head of a trace");
    struct trace_about *about = &a->about;
    a->texts = base_alloc(trace_bytes_left(b) + 1, "names of a trace");
    const char **const texts[] = {&about->program, &about->arguments, &about->platform, &about->version,
                                  &about->drawing};
    for (size_t k = 0; k < BASE_LENGTH(texts); k++)
        *texts[k] = get_text(a, b);
    about->ranks = get_count(b, 1);
    about->hosts = get_count(b, 10);
    about->links = get_count(b, 18);
    b->bad = b->bad || !about->ranks || !about->hosts;
    if (!b->bad)
        get_hosts(a, b);
    if (!b->bad)
        get_links(a, b);
    if (b->bad || b->at != b->end) {
        pgt_about_destroy(a);
        return NULL;
    }
    about->rank_host = a->rank_host;
    about->host = a->host;
    about->link = a->link;
    return a;
}

struct trace_about *pgt_about_of(struct pgt_about *a)
{
    return &a->about;
}

void pgt_about_destroy(struct pgt_about *a)
{
    if (!a)
        return;
    free(a->texts);
    free(a->rank_host);
    free(a->host);
    free(a->link);
    free(a);
}
