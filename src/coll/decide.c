/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decide: what the selector in force says about a call, and which algorithm of ours that is. A point holds
 * what all members know of the call (rules/rules.h); sizes that only some of them know are 0. A leaf's name
 * is an algorithm's name or one of its aliases. Where no algorithm has the name, or the call lacks what it
 * requires, our own fixed rules choose, and a notice says so.
 *
 * Invariant
 *  C19 Our own fixed rules have a leaf for every call, and it names an algorithm of ours; so does a call's own choice.
 */
#include "coll/select.h"
#include "coll/neighbor/neighbor.h"

#include <string.h>

enum { NAME = 160 };

static enum coll_rules_op op_of(const struct coll_call *c)
{
    static const enum coll_rules_op plain[COLL_OPS] = {
        [COLL_BARRIER] = COLL_RULES_BARRIER,
        [COLL_BROADCAST] = COLL_RULES_BCAST,
        [COLL_COLLECT] = COLL_RULES_COLLECT,
        [COLL_FCOLLECT] = COLL_RULES_ALLGATHER,
        [COLL_ALLTOALL] = COLL_RULES_ALLTOALL,
        [COLL_REDUCE] = COLL_RULES_ALLREDUCE,
        [COLL_INSCAN] = COLL_RULES_SCAN,
        [COLL_EXSCAN] = COLL_RULES_EXSCAN,
        [COLL_GATHER] = COLL_RULES_GATHER,
        [COLL_GATHERV] = COLL_RULES_GATHERV,
        [COLL_SCATTER] = COLL_RULES_SCATTER,
        [COLL_SCATTERV] = COLL_RULES_SCATTERV,
        [COLL_ALLGATHERV] = COLL_RULES_ALLGATHERV,
        [COLL_ALLTOALLV] = COLL_RULES_ALLTOALLV,
        [COLL_ALLTOALLW] = COLL_RULES_ALLTOALLW,
        [COLL_REDUCE_ROOT] = COLL_RULES_REDUCE,
        [COLL_REDUCE_SCATTER] = COLL_RULES_REDUCE_SCATTER,
        [COLL_REDUCE_SCATTER_BLOCK] = COLL_RULES_REDUCE_SCATTER_BLOCK,
        [COLL_NEIGHBOR_ALLGATHER] = COLL_RULES_NEIGHBOR_ALLGATHER,
        [COLL_NEIGHBOR_ALLTOALL] = COLL_RULES_NEIGHBOR_ALLTOALL,
    };
    return plain[c->op];
}

/* Bytes of all parts of a buffer that every member knows, and of the largest; false: parts of equal size. */
static bool add_up(const struct coll_side *s, uint32_t n, struct coll_point *p)
{
    if (!s || !s->counts)
        return false;
    uint64_t items = 0, largest = 0, first = 0, unlike = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t count = (uint64_t)coll_side_count(s, k);
        first = k ? first : count;
        unlike |= count ^ first;
        items += count;
        largest = count > largest ? count : largest;
    }
    uint64_t size = s->layout ? types_layout_size(s->layout) : 1;
    p->total = items * size;
    p->largest = largest * size;
    p->part = p->total / n;
    if (!unlike)
        p->flags |= UINT32_C(1) << COLL_IS_REGULAR;
    return true;
}

static void add_sizes(const struct coll_call *c, struct coll_point *p)
{
    uint64_t element = c->element ? c->element : 1;
    switch (c->op) {
    case COLL_COLLECT:
    case COLL_GATHERV:
    case COLL_SCATTERV:
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
    case COLL_NEIGHBOR_ALLGATHER:
    case COLL_NEIGHBOR_ALLTOALL: /* a member knows its own sizes alone */
        return;
    case COLL_ALLGATHERV:
    case COLL_REDUCE_SCATTER:
        if (!add_up(!c->local                  ? NULL
                    : c->op == COLL_ALLGATHERV ? &c->local->dest
                                               : &c->local->source,
                    p->ranks, p))
            break;
        p->count = p->total / element;
        return;
    default:
        break;
    }
    p->part = p->largest = c->bytes;
    p->total = p->part * p->ranks;
    p->count = (c->op == COLL_REDUCE_SCATTER || c->op == COLL_REDUCE_SCATTER_BLOCK || c->op == COLL_ALLGATHERV
                    ? p->total
                    : p->part) /
               element;
    p->flags |= UINT32_C(1) << COLL_IS_REGULAR;
}

