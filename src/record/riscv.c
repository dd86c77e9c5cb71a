/* SPDX-License-Identifier: BSD-3-Clause */
/* riscv: the signatures of what RISC-V cores do (riscv.def), and of all lists by number. */
#include "record/record.h"
#include "record/signatures.h"

#include <string.h>

#define CALL(ID, name, ...) static const struct record_param of_##ID[] = {__VA_ARGS__};
#define PLAIN(ID, name)
#include "record/riscv.def"
#undef CALL
#undef PLAIN

const struct record_function record_riscv[] = {
#define CALL(ID, name, ...) {name, of_##ID, BASE_LENGTH(of_##ID)},
#define PLAIN(ID, name)     {name, NULL, 0},
#include "record/riscv.def"
};

const struct record_function *record_function_of(uint32_t number)
{
    return number < RECORD_MPI_FUNCTIONS     ? &record_mpi[number]
           : number < RECORD_SHMEM_FUNCTIONS ? &record_shmem[number - RECORD_MPI_FUNCTIONS]
           : number < RECORD_RISCV_FUNCTIONS ? &record_riscv[number - RECORD_SHMEM_FUNCTIONS]
                                             : &record_posix[number - RECORD_RISCV_FUNCTIONS];
}

/* What a number or list is expected to be; NULL: that is what it is. */
static const char *expected(uint32_t function, const struct record_part *part)
{
    const char *name = part->param->name;
    int64_t value = part->param->kind == RECORD_NUMBER ? part->at[0] : 0;
    if (!strcmp(name, "causes"))
        return part->n > 0 && part->n % 2 ? "pairs of a core and an operation" : NULL;
    if (!strcmp(name, "cycles")) {
        bool good = part->n > 0;
        for (int64_t k = 0; k < part->n; k++)
            good &= part->at[k] >= 0;
        return good ? NULL : "numbers of cycles";
    }
    if (!strcmp(name, "bytes")) {
        bool atomic = function >= RECORD_RISCV_ADD, word = value == 4 || value == 8;
        return word || (!atomic && (value == 1 || value == 2)) ? NULL
               : atomic                                        ? "4 or 8 bytes"
                                                               : "1, 2, 4 or 8 bytes";
    }
    if (!strcmp(name, "core") && (value < 0 || value > UINT32_MAX))
        return "a core";
    if ((!strcmp(name, "turn") || !strcmp(name, "nanoseconds")) && value < 0)
        return "a number that is not negative";
    return NULL;
}

int record_riscv_check(uint32_t function, const struct record_words *words, struct base_status *st)
{
    struct record_part part[RECORD_PARAMS];
    const struct record_function *f = record_function_of(function);
    if (!record_parts(f, words->at, words->n, part))
        return 0;
    for (uint32_t k = 0; k < f->n; k++) {
        const char *what = expected(function, &part[k]);
        if (what)
            return base_fail(st, "%s, %s: expected %s", f->name, f->param[k].name, what);
    }
    return 0;
}

int record_check(uint32_t function, const struct record_words *words, struct base_status *st)
{
    return function < RECORD_MPI_FUNCTIONS     ? 0
           : function < RECORD_SHMEM_FUNCTIONS ? record_shmem_check(function, words, st)
           : function < RECORD_RISCV_FUNCTIONS ? record_riscv_check(function, words, st)
                                               : record_posix_check(function, words, st);
}
