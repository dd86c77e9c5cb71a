/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random datatypes, nested up to five deep, of all constructors. Their type maps are built here, from what
 * MPI_Type_get_envelope and MPI_Type_get_contents tell, by the rules of MPI-5.0 sections 5.1.2 to 5.1.7, and
 * compared with packed and unpacked bytes, sizes and bounds.
 *
 * Arguments: how many datatypes each rank makes, and the first seed. Prints each seed with a hash of all that was
 * compared. For oracle/types_compare.py it is also compiled by another MPI library, with OTHER_LIBRARY: then what
 * that one has otherwise is printed in the hash's place, and the program goes on.
 */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 3 -- 300
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 20000, MOST_BYTES = 1500, SPAN = 20000, DEPTH = 5 };

static uint64_t state;
static unsigned below(unsigned n)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((state >> 33) % n);
}

static unsigned long long seed;
static const char *finding; /* of OTHER_LIBRARY */
static void wrong(const char *what, long long is, long long expected)
{
#ifdef OTHER_LIBRARY
    finding = finding ? finding : what;
    (void)is, (void)expected;
#else
    fprintf(stderr, "seed %llu: %s is %lld, expected %lld\n", seed, what, is, expected);
    exit(1);
#endif
}
static void same(const char *what, long long is, long long expected)
{
    if (is != expected)
        wrong(what, is, expected);
}

/* --- random datatypes --------------------------------------------------------------------------------- */

static const MPI_Datatype basic[] = {MPI_CHAR,  MPI_SHORT,     MPI_INT,       MPI_DOUBLE,
                                     MPI_FLOAT, MPI_LONG_LONG, MPI_DOUBLE_INT};

static MPI_Datatype make(int depth);

static MPI_Datatype make_array(MPI_Datatype of)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    int n = 1 + (int)below(3), size[3], part[3], start[3], order = below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    int how[3], arg[3], grid[3], processes = 1;
    for (int k = 0; k < n; k++) {
        size[k] = 1 + (int)below(7);
        part[k] = 1 + (int)below((unsigned)size[k]);
        start[k] = (int)below((unsigned)(size[k] - part[k] + 1));
        grid[k] = 1 + (int)below(3);
        how[k] = below(2) ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC;
        arg[k] = below(2) ? MPI_DISTRIBUTE_DFLT_DARG : (size[k] - 1) / grid[k] + 1 + (int)below(2);
        if (how[k] == MPI_DISTRIBUTE_CYCLIC && below(2))
            arg[k] = 1 + (int)below(2);
        if (below(4) == 0) {
            how[k] = MPI_DISTRIBUTE_NONE;
            grid[k] = 1;
        }
        processes *= grid[k];
    }
    if (below(2))
        MPI_Type_create_subarray(n, size, part, start, order, of, &t);
    else
        MPI_Type_create_darray(processes, (int)below((unsigned)processes), n, size, how, arg, grid, order, of,
                               &t);
    if (t == MPI_DATATYPE_NULL) {
        wrong("an array is refused", 1, 0);
        MPI_Type_dup(of, &t);
    }
    return t;
}

/* One of the constructors of lists. */
static MPI_Datatype make_list(MPI_Datatype of, int depth)
{
    MPI_Datatype t, types[4];
    int n = 1 + (int)below(4), length[4], place[4];
    MPI_Aint at[4];
    for (int k = 0; k < n; k++) {
        length[k] = (int)below(4);
        place[k] = (int)below(12) - 2;
        at[k] = ((MPI_Aint)below(16) - 3) * (below(4) ? 8 : 1);
        types[k] = of;
    }
    switch (below(5)) {
    case 0:
        MPI_Type_indexed(n, length, place, of, &t);
        break;
    case 1:
        MPI_Type_create_hindexed(n, length, at, of, &t);
        break;
    case 2:
        MPI_Type_create_indexed_block(n, 1 + (int)below(2), place, of, &t);
        break;
    case 3:
        MPI_Type_create_hindexed_block(n, 1 + (int)below(2), at, of, &t);
        break;
    default:
        for (int k = 1; k < n; k++)
            types[k] = make(depth - 1);
        MPI_Type_create_struct(n, length, at, types, &t);
        for (int k = 1; k < n; k++)
            MPI_Type_free(&types[k]);
    }
    return t;
}

