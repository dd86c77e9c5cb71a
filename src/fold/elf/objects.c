/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the application's objects: the program and the shared libraries that it needs, directly or not,
 * except the system's. libraries.c finds them. A library that is not found counts as the system's, and is
 * left to the dynamic linker.
 */
#include "fold/elf/elf.h"

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crt/program.h"

#if defined(__x86_64__)
#define RELOC_COPY R_X86_64_COPY
#elif defined(__aarch64__)
#define RELOC_COPY R_AARCH64_COPY
#endif

/* --- one object ---------------------------------------------------------------------------------- */

int objects_check_loadable(const struct object_file *f, struct base_status *st)
{
    uint64_t unused;
    if (elf_dynamic_find(&f->elf, DT_TEXTREL, &unused))
        return base_fail(st, "%s: has text relocations; compile all of it with pgasim cc (or -fPIC)",
                         f->path);
    for (uint32_t i = 0; i < f->elf.n_relocations; i++) {
        const Elf64_Rela *r = &f->elf.relocation[i];
        const Elf64_Sym *s = elf_relocation_symbol(&f->elf, r);
        if (ELF64_R_TYPE(r->r_info) == RELOC_COPY)
            return base_fail(
                st,
                "%s: reaches the library variable '%s' directly (a copy relocation); compile all of it "
                "with pgasim cc (or -fPIC)",
                f->path, s ? elf_string(&f->elf, s->st_name) : "?");
    }
    return elf_check_sound(&f->elf, f->path, st);
}

static void collect_spans(struct object_file *f)
{
    for (uint32_t i = 0; i < f->elf.n_segments; i++) {
        const Elf64_Phdr *p = &f->elf.segment[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_W) && p->p_memsz)
            BASE_ARRAY_PUSH(&f->spans, ((struct object_span){p->p_vaddr, p->p_memsz}));
    }
}

/* `any`: it need not be loadable. */
static int open_object(struct object_file **out, const char *path, bool any, struct base_status *st)
{
    struct object_file *f = base_zalloc(sizeof *f, "program object");
    if ((any ? elf_open_any : elf_open)(&f->elf, path, st)) {
        free(f);
        return -1;
    }
    f->path = realpath(path, NULL);
    f->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (!f->path || f->fd < 0) {
        base_open_failed(path);
        base_fail(st, "%s: %s", path, strerror(errno));
        if (f->fd >= 0)
            close(f->fd);
        elf_close(&f->elf);
        free(f->path);
        free(f);
        return -1;
    }
    collect_spans(f);
    *out = f;
    return 0;
}

static void close_object(struct object_file *f)
{
    elf_close(&f->elf);
    close(f->fd);
    for (size_t i = 0; i < f->aliases.n; i++)
        free(f->aliases.at[i]);
    free(f->aliases.at);
    free(f->slots.at);
    free(f->spans.at);
    free(f->head);
    free(f->tail);
    free(f->names.at);
    free(f->path);
    free(f);
}

int objects_place(const struct objects *o, const char *path)
{
    for (size_t i = 0; i < o->list.n; i++)
        if (strcmp(o->list.at[i]->path, path) == 0)
            return (int)i;
    return -1;
}

static void add_alias(const struct objects *o, struct object_file *f, const char *name)
{
    if (objects_needed(o, name) < 0) {
        char *copy = base_strdup(name);
        BASE_ARRAY_PUSH(&f->aliases, copy);
    }
}

/* How libraries are looked for. */
struct search {
    const char *library_path;
    bool any; /* as objects_look does */
};

/* Depth first: an object's libraries are listed before it. A cycle is cut where it closes, as by ld.so. */
static int add_needed(struct objects *o, struct object_file *user, const struct search *how, unsigned depth,
                      struct base_status *st)
{
    const char *name;
    if (depth > 64)
        return base_fail(st, "%s: more than 64 libraries need each other in a chain", user->path);
    for (uint32_t i = 0; (name = elf_needed(&user->elf, i)); i++) {
        bool skip = objects_simulator(name) || (how->any && objects_foreign(name));
        char *path = skip ? NULL : objects_find_library(user, name, how->library_path);
        struct object_file *lib = NULL;
        int failed = 0;
        int place = path ? objects_place(o, path) : -1;
        if (place >= 0) {
            add_alias(o, o->list.at[place], name);
        } else if (path && !objects_system_directory(path)) {
            failed = open_object(&lib, path, how->any, st);
            if (!failed) {
                failed = add_needed(o, lib, how, depth + 1, st);
                add_alias(o, lib, name);
                BASE_ARRAY_PUSH(&o->list, lib);
            }
        }
        free(path);
        if (failed)
            return -1;
    }
    return 0;
}

/* The libraries in LD_PRELOAD that are private to each rank; a tool's libraries are listed before it. */
static int add_tools(struct objects *o, const struct object_file *program, const char *library_path,
                     struct base_status *st)
{
    const char *list = getenv("LD_PRELOAD");
    char *path;
    int failed = 0;
    while (!failed && (path = preload_next_tool(&list, program, library_path))) {
        struct object_file *tool = NULL;
        int place = objects_place(o, path);
        if (place >= 0) {
            o->list.at[place]->preloaded = true;
        } else if (!(failed = open_object(&tool, path, false, st))) {
            tool->preloaded = true;
            failed = add_needed(o, tool, &(struct search){library_path, false}, 0, st);
            BASE_ARRAY_PUSH(&o->list, tool);
        }
        free(path);
    }
    return failed;
}