static uint32_t bit(bool is, enum coll_point_flag flag)
{
    return (uint32_t)is << flag;
}

static void fill(struct coll_point *p, const struct coll_call *c, uint32_t n, const struct coll_hosts *hosts,
                 const struct coll_network *network)
{
    const struct coll_side *source = c->local ? &c->local->source : NULL;
    bool reduces = c->op == COLL_REDUCE || c->op == COLL_REDUCE_ROOT || c->op == COLL_REDUCE_SCATTER ||
                   c->op == COLL_REDUCE_SCATTER_BLOCK || c->op == COLL_INSCAN || c->op == COLL_EXSCAN;
    *p = (struct coll_point){.ranks = n,
                             .nodes = hosts ? hosts->count : n,
                             .per_node = hosts ? hosts->each : 1,
                             .pipe = network ? network->pipe : COLL_PIPE_USUAL,
                             .burst = network ? network->burst : COLL_BURST_USUAL,
                             .topology = network ? network->topology : COLL_TOPOLOGY_UNKNOWN,
                             .op = (uint32_t)op_of(c)};
    p->flags = bit(c->nonblocking, COLL_IS_NONBLOCKING) | bit(!c->operator.ordered, COLL_IS_COMMUTATIVE) |
               bit(!coll_operator_is_user(c->operator), COLL_IS_BUILTIN) |
               bit(c->in_place, COLL_IS_IN_PLACE) | bit(!hosts || hosts->in_order, COLL_IS_CONSECUTIVE) |
               bit(!hosts || hosts->each, COLL_IS_UNIFORM) | bit(hosts && hosts->worth, COLL_IS_NEAR) |
               bit(reduces && source && source->layout, COLL_IS_DERIVED) |
               bit(c->transport && coll_is_two_sided(c->transport), COLL_IS_TWO_SIDED);
    add_sizes(c, p);
}

static bool is_graph(enum coll_op op)
{
    return op == COLL_NEIGHBOR_ALLGATHER || op == COLL_NEIGHBOR_ALLTOALL;
}

/* The same with what is known of the graph, if the selector asks. */
static void fill_asked(const struct coll_select *s, struct coll_point *p, const struct coll_call *c,
                       const struct coll_hosts *hosts, const struct coll_network *network)
{
    fill(p, c, c->group.size, hosts, network);
    if (BASE_LIKELY(!s->asks_graphs) || !is_graph(c->op))
        return;
    const struct coll_graph_facts f = coll_neighbors_facts(c);
    p->degree = f.degree;
    p->dimensions = f.dimensions;
    p->part = p->largest = f.part;
    p->flags |= bit(f.part > 0, COLL_IS_REGULAR);
}

/* --- from a leaf to an algorithm ---------------------------------------------------------------------- */

int coll_select_leaf(enum coll_op op, const struct coll_leaf *l)
{
    char name[NAME];
    int k = -2;
    for (unsigned way = 0; k < 0 && coll_leaf_alias(l, way, name, sizeof name); way++)
        k = coll_select_find(op, name);
    return k;
}

static coll_build_fn by_own_rules(const struct coll_point *p, enum coll_op op)
{
    static const struct coll_rules *own;
    struct coll_choice c;
    own = own ? own : coll_rules_builtin("fixed");
    bool is = coll_rules_choose(own, p, &c);
    int k = is ? coll_select_leaf(op, c.leaf) : -1;
    BASE_ASSERT("C19", k >= 0);
    return coll_algorithm_function((size_t)k);
}

/* The rule's parameters, where the settings leave them to the algorithm. */
static void tune(struct coll_tuning *t, const struct coll_leaf *l)
{
    if (!t->radix && l->k > 1)
        t->radix = l->k;
    if (!t->segment)
        t->segment = l->segment;
    if (!t->window)
        t->window = l->outstanding;
    t->leaf = l;
}

