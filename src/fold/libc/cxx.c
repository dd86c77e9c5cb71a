/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: what the C++ library keeps per process, kept per rank: exceptions being thrown and caught, and the
 * state of cin, cout, cerr and clog (precision, flags, fill, end of file, stream buffer). Both are found by
 * their names in the Itanium C++ ABI and by the layout of std::basic_ios, unchanged in libstdc++ since 2002.
 * Without that library nothing is exchanged.
 */
#include "fold/libc/libc.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a stream's std::basic_ios<char> that a program changes: ios_base from _M_precision to
 * _M_streambuf_state, and basic_ios from _M_tie to _M_streambuf. */
enum { FORMAT_AT = 8, FORMAT_SIZE = 32, BUFFER_AT = 216, BUFFER_SIZE = 24, STREAMBUF_AT = 232 };
/* The FILE of a __gnu_cxx::stdio_sync_filebuf<char>, behind its std::streambuf. */
enum { FILE_AT = 64 };

struct stream_state {
    char format[FORMAT_SIZE], buffer[BUFFER_SIZE];
};
struct libc_cxx {
    uint64_t exception[2]; /* struct __cxa_eh_globals: the caught ones, the number of uncaught ones */
    struct stream_state stream[4];
};

static void *(*globals)(void); /* gives a thread's __cxa_eh_globals; NULL without C++ */
static uint64_t *exception;    /* NULL without C++ */
static char *ios[4];           /* NULL without libstdc++ */
static struct libc_cxx first;

/* --- finding them ------------------------------------------------------------------------------- */

static void *open_library(void)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
    void *found = NULL;
    for (unsigned k = 0; k < BASE_LENGTH(libraries) && !found; k++)
        found = dlopen(libraries[k], RTLD_LAZY | RTLD_NOLOAD);
    return found;
}

/* The virtual base std::basic_ios of a stream: its offset lies three words before the virtual table. */
static char *ios_of(char *stream)
{
    ptrdiff_t offset;
    char *table;
    memcpy(&table, stream, sizeof table);
    memcpy(&offset, table - 3 * sizeof offset, sizeof offset);
    return stream + offset;
}

/* Constructs the streams now, on our routed ones, before a rank's constructors would. */
static bool make_streams(void *library)
{
    static char init;
    void (*construct)(void *self) = NULL;
    *(void **)(void *)&construct = dlsym(library, "_ZNSt8ios_base4InitC1Ev");
    if (construct)
        construct(&init);
    return construct != NULL;
}

/* Streams that were constructed before, when the library was first loaded, use the C streams of that time. */
static void route_stream(const struct libc_process *p, const char *of)
{
    char *streambuf;
    FILE *file;
    memcpy(&streambuf, of + STREAMBUF_AT, sizeof streambuf);
    memcpy(&file, streambuf + FILE_AT, sizeof file);
    for (unsigned fd = 0; fd < BASE_LENGTH(p->routed); fd++)
        if (file == p->original[fd])
            memcpy(streambuf + FILE_AT, &p->routed[fd], sizeof file);
}

void libc_cxx_begin(const struct libc_process *p)
{
    static const char *const names[] = {"_ZSt3cin", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"};
    void *library = open_library();
    exception = NULL;
    globals = NULL;
    memset(ios, 0, sizeof ios);
    if (!library)
        return;
    *(void **)(void *)&globals = dlsym(library, "__cxa_get_globals");
    if (globals)
        exception = globals();
    bool made = make_streams(library);
    for (unsigned k = 0; k < BASE_LENGTH(names); k++) {
        char *stream = made ? dlsym(library, names[k]) : NULL;
        ios[k] = stream ? ios_of(stream) : NULL;
    }
    if (!ios[0] || !ios[1] || !ios[2] || !ios[3])
        memset(ios, 0, sizeof ios);
    first = (struct libc_cxx){{0}, {{{0}, {0}}}};
    for (unsigned k = 0; ios[0] && k < BASE_LENGTH(ios); k++) {
        route_stream(p, ios[k]);
        memcpy(first.stream[k].format, ios[k] + FORMAT_AT, FORMAT_SIZE);
        memcpy(first.stream[k].buffer, ios[k] + BUFFER_AT, BUFFER_SIZE);
    }
}

/* --- the exchange ------------------------------------------------------------------------------- */

static bool stream_changed(unsigned k)
{
    return memcmp(first.stream[k].format, ios[k] + FORMAT_AT, FORMAT_SIZE) ||
           memcmp(first.stream[k].buffer, ios[k] + BUFFER_AT, BUFFER_SIZE);
}

void libc_cxx_ahead_begin(void)
{
    static uint64_t none[2];
    if (exception)
        exception = none;
}

uint64_t *libc_cxx_exception_here(void)
{
    return globals ? globals() : NULL;
}

uint64_t *libc_cxx_exception(void)
{
    return exception;
}

bool libc_cxx_changed(void)
{
    if (!exception)
        return false;
    return exception[0] || exception[1] ||
           (ios[0] && (stream_changed(0) || stream_changed(1) || stream_changed(2) || stream_changed(3)));
}

void libc_cxx_keep(struct fold_libc *l)
{
    if (!exception)
        return;
    if (!l->cxx)
        l->cxx = base_alloc(sizeof *l->cxx, "C++ state of a rank");
    memcpy(l->cxx->exception, exception, sizeof l->cxx->exception);
    for (unsigned k = 0; ios[0] && k < BASE_LENGTH(ios); k++) {
        memcpy(l->cxx->stream[k].format, ios[k] + FORMAT_AT, FORMAT_SIZE);
        memcpy(l->cxx->stream[k].buffer, ios[k] + BUFFER_AT, BUFFER_SIZE);
    }
}

void libc_cxx_put_back(const struct fold_libc *l)
{
    const struct libc_cxx *from = l && l->cxx ? l->cxx : &first;
    if (!exception)
        return;
    memcpy(exception, from->exception, sizeof from->exception);
    for (unsigned k = 0; ios[0] && k < BASE_LENGTH(ios); k++) {
        memcpy(ios[k] + FORMAT_AT, from->stream[k].format, FORMAT_SIZE);
        memcpy(ios[k] + BUFFER_AT, from->stream[k].buffer, BUFFER_SIZE);
    }
}
