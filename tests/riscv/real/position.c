/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linux: a static executable that may lie anywhere (ET_DYN without an interpreter). It has no C library, and
 * relocates itself.
 * flags: -static-pie -Wl,--no-dynamic-linker -fPIE -nostdlib -nostartfiles -fno-builtin -fno-stack-protector
 */
#include <elf.h>
#include <stddef.h>

extern const Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static long system_call(long number, long a, long b, long c)
{
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

/* Every pointer of the data is relative to where the program lies. */
static void relocate(void)
{
    const char *base = __ehdr_start;
    const Elf64_Rela *r = NULL;
    size_t bytes = 0;
    for (const Elf64_Dyn *d = _DYNAMIC; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_RELA)
            r = (const Elf64_Rela *)(base + d->d_un.d_ptr);
        if (d->d_tag == DT_RELASZ)
            bytes = d->d_un.d_val;
    }
    for (size_t i = 0; i < bytes / sizeof *r; i++)
        if (ELF64_R_TYPE(r[i].r_info) == R_RISCV_RELATIVE)
            *(const char **)(base + r[i].r_offset) = base + r[i].r_addend;
}

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static int first(int x)
{
    return x + 1;
}
static int second(int x)
{
    return 3 * x;
}

static const char *const lines[] = {"one\n", "two, a longer one\n", "three\n"};
static int (*const functions[])(int) = {second, first, second, second};
static char zeros[5000];

void _start(void);
void _start(void)
{
    relocate();
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
        system_call(64, 1, (long)lines[i], (long)length(lines[i]));
    int x = zeros[4999] + 1;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        x = functions[i](x);
    zeros[0] = (char)('0' + x % 10);
    zeros[1] = '\n';
    system_call(64, 1, (long)zeros, 2);
    system_call(93, x, 0, 0);
}