/* What carries out algorithm k, or whatever replaces it; `said` is its name for the user. */
static coll_build_fn carry_out(int k, const char *said, const struct coll_point *p,
                               const struct coll_call *call, const struct coll_hosts *hosts)
{
    size_t n;
    const char *lacks = k < 0 ? "" : coll_select_lacks(coll_algorithms(&n)[k].traits, call, hosts);
    if (BASE_LIKELY(!lacks))
        return coll_algorithm_function((size_t)k);
    coll_build_fn other = by_own_rules(p, call->op);
    if (k < 0)
        base_notice("coll/unknown-choice",
                    "%s: no algorithm of %s is called \"%s\"; with %u members \"%s\" runs instead",
                    call->name, coll_op_name(call->op), said, (unsigned)p->ranks, coll_select_name(other));
    else
        base_notice("coll/next-best",
                    "%s: the algorithm \"%s\" requires %s; with %u members \"%s\" runs instead", call->name,
                    said, lacks, (unsigned)p->ranks, coll_select_name(other));
    return other;
}

static void by_selector(const struct coll_rules *rules, const struct coll_point *p,
                        const struct coll_call *call, const struct coll_hosts *hosts,
                        struct coll_decision *out)
{
    struct coll_choice c;
    char said[NAME];
    out->build = NULL;
    if (!rules || !coll_rules_choose(rules, p, &c)) {
        out->build = by_own_rules(p, call->op);
        return;
    }
    int k = coll_select_leaf(call->op, c.leaf);
    out->build = carry_out(k, coll_leaf_show(c.leaf, said, sizeof said), p, call, hosts);
    if (k >= 0 && out->build == coll_algorithm_function((size_t)k))
        tune(&out->tuning, c.leaf);
}

/* As the selector chooses, if that is possible; else our fixed rules. That is no news: libraries, too, have other
 * algorithms where there is one buffer, and of `auto` nobody expects a certain one. */
static void quietly(const struct coll_select *s, const struct coll_point *p, const struct coll_call *call,
                    const struct coll_hosts *hosts, struct coll_decision *out)
{
    struct coll_choice c;
    size_t n;
    int k = s->rules && coll_rules_choose(s->rules, p, &c) ? coll_select_leaf(call->op, c.leaf) : -1;
    if (k < 0 || coll_select_lacks(coll_algorithms(&n)[k].traits, call, hosts)) {
        out->build = by_own_rules(p, call->op);
        return;
    }
    out->build = coll_algorithm_function((size_t)k);
    tune(&out->tuning, c.leaf);
}

/* --- the choice --------------------------------------------------------------------------------------- */

static void choose(const struct coll_select *s, const struct coll_point *p, const struct coll_call *call,
                   const struct coll_hosts *hosts, struct coll_decision *out)
{
    size_t n;
    int k = s->chosen[call->op];
    out->tuning = s->tuning;
    bool one_buffer = call->in_place && !coll_op_scatters_result(call->op); /* most algorithms need two */
    if (k == COLL_AUTO && (one_buffer || s->rules == coll_rules_builtin("auto")))
        quietly(s, p, call, hosts, out);
    else if (one_buffer && coll_select_lacks(coll_algorithms(&n)[k].traits, call, hosts))
        out->build = by_own_rules(p, call->op);
    else if (k == COLL_AUTO)
        by_selector(s->rules, p, call, hosts, out);
    else
        out->build = carry_out(k, coll_algorithms(&n)[k].name, p, call, hosts);
}

/* Where the choice for a point is kept: neighbouring sizes and different operations do not share a place. */
static uint32_t place_of(const struct coll_point *p)
{
    uint64_t mix =
        (p->part ^ (uint64_t)p->op << 40 ^ (uint64_t)p->ranks << 20) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mix >> 60) % COLL_KEPT;
}

