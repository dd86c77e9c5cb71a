/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack: what Linux puts on a program's stack: argument count, arguments, environment, the auxiliary vector
 * (getauxval(3)), and their strings above.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "riscv/program/internal.h"

struct stack {
    struct riscv_process *x;
    uint64_t at; /* of the lowest byte used; 0: there was no room */
};

static uint64_t push(struct stack *s, const void *bytes, uint64_t size, uint64_t align)
{
    const struct riscv_program *p = s->x->program;
    uint64_t at = s->at - size;
    if (!s->at || size > s->at - p->stack || at - p->stack < 65536) {
        s->at = 0;
        return 0;
    }
    s->at = at / align * align;
    void *to = riscv_memory_at(s->x, s->at, size, RISCV_WRITE);
    if (to)
        memcpy(to, bytes, size);
    return s->at;
}

static size_t count(char *const *list)
{
    size_t n = 0;
    while (list && list[n])
        n++;
    return n;
}

int riscv_stack_make(struct riscv_process *x, char *const *envp, struct base_status *st)
{
    const struct riscv_program *p = x->program;
    struct stack s = {x, p->stack + p->stack_size};
    size_t argc = count(x->argv), envs = count(envp), n = 0;
    enum { IMAFDC = 0x112d, AUXILIARY = 16 };
    uint64_t random[2] = {riscv_random(x), riscv_random(x)};
    uint64_t *word = base_alloc((argc + envs + 3 + 2 * (size_t)AUXILIARY) * sizeof *word, "arguments");
    word[n++] = argc;
    for (size_t k = 0; k < argc; k++)
        word[n++] = push(&s, x->argv[k], strlen(x->argv[k]) + 1, 1);
    word[n++] = 0;
    for (size_t k = 0; k < envs; k++)
        word[n++] = push(&s, envp[k], strlen(envp[k]) + 1, 1);
    word[n++] = 0;
    uint64_t name = push(&s, p->path, strlen(p->path) + 1, 1), seed = push(&s, random, sizeof random, 16);
    const uint64_t auxiliary[AUXILIARY][2] = {{AT_PHDR, p->elf.headers + p->bias},
                                              {AT_PHENT, sizeof(Elf64_Phdr)},
                                              {AT_PHNUM, p->elf.header_count},
                                              {AT_PAGESZ, RISCV_PAGE},
                                              {AT_BASE, 0},
                                              {AT_FLAGS, 0},
                                              {AT_ENTRY, p->entry},
                                              {AT_UID, 1000},
                                              {AT_EUID, 1000},
                                              {AT_GID, 1000},
                                              {AT_EGID, 1000},
                                              {AT_SECURE, 0},
                                              {AT_HWCAP, IMAFDC},
                                              {AT_RANDOM, seed},
                                              {AT_EXECFN, name},
                                              {AT_NULL, 0}};
    memcpy(word + n, auxiliary, sizeof auxiliary);
    n += 2 * (size_t)AUXILIARY;
    uint64_t at = push(&s, word, n * sizeof *word, 16);
    free(word);
    x->core.x[2] = at;
    return at ? 0
              : base_fail(st, "%s: its arguments do not fit on its stack of %lu bytes", p->path,
                          p->stack_size);
}