static MPI_Datatype make_from(MPI_Datatype of, int depth)
{
    MPI_Datatype t;
    MPI_Aint lb, extent;
    switch (below(8)) {
    case 0:
        MPI_Type_contiguous((int)below(5), of, &t);
        return t;
    case 1:
        MPI_Type_vector((int)below(4), (int)below(3), (int)below(9) - 3, of, &t);
        return t;
    case 2:
        MPI_Type_create_hvector((int)below(4), 1 + (int)below(3), ((MPI_Aint)below(20) - 6) * 8, of, &t);
        return t;
    case 3:
        MPI_Type_get_extent(of, &lb, &extent);
        MPI_Type_create_resized(of, lb - (MPI_Aint)below(3) * 8, extent + (MPI_Aint)below(4) * 8, &t);
        return t;
    case 4:
        MPI_Type_dup(of, &t);
        return t;
    case 5:
        return make_array(of);
    default:
        return make_list(of, depth);
    }
}

/* The old datatypes are freed: new ones keep what they need. Too large ones are given up. */
static MPI_Datatype make(int depth)
{
    MPI_Datatype t, of;
    if (depth == 0) {
        MPI_Type_dup(basic[below(sizeof basic / sizeof *basic)], &t);
        return t;
    }
    of = make(depth - 1);
    t = make_from(of, depth);
    int size;
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Type_size(t, &size);
    MPI_Type_get_extent(t, &lb, &extent);
    MPI_Type_get_true_extent(t, &true_lb, &true_extent);
    if (size > MOST_BYTES || labs(lb) > SPAN || labs(extent) > SPAN || true_extent > SPAN) {
        MPI_Type_free(&t);
        return of;
    }
    MPI_Type_free(&of);
    return t;
}

/* --- type maps ---------------------------------------------------------------------------------------- */

static struct {
    MPI_Aint offset;
    int bytes;
} map[ENTRIES];
static int entries;

struct bounds {
    MPI_Aint lower, upper, true_lower, true_upper;
    int any, marked, align; /* whether there is data; whether the bounds are explicit */
};
static const struct bounds nothing = {.align = 1};

static void join(struct bounds *b, const struct bounds *part, MPI_Aint at)
{
    if (part->any) {
        b->true_lower =
            !b->any || part->true_lower + at < b->true_lower ? part->true_lower + at : b->true_lower;
        b->true_upper =
            !b->any || part->true_upper + at > b->true_upper ? part->true_upper + at : b->true_upper;
        b->any = 1;
    }
    if (part->marked) {
        b->lower = !b->marked || part->lower + at < b->lower ? part->lower + at : b->lower;
        b->upper = !b->marked || part->upper + at > b->upper ? part->upper + at : b->upper;
        b->marked = 1;
    }
    if (part->align > b->align)
        b->align = part->align;
}

static void finish(struct bounds *b)
{
    if (b->marked)
        return;
    MPI_Aint length = b->true_upper - b->true_lower;
    b->lower = b->true_lower;
    b->upper = b->true_upper + (b->align - length % b->align) % b->align;
}

static struct bounds walk(MPI_Datatype t, MPI_Aint at);

/* `n` items of a datatype, the first at `at`. */
static void block(struct bounds *b, MPI_Datatype of, MPI_Aint extent, int n, MPI_Aint base, MPI_Aint at)
{
    for (int i = 0; i < n; i++) {
        struct bounds one = walk(of, base + at + i * extent);
        join(b, &one, at + i * extent);
    }
}

static struct bounds named(MPI_Datatype t, MPI_Aint at)
{
    struct bounds b = nothing;
    int size;
    MPI_Type_size(t, &size);
    b.any = 1;
    map[entries].offset = at;
    map[entries++].bytes = t == MPI_DOUBLE_INT ? 8 : size;
    b.align = t == MPI_DOUBLE_INT ? 8 : size;
    b.true_upper = size;
    if (t == MPI_DOUBLE_INT) {
        map[entries].offset = at + 8;
        map[entries++].bytes = 4;
    }
    finish(&b);
    return b;
}

/* Whether process `me` of a dimension has index i. */
static int has(int i, int me, int size, int how, int arg, int processes)
{
    if (how == MPI_DISTRIBUTE_NONE)
        return 1;
    int length = arg != MPI_DISTRIBUTE_DFLT_DARG ? arg
                 : how == MPI_DISTRIBUTE_BLOCK   ? (size - 1) / processes + 1
                                                 : 1;
    return i / length % processes == me;
}

