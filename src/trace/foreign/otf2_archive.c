/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * otf2_archive: the library, loaded for the first trace in this format, and the files of one archive. Memory
 * is one chunk per location. The library keeps a location's file open from its first full chunk on. If the
 * limit on open files is too low for that, later locations keep their events in memory until the close.
 *
 * The library writes a random number into the archive's anchor file. It is replaced by a constant, so that
 * equal runs give equal bytes.
 */
#include "trace/foreign/otf2.h"
#include "trace/stream/stream.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_OF_OTHERS = 128 }; /* open files left to the run itself */

const struct otf2_library *otf2_library(struct base_status *st)
{
    static struct otf2_library functions;
    static bool loaded;
    if (loaded)
        return &functions;
    void *library = dlopen(PGASIM_OTF2, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        base_fail(st, "the OTF2 library cannot be loaded (Debian package libopen-trace-format2-10): %s",
                  dlerror());
        return NULL;
    }
#define FIND(f)                                                                                              \
    if (!(functions.f = (__typeof__(OTF2_##f) *)dlsym(library, "OTF2_" #f))) {                               \
        base_fail(st, "%s has no OTF2_%s", PGASIM_OTF2, #f);                                                 \
        return NULL;                                                                                         \
    }
    OTF2_EACH_FUNCTION(FIND)
#undef FIND
    loaded = true;
    return &functions;
}

/* --- errors ------------------------------------------------------------------------------------------- */

/* Reports only the first error: it causes the others. */
static OTF2_ErrorCode on_error(void *ctx, const char *file, uint64_t line, const char *function,
                               OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct otf2_archive *a = ctx;
    char text[300];
    (void)file, (void)line, (void)function;
    if (a->failed)
        return code;
    vsnprintf(text, sizeof text, format, arguments);
    base_error("trace %s: %s (%s): events from now on are lost", a->path, a->lib->Error_GetDescription(code),
               text);
    a->failed = true;
    return code;
}

/* --- memory ------------------------------------------------------------------------------------------- */

/* A buffer's first chunk; more may follow. */
struct chunks {
    bool streams; /* may write to its file during the run */
    BASE_ARRAY(void *) chunk;
};

static uint32_t most_open_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return UINT32_MAX;
    return limit.rlim_cur > 2 * FILES_OF_OTHERS ? (uint32_t)limit.rlim_cur - FILES_OF_OTHERS : 0;
}

/* Returning NULL makes the library write its chunks to the file and free them. */
static void *allocate(void *ctx, OTF2_FileType type, OTF2_LocationRef location, void **buffer, uint64_t size)
{
    struct otf2_archive *a = ctx;
    struct chunks *c = *buffer;
    (void)location;
    if (!c) {
        *buffer = c = base_zalloc(sizeof *c, "a buffer of a trace");
        c->streams = type == OTF2_FILETYPE_EVENTS && a->streaming < most_open_files();
        a->streaming += c->streams;
    }
    if (c->streams && c->chunk.n)
        return NULL;
    void *chunk = base_alloc(size, "events of a trace");
    BASE_ARRAY_PUSH(&c->chunk, chunk);
    return chunk;
}

static void free_all(void *ctx, OTF2_FileType type, OTF2_LocationRef location, void **buffer, bool final)
{
    struct chunks *c = *buffer;
    (void)ctx, (void)type, (void)location;
    if (!c)
        return;
    while (c->chunk.n)
        free(c->chunk.at[--c->chunk.n]);
    if (!final)
        return;
    free(c->chunk.at);
    free(c);
    *buffer = NULL;
}

static OTF2_FlushType before_flush(void *ctx, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                   bool final)
{
    (void)ctx, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* --- files -------------------------------------------------------------------------------------------- */

/* "17.evt", "17.def": what the library leaves in an archive's folder. */
static bool is_of_archive(const char *name)
{
    size_t digits = 0;
    while (isdigit((unsigned char)name[digits]))
        digits++;
    return digits && (!strcmp(name + digits, ".evt") || !strcmp(name + digits, ".def"));
}

static char *inside(const struct otf2_archive *a)
{
    return base_strfmt("%s/%s", a->folder, a->name);
}

/* Checks that the folder holds nothing but an earlier archive, or (`clear`) removes that. */
static int go_through(const struct otf2_archive *a, bool clear, struct base_status *st)
{
    char *path = inside(a);
    DIR *d = opendir(path);
    int rc = 0;
    if (!d && errno == ENOTDIR)
        rc = base_fail(st,
                       "trace %s: its events go to a folder %s, which exists as a file; choose another name",
                       a->path, path);
    else if (!d && errno != ENOENT)
        rc = base_fail(st, "trace %s: %s: %s", a->path, path, strerror(errno));
    for (const struct dirent *e = d ? readdir(d) : NULL; e && !rc; e = readdir(d)) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        if (!is_of_archive(e->d_name))
            rc = base_fail(
                st,
                "trace %s: refusing to replace the folder %s: it contains %s, which is not part of a trace",
                a->path, path, e->d_name);
        else if (clear)
            unlinkat(dirfd(d), e->d_name, 0);
    }
    if (d)
        closedir(d);
    if (clear && !rc)
        rmdir(path);
    free(path);
    return rc;
}

static void remove_file(const struct otf2_archive *a, const char *extension)
{
    char *path = base_strfmt("%s/%s.%s", a->folder, a->name, extension);
    unlink(path);
    free(path);
}

static void release(struct otf2_archive *a)
{
    free(a->path);
    free(a->folder);
    free(a->name);
    if (a->claim >= 0)
        close(a->claim);
}

static int claim(struct otf2_archive *a, struct base_status *st)
{
    char *path = inside(a);
    a->claim = trace_output_claim(path, a->path, st);
    free(path);
    return a->claim < 0 ? -1 : 0;
}

int otf2_archive_open(struct otf2_archive *a, const char *path, struct base_status *st)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    struct base_status why;
    *a = (struct otf2_archive){.lib = otf2_library(&why), .claim = -1};
    if (!a->lib)
        return base_fail(st, "trace %s: %s", path, why.text);
    char *folder = slash ? base_strfmt("%.*s", (int)(slash - path + 1), path) : base_strdup(".");
    a->path = base_strdup(path);
    a->name = base_strfmt("%.*s", dot ? (int)(dot - base) : (int)strlen(base), base);
    a->folder = realpath(folder, NULL);
    free(folder);
    int rc = 0;
    if (!a->folder || access(a->folder, W_OK | X_OK))
        rc = base_fail(st, "trace %s: %s", path, strerror(errno));
    else if (!*a->name)
        rc = base_fail(st, "trace %s: expected a name before .otf2", path);
    else
        rc = go_through(a, false, st) || claim(a, st) ? -1 : 0;
    if (rc)
        release(a);
    return rc;
}

void otf2_archive_begin(struct otf2_archive *a, const struct trace_about *about)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = before_flush};
    static const OTF2_MemoryCallbacks memory = {allocate, free_all};
    struct base_status st;
    a->lib->Error_RegisterCallback(on_error, a);
    if (go_through(a, true, &st)) {
        base_error("%s", st.text);
        a->failed = true;
        return;
    }
    remove_file(a, "otf2");
    remove_file(a, "def");
    a->archive = a->lib->Archive_Open(a->folder, a->name, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
                                      OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX,
                                      OTF2_COMPRESSION_NONE);
    a->failed |= !a->archive;
    if (a->failed)
        return;
    a->lib->Archive_SetFlushCallbacks(a->archive, &flush, a);
    a->lib->Archive_SetMemoryCallbacks(a->archive, &memory, a);
    a->lib->Archive_SetSerialCollectiveCallbacks(a->archive);
    char *creator = base_strfmt("pgasim %s", about->version);
    char *description = base_strfmt("%s %s on %s", about->program, about->arguments, about->platform);
    a->lib->Archive_SetCreator(a->archive, creator);
    a->lib->Archive_SetDescription(a->archive, description);
    free(creator);
    free(description);
    a->lib->Archive_OpenEvtFiles(a->archive);
}

