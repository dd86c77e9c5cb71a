/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places in the program's code, for reports: which object, function, source line. A place is an object and an
 * offset, so that it is the same at all ranks and in all ways of private globals. base/source_line.c finds source
 * lines.
 */
#include <execinfo.h>
#include <pthread.h>
#include <string.h>

#include "base/table.h"
#include "fold/internal.h"
#include "fold/where/where.h"

/* `low`: the address is the lower half of one. */
static struct rank_code code_in(const struct fold_program *p, const struct fold_image *image,
                                uintptr_t address, bool low)
{
    const struct objects *o = &p->images.objects;
    for (size_t k = 0; k < o->list.n; k++) {
        uintptr_t offset = address - image->loaded[k].base;
        if (low)
            offset = (uint32_t)offset;
        if (offset < o->list.at[k]->elf.image_size && offset <= UINT32_MAX)
            return (struct rank_code){p->objects_before + (uint32_t)k + 1, (uint32_t)offset};
    }
    return (struct rank_code){0, 0};
}

struct rank_code fold_code_of(const struct rank *r, const void *address)
{
    return code_in(fold_part(r)->start->program, fold_part(r)->image, (uintptr_t)address, false);
}

static struct rank_code code_of_low(const struct rank *r, uint32_t address)
{
    if (!address)
        return (struct rank_code){0, 0};
    return code_in(fold_part(r)->start->program, fold_part(r)->image, address, true);
}

struct rank_code fold_code_of_any(const struct rank_job *ranks, const void *address)
{
    const struct fold_job *job = fold_of_job(ranks);
    struct rank_code c = {0, 0};
    if (!job) /* none of its ranks is a native program */
        return c;
    for (const struct fold_program *p = job->program; p < job->program + job->programs; p++)
        for (uint32_t k = 0; k < (p->images.way == FOLD_DLOPEN ? p->ranks : 1) && !c.object; k++)
            c = code_in(p, &p->images.image[k], (uintptr_t)address, false);
    return c;
}

/* The object that a place names. */
static const struct object_file *object_of(const struct fold_job *job, struct rank_code c)
{
    const struct fold_program *p = job->program + job->programs - 1;
    while (c.object <= p->objects_before)
        p--;
    return p->images.objects.list.at[c.object - p->objects_before - 1];
}

/* --- the caller ---------------------------------------------------------------------------------- */

/* The C library loads the unwinder at its first use, for which a rank's stack may be too small. */
static void *load_unwinder(void *unused)
{
    void *frame[1];
    backtrace(frame, 1);
    return unused;
}

static struct rank_code code_caller(const struct rank *r)
{
    static bool loaded;
    void *frame[48];
    pthread_t thread;
    if (!loaded && (pthread_create(&thread, NULL, load_unwinder, NULL) || pthread_join(thread, NULL)))
        return (struct rank_code){0, 0};
    loaded = true;
    int n = backtrace(frame, (int)BASE_LENGTH(frame));
    for (int k = 0; k < n; k++) {
        struct rank_code c = fold_code_of(r, frame[k]);
        if (c.object)
            return c;
    }
    return (struct rank_code){0, 0};
}

/* --- names ---------------------------------------------------------------------------------------- */

/* The place is a return address, which may already belong to the next line or function. */
static uint64_t within_call(struct rank_code c)
{
    return c.offset ? c.offset - 1 : 0;
}

static void find_source(const struct rank *r, struct rank_code c, struct rank_source *out)
{
    const struct object_file *f = object_of(fold_of(r), c);
    const char *function = elf_function_at(&f->elf, within_call(c));
    out->object = f->path;
    out->offset = c.offset;
    out->line = source_file_find(f->path, within_call(c), out->file, sizeof out->file);
    if (function) /* up to a dot: "f.part.0" is the compiler's name for a part of f */
        snprintf(out->function, sizeof out->function, "%.*s", (int)strcspn(function, "."), function);
}

/* A program that makes the same mistake again and again is asked about the same place. */
static void code_source(const struct rank *r, struct rank_code c, struct rank_source *out)
{
    struct fold_known *known =
        &fold_of(r)->known[base_hash((uint64_t)c.object << 32 | c.offset) % FOLD_KNOWN];
    if (!c.object)
        return;
    if (known->code.object == c.object && known->code.offset == c.offset) {
        *out = known->source;
        return;
    }
    find_source(r, c, out);
    if (!rank_ahead) /* no other thread is here */
        *known = (struct fold_known){c, *out};
}

/* "mesh.c:41": where a static object is declared. */
static bool declaration(const struct objects *o, const struct rank_object *object, char *buf, size_t size)
{
    uint32_t first = 0;
    for (size_t i = o->list.n; i-- > 0;) { /* spans are numbered from the program's */
        const struct object_file *f = o->list.at[i];
        if (object->span - first < f->spans.n)
            return source_variable_find(f->path, f->spans.at[object->span - first].address + object->offset,
                                        buf, size);
        first += (uint32_t)f->spans.n;
    }
    return false;
}

static bool static_name(const struct rank *r, uintptr_t address, char *buf, size_t size)
{
    struct rank_object o;
    char line[SOURCE_LINE_SIZE], offset[32] = "";
    for (uint32_t k = 0; k < fold_images(r)->n_spans; k++) {
        struct rank_span s = fold_span_of(r, k);
        if (address - s.base >= s.size || !fold_object_find(r, k, address - s.base, &o))
            continue;
        size_t within = address - s.base - o.offset;
        if (within)
            snprintf(offset, sizeof offset, "+%zu", within);
        if (declaration(&fold_images(r)->objects, &o, line, sizeof line))
            snprintf(buf, size, "%s%s (%zu bytes, %s)", o.name, offset, o.size, line);
        else
            snprintf(buf, size, "%s%s (%zu bytes)", o.name, offset, o.size);
        return true;
    }
    return false;
}

static void name_unseen(const struct elf_file *f, char *buf, size_t size)
{
    enum { SOME = 4 };
    const char *name[SOME];
    size_t n = elf_sources_unseen(f, name, SOME), used = 0;
    buf[0] = 0;
    for (size_t k = 0; k < n && k < SOME && used < size; k++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", k ? ", " : "", name[k]);
    if (n > SOME && used < size)
        snprintf(buf + used, size - used, " and %zu more", n - SOME);
}

static bool module_of(const struct rank *r, uint32_t k, struct rank_module *out)
{
    const struct objects *o = &fold_images(r)->objects;
    if (k >= o->list.n)
        return false;
    const struct object_file *f = o->list.at[o->list.n - 1 - k];
    *out = (struct rank_module){
        .path = f->path, .instrumented = elf_instrumented(&f->elf), .functions = elf_functions(&f->elf)};
    name_unseen(&f->elf, out->unseen, sizeof out->unseen);
    return true;
}

const struct rank_names fold_names_table = {fold_span_count, fold_span_of, fold_object_find,
                                            static_name,     fold_code_of, code_of_low,
                                            code_caller,     code_source,  module_of};
