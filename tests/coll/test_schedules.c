/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The schedules of every algorithm, followed symbolically (follow.h): each byte of the result comes from where
 * it must, or combines the operands of all members that it must, each once and in order of place; sends and
 * receives match; nobody waits for ever, even where sends wait for their receives.
 *
 * Plays groups of 1 to 17 members, or of 1 to PGASIM_TEST_CASES and some of up to 1000, with more sizes, roots
 * and parameters; PGASIM_TEST_ALGORITHM names one algorithm.
 */
#include "coll/follow.h"
#include "coll/seeds.h"
#include "coll/shared_hosts.h"
#include "seed.h"

enum { MOST_MEMBERS = 1024, QUICK_MEMBERS = 17, MANY = 100 };

static struct trial {
    const struct coll_algorithm_info *info;
    uint32_t n, root;
    uint64_t items, element, variant; /* items of one part, or of the vector */
    bool in_place, different;         /* parts have different sizes */
    struct coll_hosts *hosts;
    struct coll_islands *islands;
    struct coll_tuning tuning;
    struct coll_operator operator;
    char text[200];
} trial;

/* --- sizes ---------------------------------------------------------------------------------------- */

/* Bytes of what i has for j, in an alltoall; of part j of other operations. */
static uint64_t between(uint32_t i, uint32_t j)
{
    uint64_t spread = trial.in_place ? i + j : 3 * (uint64_t)i + 5 * (uint64_t)j;
    return trial.different ? (trial.items + spread) % (trial.items + 3) : trial.items;
}
static uint64_t part(uint32_t j)
{
    return (trial.different ? (trial.items + 7 * (uint64_t)j) % (trial.items + 3) : trial.items) *
           trial.element;
}

/* Bytes of the parts before part j. */
static uint64_t before(uint32_t j)
{
    uint64_t sum = 0;
    while (j--)
        sum += part(j);
    return sum;
}

/* For each member, by part, and where the part begins. There is a gap after each. */
static int counts[2][MOST_MEMBERS][MOST_MEMBERS], begins[2][MOST_MEMBERS][MOST_MEMBERS];

static uint64_t place_parts(int side, uint32_t me, bool dest)
{
    enum coll_op op = trial.info->op;
    uint64_t at = 0;
    for (uint32_t p = 0; p < trial.n; p++) {
        uint64_t bytes = op != COLL_ALLTOALLV && op != COLL_ALLTOALLW ? part(p)
                         : dest                                       ? between(p, me)
                                                                      : between(me, p);
        counts[side][me][p] = (int)bytes;
        begins[side][me][p] = (int)at;
        at += bytes + (coll_op_scatters_result(op) ? 0 : 1);
    }
    return at;
}

/* --- calls ---------------------------------------------------------------------------------------- */

static const struct types_layout *bytes_of[MOST_MEMBERS];

static void give_parts(struct follow_member *m, bool dest, uint64_t *room)
{
    struct coll_side *side = dest ? &m->local.dest : &m->local.source;
    uint32_t me = m->call.me;
    *room = place_parts(dest, me, dest);
    side->counts = counts[dest][me];
    side->at = begins[dest][me];
    if (trial.info->op == COLL_ALLTOALLW)
        side->layouts = bytes_of;
    m->call.local = &m->local;
}

/* Bytes of source and dest. */
static void size_buffers(struct follow_member *m, uint64_t *source, uint64_t *dest)
{
    uint64_t one = trial.items * trial.element, all = trial.n * one;
    bool root = m->call.me == trial.root;
    *source = *dest = one;
    switch (trial.info->op) {
    case COLL_BARRIER:
        *source = *dest = m->call.bytes = 0;
        return;
    case COLL_FCOLLECT:
        *dest = all;
        return;
    case COLL_COLLECT:
        *source = m->call.bytes = part(m->call.me);
        *dest = before(trial.n);
        return;
    case COLL_ALLTOALL:
        *source = *dest = all;
        return;
    case COLL_GATHER:
        *dest = root ? all : 0;
        return;
    case COLL_SCATTER:
        *source = root ? all : 0;
        return;
    case COLL_REDUCE_SCATTER_BLOCK:
        *source = all;
        return;
    case COLL_REDUCE_SCATTER:
        give_parts(m, false, source);
        *dest = part(m->call.me);
        return;
    case COLL_ALLGATHERV:
    case COLL_GATHERV:
        *source = *dest = m->call.bytes = part(m->call.me);
        if (root || trial.info->op == COLL_ALLGATHERV)
            give_parts(m, true, dest);
        return;
    case COLL_SCATTERV:
        *source = *dest = m->call.bytes = part(m->call.me);
        if (root)
            give_parts(m, false, source);
        return;
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
        give_parts(m, false, source);
        give_parts(m, true, dest);
        return;
    default:
        return;
    }
}

