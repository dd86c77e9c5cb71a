/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part: how an algorithm is made of others. A part of the members carries out an algorithm as if it were the
 * whole group, perhaps on other memory: its numbers, places, tags and temporary memory are translated when
 * steps are added. Parts may contain parts.
 *
 * An algorithm made of others is a list of stages. Each is carried out to its end before the next one begins
 * (per member: others may be ahead or behind). A stage may be made of stages, COLL_STAGE_DEPTH deep.
 */
#ifndef PGASIM_COLL_SCHEDULE_PART_H
#define PGASIM_COLL_SCHEDULE_PART_H

#include "coll/schedule/steps.h"

/* Room for the tags of one stage, of which an algorithm has at most eight; of a stage within a stage, an eighth.
 * Messages of one member to another in different stages need different tags, as a member may be stages ahead. */
enum { COLL_STAGE_SHIFT = 3, COLL_STAGE_TAGS = 1 << (COLL_TAG_BITS - COLL_STAGE_SHIFT) };

struct coll_part {
    uint32_t me, size, root; /* mine; the part's; the root's number in the part */
    /* The number in the surrounding part (or place in the group) of number k; NULL: k itself. */
    uint32_t (*member)(const struct coll_schedule *s, const struct coll_part *p, uint32_t k);
    uint32_t first, stride; /* of coll_part_strided */
    /* Where the part's source and dest are, in the terms of what surrounds it: as COLL_SOURCE and COLL_DEST if
     * it works on them directly. */
    coll_place source, dest;
    uint64_t bytes; /* as the part's operation counts them */
    uint64_t temp;  /* bytes of temporary memory that what surrounds the part uses itself */
    uint32_t tag;   /* what is added to its tags */
    bool irregular; /* its parts have the counts of the call's buffers; else `bytes` each */
    bool no_dest;   /* a broadcast's or scatter's root whose data stay where they are */
    bool in_place;
    const uint32_t *bounds;           /* see struct coll_schedule */
    const struct coll_tuning *tuning; /* NULL: as around it */
    const struct coll_part *around;   /* filled by coll_part_round */
};

/* Builds a round of `build` for the part; false: it has no such round. The caller, one of the part's members,
 * keeps nothing. */
bool coll_part_round(struct coll_schedule *s, const struct coll_part *p, coll_build_fn build, uint32_t round);
/* Number k is the member first + k * stride of what surrounds the part, modulo its size. */
uint32_t coll_part_strided(const struct coll_schedule *s, const struct coll_part *p, uint32_t k);

/* A stage of an algorithm for a member: prepares `p`, which holds the whole of what surrounds it, and returns
 * the function that builds the part's rounds, or NULL if the member has no part in it. */
typedef coll_build_fn (*coll_stage_fn)(struct coll_schedule *s, struct coll_part *p);
/* A stage: one of `part`, which says who carries out what, and `all`, the rounds of all members on what surrounds
 * the stage. */
struct coll_stage_def {
    coll_stage_fn part;
    coll_build_fn all;
};
/* The stage of what is being built, for algorithms that go through stages by themselves: of number 0 in round
 * 0. Closed before the round is returned. */
static inline struct coll_stage *coll_stage_open(struct coll_schedule *s, uint32_t round)
{
    struct coll_stage *at = &s->stage[s->depth++];
    BASE_ASSERT("C1", s->depth <= COLL_STAGE_DEPTH);
    if (!round)
        *at = (struct coll_stage){0, 0};
    return at;
}
/* What the tags of stage `number` of the open ones begin with. */
static inline uint32_t coll_stage_tag(const struct coll_schedule *s, uint32_t number)
{
    return number * (uint32_t)(COLL_STAGE_TAGS >> (COLL_STAGE_SHIFT * (s->depth - 1)));
}
static inline void coll_stage_close(struct coll_schedule *s)
{
    s->depth--;
}
/* Round `round` of n stages, one after the other; the schedule remembers the stage. Rounds are built in order,
 * from 0 on. */
bool coll_stages_round(struct coll_schedule *s, uint32_t round, const struct coll_stage_def *stages,
                       uint32_t n);

/* Whether numbers are not those of the whole group: hosts, which are known by place, do not tell of them. */
static inline bool coll_part_is_numbered(const struct coll_schedule *s)
{
    for (const struct coll_part *p = s->part; p; p = p->around)
        if (p->member)
            return true;
    return false;
}
/* The hosts that members share; NULL: none, or of a part nothing is known. */
static inline const struct coll_hosts *coll_part_hosts(const struct coll_schedule *s)
{
    return s->hosts && !coll_part_is_numbered(s) ? s->hosts : NULL;
}

/* schedule.c: from a part's numbers and places to the group's. */
uint32_t coll_part_place(const struct coll_schedule *s, uint32_t number);
uint32_t coll_part_tag(const struct coll_schedule *s);
uint64_t coll_part_temp(const struct coll_schedule *s);
coll_place coll_part_translate(const struct coll_schedule *s, coll_place at);
static inline coll_place coll_whole_place(const struct coll_schedule *s, coll_place at)
{
    return BASE_UNLIKELY(s->part != NULL) ? coll_part_translate(s, at) : at;
}

#endif
