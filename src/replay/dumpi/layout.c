/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout: records have no length, and their fields differ by call, so that all calls' fields must be known. The kinds:
 *      i number of 4 bytes, b of 1, h of 2, l of 8     t type, c communicator, g group, w window: 2; o operator: 1;
 *      r request: 4                                    s statuses, if the record has them
 *      I array of i, R of r, T of t, D of b, H of h    M array of I, S text, A array of S, B array of A
 * An array is its length, of 4 bytes, and its elements, a text's too. (Texts of the header have lengths of 2 bytes.)
 */
#include "replay/dumpi/reader.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *name, *fields;
    enum replay_dumpi_how how;
} calls[] = {
#define CALL(name, how, fields) {name, fields, REPLAY_DUMPI_##how},
#include "replay/dumpi/calls.def"
#undef CALL
};

/* Earlier versions had mistakes. */
static const struct {
    uint32_t before;
    const char *name, *fields;
} earlier[] = {
    {0x000602, "MPI_Init", "i A"},
    {0x000608, "MPI_Cart_get", "i c i I I i"},
    {0x000609, "MPI_Type_struct", "i:count I:array_of_blocklengths i T:array_of_types t:newtype"},
};

static const char *fields_of(uint32_t call, uint32_t version)
{
    for (size_t k = 0; k < BASE_LENGTH(earlier); k++)
        if (version < earlier[k].before && !strcmp(calls[call].name, earlier[k].name))
            return earlier[k].fields;
    return calls[call].fields;
}

static void cut(struct replay_dumpi_layout *l, const char *fields)
{
    bool at_root = false;
    for (const char *at = fields, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, " ");
        if (*at == '?' || *at == '.') {
            at_root = *at == '?';
            continue;
        }
        BASE_ASSERT("fields of a call", l->n < REPLAY_DUMPI_FIELDS);
        size_t length = (size_t)(end - at);
        l->field[l->n++] = (struct replay_dumpi_field){.kind = *at,
                                                       .at_root = at_root,
                                                       .name = length > 2 ? at + 2 : at,
                                                       .length = length > 2 ? length - 2 : 0};
    }
    l->unknown = *fields == '!';
}

static int find_field(const struct replay_dumpi_layout *l, const char *name)
{
    size_t length = strlen(name);
    for (uint32_t k = 0; k < l->n; k++)
        if (l->field[k].length == length && !memcmp(l->field[k].name, name, length))
            return (int)k;
    return -1;
}

void replay_dumpi_layouts(struct replay_dumpi_layouts *all, uint32_t version)
{
    all->version = version;
    for (uint32_t call = 0; call < REPLAY_DUMPI_CALLS; call++) {
        struct replay_dumpi_layout *l = &all->of[call];
        const char *name = calls[call].name;
        *l = (struct replay_dumpi_layout){
            .name = name, .how = calls[call].how, .function = record_mpi_find(name, strlen(name))};
        cut(l, fields_of(call, version));
        if (l->how != REPLAY_DUMPI_PLAYED)
            continue;
        BASE_ASSERT("a call that is played has a number", l->function < record_mpi_count);
        for (uint32_t k = 0; k < record_mpi[l->function].n; k++)
            l->of[k] = (int8_t)find_field(l, record_mpi[l->function].param[k].name);
    }
}

const struct replay_dumpi_value *replay_dumpi_value(const struct replay_dumpi_record *r, const char *name)
{
    int k = find_field(r->layout, name);
    return k >= 0 && r->value[k].there ? &r->value[k] : NULL;
}

/* --- reading --------------------------------------------------------------------------------------------- */

struct reading {
    struct replay_dumpi_record *r;
    struct replay_dumpi_bytes *b;
    uint32_t version;
    bool statuses;
    struct base_status *st;
};

/* How many bytes an element has, and whether it may be negative. */
static unsigned width_of(char kind, bool *negative)
{
    *negative = kind == 'i' || kind == 'I' || kind == 'M' || kind == 'l';
    switch (kind) {
    case 'b':
    case 'D':
    case 'o':
    case 'S':
        return 1;
    case 'h':
    case 'H':
    case 't':
    case 'T':
    case 'c':
    case 'g':
    case 'w':
        return 2;
    case 'l':
        return 8;
    default:
        return 4;
    }
}

