/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as an ELF object: an error or tables that can be walked, never an access outside of them. */
#include <stdlib.h>
#include <string.h>

#include "fold/elf/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void touch_object(void *sum, const char *name, uint64_t address, uint64_t size)
{
    *(uint64_t *)sum += strlen(name) + address + size;
}

static void touch_reference(void *sum, const char *name, bool weak)
{
    *(uint64_t *)sum += strlen(name) + weak;
}

static uint64_t walk(const struct elf_file *f)
{
    uint64_t sum = 0, address;
    const char *name;
    for (uint32_t i = 0; (name = elf_needed(f, i)); i++)
        sum += strlen(name);
    for (uint32_t i = 0; i < f->n_relocations + f->n_plt_relocations; i++) {
        const Elf64_Rela *r = elf_relocation_at(f, i);
        const Elf64_Sym *s = elf_relocation_symbol(f, r);
        sum += s ? strlen(elf_string(f, s->st_name)) : r->r_offset;
    }
    sum += elf_symbol_find(f, "pgasim_program", &address) && elf_at(f, address, 16) ? address : 0;
    sum += elf_definition(f, "main") != NULL;
    sum += elf_static_tls(f);
    struct elf_frames frames;
    sum += elf_frames_read(f, &frames) ? frames.largest : 0;
    elf_references_each(f, touch_reference, &sum);
    elf_objects_each(f, touch_object, &sum);
    const char *unseen[2] = {"", ""};
    sum += elf_sources_unseen(f, unseen, 2) + strlen(unseen[0]) + strlen(unseen[1]);
    sum += elf_functions(f) + elf_instrumented(f);
    name = elf_function_at(f, f->init);
    sum += name ? strlen(name) : 0;
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct elf_file f;
    struct base_status st;
    void *copy = malloc(size ? size : 1); /* aligned, and exactly as long as it says */
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    if (elf_read_any(&f, copy, size, "input", &st) == 0)
        __asm__ volatile("" : : "r"(walk(&f))); /* the walk must not be optimized away */
    free(copy);
    return 0;
}
