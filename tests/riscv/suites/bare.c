/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bare: runs a program of riscv-tests on one core, alone, until it writes to its word `tohost` (an odd number: the
 * end; else the address of a request, of which "write" is served). Says nothing when the program passes.
 *
 *     bare [--count] [-n INSTRUCTIONS] PROGRAM       --count: prints the instructions
 */
#include "riscv/core/core.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAM = 0x80000000u, SIZE = 32 << 20, STEP = 512 };

struct machine {
    unsigned char *ram;
    uint64_t entry, tohost, fromhost;
};

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "%s: %s\n", path, what);
    exit(2);
}

static uint64_t *word_at(struct machine *m, uint64_t address)
{
    if (address < RAM || address - RAM > SIZE - 8 || address % 8)
        return NULL;
    return (uint64_t *)(void *)(m->ram + (address - RAM));
}

static unsigned char *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        fail("cannot be read", path);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, f) != *size)
        fail("cannot be read", path);
    fclose(f);
    return bytes;
}

static void find_symbols(struct machine *m, const unsigned char *file, const Elf64_Shdr *s,
                         const Elf64_Shdr *all)
{
    const char *names = (const char *)file + all[s->sh_link].sh_offset;
    for (uint64_t at = 0; at < s->sh_size; at += sizeof(Elf64_Sym)) {
        const Elf64_Sym *y = (const void *)(file + s->sh_offset + at);
        if (strcmp(names + y->st_name, "tohost") == 0)
            m->tohost = y->st_value;
        if (strcmp(names + y->st_name, "fromhost") == 0)
            m->fromhost = y->st_value;
    }
}

static void load(struct machine *m, const char *path)
{
    size_t size;
    unsigned char *file = read_all(path, &size);
    const Elf64_Ehdr *h = (const void *)file;
    if (size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_machine != EM_RISCV)
        fail("is no ELF file for RISC-V", path);
    m->entry = h->e_entry;
    const Elf64_Phdr *p = (const void *)(file + h->e_phoff);
    for (unsigned i = 0; i < h->e_phnum; i++) {
        if (p[i].p_type != PT_LOAD)
            continue;
        if (p[i].p_paddr < RAM || p[i].p_paddr - RAM + p[i].p_memsz > SIZE)
            fail("does not lie in 32 MiB from 0x80000000", path);
        memcpy(m->ram + (p[i].p_paddr - RAM), file + p[i].p_offset, p[i].p_filesz);
    }
    const Elf64_Shdr *s = (const void *)(file + h->e_shoff);
    for (unsigned i = 0; i < h->e_shnum; i++)
        if (s[i].sh_type == SHT_SYMTAB)
            find_symbols(m, file, &s[i], s);
    if (!word_at(m, m->tohost))
        fail("has no word `tohost`", path);
    free(file);
}

/* Serves what the program asks for. false: it has ended, with *status. */
static bool serve(struct machine *m, int *status)
{
    uint64_t *to = word_at(m, m->tohost), *from = word_at(m, m->fromhost);
    if (*to == 0)
        return true;
    if (*to & 1) {
        *status = (int)(*to >> 1);
        return false;
    }
    const uint64_t *request = word_at(m, *to);
    if (request && request[0] == 64 && word_at(m, request[2] & ~UINT64_C(7))) {
        size_t room = SIZE - (size_t)(request[2] - RAM);
        fwrite(m->ram + (request[2] - RAM), 1, request[3] < room ? (size_t)request[3] : room, stdout);
    }
    *to = 0;
    if (from)
        *from = 1;
    return true;
}

static uint64_t ticks(struct riscv_core *c)
{
    return c->instret;
}

static int run(struct machine *m, uint64_t most, bool count, const char *path)
{
    static const struct riscv_port port = {.time = ticks};
    struct riscv_core *c = calloc(1, sizeof *c);
    struct riscv_code *code = riscv_code_create();
    if (!c || !code)
        fail("there is no memory", path);
    riscv_core_init(c, code, m->entry);
    riscv_code_drop(code);
    c->port = &port;
    riscv_core_span(c, (struct riscv_span){RAM, SIZE, m->ram, RISCV_READ | RISCV_WRITE | RISCV_EXECUTE});
    int status = -1;
    bool on = true;
    while (on && c->instret < most) {
        enum riscv_end end = riscv_core_run(c, STEP);
        if (end != RISCV_BUDGET && end != RISCV_WAITS) {
            fprintf(stderr, "%s: riscv_core_run returned %d at pc 0x%" PRIx64 "\n", path, (int)end, c->pc);
            break;
        }
        on = serve(m, &status);
    }
    if (on)
        fprintf(stderr, "%s: has not ended after %" PRIu64 " instructions, pc 0x%" PRIx64 "\n", path,
                c->instret, c->pc);
    else if (status)
        fprintf(stderr, "%s: status %d\n", path, status);
    if (count)
        printf("%" PRIu64 "\n", c->instret);
    riscv_core_close(c);
    free(c);
    return status ? 1 : 0;
}

int main(int argc, char **argv)
{
    uint64_t most = 1000000000;
    bool count = false;
    int i = 1;
    for (; i < argc - 1; i++) {
        if (strcmp(argv[i], "--count") == 0)
            count = true;
        else if (strcmp(argv[i], "-n") == 0)
            most = strtoull(argv[++i], NULL, 0);
        else
            break;
    }
    if (i != argc - 1)
        fail("usage: bare [--count] [-n INSTRUCTIONS] PROGRAM", argv[0]);
    struct machine m = {.ram = calloc(1, SIZE)};
    if (!m.ram)
        fail("there is no memory", argv[i]);
    load(&m, argv[i]);
    int status = run(&m, most, count, argv[i]);
    free(m.ram);
    return status;
}
