/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accumulates that several ranks make at once, of which the standard fixes no order: what they returned and
 * what they left must be the outcome of some order that it allows (MPI-5.0 section 12.7.2). Rank 0 looks for
 * one, naively. Each element of an operation is an atom; which atoms of a rank are in order depends on the
 * window's hint and on flushes.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 3 -- 1 100
// stdout: done
// run: -np 3 --map-by host -- 2 100
// stdout: done
// run: -np 2 --map-by host --set rdma/profile=software -- 3 100
// stdout: done
// run: -np 3 -- 4 20 wrong
// status: 1
// stdout-match: no order explains round \d+
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS = 3, OPS = 3, WORDS = 2, ATOMS = RANKS * OPS * WORDS };
enum how { IN_ORDER, UNORDERED, FLUSHED, EXCLUSIVE, HOWS };
enum { SUM, PROD, MAX, BXOR, REPLACE, NO_OP, SWAP, KINDS };

struct op {
    int kind, first, words;
    int64_t operand, compare, result[WORDS]; /* result: before the operation */
    bool fetches;
};

struct atom {
    const struct op *op;
    int rank, index, word; /* index: of the operation at its rank */
};

static struct op ops[RANKS][OPS];
static int me, n;
static int64_t *memory;

static uint64_t state;
static int below(unsigned limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((unsigned)(state >> 33) % limit);
}

/* --- the search ---------------------------------------------------------------------------------------- */

struct search {
    struct atom atom[ATOMS];
    int atoms;
    enum how how;
    int64_t last[WORDS];
};

static int64_t apply(const struct op *o, int64_t old)
{
    switch (o->kind) {
    case SUM:
        return old + o->operand;
    case PROD:
        return old * o->operand;
    case MAX:
        return old > o->operand ? old : o->operand;
    case BXOR:
        return old ^ o->operand;
    case REPLACE:
        return o->operand;
    case SWAP:
        return old == o->compare ? o->operand : old;
    default:
        return old;
    }
}

static bool comes_before(const struct search *s, const struct atom *a, const struct atom *b)
{
    if (a->rank != b->rank || a->index >= b->index || s->how == UNORDERED)
        return false;
    return s->how != IN_ORDER || a->word == b->word;
}

static bool may_be_next(const struct search *s, unsigned done, int k)
{
    if (done >> k & 1)
        return false;
    for (int i = 0; i < s->atoms; i++)
        if (!(done >> i & 1) && comes_before(s, &s->atom[i], &s->atom[k]))
            return false;
    return true;
}

/* Whether the atoms that are not done can follow in some order. A state that failed is not tried again. */
static struct tried {
    unsigned done, round;
    int64_t value[WORDS];
} tried[1 << 16];

static bool search(const struct search *s, unsigned done, const int64_t value[WORDS], unsigned round)
{
    if (done == (1u << s->atoms) - 1)
        return !memcmp(value, s->last, sizeof s->last);
    uint64_t hash = (done * 0x9e3779b97f4a7c15u ^ (uint64_t)value[0] * 0xc2b2ae3d27d4eb4fu ^
                     (uint64_t)value[1] * 0x165667b19e3779f9u) >>
                    48;
    struct tried *t = &tried[hash], now = {done, round, {value[0], value[1]}};
    if (!memcmp(t, &now, sizeof now))
        return false;
    for (int k = 0; k < s->atoms; k++) {
        const struct atom *a = &s->atom[k];
        int64_t after[WORDS] = {value[0], value[1]};
        if (!may_be_next(s, done, k) ||
            (a->op->fetches && a->op->result[a->word - a->op->first] != value[a->word]))
            continue;
        after[a->word] = apply(a->op, value[a->word]);
        if (search(s, done | 1u << k, after, round))
            return true;
    }
    *t = now;
    return false;
}