/* --- all of them --------------------------------------------------------------------------------- */

bool objects_built_for_us(const struct object_file *program)
{
    const char *name;
    uint64_t address;
    for (uint32_t i = 0; (name = elf_needed(&program->elf, i)); i++)
        if (objects_simulator(name) && elf_symbol_find(&program->elf, PGASIM_PROGRAM_SYMBOL, &address) &&
            elf_at(&program->elf, address, sizeof(struct pgasim_program)))
            return true;
    return false;
}

static int check_built_for_us(const struct object_file *program, struct base_status *st)
{
    if (objects_built_for_us(program))
        return 0;
    const char *other = objects_other_mpi(program);
    if (other)
        return base_fail(st,
                         "%s: linked with another MPI (%s), and a finished program cannot change it; link it "
                         "again with pgasim's mpicc, for example `pgasim env make`",
                         program->path, other);
    return base_fail(
        st,
        "%s: not built for pgasim; build it with `pgasim cc` (or its wrappers oshcc and mpicc), for example "
        "`pgasim env make CC=oshcc`",
        program->path);
}

/* Says what is wrong with the file in the user's terms before reading it as an ELF object. */
static int check_readable(const char *program, struct base_status *st)
{
    if (access(program, F_OK) != 0)
        return base_fail(st, "%s: no such program", program);
    if (access(program, R_OK) != 0)
        return base_fail(st, "%s: not readable: %s", program, strerror(errno));
    return 0;
}

static int open_program(struct object_file **out, const char *program, struct base_status *st)
{
    struct base_status detail;
    if (check_readable(program, st))
        return -1;
    if (open_object(out, program, false, &detail))
        return base_fail(st, "%s (a program for pgasim is built with `pgasim cc` or its wrapper oshcc)",
                         detail.text);
    return check_built_for_us(*out, st);
}

int objects_open(struct objects *o, const char *program, const char *library_path, struct base_status *st)
{
    struct object_file *f = NULL;
    *o = (struct objects){0};
    int failed = open_program(&f, program, st);
    if (!failed)
        failed = add_needed(o, f, &(struct search){library_path, false}, 0, st) ||
                 add_tools(o, f, library_path, st);
    if (f)
        BASE_ARRAY_PUSH(&o->list, f);
    for (size_t i = 0; i < o->list.n && !failed; i++)
        failed = objects_check_loadable(o->list.at[i], st);
    if (!failed) {
        references_collect(o, 0, (uint32_t)(o->list.n - 1));
        failed = objects_patch(o, 0, st);
    }
    if (failed)
        objects_close(o);
    return failed;
}

int objects_look(struct objects *o, const char *program, const char *library_path, struct base_status *st)
{
    struct object_file *f = NULL;
    *o = (struct objects){0};
    int failed = check_readable(program, st);
    if (!failed)
        failed = open_object(&f, program, true, st);
    if (!failed)
        failed = add_needed(o, f, &(struct search){library_path, true}, 0, st);
    if (f)
        BASE_ARRAY_PUSH(&o->list, f);
    if (failed)
        objects_close(o);
    return failed;
}

void objects_close(struct objects *o)
{
    for (size_t i = o->borrowed; i < o->list.n; i++)
        close_object(o->list.at[i]);
    free(o->list.at);
    *o = (struct objects){0};
}

void objects_borrow(struct objects *o, const struct objects *program)
{
    *o = (struct objects){.borrowed = program->list.n};
    for (size_t i = 0; i < program->list.n; i++)
        BASE_ARRAY_PUSH(&o->list, program->list.at[i]);
}

int objects_add_module(struct objects *o, const char *path, const char *library_path, struct base_status *st)
{
    struct object_file *f = NULL;
    size_t first = o->list.n;
    if (open_object(&f, path, false, st))
        return -1;
    int failed = add_needed(o, f, &(struct search){library_path, false}, 0, st);
    BASE_ARRAY_PUSH(&o->list, f);
    for (size_t i = first; i < o->list.n && !failed; i++)
        failed = objects_check_loadable(o->list.at[i], st);
    if (!failed) {
        references_collect(o, first, (uint32_t)(o->list.n - 1));
        failed = objects_patch(o, first, st);
    }
    while (failed && o->list.n > first)
        close_object(o->list.at[--o->list.n]);
    return failed;
}

int objects_needed(const struct objects *o, const char *name)
{
    for (size_t i = 0; i < o->list.n; i++)
        for (size_t k = 0; k < o->list.at[i]->aliases.n; k++)
            if (strcmp(o->list.at[i]->aliases.at[k], name) == 0)
                return (int)i;
    return -1;
}

uint64_t objects_data_size(const struct objects *o)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < o->list.n; i++) {
        const struct object_file *f = o->list.at[i];
        sum += f->elf.tls_size;
        for (size_t k = 0; k < f->spans.n; k++)
            sum += f->spans.at[k].size;
    }
    return sum;
}
