/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file: one file for each rank, and the list of them. Compressed by zstd or gzip, if the library was built with one of
 * these (RECORDER_ZSTD, RECORDER_GZIP).
 */
#include "recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef RECORDER_ZSTD
#include <zstd.h>
#define ENDING ".zst"
#elif defined RECORDER_GZIP
#include <zlib.h>
#define ENDING ".gz"
#else
#define ENDING ""
#endif

enum { PIECE = 1 << 18 };

static struct {
    FILE *out;
    char *path, *buffer;
    size_t n, cap;
#ifdef RECORDER_ZSTD
    ZSTD_CStream *packer;
#elif defined RECORDER_GZIP
    gzFile packer;
#endif
} file;

static void stop(const char *path)
{
    char text[512];
    snprintf(text, sizeof text, "%.400s: cannot be written: %.80s", path, strerror(errno));
    recorder_stop(text);
}

static void list(const char *path, const char *name, int ranks)
{
    FILE *out = fopen(path, "w");
    if (!out)
        stop(path);
    for (int k = 0; k < ranks; k++)
        fprintf(out, "%s_files/rank-%d" ENDING "\n", name, k);
    if (fclose(out))
        stop(path);
}

static void open_one(void)
{
    file.n = 0;
    file.out = fopen(file.path, "wb");
    if (!file.out)
        stop(file.path);
#ifdef RECORDER_ZSTD
    file.packer = ZSTD_createCStream();
    if (!file.packer)
        recorder_stop("no memory left");
    ZSTD_CCtx_setParameter(file.packer, ZSTD_c_compressionLevel, 1);
#elif defined RECORDER_GZIP
    fclose(file.out);
    file.packer = gzopen(file.path, "wb1");
    if (!file.packer)
        stop(file.path);
#endif
}

static void name_one(const char *path, int rank)
{
    size_t size = strlen(path) + 64;
    file.path = malloc(size);
    file.buffer = malloc(file.cap = PIECE);
    if (!file.path || !file.buffer)
        recorder_stop("no memory left");
    snprintf(file.path, size, "%s_files/rank-%d" ENDING, path, rank);
}

char *recorder_file_again(const char *path, int rank)
{
    size_t size = strlen(path) + 64;
    char *old = malloc(size);
    name_one(path, rank);
    if (!old)
        recorder_stop("no memory left");
    snprintf(old, size, "%s_files/rank-%d.old" ENDING, path, rank);
    if (rename(file.path, old))
        stop(old);
    open_one();
    return old;
}

void recorder_file_open(const char *path, int rank, int ranks)
{
    const char *slash = strrchr(path, '/');
    char *folder;
    if (!rank)
        list(path, slash ? slash + 1 : path, ranks);
    name_one(path, rank);
    folder = strdup(file.path);
    *strrchr(folder, '/') = '\0';
    if (mkdir(folder, 0777) && errno != EEXIST)
        stop(folder);
    free(folder);
    open_one();
}

static void flush(bool end)
{
#ifdef RECORDER_ZSTD
    static char packed[PIECE];
    ZSTD_inBuffer in = {file.buffer, file.n, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {packed, sizeof packed, 0};
        left = ZSTD_compressStream2(file.packer, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left) || fwrite(packed, 1, out.pos, file.out) != out.pos)
            stop(file.path);
    } while (end ? left != 0 : in.pos < in.size);
#elif defined RECORDER_GZIP
    (void)end;
    if (file.n && gzwrite(file.packer, file.buffer, (unsigned)file.n) <= 0)
        stop(file.path);
#else
    (void)end;
    if (fwrite(file.buffer, 1, file.n, file.out) != file.n)
        stop(file.path);
#endif
    file.n = 0;
}

char *recorder_file_room(size_t n)
{
    if (n > file.cap - file.n)
        flush(false);
    if (n > file.cap)
        file.buffer = base_array_grow(file.buffer, &file.cap, n, 1, "a line");
    return file.buffer + file.n;
}

void recorder_file_wrote(size_t n)
{
    file.n += n;
}

void recorder_file_close(void)
{
    flush(true);
#ifdef RECORDER_ZSTD
    ZSTD_freeCStream(file.packer);
    if (fclose(file.out))
        stop(file.path);
#elif defined RECORDER_GZIP
    if (gzclose(file.packer) != Z_OK)
        stop(file.path);
#else
    if (fclose(file.out))
        stop(file.path);
#endif
    free(file.path);
    free(file.buffer);
}
