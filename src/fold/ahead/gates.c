/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gates: decides which references get a gate. The gates are a fixed table in assembly, so that no code is
 * generated at run time. Gate k reads rank_ahead and jumps to gate_target[k]; arguments stay unchanged.
 */
#include "fold/ahead/ahead.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#define GATES 2048

/* --- the gates ----------------------------------------------------------------------------------- */

__attribute__((visibility("hidden"))) extern uintptr_t gate_target[GATES];
__attribute__((visibility("hidden"))) extern const char gate_table[], gate_table_end[];
__attribute__((used)) uintptr_t gate_target[GATES];

#if defined(__x86_64__)
enum { GATE_SIZE = 32 };
/* Changes no register but r11; the slow path also preserves all registers that may hold an argument. */
__asm__(".text\n"
        ".hidden gate_table\n"
        ".globl gate_table\n"
        ".p2align 4\n"
        ".type gate_table, @function\n"
        "gate_table:\n"
        "    .cfi_startproc\n"
        ".set gate_number, 0\n"
        ".rept 2048\n"
        "    .p2align 4\n"
        "    movq rank_ahead@gottpoff(%rip), %r11\n"
        "    cmpq $0, %fs:(%r11)\n"
        "    movl $gate_number, %r11d\n"
        "    jne gate_slow\n"
        "    jmp *gate_target+8*gate_number(%rip)\n"
        "    .p2align 4\n"
        "    .set gate_number, gate_number + 1\n"
        ".endr\n"
        "    .cfi_endproc\n"
        ".hidden gate_table_end\n"
        ".globl gate_table_end\n"
        "gate_table_end:\n"
        ".size gate_table, .-gate_table\n"
        ".type gate_slow, @function\n"
        "gate_slow:\n"
        "    .cfi_startproc\n"
        "    pushq %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %rbp, -16\n"
        "    movq %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    andq $-16, %rsp\n"
        "    subq $208, %rsp\n"
        "    movq %rax, (%rsp)\n"
        "    movq %rdi, 8(%rsp)\n"
        "    movq %rsi, 16(%rsp)\n"
        "    movq %rdx, 24(%rsp)\n"
        "    movq %rcx, 32(%rsp)\n"
        "    movq %r8, 40(%rsp)\n"
        "    movq %r9, 48(%rsp)\n"
        "    movq %r10, 56(%rsp)\n"
        "    movq %r11, 64(%rsp)\n"
        "    movaps %xmm0, 80(%rsp)\n"
        "    movaps %xmm1, 96(%rsp)\n"
        "    movaps %xmm2, 112(%rsp)\n"
        "    movaps %xmm3, 128(%rsp)\n"
        "    movaps %xmm4, 144(%rsp)\n"
        "    movaps %xmm5, 160(%rsp)\n"
        "    movaps %xmm6, 176(%rsp)\n"
        "    movaps %xmm7, 192(%rsp)\n"
        "    call rank_ahead_enter\n"
        "    movq (%rsp), %rax\n"
        "    movq 8(%rsp), %rdi\n"
        "    movq 16(%rsp), %rsi\n"
        "    movq 24(%rsp), %rdx\n"
        "    movq 32(%rsp), %rcx\n"
        "    movq 40(%rsp), %r8\n"
        "    movq 48(%rsp), %r9\n"
        "    movq 56(%rsp), %r10\n"
        "    movq 64(%rsp), %r11\n"
        "    movaps 80(%rsp), %xmm0\n"
        "    movaps 96(%rsp), %xmm1\n"
        "    movaps 112(%rsp), %xmm2\n"
        "    movaps 128(%rsp), %xmm3\n"
        "    movaps 144(%rsp), %xmm4\n"
        "    movaps 160(%rsp), %xmm5\n"
        "    movaps 176(%rsp), %xmm6\n"
        "    movaps 192(%rsp), %xmm7\n"
        "    leave\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    pushq %rax\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    leaq gate_target(%rip), %rax\n"
        "    movq (%rax,%r11,8), %r11\n"
        "    popq %rax\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    jmp *%r11\n"
        "    .cfi_endproc\n"
        ".size gate_slow, .-gate_slow\n");
