/* SPDX-License-Identifier: BSD-3-Clause */
/* posix: the signatures of what traces have of files beside MPI's calls (posix.def). */
#include "record/record.h"
#include "record/signatures.h"

#include <string.h>

#define CALL(ID, name, ...) static const struct record_param of_##ID[] = {__VA_ARGS__};
#include "record/posix.def"
#undef CALL

const struct record_function record_posix[] = {
#define CALL(ID, name, ...) {name, of_##ID, BASE_LENGTH(of_##ID)},
#include "record/posix.def"
};

/* What a word is expected to be; NULL: that is what it is. */
static const char *expected(const struct record_part *part)
{
    enum { FILES = 1 << 20 };
    const struct record_param *p = part->param;
    if (p->kind == RECORD_TEXT)
        return part->n > 0 ? NULL : "a text of at least one character";
    if (p->kind == RECORD_HANDLE)
        return part->at[0] < RECORD_MADE ? NULL : "a datatype of the standard";
    if (!strcmp(p->name, "file"))
        return part->at[0] >= 0 && part->at[0] < FILES ? NULL : "a number from 0 to 1048575";
    return part->at[0] >= 0 ? NULL : "a number that is not negative";
}

/* An access ends where a file can end. */
static bool fits(const struct record_function *f, const struct record_part *part)
{
    int64_t end;
    return f->n < 3 || strcmp(f->param[1].name, "offset") != 0 ||
           !__builtin_add_overflow(part[1].at[0], part[2].at[0], &end);
}

int record_posix_check(uint32_t function, const struct record_words *words, struct base_status *st)
{
    struct record_part part[RECORD_PARAMS];
    const struct record_function *f = record_function_of(function);
    if (!record_parts(f, words->at, words->n, part))
        return 0;
    for (uint32_t k = 0; k < f->n; k++) {
        const char *what = expected(&part[k]);
        if (what)
            return base_fail(st, "%s, %s: expected %s", f->name, f->param[k].name, what);
    }
    return fits(f, part) ? 0 : base_fail(st, "%s: expected offset and bytes below 2^63 together", f->name);
}