static bool explained(enum how how, const int64_t last[WORDS], unsigned round)
{
    struct search s = {.how = how, .last = {last[0], last[1]}};
    const int64_t zero[WORDS] = {1, 1};
    for (int r = 0; r < n; r++)
        for (int k = 0; k < OPS; k++)
            for (int w = 0; w < ops[r][k].words; w++)
                s.atom[s.atoms++] = (struct atom){&ops[r][k], r, k, ops[r][k].first + w};
    return search(&s, 0, zero, round);
}

/* --- a round ------------------------------------------------------------------------------------------- */

static void choose(struct op *o)
{
    o->kind = below(KINDS);
    o->words = o->kind == SWAP ? 1 : 1 + below(WORDS);
    o->first = o->words == WORDS ? 0 : below(WORDS);
    o->operand = 1 + below(5);
    o->compare = 1 + below(4);
    o->fetches = o->kind >= NO_OP || below(2);
}

static void issue(struct op *o, MPI_Win win)
{
    static const MPI_Op names[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_BXOR, MPI_REPLACE, MPI_NO_OP, MPI_NO_OP};
    static int64_t operands[RANKS * OPS * 2][WORDS];
    static int at;
    int64_t *from = operands[at++ % (RANKS * OPS * 2)];
    from[0] = from[1] = o->operand;
    if (o->kind == SWAP)
        MPI_Compare_and_swap(from, &o->compare, o->result, MPI_INT64_T, 0, o->first, win);
    else if (!o->fetches)
        MPI_Accumulate(from, o->words, MPI_INT64_T, 0, o->first, o->words, MPI_INT64_T, names[o->kind], win);
    else if (o->words == 1)
        MPI_Fetch_and_op(from, o->result, MPI_INT64_T, 0, o->first, names[o->kind], win);
    else
        MPI_Get_accumulate(from, o->words, MPI_INT64_T, o->result, o->words, MPI_INT64_T, 0, o->first,
                           o->words, MPI_INT64_T, names[o->kind], win);
}

static void perform(enum how how, MPI_Win win)
{
    int late[RANKS];
    for (int r = 0; r < n; r++)
        late[r] = below(3);
    usleep((useconds_t)late[me]);
    if (how == EXCLUSIVE) {
        for (int k = 0; k < OPS; k++) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            issue(&ops[me][k], win);
            MPI_Win_unlock(0, win);
        }
        return;
    }
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    for (int k = 0; k < OPS; k++) {
        issue(&ops[me][k], win);
        if (how == FLUSHED)
            MPI_Win_flush(0, win);
    }
    MPI_Win_unlock(0, win);
}

static void run_round(unsigned round, MPI_Win ordered, MPI_Win unordered, bool spoil)
{
    enum how how = (enum how)(round % HOWS);
    memory[0] = memory[1] = 1;
    for (int r = 0; r < n; r++)
        for (int k = 0; k < OPS; k++)
            choose(&ops[r][k]);
    MPI_Barrier(MPI_COMM_WORLD);
    perform(how, how == UNORDERED ? unordered : ordered);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Gather(me ? ops[me] : MPI_IN_PLACE, sizeof ops[0], MPI_BYTE, ops, sizeof ops[0], MPI_BYTE, 0,
               MPI_COMM_WORLD);
    const int64_t last[WORDS] = {memory[0] + 1000 * spoil, memory[1]};
    if (!me && !explained(how, last, round + 1)) {
        printf("no order explains round %u\n", round);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Win ordered, unordered;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    state = strtoull(argc > 1 ? argv[1] : "1", NULL, 10) * 77;
    unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 10;
    memory = calloc(WORDS, sizeof *memory);
    MPI_Win_create(memory, WORDS * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &ordered);
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Win_create(memory, WORDS * 8, 8, info, MPI_COMM_WORLD, &unordered);
    MPI_Info_free(&info);
    for (unsigned round = 0; round < rounds; round++)
        run_round(round, ordered, unordered, argc > 3);
    MPI_Win_free(&ordered);
    MPI_Win_free(&unordered);
    MPI_Finalize();
    free(memory);
    if (!me)
        puts("done");
    return 0;
}
