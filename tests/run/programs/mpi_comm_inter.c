/* SPDX-License-Identifier: BSD-3-Clause */
/* Inter-communicators: made of two groups of any kind, and everything that is made of them. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 2
// stdout: right
// run: -np 7
// stdout: right
// run: -np 64
// stdout: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me, size;

static void expect(int good, const char *what, int a, int b)
{
    if (good)
        return;
    printf("rank %d: %s: %d, %d\n", me, what, a, b);
    exit(1);
}

/* Ranks of the world of a group's members, by place. */
static int world_rank(MPI_Group g, int place)
{
    MPI_Group world;
    int out;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(g, 1, &place, world, &out);
    MPI_Group_free(&world);
    return out;
}

/* Every member tells the member at its place modulo the other side's size who it is. */
static void talk(MPI_Comm inter)
{
    int rank, mine, theirs, got;
    MPI_Group remote;
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &mine);
    MPI_Comm_remote_size(inter, &theirs);
    MPI_Comm_remote_group(inter, &remote);
    MPI_Send(&me, 1, MPI_INT, rank % theirs, 4, inter);
    for (int from = 0; from < theirs; from++)
        if (from % mine == rank) {
            MPI_Recv(&got, 1, MPI_INT, from, 4, inter, MPI_STATUS_IGNORE);
            expect(got == world_rank(remote, from), "the word of", from, got);
        }
    MPI_Group_free(&remote);
}

static void check(MPI_Comm inter, int rank, int mine, int theirs)
{
    int got[3], flag;
    MPI_Comm_rank(inter, &got[0]);
    MPI_Comm_size(inter, &got[1]);
    MPI_Comm_remote_size(inter, &got[2]);
    MPI_Comm_test_inter(inter, &flag);
    expect(flag && got[0] == rank, "my rank", got[0], rank);
    expect(got[1] == mine && got[2] == theirs, "sizes", got[1], got[2]);
    talk(inter);
}

/* Whoever is of the same kind on both sides. */
static void split(MPI_Comm inter, int left)
{
    int rank, n, color, here = 0, there = 0, before = 0, theirs;
    MPI_Comm part;
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &n);
    MPI_Comm_remote_size(inter, &theirs);
    color = left ? rank % 3 : rank % 2; /* colour 2 is on the left only */
    for (int k = 0; k < n; k++)
        if ((left ? k % 3 : k % 2) == color) {
            here++;
            before += k > rank; /* keys turn the order around */
        }
    for (int k = 0; k < theirs; k++)
        there += (left ? k % 2 : k % 3) == color;
    MPI_Comm_split(inter, color, -rank, &part);
    expect((part == MPI_COMM_NULL) == (there == 0), "MPI_COMM_NULL", color, there);
    if (part == MPI_COMM_NULL)
        return;
    check(part, before, here, there);
    MPI_Comm_free(&part);
}

/* Every other member of both sides. */
static void create(MPI_Comm inter)
{
    int rank, n, theirs;
    MPI_Comm part;
    MPI_Group all, even;
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &n);
    MPI_Comm_remote_size(inter, &theirs);
    MPI_Comm_group(inter, &all);
    MPI_Group_range_incl(all, 1, (int[1][3]){{0, n - 1, 2}}, &even);
    MPI_Comm_create(inter, even, &part);
    expect((part == MPI_COMM_NULL) == (rank % 2), "who is a member", rank, n);
    if (part != MPI_COMM_NULL) {
        check(part, rank / 2, (n + 1) / 2, (theirs + 1) / 2);
        MPI_Comm_free(&part);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&even);
}

static void merge(MPI_Comm inter, int left, int high)
{
    int rank, n, theirs, place, flag;
    MPI_Comm all;
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &n);
    MPI_Comm_remote_size(inter, &theirs);
    MPI_Intercomm_merge(inter, left == high, &all);
    MPI_Comm_rank(all, &place);
    MPI_Comm_test_inter(all, &flag);
    expect(!flag && place == rank + (left == high ? theirs : 0), "place in the merged one", place, rank);
    MPI_Comm_free(&all);
}

static void use(MPI_Comm inter, int left)
{
    int rank, n, theirs, result;
    MPI_Comm copy;
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &n);
    MPI_Comm_remote_size(inter, &theirs);
    check(inter, rank, n, theirs);
    MPI_Comm_dup(inter, &copy);
    MPI_Comm_compare(inter, copy, &result);
    expect(result == MPI_CONGRUENT, "compared with a duplicate", result, 0);
    MPI_Comm_compare(inter, inter, &result);
    expect(result == MPI_IDENT, "compared with itself", result, 0);
    MPI_Comm_compare(inter, MPI_COMM_WORLD, &result);
    expect(result == MPI_UNEQUAL, "compared with the world", result, 0);
    check(copy, rank, n, theirs);
    split(copy, left);
    create(copy);
    merge(copy, left, 0);
    merge(copy, left, 1);
    MPI_Comm_free(&copy);
}

/* The first `cut` ranks and the others, or the odd and the even ones; leaders are the last of their groups.
 * */
static void one(int left, int leader, int other_leader, int key)
{
    MPI_Comm half, inter;
    int n, place;
    MPI_Comm_split(MPI_COMM_WORLD, left, key, &half);
    MPI_Comm_size(half, &n);
    MPI_Comm_rank(half, &place);
    MPI_Intercomm_create(half, n - 1, me == leader ? MPI_COMM_WORLD : MPI_COMM_NULL, other_leader, 12,
                         &inter);
    expect((place == n - 1) == (me == leader), "the leader", place, leader);
    MPI_Comm_free(&half);
    use(inter, left);
    MPI_Comm_free(&inter);
}

/* Made of groups alone. */
static void from_groups(void)
{
    MPI_Group world, mine, theirs;
    MPI_Comm inter, all;
    int left = me < size / 3 + 1, cut = size / 3 + 1;
    if (cut == size)
        cut = size - 1, left = me < cut;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[1][3]){{left ? cut - 1 : cut, left ? 0 : size - 1, left ? -1 : 1}},
                         &mine);
    MPI_Group_range_incl(world, 1, (int[1][3]){{left ? cut : cut - 1, left ? size - 1 : 0, left ? 1 : -1}},
                         &theirs);
    MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &inter);
    check(inter, left ? cut - 1 - me : me - cut, left ? cut : size - cut, left ? size - cut : cut);
    MPI_Comm_create_from_group(world, "other", MPI_INFO_NULL, MPI_ERRORS_RETURN, &all);
    MPI_Comm_free(&inter);
    int rank, n;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &n);
    expect(rank == me && n == size, "the group of all", rank, n);
    MPI_Comm_free(&all);
    MPI_Group_free(&world);
    MPI_Group_free(&mine);
    MPI_Group_free(&theirs);
}

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int cut = (size + 2) / 3, odd = size - 1 - size % 2, even = size - 1 - (size - 1) % 2;
    one(me < cut, me < cut ? cut - 1 : size - 1, me < cut ? size - 1 : cut - 1, me);
    one(me % 2, me % 2 ? odd : even, me % 2 ? even : odd, me);
    one(me % 2, me % 2 ? 1 : 0, me % 2 ? 0 : 1, -me);
    from_groups();
    MPI_Finalize();
    if (me == 0)
        puts("right");
    return 0;
}
