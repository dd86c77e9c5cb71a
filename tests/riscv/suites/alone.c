/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone: runs an executable on one core and nothing else of pgasim, for tests of the core. Two kinds of
 * programs: those with a word `tohost` as riscv-tests has them (an odd number: the end; else the address of
 * a request, of which "write" is served), and others, which may call Linux's write (64) and exit (93).
 *
 *     riscv_alone [--count] [-n INSTRUCTIONS] PROGRAM       --count: prints the instructions
 */
#include "riscv/core/core.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 32 << 20, STEP = 512, ALL = RISCV_READ | RISCV_WRITE | RISCV_EXECUTE };

struct machine {
    struct riscv_core core;
    uint64_t tohost, fromhost;
    int status;
};

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "%s: %s\n", path, what);
    exit(2);
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

/* Each segment is a span; the last one is as large as memory is, for stacks and what else comes behind. */
static void load(struct machine *m, const char *path)
{
    size_t size;
    unsigned char *file = read_all(path, &size);
    const Elf64_Ehdr *h = (const void *)file;
    if (size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_machine != EM_RISCV)
        fail("is no ELF file for RISC-V", path);
    m->core.pc = h->e_entry;
    const Elf64_Phdr *p = (const void *)(file + h->e_phoff);
    unsigned last = 0;
    for (unsigned i = 0; i < h->e_phnum; i++)
        if (p[i].p_type == PT_LOAD)
            last = i;
    for (unsigned i = 0; i < h->e_phnum; i++) {
        if (p[i].p_type != PT_LOAD)
            continue;
        uint64_t room = i == last ? MEMORY : p[i].p_memsz;
        struct riscv_span s = {p[i].p_paddr, room, calloc(1, room), ALL};
        if (p[i].p_memsz > room || !s.host || !riscv_core_span(&m->core, s))
            fail("has segments that are too many or too large", path);
        memcpy(s.host, file + p[i].p_offset, p[i].p_filesz);
    }
    const Elf64_Shdr *s = (const void *)(file + h->e_shoff);
    for (unsigned i = 0; i < h->e_shnum; i++)
        if (s[i].sh_type == SHT_SYMTAB)
            find_symbols(m, file, &s[i], s);
    free(file);
}

static bool print(struct machine *m, uint64_t address, uint64_t size)
{
    const void *bytes = riscv_core_bytes(&m->core, address, size, RISCV_READ);
    return bytes && fwrite(bytes, 1, size, stdout) == size;
}

/* Serves what is asked for in `tohost`. */
static void serve(struct machine *m)
{
    uint64_t *to = riscv_core_bytes(&m->core, m->tohost, 8, RISCV_WRITE);
    uint64_t *from = riscv_core_bytes(&m->core, m->fromhost, 8, RISCV_WRITE);
    if (!to || *to == 0)
        return;
    if (*to & 1) {
        m->status = (int)(*to >> 1);
        m->core.ended = true;
        return;
    }
    const uint64_t *request = riscv_core_bytes(&m->core, *to, 32, RISCV_READ);
    if (request && request[0] == 64)
        print(m, request[2], request[3]);
    *to = 0;
    if (from)
        *from = 1;
}

static bool ecall(struct riscv_core *c)
{
    struct machine *m = c->owner;
    if (m->tohost)
        return false;
    if (c->x[17] == 93) {
        m->status = (int)c->x[10];
        c->ended = true;
        return true;
    }
    c->x[10] = c->x[17] == 64 && print(m, c->x[11], c->x[12]) ? c->x[12] : (uint64_t)-38;
    return true;
}

/* An exception of a program that handles none. */
static bool trap(struct riscv_core *c, enum riscv_cause cause, uint64_t value)
{
    (void)cause;
    (void)value;
    return c->csr.mtvec != 0;
}

static uint64_t ticks(struct riscv_core *c)
{
    return c->instret;
}

static int run(struct machine *m, uint64_t most, const char *path)
{
    enum riscv_end end = RISCV_BUDGET;
    uint64_t left = most;
    while (!m->core.ended && left > 0 && (end == RISCV_BUDGET || end == RISCV_WAITS)) {
        uint64_t step = left < STEP ? left : STEP;
        end = riscv_core_run(&m->core, step);
        left -= step;
        serve(m);
    }
    fflush(stdout);
    if (m->core.ended && m->status == 0)
        return 0;
    if (m->core.ended)
        fprintf(stderr, "%s: status %d\n", path, m->status);
    else if (end == RISCV_TRAPPED)
        fprintf(stderr, "%s: pc 0x%" PRIx64 ": %s, value 0x%" PRIx64 "\n", path, m->core.pc,
                riscv_cause_text(m->core.cause), m->core.value);
    else
        fprintf(stderr, "%s: has not ended after %" PRIu64 " instructions, pc 0x%" PRIx64 "\n", path, most,
                m->core.pc);
    return 1;
}

int main(int argc, char **argv)
{
    static const struct riscv_port port = {.ecall = ecall, .trap = trap, .time = ticks};
    uint64_t most = 10000000000;
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
        fail("usage: riscv_alone [--count] [-n INSTRUCTIONS] PROGRAM", argv[0]);
    static struct machine m;
    struct riscv_code *code = riscv_code_create();
    if (!code)
        fail("there is no memory", argv[i]);
    riscv_core_init(&m.core, code, 0);
    riscv_code_drop(code);
    m.core.port = &port;
    m.core.owner = &m;
    m.core.csr.mstatus |= 3 << 13; /* floating point may be used */
    load(&m, argv[i]);
    int status = run(&m, most, argv[i]);
    if (count)
        printf("%" PRIu64 "\n", m.core.instret);
    for (uint32_t k = 0; k < m.core.spans; k++)
        free(m.core.span[k].host);
    riscv_core_close(&m.core);
    return status;
}
