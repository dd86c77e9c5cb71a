// SPDX-License-Identifier: BSD-3-Clause
// Random programs against a naive matcher. A program is a list of steps, one after the other in all ranks: a send
// (standard, synchronous, persistent; eager or long), a posted or a blocking receive, a probe of each kind, a
// cancelled receive, with wildcards or without, in a copy of the world, a communicator in reverse order, one without
// the last rank, and an inter-communicator. The matcher searches the list from its beginning: a message goes to the
// first receive that wants it, a receive gets the first message that it wants. (MPI-5.0 section 3.5; the order of
// messages of different senders is that of their sending here.) Arguments: how many programs, and the first seed.
// run: -np 4 -- 200 1
// stdout: 200 programs from seed 1: right
// run: -np 6 --set mpi/buffering=none -- 60 900001
// stdout: 60 programs from seed 900001: right
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMMS = 4, TAGS = 3, STEPS = 30, LONGEST = 20000, LOOKS = 1000000 };
enum { ANY = -1, FREE = -1, KEPT = -2, GONE = -3 };
enum kind { NOTHING, SEND, RECEIVE };

/* A step that leaves a message or a receive. Ranks are those of the world; a receive may want ANY. */
struct step {
    enum kind kind;
    int comm, from, to, tag, bytes, how;
    int peer; /* the other step that it was matched with; FREE; KEPT by a matched probe; GONE: received or cancelled */
    int done; /* by me: the request was completed */
};

static MPI_Comm comms[COMMS];
static struct step steps[STEPS];
static MPI_Request requests[STEPS];
static MPI_Message kept[STEPS];
static char *rooms[STEPS];
static int me, n, now; /* now: the step that is carried out */
static uint64_t seed, state;

static int pick(int limit)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % (uint64_t)limit);
}

static void wrong(const char *what, int is, int expected)
{
    fprintf(stderr, "seed %llu, step %d, rank %d: %s is %d, expected %d\n", (unsigned long long)seed, now, me,
            what, is, expected);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
static void same(const char *what, int is, int expected)
{
    if (is != expected)
        wrong(what, is, expected);
}

/* --- the naive matcher ------------------------------------------------------------------------------ */

static int wants(const struct step *receive, const struct step *message)
{
    return receive->comm == message->comm && receive->to == message->to &&
           (receive->from == ANY || receive->from == message->from) &&
           (receive->tag == ANY || receive->tag == message->tag);
}

/* The first message, or the first receive, that is free and goes with a step. -1: none. */
static int first_for(const struct step *s)
{
    for (int k = 0; k < now; k++) {
        const struct step *other = &steps[k];
        if (other->peer == FREE && other->kind == (s->kind == SEND ? RECEIVE : SEND) &&
            (s->kind == SEND ? wants(other, s) : wants(s, other)))
            return k;
    }
    return -1;
}

/* --- names of ranks --------------------------------------------------------------------------------- */

/* A rank of the world as others of a communicator call it. */
static int place(int comm, int rank)
{
    return rank == ANY ? MPI_ANY_SOURCE : comm == 1 ? n - 1 - rank : comm == 3 ? rank / 2 : rank;
}
static int tag_of(const struct step *s)
{
    return s->tag == ANY ? MPI_ANY_TAG : s->tag;
}

static void make_communicators(void)
{
    MPI_Comm half;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, me == n - 1 ? MPI_UNDEFINED : 0, me, &comms[2]);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 5, &comms[3]);
    MPI_Comm_free(&half);
}

/* --- what ranks do ---------------------------------------------------------------------------------- */

/* A message was received: it must be that of step k. */
static void check(const MPI_Status *status, int k, const char *room)
{
    const struct step *m = &steps[k];
    int bytes;
    same("the source", status->MPI_SOURCE, place(m->comm, m->from));
    same("the tag", status->MPI_TAG, m->tag);
    MPI_Get_count(status, MPI_CHAR, &bytes);
    same("the count", bytes, m->bytes);
    if (room) {
        same("the message's number", room[0], k);
        same("its last byte", room[m->bytes - 1], k);
    }
}