static bool may_be_in_place(const struct follow_member *m)
{
    enum coll_op op = trial.info->op;
    bool root = m->call.me == trial.root;
    return trial.in_place && op != COLL_BARRIER && op != COLL_BROADCAST && op != COLL_COLLECT &&
           (root || !coll_op_is_rooted(op));
}

static void fill_source(struct follow_member *m, uint64_t bytes)
{
    uint64_t at = (uintptr_t)m->call.source;
    struct follow_area all = {0};
    const struct follow_cell own = {m->call.me, m->call.me + 1, 0, follow_key(m->call.me)};
    follow_area_add(&all, &own, bytes);
    if (bytes)
        follow_area_write(&m->area[at / FOLLOW_BASE - 1], at % FOLLOW_BASE, &all);
    follow_area_release(&all);
}

static void make_member(struct follow_member *m, uint32_t me)
{
    uint64_t source, dest;
    *m = (struct follow_member){0};
    m->call = (struct coll_call){.name = coll_op_name(trial.info->op), .op = trial.info->op, .me = me};
    m->call.group.size = trial.n;
    m->call.root = coll_op_is_rooted(trial.info->op) ? trial.root : 0;
    m->call.bytes = trial.items * trial.element;
    m->call.element = trial.element;
    m->call.operator= trial.operator;
    size_buffers(m, &source, &dest);
    m->call.source = follow_address(FOLLOW_SOURCE, 0);
    m->call.dest = follow_address(FOLLOW_DEST, 0);
    if (trial.info->op == COLL_BROADCAST && me == trial.root && trial.variant % 2)
        m->call.dest = NULL;
    if (may_be_in_place(m)) {
        coll_in_place(&m->call, m->call.local ? &m->local : NULL);
        if (m->call.dest && coll_op_scatters_result(trial.info->op))
            dest = source;
    }
    follow_area_widen(&m->area[FOLLOW_SOURCE], source);
    follow_area_widen(&m->area[FOLLOW_DEST], dest);
    fill_source(m, source);
    m->met = base_zalloc((trial.n / 64 + 1) * sizeof *m->met, "test");
    m->met[me / 64] = UINT64_C(1) << me % 64;
}

/* --- results -------------------------------------------------------------------------------------- */

static void expect(const struct follow_member *m, uint64_t at, uint32_t low, uint32_t high, uint64_t offset,
                   uint64_t bytes)
{
    uint64_t sum = 0;
    for (uint32_t p = low; p < high; p++)
        sum += follow_key(p);
    const struct follow_area *dest = &m->area[FOLLOW_DEST];
    for (uint64_t k = bytes ? follow_area_find(dest, at) : 0, end; bytes; k++) {
        const struct follow_run *run = &dest->run[k];
        const struct follow_cell c = follow_cell_after(run->cell, at - run->from);
        if (c.low != low || c.high != high || c.offset != offset || c.sum != sum)
            fail_msg(
                "%s: member %u: byte %llu of the result is byte %llu of operands %u to %u, expected byte "
                "%llu of %u to %u%s",
                trial.text, m->call.me, (unsigned long long)at, (unsigned long long)c.offset, c.low, c.high,
                (unsigned long long)offset, low, high, c.sum != sum ? ", each once" : "");
        end = follow_run_end(dest, k);
        end = end - at < bytes ? end : at + bytes;
        bytes -= end - at;
        offset += end - at;
        at = end;
    }
}

static void expect_gathered(const struct follow_member *m)
{
    enum coll_op op = trial.info->op;
    uint64_t one = trial.items * trial.element;
    uint32_t me = m->call.me;
    uint64_t at = 0;
    for (uint32_t p = 0; p < trial.n; p++) {
        if (op == COLL_ALLGATHERV || op == COLL_GATHERV)
            expect(m, (uint64_t)begins[1][me][p], p, p + 1, 0, part(p));
        else if (op == COLL_COLLECT)
            expect(m, at, p, p + 1, 0, part(p));
        else if (op == COLL_ALLTOALLV || op == COLL_ALLTOALLW)
            expect(m, (uint64_t)begins[1][me][p], p, p + 1, (uint64_t)begins[0][p][me], between(p, me));
        else
            expect(m, p * one, p, p + 1, op == COLL_ALLTOALL ? me * one : 0, one);
        at += part(p);
    }
}

