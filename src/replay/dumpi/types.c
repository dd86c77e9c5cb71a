/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types: a type of the program's is its size, which follows from the calls that make it; of others, such as Fortran's,
 * the trace has the size. Reductions need a type that the operator takes.
 */
#include "replay/dumpi/reader.h"
#include "replay/dumpi/write.h"

#include <inttypes.h>
#include <string.h>

enum { NO_TYPE = 1, UNKNOWN = -1 };
/* What operators are for. */
enum takes { NONE, INTEGERS = 1, REALS = 2, PAIRS = 4, ANY = 8 };

static const struct {
    const char *name;
    int size;
    enum takes is;
} types[] = {
    {NULL, 0, NONE},
    {NULL, 0, NONE},
    {"MPI_CHAR", 1, NONE},
    {"MPI_SIGNED_CHAR", 1, INTEGERS},
    {"MPI_UNSIGNED_CHAR", 1, INTEGERS},
    {"MPI_BYTE", 1, NONE},
    {"MPI_WCHAR", 4, NONE},
    {"MPI_SHORT", 2, INTEGERS},
    {"MPI_UNSIGNED_SHORT", 2, INTEGERS},
    {"MPI_INT", 4, INTEGERS},
    {"MPI_UNSIGNED", 4, INTEGERS},
    {"MPI_LONG", 8, INTEGERS},
    {"MPI_UNSIGNED_LONG", 8, INTEGERS},
    {"MPI_FLOAT", 4, REALS},
    {"MPI_DOUBLE", 8, REALS},
    {"MPI_LONG_DOUBLE", 16, REALS},
    {"MPI_LONG_LONG", 8, INTEGERS},
    {"MPI_UNSIGNED_LONG_LONG", 8, INTEGERS},
    {"MPI_LONG_LONG", 8, INTEGERS},
    {"MPI_PACKED", 1, NONE},
    {NULL, 0, NONE}, /* MPI_LB */
    {NULL, 0, NONE}, /* MPI_UB */
    {"MPI_FLOAT_INT", 8, PAIRS},
    {"MPI_DOUBLE_INT", 12, PAIRS},
    {"MPI_LONG_INT", 12, PAIRS},
    {"MPI_SHORT_INT", 6, PAIRS},
    {"MPI_2INT", 8, PAIRS},
    {"MPI_LONG_DOUBLE_INT", 20, PAIRS},
};
enum { FIRST_USER = sizeof types / sizeof *types };

/* By number, from DUMPI_MAX on. */
static const unsigned takes[] = {NONE,
                                 INTEGERS | REALS, /* MAX */
                                 INTEGERS | REALS, /* MIN */
                                 INTEGERS | REALS, /* SUM */
                                 INTEGERS | REALS, /* PROD */
                                 INTEGERS,         /* LAND, BAND, ... */
                                 INTEGERS,
                                 INTEGERS,
                                 INTEGERS,
                                 INTEGERS,
                                 INTEGERS,
                                 PAIRS, /* MINLOC */
                                 PAIRS, /* MAXLOC */
                                 ANY};  /* REPLACE */
enum { REPLACE = 13, FIRST_USER_OPERATOR = 15 };

bool replay_dumpi_no_type(int64_t number)
{
    return number <= NO_TYPE;
}

/* --- sizes --------------------------------------------------------------------------------------------------- */

static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? UNKNOWN : product;
}

static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum) ? UNKNOWN : sum;
}

/* What the trace says; else what it is here. */
static int64_t size_of(struct replay_dumpi_rank *x, int64_t number)
{
    const int64_t *made = base_table_find(&x->types, (uint64_t)number);
    if (made && *made != UNKNOWN)
        return *made;
    if ((size_t)number < x->sizes.n && x->sizes.at[number] > 0)
        return x->sizes.at[number];
    return number < FIRST_USER ? types[number].size : UNKNOWN;
}

/* The size of a type of blocks: as many as the array of lengths has, or the count says. */
static int64_t blocks(struct replay_dumpi_rank *x)
{
    const struct replay_dumpi_record *r = &x->record;
    const struct replay_dumpi_value *lengths = replay_dumpi_value(r, "array_of_blocklengths"),
                                    *of = replay_dumpi_value(r, "array_of_types"),
                                    *count = replay_dumpi_value(r, "count"),
                                    *length = replay_dumpi_value(r, "blocklength"),
                                    *sides = replay_dumpi_value(r, "array_of_subsizes");
    int64_t n = lengths ? 0 : times(count ? count->number : 1, length ? length->number : 1);
    if (of && (!lengths || of->n != lengths->n))
        return UNKNOWN;
    for (size_t k = 0; lengths && k < lengths->n; k++)
        n = plus(n,
                 times(r->numbers.at[lengths->first + k], of ? size_of(x, r->numbers.at[of->first + k]) : 1));
    for (size_t k = 0; sides && k < sides->n; k++)
        n = times(n, r->numbers.at[sides->first + k]);
    return n;
}

