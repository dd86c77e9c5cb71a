/* SPDX-License-Identifier: BSD-3-Clause */
/* line: one line of a time-independent trace (private to ti/). */
#ifndef PGASIM_REPLAY_TI_LINE_H
#define PGASIM_REPLAY_TI_LINE_H

#include "record/record.h"
#include "replay/ti/ti.h"

/* Of a line that ends in "@BEGIN+DURATION": when the action was in the recorded run, in ns. */
struct replay_ti_times {
    bool known;
    int64_t begin, duration;
};
/* times.c: takes them off the line, if it has them; -1 with st: they are not as expected. */
int replay_ti_cut_times(char *line, struct replay_ti_times *out, struct base_status *st);

/* counts.c: how many ranks a file with the lines of all has: that begin with it, and with those that are started by others.
 * -1 with st: it is not readable, or not all of the others are started. */
struct replay_ti_ranks {
    uint32_t initial, all;
};
int replay_ti_count(const char *path, struct replay_ti_ranks *out, struct base_status *st);
/* Whether the file may have others, as its first line says. */
bool replay_ti_may_start(const char *head, size_t n);
/* line.c: the name of a function of MPI or OpenSHMEM, of what a core does, or of an operation on a file, where the line has
 * its action; NULL: it is none of these. */
const char *replay_ti_call_on(const char *line);

/* What the reader of lines keeps. */
struct replay_ti_reader {
    uint32_t ranks, all;    /* that begin with the trace; with those that are started by others */
    uint32_t highest;       /* the last rank met */
    bool old;               /* before 3.20: no tags, and wait without arguments */
    unsigned char *doubles; /* of each rank: its default type is MPI_DOUBLE */
    BASE_ARRAY(char *) words;
    BASE_ARRAY(int64_t) counts;
    struct record_words call;
    struct replay_ti_times times;
    /* Of a file that some ranks share: whose lines it is read for, and which of them that rank is; sharers 0: it is of no such
     * file. A line that begins with "-" is that rank's, and `shared`. */
    uint32_t own, sharer, sharers;
    bool shared;
    uint32_t rank, thread; /* of the line, and what it says; thread: from 1 */
    struct replay_action action;
};
void replay_ti_reader_init(struct replay_ti_reader *x, struct replay_ti_ranks ranks, bool old);
void replay_ti_reader_release(struct replay_ti_reader *x);
/* Reads a line, which is cut into words: 1 with x->rank and x->action, which stays until the next call; 0: nothing
 * is on it; -1 with st, which says what was expected, but not where. */
int replay_ti_line(struct replay_ti_reader *x, char *line, struct base_status *st);

/* What stands behind an action's name. */
enum replay_ti_shape {
    REPLAY_TI_NOTHING,
    REPLAY_TI_INIT,       /* [x] */
    REPLAY_TI_AMOUNT,     /* flops, or seconds and a count */
    REPLAY_TI_LOCATION,   /* file line */
    REPLAY_TI_REPEAT,     /* times */
    REPLAY_TI_END,        /* nothing */
    REPLAY_TI_MOVES,      /* bytes [copied] */
    REPLAY_TI_PSTATE,     /* pstate [rank] */
    REPLAY_TI_SOURCE,     /* src tag, any, or nothing */
    REPLAY_TI_THREAD,     /* what threads do to one another (threads.c) */
    REPLAY_TI_MESSAGE,    /* peer tag count [type]; before 3.20: peer count [type] */
    REPLAY_TI_EXCHANGE,   /* scount dst rcount src [stype rtype] */
    REPLAY_TI_REQUEST,    /* src dst tag; before 3.20: nothing */
    REPLAY_TI_BARRIER,    /* nothing */
    REPLAY_TI_BROADCAST,  /* count [root [type]] */
    REPLAY_TI_REDUCE,     /* count flops [root [type]] */
    REPLAY_TI_ALLREDUCE,  /* count flops [type] */
    REPLAY_TI_ROOTED,     /* scount rcount [root stype rtype] */
    REPLAY_TI_UNROOTED,   /* scount rcount [stype rtype] */
    REPLAY_TI_GATHERV,    /* scount r1 ... rN [root stype rtype] */
    REPLAY_TI_ALLGATHERV, /* scount r1 ... rN [stype rtype] [disp1 ... dispN] */
    REPLAY_TI_SCATTERV,   /* s1 ... sN rcount [root stype rtype] */
    REPLAY_TI_ALLTOALLV,  /* sbuf s1 ... sN rbuf r1 ... rN [stype rtype] */
    REPLAY_TI_SCATTERED,  /* r1 ... rN flops [type] */
};

/* A persistent request is started: with this rank as destination it is a receive, from a source that is not said. */
enum { REPLAY_TI_STARTED = UINT8_MAX };
/* shapes.c: the action's arguments; -1 with st. */
int replay_ti_arguments(struct replay_ti_reader *x, enum replay_ti_shape shape, struct base_status *st);

/* threads.c: "RANK" or "RANK.THREAD", at the beginning of a text; false: it is neither. */
bool replay_ti_who(const char *word, uint32_t *rank, uint32_t *thread);
int replay_ti_thread(struct replay_ti_reader *x,
                     struct base_status *st); /* the action of a line on threads */

/* The first word's rank on a line; false: there is none, as on an empty line or a comment. */
bool replay_ti_rank_of(const char *line, uint32_t *rank);
/* What a line tells of the version of its trace. */
enum replay_ti_version { REPLAY_TI_EITHER, REPLAY_TI_OLD, REPLAY_TI_NEW };
enum replay_ti_version replay_ti_version_of(const char *line);

/* numbers.c: the k-th word of the line as what it is; -1 with st. `what` names it in reports. */
const char *replay_ti_word(const struct replay_ti_reader *x, size_t k); /* NULL: there are not so many */
int replay_ti_whole(const struct replay_ti_reader *x, size_t k, const char *what, double least, double most,
                    int64_t *out, struct base_status *st);
/* `wild`: negative ones stand for any rank. */
int replay_ti_rank(const struct replay_ti_reader *x, size_t k, const char *what, bool wild, uint32_t *out,
                   struct base_status *st);
int replay_ti_root(const struct replay_ti_reader *x, size_t k, uint32_t *out,
                   struct base_status *st); /* 0 without a word */
int replay_ti_tag(const struct replay_ti_reader *x, size_t k, int32_t *out, struct base_status *st);
int replay_ti_type(const struct replay_ti_reader *x, size_t k, uint64_t *out,
                   struct base_status *st); /* its size */
/* Bytes of `count` elements of the type at word `type`. */
int replay_ti_data(const struct replay_ti_reader *x, size_t k, size_t type, uint64_t *out,
                   struct base_status *st);
/* The same for n ranks, appended to x->counts, which then become the action's. */
int replay_ti_counts(struct replay_ti_reader *x, size_t k, uint32_t n, size_t type, struct base_status *st);
void replay_ti_use_counts(struct replay_ti_reader *x, uint32_t n);
int replay_ti_amount(struct replay_ti_reader *x, size_t k, const char *what,
                     struct base_status *st); /* the action's */
/* Of numbers with commas, one for each sharer, which a shared line may have, leaves this rank's in the word's place. */
int replay_ti_choose(struct replay_ti_reader *x, size_t k, struct base_status *st);

#endif