/* Nobody leaves a barrier before all have come. */
static void expect_all_met(const struct follow_member *m)
{
    for (uint32_t p = 0; p < trial.n; p++)
        if (!(m->met[p / 64] >> p % 64 & 1))
            fail_msg("%s: member %u leaves before %u has come", trial.text, m->call.me, p);
}

static void expect_result(const struct follow_member *m)
{
    enum coll_op op = trial.info->op;
    uint32_t me = m->call.me, n = trial.n, root = trial.root;
    uint64_t one = trial.items * trial.element;
    if (op == COLL_BARRIER)
        expect_all_met(m);
    if (!m->call.dest || op == COLL_BARRIER)
        return;
    if (op == COLL_BROADCAST)
        expect(m, 0, root, root + 1, 0, one);
    else if (op == COLL_SCATTER)
        expect(m, 0, root, root + 1, me * one, one);
    else if (op == COLL_SCATTERV)
        expect(m, 0, root, root + 1, (uint64_t)begins[0][root][me], part(me));
    else if (op == COLL_REDUCE || (op == COLL_REDUCE_ROOT && me == root))
        expect(m, 0, 0, n, 0, one);
    else if (op == COLL_INSCAN)
        expect(m, 0, 0, me + 1, 0, one);
    else if (op == COLL_EXSCAN && me)
        expect(m, 0, 0, me, 0, one);
    else if (op == COLL_REDUCE_SCATTER_BLOCK)
        expect(m, 0, 0, n, me * one, one);
    else if (op == COLL_REDUCE_SCATTER)
        expect(m, 0, 0, n, (uint64_t)begins[0][me][me], part(me));
    else if (op == COLL_FCOLLECT || op == COLL_COLLECT || op == COLL_ALLGATHERV || op == COLL_ALLTOALL ||
             op == COLL_ALLTOALLV || op == COLL_ALLTOALLW ||
             ((op == COLL_GATHER || op == COLL_GATHERV) && me == root))
        expect_gathered(m);
}

/* --- hosts ---------------------------------------------------------------------------------------- */

/* Host h is on island h / width, or on h modulo `width` islands; NULL: on one, or each on its own. */
static struct coll_islands *share_islands(const struct coll_hosts *hosts, uint32_t n, uint32_t width,
                                          bool in_order)
{
    uint32_t count = in_order ? (n + width - 1) / width : width < n ? width : n, done = 0;
    if (count == n || count < 2)
        return NULL;
    struct coll_islands *l = base_zalloc(sizeof *l + (4 * (size_t)n + 1) * sizeof *l->island, "test");
    *l = (struct coll_islands){.count = count, .each = n % count ? 0 : n / count};
    l->in_order = in_order && (!hosts || hosts->in_order);
    l->island = (uint32_t *)(void *)(l + 1);
    l->index = l->island + n;
    l->host = l->index + n;
    l->first = l->host + n;
    for (uint32_t i = 0; i < count; i++) {
        l->first[i] = done;
        for (uint32_t h = 0; h < n; h++)
            if ((in_order ? h / width : h % count) == i) {
                l->island[h] = i;
                l->index[h] = done - l->first[i];
                l->host[done++] = h;
            }
        if (done - l->first[i] != n / count)
            l->each = 0;
    }
    l->first[count] = done;
    return l;
}

/* --- trials --------------------------------------------------------------------------------------- */

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN || op == COLL_REDUCE_ROOT ||
           coll_op_scatters_result(op);
}

