/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layouts: moving data along layouts, and operators, beside what one would write by hand. Compiled with -O3.
 *
 *     layouts            measures each figure both ways in turn, and prints the medians of the ratios
 *     layouts SIDE NAME  prints `side megabytes cpu_seconds` of one, "ours" or "plain" (bench/run)
 */
#include "types/types.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 31, MOST = 8 << 20, SPAN = 16 * MOST };

static unsigned char *memory, *packed, *other;
static struct types_layout *layout, *second;
static uint64_t volume; /* bytes of data moved or computed at once */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- ours ----------------------------------------------------------------------------------------- */

static void pack(void)
{
    types_pack(layout, 1, memory, 0, volume, packed);
}

static void unpack(void)
{
    types_unpack(layout, 1, memory, 0, volume, packed);
}

static void copy(void)
{
    types_copy(&(struct types_view){second, 1, 0}, other, &(struct types_view){layout, 1, 0}, memory, volume);
}

#define OPERATOR(name, op, e)                                                                                \
    static void op_##name(void)                                                                              \
    {                                                                                                        \
        uint64_t n = volume / types_element_info(e)->extent;                                                 \
        types_operator(op, e)(memory, memory, packed, n);                                                    \
    }

/* --- by hand -------------------------------------------------------------------------------------- */

static void plain_copy(void)
{
    memcpy(packed, memory, volume);
}

/* What the memory makes of runs of 256 bytes with gaps between them. */
static void plain_runs(void)
{
    for (uint64_t k = 0; k < volume / 256; k++)
        memcpy(packed + 256 * k, memory + 512 * k, 256);
}

#define GATHER(T, stride)                                                                                    \
    static void gather_##T##_##stride(void)                                                                  \
    {                                                                                                        \
        T *out = (T *)(void *)packed;                                                                        \
        const T *in = (const T *)(void *)memory;                                                             \
        for (uint64_t k = 0, n = volume / sizeof(T); k < n; k++)                                             \
            out[k] = in[k * (stride)];                                                                       \
    }                                                                                                        \
    static void scatter_##T##_##stride(void)                                                                 \
    {                                                                                                        \
        const T *in = (const T *)(void *)packed;                                                             \
        T *out = (T *)(void *)memory;                                                                        \
        for (uint64_t k = 0, n = volume / sizeof(T); k < n; k++)                                             \
            out[k * (stride)] = in[k];                                                                       \
    }
GATHER(double, 2)
GATHER(double, 4)
GATHER(double, 16)
GATHER(int, 2)

static void from_4_to_2(void)
{
    double *out = (double *)(void *)other;
    const double *in = (const double *)(void *)memory;
    for (uint64_t k = 0, n = volume / sizeof(double); k < n; k++)
        out[2 * k] = in[4 * k];
}

#define LOOP(name, T, statement)                                                                             \
    static void loop_##name(void)                                                                            \
    {                                                                                                        \
        T *a = (T *)(void *)memory;                                                                          \
        const T *b = (const T *)(void *)packed;                                                              \
        for (uint64_t k = 0, n = volume / sizeof(T); k < n; k++)                                             \
            statement;                                                                                       \
    }
struct double_int {
    double value;
    int place;
};
#define BOTH(name, op, e, T, statement)                                                                      \
    OPERATOR(name, op, e)                                                                                    \
    LOOP(name, T, statement)
BOTH(sum_double, TYPES_SUM, TYPES_DOUBLE, double, a[k] += b[k])
BOTH(sum_float, TYPES_SUM, TYPES_FLOAT, float, a[k] += b[k])
BOTH(max_double, TYPES_MAX, TYPES_DOUBLE, double, a[k] = a[k] < b[k] ? b[k] : a[k])
BOTH(max_int, TYPES_MAX, TYPES_INT, int, a[k] = a[k] < b[k] ? b[k] : a[k])
BOTH(sum_short, TYPES_SUM, TYPES_SHORT, short, a[k] = (short)(a[k] + b[k]))
BOTH(prod_long, TYPES_PROD, TYPES_ULONG, unsigned long, a[k] *= b[k])
BOTH(bxor_long, TYPES_BXOR, TYPES_LONG, long, a[k] ^= b[k])
BOTH(land_int, TYPES_LAND, TYPES_INT, int, a[k] = a[k] && b[k])
BOTH(prod_complex, TYPES_PROD, TYPES_COMPLEX_DOUBLE, double complex, a[k] *= b[k])
BOTH(sum_longdouble, TYPES_SUM, TYPES_LONGDOUBLE, long double, a[k] += b[k])
BOTH(minloc, TYPES_MINLOC, TYPES_DOUBLE_INT, struct double_int,
     if (b[k].value < a[k].value || (b[k].value == a[k].value && b[k].place < a[k].place)) a[k] = b[k])

/* --- figures -------------------------------------------------------------------------------------- */

