// SPDX-License-Identifier: BSD-3-Clause
// 10 000 random programs of sends, receives and probes with wildcards on three communicators, against a matcher that
// searches lists: messages of one sender are received in the order in which they were sent. (MPI-5.0 section 3.5)
// run: -np 4
// stdout: 10000 programs: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROGRAMS = 10000, COMMS = 3, TAGS = 3, RANKS = 4, MOST = 8, BATCH = 4 };

struct message {
    int comm, tag, number, gone;
};
static MPI_Comm comms[COMMS];
static struct message sent[RANKS][MOST]; /* of a program, by sender */
static int count[RANKS], me, seed;
static unsigned state;

static int pick(int n)
{
    state = state * 1103515245u + 12345u;
    return (int)((state >> 16) % (unsigned)n);
}

static void wrong(const char *what, int got, int expected)
{
    printf("program %d: %s is %d, expected %d\n", seed, what, got, expected);
    fflush(stdout);
    exit(1);
}

/* Every rank knows the whole program. */
static void make(void)
{
    state = (unsigned)seed * 2654435761u + 1;
    for (int r = 1; r < RANKS; r++) {
        count[r] = pick(MOST + 1);
        for (int k = 0; k < count[r]; k++)
            sent[r][k] = (struct message){pick(COMMS), pick(TAGS), seed * 100 + r * 10 + k, 0};
    }
}

/* The first message of a sender that a receive wants. */
static struct message *first(int source, int comm, int tag)
{
    for (int k = 0; k < count[source]; k++) {
        struct message *m = &sent[source][k];
        if (!m->gone && m->comm == comm && (tag == MPI_ANY_TAG || m->tag == tag))
            return m;
    }
    return NULL;
}

static struct message *any_left(int *source)
{
    int from = 1 + pick(RANKS - 1);
    for (int i = 0; i < RANKS - 1; i++, from = from % (RANKS - 1) + 1) {
        int at = pick(MOST);
        for (int k = 0; k < count[from]; k++) {
            struct message *m = &sent[from][(at + k) % count[from]];
            *source = from;
            if (!m->gone)
                return m;
        }
    }
    return NULL;
}

static void check(const MPI_Status *s, int comm, int tag, int number)
{
    struct message *m = first(s->MPI_SOURCE, comm, tag);
    int n;
    if (!m)
        wrong("the source of a message", s->MPI_SOURCE, -1);
    if (s->MPI_TAG != m->tag)
        wrong("a tag", s->MPI_TAG, m->tag);
    if (number != m->number)
        wrong("a message", number, m->number);
    MPI_Get_count(s, MPI_INT, &n);
    if (n != 1)
        wrong("a count", n, 1);
    m->gone = 1;
}

/* One message at a time, from any source or a given one, perhaps after a probe. */
static int receive_one(void)
{
    int source, number, how = pick(4);
    struct message *m = any_left(&source);
    MPI_Status s, probed;
    if (!m)
        return 0;
    int comm = m->comm, tag = pick(2) ? MPI_ANY_TAG : m->tag;
    if (pick(2))
        source = MPI_ANY_SOURCE;
    if (how == 0) {
        MPI_Message message;
        MPI_Mprobe(source, tag, comms[comm], &message, &probed);
        MPI_Mrecv(&number, 1, MPI_INT, &message, &s);
        if (s.MPI_SOURCE != probed.MPI_SOURCE || s.MPI_TAG != probed.MPI_TAG)
            wrong("the source after a matched probe", s.MPI_SOURCE, probed.MPI_SOURCE);
    } else if (how == 1) {
        MPI_Probe(source, tag, comms[comm], &probed);
        MPI_Recv(&number, 1, MPI_INT, probed.MPI_SOURCE, probed.MPI_TAG, comms[comm], &s);
        tag = probed.MPI_TAG;
    } else {
        MPI_Recv(&number, 1, MPI_INT, source, tag, comms[comm], &s);
    }
    check(&s, comm, tag, number);
    return 1;
}

/* Several receives of given sources at once: they get what lists give them in the order in which they were posted. */
static void receive_batch(void)
{
    MPI_Request q[BATCH];
    MPI_Status s[BATCH];
    int got[BATCH], expected[BATCH], n = 0, source;
    struct message *m;
    while (n < BATCH && (m = any_left(&source))) {
        int tag = pick(2) ? MPI_ANY_TAG : m->tag;
        m = first(source, m->comm, tag);
        m->gone = 1;
        expected[n] = m->number;
        MPI_Irecv(&got[n], 1, MPI_INT, source, tag, comms[m->comm], &q[n]);
        n++;
    }
    MPI_Waitall(n, q, s);
    for (int k = 0; k < n; k++)
        if (got[k] != expected[k])
            wrong("a message of several", got[k], expected[k]);
}

static void send_all(void)
{
    MPI_Request q[MOST];
    int n = me ? count[me] : 0;
    for (int k = 0; k < n; k++) {
        struct message *m = &sent[me][k];
        if (m->number % 3)
            MPI_Isend(&m->number, 1, MPI_INT, 0, m->tag, comms[m->comm], &q[k]);
        else
            MPI_Issend(&m->number, 1, MPI_INT, 0, m->tag, comms[m->comm], &q[k]);
    }
    MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; k < COMMS; k++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[k]);
    for (seed = 0; seed < PROGRAMS; seed++) {
        make();
        if (me == 0) {
            if (pick(2))
                receive_batch(); /* perhaps before they are sent */
            while (receive_one())
                ;
        }
        send_all();
        MPI_Barrier(MPI_COMM_WORLD); /* messages of the next program are not for receives of this one */
    }
    if (me == 0)
        printf("%d programs: right\n", PROGRAMS);
    for (int k = 0; k < COMMS; k++)
        MPI_Comm_free(&comms[k]);
    MPI_Finalize();
}