#elif defined(__aarch64__)
enum { GATE_SIZE = 48 };
__asm__(".text\n"
        ".hidden gate_table\n"
        ".globl gate_table\n"
        ".p2align 4\n"
        ".type gate_table, @function\n"
        "gate_table:\n"
        "    .cfi_startproc\n"
        ".set gate_number, 0\n"
        ".rept 2048\n"
        "    .p2align 4\n"
        "    adrp x16, :gottprel:rank_ahead\n"
        "    ldr x16, [x16, :gottprel_lo12:rank_ahead]\n"
        "    mrs x17, tpidr_el0\n"
        "    ldr x16, [x17, x16]\n"
        "    mov w17, #gate_number\n"
        "    cbnz x16, 0f\n"
        "    adrp x16, gate_target+8*gate_number\n"
        "    ldr x16, [x16, :lo12:gate_target+8*gate_number]\n"
        "    br x16\n"
        "0:  b gate_slow\n"
        "    .p2align 4\n"
        "    .set gate_number, gate_number + 1\n"
        ".endr\n"
        "    .cfi_endproc\n"
        ".hidden gate_table_end\n"
        ".globl gate_table_end\n"
        "gate_table_end:\n"
        ".size gate_table, .-gate_table\n"
        ".type gate_slow, @function\n"
        "gate_slow:\n"
        "    .cfi_startproc\n"
        "    stp x29, x30, [sp, #-224]!\n"
        "    .cfi_def_cfa_offset 224\n"
        "    .cfi_offset 29, -224\n"
        "    .cfi_offset 30, -216\n"
        "    mov x29, sp\n"
        "    stp x0, x1, [sp, #16]\n"
        "    stp x2, x3, [sp, #32]\n"
        "    stp x4, x5, [sp, #48]\n"
        "    stp x6, x7, [sp, #64]\n"
        "    stp x8, x17, [sp, #80]\n"
        "    stp q0, q1, [sp, #96]\n"
        "    stp q2, q3, [sp, #128]\n"
        "    stp q4, q5, [sp, #160]\n"
        "    stp q6, q7, [sp, #192]\n"
        "    bl rank_ahead_enter\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x2, x3, [sp, #32]\n"
        "    ldp x4, x5, [sp, #48]\n"
        "    ldp x6, x7, [sp, #64]\n"
        "    ldp x8, x17, [sp, #80]\n"
        "    ldp q0, q1, [sp, #96]\n"
        "    ldp q2, q3, [sp, #128]\n"
        "    ldp q4, q5, [sp, #160]\n"
        "    ldp q6, q7, [sp, #192]\n"
        "    ldp x29, x30, [sp], #224\n"
        "    .cfi_restore 30\n"
        "    .cfi_restore 29\n"
        "    .cfi_def_cfa_offset 0\n"
        "    adrp x16, gate_target\n"
        "    add x16, x16, :lo12:gate_target\n"
        "    ldr x16, [x16, x17, lsl #3]\n"
        "    br x16\n"
        "    .cfi_endproc\n"
        ".size gate_slow, .-gate_slow\n");
#endif

/* --- which functions ------------------------------------------------------------------------------ */

enum kind { FREE, FREE_PREFIX, ALONE, ALONE_PREFIX };

static const struct known {
    const char *name, *why;
    enum kind kind;
} known[] = {
#define GATE_FREE(name)                {#name, NULL, FREE},
#define GATE_FREE_PREFIX(begin)        {begin, NULL, FREE_PREFIX},
#define GATE_ALONE(name, text)         {#name, text, ALONE},
#define GATE_ALONE_PREFIX(begin, text) {begin, text, ALONE_PREFIX},
#include "fold/ahead/gates.def"
#undef GATE_FREE
#undef GATE_FREE_PREFIX
#undef GATE_ALONE
#undef GATE_ALONE_PREFIX
};

static struct {
    BASE_ARRAY(const char *) name; /* of gate k */
    struct gates_options *options; /* of the ranks */
    uint32_t ranks, copy;
} gates;

static const struct known *find(const char *name)
{
    for (size_t k = 0; k < BASE_LENGTH(known); k++)
        if (known[k].kind == FREE_PREFIX || known[k].kind == ALONE_PREFIX
                ? !strncmp(name, known[k].name, strlen(known[k].name))
                : !strcmp(name, known[k].name))
            return &known[k];
    return NULL;
}

static void look(void *arg, const char *name, bool weak)
{
    const char **why = arg;
    const struct known *k = weak ? NULL : find(name);
    if (k && k->why)
        *why = k->why;
}

const char *gates_refusal(const struct objects *o)
{
    const char *why = NULL;
    for (size_t i = 0; i < o->list.n; i++)
        elf_references_each(&o->list.at[i]->elf, look, &why);
    return why;
}

static bool is_free(const char *name)
{
    const struct known *k = find(name);
    return k && !k->why;
}

