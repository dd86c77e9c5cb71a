/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text: a file of text, written by whole records.
 *
 * Invariants
 *  X1  The file holds whole records only, unless a write has failed.
 *  X2  A write that fails is reported once, and nothing is written after it.
 */
#include "trace/foreign/foreign.h"
#include "trace/stream/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FULL = 1 << 16 };

/* --- the file --------------------------------------------------------------------------------------- */

int trace_out_open(struct trace_out *o, const char *path, struct base_status *st)
{
    bool created;
    int fd = trace_output_open(path, &created, st);
    if (fd < 0)
        return -1;
    *o = (struct trace_out){.fd = fd, .created = created, .path = trace_output_path(path)};
    base_text_init(&o->text, "text of a trace");
    return 0;
}

static void fail(struct trace_out *o)
{
    if (!o->failed)
        base_error("trace %s: %s: events from now on are lost", o->path, strerror(errno));
    o->failed = true;
}

void trace_out_replace(struct trace_out *o)
{
    if (ftruncate(o->fd, 0) && errno != EINVAL) /* EINVAL: a pipe or a device */
        fail(o);
}

static void flush(struct trace_out *o)
{
    if (!o->failed && trace_output_write(o->fd, o->text.at, o->text.n, -1))
        fail(o);
    o->text.n = 0;
}

void trace_out_record(struct trace_out *o)
{
    if (o->text.n >= FULL)
        flush(o);
}

int trace_out_close(struct trace_out *o, bool discard)
{
    flush(o);
    if (discard && o->created)
        unlink(o->path);
    if (trace_output_close(o->fd))
        fail(o);
    base_text_release(&o->text);
    free(o->path);
    return o->failed ? -1 : 0;
}
