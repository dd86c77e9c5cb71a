/* SPDX-License-Identifier: BSD-3-Clause */
/* signatures: parameters of the lists that are written by hand (shmem.def, riscv.def, posix.def). Private to record/. */
#ifndef PGASIM_RECORD_SIGNATURES_H
#define PGASIM_RECORD_SIGNATURES_H

#include "record/record.h"

#define N(name)                                                                                              \
    {                                                                                                        \
        name, RECORD_NUMBER, 0, RECORD_IN, RECORD_LENGTH_NONE, {0, 0}, 0                                     \
    }
#define PLACE(name)                                                                                          \
    {                                                                                                        \
        name, RECORD_PLACE, 0, RECORD_IN, RECORD_LENGTH_NONE, {0, 0}, 0                                      \
    }
#define CTX(name)                                                                                            \
    {                                                                                                        \
        name, RECORD_HANDLE, RECORD_CTX, RECORD_IN, RECORD_LENGTH_NONE, {0, 0}, 0                            \
    }
#define TEAM(name)                                                                                           \
    {                                                                                                        \
        name, RECORD_HANDLE, RECORD_TEAM, RECORD_IN, RECORD_LENGTH_NONE, {0, 0}, 0                           \
    }
#define MADE(KIND, name)                                                                                     \
    {                                                                                                        \
        name, RECORD_HANDLE, KIND, RECORD_OUT, RECORD_LENGTH_NONE, {0, 0}, 0                                 \
    }
#define TEXT(name)                                                                                           \
    {                                                                                                        \
        name, RECORD_TEXT, 0, RECORD_IN, RECORD_LENGTH_NONE, {0, 0}, 0                                       \
    }
#define OF(name)                                                                                             \
    {                                                                                                        \
        name, RECORD_HANDLE, RECORD_TYPE, RECORD_IN, RECORD_LENGTH_NONE, {0, 0}, 0                           \
    }
#define TYPE(name)                                                                                           \
    {                                                                                                        \
        name, RECORD_TEXT, 0, RECORD_IN, RECORD_LENGTH_NONE, {0, 0}, 0                                       \
    }
#define LIST(name)                                                                                           \
    {                                                                                                        \
        name, RECORD_NUMBERS, 0, RECORD_IN, RECORD_LENGTH_GIVEN, {0, 0}, 8                                   \
    }

/* The numbers of a call, by its list. */
int record_shmem_check(uint32_t function, const struct record_words *words, struct base_status *st);
int record_riscv_check(uint32_t function, const struct record_words *words, struct base_status *st);
int record_posix_check(uint32_t function, const struct record_words *words, struct base_status *st);

#endif
