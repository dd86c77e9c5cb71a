/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes read as a trace of the compact form. The first byte says as what: the file as it is, or, behind
 * the checksums that would stop nearly all of them, as the head, as the columns of a block of either version,
 * as routes. What is read is within what the head says, and in order of time.
 */
#include "trace/pgt/pgt.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_event(const struct trace_event *ev, uint32_t ranks)
{
    BASE_ASSERT("F1", ev->type < TRACE_TYPES && ev->rank < ranks);
    BASE_ASSERT("F1", ev->time >= 0 && isfinite(ev->time) && ev->least >= 0 && isfinite(ev->least));
    BASE_ASSERT("F2", !ev->call || strlen(ev->call) < 1 << 20);
    BASE_ASSERT("F1", ev->kind < TRACE_KINDS);
    int64_t values[TRACE_VALUES];
    if (ev->type == TRACE_USER && ev->peer) {
        BASE_ASSERT("F3", ev->peer <= TRACE_VALUES);
        memcpy(values, ev->values, ev->peer * sizeof *values); /* they can be read */
        BASE_ASSERT("F3", memcmp(values, ev->values, ev->peer * sizeof *values) == 0);
    }
    BASE_ASSERT("F1", !(trace_types[ev->type].fields & TRACE_HAS_PEER) || ev->peer < ranks);
}

static void check_file(struct trace_file *f)
{
    const struct trace_about *about = trace_file_about(f);
    struct trace_event ev;
    const uint32_t *links;
    double last = 0, latency;
    for (uint32_t k = 0; k < about->ranks; k++)
        BASE_ASSERT("F1", about->rank_host[k] < about->hosts);
    for (uint32_t k = 0; k < about->hosts && k < 100; k++)
        for (uint32_t n = about->route(about->ctx, 0, k, &links, &latency); n > 0; n--)
            BASE_ASSERT("F1", links[n - 1] < about->links);
    for (int k = 0; k < 2; k++, trace_file_seek(f, last / 2))
        for (double before = 0; trace_file_next(f, &ev); before = last = ev.time) {
            check_event(&ev, about->ranks);
            struct trace_call call = trace_about_call(about, ev.call);
            BASE_ASSERT("F1", call.kind < TRACE_KINDS && call.awaited < TRACE_AWAITEDS);
            BASE_ASSERT("F1", ev.time >= before || trace_file_damage(f));
        }
}

static void check_recording(struct trace_file *f)
{
    size_t n, sum = 0;
    bool wrong;
    struct base_status st = {""};
    for (const unsigned char *p; (p = trace_file_recording(f, &n, &wrong, &st));)
        for (size_t k = 0; k < n; k++)
            sum += p[k];
    BASE_ASSERT("B2", wrong == (*st.text != 0) && sum < SIZE_MAX);
}

static void read_file(const uint8_t *data, size_t size)
{
    char path[40];
    struct trace_file *f;
    struct base_status st = {""};
    int fd = memfd_create("trace", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (trace_file_open(&f, path, &st)) {
        BASE_ASSERT("B2", *st.text);
    } else {
        check_recording(f);
        check_file(f);
        trace_file_close(f);
    }
    close(fd);
}

static void read_head(struct trace_bytes b)
{
    struct pgt_about *a = pgt_about_get(&b);
    if (a)
        BASE_ASSERT("F1", pgt_about_of(a)->ranks && pgt_about_of(a)->rank_host[0] < pgt_about_of(a)->hosts);
    pgt_about_destroy(a);
}

static void read_columns(struct trace_bytes b, uint32_t version)
{
    static const char *const strings[] = {NULL, "put", "get"};
    enum { EVENTS = 64, RANKS = 5 };
    struct trace_event ev[EVENTS];
    int64_t *values;
    const struct pgt_limits limits = {version, RANKS, 3, strings};
    if (!pgt_columns_get(&b, EVENTS, &limits, ev, &values))
        return;
    for (int k = 0; k < EVENTS; k++)
        check_event(&ev[k], RANKS);
    free(values);
}

static void read_routes(struct trace_bytes b)
{
    const struct trace_about about = {.hosts = 4, .links = 3};
    struct pgt_routes *r = pgt_routes_create(&about);
    const uint32_t *links;
    double latency;
    pgt_routes_get(r, &b);
    for (uint32_t k = 0; k < 16; k++)
        for (uint32_t n = pgt_route(r, k / 4, k % 4, &links, &latency); n > 0; n--)
            BASE_ASSERT("F1", links[n - 1] < about.links);
    pgt_routes_destroy(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    struct trace_bytes b = {data + 1, data + size, false};
    switch (data[0] % 4) {
    case 0:
        read_file(data + 1, size - 1);
        break;
    case 1:
        read_head(b);
        break;
    case 2:
        read_columns(b, data[0] & 4 ? 1 : data[0] & 8 ? PGT_VERSION : 2);
        break;
    default:
        read_routes(b);
        break;
    }
    return 0;
}