struct figure {
    const char *name;
    void (*ours)(void), (*plain)(void);
    uint64_t volume;
    int64_t run, stride; /* bytes; 0: not a vector */
    bool irregular;      /* runs at distances that differ */
};
#define SMALL (64 << 10)
static const struct figure figures[] = {
    {"pack dense", pack, plain_copy, SMALL, SMALL, SMALL, false},
    {"pack runs of 256", pack, plain_copy, SMALL, 256, 512, false},
    {"pack runs of 256, irregular", pack, plain_copy, SMALL, 256, 512, true},
    {"pack runs of 1024", pack, plain_copy, SMALL, 1024, 2048, false},
    {"pack runs of 1024, irregular", pack, plain_copy, SMALL, 1024, 2048, true},
    {"pack runs of 256, 8 MiB", pack, plain_copy, MOST, 256, 512, false},
    {"pack runs of 256, irregular, 8 MiB", pack, plain_copy, MOST, 256, 512, true},
    {"the same beside a loop of copies", pack, plain_runs, MOST, 256, 512, true},
    {"regular beside a loop of copies", pack, plain_runs, MOST, 256, 512, false},
    {"unpack runs of 256", unpack, plain_copy, SMALL, 256, 512, false},
    {"pack doubles, stride 2", pack, gather_double_2, SMALL, 8, 16, false},
    {"pack doubles, stride 4", pack, gather_double_4, SMALL, 8, 32, false},
    {"pack doubles, stride 16", pack, gather_double_16, SMALL, 8, 128, false},
    {"pack doubles, stride 2, 8 MiB", pack, gather_double_2, MOST, 8, 16, false},
    {"pack ints, stride 2", pack, gather_int_2, SMALL, 4, 8, false},
    {"unpack doubles, stride 2", unpack, scatter_double_2, SMALL, 8, 16, false},
    {"unpack doubles, stride 4", unpack, scatter_double_4, SMALL, 8, 32, false},
    {"unpack doubles, stride 16", unpack, scatter_double_16, SMALL, 8, 128, false},
    {"copy doubles, stride 4 to 2", copy, from_4_to_2, SMALL, 8, 32, false},
    {"sum double", op_sum_double, loop_sum_double, SMALL, 0, 0, false},
    {"sum double, 256 bytes", op_sum_double, loop_sum_double, 256, 0, 0, false},
    {"sum float", op_sum_float, loop_sum_float, SMALL, 0, 0, false},
    {"max double", op_max_double, loop_max_double, SMALL, 0, 0, false},
    {"max int", op_max_int, loop_max_int, SMALL, 0, 0, false},
    {"sum short", op_sum_short, loop_sum_short, SMALL, 0, 0, false},
    {"prod unsigned long", op_prod_long, loop_prod_long, SMALL, 0, 0, false},
    {"bxor long", op_bxor_long, loop_bxor_long, SMALL, 0, 0, false},
    {"land int", op_land_int, loop_land_int, SMALL, 0, 0, false},
    {"prod double complex", op_prod_complex, loop_prod_complex, SMALL, 0, 0, false},
    {"sum long double", op_sum_longdouble, loop_sum_longdouble, SMALL, 0, 0, false},
    {"minloc double, int", op_minloc, loop_minloc, SMALL, 0, 0, false},
};

static struct types_layout *runs(const struct figure *f, int64_t stride)
{
    struct base_status st;
    const struct types_layout *byte = types_layout_of(TYPES_BYTE);
    int64_t n = (int64_t)f->volume / f->run;
    if (!f->irregular)
        return types_layout_hvector(n, f->run, stride, byte, &st);
    int64_t *offsets = calloc((size_t)n, sizeof *offsets);
    for (int64_t k = 0; k < n; k++)
        offsets[k] = k * stride + (k % 3 ? 64 : 0);
    struct types_layout *made = types_layout_hindexed_block(n, f->run, offsets, byte, &st);
    free(offsets);
    return made;
}

static void prepare(const struct figure *f)
{
    types_layout_release(layout);
    types_layout_release(second);
    layout = second = NULL;
    volume = f->volume;
    if (f->run) {
        layout = runs(f, f->stride);
        second = runs(f, 2 * f->run);
    }
    for (size_t k = 0; k < MOST; k += sizeof(double)) { /* sums and products of them remain numbers */
        double one = 1, zero = 0;
        memcpy(memory + k, &one, sizeof one);
        memcpy(packed + k, k / 8 % 2 ? &zero : &one, sizeof one);
    }
}

/* CPU seconds of some 64 MiB. */
static double once(const struct figure *f, void (*side)(void))
{
    uint64_t times = (UINT64_C(64) << 20) / f->volume;
    double start = cpu_seconds();
    for (uint64_t k = 0; k < times; k++)
        side();
    return cpu_seconds() - start;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void compare(const struct figure *f)
{
    double ratio[ROUNDS], ours[ROUNDS];
    prepare(f);
    once(f, f->ours);
    once(f, f->plain);
    for (int k = 0; k < ROUNDS; k++) {
        ours[k] = once(f, f->ours);
        ratio[k] = once(f, f->plain) / ours[k];
    }
    qsort(ratio, ROUNDS, sizeof *ratio, by_value);
    qsort(ours, ROUNDS, sizeof *ours, by_value);
    printf("%-36s %6.2f GB/s, %5.2f of the speed by hand (%.2f to %.2f)\n", f->name,
           (double)(64 << 20) / ours[ROUNDS / 2] * 1e-9, ratio[ROUNDS / 2], ratio[ROUNDS / 4],
           ratio[3 * ROUNDS / 4]);
}

static int print_one(const char *side, const char *name)
{
    for (const struct figure *f = figures; f < figures + BASE_LENGTH(figures); f++) {
        if (strcmp(f->name, name) != 0)
            continue;
        void (*run)(void) = strcmp(side, "ours") == 0 ? f->ours : f->plain;
        prepare(f);
        once(f, run);
        double cost = 0;
        for (int k = 0; k < ROUNDS / 4; k++)
            cost += once(f, run);
        printf("%s %.0f %.6f\n", side, 1e-6 * (64 << 20) * (ROUNDS / 4), cost);
        return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    memory = aligned_alloc(64, SPAN);
    packed = aligned_alloc(64, MOST);
    other = aligned_alloc(64, SPAN);
    memset(memory, 1, SPAN);
    memset(other, 1, SPAN);
    if (argc == 3)
        return print_one(argv[1], argv[2]);
    for (size_t k = 0; k < BASE_LENGTH(figures); k++)
        compare(&figures[k]);
    return 0;
}