static void choose(const struct coll_algorithm_info *info, uint32_t n, uint64_t variant)
{
    static const uint64_t items[] = {7, 0, 1, 13, 40};
    static const uint32_t radix[] = {0, 2, 3, 5}, window[] = {0, 1, 3};
    static const uint64_t segment[] = {0, 1, 4, 20};
    uint64_t h = base_hash(variant * 64 + 17);
    trial = (struct trial){.info = info, .n = n, .variant = variant};
    trial.items = n > MANY ? h % 3 : items[h % 5];
    trial.root = (uint32_t)(h / 5 % 3 == 0 ? 0 : h / 5 % 3 == 1 ? n - 1 : n / 2);
    trial.element = reduces(info->op) && h / 16 % 2 ? 3 : 1;
    trial.in_place = h / 32 % 3 == 0;
    trial.different = h / 128 % 2;
    trial.hosts = h / 256 % 3 ? share_hosts(n, 1 + (uint32_t)(h / 1024 % 6), h / 256 % 3 == 1) : NULL;
    bool islands_in_order = h / 67108864 % 4;
    if (info->traits & COLL_ISLANDS && h / 16777216 % 4)
        trial.islands = share_islands(trial.hosts, trial.hosts ? trial.hosts->count : n,
                                      1 + (uint32_t)(h / 268435456 % 5), islands_in_order);
    trial.tuning.radix = radix[h / 8192 % 4];
    trial.tuning.segment = segment[h / 65536 % 4];
    trial.tuning.window = window[h / 262144 % 3];
    trial.tuning.choose = coll_select_part;
    bool ordered = reduces(info->op) && !(info->traits & COLL_COMMUTES) && h / 2097152 % 4;
    ordered = ordered && (!trial.islands || trial.islands->in_order); /* as coll_group_islands sees to it */
    trial.operator=(struct coll_operator){TYPES_SUM, TYPES_UINT64, ordered};
    snprintf(trial.text, sizeof trial.text,
             "%s/%s, variant %llu: %u members on %u hosts, %u islands, root %u, %llu items of %llu%s%s, "
             "radix %u, segment "
             "%llu, window %u",
             coll_op_name(info->op), info->name, (unsigned long long)variant, n,
             trial.hosts ? trial.hosts->count : n, trial.islands ? trial.islands->count : 1, trial.root,
             (unsigned long long)trial.items, (unsigned long long)trial.element,
             trial.different ? ", different parts" : "", trial.in_place ? ", in place" : "",
             trial.tuning.radix, (unsigned long long)trial.tuning.segment, trial.tuning.window);
}

static void play(coll_build_fn build)
{
    struct follow f = {.n = trial.n, .build = build, .what = trial.text};
    f.ordered = trial.operator.ordered;
    f.words = trial.info->op == COLL_BARRIER ? trial.n / 64 + 1 : 0;
    f.learns = coll_select_learns(trial.info->op, build);
    f.member = base_zalloc(trial.n * sizeof *f.member, "test");
    base_buffers_init(&f.buffers, "test");
    for (uint32_t p = 0; p < trial.n; p++)
        make_member(&f.member[p], p);
    if (!coll_select_lacks(trial.info->traits, &f.member[0].call, trial.hosts)) {
        for (uint32_t p = 0; p < trial.n; p++) {
            coll_schedule_init(&f.member[p].schedule, &f.member[p].call, &f.member[0].call, &f.buffers,
                               trial.hosts, &trial.tuning);
            f.member[p].schedule.islands = trial.islands;
        }
        follow_run(&f);
        for (uint32_t p = 0; p < trial.n; p++) {
            expect_result(&f.member[p]);
            coll_schedule_release(&f.member[p].schedule);
        }
    }
    for (uint32_t p = 0; p < trial.n; p++) {
        for (int k = 0; k < FOLLOW_AREAS; k++)
            follow_area_release(&f.member[p].area[k]);
        free(f.member[p].met);
    }
    base_buffers_release(&f.buffers);
    free(f.member);
    free(trial.hosts);
    free(trial.islands);
}

static bool is_played(const struct coll_algorithm_info *info)
{
    return info->op < COLL_NEIGHBOR_ALLGATHER && algorithm_is_played(coll_op_name(info->op), info->name);
}

static void test_every_schedule(void **state)
{
    (void)state;
    static const uint32_t large[] = {97, 128, 200, 1000};
    size_t count;
    const char *given = getenv("PGASIM_TEST_CASES");
    uint64_t seed = seed_of_test(0);
    uint32_t most = given ? (uint32_t)strtoul(given, NULL, 0) : QUICK_MEMBERS;
    const struct coll_algorithm_info *info = coll_algorithms(&count);
    for (size_t a = 0; a < count; a++) {
        if (!is_played(&info[a]))
            continue;
        for (uint32_t n = 1; n <= most; n++)
            for (uint64_t variant = 0; variant < (given ? 10 : 3); variant++) {
                choose(&info[a], n, seed_is_given() ? seed : variant + 40 * (a + 3 * n));
                play(coll_algorithm_function(a));
            }
        for (size_t k = 0; k < BASE_LENGTH(large) && given; k++) {
            choose(&info[a], large[k], a + k);
            play(coll_algorithm_function(a));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_schedule)};
    for (size_t k = 0; k < BASE_LENGTH(bytes_of); k++)
        bytes_of[k] = types_layout_of(TYPES_BYTE);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
