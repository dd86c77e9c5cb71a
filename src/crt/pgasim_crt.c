/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgasim_crt: the start-up object that `pgasim cc` links into every program. A program is a shared object, so
 * that it can be loaded once per rank with thread-local data of the dynamic kind. It also has what an
 * executable needs: the dynamic linker's name, given here, and an entry point from the C library's Scrt1.o.
 *
 * Compiled once, without sanitizers and without link-time optimization, whatever the program is built with.
 */
#include "crt/program.h"

#if defined(__x86_64__)
#define INTERPRETER "/lib64/ld-linux-x86-64.so.2"
#elif defined(__aarch64__)
#define INTERPRETER "/lib/ld-linux-aarch64.so.1"
#else
#error "no dynamic linker is known for this architecture"
#endif

/* `retain` keeps it when the program is linked with --gc-sections: nothing refers to it. */
static const char interpreter[] __attribute__((section(".interp"), used, retain)) = INTERPRETER;

int main(int, char **, char **);

extern const struct pgasim_program pgasim_program;
__attribute__((visibility("default"))) const struct pgasim_program pgasim_program = {
    .magic = PGASIM_PROGRAM_MAGIC,
    .version = PGASIM_PROGRAM_VERSION,
    .main = main,
};
