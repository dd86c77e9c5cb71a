/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: reports on collectives: members that meet with different calls, and who is missing in a deadlock
 * or at the end. The front end names teams and memory (coll_call.names).
 */
#include "coll/exec.h"
#include "rank/title.h"

#include <stdarg.h>
#include <string.h>

enum { NAME_SIZE = 2 * RANK_TITLE_SIZE + 32 };

/* Appends, never past the end; n is the length so far. */
BASE_PRINTF(4, 5) static void append(char *buf, size_t size, size_t *n, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int more = vsnprintf(buf + *n, size - *n, fmt, args);
    va_end(args);
    *n += more >= 0 && (size_t)more < size - *n ? (size_t)more : size - 1 - *n;
}

/* --- names -------------------------------------------------------------------------------------- */

static struct rank *member(const struct coll_instance *i, uint32_t place)
{
    struct coll_exec *x = i->group->exec;
    return x->runtime->rank(x->ctx, coll_group_rank(&i->group->key, place));
}

/* "rank 5", "ranks 0 to 63", "ranks 0 to 62 in steps of 2", "9 ranks from 3 to 77"; of ranks that reports call by other
 * names, "4 ranks from job lu, rank 0 to job lu, rank 3". */
static void describe_group(const struct coll_instance *i, char *buf, size_t size)
{
    const struct coll_group *g = &i->group->key;
    uint32_t first = coll_group_rank(g, 0), last = coll_group_rank(g, g->size - 1);
    char from[RANK_TITLE_SIZE], to[RANK_TITLE_SIZE];
    if (g->size == 1)
        rank_title(member(i, 0), buf, size);
    else if (rank_titles && rank_titles(member(i, 0), from, sizeof from))
        snprintf(buf, size, "%u ranks from %s to %s", g->size, from,
                 rank_title(member(i, g->size - 1), to, sizeof to));
    else if (g->list || g->first > last)
        snprintf(buf, size, "%u ranks from %u to %u", g->size, first, last);
    else if (g->stride == 1)
        snprintf(buf, size, "ranks %u to %u", g->first, last);
    else
        snprintf(buf, size, "ranks %u to %u in steps of %u", g->first, last, g->stride);
}

static void name_group(const struct coll_instance *i, char *buf, size_t size)
{
    if (i->first.names && i->group->key.id)
        i->first.names->group(member(i, i->first_place), &i->first.group, buf, size);
    else
        describe_group(i, buf, size);
}

/* --- members that differ ------------------------------------------------------------------------- */

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN || op == COLL_REDUCE_ROOT ||
           coll_op_scatters_result(op);
}

static bool same_bytes(enum coll_op op)
{
    static const bool differ[COLL_OPS] = {[COLL_COLLECT] = true,          [COLL_BARRIER] = true,
                                          [COLL_GATHERV] = true,          [COLL_SCATTERV] = true,
                                          [COLL_ALLGATHERV] = true,       [COLL_ALLTOALLV] = true,
                                          [COLL_ALLTOALLW] = true,        [COLL_NEIGHBOR_ALLGATHER] = true,
                                          [COLL_NEIGHBOR_ALLTOALL] = true};
    return !differ[op];
}

bool coll_op_is_even(enum coll_op op)
{
    return op == COLL_BARRIER || (same_bytes(op) && op != COLL_REDUCE_SCATTER);
}

static bool is_exchange(enum coll_op op)
{
    return op == COLL_ALLTOALL || op == COLL_ALLTOALLV || op == COLL_ALLTOALLW;
}

/* Members' functions of one user's operator may differ. */
static bool same_operator(struct coll_operator a, struct coll_operator b)
{
    return a.op == b.op && (coll_operator_is_user(a) || a.element == b.element);
}

/* Each member combines with its own operator; so the algorithm works if it is the same for both. */
static bool combinable(const struct coll_call *a, const struct coll_call *b)
{
    return !coll_operator_is_user(a->operator) && !coll_operator_is_user(b->operator) &&
           a->operator.ordered == b->operator.ordered && a->element == b->element;
}

static const char reductions[] = "reductions", datatypes[] = "datatypes";