/* The call says itself what carries it out, or which selector says so. */
static void by_name(struct coll_select *s, const struct coll_call *call, const struct coll_hosts *hosts,
                    const struct coll_network *network, struct coll_decision *out)
{
    size_t use = sizeof COLL_TRIAL_USE - 1;
    *out = (struct coll_decision){.tuning = s->tuning};
    if (!strncmp(call->algorithm, COLL_TRIAL_USE, use)) {
        struct coll_point p;
        fill(&p, call, call->group.size, hosts, network);
        by_selector(coll_rules_builtin(call->algorithm + use), &p, call, hosts, out);
    } else {
        int k = coll_select_find(call->op, call->algorithm);
        BASE_ASSERT("C19", k >= 0);
        out->build = coll_algorithm_function((size_t)k);
    }
    out->islands = coll_select_has(out->build, COLL_ISLANDS);
    out->tuning.select = s;
}

void coll_select_choose(struct coll_select *s, const struct coll_call *call, const struct coll_hosts *hosts,
                        const struct coll_network *network, struct coll_decision *out)
{
    struct coll_point p;
    if (BASE_UNLIKELY(call->algorithm != NULL)) {
        by_name(s, call, hosts, network, out);
        return;
    }
    fill_asked(s, &p, call, hosts, network);
    struct coll_kept *last = &s->last[place_of(&p)];
    bool graph = is_graph(call->op); /* not in the point */
    if (graph || !last->decision.build || memcmp(&p, &last->point, sizeof p) || last->op != call->op) {
        choose(s, &p, call, hosts, &last->decision);
        last->decision.islands = coll_select_has(last->decision.build, COLL_ISLANDS);
        last->decision.tuning.select = s;
        last->point = p;
        last->op = call->op;
    }
    *out = last->decision;
}

coll_build_fn coll_select_algorithm(const struct coll_select *s, const struct coll_call *call,
                                    const struct coll_hosts *hosts)
{
    struct coll_decision c = {.islands = false};
    struct coll_point p;
    fill_asked(s, &p, call, hosts, NULL);
    choose(s, &p, call, hosts, &c);
    return c.build;
}

static void why_rule(const struct coll_select *s, const struct coll_point *p, const struct coll_call *call,
                     const struct coll_hosts *hosts, char *buf, size_t size)
{
    struct coll_choice c;
    char rule[2 * NAME];
    size_t n;
    const struct coll_rules *rules = s->rules ? s->rules : coll_rules_builtin("auto");
    if (!coll_rules_choose(rules, p, &c)) {
        snprintf(buf, size, "auto");
        return;
    }
    int k = coll_select_leaf(call->op, c.leaf);
    const char *lacks = k < 0 ? NULL : coll_select_lacks(coll_algorithms(&n)[k].traits, call, hosts);
    coll_choice_explain(&c, rule, sizeof rule);
    if (k < 0)
        snprintf(buf, size, "auto: no algorithm has the name of %s", rule);
    else if (lacks)
        snprintf(buf, size, "auto: %s requires %s", rule, lacks);
    else
        snprintf(buf, size, "%s", rule);
}

void coll_select_why(const struct coll_select *s, const struct coll_call *call,
                     const struct coll_hosts *hosts, const struct coll_network *network, char *buf,
                     size_t size)
{
    size_t n;
    int k = s->chosen[call->op];
    struct coll_point p;
    const char *lacks = k == COLL_AUTO ? NULL : coll_select_lacks(coll_algorithms(&n)[k].traits, call, hosts);
    if (call->algorithm) {
        snprintf(buf, size, "%s",
                 call->trial ? "automatic: one of all that are tried"
                             : "a part of an algorithm between two groups");
        return;
    }
    fill_asked(s, &p, call, hosts, network);
    if (k == COLL_AUTO)
        why_rule(s, &p, call, hosts, buf, size);
    else if (lacks)
        snprintf(buf, size, "auto: coll/%s=%s requires %s", coll_op_name(call->op),
                 coll_algorithms(&n)[k].name, lacks);
    else
        snprintf(buf, size, "coll/%s", coll_op_name(call->op));
}

/* --- parts of larger algorithms ------------------------------------------------------------------------ */

/* What the leaf that chose the whole says of a level; NULL: nothing. A part of all members is like one among
 * leaders. */
