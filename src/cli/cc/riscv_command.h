/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * riscv_command: the cross compiler's command behind `pgasim riscv-cc` (private to cli/cc/). docs/riscv.md says
 * why a program for a simulated core is compiled and linked so.
 */
#ifndef PGASIM_CLI_RISCV_COMMAND_H
#define PGASIM_CLI_RISCV_COMMAND_H

#include "cli/words/words.h"
#include "cli/places/places.h"

/* What a command line asks for. */
struct riscv_request {
    struct cc_words words; /* what is passed on */
    uint64_t ram, stack;   /* bytes */
    bool hosted;           /* --linux: a static executable for Linux instead of a bare program */
    bool map_2020;         /* the encodings before xBGAS 2.0.0 */
    bool show;             /* print the command */
    bool help;
    bool inputs;            /* something is compiled or linked */
    bool early;             /* -c, -S, -E, ...: no program is linked */
    bool bare_of_libraries; /* -nostdlib and the like */
    bool cxx;               /* an input is C++ */
    bool isa;               /* -march= is the user's */
    bool abi;               /* likewise -mabi= */
};

/* The memory of a bare program: text and constants, and behind them the RAM. */
#define RISCV_TEXT      0x80000000u
#define RISCV_TEXT_SIZE 0x200000u
#define RISCV_RAM       (RISCV_TEXT + RISCV_TEXT_SIZE)

/* Reads args[0...n), response files included. -1 with st for an option of ours that is wrong. */
int riscv_request_read(struct riscv_request *r, int n, char **args, struct base_status *st);
void riscv_request_release(struct riscv_request *r);

/* The compiler, if no variable of the environment names one, and Debian's packages that have it and its
 * library. */
const char *riscv_compiler_name(const struct riscv_request *r);
const char *riscv_compiler_packages(const struct riscv_request *r);

/* Appends the whole command; `compiler`: its words. */
void riscv_command_make(struct cc_words *out, const struct riscv_request *r, const struct cc_words *compiler,
                        const struct cli_places *p);

#endif
