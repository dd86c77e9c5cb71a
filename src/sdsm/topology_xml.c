/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology_xml: the topology file (the paper's Figure 11). Expat reads it; it is loaded when there is a file,
 * so that programs need not be linked with it.
 *
 *   <SAT> <topologies>
 *     <topology id="PROCESS" role="ROLE">
 *       <memory capacity="CHUNKS" bytes="BYTES" />          0 or left out: no limit
 *       <clients> <intlist> 1 2 </intlist> </clients>        of a server
 *       <servers> <intlist> 0 </intlist> </servers>          of a client: one
 *
 * The first mistake is kept, and ends the run when the parser is gone.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <expat.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

struct expat {
    XML_Parser (*create)(const XML_Char *);
    void (*data)(XML_Parser, void *);
    void (*elements)(XML_Parser, XML_StartElementHandler, XML_EndElementHandler);
    void (*text)(XML_Parser, XML_CharacterDataHandler);
    enum XML_Status (*parse)(XML_Parser, const char *, int, int);
    enum XML_Error (*error)(XML_Parser);
    const XML_LChar *(*says)(enum XML_Error);
    XML_Size (*line)(XML_Parser);
    enum XML_Status (*stop)(XML_Parser, XML_Bool);
    void (*release)(XML_Parser);
};

enum element { SAT, TOPOLOGIES, TOPOLOGY, MEMORY, CLIENTS, SERVERS, INTLIST, ELEMENTS };
static const char *const names[] = {"SAT",     "topologies", "topology", "memory",
                                    "clients", "servers",    "intlist"};
/* Where an element may stand. */
static const unsigned within[] = {
    [SAT] = 0,
    [TOPOLOGIES] = 1 << SAT,
    [TOPOLOGY] = 1 << TOPOLOGIES,
    [MEMORY] = 1 << TOPOLOGY,
    [CLIENTS] = 1 << TOPOLOGY,
    [SERVERS] = 1 << TOPOLOGY,
    [INTLIST] = 1 << CLIENTS | 1 << SERVERS,
};

enum { DEEPEST = 5 };
struct file {
    const struct expat *x;
    XML_Parser parser;
    const char *path;
    struct sat_process *all;
    int np, id; /* of the topology element that is open */
    enum element open[DEEPEST];
    int depth;
    int *line;    /* of each process's element */
    int *claimed; /* 1 + the server that lists a client */
    char *text;   /* of an intlist */
    size_t n;
    int checked; /* the line of the process that is checked; 0: it has none */
    bool failed;
    unsigned long wrong_line; /* 0: none in particular */
    char wrong[512];
};

/* A mistake in the line that is being read, or in the process's that is checked: nothing behind it counts. */
static void wrong(struct file *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void wrong(struct file *f, const char *format, ...)
{
    va_list args;
    if (f->failed)
        return;
    f->failed = true;
    f->wrong_line = f->parser ? (unsigned long)f->x->line(f->parser) : (unsigned long)f->checked;
    va_start(args, format);
    vsnprintf(f->wrong, sizeof f->wrong, format, args);
    va_end(args);
    if (f->parser)
        f->x->stop(f->parser, XML_FALSE);
}

/* 0 if it is wrong. */
static uint64_t number(struct file *f, const char *what, const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    while (isspace((unsigned char)*end))
        end++;
    if (end != text && !*end && !errno && !strchr(text, '-') && value <= most)
        return value;
    wrong(f, "%s=\"%s\": expected a number from 0 to %llu", what, text, (unsigned long long)most);
    return 0;
}

static const char *attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (!strcmp(*attributes, name))
            return attributes[1];
    return NULL;
}

static void open_topology(struct file *f, const char **attributes)
{
    const char *id = attribute(attributes, "id"), *role = attribute(attributes, "role");
    if (!id || !role) {
        wrong(f, "a topology element needs id and role");
        return;
    }
    uint64_t process = number(f, "id", id, INT_MAX);
    int role_number = (int)number(f, "role", role, 1 << 20);
    if (process >= (uint64_t)f->np)
        wrong(f, "process %llu: the run has processes 0 to %d", (unsigned long long)process, f->np - 1);
    else if (f->all[process].named)
        wrong(f, "process %d has been described in line %d already", (int)process, f->line[process]);
    else if (!process && role_number)
        wrong(f, "process 0 is the seed, which is a server: expected role 0");
    if (f->failed)
        return;
    f->id = (int)process;
    f->all[f->id] = (struct sat_process){role_number, -1, 0, 0, true};
    f->line[f->id] = (int)f->x->line(f->parser);
}

static void open_memory(struct file *f, const char **attributes)
{
    const char *capacity = attribute(attributes, "capacity"), *bytes = attribute(attributes, "bytes");
    if (capacity)
        f->all[f->id].capacity = number(f, "capacity", capacity, UINT64_MAX);
    if (bytes)
        f->all[f->id].capacity_bytes = number(f, "bytes", bytes, UINT64_MAX);
}

static void on_open(void *ctx, const char *name, const char **attributes)
{
    struct file *f = ctx;
    enum element e = 0;
    while (e < ELEMENTS && strcmp(names[e], name))
        e++;
    if (f->failed)
        return;
    if (e == ELEMENTS)
        wrong(f, "<%s> is unknown here", name);
    else if (f->depth ? !(within[e] & 1u << f->open[f->depth - 1]) : e != SAT)
        wrong(f, "<%s> does not belong into %s%s", name, f->depth ? "" : "the file's top",
              f->depth ? names[f->open[f->depth - 1]] : "");
    if (f->failed)
        return;
    f->open[f->depth++] = e;
    f->n = 0;
    if (e == TOPOLOGY)
        open_topology(f, attributes);
    else if (e == MEMORY)
        open_memory(f, attributes);
}

static void on_text(void *ctx, const char *text, int n)
{
    struct file *f = ctx;
    if (f->failed || !f->depth || f->open[f->depth - 1] != INTLIST)
        return;
    f->text = sat_grow(f->text, f->n + (size_t)n + 1);
    memcpy(f->text + f->n, text, (size_t)n);
    f->n += (size_t)n;
    f->text[f->n] = 0;
}

static void take_client(struct file *f, int client)
{
    if (f->claimed[client] && f->claimed[client] - 1 != f->id)
        wrong(f, "client %d is listed by servers %d and %d: expected one", client, f->claimed[client] - 1,
              f->id);
    f->claimed[client] = 1 + f->id;
}

static void take_server(struct file *f, int server)
{
    struct sat_process *p = &f->all[f->id];
    if (!p->role) /* servers know each other */
        return;
    if (p->server >= 0 && p->server != server)
        wrong(f, "client %d has servers %d and %d: expected one", f->id, p->server, server);
    p->server = server;
}

static void take_list(struct file *f, void (*take)(struct file *f, int process))
{
    char *rest;
    for (char *w = strtok_r(f->text, " \t\r\n", &rest); w; w = strtok_r(NULL, " \t\r\n", &rest)) {
        uint64_t n = number(f, "intlist", w, INT_MAX);
        if (n >= (uint64_t)f->np)
            wrong(f, "process %s: the run has processes 0 to %d", w, f->np - 1);
        if (f->failed)
            return;
        take(f, (int)n);
    }
}

static void on_close(void *ctx, const char *name)
{
    struct file *f = ctx;
    (void)name;
    if (f->failed || f->open[--f->depth] != INTLIST || !f->n)
        return;
    bool clients = f->open[f->depth - 1] == CLIENTS;
    if (clients && f->all[f->id].role)
        wrong(f, "process %d has role %d: only servers, role 0, have clients", f->id, f->all[f->id].role);
    else
        take_list(f, clients ? take_client : take_server);
}

/* --- the whole ------------------------------------------------------------------------------------- */

static void check_client(struct file *f, int id)
{
    struct sat_process *p = &f->all[id];
    int listed = f->claimed[id] - 1;
    if (p->server < 0)
        p->server = listed;
    if (p->server < 0)
        wrong(f, "client %d has no server", id);
    else if (f->all[p->server].role)
        wrong(f, "client %d has server %d, which has role %d: expected 0", id, p->server,
              f->all[p->server].role);
    else if (listed >= 0 && listed != p->server)
        wrong(f, "client %d has server %d, and is listed by server %d", id, p->server, listed);
}

static void check_process(struct file *f, int id)
{
    f->checked = f->line[id];
    if (!f->all[id].named)
        wrong(f, "process %d of %d has no topology element", id, f->np);
    else if (f->all[id].role)
        check_client(f, id);
    else if (f->claimed[id])
        wrong(f, "process %d is a server, and listed as a client of server %d", id, f->claimed[id] - 1);
}

static void load_expat(struct expat *x, const char *path)
{
    void *library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        sat_fail(SAT_STATUS_INPUT, path, "reading it needs libexpat.so.1 (Debian: libexpat1): %s", dlerror());
#define LOAD(member, name) x->member = (__typeof__(x->member))dlsym(library, name)
    LOAD(create, "XML_ParserCreate");
    LOAD(data, "XML_SetUserData");
    LOAD(elements, "XML_SetElementHandler");
    LOAD(text, "XML_SetCharacterDataHandler");
    LOAD(parse, "XML_Parse");
    LOAD(error, "XML_GetErrorCode");
    LOAD(says, "XML_ErrorString");
    LOAD(line, "XML_GetCurrentLineNumber");
    LOAD(stop, "XML_StopParser");
    LOAD(release, "XML_ParserFree");
#undef LOAD
}

/* 0, or why the file can't be read. */
static int parse(struct file *f, FILE *in)
{
    char buffer[8192];
    for (size_t n = 1; n && !f->failed;) {
        n = fread(buffer, 1, sizeof buffer, in);
        if (ferror(in))
            return errno;
        if (f->x->parse(f->parser, buffer, (int)n, n == 0) != XML_STATUS_OK && !f->failed)
            wrong(f, "%s", f->x->says(f->x->error(f->parser)));
    }
    return 0;
}

static void read_all(struct file *f, FILE *in)
{
    f->line = sat_alloc((size_t)f->np * sizeof *f->line);
    f->claimed = sat_alloc((size_t)f->np * sizeof *f->claimed);
    f->parser = f->x->create(NULL);
    if (!f->parser)
        sat_fail(1, f->path, "no memory for a parser");
    f->x->data(f->parser, f);
    f->x->elements(f->parser, on_open, on_close);
    f->x->text(f->parser, on_text);
    int error = parse(f, in);
    f->x->release(f->parser);
    f->parser = NULL;
    if (error)
        wrong(f, "cannot read the topology: %s", strerror(error));
    for (int id = 0; id < f->np && !f->failed; id++)
        check_process(f, id);
    free(f->line);
    free(f->claimed);
    free(f->text);
}

void sat_topology_read_file(const char *path, struct sat_process *all, int np)
{
    struct expat x;
    FILE *in = fopen(path, "re");
    if (!in)
        sat_fail(SAT_STATUS_INPUT, path, "cannot read the topology: %s", strerror(errno));
    load_expat(&x, path);
    struct file f = {.x = &x, .path = path, .all = all, .np = np};
    read_all(&f, in);
    fclose(in);
    if (!f.failed)
        return;
    char place[512];
    snprintf(place, sizeof place, f.wrong_line ? "%s:%lu" : "%s", path, f.wrong_line);
    sat_fail(SAT_STATUS_INPUT, place, "%s", f.wrong);
}