void replay_dumpi_new_type(struct replay_dumpi_rank *x)
{
    bool fresh;
    const struct replay_dumpi_value *made = replay_dumpi_value(&x->record, "newtype"),
                                    *old = replay_dumpi_value(&x->record, "oldtype"),
                                    *of = replay_dumpi_value(&x->record, "array_of_types");
    int64_t size = old ? times(blocks(x), size_of(x, old->number)) : of ? blocks(x) : UNKNOWN;
    *(int64_t *)base_table_add(&x->types, (uint64_t)made->number, &fresh) = size;
}

/* --- words ---------------------------------------------------------------------------------------------------- */

static int64_t type_of_size(struct replay_dumpi_rank *x, int64_t size)
{
    bool fresh;
    int64_t *made = base_table_add(&x->of_size, (uint64_t)size, &fresh);
    if (fresh) {
        *made = RECORD_MADE + x->made[RECORD_TYPE]++;
        const int64_t words[] = {size, replay_dumpi_named(RECORD_TYPE, "MPI_BYTE"), *made};
        replay_dumpi_put(x, RECORD_MPI_TYPE_CONTIGUOUS, words, 3);
        replay_dumpi_put(x, RECORD_MPI_TYPE_COMMIT, made, 1);
    }
    return *made;
}

/* A type of this size that an operator takes, and the operator; NULL: there is none. */
static const char *reducible(int64_t size, const char **op)
{
    *op = size == 12 ? "MPI_MINLOC" : "MPI_SUM";
    switch (size) {
    case 1:
        return "MPI_INT8_T";
    case 2:
        return "MPI_INT16_T";
    case 4:
        return "MPI_INT32_T";
    case 8:
        return "MPI_INT64_T";
    case 12:
        return "MPI_DOUBLE_INT";
    case 16:
        return "MPI_C_DOUBLE_COMPLEX";
    default:
        return NULL;
    }
}

static bool is_as_here(const struct replay_dumpi_rank *x, int64_t number)
{
    return number < FIRST_USER && types[number].name &&
           ((size_t)number >= x->sizes.n || x->sizes.at[number] <= 0 ||
            x->sizes.at[number] == types[number].size);
}

int replay_dumpi_type(struct replay_dumpi_rank *x, int64_t number, int64_t *word, struct base_status *st)
{
    const char *op;
    if (replay_dumpi_no_type(number)) {
        *word = replay_dumpi_named(RECORD_TYPE, "MPI_BYTE");
        return 0;
    }
    if (is_as_here(x, number)) {
        *word = replay_dumpi_named(RECORD_TYPE, types[number].name);
        return 0;
    }
    int64_t size = size_of(x, number);
    if (size < 0 || size > INT32_MAX)
        return base_fail(
            st, "type number %" PRId64 ": %s", number,
            size < 0 ? "neither a call that makes it nor the trace's list of sizes says how large it is"
                     : "expected at most 2147483647 bytes");
    const char *name = reducible(size, &op);
    *word = name ? replay_dumpi_named(RECORD_TYPE, name) : type_of_size(x, size);
    return 0;
}

/* An operator of the program's, which takes any type. */
static int64_t own_operator(struct replay_dumpi_rank *x)
{
    if (!x->operator_word) {
        x->operator_word = RECORD_MADE + x->made[RECORD_OP]++;
        const int64_t words[] = {1, x->operator_word};
        replay_dumpi_put(x, RECORD_MPI_OP_CREATE, words, 2);
    }
    return x->operator_word;
}

int replay_dumpi_operator(struct replay_dumpi_rank *x, int64_t number, int64_t *word, struct base_status *st)
{
    bool accumulate = x->record.layout->function == RECORD_MPI_ACCUMULATE;
    if (number >= FIRST_USER_OPERATOR)
        return replay_dumpi_taken(x, RECORD_OP, number, word, st);
    unsigned is = is_as_here(x, x->type) ? types[x->type].is : NONE;
    if (number > 0 && (size_t)number < BASE_LENGTH(takes) &&
        (takes[number] & is || (number == REPLACE && accumulate))) {
        *word = x->predefined[RECORD_OP][number];
        return 0;
    }
    const char *op, *name = reducible(size_of(x, x->type), &op);
    if (accumulate) /* with types of the size's bytes */
        *word = x->predefined[RECORD_OP][REPLACE];
    else if (!name)
        *word = own_operator(x);
    else {
        x->words.at[x->type_at] = replay_dumpi_named(RECORD_TYPE, name);
        *word = replay_dumpi_named(RECORD_OP, op);
    }
    return 0;
}

/* --- writing ------------------------------------------------------------------------------------------------ */

_Static_assert((int)FIRST_USER == (int)REPLAY_DUMPI_FIRST_TYPE, "types of DUMPI");

int64_t replay_dumpi_type_number(int64_t word)
{
    const char *name = word < RECORD_MADE ? record_name_of(RECORD_TYPE, word) : NULL;
    for (int64_t k = 0; name && k < FIRST_USER; k++)
        if (types[k].name && !strcmp(types[k].name, name))
            return k;
    return name && !strcmp(name, "MPI_DATATYPE_NULL") ? NO_TYPE : -1;
}

int32_t replay_dumpi_type_size(int64_t number)
{
    return number < FIRST_USER ? types[number].size : 0;
}
