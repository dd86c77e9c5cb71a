/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source lines, found by elfutils' libdw (docs/decisions/0005-source-lines.md). The library is loaded when a
 * report first needs a line; if it is not installed, reports have no lines. Debug information is large, and
 * decoding it needs more stack than a rank may have, so a thread with a stack of its own does it.
 */
#include "base/source.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The functions of libdw that are used here, with their types from its header. */
#define EACH_FUNCTION(X)                                                                                     \
    X(dwarf_begin)                                                                                           \
    X(dwarf_end)                                                                                             \
    X(dwarf_nextcu)                                                                                          \
    X(dwarf_offdie)                                                                                          \
    X(dwarf_haspc)                                                                                           \
    X(dwarf_getsrc_die)                                                                                      \
    X(dwarf_linesrc)                                                                                         \
    X(dwarf_lineno)                                                                                          \
    X(dwarf_tag)                                                                                             \
    X(dwarf_child)                                                                                           \
    X(dwarf_siblingof)                                                                                       \
    X(dwarf_attr)                                                                                            \
    X(dwarf_getlocation)                                                                                     \
    X(dwarf_getlocation_attr)                                                                                \
    X(dwarf_formaddr)                                                                                        \
    X(dwarf_decl_file)                                                                                       \
    X(dwarf_decl_line)                                                                                       \
    X(dwarf_getscopes)                                                                                       \
    X(dwarf_diename)                                                                                         \
    X(dwarf_formudata)                                                                                       \
    X(dwarf_getsrcfiles)                                                                                     \
    X(dwarf_filesrc)

#define MEMBER(f) __typeof__(f) *f;
static struct {
    void *library;
    bool tried;
    EACH_FUNCTION(MEMBER)
} dw;

