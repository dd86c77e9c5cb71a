/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * address: what an address belongs to, in words, for the report of a crash. Asks who knows most first: the
 * stacks, the modules' memory, the ranks' globals, at last the system. Allocates nothing.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/internal.h"
#include "fold/where/where.h"

enum { NEAR = 64 << 10, NAME = 400 };

/* --- stacks ----------------------------------------------------------------------------------------- */

static bool of_stack(const struct rank *r, uintptr_t address, char *buf, size_t size)
{
    bool guard = false;
    const struct engine_actor *a = engine_stack_owner(r->engine, (const void *)address, &guard);
    const struct rank *owner = a ? engine_actor_owner(a) : NULL;
    if (!owner)
        return false;
    if (owner == r)
        snprintf(buf, size, guard ? "in the guard below the rank's own stack" : "the rank's own stack");
    else
        snprintf(buf, size, guard ? "in the guard below rank %u's stack" : "rank %u's stack", owner->id);
    return true;
}

/* --- the program's objects -------------------------------------------------------------------------- */

static const char *kind_of_segment(const struct elf_file *f, uint64_t offset)
{
    for (uint32_t k = 0; k < f->n_segments; k++) {
        const Elf64_Phdr *p = &f->segment[k];
        if (p->p_type == PT_LOAD && offset - p->p_vaddr < p->p_memsz)
            return p->p_flags & PF_W ? "data" : "read-only data";
    }
    return "no data";
}

struct constant {
    uint64_t at;
    const char *name;
    uint64_t offset, size;
};

static void find_constant(void *arg, const char *name, uint64_t address, uint64_t size)
{
    struct constant *c = arg;
    if (c->at - address < size) {
        c->name = name;
        c->offset = c->at - address;
        c->size = size;
    }
}

/* "function solve", "read-only table+8 (80 bytes)", "read-only data of heat" */
static void name_read_only(const struct object_file *f, uint64_t offset, char *buf, size_t size)
{
    const char *function = elf_function_at(&f->elf, offset);
    struct constant c = {.at = offset};
    elf_objects_each(&f->elf, find_constant, &c);
    if (function)
        snprintf(buf, size, "function %s", function);
    else if (c.name && c.offset)
        snprintf(buf, size, "read-only %s+%llu (%llu bytes)", c.name, (unsigned long long)c.offset,
                 (unsigned long long)c.size);
    else if (c.name)
        snprintf(buf, size, "read-only %s (%llu bytes)", c.name, (unsigned long long)c.size);
    else
        snprintf(buf, size, "%s of %s", kind_of_segment(&f->elf, offset), strrchr(f->path, '/') + 1);
}

/* "rank 3's copy of grid+16 (800 bytes, mesh.c:12)" */
static bool of_copy(const struct rank *r, const struct rank *owner, uintptr_t address, char *buf, size_t size)
{
    struct module_view v = modules_view(owner);
    char copy[40] = "";
    for (size_t k = 0; k < v.n; k++) {
        const struct object_file *f = v.objects->list.at[k];
        uint64_t offset = address - v.at[k].base;
        if (!v.at[k].handle || offset >= f->elf.image_size)
            continue;
        if (owner != r)
            snprintf(copy, sizeof copy, "rank %u's copy of ", owner->id);
        int n = snprintf(buf, size, "%s", copy);
        if (!rank_static_name(owner, address, buf + n, size - (size_t)n))
            name_read_only(f, offset, buf + n, size - (size_t)n);
        return true;
    }
    return false;
}

static bool of_program(const struct rank *r, uintptr_t address, char *buf, size_t size)
{
    const struct fold_job *job = fold_of(r);
    if (of_copy(r, r, address, buf, size))
        return true;
    for (uint32_t k = 0; k < job->ranks; k++) {
        const struct rank *owner = fold_rank_at(job, k);
        if (fold_images(owner)->way == FOLD_DLOPEN && of_copy(r, owner, address, buf, size))
            return true;
    }
    return false;
}

/* --- the system's mappings -------------------------------------------------------------------------- */

/* One line of /proc/self/maps (proc(5)). */
static bool line_has(const char *line, uintptr_t address, char *buf, size_t size)
{
    char *end;
    uintptr_t from = strtoull(line, &end, 16), to = *end == '-' ? strtoull(end + 1, &end, 16) : 0;
    if (address < from || address >= to || *end != ' ')
        return false;
    const char *slash = strrchr(end, '/'), *name = slash ? slash + 1 : strchr(end, '[');
    const char *kind = end[2] == 'w'   ? "memory"
                       : end[1] == 'r' ? "read-only memory"
                                       : "memory without access";
    snprintf(buf, size, "%s%s%.100s", kind, name ? " of " : "", name ? name : "");
    return true;
}

static void of_process(uintptr_t address, char *buf, size_t size)
{
    static char text[1 << 16];
    size_t held = 0;
    ssize_t got;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    snprintf(buf, size, "not mapped");
    while ((got = read(fd, text + held, sizeof text - 1 - held)) > 0) {
        char *line = text, *next;
        held += (size_t)got;
        text[held] = 0;
        for (; (next = strchr(line, '\n')); line = next + 1) {
            *next = 0;
            if (line_has(line, address, buf, size)) {
                close(fd);
                return;
            }
        }
        held = (size_t)(text + held - line);
        memmove(text, line, held);
    }
    close(fd);
}

void where_address(struct rank *r, uintptr_t address, char *buf, size_t size)
{
    buf[0] = 0;
    if (address < NEAR || address >= -(uintptr_t)NEAR)
        snprintf(buf, size, "near NULL");
    else if (!of_stack(r, address, buf, size) && !rank_address_explain(r, address, buf, size) &&
             !of_program(r, address, buf, size))
        of_process(address, buf, size);
}
