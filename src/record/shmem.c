/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: the signatures of OpenSHMEM's calls (shmem.def), what the standard names, and where symmetric memory is. */
#include "record/record.h"
#include "record/signatures.h"

#include <string.h>

#define CALL(ID, name, ...) static const struct record_param of_##ID[] = {__VA_ARGS__};
#define PLAIN(ID, name)
#include "record/shmem.def"
#undef CALL
#undef PLAIN

const struct record_function record_shmem[] = {
#define CALL(ID, name, ...) {name, of_##ID, BASE_LENGTH(of_##ID)},
#define PLAIN(ID, name)     {name, NULL, 0},
#include "record/shmem.def"
};

static const struct record_name names[] = {
    {"SHMEM_CTX_INVALID", RECORD_CTX, 0},   {"SHMEM_CTX_DEFAULT", RECORD_CTX, 1},
    {"SHMEM_TEAM_INVALID", RECORD_TEAM, 0}, {"SHMEM_TEAM_WORLD", RECORD_TEAM, 1},
    {"SHMEM_TEAM_SHARED", RECORD_TEAM, 2},
};

const char *record_shmem_name_of(enum record_object o, int64_t value)
{
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (names[k].object == o && names[k].value == value)
            return names[k].name;
    return NULL;
}

bool record_shmem_value_of(enum record_object o, const char *name, size_t length, int64_t *value)
{
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (names[k].object == o && !strncmp(names[k].name, name, length) && !names[k].name[length]) {
            *value = names[k].value;
            return true;
        }
    return false;
}

int64_t record_place(uint32_t area, uint64_t offset)
{
    return (int64_t)((uint64_t)(area + 1) << RECORD_PLACE_BITS | offset);
}

bool record_place_of(int64_t word, uint32_t *area, uint64_t *offset)
{
    *area = (uint32_t)((uint64_t)word >> RECORD_PLACE_BITS) - 1;
    *offset = (uint64_t)word & ((UINT64_C(1) << RECORD_PLACE_BITS) - 1);
    return *area != UINT32_MAX;
}

/* Of an atomic: what a network card can change at once. */
static bool is_atomic(uint32_t function)
{
    return function >= RECORD_SHMEM_SET && function <= RECORD_SHMEM_FETCH_XOR_NBI;
}

/* What a number of the call is expected to be; NULL: that is what it is. */
static const char *expected(uint32_t function, const struct record_part *part)
{
    enum { MOST = 1 << 20 };
    const char *name = part->param->name;
    if (part->param->kind == RECORD_NUMBERS) {
        if (!strcmp(name, "causes") && part->n > 0 && part->n % 2)
            return "pairs of a rank and an operation";
        if (!strcmp(name, "statics") && part->n > 0 && part->n % 2)
            return "pairs of a size and a place in a page";
        for (int64_t k = 0; !strcmp(name, "statics") && k < part->n; k++)
            if (part->at[k] < 0 || part->at[k] >= INT64_C(1) << RECORD_PLACE_BITS)
                return "sizes in bytes";
        return NULL;
    }
    bool bytes = !strcmp(name, "size") && part->param->kind == RECORD_NUMBER &&
                 function >= RECORD_SHMEM_PUT && function < RECORD_SHMEM_TEAM_SPLIT_STRIDED;
    if (bytes && is_atomic(function) && part->at[0] != 1 && part->at[0] != 2 && part->at[0] != 4 &&
        part->at[0] != 8)
        return "1, 2, 4 or 8 bytes";
    if (bytes && (part->at[0] < 1 || part->at[0] > MOST))
        return "bytes of an element";
    if ((!strcmp(name, "heap") || !strcmp(name, "bytes")) && part->at[0] < 0)
        return "a number of bytes";
    return NULL;
}

int record_shmem_check(uint32_t function, const struct record_words *words, struct base_status *st)
{
    struct record_part part[RECORD_PARAMS];
    const struct record_function *f = record_function_of(function);
    if (!record_parts(f, words->at, words->n, part))
        return 0;
    for (uint32_t k = 0; k < f->n; k++) {
        const char *what = expected(function, &part[k]);
        if (what && part[k].param->kind == RECORD_NUMBERS)
            return base_fail(st, "%s, %s: expected %s", f->name, f->param[k].name, what);
        if (what)
            return base_fail(st, "%s, %s: expected %s, not %lld", f->name, f->param[k].name, what,
                             (long long)part[k].at[0]);
    }
    return 0;
}
