/* SPDX-License-Identifier: BSD-3-Clause */
/* file_finish: what is remarkable of files' accesses, and all lists in order. */
#include "report/file.h"

#include <stdlib.h>
#include <string.h>

/* --- remarks ------------------------------------------------------------------------------------------------ */

const char *report_remark_text(enum report_remark remark)
{
    static const char *const texts[REPORT_REMARKS] = {
        [REPORT_UNREMARKABLE] = "",
        [REPORT_STRIDED] = "small requests with gaps between them",
        [REPORT_SMALL] = "small requests",
        [REPORT_SIEVED] = "data sieving moves much more than is asked for",
        [REPORT_ROUNDS] = "two phases in many small rounds"};
    return texts[remark];
}

const char *report_remark_hint(enum report_remark remark, enum report_way way, bool all)
{
    bool writes = way == REPORT_WRITES;
    switch (remark) {
    case REPORT_STRIDED:
    case REPORT_SIEVED:
        if (all)
            return writes ? "let aggregators collect them: hint romio_cb_write=enable"
                          : "let aggregators distribute them: hint romio_cb_read=enable";
        return writes ? "write collectively (MPI_File_write_all, with a view), or collect larger pieces"
                      : "read collectively (MPI_File_read_all, with a view), or read larger pieces";
    case REPORT_SMALL:
        return writes ? "write larger pieces: a buffer (setvbuf), or fewer calls"
                      : "read larger pieces: a buffer (setvbuf), or fewer calls";
    case REPORT_ROUNDS:
        return "larger rounds: hint cb_buffer_size; fewer aggregators: hint cb_nodes";
    default:
        return "";
    }
}

static enum report_remark remark_of(const struct report_file_way *w)
{
    if (w->requests < REPORT_SMALL_LEAST)
        return REPORT_UNREMARKABLE;
    if (w->accesses && w->bytes && w->asked > 2 * w->bytes && !w->rounds)
        return REPORT_SIEVED;
    if (w->asked / w->requests >= REPORT_SMALL_BYTES)
        return REPORT_UNREMARKABLE;
    if (w->rounds)
        return REPORT_ROUNDS;
    return 2 * w->further > w->requests ? REPORT_STRIDED : REPORT_SMALL;
}

/* --- order -------------------------------------------------------------------------------------------------- */

static int descending(double x, double y)
{
    return (x < y) - (x > y);
}

static int by_bytes(const void *a, const void *b)
{
    const struct report_file *x = a, *y = b;
    int order =
        descending((double)(x->way[0].bytes + x->way[1].bytes), (double)(y->way[0].bytes + y->way[1].bytes));
    return order ? order : strcmp(x->path, y->path);
}

static int by_wait(const void *a, const void *b)
{
    const struct report_server_wait *x = a, *y = b;
    int order = descending(x->seconds, y->seconds);
    if (order)
        return order;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->server > y->server) - (x->server < y->server);
}

static int by_waited(const void *a, const void *b)
{
    const struct report_server *x = a, *y = b;
    int order = descending(x->waited, y->waited);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* Waits name servers by their places. */
static void sort_servers(struct report_files *x)
{
    uint32_t *place = base_alloc((x->server.n + 1) * sizeof *place, "disks of a trace");
    for (uint32_t k = 0; k < x->server.n; k++)
        x->server.at[k].place = k;
    if (x->server.n)
        qsort(x->server.at, x->server.n, sizeof *x->server.at, by_waited);
    for (uint32_t k = 0; k < x->server.n; k++)
        place[x->server.at[k].place] = k;
    for (size_t k = 0; k < x->wait.n; k++)
        x->wait.at[k].server = place[x->wait.at[k].server];
    free(place);
}

static int by_moved(const void *a, const void *b)
{
    const struct report_aggregator *x = a, *y = b;
    int order = descending((double)(x->bytes[0] + x->bytes[1]), (double)(y->bytes[0] + y->bytes[1]));
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

void report_files_sort(struct report_files *x)
{
    for (size_t k = 0; k < x->file.n; k++)
        for (unsigned way = 0; way < REPORT_WAYS; way++)
            x->file.at[k].way[way].remark = remark_of(&x->file.at[k].way[way]);
    if (x->file.n)
        qsort(x->file.at, x->file.n, sizeof *x->file.at, by_bytes);
    sort_servers(x);
    if (x->wait.n)
        qsort(x->wait.at, x->wait.n, sizeof *x->wait.at, by_wait);
    if (x->aggregator.n)
        qsort(x->aggregator.at, x->aggregator.n, sizeof *x->aggregator.at, by_moved);
}