/* --- the end ------------------------------------------------------------------------------------------ */

/* The archive's random number, as the library reads it; false: it can't. */
static bool read_number(const struct otf2_archive *a, uint64_t *number)
{
    OTF2_Archive *again = a->lib->Archive_Open(a->folder, a->name, OTF2_FILEMODE_READ, OTF2_CHUNK_SIZE_MIN,
                                               OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX,
                                               OTF2_COMPRESSION_NONE);
    if (!again)
        return false;
    a->lib->Archive_SetSerialCollectiveCallbacks(again);
    bool known = a->lib->Archive_GetTraceId(again, number) == OTF2_SUCCESS;
    a->lib->Archive_Close(again);
    return known;
}

/* Where the number's eight bytes are in the file, in either byte order; negative unless there once. */
static long find_number(const unsigned char *bytes, size_t n, uint64_t number)
{
    unsigned char up[8], down[8];
    long found = -1;
    for (int k = 0; k < 8; k++)
        up[k] = down[7 - k] = (unsigned char)(number >> 8 * k);
    for (size_t at = 0; at + 8 <= n; at++) {
        if (memcmp(bytes + at, up, 8) != 0 && memcmp(bytes + at, down, 8) != 0)
            continue;
        if (found >= 0)
            return -1;
        found = (long)at;
    }
    return found;
}