static void start_send(const struct step *s)
{
    char *b = rooms[now];
    MPI_Request *q = &requests[now];
    int to = place(s->comm, s->to);
    b[0] = b[s->bytes - 1] = (char)now;
    if (s->how == 0) {
        MPI_Isend(b, s->bytes, MPI_CHAR, to, s->tag, comms[s->comm], q);
    } else if (s->how == 1) {
        MPI_Issend(b, s->bytes, MPI_CHAR, to, s->tag, comms[s->comm], q);
    } else {
        MPI_Ssend_init(b, s->bytes, MPI_CHAR, to, s->tag, comms[s->comm], q);
        MPI_Start(q);
    }
}

static void start_receive(const struct step *s)
{
    MPI_Request *q = &requests[now];
    int from = place(s->comm, s->from);
    if (s->how == 0) {
        MPI_Recv_init(rooms[now], LONGEST, MPI_CHAR, from, tag_of(s), comms[s->comm], q);
        MPI_Start(q);
    } else {
        MPI_Irecv(rooms[now], LONGEST, MPI_CHAR, from, tag_of(s), comms[s->comm], q);
    }
}

static void finish(int k, MPI_Status *status)
{
    int persistent = steps[k].how == (steps[k].kind == SEND ? 2 : 0);
    MPI_Wait(&requests[k], status);
    steps[k].done = 1;
    if (persistent)
        MPI_Request_free(&requests[k]);
}

/* A message is there, number k: receives it, perhaps after a probe. */
static void receive_now(const struct step *s, int k)
{
    MPI_Status status;
    MPI_Message message;
    int from = place(s->comm, s->from);
    if (s->how == 0) {
        MPI_Mprobe(from, tag_of(s), comms[s->comm], &message, &status);
        check(&status, k, NULL);
        MPI_Mrecv(rooms[now], LONGEST, MPI_CHAR, &message, &status);
    } else {
        if (s->how == 1) {
            MPI_Probe(from, tag_of(s), comms[s->comm], &status);
            check(&status, k, NULL);
        }
        MPI_Recv(rooms[now], LONGEST, MPI_CHAR, from, tag_of(s), comms[s->comm], &status);
    }
    check(&status, k, rooms[now]);
}

/* Looks for a message, number k or none (-1). One that is there may need a few looks to be seen. */
static void probe(const struct step *s, int k, int keep)
{
    MPI_Status status;
    int flag = 0, from = place(s->comm, s->from);
    for (int looks = 0; !flag && looks < (k < 0 ? 3 : LOOKS); looks++)
        if (keep)
            MPI_Improbe(from, tag_of(s), comms[s->comm], &flag, &kept[k < 0 ? now : k], &status);
        else
            MPI_Iprobe(from, tag_of(s), comms[s->comm], &flag, &status);
    same("whether a probe finds a message", flag, k >= 0);
    if (flag)
        check(&status, k, NULL);
}

static void cancel(int k)
{
    MPI_Status status;
    int cancelled;
    MPI_Cancel(&requests[k]);
    finish(k, &status);
    MPI_Test_cancelled(&status, &cancelled);
    same("whether a receive is cancelled", cancelled, 1);
}

/* --- steps ------------------------------------------------------------------------------------------ */

/* Between whom; a is the one that acts on receives. */
static void draw(struct step *s, int *a, int *b)
{
    *s = (struct step){.comm = pick(COMMS), .tag = pick(TAGS), .how = pick(3), .peer = GONE};
    int members = s->comm == 2 ? n - 1 : n;
    *a = pick(members);
    *b = s->comm == 3 ? (*a + 1 + 2 * pick(n / 2)) % n : pick(members);
    s->bytes = pick(3) ? 1 + pick(100) : 1 + pick(LONGEST);
}

static void receive_or_probe(struct step *s, int what)
{
    s->kind = RECEIVE;
    int k = first_for(s);
    if (what < 8 || (what < 10 && k < 0)) { /* posted, or looked for in vain */
        if (what < 8 && s->to == me)
            start_receive(s);
        else if (what >= 8 && s->to == me)
            probe(s, -1, what == 8);
        s->peer = what < 8 ? k : GONE;
        if (what < 8 && k >= 0)
            steps[k].peer = now;
    } else if (what < 10) {
        if (s->to == me)
            receive_now(s, k);
        steps[k].peer = GONE;
    } else {
        int keep = s->how == 0;
        if (s->to == me)
            probe(s, k, keep);
        if (keep && k >= 0)
            steps[k].peer = KEPT;
    }
    if (what >= 8)
        s->kind = NOTHING;
}

