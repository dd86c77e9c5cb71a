/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgt_files: what the tests of trace files in our format have in common: two paths, a writer and readers, and
 * whether two events are the same.
 */
#ifndef PGASIM_TEST_TRACE_PGT_FILES_H
#define PGASIM_TEST_TRACE_PGT_FILES_H

#include "trace/pgt/pgt.h"
#include "trace/stage.h"
#include "trace/writers.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char path[] = "/tmp/pgasim-test-XXXXXX", other[sizeof path + 8];
static struct trace_about about;
static double now;

static inline int setup(void **state)
{
    (void)state;
    about = stage_about();
    about.clock = &now;
    now = 0;
    return 0;
}

static inline struct trace_sink open_writer(void)
{
    struct trace_sink s;
    struct base_status st;
    if (trace_pgt_open(&s, path, &about, &st))
        fail_msg("%s", st.text);
    return s;
}

static inline struct trace_file *open_reader(const char *at)
{
    struct trace_file *f = NULL;
    struct base_status st;
    if (trace_file_open(&f, at, &st))
        fail_msg("%s", st.text);
    return f;
}

static inline bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static inline bool same_values(const struct trace_event *a, const struct trace_event *b)
{
    return a->type != TRACE_USER || !a->peer ||
           (a->values && b->values && !memcmp(a->values, b->values, a->peer * sizeof *a->values));
}

static inline bool same(const struct trace_event *a, const struct trace_event *b)
{
    return a->time == b->time && a->type == b->type && a->rank == b->rank && a->peer == b->peer &&
           a->thread == b->thread && a->op == b->op && a->cause == b->cause && a->bytes == b->bytes &&
           a->least == b->least && a->context == b->context && a->address == b->address && a->tag == b->tag &&
           a->kind == b->kind && same_text(a->call, b->call) && same_text(a->detail, b->detail) &&
           same_values(a, b);
}

/* What each program's main does: the two paths exist, or may exist, while its tests run. */
static inline void pgt_begin(void)
{
    int fd = mkstemp(path);
    close(fd);
    snprintf(other, sizeof other, "%s.pgt", path);
}
static inline int pgt_end(int failed)
{
    unlink(path);
    unlink(other);
    return failed;
}

#endif
