// SPDX-License-Identifier: BSD-3-Clause
// Reductions and scans in their three forms, with predefined operations and with functions of the program:
// products of 2 by 2 matrices, which do not commute, dense and with gaps. (MPI-5.0 sections 6.9 to 6.11)
// run: -np 1
// stdout: reductions: right
// run: -np 2
// stdout: reductions: right
// run: -np 3
// stdout: reductions: right
// run: -np 7
// stdout: reductions: right
// run: -np 16
// stdout: reductions: right
// run: -np 33
// stdout: reductions: right
// run: -np 7 --quiet --cfg=smpi/coll-selector:automatic
// stdout: reductions: right
#include "mpi_coll.h"

enum { MOST = 40, ITEMS = 60, ROUNDS = 5, PRIME = 10007 };
enum { DENSE, GAPPY, SUM, MAXLOC, LAND, CASES };

static MPI_Datatype type, matrix[2];
static MPI_Op op, times;
static int kind, commutes, width; /* width: ints of an item's extent */
static int called;

/* Item k of rank r, of 4 ints: a matrix, or numbers. */
static void operand(int r, int k, int *out)
{
    for (int w = 0; w < 4; w++)
        out[w] = kind == MAXLOC ? (w % 2 ? r : (r * 7 + k * 5 + w) % 11) : (r * 31 + k * 17 + w * 5 + 3) % 97;
    if (kind == LAND)
        out[0] = (r + k) % 3, out[1] = 1;
}

static void combine(const int *a, const int *b, int *out)
{
    int c[4];
    if (kind == SUM) {
        for (int w = 0; w < 4; w++)
            c[w] = a[w] + b[w];
    } else if (kind == LAND) {
        for (int w = 0; w < 4; w++)
            c[w] = a[w] && b[w];
    } else if (kind == MAXLOC) {
        for (int w = 0; w < 4; w += 2) {
            const int *best = a[w] >= b[w] ? a : b;
            c[w] = best[w], c[w + 1] = best[w + 1];
        }
    } else {
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                c[2 * i + j] = (a[2 * i] * b[j] + a[2 * i + 1] * b[2 + j]) % PRIME;
    }
    memcpy(out, c, sizeof c);
}

static void multiply(void *in, void *inout, int *len, MPI_Datatype *datatype)
{
    int gappy = *datatype == matrix[GAPPY], extent = gappy ? 10 : 4, a[4], b[4];
    called++;
    for (int k = 0; k < *len; k++) {
        const int *x = (int *)in + k * extent;
        int *y = (int *)inout + k * extent;
        for (int w = 0; w < 4; w++)
            a[w] = x[gappy ? 2 * w : w], b[w] = y[gappy ? 2 * w : w];
        combine(a, b, b);
        for (int w = 0; w < 4; w++)
            y[gappy ? 2 * w : w] = b[w];
    }
}

/* --- buffers: items in the layout of the case ----------------------------------------------------------- */

static int place(int k, int w)
{
    return MARGIN + k * width + (kind == GAPPY ? 2 * w : w);
}
static struct image make(int items)
{
    struct image i = {.size = 2 * MARGIN + items * width, .zero = MARGIN};
    i.memory = malloc((size_t)i.size * sizeof(int));
    i.expected = malloc((size_t)i.size * sizeof(int));
    i.before = malloc((size_t)i.size * sizeof(int));
    for (int n = 0; n < i.size; n++)
        i.memory[n] = i.expected[n] = GAP;
    return i;
}
static void set(int *memory, int k, const int *value)
{
    for (int w = 0; w < 4; w++)
        memory[place(k, w)] = value[w];
}
static void operands(const struct image *i, int items)
{
    for (int k = 0; k < items; k++) {
        int v[4];
        operand(me, k, v);
        set(i->memory, k, v);
        set(i->expected, k, v);
    }
}
/* The operands of ranks 0 to last, reduced: item `from` + k of the result to item k. */
static void result(const struct image *i, int items, int from, int last)
{
    for (int k = 0; k < items; k++) {
        int v[4], more[4];
        operand(0, from + k, v);
        for (int r = 1; r <= last; r++) {
            operand(r, from + k, more);
            combine(v, more, v);
        }
        set(i->expected, k, v);
    }
}

/* --- the operations ------------------------------------------------------------------------------------- */

/* Items of the program's type; the predefined ones count ints or pairs. */
static int number(int items)
{
    return kind == MAXLOC ? 2 * items : kind == SUM || kind == LAND ? 4 * items : items;
}