/* Subarrays and distributed arrays: all elements in the order of memory, of which some are taken. */
static struct bounds array(int combiner, const int *i, MPI_Datatype of, MPI_Aint extent, MPI_Aint base)
{
    struct bounds b = nothing;
    int is_sub = combiner == MPI_COMBINER_SUBARRAY, n = is_sub ? i[0] : i[2];
    const int *size = is_sub ? i + 1 : i + 3;
    int order = size[(is_sub ? 3 : 4) * n], all = 1, mine[3] = {0}, me = is_sub ? 0 : i[1];
    for (int k = n; k-- > 0;) {
        all *= size[k];
        mine[k] = is_sub ? 0 : me % size[3 * n + k];
        me = is_sub ? 0 : me / size[3 * n + k];
    }
    for (int e = 0; e < all; e++) {
        int rest = e, taken = 1;
        for (int j = 0; j < n; j++) {
            int k = order == MPI_ORDER_FORTRAN ? j : n - 1 - j, x = rest % size[k];
            rest /= size[k];
            taken =
                taken && (is_sub ? x >= size[2 * n + k] && x < size[2 * n + k] + size[n + k]
                                 : has(x, mine[k], size[k], size[n + k], size[2 * n + k], size[3 * n + k]));
        }
        if (taken)
            block(&b, of, extent, 1, base, e * extent);
    }
    b.marked = 1;
    b.lower = 0;
    b.upper = all * extent;
    return b;
}

static struct bounds derived(int combiner, const int *i, const MPI_Aint *a, const MPI_Datatype *of,
                             int n_types, MPI_Aint base)
{
    struct bounds b = nothing, one = nothing;
    int keep = entries;
    MPI_Aint extent = 0;
    if (n_types && combiner != MPI_COMBINER_STRUCT) { /* only its bounds */
        one = walk(of[0], base);
        entries = keep;
        extent = one.upper - one.lower;
    }
    int n = n_types ? i[0] : 0;
    switch (combiner) {
    case MPI_COMBINER_DUP:
        return walk(of[0], base);
    case MPI_COMBINER_CONTIGUOUS:
        block(&b, of[0], extent, n, base, 0);
        break;
    case MPI_COMBINER_RESIZED:
        b = walk(of[0], base);
        b.lower = a[0];
        b.upper = a[0] + a[1];
        b.marked = 1;
        break;
    case MPI_COMBINER_SUBARRAY:
    case MPI_COMBINER_DARRAY:
        b = array(combiner, i, of[0], extent, base);
        break;
    default:
        for (int k = 0; k < n; k++) {
            if (combiner == MPI_COMBINER_VECTOR)
                block(&b, of[0], extent, i[1], base, k * i[2] * extent);
            else if (combiner == MPI_COMBINER_HVECTOR)
                block(&b, of[0], extent, i[1], base, k * a[0]);
            else if (combiner == MPI_COMBINER_INDEXED)
                block(&b, of[0], extent, i[1 + k], base, i[1 + n + k] * extent);
            else if (combiner == MPI_COMBINER_HINDEXED)
                block(&b, of[0], extent, i[1 + k], base, a[k]);
            else if (combiner == MPI_COMBINER_INDEXED_BLOCK)
                block(&b, of[0], extent, i[1], base, i[2 + k] * extent);
            else if (combiner == MPI_COMBINER_HINDEXED_BLOCK)
                block(&b, of[0], extent, i[1], base, a[k]);
            else if (combiner == MPI_COMBINER_STRUCT) {
                keep = entries;
                one = walk(of[k], base);
                entries = keep;
                block(&b, of[k], one.upper - one.lower, i[1 + k], base, a[k]);
            } else
                wrong("a combiner", combiner, 0);
        }
    }
    finish(&b);
    return b;
}

