/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes read as DUMPI's file of one rank, as the records of one rank or of four, or as the text beside them. The first
 * byte says as which; of records, the second one is the version of DUMPI behind 0.6.
 */
#include "replay/replay.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const files[] = {"trace-0000.bin", "trace-0001.bin", "trace-0002.bin",
                                    "trace-0003.bin", "trace.meta",     NULL};
enum { A_FILE, ONE, FOUR, TEXT, KINDS };
enum { MOST = 4 };

static void put(FILE *f, unsigned bytes, uint64_t value)
{
    while (bytes--)
        if (fputc((int)(value >> 8 * bytes & 255), f) == EOF)
            abort();
}

static void put_bytes(FILE *f, const uint8_t *data, size_t size)
{
    if (size && fwrite(data, 1, size, f) != size)
        abort();
}

static FILE *create(const char *name)
{
    FILE *f = fopen(name, "w");
    if (!f)
        abort();
    return f;
}

static void write_file(const char *name, const uint8_t *data, size_t size)
{
    FILE *f = create(name);
    put_bytes(f, data, size);
    if (fclose(f))
        abort();
}

/* What makes records a file: magic number, biases, end of records, header, sizes of types, index. */
static void write_records(const char *name, uint8_t version, const uint8_t *data, size_t size)
{
    enum { TYPES = 40, MAGIC = 8, BIASES = 8, LAST = 2, HEADER = 23, NO_MORE = 293 };
    const uint64_t magic = UINT64_C(0xffaadd44554d5049), header = MAGIC + BIASES + size + LAST;
    FILE *f = create(name);
    put(f, 8, magic);
    put(f, 8, 0);
    put_bytes(f, data, size);
    put(f, 2, NO_MORE);
    put(f, 3, 0x000600 + version);
    for (int k = 0; k < (HEADER - 3) / 4; k++)
        put(f, 4, 0);
    put(f, 4, TYPES);
    for (unsigned k = 0; k < TYPES; k++)
        put(f, 4, k < TYPES - 2 ? k : 0);
    const uint64_t index[] = {magic, header + HEADER, 0, 0, header, MAGIC, 0, 0};
    for (size_t k = 0; k < BASE_LENGTH(index); k++)
        put(f, 8, index[k]);
    if (fclose(f))
        abort();
}

static const char *write_files(const uint8_t *data, size_t size)
{
    unsigned kind = size ? data[0] % KINDS : A_FILE;
    uint8_t version = size > 1 ? data[1] : 0;
    size_t skip = size > 1 ? 2 : size;
    for (size_t k = 0; files[k]; k++)
        unlink(files[k]);
    for (size_t k = 0; k < (kind == FOUR || kind == TEXT ? MOST : 1); k++)
        if (kind == A_FILE)
            write_file(files[k], data + (size > 0), size - (size > 0));
        else
            write_records(files[k], version, data + skip, kind == TEXT ? 0 : size - skip);
    if (kind != TEXT)
        return files[0];
    write_file(files[MOST], data + 1, size - 1);
    return files[MOST];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct base_status st = {""};
    struct replay_facts facts;
    fuzz_enter(files);
    struct replay_trace *t = replay_trace_read(write_files(data, size), 0, &st);
    if (t) {
        replay_trace_facts(t, &facts);
        BASE_ASSERT("ranks", facts.least <= facts.most);
    } else {
        BASE_ASSERT("a reason", strlen(st.text) > 0);
    }
    replay_trace_release(t);
    return 0;
}
