/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pipelined: broadcasts in segments down a tree, as Open MPI's and STAR-MPI's, and without segments where
 * only the order of sends and waits is special. a is the time of one small message, o a sender's overhead, B
 * the bandwidth, m the bytes, n members, S segments, d the tree's depth, f the most children of a member.
 * Each takes about (d + S - 1)(a + f m/(S B)), and S (n - 1) messages.
 */
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/down.h"

#define KIB(n) ((uint64_t)(n) << 10)
#define WHOLE  UINT64_MAX

/* Open MPI's trees: of two receives of segments, one is always posted, and a segment goes to all children
 * before the next one does (Pjesivac-Grbovic et al., "Performance analysis of MPI collective operations",
 * Cluster Computing 10(2), 2007). */
static bool open_mpi(struct coll_schedule *s, uint32_t round, const struct broadcast_shape *shape,
                     uint32_t fan, uint64_t segment)
{
    struct broadcast_way way = {shape, fan,  coll_segment(s, segment), BROADCAST_SEGMENT, false, false,
                                false, false};
    return broadcast_down(s, round, &way);
}

/* Open MPI 1.x's rule for a chain's segments, as SMPI has it: longer ones, the longer the message and the
 * fewer the members. */
static uint64_t chain_segment(const struct coll_schedule *s)
{
    double m = (double)s->bytes, n = s->size;
    if (n < 1.6134e-6 * m + 2.1102)
        return KIB(128);
    if (n < 2.3679e-6 * m + 1.1787)
        return KIB(64);
    return n < 3.2118e-6 * m + 8.7936 ? KIB(16) : KIB(128);
}

/* One chain. Own segments: 16 to 128 KiB. */
bool coll_broadcast_pipeline(struct coll_schedule *s, uint32_t round)
{
    return open_mpi(s, round, &broadcast_chains, 1, chain_segment(s));
}

/* k chains that begin at the root, k own 4. */
bool coll_broadcast_chains(struct coll_schedule *s, uint32_t round)
{
    return open_mpi(s, round, &broadcast_chains, coll_radix(s, 4), KIB(64));
}

/* k-ary tree whose levels are dealt to the members above them; k own 2. */
bool coll_broadcast_dealt_tree(struct coll_schedule *s, uint32_t round)
{
    return open_mpi(s, round, &broadcast_dealt_tree, coll_radix(s, 2), KIB(32));
}

/* k-ary tree whose members are numbered as in a heap, as MPICH's kary; k own 2. */
bool coll_broadcast_heap_tree(struct coll_schedule *s, uint32_t round)
{
    return open_mpi(s, round, &broadcast_heap_tree, coll_radix(s, 2), KIB(32));
}

/* Binomial tree in which a member's parent lacks its highest bit: neighbours are served first. */
bool coll_broadcast_high_binomial(struct coll_schedule *s, uint32_t round)
{
    return open_mpi(s, round, &broadcast_high_bit_tree, 0, KIB(32));
}

/* k-nomial tree, in segments; k own 4. */
bool coll_broadcast_knomial_pipelined(struct coll_schedule *s, uint32_t round)
{
    return open_mpi(s, round, &broadcast_knomial_tree, coll_radix(s, 4), KIB(32));
}

/* k-nomial tree whose subtrees are runs of neighbours, the largest next to its parent, as MPICH's
 * knomial_1; k own 4. */
bool coll_broadcast_knomial_runs(struct coll_schedule *s, uint32_t round)
{
    return open_mpi(s, round, &broadcast_knomial_runs, coll_radix(s, 4), KIB(32));
}

/* --- without segments --------------------------------------------------------------------------- */

/* Binomial tree with a wait after each send, as libraries with MPI_Send have it (Thakur, Rabenseifner, Gropp
 * 2005, section 4.3). (a + m/B) ceil(log2 n); n - 1 messages. */
bool coll_broadcast_binomial_in_turn(struct coll_schedule *s, uint32_t round)
{
    struct broadcast_way way = {
        &broadcast_binomial_tree, 0, WHOLE, BROADCAST_EACH, true, false, false, false};
    return broadcast_down(s, round, &way);
}

/* k-nomial tree with a wait for the sends of each level, k own 4: MVAPICH2's within a host. (a + (k - 2) o +
 * (k - 1) m/B) ceil(log_k n); n - 1 messages. */
bool coll_broadcast_knomial_by_level(struct coll_schedule *s, uint32_t round)
{
    struct broadcast_tree t = broadcast_tree(s, &broadcast_knomial_tree, coll_radix(s, 4), s->root);
    struct coll_program p;
    uint32_t child, last_level = 0;
    if (round == 1)
        broadcast_root_copy(s);
    if (round)
        return round < 2;
    coll_program_begin(&p, s);
    if (t.me > 0)
        coll_program_receive_wait(&p, broadcast_parent(&t), 0, coll_at(COLL_DEST, 0), s->bytes);
    for (uint32_t k = 0; (child = broadcast_child(&t, k)) != COLL_NOBODY; k++) {
        uint32_t v = child >= t.first ? child - t.first : child + (t.n - t.first), level = 0;
        for (uint64_t w = 1; (v - t.me) / w >= t.fan; w *= t.fan)
            level++;
        if (k && level != last_level)
            coll_program_wait_all(&p);
        last_level = level;
        coll_program_send(&p, child, 0, broadcast_data(s, 0), s->bytes);
    }
    coll_program_end(&p);
    return true;
}