static bool defined_by_program(const struct objects *o, const char *name)
{
    for (size_t i = 0; i < o->list.n; i++)
        if (elf_definition(&o->list.at[i]->elf, name))
            return true;
    return false;
}

static size_t number_of(const char *name)
{
    size_t k = 0;
    while (k < gates.name.n && strcmp(gates.name.at[k], name) != 0)
        k++;
    if (k == gates.name.n)
        BASE_ARRAY_PUSH(&gates.name, name);
    return k;
}

static void collect(const struct objects *o, struct object_file *f)
{
    for (uint32_t i = 0; i < f->elf.n_relocations + f->elf.n_plt_relocations; i++) {
        const Elf64_Rela *r = elf_relocation_at(&f->elf, i);
        const Elf64_Sym *s = elf_relocation_symbol(&f->elf, r);
        uint64_t type = ELF64_R_TYPE(r->r_info);
        if (!s || ELF64_ST_BIND(s->st_info) == STB_LOCAL || r->r_offset > f->elf.image_size - 8 ||
            (type != RELOC_SLOT && type != RELOC_GLOB && type != RELOC_WORD) ||
            (type == RELOC_WORD && r->r_addend != 0))
            continue;
        const char *name = elf_string(&f->elf, s->st_name);
        if (!is_free(name) && !defined_by_program(o, name))
            BASE_ARRAY_PUSH(&f->slots,
                            ((struct object_slot){
                                .address = r->r_offset, .value = number_of(name), .owner = OBJECT_GATED}));
    }
}

int gates_collect(struct objects *o, uint32_t ranks)
{
    BASE_ASSERT("gates are of one size",
                (uintptr_t)gate_table_end - (uintptr_t)gate_table == (uintptr_t)GATES * GATE_SIZE);
    gates_close();
    o->gate = gates_address;
    gates.ranks = ranks;
    gates.options = base_alloc(ranks * sizeof *gates.options, "getopt's variables");
    for (uint32_t k = 0; k < ranks; k++)
        gates.options[k] = (struct gates_options){1, 1, '?', NULL};
    memset(gate_target, 0, sizeof gate_target);
    for (size_t i = 0; i < o->list.n; i++)
        collect(o, o->list.at[i]);
    return gates.name.n > GATES ? -1 : 0;
}

/* --- which addresses ------------------------------------------------------------------------------ */

/* Query for the loaded object that contains an address. */
struct place {
    uintptr_t address;
    bool code, free;
};

/* Libraries whose functions touch nothing but their arguments. lgamma's signgam is ignored. */
static bool is_free_library(const char *path)
{
    static const char *const names[] = {"libm.so", "libmvec.so", "libgcc_s.so", "libquadmath.so"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (!strncmp(name, names[k], strlen(names[k])))
            return true;
    return false;
}

static int look_in(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct place *p = arg;
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[k];
        if (h->p_type != PT_LOAD || p->address - (info->dlpi_addr + h->p_vaddr) >= h->p_memsz)
            continue;
        p->code = (h->p_flags & PF_X) != 0;
        p->free = is_free_library(info->dlpi_name);
        return 1;
    }
    return 0;
}

/* --- getopt's variables ----------------------------------------------------------------------------- */

struct gates_options *gates_options(uint32_t rank)
{
    return gates.options ? &gates.options[rank] : NULL;
}

void gates_copy(uint32_t rank)
{
    gates.copy = rank;
}

void gates_close(void)
{
    free(gates.options);
    gates.options = NULL;
    gates.name.n = 0;
}

/* 0: it is none of them. */
static uintptr_t own_variable(const char *name)
{
    struct gates_options *o = &gates.options[gates.copy];
    const struct {
        const char *name;
        void *at;
    } own[] = {
        {"optind", &o->index}, {"opterr", &o->errors}, {"optopt", &o->character}, {"optarg", &o->argument}};
    for (size_t k = 0; k < BASE_LENGTH(own); k++)
        if (!strcmp(name, own[k].name))
            return (uintptr_t)own[k].at;
    return 0;
}

/* Data has no gates: its address stays, as does NULL. */
uintptr_t gates_address(uint64_t k, uintptr_t address)
{
    uintptr_t own = own_variable(gates.name.at[k]);
    if (!address || own)
        return address ? own : 0;
    if (gate_target[k] != address) {
        struct place p = {.address = address};
        dl_iterate_phdr(look_in, &p);
        if (!p.code || p.free)
            return address;
        gate_target[k] = address;
    }
    return (uintptr_t)gate_table + k * GATE_SIZE;
}