static bool load(void)
{
    if (dw.tried)
        return dw.library != NULL;
    dw.tried = true;
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
#define FIND(f)                                                                                              \
    if (!(dw.f = (__typeof__(f) *)dlsym(library, #f)))                                                       \
        return false;
    EACH_FUNCTION(FIND)
    dw.library = library;
    return true;
}

/* Queries about addresses of code, or of one static variable. */
struct question {
    struct source_query *code; /* NULL: of a variable */
    size_t n;
    const char *object;
    uint64_t address;
    char *buf;
    size_t size;
    bool found;
};

static void write_place(char *buf, size_t size, const char *file, int line)
{
    const char *slash = strrchr(file, '/');
    snprintf(buf, size, "%s:%d", slash ? slash + 1 : file, line);
}

static void answer(struct question *q, const char *file, int line)
{
    write_place(q->buf, q->size, file, line);
    q->found = true;
}

static int number_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute a;
    Dwarf_Word value;
    return dw.dwarf_attr(die, attribute, &a) && dw.dwarf_formudata(&a, &value) == 0 && value < INT32_MAX
               ? (int)value
               : 0;
}

/* The functions that are inlined at the address, and the one that has been compiled; the line of each but the
 * first is where it called the one before. */
static void ask_functions(struct source_query *q, Dwarf_Die *unit)
{
    Dwarf_Die *scope = NULL;
    Dwarf_Files *files = NULL;
    size_t n_files = 0;
    int n = dw.dwarf_getscopes(unit, q->address, &scope);
    bool has_files = dw.dwarf_getsrcfiles(unit, &files, &n_files) == 0;
    for (int k = 0; k < n && q->found; k++) {
        int tag = dw.dwarf_tag(&scope[k]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        const char *name = dw.dwarf_diename(&scope[k]);
        snprintf(q->at[q->found - 1].function, sizeof q->at->function, "%s", name ? name : "");
        size_t file = (size_t)number_of(&scope[k], DW_AT_call_file);
        const char *path = has_files && file < n_files ? dw.dwarf_filesrc(files, file, NULL, NULL) : NULL;
        if (tag == DW_TAG_subprogram || !path || q->found == SOURCE_INLINED)
            break;
        write_place(q->at[q->found].line, SOURCE_LINE_SIZE, path, number_of(&scope[k], DW_AT_call_line));
        q->at[q->found++].function[0] = 0;
    }
    free(scope);
}

static void ask_code(struct source_query *q, Dwarf_Die *unit)
{
    Dwarf_Line *l = dw.dwarf_haspc(unit, q->address) == 1 ? dw.dwarf_getsrc_die(unit, q->address) : NULL;
    const char *file = l ? dw.dwarf_linesrc(l, NULL, NULL) : NULL;
    int line;
    if (!file || dw.dwarf_lineno(l, &line) != 0 || line <= 0)
        return;
    write_place(q->at[0].line, SOURCE_LINE_SIZE, file, line);
    q->line = (uint32_t)line;
    if (q->file)
        snprintf(q->file, q->file_size, "%s", file);
    q->at[0].function[0] = 0;
    q->found = 1;
    ask_functions(q, unit);
}

/* The address that a location gives in one operation: directly (gcc) or through a table (clang). */
static bool address_of(Dwarf_Attribute *location, const Dwarf_Op *op, uint64_t *address)
{
    Dwarf_Attribute entry;
    Dwarf_Addr value;
    if (op->atom == DW_OP_addr) {
        *address = op->number;
        return true;
    }
    if (op->atom != DW_OP_addrx || dw.dwarf_getlocation_attr(location, op, &entry) != 0 ||
        dw.dwarf_formaddr(&entry, &value) != 0)
        return false;
    *address = value;
    return true;
}

static bool lies_there(Dwarf_Die *variable, uint64_t address)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *op;
    size_t n;
    uint64_t there;
    return dw.dwarf_attr(variable, DW_AT_location, &attribute) &&
           dw.dwarf_getlocation(&attribute, &op, &n) == 0 && n == 1 && address_of(&attribute, op, &there) &&
           there == address;
}

/* The variables of a unit, and those within its functions and namespaces. */
static void ask_variables(struct question *q, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;
    if (depth > 16 || dw.dwarf_child(parent, &die) != 0)
        return;
    do {
        const char *file;
        int line, tag = dw.dwarf_tag(&die);
        if (tag == DW_TAG_variable && lies_there(&die, q->address) && (file = dw.dwarf_decl_file(&die)) &&
            dw.dwarf_decl_line(&die, &line) == 0)
            answer(q, file, line);
        else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace)
            ask_variables(q, &die, depth + 1);
    } while (!q->found && dw.dwarf_siblingof(&die, &die) == 0);
}

/* Asks all queries about one object, or the one about a variable. */
static void ask_units(struct question *q, Dwarf *debug)
{
    Dwarf_Off at = 0, next;
    size_t header;
    Dwarf_Die unit;
    for (; !q->found && dw.dwarf_nextcu(debug, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
        if (!dw.dwarf_offdie(debug, at + header, &unit))
            continue;
        if (!q->code)
            ask_variables(q, &unit, 0);
        for (size_t k = 0; q->code && k < q->n; k++)
            if (!q->code[k].found && !strcmp(q->code[k].object, q->object))
                ask_code(&q->code[k], &unit);
    }
}

static void ask_object(struct question *q, const char *object)
{
    int fd = load() ? open(object, O_RDONLY | O_CLOEXEC) : -1;
    Dwarf *debug = fd < 0 ? NULL : dw.dwarf_begin(fd, DWARF_C_READ);
    q->object = object;
    if (debug) {
        ask_units(q, debug);
        dw.dwarf_end(debug);
    }
    if (fd >= 0)
        close(fd);
}

static void *body(void *arg)
{
    struct question *q = arg;
    if (!q->code)
        ask_object(q, q->object);
    for (size_t k = 0; q->code && k < q->n; k++) {
        size_t first = 0;
        while (strcmp(q->code[first].object, q->code[k].object) != 0)
            first++;
        if (first == k)
            ask_object(q, q->code[k].object);
    }
    return NULL;
}

static void ask(struct question *q)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, q) == 0)
        pthread_join(thread, NULL);
}

void source_queries_answer(struct source_query *at, size_t n)
{
    struct question q = {.code = at, .n = n};
    ask(&q);
}

uint32_t source_file_find(const char *object, uint64_t address, char *buf, size_t size)
{
    struct source_query q = {.object = object, .address = address, .file = buf, .file_size = size};
    source_queries_answer(&q, 1);
    return q.found ? q.line : 0;
}

bool source_variable_find(const char *object, uint64_t address, char *buf, size_t size)
{
    struct question q = {.object = object, .address = address, .buf = buf, .size = size};
    ask(&q);
    return q.found;
}
