/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command: the compiler command behind the wrappers (private to cli/cc/). See docs/building-programs.md for
 * why a program is linked as it is.
 */
#ifndef PGASIM_CLI_CC_COMMAND_H
#define PGASIM_CLI_CC_COMMAND_H

#include "cli/cc/args.h"
#include "cli/places/places.h"

enum cc_language { CC_C, CC_CXX, CC_FORTRAN };

/* A compiler as the user named it ("gcc", "ccache clang") and what it is. */
struct cc_compiler {
    struct cc_words words;
    enum cc_language language;
    bool clang;
    bool found;   /* it is on PATH */
    bool wrapper; /* it is this command, which would call itself for ever */
    bool behind;  /* the one who asks has a wrapper of ours as compiler, which adds all flags itself */
    const char *named_by; /* the variable that names it, or would */
};

/* The compiler of PGASIM_CC, PGASIM_CXX or PGASIM_FC, or else the first on PATH of gcc, cc, clang; g++, c++,
 * clang++; gfortran, flang-new, flang. */
void cc_compiler_find(struct cc_compiler *c, enum cc_language language);
/* The same with what a wrapper's user may say besides. `mpi`: where our variable is not set, OMPI_CC,
 * MPICH_CC and their like are asked. `named`: this compiler; may be NULL. */
void cc_compiler_find_named(struct cc_compiler *c, enum cc_language language, bool mpi, const char *named);
void cc_compiler_release(struct cc_compiler *c);
/* The first number of its version; the caller frees it. NULL: it does not say. */
char *cc_compiler_version(const struct cc_compiler *c);
/* The name of that variable of the environment. */
const char *cc_compiler_variable(enum cc_language language);

/* Each appends words. Flags go before the user's arguments, or behind them where they must win. */
void cc_flags_include(struct cc_words *out, const struct cli_places *p); /* before */
/* before; fortran.c: where a Fortran compiler finds MPI's modules, and that it accepts programs with
 * mpif.h */
void cc_flags_fortran(struct cc_words *out, const struct cc_compiler *c, const struct cli_places *p);
/* behind; `library`: the user's own -fPIC or -shared asks for code whose definitions others may replace */
void cc_flags_compile(struct cc_words *out, const struct cc_compiler *c, bool library);
void cc_flags_link(struct cc_words *out, bool gold); /* before: a program is linked */
/* behind: start-up and libpgasim; `abi`: and libmpi_abi, which a library of the program wants to find */
void cc_libs_program(struct cc_words *out, const struct cli_places *p, bool abi);
void cc_libs_plain(struct cc_words *out, const struct cli_places *p); /* libpgasim alone */
/* behind; `abi`: libmpi_abi alone, so that the library can be used with any MPI of the standard ABI */
void cc_libs_shared(struct cc_words *out, const struct cli_places *p, bool abi);

/* The whole command for the user's arguments. */
void cc_command_make(struct cc_words *out, const struct cc_compiler *c, const struct cc_args *a,
                     const struct cli_places *p, bool abi);
/* abi.c: whether the words name libmpi_abi, or a library that needs it. */
bool cc_wants_abi(const struct cc_args *a);

/* check.c: instrumented code. Whether the environment asks for it; what is put before the user's arguments and
 * behind them where code is compiled; behind them where it is linked. */
bool cc_check_asked(void);
void cc_check_before(struct cc_words *out);
void cc_check_compile(struct cc_words *out, const struct cc_compiler *c);
void cc_check_link(struct cc_words *out, const struct cc_compiler *c);

/* sanitize.c: what a program or library that is linked with a sanitizer needs. */
void cc_sanitize_link(struct cc_words *out, const struct cc_compiler *c, const struct cc_args *a);

#endif
