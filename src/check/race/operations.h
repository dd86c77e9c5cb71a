/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operations: one-sided operations and calls from their issue to their ends: operation.c, end.c, context.c,
 * sync.c, past.c, part.c, word.c, unwaited.c, hint.c.
 */
#ifndef PGASIM_CHECK_RACE_OPERATIONS_H
#define PGASIM_CHECK_RACE_OPERATIONS_H

#include "check/race/detector.h"
#include "rank/opened.h"

/* end.c */
uint32_t race_end_create(struct race *d, const struct race_end *e);
void race_end_local(struct race *d, uint32_t end, const struct race_strand *s, uint32_t place);
void race_end_remote(struct race *d, uint32_t end, const struct race_strand *s, uint32_t place);
/* The strand knows that it is over at the target. */
void race_end_known(struct race *d, uint32_t end, const struct race_strand *s);
void race_end_free(struct race *d, uint32_t end);
void race_end_pin(struct race *d, uint32_t end, const struct rank *r, uint64_t low, uint64_t high);
/* An end like another, of one of its operations. */
uint32_t race_end_split(struct race *d, uint32_t end);
void race_ends_release(struct race *d);

/* An action that rank_action_begin began is over. */
void race_action_over(struct race *d, uint32_t end, const struct race_strand *s, uint32_t place);

/* file.c */
extern const struct rank_file_checker race_file_table;
void race_files_drop(struct race *d, const bool *end); /* ends that are over and that no access has */
void race_files_release(struct race *d);
/* The file of a key, and the byte; NULL: it is memory. */
const char *race_file_of(const struct race *d, uint64_t key, uint64_t *offset);
/* By handles that were opened together. */
bool race_files_together(const struct race *d, const struct race_end *a, const struct race_end *b);

/* context.c: the open ends of contexts */
struct race_sync {
    uint32_t place; /* 0: none */
    uint32_t strand, count;
    uint64_t issued, stored; /* operations of the context, and stores of the strand, before it */
    uint32_t target;         /* RACE_NOBODY: all; RACE_SOME: several */
    uint8_t kind;            /* enum rma_sync_kind */
    bool asked;              /* by a call that does nothing else */
};
enum { RACE_PAST = 64 };
struct race_past {
    uint32_t strand, count;
    uint32_t target;  /* RACE_NOBODY: all */
    uint32_t end;     /* that it completes; 0: all */
    uint8_t kind;     /* enum rma_sync_kind */
    uint64_t fences;  /* of a fence: how many the context has now */
    rank_moment knew; /* what the thread knew */
};
struct race_context {
    uint32_t open;         /* a list of ends, the latest first */
    uint64_t issued;       /* operations so far */
    struct race_sync last; /* the widest completion since the last of them */
    BASE_ARRAY(uint32_t)
    past;               /* ends that were sent, then completed by a later call before the target knew */
    const char *closer; /* what completes its operations at their targets, in its epoch; NULL: none yet */
    bool delivers;      /* targets learn of its deliveries themselves */
    struct race_past *calls; /* of ranks with threads: past.c */
    uint32_t called;
    uint64_t fences_taken; /* those up to this one order all before them, whoever made them */
    uint64_t fences;       /* told of so far; of the last one: */
    uint32_t fence_place, fence_strand, fence_count;
};
struct race_context *race_context_of(struct race *d, uint32_t origin, uint32_t context);
void race_contexts_release(struct race *d);
void race_contexts_mark(const struct race *d, bool *end); /* the ends that contexts refer to */
void race_contexts_drop(struct race *d); /* ends that are over leave the lists of open ones */
/* The number under which clocks count the fences before deliveries; 0: none was made. */
uint32_t race_lane_of(struct race *d, uint32_t origin, uint32_t context, uint32_t target, bool make);

/* sync.c */
void race_synchronized(void *arg, const struct rma_sync *s);

/* past.c */
void race_past_note(struct race *d, struct race_context *c, const struct rma_sync *s);
/* One operation's, at its origin, or at its target, too. */
void race_past_note_one(struct race *d, uint32_t end, bool remote);
/* For whoever runs: a call has completed the operations of an end, at their target, too; one of the first `upto` fences
 * has put them before what follows it; an update that was seen came after such a fence. */
bool race_past_completed(struct race *d, const struct race_end *e, bool remote);
bool race_past_fenced(struct race *d, const struct race_end *e, uint64_t upto);
bool race_past_delivered(struct race *d, const struct race_end *e);
/* Of an operation's issue: whoever knows of it knows of the deliveries before the fences that its thread knows of. */
void race_past_tell(struct race *d, const struct rma_issue *i, struct race_told *t);
void race_past_release(struct race *d, struct race_context *c);

/* part.c */
void race_part_issued(struct race *d, const struct rma_issue *i, const struct rma_area *a, uint32_t end);
void race_part_touched(struct race *d, const struct rma_touch *t);
void race_part_completed(struct race *d, uint64_t operation);
/* What an operation that was issued at this count, with this end, has done to these bytes at its target gets an end
 * of its own, which is returned; 0: there is nothing left of it. */
uint32_t race_see(struct race *d, uint32_t end, uint32_t count, uint64_t low, uint64_t high);
void race_part_seen(struct race *d, struct race_strand *s, uint64_t low, uint64_t high);
void race_parts_mark(const struct race *d, bool *end);
void race_parts_init(struct race *d);
void race_parts_release(struct race *d);

/* unwaited.c */
void race_unwaited_note(struct race *d, const struct rma_sync *s);
void race_unwaited_mark(const struct race *d, bool *end);
void race_unwaited_release(struct race *d);

/* operation.c */
extern const struct rma_listener race_listener;

/* word.c: operations that change or fetch words. */
struct race_update {
    struct race_told told;
    uint32_t end, strand;
    uint64_t key; /* of its first word */
    uint32_t element, elements;
    enum rma_step step;
    bool sets, fetches, blocks;
};
void race_update_touched(struct race *d, const struct race_update *u, bool failed);
void race_word_seen(struct race *d, struct race_strand *s, uint64_t low, uint64_t high);
void race_fetch_over(struct race *d, struct race_strand *s, uint32_t end);
void race_words_mark(const struct race *d, bool *end); /* the ends that words refer to */
void race_words_init(struct race *d);
void race_words_release(struct race *d);

/* hint.c */
struct race_hint {
    uint64_t made, idle; /* calls; those of them that had nothing to do */
    uint32_t by;         /* the place of the call that does it, for one of these */
    bool before;         /* it comes before */
};
void race_hint_completed(struct race *d, struct race_context *c, const struct rma_sync *s);
void race_hints_report(struct race *d);

#endif