/* The difference that makes the collective impossible, or NULL. */
static const char *difference(const struct coll_call *a, const struct coll_call *b)
{
    if (a->op != b->op || (a->name != b->name && strcmp(a->name, b->name)))
        return "functions";
    if (coll_op_is_rooted(a->op) && a->root != b->root)
        return "roots";
    if (reduces(a->op) && !same_operator(a->operator, b->operator) && !combinable(a, b))
        return reductions;
    if (same_bytes(a->op) && a->bytes != b->bytes)
        return "sizes";
    if (a->op == COLL_ALLTOALL &&
        (a->element != b->element || memcmp(a->same_strides, b->same_strides, sizeof a->same_strides)))
        return "strides";
    if (is_exchange(a->op) && a->in_place != b->in_place)
        return "buffers";
    return NULL;
}

/* A difference that the standard forbids but the collective can tolerate, or NULL. */
static const char *mild_difference(const struct coll_call *a, const struct coll_call *b)
{
    if (a->same_types && b->same_types && a->same_types != b->same_types)
        return datatypes;
    if (a->same_dest && b->same_dest && a->same_dest != b->same_dest)
        return "dest arrays";
    if (a->same_source && b->same_source && a->same_source != b->same_source)
        return "source arrays";
    return NULL;
}

static void describe_size(const struct coll_call *c, char *buf, size_t size, size_t *n)
{
    if (c->names && c->element)
        append(buf, size, n, ", %zu elements of %zu bytes", c->bytes / c->element, c->element);
    else
        append(buf, size, n, ", %zu bytes", c->bytes);
}

static void describe_operator(struct coll_operator o, char *buf, size_t size, size_t *n)
{
    if (coll_operator_is_user(o))
        append(buf, size, n, ", a user's operator");
    else
        append(buf, size, n, ", %s of %s", types_operator_name(o.op), types_element_info(o.element)->name);
}

static void describe_call(const struct coll_call *c, bool operators, bool types, char *buf, size_t size)
{
    size_t n = 0;
    append(buf, size, &n, "%s", c->name);
    if (types)
        append(buf, size, &n, ", %s", c->types);
    else if (same_bytes(c->op))
        describe_size(c, buf, size, &n);
    if (coll_op_is_rooted(c->op))
        append(buf, size, &n, ", root %u", c->root);
    if (reduces(c->op) && (operators || !c->names)) /* whose names of calls tell the operator */
        describe_operator(c->operator, buf, size, &n);
    if (c->op == COLL_ALLTOALL && (c->same_strides[0] || c->same_strides[1]))
        append(buf, size, &n, ", elements of %zu bytes %zu (dest) and %zu (source) apart", c->element,
               c->same_strides[0], c->same_strides[1]);
    if (c->in_place && is_exchange(c->op))
        append(buf, size, &n, ", in place");
}

/* The call with what it passes as dest and source. */
static void describe_objects(const struct coll_call *c, struct rank *r, char *buf, size_t size)
{
    char dest[NAME_SIZE], source[NAME_SIZE];
    c->names->object(r, (uintptr_t)c->dest, dest, sizeof dest);
    c->names->object(r, (uintptr_t)c->source, source, sizeof source);
    snprintf(buf, size, "dest %s and source %s", dest, source);
}

void coll_report_differences(const struct coll_instance *i, const struct coll_call *call, struct rank *r)
{
    struct coll_exec *x = i->group->exec;
    const char *what = difference(call, &i->first), *mild = what ? NULL : mild_difference(call, &i->first);
    bool operators = (!what || what == reductions) && reduces(call->op) &&
                     !same_operator(call->operator, i->first.operator);
    bool objects = mild && mild != datatypes;
    char mine[2 * NAME_SIZE + 64], theirs[sizeof mine], group[NAME_SIZE], text[3072];
    char my_rank[RANK_TITLE_SIZE], their_rank[RANK_TITLE_SIZE];
    if (BASE_LIKELY(!what && !mild && !operators))
        return;
    name_group(i, group, sizeof group);
    if (objects) {
        describe_objects(call, r, mine, sizeof mine);
        describe_objects(&i->first, member(i, i->first_place), theirs, sizeof theirs);
    } else {
        describe_call(call, operators, mild == datatypes, mine, sizeof mine);
        describe_call(&i->first, operators, mild == datatypes, theirs, sizeof theirs);
    }
    snprintf(text, sizeof text, "the members' %s differ in collective %llu of %s: %s %s %s; %s %s %s",
             what   ? what
             : mild ? mild
                    : "operators",
             (unsigned long long)i->number, group, rank_title(r, my_rank, sizeof my_rank),
             objects ? "passes" : "calls", mine,
             rank_title(member(i, i->first_place), their_rank, sizeof their_rank),
             objects ? "passed" : "called", theirs);
    if (what)
        x->runtime->mismatch(x->ctx, r, call->name, text);
    else
        base_warn(mild == datatypes ? "misuse/types" : "misuse/collective-arguments", "%s: %s", call->name,
                  text);
}

