/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write: the files of DUMPI 1.0: the parts of each rank's, and the text. Records are in record.c. Calls have no length, and what
 * is computed is the time between them, on the wall's clock.
 */
#include "replay/dumpi/write.h"

#include "base/output.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 0x010000, NO_MORE = REPLAY_DUMPI_CALLS + 3 };
#define SECOND       INT64_C(1000000000)
#define LONGEST      (INT64_C(30000) * SECOND) /* seconds of records have 16 bits */
#define FOOTER_MAGIC UINT64_C(0xf007fee7)

void replay_dumpi_write(struct replay_dumpi_writer *x, unsigned bytes, uint64_t value)
{
    char out[8];
    for (unsigned k = 0; k < bytes; k++)
        out[k] = (char)(value >> (8 * (bytes - 1 - k)) & 0xff);
    replay_output_put(x->out, out, bytes);
    x->at += bytes;
}

struct replay_dumpi_writer *replay_dumpi_writer_create(const char *path, uint32_t ranks)
{
    struct replay_dumpi_writer *x = base_zalloc(sizeof *x, "a trace of DUMPI");
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = strstr(name, ".meta");
    x->text = base_strdup(path);
    x->prefix = base_strfmt("%.*s", end && end > name ? (int)(end - path) : (int)strlen(path), path);
    x->ranks = ranks;
    replay_dumpi_layouts(&x->layouts, VERSION);
    for (size_t k = 0; k < BASE_LENGTH(x->call_of); k++)
        x->call_of[k] = -1;
    for (uint32_t call = 0; call < REPLAY_DUMPI_CALLS; call++)
        if (x->layouts.of[call].how == REPLAY_DUMPI_PLAYED || x->layouts.of[call].function == RECORD_MPI_WTIME)
            x->call_of[x->layouts.of[call].function] = (int16_t)call;
    for (int64_t type = 0; type < REPLAY_DUMPI_FIRST_TYPE; type++)
        BASE_ARRAY_PUSH(&x->sizes, replay_dumpi_type_size(type));
    base_table_init(&x->made, BASE_NUMBERS, sizeof(uint64_t), "objects of a trace");
    return x;
}

void replay_dumpi_writer_destroy(struct replay_dumpi_writer *x)
{
    if (x->out)
        replay_output_discard(x->out);
    base_table_release(&x->made);
    free(x->sizes.at);
    free(x->prefix);
    free(x->text);
    free(x);
}

/* --- a rank's file --------------------------------------------------------------------------------------------- */

int replay_dumpi_writer_begin(struct replay_dumpi_writer *x, uint32_t rank, struct base_status *st)
{
    char *name = base_strfmt("%s-%04" PRIu32 ".bin", x->prefix, rank);
    x->out = replay_output_open(name, st);
    free(name);
    x->rank = rank;
    x->at = 0;
    x->now = 0;
    x->rest = 0;
    base_table_clear(&x->made);
    memset(x->calls, 0, sizeof x->calls);
    if (!x->out)
        return -1;
    replay_dumpi_write(x, 8, REPLAY_DUMPI_MAGIC);
    replay_dumpi_write(x, 4, 0); /* where the clocks begin */
    replay_dumpi_write(x, 4, 0);
    return 0;
}

bool replay_dumpi_writer_seconds(struct replay_dumpi_writer *x, double seconds)
{
    double ns = seconds * 1e9 + x->rest, whole = floor(ns);
    bool longer = whole > (double)LONGEST;
    x->rest = longer ? 0 : ns - whole;
    x->now += longer ? LONGEST : (int64_t)whole;
    return !longer;
}

static uint64_t write_header(struct replay_dumpi_writer *x)
{
    replay_dumpi_write(x, 2, NO_MORE);
    uint64_t at = x->at;
    for (unsigned shift = 24; shift; shift -= 8)
        replay_dumpi_write(x, 1, VERSION >> (shift - 8) & 0xff);
    replay_dumpi_write(x, 8, 0); /* when the program started */
    replay_dumpi_write(x, 2, 0); /* names of host and user: none */
    replay_dumpi_write(x, 2, 0);
    replay_dumpi_write(x, 4, 0); /* the machine's mesh: places, sizes */
    replay_dumpi_write(x, 4, 0);
    return at;
}

static uint64_t write_footer(struct replay_dumpi_writer *x)
{
    uint64_t at = x->at;
    replay_dumpi_write(x, 8, FOOTER_MAGIC);
    for (uint32_t call = 0; call < REPLAY_DUMPI_CALLS; call++)
        replay_dumpi_write(x, 4, x->calls[call]);
    for (uint32_t call = 0; call < REPLAY_DUMPI_CALLS + 2;
         call++) /* one of the first kind; those that are left out */
        replay_dumpi_write(x, 4, 0);
    return at;
}

static uint64_t write_list(struct replay_dumpi_writer *x, const int32_t *list, size_t n)
{
    uint64_t at = x->at;
    replay_dumpi_write(x, 4, n);
    for (size_t k = 0; k < n; k++)
        replay_dumpi_write(x, 4, (uint32_t)list[k]);
    return at;
}

int replay_dumpi_writer_end(struct replay_dumpi_writer *x, struct base_status *st)
{
    enum { BODY = 8 };
    uint64_t header = write_header(x), footer = write_footer(x);
    uint64_t pairs = write_list(x, NULL, 0), counters = write_list(x, NULL, 0),
             functions = write_list(x, NULL, 0);
    uint64_t sizes = write_list(x, x->sizes.at, x->sizes.n);
    const uint64_t index[] = {REPLAY_DUMPI_MAGIC, sizes, functions, counters, header, BODY, footer, pairs};
    for (size_t k = 0; k < BASE_LENGTH(index); k++)
        replay_dumpi_write(x, 8, index[k]);
    struct replay_output *out = x->out;
    x->out = NULL;
    return replay_output_close(out, st);
}

int replay_dumpi_writer_close(struct replay_dumpi_writer *x, struct base_status *st)
{
    struct base_text t;
    const char *slash = strrchr(x->prefix, '/');
    struct replay_output *out = replay_output_open(x->text, st);
    if (!out)
        return -1;
    base_text_init(&t, "a trace of DUMPI");
    base_text_format(&t,
                     "hostname=\nnumprocs=%" PRIu32
                     "\nusername=\nstartime=0\nfileprefix=%s\nversion=1\nsubversion=0\n"
                     "subsubversion=0\n",
                     x->ranks, slash ? slash + 1 : x->prefix);
    replay_output_put(out, t.at, t.n);
    base_text_release(&t);
    return replay_output_close(out, st);
}
