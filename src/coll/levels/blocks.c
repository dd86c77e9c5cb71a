/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks: reductions to all of two levels, as SMPI and MVAPICH2 have them. If every host has as many members,
 * c, the levels are blocks of c neighbours in order of place, and the first ones of all blocks; else every
 * member is a block of its own. Where the members of a host are not neighbours, blocks are not hosts: the
 * result is right, but slow. a is the time of one small message between hosts, b within one, B the
 * bandwidth, g the time to reduce a byte, m the bytes, n members in H blocks.
 */
#include "coll/levels/levels.h"
#include "coll/reduce/reduce.h"

/* Members of a block. */
static uint32_t cores(const struct coll_schedule *s)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t n = s->call->group.size;
    for (uint32_t h = 0; l && h < l->count; h++)
        if ((l->first[h + 1] - l->first[h]) * l->count != n)
            return 1;
    uint32_t each = l && l->count ? n / l->count : 1;
    return each ? each : 1;
}

/* --- parts -------------------------------------------------------------------------------------- */

static coll_build_fn block(const struct coll_schedule *s, struct coll_part *p, coll_build_fn build)
{
    uint32_t c = cores(s);
    p->member = coll_part_strided;
    p->first = s->me / c * c;
    p->stride = 1;
    p->me = s->me % c;
    p->size = c;
    p->source = coll_at(COLL_DEST, 0);
    return build;
}

static coll_build_fn leaders(const struct coll_schedule *s, struct coll_part *p, coll_build_fn build)
{
    uint32_t c = cores(s);
    p->member = coll_part_strided;
    p->first = 0;
    p->stride = c;
    p->me = s->me / c;
    p->size = s->size / c;
    p->source = coll_at(COLL_DEST, 0);
    return s->me % c ? NULL : build;
}

static bool load_all(struct coll_schedule *s, uint32_t round)
{
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    return round == 0;
}

static bool up(struct coll_schedule *s, uint32_t round)
{
    return coll_blocking_up(s, round, 0, (struct coll_run){0, s->bytes});
}

static bool down(struct coll_schedule *s, uint32_t round)
{
    return coll_blocking_down(s, round, 1, (struct coll_run){0, s->bytes});
}

/* --- stages ------------------------------------------------------------------------------------- */

static coll_build_fn block_up(struct coll_schedule *s, struct coll_part *p)
{
    return block(s, p, up);
}

static coll_build_fn block_down(struct coll_schedule *s, struct coll_part *p)
{
    return block(s, p, down);
}

static coll_build_fn leaders_up(struct coll_schedule *s, struct coll_part *p)
{
    return leaders(s, p, up);
}

static coll_build_fn leaders_down(struct coll_schedule *s, struct coll_part *p)
{
    return leaders(s, p, down);
}

static coll_build_fn leaders_double(struct coll_schedule *s, struct coll_part *p)
{
    return leaders(s, p, coll_reduce_recursive_doubling);
}

/* Parts of equal size, the last with the rest, begun with that of the leader before. */
static bool ring(struct coll_schedule *s, uint32_t round)
{
    uint32_t hops = s->size - 1;
    bool reduce = round < hops;
    if (round >= 2 * hops)
        return false;
    uint32_t out = reduce ? coll_before(s, round + 1) : coll_before(s, round - hops);
    uint32_t in = (out + hops) % s->size;
    struct coll_run give = coll_run_rest_last(s, out, 1, s->size);
    struct coll_run get = coll_run_rest_last(s, in, 1, s->size);
    coll_place to = coll_at(COLL_DEST, get.at);
    if (reduce)
        coll_add_reduce(s, coll_before(s, 1), round, to, get.bytes);
    else
        coll_add_receive(s, coll_before(s, 1), round, to, get.bytes);
    coll_add_send(s, coll_after(s, 1), round, coll_at(COLL_DEST, give.at), give.bytes);
    return true;
}

static coll_build_fn leaders_ring(struct coll_schedule *s, struct coll_part *p)
{
    return leaders(s, p, ring);
}

static coll_build_fn leaders_halve(struct coll_schedule *s, struct coll_part *p)
{
    return leaders(s, p, coll_reduce_rabenseifner);
}

/* --- the algorithms ----------------------------------------------------------------------------- */

/* Up a binomial tree of each block, up one of the leaders, and down both. 2 b log2 c + 2 a log2 H + (log2 c +
 * log2 H) m (2/B + g); 2 (n - 1) messages. */
bool coll_reduce_blocks_binomial(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.all = load_all},
                                                   {.part = block_up},
                                                   {.part = leaders_up},
                                                   {.part = leaders_down},
                                                   {.part = block_down}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* The leaders by recursive doubling: the blocks' 2 b log2 c and (a + m/B + g m) log2 H; 2 (n - H) messages
 * and the leaders'. */
bool coll_reduce_blocks_doubling(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.all = load_all}, {.part = block_up}, {.part = leaders_double}, {.part = block_down}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* The leaders by a ring: 2 (H - 1)(a + m/(H B)) between them; 2 (n - H) + 2 H (H - 1) messages. */
bool coll_reduce_blocks_ring(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.all = load_all}, {.part = block_up}, {.part = leaders_ring}, {.part = block_down}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* The leaders by halving and doubling: 2 a log2 H + m (2/B + g) between them; 2 (n - H) messages and the
 * leaders'. */
bool coll_reduce_blocks_rabenseifner(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.all = load_all}, {.part = block_up}, {.part = leaders_halve}, {.part = block_down}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* --- MVAPICH2's --------------------------------------------------------------------------------- */

static uint32_t of_host(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    return s->hosts->member[p->first + k];
}