static void test_same(int items, int in_place)
{
    struct image from = make(items), to = make(items);
    void *source = in_place ? MPI_IN_PLACE : image_at(&from);
    operands(&from, items);
    if (in_place)
        operands(&to, items);
    result(&to, items, 0, ranks - 1);
    FORM(Allreduce, Iallreduce, &to, source, image_at(&to), number(items), type, op, MPI_COMM_WORLD);
    image_check(&to, __LINE__);
    if (in_place)
        operands(&to, items);
    result(&to, items, 0, me);
    FORM(Scan, Iscan, &to, source, image_at(&to), number(items), type, op, MPI_COMM_WORLD);
    image_check(&to, __LINE__);
    if (in_place)
        operands(&to, items);
    if (me)
        result(&to, items, 0, me - 1);
    FORM(Exscan, Iexscan, &to, source, image_at(&to), number(items), type, op, MPI_COMM_WORLD);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_root(int items, int root, int in_place)
{
    struct image from = make(items), to = make(items);
    operands(&from, items);
    in_place = in_place && me == root;
    if (in_place)
        operands(&to, items);
    if (me == root)
        result(&to, items, 0, ranks - 1);
    FORM(Reduce, Ireduce, &to, in_place ? MPI_IN_PLACE : image_at(&from), me == root ? image_at(&to) : NULL,
         number(items), type, op, root, MPI_COMM_WORLD);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_parts(int items, int in_place)
{
    int counts[MOST], numbers[MOST], before = 0, all = 0;
    for (int r = 0; r < ranks; r++) {
        counts[r] = (int)below(4);
        numbers[r] = number(counts[r]);
        before += r < me ? counts[r] : 0;
        all += counts[r];
    }
    int most = all > items * ranks ? all : items * ranks;
    struct image from = make(most), to = make(most);
    operands(&from, most);
    if (in_place)
        operands(&to, all);
    result(&to, counts[me], before, ranks - 1);
    FORM(Reduce_scatter, Ireduce_scatter, &to, in_place ? MPI_IN_PLACE : image_at(&from), image_at(&to),
         numbers, type, op, MPI_COMM_WORLD);
    if (!in_place) /* else the rest is undefined */
        image_check(&to, __LINE__);
    image_free(&to);
    to = make(most);
    if (in_place)
        operands(&to, items * ranks);
    result(&to, items, me * items, ranks - 1);
    FORM(Reduce_scatter_block, Ireduce_scatter_block, &to, in_place ? MPI_IN_PLACE : image_at(&from),
         image_at(&to), number(items), type, op, MPI_COMM_WORLD);
    CHECK(!memcmp(to.memory + MARGIN, to.expected + MARGIN, (size_t)(items * width) * sizeof(int)));
    if (!in_place)
        image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_local(int items)
{
    struct image from = make(items), to = make(items);
    int v[4], u[4];
    operands(&from, items);
    operands(&to, items);
    for (int k = 0; k < items; k++) {
        operand(me, k, v);
        combine(v, v, u);
        set(to.expected, k, u);
    }
    what = "Reduce_local";
    CHECK(MPI_Reduce_local(image_at(&from), image_at(&to), number(items), type, op) == MPI_SUCCESS);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void choose(int which)
{
    static const int widths[CASES] = {4, 10, 4, 4, 4};
    kind = which;
    width = widths[which];
    type = which == SUM || which == LAND ? MPI_INT : which == MAXLOC ? MPI_2INT : matrix[which];
    op = which == SUM ? MPI_SUM : which == LAND ? MPI_LAND : which == MAXLOC ? MPI_MAXLOC : times;
    MPI_Op_commutative(op, &commutes);
    CHECK(commutes == (which > GAPPY));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Datatype gaps;
    MPI_Type_contiguous(4, MPI_INT, &matrix[DENSE]);
    MPI_Type_vector(4, 1, 2, MPI_INT, &gaps);
    MPI_Type_create_resized(gaps, 0, 40, &matrix[GAPPY]);
    MPI_Type_free(&gaps);
    for (int k = 0; k < 2; k++)
        MPI_Type_commit(&matrix[k]);
    MPI_Op_create(multiply, 0, &times);
    for (int round = 0; round < ROUNDS * FORMS * CASES; round++) {
        form = round % FORMS;
        choose(round / FORMS % CASES);
        int items = below(5) ? (int)below(ITEMS) : 0, in_place = (int)below(2),
            root = (int)below((unsigned)ranks);
        test_same(items, in_place);
        test_root(items, root, in_place);
        test_parts(items % 7, in_place);
        test_local(items);
    }
    CHECK(called > 0);
    CHECK(MPI_Op_free(&times) == MPI_SUCCESS && times == MPI_OP_NULL);
    for (int k = 0; k < 2; k++)
        MPI_Type_free(&matrix[k]);
    return finish("reductions");
}