static int read_number(const struct reading *x, char kind, int64_t *value)
{
    bool negative;
    uint64_t bits;
    unsigned width = width_of(kind, &negative);
    if (replay_dumpi_number(x->b, width, &bits, x->st))
        return -1;
    *value = negative && width == 4 ? (int32_t)bits : (int64_t)bits;
    return 0;
}

static int read_length(const struct reading *x, int64_t *n)
{
    if (read_number(x, 'i', n))
        return -1;
    if (*n >= 0)
        return 0;
    return base_fail(x->st, "%s: byte %" PRIu64 ", %s: an array of %" PRId64 " elements; expected 0 or more",
                     replay_input_path(x->b->in), x->b->at - 4, x->r->layout->name, *n);
}

/* Appends an array's elements to the record's numbers. */
static int read_array(const struct reading *x, char kind)
{
    int64_t n, value;
    if (read_length(x, &n))
        return -1;
    for (; n > 0; n--) {
        if (read_number(x, kind, &value))
            return -1;
        BASE_ARRAY_PUSH(&x->r->numbers, value);
    }
    return 0;
}

static int read_arrays(const struct reading *x)
{
    int64_t n;
    if (read_length(x, &n))
        return -1;
    for (; n > 0; n--)
        if (read_array(x, 'I'))
            return -1;
    return 0;
}

static int skip_text(const struct reading *x, unsigned nested)
{
    int64_t n;
    if (read_length(x, &n))
        return -1;
    if (!nested)
        return replay_dumpi_skip(x->b, (uint64_t)n, x->st);
    for (; n > 0; n--)
        if (skip_text(x, nested - 1))
            return -1;
    return 0;
}

/* Of each status bytes, source, whether it was cancelled, error; the tag is there since 0.6.3. */
static int read_statuses(const struct reading *x)
{
    enum { TAGGED = 0x000603, LENGTH = 4 + 4 + 1 + 1, TAG = 4 };
    int64_t n;
    if (!x->statuses)
        return 0;
    if (read_length(x, &n))
        return -1;
    unsigned length = LENGTH + (x->version >= TAGGED ? TAG : 0);
    if (n != 1)
        return replay_dumpi_skip(x->b, (uint64_t)n * length, x->st);
    x->r->has_source = true;
    if (replay_dumpi_skip(x->b, 4, x->st) || read_number(x, 'i', &x->r->source))
        return -1;
    return replay_dumpi_skip(x->b, length - 8, x->st);
}

static int read_field(const struct reading *x, char kind, struct replay_dumpi_value *v)
{
    v->there = true;
    v->first = x->r->numbers.n;
    int rc;
    switch (kind) {
    case 's':
        return read_statuses(x);
    case 'S':
    case 'A':
    case 'B':
        return skip_text(x, kind == 'S' ? 0 : kind == 'A' ? 1 : 2);
    case 'I':
    case 'R':
    case 'T':
    case 'D':
    case 'H':
    case 'M':
        rc = kind == 'M' ? read_arrays(x) : read_array(x, kind);
        v->n = x->r->numbers.n - v->first;
        return rc;
    default:
        return read_number(x, kind, &v->number);
    }
}

int replay_dumpi_fields(struct replay_dumpi_record *r, const struct replay_dumpi_layouts *all, uint32_t call,
                        bool statuses, struct replay_dumpi_bytes *b, struct base_status *st)
{
    const struct replay_dumpi_layout *l = r->layout = &all->of[call];
    struct reading x = {.r = r, .b = b, .version = all->version, .statuses = statuses, .st = st};
    r->numbers.n = 0;
    r->has_source = false;
    memset(r->value, 0, sizeof r->value);
    for (uint32_t k = 0; k < l->n; k++) {
        if (l->field[k].at_root &&
            replay_dumpi_value(r, "me")->number != replay_dumpi_value(r, "root")->number)
            continue;
        if (read_field(&x, l->field[k].kind, &r->value[k]))
            return -1;
    }
    return 0;
}
