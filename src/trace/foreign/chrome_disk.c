/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chrome_disk: what disks do, in Chrome's format: a slice in the process of the disk's host for each part of a request,
 * beside the threads, because parts overlap (an asynchronous event: b and e). It is known at its end; viewers sort.
 */
#include "trace/foreign/chrome.h"

#include <math.h>

static struct base_text *begin(struct trace_foreign *f, const char *phase, const struct trace_event *ev,
                               uint64_t time)
{
    struct base_text *t = trace_chrome_begin(f, phase, trace_chrome_process((uint32_t)ev->context), time);
    trace_chrome_count(t, ",\"cat\":\"disk\",\"id\":", ((struct trace_chrome *)f->ctx)->parts);
    trace_chrome_string(t, ",\"name\":", ev->call ? ev->call : "");
    return t;
}

void trace_chrome_served(struct trace_foreign *f, const struct trace_event *ev, uint64_t bytes)
{
    double began = (ev->time - ev->least) * 1e12;
    (void)bytes;
    ((struct trace_chrome *)f->ctx)->parts++;
    trace_chrome_host(f, (uint32_t)ev->context);
    struct base_text *t = begin(f, "b", ev, began > 0 ? (uint64_t)llrint(began) : 0);
    trace_chrome_string(t, ",\"args\":{\"does\":", trace_kinds[ev->kind].text);
    trace_chrome_string(t, ",\"file\":", ev->detail ? ev->detail : "");
    trace_chrome_count(t, ",\"bytes\":", ev->bytes);
    trace_chrome_count(t, ",\"for rank\":", ev->rank);
    base_text_char(t, '}');
    trace_chrome_end(f);
    begin(f, "e", ev, f->now);
    trace_chrome_end(f);
}
