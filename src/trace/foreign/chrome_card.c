/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chrome_card: network cards with a core (profile rae) in Chrome's format. A card is a thread of its host's
 * process: what its core executes are slices, other steps instants, the requests in it a counter.
 */
#include "trace/foreign/chrome.h"

static struct base_text *begin(struct trace_foreign *f, const char *phase, uint32_t host,
                               const struct trace_chrome_card *card)
{
    struct base_text *t = trace_chrome_begin(f, phase, trace_chrome_process(host), f->now);
    trace_chrome_count(t, ",\"tid\":", card->thread);
    return t;
}

static void put_line(struct base_text *t, const struct trace_event *ev)
{
    if (trace_types[ev->type].fields & TRACE_HAS_OP) {
        trace_chrome_count(t, ",\"args\":{\"operation\":", ev->op);
        trace_chrome_count(t, ",\"from rank\":", ev->peer);
        trace_chrome_count(t, ",\"line\":", ev->address);
    } else {
        trace_chrome_count(t, ",\"args\":{\"line\":", ev->address);
    }
    base_text_char(t, '}');
}

static void put_slice(struct trace_foreign *f, uint32_t host, struct trace_chrome_card *card,
                      const struct trace_event *ev)
{
    bool begins = ev->type == TRACE_CARD_BEGINS;
    if (begins ? card->works : card->works != ev->op) /* the end is not in the trace; or it was streamed */
        return;
    card->works = begins ? ev->op : 0;
    struct base_text *t = begin(f, begins ? "B" : "E", host, card);
    if (begins) {
        trace_chrome_string(t, ",\"cat\":\"card\",\"name\":", ev->detail ? ev->detail : "");
        put_line(t, ev);
    }
    trace_chrome_end(f);
}

static void count_requests(struct trace_foreign *f, uint32_t host, struct trace_chrome_card *card,
                           enum trace_type type)
{
    if (type == TRACE_CARD_ARRIVED)
        card->requests++;
    else if (card->requests)
        card->requests--;
    struct base_text *t = begin(f, "C", host, card);
    trace_chrome_count(t, ",\"name\":\"requests in the card\",\"args\":{\"requests\":", card->requests);
    base_text_char(t, '}');
    trace_chrome_end(f);
}

void trace_chrome_card(struct trace_foreign *f, const struct trace_event *ev)
{
    uint32_t host = f->about->rank_host[ev->rank];
    struct trace_chrome_card *card = &((struct trace_chrome *)f->ctx)->card[host];
    if (!card->thread)
        card->thread = trace_chrome_thread(f, host, 0, "network card");
    if (ev->type == TRACE_CARD_BEGINS || ev->type == TRACE_CARD_EXECUTED) {
        put_slice(f, host, card, ev);
    } else {
        struct base_text *t = begin(f, "i", host, card);
        base_text_add(t, ",\"s\":\"t\"");
        trace_chrome_string(t, ",\"cat\":\"card\",\"name\":", trace_types[ev->type].text);
        put_line(t, ev);
        trace_chrome_end(f);
    }
    if (ev->type == TRACE_CARD_ARRIVED || ev->type == TRACE_CARD_EXECUTED)
        count_requests(f, host, card, ev->type);
}