/* --- STAR-MPI's --------------------------------------------------------------------------------- */

/* All receives are posted at the beginning, sends are waited for at the end; segments of 8 KiB (Patarasuk,
 * Faraj, Yuan, "Pipelined broadcast on Ethernet switched clusters", IPDPS 2006). The first member is the
 * tree's root: another root sends it all data first, and gets them once more. What is left after the last
 * full segment goes down without a pipeline; or, if a selector chose the algorithm, as the selector chooses for
 * it, which is SMPI's way. */
static bool handed(struct coll_schedule *s, uint32_t round, const struct broadcast_shape *shape, uint32_t fan,
                   bool given)
{
    struct broadcast_way way = {shape, fan, coll_segment(s, KIB(8)), BROADCAST_ALL, true, true, true, given};
    return broadcast_down(s, round, &way);
}

static bool chain_of_given(struct coll_schedule *s, uint32_t round)
{
    return handed(s, round, &broadcast_chains, 1, true);
}

static bool tree_of_given(struct coll_schedule *s, uint32_t round)
{
    return handed(s, round, &broadcast_heap_tree, 2, true);
}

static uint64_t rest(const struct coll_schedule *s)
{
    uint64_t width = coll_segment(s, KIB(8));
    return s->tuning->leaf && s->bytes > width ? s->bytes % width : 0;
}

static coll_build_fn rest_goes_down(struct coll_schedule *s, struct coll_part *p)
{
    uint64_t full = s->bytes - rest(s);
    p->bytes = rest(s);
    p->source = coll_at(COLL_SOURCE, full);
    p->dest = coll_at(COLL_DEST, full);
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, COLL_BROADCAST, p->bytes, s->size);
}

static coll_build_fn all_is_given(struct coll_schedule *s, struct coll_part *p)
{
    (void)s, (void)p;
    return broadcast_hand_over;
}

static coll_build_fn segments_go_down_chain(struct coll_schedule *s, struct coll_part *p)
{
    p->bytes = s->bytes - rest(s);
    return chain_of_given;
}

static coll_build_fn segments_go_down_tree(struct coll_schedule *s, struct coll_part *p)
{
    p->bytes = s->bytes - rest(s);
    return tree_of_given;
}

bool coll_broadcast_handed_chain(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = all_is_given}, {.part = segments_go_down_chain}, {.part = rest_goes_down}};
    return rest(s) ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                   : handed(s, round, &broadcast_chains, 1, false);
}

bool coll_broadcast_handed_binary(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = all_is_given}, {.part = segments_go_down_tree}, {.part = rest_goes_down}};
    return rest(s) ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                   : handed(s, round, &broadcast_heap_tree, 2, false);
}

/* --- a star in segments ------------------------------------------------------------------------- */

/* The root's round: some segments to one of the others, by place. */
static void send_segments(struct coll_schedule *s, struct coll_program *p, uint64_t round, uint64_t segments,
                          uint64_t width)
{
    uint64_t batches = (segments + BROADCAST_BATCH - 1) / BROADCAST_BATCH, to = round / batches;
    uint64_t from = round % batches * BROADCAST_BATCH, end = from + BROADCAST_BATCH;
    for (uint64_t k = from; k < end && k < segments; k++) {
        uint64_t low = k * width, left = s->bytes - low;
        coll_program_send_wait(p, (uint32_t)(to + (to >= s->me)), (uint32_t)(k % BROADCAST_BATCH),
                               coll_at(COLL_SOURCE, low), left < width ? left : width);
    }
}

static void receive_segments(struct coll_schedule *s, struct coll_program *p, uint64_t round,
                             uint64_t segments, uint64_t width)
{
    uint64_t from = round * BROADCAST_BATCH, end = from + BROADCAST_BATCH;
    for (uint64_t k = from; k < end && k < segments; k++) {
        uint64_t low = k * width, left = s->bytes - low;
        coll_program_receive(p, s->root, (uint32_t)(k % BROADCAST_BATCH), coll_at(COLL_DEST, low),
                             left < width ? left : width);
    }
}

/* The root sends all segments, 8 KiB, to one member after the other, with a wait for each. What is shorter
 * than a segment: linear. (n - 1)(S o + m/B) + a; S (n - 1) messages. (SMPI's flattree_pipeline never
 * sends what is left after the last full segment.) */
bool coll_broadcast_linear_in_turn(struct coll_schedule *s, uint32_t round)
{
    uint64_t width = coll_segment(s, KIB(8)), segments = (s->bytes + width - 1) / width;
    uint64_t rounds =
        (segments + BROADCAST_BATCH - 1) / BROADCAST_BATCH * (s->me == s->root ? s->size - 1 : 1);
    struct coll_program p;
    if (s->bytes < width)
        return coll_broadcast_linear(s, round);
    if (round == rounds)
        broadcast_root_copy(s);
    if (round >= rounds)
        return round == rounds;
    coll_program_begin(&p, s);
    if (s->me == s->root)
        send_segments(s, &p, round, segments, width);
    else
        receive_segments(s, &p, round, segments, width);
    coll_program_end(&p);
    return true;
}