static void host(const struct coll_schedule *s, struct coll_part *p)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me];
    p->first = l->first[h];
    p->size = l->first[h + 1] - p->first;
    p->me = l->index[s->me];
    p->member = of_host;
}

static uint32_t leader_of(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    (void)p;
    return s->hosts->member[s->hosts->first[k]];
}

/* As SMPI's and MPICH's reductions choose within a host; where the selector says what its members do, they
 * reduce to the leader. */
static coll_build_fn host_reduces(struct coll_schedule *s, struct coll_part *p)
{
    host(s, p);
    bool is_long = s->bytes > 2048 && s->bytes / coll_item(s) >= coll_power_below(p->size);
    coll_build_fn to_all = is_long ? coll_reduce_rabenseifner : coll_reduce_recursive_doubling;
    coll_build_fn build =
        coll_level_choice(s, p, COLL_LEVEL_WITHIN, COLL_REDUCE_ROOT, s->bytes, p->size, to_all);
    p->no_dest = build != to_all && p->me;
    return build;
}

static coll_build_fn hosts_double(struct coll_schedule *s, struct coll_part *p)
{
    uint32_t h = s->hosts->host[s->me];
    p->me = h;
    p->size = s->hosts->count;
    p->member = leader_of;
    p->source = coll_at(COLL_DEST, 0);
    if (s->hosts->index[s->me])
        return NULL;
    return coll_level_choice(s, p, COLL_LEVEL_BETWEEN, COLL_REDUCE, s->bytes, p->size,
                             coll_reduce_recursive_doubling);
}

/* As the selector chooses, if it chose the whole. */
static coll_build_fn host_down(struct coll_schedule *s, struct coll_part *p)
{
    host(s, p);
    if (!s->tuning->leaf)
        return down;
    p->source = coll_at(COLL_DEST, 0);
    p->no_dest = p->me == 0;
    return s->tuning->choose(s, p, COLL_LEVEL_WITHIN, COLL_BROADCAST, s->bytes, p->size);
}

/* All members of a host get its result, by recursive doubling or, if long, halving; the leaders then exchange
 * theirs by recursive doubling, and send it down a binomial tree of their host. 2 b log2 P + (a + m/B + g m)
 * log2 H and more with m within hosts of P members. Where no two members share a host, recursive doubling. */
bool coll_reduce_two_level(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = host_reduces}, {.part = hosts_double}, {.part = host_down}};
    if (coll_part_hosts(s))
        return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
    return coll_level_choice(s, NULL, COLL_LEVEL_BETWEEN, COLL_REDUCE, s->bytes, s->size,
                             coll_reduce_recursive_doubling)(s, round);
}

/* --- a pipeline --------------------------------------------------------------------------------- */

enum { OWN_ITEMS = 4096 };

/* Segments of so many items, however large an item is, unless coll/segment says how many bytes. */
static struct coll_run segment(const struct coll_schedule *s, uint64_t k)
{
    uint64_t item = coll_item(s), each = coll_segment(s, OWN_ITEMS * item) / item * item, at;
    each = each ? each : item;
    at = k * each < s->bytes ? k * each : s->bytes;
    return (struct coll_run){at, each < s->bytes - at ? each : s->bytes - at};
}

static uint64_t segments(const struct coll_schedule *s)
{
    uint64_t each = segment(s, 0).bytes;
    return each ? (s->bytes - 1) / each + 1 : 1;
}

/* Trees of a part, segment after segment. */
static bool segments_up(struct coll_schedule *s, uint32_t round)
{
    uint32_t levels = coll_log2_above(s->size);
    if (!levels)
        return false;
    uint32_t k = round / levels;
    return coll_blocking_up(s, round % levels, k, segment(s, k));
}

static bool segments_down(struct coll_schedule *s, uint32_t round)
{
    uint32_t levels = coll_log2_above(s->size);
    if (!levels)
        return false;
    uint32_t k = round / levels;
    return coll_blocking_down(s, round % levels, k, segment(s, k));
}

enum { BLOCK_UP, LEADERS_UP, LEADERS_DOWN, BLOCK_DOWN, TREES };

static void add_turn(struct coll_schedule *s, uint32_t tree, uint32_t round)
{
    struct coll_part p = {.bytes = s->bytes};
    coll_build_fn trees = tree < LEADERS_DOWN ? segments_up : segments_down;
    bool inner = tree == BLOCK_UP || tree == BLOCK_DOWN;
    coll_build_fn build = inner ? block(s, &p, trees) : leaders(s, &p, trees);
    p.dest = p.source;
    if (build)
        coll_part_round(s, &p, build, round);
}

/* blocks-binomial in segments: while one goes up among the leaders, the next one goes up in the blocks, and
 * so on. But a member does one thing after the other. With S segments, the time of S + 3 of them; 2 (n - 1) S
 * messages. */
bool coll_reduce_blocks_pipelined(struct coll_schedule *s, uint32_t round)
{
    uint32_t c = cores(s), in_block = coll_log2_above(c), among = coll_log2_above(s->size / c);
    uint32_t levels[TREES] = {in_block, among, among, in_block}, tree = 0, turn = 2 * (in_block + among);
    uint64_t n = segments(s);
    if (round == 0)
        return load_all(s, round);
    if (!turn || (round - 1) / turn >= n + TREES - 1) /* alone; or the end */
        return false;
    uint64_t phase = (round - 1) / turn;
    uint32_t within = (round - 1) % turn;
    for (; within >= levels[tree]; tree++)
        within -= levels[tree];
    if (phase >= tree && phase - tree < n)
        add_turn(s, tree, (uint32_t)(phase - tree) * levels[tree] + within);
    return true;
}
