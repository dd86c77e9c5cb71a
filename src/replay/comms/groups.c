/* SPDX-License-Identifier: BSD-3-Clause */
/* groups: those of calls, as ranks of the world. */
#include "replay/comms/parts.h"

#include <stdlib.h>
#include <string.h>

/* Ranks that are put together; none comes twice. */
struct list {
    struct replay_comms *c;
    uint32_t *rank;
    uint32_t n;
    bool wrong;
};

uint32_t comms_group(struct replay_comms *c, const uint32_t *rank, uint32_t n)
{
    uint32_t k = 0;
    if (!n)
        return REPLAY_EMPTY_GROUP;
    while (k < n && rank[k] == k)
        k++;
    return k == c->ranks ? 0 : replay_tape_group(c->tape, rank, n);
}

uint32_t comms_group_of(const struct replay_comms *c, const struct comms_walker *w, int64_t word)
{
    if (word == c->nobody)
        return REPLAY_EMPTY_GROUP;
    const uint32_t *known = base_table_find(&w->groups, (uint64_t)word);
    return known ? *known : REPLAY_NO_GROUP;
}

/* A rank's mark says whether a set has it. */
static void open_set(struct replay_comms *c)
{
    c->marks++;
}

static bool has(const struct replay_comms *c, uint32_t rank)
{
    return c->mark[rank] == c->marks;
}

static void open_list(struct list *l, struct replay_comms *c)
{
    *l = (struct list){.c = c,
                       .rank = base_alloc(((size_t)c->ranks + 1) * sizeof *l->rank, "a group of a trace")};
    open_set(c);
}

static void add(struct list *l, uint32_t rank)
{
    l->wrong |= has(l->c, rank);
    if (l->wrong)
        return;
    l->c->mark[rank] = l->c->marks;
    l->rank[l->n++] = rank;
}

static uint32_t close_list(struct list *l)
{
    uint32_t group = l->wrong ? REPLAY_NO_GROUP : comms_group(l->c, l->rank, l->n);
    free(l->rank);
    return group;
}

static void mark_all(struct replay_comms *c, uint32_t group)
{
    open_set(c);
    for (uint32_t k = 0; k < replay_members(c->tape, group); k++)
        c->mark[replay_member(c->tape, group, k)] = c->marks;
}

/* --- by places ----------------------------------------------------------------------------------------------- */

static void add_place(struct list *l, uint32_t of, int64_t place)
{
    if (place < 0 || place >= replay_members(l->c->tape, of))
        l->wrong = true;
    else
        add(l, replay_member(l->c->tape, of, (uint32_t)place));
}

static void add_range(struct list *l, uint32_t of, const int64_t *range)
{
    int64_t n = replay_members(l->c->tape, of), first = range[0], last = range[1], step = range[2];
    if (!step || first < 0 || first >= n || last < 0 || last >= n)
        l->wrong = true;
    else if (step > n || step < -n)
        add_place(l, of, first);
    else
        for (int64_t k = first; !l->wrong && (step > 0 ? k <= last : k >= last); k += step)
            add_place(l, of, k);
}

static uint32_t chosen(struct replay_comms *c, uint32_t of, const struct replay_words *w)
{
    struct list l;
    const struct record_part *ranges = replay_words_part(w, "ranges"), *ranks = replay_words_part(w, "ranks");
    open_list(&l, c);
    for (int64_t k = 0; ranks && k < ranks->n && !l.wrong; k++)
        add_place(&l, of, ranks->at[k]);
    for (int64_t k = 0; ranges && k + 2 < ranges->n && !l.wrong; k += 3)
        add_range(&l, of, ranges->at + k);
    return close_list(&l);
}

/* --- of two --------------------------------------------------------------------------------------------------- */

static uint32_t kept(struct replay_comms *c, uint32_t of, uint32_t other, bool common)
{
    struct list l;
    uint32_t n = replay_members(c->tape, of);
    open_list(&l, c);
    mark_all(c, other);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t rank = replay_member(c->tape, of, k);
        if (has(c, rank) == common)
            l.rank[l.n++] = rank;
    }
    return close_list(&l);
}

static uint32_t joined(struct replay_comms *c, uint32_t a, uint32_t b)
{
    struct list l;
    open_list(&l, c);
    for (uint32_t k = 0; k < replay_members(c->tape, a); k++)
        add(&l, replay_member(c->tape, a, k));
    for (uint32_t k = 0; k < replay_members(c->tape, b); k++)
        if (!has(c, replay_member(c->tape, b, k)))
            add(&l, replay_member(c->tape, b, k));
    return close_list(&l);
}

/* --- calls --------------------------------------------------------------------------------------------------- */

static bool is_text(const struct record_part *p, const char *text)
{
    size_t n = strlen(text);
    if (!p || p->n != (int64_t)n)
        return false;
    for (size_t k = 0; k < n; k++)
        if (p->at[k] != text[k])
            return false;
    return true;
}

static uint32_t of_session(struct replay_comms *c, uint32_t rank, const struct replay_words *w)
{
    const struct record_part *name = replay_words_part(w, "pset_name");
    uint32_t world = c->walker[rank].world;
    if (is_text(name, "mpi://WORLD"))
        return world == REPLAY_NO_COMM ? REPLAY_NO_GROUP : c->comm.at[world].comm.group;
    return is_text(name, "mpi://SELF") ? comms_group(c, &rank, 1) : REPLAY_NO_GROUP;
}

static uint32_t of_comm(struct replay_comms *c, uint32_t rank, const struct replay_words *w)
{
    uint32_t comm = comms_find(c, rank, replay_words_number(w, "comm"));
    if (comm == REPLAY_NO_COMM)
        return REPLAY_NO_GROUP;
    const struct replay_comm *of = &c->comm.at[comm].comm;
    return w->function == RECORD_MPI_COMM_REMOTE_GROUP ? of->remote : of->group;
}

static uint32_t of_groups(struct replay_comms *c, const struct comms_walker *of, const struct replay_words *w)
{
    bool two = replay_words_part(w, "group2") != NULL;
    uint32_t a = comms_group_of(c, of, replay_words_number(w, two ? "group1" : "group"));
    uint32_t b = two ? comms_group_of(c, of, replay_words_number(w, "group2")) : a;
    if (a == REPLAY_NO_GROUP || b == REPLAY_NO_GROUP)
        return REPLAY_NO_GROUP;
    switch (w->function) {
    case RECORD_MPI_GROUP_INCL:
    case RECORD_MPI_GROUP_RANGE_INCL:
        return chosen(c, a, w);
    case RECORD_MPI_GROUP_EXCL:
    case RECORD_MPI_GROUP_RANGE_EXCL:
        b = chosen(c, a, w);
        return b == REPLAY_NO_GROUP ? b : kept(c, a, b, false);
    case RECORD_MPI_GROUP_UNION:
        return joined(c, a, b);
    case RECORD_MPI_GROUP_INTERSECTION:
        return kept(c, a, b, true);
    case RECORD_MPI_GROUP_DIFFERENCE:
        return kept(c, a, b, false);
    default:
        return REPLAY_NO_GROUP;
    }
}

uint32_t comms_group_made(struct replay_comms *c, uint32_t rank, const struct replay_words *w)
{
    switch (w->function) {
    case RECORD_MPI_COMM_GROUP:
    case RECORD_MPI_COMM_REMOTE_GROUP:
        return of_comm(c, rank, w);
    case RECORD_MPI_GROUP_FROM_SESSION_PSET:
        return of_session(c, rank, w);
    default:
        return of_groups(c, &c->walker[rank], w);
    }
}