/* Sizes of parts that sender and receiver pass differently are noticed when the part arrives. */
void coll_report_part(const struct coll_member *m, uint32_t from, uint64_t expected, uint64_t came)
{
    const struct coll_exec *x = coll_member_exec(m);
    char group[NAME_SIZE], text[2 * NAME_SIZE];
    name_group(m->instance, group, sizeof group);
    snprintf(text, sizeof text,
             "the part of member %u has %llu bytes there but %llu at member %u in collective %llu of %s",
             from, (unsigned long long)came, (unsigned long long)expected, m->schedule.place,
             (unsigned long long)m->instance->number, group);
    x->runtime->mismatch(x->ctx, m->rank, m->instance->first.name, text);
}

/* Calls are matched in the order in which each rank makes them, whichever thread does. */
void coll_report_threads(const struct coll_member *m, const struct coll_member *other)
{
    const struct coll_call *call = &m->instance->first;
    char group[NAME_SIZE], title[RANK_TITLE_SIZE];
    if (!call->names)
        return;
    name_group(m->instance, group, sizeof group);
    base_warn("misuse/collective-threads", "%s: another thread of %s is in %s, collective %llu of %s",
              call->name, rank_title(m->rank, title, sizeof title), other->instance->first.name,
              (unsigned long long)other->instance->number, group);
}

/* --- who is missing ------------------------------------------------------------------------------- */

static void describe_missing(const struct coll_instance *i, char *buf, size_t size)
{
    enum { NAMED = 4 };
    const struct coll_group_record *g = i->group;
    char group[NAME_SIZE], title[RANK_TITLE_SIZE];
    name_group(i, group, sizeof group);
    uint32_t missing = g->key.size - i->entered, named = 0;
    size_t n = 0;
    append(buf, size, &n, "collective %llu of %s, %u of %u members have not called it%s",
           (unsigned long long)i->number, group, missing, g->key.size, missing ? ":" : "");
    for (uint32_t p = 0; p < g->key.size && named < missing && named < NAMED; p++) {
        const struct rank *r = member(i, p);
        if (g->seats[p].calls > i->number)
            continue;
        if (rank_titles && rank_titles(r, title, sizeof title))
            append(buf, size, &n, "%s %s", named++ ? ";" : "", title);
        else
            append(buf, size, &n, "%s %u", named++ ? "," : " rank", r->id);
        append(buf, size, &n, "%s", r->ended ? " (which has ended)" : "");
    }
    if (missing > NAMED)
        append(buf, size, &n, ", ...");
}

void coll_exec_describe(const void *arg, char *buf, size_t size)
{
    const struct coll_member *m = arg;
    describe_missing(m->instance, buf, size);
}

/* Any of those who are missing will do: all must come. One that has ended never will. */
uint64_t coll_exec_whom(const void *arg)
{
    const struct coll_member *m = arg;
    const struct coll_instance *i = m->instance;
    const struct coll_group_record *g = i->group;
    for (uint32_t p = 0; i->entered < g->key.size && p < g->key.size; p++)
        if (g->seats[p].calls <= i->number && !member(i, p)->ended)
            return coll_group_rank(&g->key, p);
    return ENGINE_NOBODY;
}

void coll_exec_unfinished(const struct coll_exec *x, coll_unfinished_fn fn, void *arg)
{
    char text[2 * NAME_SIZE];
    uint32_t at = 0;
    for (const struct coll_group_record *g; (g = coll_group_next(x, &at));)
        for (uint64_t k = g->base; k < g->end; k++) {
            const struct coll_instance *i = g->ring[k & (g->cap - 1)];
            if (!i || i->entered == g->key.size)
                continue;
            describe_missing(i, text, sizeof text);
            fn(arg, i->first.name, text);
        }
}