/* Appends the entries of a datatype at `at` to the map. */
static struct bounds walk(MPI_Datatype t, MPI_Aint at)
{
    int n[3], combiner, i[64], unused[3], inner;
    MPI_Aint a[16];
    MPI_Datatype of[16];
    MPI_Type_get_envelope(t, &n[0], &n[1], &n[2], &combiner);
    if (combiner == MPI_COMBINER_NAMED)
        return named(t, at);
    MPI_Type_get_contents(t, n[0], n[1], n[2], i, a, of);
    struct bounds b = derived(combiner, i, a, of, n[2], at);
    for (int k = 0; k < n[2]; k++) {
        MPI_Type_get_envelope(of[k], &unused[0], &unused[1], &unused[2], &inner);
        if (inner != MPI_COMBINER_NAMED)
            MPI_Type_free(&of[k]);
    }
    return b;
}

/* --- comparing ---------------------------------------------------------------------------------------- */

static unsigned long long mix(unsigned long long h, unsigned long long x)
{
    return (h ^ x) * 1099511628211ULL;
}

static unsigned long long check_bytes(MPI_Datatype t, const struct bounds *b, int bytes)
{
    enum { ITEMS = 2 };
    static char memory[8 * SPAN], back[8 * SPAN], expected[8 * SPAN], packed[4 * MOST_BYTES],
        naive[4 * MOST_BYTES];
    char *middle = memory + 4 * SPAN, *to = expected + 4 * SPAN;
    MPI_Aint extent = b->upper - b->lower;
    unsigned long long h = 14695981039346656037ULL;
    int n = 0, position = 0, size;
    for (size_t k = 0; k < sizeof memory; k++)
        memory[k] = (char)(k * 7919 >> 3);
    memset(back, 0x5a, sizeof back);
    memset(expected, 0x5a, sizeof expected);
    for (int item = 0; item < ITEMS; item++)
        for (int k = 0; k < entries; k++) {
            memcpy(naive + n, middle + item * extent + map[k].offset, (size_t)map[k].bytes);
            memcpy(to + item * extent + map[k].offset, naive + n, (size_t)map[k].bytes);
            n += map[k].bytes;
        }
    MPI_Pack_size(ITEMS, t, MPI_COMM_SELF, &size);
    if (size < n)
        wrong("MPI_Pack_size", size, n);
    MPI_Pack(middle, ITEMS, t, packed, sizeof packed, &position, MPI_COMM_SELF);
    same("the packed size", position, ITEMS * bytes);
    same("the data as packed", memcmp(packed, naive, (size_t)n), 0);
    position = 0;
    MPI_Unpack(packed, n, &position, back + 4 * SPAN, ITEMS, t, MPI_COMM_SELF);
    same("the data as unpacked", memcmp(back, expected, sizeof back), 0);
    for (int k = 0; k < n; k++)
        h = mix(h, (unsigned char)packed[k]);
    return h;
}

static unsigned long long check(MPI_Datatype t)
{
    int size, bytes = 0;
    MPI_Aint lb, extent, true_lb, true_extent;
    entries = 0;
    struct bounds b = walk(t, 0);
    for (int k = 0; k < entries; k++)
        bytes += map[k].bytes;
    MPI_Type_size(t, &size);
    same("the size", size, bytes);
    MPI_Type_get_extent(t, &lb, &extent);
    MPI_Type_get_true_extent(t, &true_lb, &true_extent);
    same("the lower bound", lb, b.lower);
    same("the extent", extent, b.upper - b.lower);
    same("the true lower bound", true_lb, b.true_lower);
    same("the true extent", true_extent, b.true_upper - b.true_lower);
    if (finding)
        return 0;
    MPI_Type_commit(&t);
    unsigned long long h = check_bytes(t, &b, bytes);
    return mix(
        mix(mix(mix(h, (unsigned long long)lb), (unsigned long long)extent), (unsigned long long)true_lb),
        (unsigned long long)true_extent);
}

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#ifdef OTHER_LIBRARY
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    setbuf(stdout, NULL);
#endif
    int n = argc > 1 ? atoi(argv[1]) : 100;
    unsigned long long first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int k = 0; k < n; k++) {
        seed = first + (unsigned long long)me * 1000000 + (unsigned long long)k;
        state = seed * 0x9e3779b97f4a7c15ULL;
        finding = NULL;
        MPI_Datatype t = make(1 + (int)below(DEPTH));
        unsigned long long hash = check(t);
        if (finding)
            printf("%llu %s\n", seed, finding);
        else
            printf("%llu %016llx\n", seed, hash);
        MPI_Type_free(&t);
    }
    MPI_Finalize();
    return 0;
}