static const struct coll_leaf *said_of(const struct coll_schedule *s, enum coll_level level)
{
    const struct coll_leaf *l = s->tuning->leaf;
    if (!l)
        return NULL;
    return level == COLL_LEVEL_WITHIN ? l->intra : l->inter;
}

bool coll_select_says(const struct coll_schedule *s, enum coll_level level)
{
    return said_of(s, level) != NULL;
}

/* A level of the leaf may say what it wants: an algorithm, or a selector of its own. Returns the leaf that
 * chooses, and its algorithm; NULL: our own rules do. */
static const struct coll_leaf *leaf_of_part(const struct coll_select *s, const struct coll_leaf *level,
                                            const struct coll_point *p, const struct coll_call *part,
                                            const struct coll_hosts *hosts, coll_build_fn *build)
{
    const char *use = level && level->use ? level->use : part->trial ? "smpi-default" : NULL;
    const struct coll_rules *rules = use ? coll_rules_builtin(use) : s ? s->rules : NULL;
    const struct coll_leaf *l = level && level->algorithm ? level : NULL;
    struct coll_choice c;
    size_t all;
    int k = l ? coll_select_leaf(part->op, l) : -1;
    if (k < 0 && rules && coll_rules_choose(rules, p, &c)) {
        l = c.leaf;
        k = coll_select_leaf(part->op, l);
    }
    if (k < 0 || coll_select_lacks(coll_algorithms(&all)[k].traits, part, hosts))
        return NULL;
    *build = coll_algorithm_function((size_t)k);
    return l;
}

/* Kept: the rounds of a part refer to it. */
static const struct coll_tuning *tuning_of(struct coll_select *s, const struct coll_leaf *l)
{
    for (size_t k = 0; k < s->tuned.n; k++)
        if (s->tuned.at[k]->leaf == l)
            return s->tuned.at[k];
    struct coll_tuning *t = base_alloc(sizeof *t, "tuning of a part");
    *t = s->tuning;
    t->select = s;
    tune(t, l);
    BASE_ARRAY_PUSH(&s->tuned, t);
    return t;
}

static void choose_part(struct coll_select *s, const struct coll_point *p, const struct coll_leaf *says,
                        const struct coll_call *part, const struct coll_hosts *hosts)
{
    const struct coll_leaf *l = leaf_of_part(s, says, p, part, hosts, &s->part.build);
    if (!l)
        s->part.build = by_own_rules(p, part->op);
    s->part.tuning = l ? tuning_of(s, l) : NULL;
    s->part.point = *p;
    s->part.op = part->op;
    s->part.level = says;
    s->part.trial = part->trial;
}

/* Asked for in every round: the answer to the last question is kept. */
coll_build_fn coll_select_part(const struct coll_schedule *s, struct coll_part *part, enum coll_level level,
                               enum coll_op op, uint64_t bytes, uint32_t n)
{
    const struct coll_leaf *says = said_of(s, level);
    /* a barrier between steps has one level */
    bool among_all = level == COLL_LEVEL_ALL && op != COLL_BARRIER && !coll_part_is_numbered(s);
    const struct coll_hosts *hosts = among_all ? s->hosts : NULL;
    struct coll_select *select = s->tuning->select;
    struct coll_call call = *s->call;
    struct coll_point p;
    call.op = op;
    call.bytes = bytes;
    call.local = NULL;
    call.group.size = n;
    fill(&p, &call, n, hosts, s->network);
    p.flags |= bit(!among_all, COLL_IS_INNER);
    p.flags &= ~bit(true, COLL_IS_NEAR); /* levels of our own stand alone */
    if (level == COLL_LEVEL_WITHIN) {
        p.nodes = 1;
        p.per_node = n;
    }
    if (!select)
        return by_own_rules(&p, op);
    if (!select->part.build || select->part.op != op || select->part.level != says ||
        select->part.trial != call.trial || memcmp(&p, &select->part.point, sizeof p))
        choose_part(select, &p, says, &call, hosts);
    if (part && select->part.tuning)
        part->tuning = select->part.tuning;
    return select->part.build;
}