static void make_number_fixed(const struct otf2_archive *a)
{
    static const unsigned char fixed[8] = "pgasim";
    enum { MOST = 1 << 16 };
    unsigned char *bytes = base_alloc(MOST, "an archive's anchor"); /* stacks may be small */
    char *path = base_strfmt("%s/%s.otf2", a->folder, a->name);
    uint64_t number = 0;
    FILE *file = read_number(a, &number) ? fopen(path, "r+b") : NULL;
    size_t n = file ? fread(bytes, 1, MOST, file) : 0;
    long at = find_number(bytes, n, number);
    if (at >= 0 && !fseek(file, at, SEEK_SET))
        fwrite(fixed, 1, sizeof fixed, file);
    if (file)
        fclose(file);
    free(bytes);
    free(path);
}

int otf2_archive_close(struct otf2_archive *a)
{
    if (a->archive) {
        if (a->lib->Archive_Close(a->archive) != OTF2_SUCCESS && !a->failed) {
            base_error("trace %s: the archive could not be closed", a->path);
            a->failed = true;
        }
        if (!a->failed)
            make_number_fixed(a);
        a->lib->Error_RegisterCallback(NULL, NULL);
    }
    release(a);
    return a->failed ? -1 : 0;
}

/* --- for others' events --------------------------------------------------------------------------------- */

struct trace_otf2_archive {
    struct otf2_archive of;
};

int trace_otf2_archive_open(struct trace_otf2_archive **out, const char *path,
                            const struct trace_about *about, void **archive, struct base_status *st)
{
    struct trace_otf2_archive *a = base_zalloc(sizeof *a, "a trace's writer");
    if (otf2_archive_open(&a->of, path, st)) {
        free(a);
        return -1;
    }
    otf2_archive_begin(&a->of, about);
    if (a->of.failed) {
        trace_otf2_archive_close(a);
        return base_fail(st, "%s: the archive cannot be written", path);
    }
    *archive = a->of.archive;
    *out = a;
    return 0;
}

int trace_otf2_archive_close(struct trace_otf2_archive *a)
{
    int rc = otf2_archive_close(&a->of);
    free(a);
    return rc;
}