static void cancel_one(int rank)
{
    int first = pick(STEPS);
    for (int i = 0; i < now; i++) {
        int k = (first + i) % now;
        if (steps[k].kind == RECEIVE && steps[k].to == rank && steps[k].peer == FREE) {
            if (rank == me)
                cancel(k);
            steps[k].peer = GONE;
            return;
        }
    }
}

static void step(void)
{
    struct step s;
    int a, b, what = pick(13), any_source = pick(2), any_tag = pick(2);
    draw(&s, &a, &b);
    if (what < 5) {
        s.kind = SEND;
        s.from = b;
        s.to = a;
        if (s.from == me)
            start_send(&s);
        s.peer = first_for(&s);
        if (s.peer >= 0)
            steps[s.peer].peer = now;
    } else if (what < 12) {
        s.from = any_source ? ANY : b;
        s.to = a;
        s.tag = any_tag ? ANY : s.tag;
        receive_or_probe(&s, what);
    } else {
        cancel_one(a);
    }
    steps[now] = s;
}

/* Of my requests, those are complete that were matched, and no others. A standard send may be. */
static void look_at_requests(void)
{
    for (int k = 0; k <= now; k++) {
        struct step *s = &steps[k];
        int mine = s->kind == RECEIVE ? s->to == me : s->kind == SEND && s->from == me && s->how != 0;
        int flag = 0, matched = s->peer >= 0 || (s->kind == SEND && s->peer == GONE);
        MPI_Status status;
        if (!mine || s->done || s->peer == KEPT)
            continue;
        for (int looks = 0; !flag && looks < (matched ? LOOKS : 1); looks++)
            MPI_Request_get_status(requests[k], &flag, &status);
        same(s->kind == SEND ? "whether a send is complete" : "whether a receive is complete", flag, matched);
        if (flag)
            finish(k, &status);
        if (flag && s->kind == RECEIVE)
            check(&status, s->peer, rooms[k]);
    }
}

/* Everything that is left: receives are cancelled, messages received in the order of their steps. */
static void end(void)
{
    MPI_Status status;
    for (int k = 0; k < STEPS; k++)
        if (steps[k].kind == RECEIVE && steps[k].to == me && steps[k].peer == FREE)
            cancel(k);
    for (int k = 0; k < STEPS; k++) {
        const struct step *s = &steps[k];
        if (s->kind != SEND || s->to != me || (s->peer != FREE && s->peer != KEPT))
            continue;
        char *room = malloc(LONGEST);
        if (s->peer == KEPT)
            MPI_Mrecv(room, LONGEST, MPI_CHAR, &kept[k], &status);
        else
            MPI_Recv(room, LONGEST, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[s->comm], &status);
        check(&status, k, room);
        free(room);
    }
    for (int k = 0; k < STEPS; k++)
        if (steps[k].kind == SEND && steps[k].from == me && !steps[k].done)
            finish(k, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (n < 4 || n % 2)
        wrong("the number of ranks", n, 4);
    int programs = argc > 1 ? atoi(argv[1]) : 200;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    make_communicators();
    for (int k = 0; k < STEPS; k++)
        rooms[k] = malloc(LONGEST);
    for (seed = first; seed < first + (uint64_t)programs; seed++) {
        state = seed * 0x9e3779b97f4a7c15ULL;
        for (now = 0; now < STEPS; now++) {
            step();
            MPI_Barrier(MPI_COMM_WORLD); /* what was sent is there */
            look_at_requests();
            MPI_Barrier(MPI_COMM_WORLD);
        }
        end();
    }
    if (me == 0)
        printf("%d programs from seed %llu: right\n", programs, (unsigned long long)first);
    for (int k = 0; k < STEPS; k++)
        free(rooms[k]);
    for (int k = 0; k < COMMS; k++)
        if (comms[k] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[k]);
    MPI_Finalize();
    return 0;
}
