/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every algorithm of every collective against a serial computation: random groups, sizes, strides, roots,
 * entry times and message times (PGASIM_TEST_SEED repeats a run), bytes around the results untouched, and the
 * number of messages that the algorithm's comment promises.
 */
#include "coll/net.h"

enum { PLACES = 40, SKIPPED = 3, RANKS = 160, GUARD = 16, CALLS = 3 };

/* One random collective, called CALLS times with other data each. */
struct trial {
    struct coll_group group;
    uint32_t ranks[PLACES]; /* a listed group's */
    enum coll_op op;
    const char *name;
    uint32_t root, radix;
    uint32_t host[PLACES], hosts; /* by place; how many are different */
    bool in_order;                /* members of a host are neighbours */
    size_t segment;
    size_t element, elements; /* of a part */
    size_t dest_gap, source_gap;
    bool in_place;
    bool floats;
    size_t sizes[PLACES]; /* collect: elements of each part */
    size_t dest_bytes, source_bytes, call_bytes;
    struct coll_call calls[PLACES][CALLS];
};

static uint64_t below(struct net *n, uint64_t limit)
{
    return base_random_below(&n->random, limit);
}

static void add_words(void *inout, const void *in, size_t n)
{
    uint64_t a, b;
    for (size_t k = 0; k < n; k++) {
        memcpy(&a, (char *)inout + 8 * k, 8);
        memcpy(&b, (const char *)in + 8 * k, 8);
        a += b;
        memcpy((char *)inout + 8 * k, &a, 8);
    }
}

static void add_floats(void *inout, const void *in, size_t n)
{
    float a, b;
    for (size_t k = 0; k < n; k++) {
        memcpy(&a, (char *)inout + 4 * k, 4);
        memcpy(&b, (const char *)in + 4 * k, 4);
        a += b;
        memcpy((char *)inout + 4 * k, &a, 4);
    }
}

/* --- the case ----------------------------------------------------------------------------------- */

static size_t part_bytes(const struct trial *t, uint32_t place)
{
    return t->element * (t->op == COLL_COLLECT ? t->sizes[place] : t->elements);
}

static size_t sum_parts(const struct trial *t, uint32_t places)
{
    size_t sum = 0;
    for (uint32_t p = 0; p < places; p++)
        sum += part_bytes(t, p);
    return sum;
}

static size_t span(size_t elements, size_t element, size_t stride)
{
    return elements ? (elements - 1) * (stride ? stride : element) + element : 0;
}

static void size_memory(struct trial *t)
{
    size_t m = t->element * t->elements, n = t->group.size;
    t->source_bytes = t->op == COLL_BARRIER ? 0 : m;
    t->dest_bytes = t->source_bytes;
    if (t->op == COLL_FCOLLECT)
        t->dest_bytes = n * m;
    if (t->op == COLL_COLLECT) {
        t->dest_bytes = sum_parts(t, t->group.size);
        t->source_bytes = t->dest_bytes; /* enough for any part */
    }
    if (t->op == COLL_ALLTOALL) {
        t->source_bytes = span(n * t->elements, t->element, t->source_gap);
        t->dest_bytes = span(n * t->elements, t->element, t->dest_gap);
    }
    t->call_bytes = t->source_bytes + t->dest_bytes + 3 * GUARD;
}

static bool reduces_op(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN;
}

/* Different ranks in any order. */
static void list_ranks(struct net *n, struct trial *t)
{
    uint32_t all[RANKS];
    for (uint32_t k = 0; k < RANKS; k++)
        all[k] = k;
    for (uint32_t p = 0; p < t->group.size; p++) {
        uint32_t k = p + (uint32_t)below(n, RANKS - p), r = all[k];
        all[k] = all[p];
        t->ranks[p] = all[p] = r;
    }
    t->group.ranks = t->ranks;
}

static size_t random_elements(struct net *n)
{
    static const size_t most[] = {1, 4, 60, 1000};
    return below(n, most[below(n, BASE_LENGTH(most))] + 1);
}

/* One rank a host, runs of ranks, ranks dealt in turn, or any. */
static void choose_hosts(struct net *n, struct trial *t)
{
    uint32_t kind = (uint32_t)below(n, 4), width = 1 + (uint32_t)below(n, 12), ended[RANKS] = {0};
    t->in_order = true;
    for (uint32_t p = 0; p < t->group.size; p++) {
        uint32_t id = coll_group_rank(&t->group, p);
        uint32_t host[] = {id, id / width, id % width, (uint32_t)below(n, width)};
        t->host[p] = host[kind];
        if (p && t->host[p] != t->host[p - 1])
            ended[t->host[p - 1]] = 1;
        t->in_order = t->in_order && !ended[t->host[p]];
    }
    for (uint32_t p = 0; p < t->group.size; p++) {
        uint32_t q = 0;
        while (t->host[q] != t->host[p])
            q++;
        t->hosts += p == q;
    }
}

static void choose(struct net *n, struct trial *t, const struct coll_algorithm_info *info)
{
    bool reduces = reduces_op(info->op);
    *t = (struct trial){.op = info->op, .name = info->name};
    t->group.size = 1 + (uint32_t)below(n, PLACES);
    t->group.stride = 1 + (uint32_t)below(n, SKIPPED);
    t->group.first = (uint32_t)below(n, RANKS - (t->group.size - 1) * t->group.stride);
    t->group.id = (uint32_t)below(n, 3);
    t->root = (uint32_t)below(n, t->group.size);
    t->floats = below(n, 2);
    if (t->group.id && below(n, 2))
        list_ranks(n, t);
    t->radix = 2 + (uint32_t)below(n, 5);
    t->segment = 1 + below(n, 600);
    choose_hosts(n, t);
    t->element = reduces ? (t->floats ? 4 : 8) : (size_t[]){1, 4, 8, 16}[below(n, 4)];
    t->elements = random_elements(n);
    for (uint32_t p = 0; p < t->group.size; p++)
        t->sizes[p] = random_elements(n);
    t->in_place = reduces && below(n, 2);
    if (info->op == COLL_ALLTOALL && below(n, 2)) {
        t->dest_gap = t->element * below(n, 3);
        t->source_gap = t->element * below(n, 3);
    }
    size_memory(t);
}

/* Memory of a call: guard, source, guard, dest, guard; of the calls one after the other. */
static size_t source_offset(const struct trial *t, unsigned call)
{
    return call * t->call_bytes + GUARD;
}

static size_t dest_offset(const struct trial *t, unsigned call)
{
    return t->in_place ? source_offset(t, call) : source_offset(t, call) + t->source_bytes + GUARD;
}

static bool root_keeps_dest(const struct trial *t, uint32_t place)
{
    return t->op == COLL_BROADCAST && place == t->root && t->elements % 2; /* dest NULL at the root */
}

static void make_call(const struct trial *t, uint32_t place, unsigned call, struct coll_call *c)
{
    *c = (struct coll_call){.name = "collective", .op = t->op, .group = t->group, .me = place};
    c->root = t->op == COLL_BROADCAST ? t->root : 0;
    c->source = (void *)(NET_ADDRESS + source_offset(t, call));
    c->dest = root_keeps_dest(t, place) ? NULL : (void *)(NET_ADDRESS + dest_offset(t, call));
    c->bytes = t->op == COLL_BARRIER ? 0 : part_bytes(t, place);
    c->element = t->element;
    c->dest_stride = t->dest_gap;
    c->source_stride = t->source_gap;
    c->reduce = t->floats ? add_floats : add_words;
    c->reduce_id = t->floats;
}

static struct net_rank *rank_of(struct net *n, const struct trial *t, uint32_t place)
{
    return &n->ranks[coll_group_rank(&t->group, place)];
}

static void fill(struct net *n, const struct trial *t, unsigned char *memory)
{
    for (size_t k = 0; k < CALLS * t->call_bytes; k++)
        memory[k] = (unsigned char)base_random_u64(&n->random);
    for (unsigned call = 0; reduces_op(t->op) && t->floats && call < CALLS; call++)
        for (size_t k = 0; k < t->elements; k++) {
            float f = (float)base_random_unit(&n->random) * 1000 - 300;
            memcpy(memory + source_offset(t, call) + 4 * k, &f, 4);
        }
}

/* --- the serial computation --------------------------------------------------------------------- */

static size_t at(size_t k, size_t element, size_t stride)
{
    return k * (stride ? stride : element);
}

static void serial_alltoall(const struct trial *t, uint32_t me, const unsigned char *const *source,
                            unsigned char *dest)
{
    for (uint32_t p = 0; p < t->group.size; p++)
        for (size_t k = 0; k < t->elements; k++)
            memcpy(dest + at(p * t->elements + k, t->element, t->dest_gap),
                   source[p] + at(me * t->elements + k, t->element, t->source_gap), t->element);
}

static void serial_reduce(const struct trial *t, uint32_t places, const unsigned char *const *source,
                          unsigned char *dest)
{
    size_t m = part_bytes(t, 0);
    if (places)
        memmove(dest, source[0], m);
    else
        memset(dest, 0, m);
    for (uint32_t p = 1; p < places; p++)
        (t->floats ? add_floats : add_words)(dest, source[p], t->elements);
}

static void serial(const struct trial *t, uint32_t me, const unsigned char *const *source,
                   unsigned char *dest)
{
    size_t m = part_bytes(t, me);
    if (t->op == COLL_BROADCAST && !root_keeps_dest(t, me))
        memcpy(dest, source[t->root], m);
    if (t->op == COLL_COLLECT || t->op == COLL_FCOLLECT)
        for (uint32_t p = 0; p < t->group.size; p++)
            memcpy(dest + sum_parts(t, p), source[p], part_bytes(t, p));
    if (t->op == COLL_ALLTOALL)
        serial_alltoall(t, me, source, dest);
    if (reduces_op(t->op))
        serial_reduce(t, t->op == COLL_REDUCE ? t->group.size : me + (t->op == COLL_INSCAN), source, dest);
}

/* --- comparing ---------------------------------------------------------------------------------- */

static void explain(const struct trial *t, uint32_t place, unsigned call, size_t byte, uint64_t seed)
{
    fail_msg("seed %llu: %s/%s, %u members from %u by %u%s on %u hosts, root %u, %zu elements of %zu, gaps "
             "%zu and %zu%s: "
             "call %u at place %u: byte %zu (source at %zu, dest at %zu) differs from the serial result",
             (unsigned long long)seed, coll_op_name(t->op), t->name, t->group.size, t->group.first,
             t->group.stride, t->group.ranks ? " (listed)" : "", t->hosts, t->root, t->elements, t->element,
             t->dest_gap, t->source_gap, t->in_place ? ", in place" : "", call, place, byte,
             source_offset(t, call), dest_offset(t, call));
}

/* Sums of floats differ from the serial ones in the last bits, but not from member to member. */
static bool close_enough(const unsigned char *got, const unsigned char *expected, size_t elements)
{
    for (size_t k = 0; k < elements; k++) {
        float a, b;
        memcpy(&a, got + 4 * k, 4);
        memcpy(&b, expected + 4 * k, 4);
        if (!(a - b < 0.5F && b - a < 0.5F))
            return false;
    }
    return true;
}

static void compare(struct net *n, const struct trial *t, unsigned char **before, uint64_t seed)
{
    const unsigned char *source[PLACES];
    for (unsigned call = 0; call < CALLS; call++) {
        unsigned char *first_dest = rank_of(n, t, 0)->memory + dest_offset(t, call);
        for (uint32_t p = 0; p < t->group.size; p++)
            source[p] = before[p] + source_offset(t, call);
        for (uint32_t p = 0; p < t->group.size; p++) {
            unsigned char *expected = base_alloc(t->call_bytes, "test");
            unsigned char *got = rank_of(n, t, p)->memory + call * t->call_bytes;
            size_t dest = dest_offset(t, call) - call * t->call_bytes;
            memcpy(expected, before[p] + call * t->call_bytes, t->call_bytes);
            serial(t, p, source, expected + dest);
            if (reduces_op(t->op) && t->floats) {
                if (!close_enough(got + dest, expected + dest, t->elements) ||
                    (t->op == COLL_REDUCE && memcmp(got + dest, first_dest, t->dest_bytes)))
                    explain(t, p, call, 0, seed);
                memcpy(expected + dest, got + dest, t->dest_bytes);
            }
            for (size_t k = 0; k < t->call_bytes; k++)
                if (expected[k] != got[k])
                    explain(t, p, call, k, seed);
            free(expected);
        }
    }
}

/* --- message counts ----------------------------------------------------------------------------- */

static uint64_t ceil_log2(uint64_t n)
{
    uint64_t k = 0;
    while (UINT64_C(1) << k < n)
        k++;
    return k;
}

/* Runs of Bruck's fcollect that pass the end of dest. */
static uint64_t wrapping_runs(uint64_t n)
{
    uint64_t runs = 0;
    for (uint64_t d = 1; d < n; d *= 2)
        for (uint64_t me = 0, count = d < n - d ? d : n - d; me < n; me++)
            runs += me + count > n;
    return runs;
}

static uint64_t prefix_messages(uint64_t n)
{
    return n * ceil_log2(n) - ((UINT64_C(1) << ceil_log2(n)) - 1);
}

/* Up and down a binomial tree. */
static uint64_t sweep_messages(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t d = 1; d < n; d *= 2)
        sum += n / (2 * d) + (n - d) / (2 * d);
    return sum;
}

static bool is(const struct trial *t, enum coll_op op, const char *name)
{
    return t->op == op && !strcmp(t->name, name);
}

static uint64_t expected_messages(const struct trial *t);

/* A trial of the algorithm that leaders take. */
static uint64_t leaders_messages(const struct trial *t)
{
    struct trial l = *t;
    uint64_t m = part_bytes(t, 0), n = l.group.size = t->hosts;
    if (t->op == COLL_BARRIER)
        l.name = "dissemination";
    if (t->op == COLL_FCOLLECT)
        l.name = "bruck";
    if (t->op == COLL_BROADCAST)
        l.name = n < 8 || m < 12 * 1024 || m / n < 64 ? "binomial" : "scatter-ring";
    if (t->op == COLL_REDUCE)
        l.name = m <= 2048 || t->elements < n ? "recursive-doubling" : "rabenseifner";
    return expected_messages(&l);
}

static uint64_t hierarchical_messages(const struct trial *t)
{
    uint64_t n = t->group.size, hosts = t->hosts;
    if (t->op == COLL_FCOLLECT && (!t->in_order || hosts == n)) {
        struct trial l = *t;
        l.name = "bruck";
        return expected_messages(&l);
    }
    return (t->op == COLL_BROADCAST ? 1 : 2) * (n - hosts) + leaders_messages(t);
}

/* Scatter, then exchanges in which nobody gets what the scatter gave it. */
static uint64_t scatter_doubling_messages(uint64_t n)
{
    uint64_t sum = n - 1;
    for (uint64_t v = 1; v < n; v++)
        for (uint64_t d = v & (~v + 1); d < n; d *= 2)
            sum++;
    return sum;
}

static uint64_t expected_messages(const struct trial *t)
{
    if (!strcmp(t->name, "hierarchical"))
        return hierarchical_messages(t);
    uint64_t n = t->group.size, log_n = ceil_log2(n), p = n;
    while (p & (p - 1))
        p &= p - 1;
    uint64_t log_p = ceil_log2(p);
    if (!strcmp(t->name, "k-nomial") || !strcmp(t->name, "binomial"))
        if (t->op == COLL_BARRIER || t->op == COLL_BROADCAST || t->op == COLL_REDUCE)
            return (t->op == COLL_BROADCAST ? 1 : 2) * (n - 1);
    if (is(t, COLL_BROADCAST, "chain"))
        return (n - 1) * (part_bytes(t, 0) ? (part_bytes(t, 0) - 1) / t->segment + 1 : 1);
    if (is(t, COLL_BROADCAST, "scatter-recursive-doubling"))
        return p == n ? scatter_doubling_messages(n) : (n - 1) + (n - 1) * (n - 1);
    if (is(t, COLL_BARRIER, "recursive-doubling") || is(t, COLL_FCOLLECT, "recursive-doubling"))
        return p * log_p + 2 * (n - p);
    if (is(t, COLL_FCOLLECT, "neighbor-exchange"))
        return n % 2 ? n * (n - 1) : n * n / 2;
    if (is(t, COLL_INSCAN, "linear") || is(t, COLL_EXSCAN, "linear"))
        return n - 1;
    if (is(t, COLL_INSCAN, "recursive-doubling") || is(t, COLL_EXSCAN, "recursive-doubling"))
        return prefix_messages(n);
    if (is(t, COLL_INSCAN, "binomial") || is(t, COLL_EXSCAN, "binomial"))
        return sweep_messages(n) + (t->op == COLL_EXSCAN ? n - 1 : 0);
    if (is(t, COLL_BARRIER, "linear") || is(t, COLL_REDUCE, "linear"))
        return 2 * (n - 1);
    if (is(t, COLL_BROADCAST, "linear"))
        return n - 1;
    if (is(t, COLL_BROADCAST, "scatter-ring"))
        return (n - 1) + (n - 1) * (n - 1);
    if (is(t, COLL_COLLECT, "recursive-doubling"))
        return prefix_messages(n) + p * log_p + 2 * (n - p);
    if (is(t, COLL_COLLECT, "ring") || is(t, COLL_COLLECT, "linear"))
        return prefix_messages(n) + n * (n - 1);
    if (is(t, COLL_COLLECT, "tree"))
        return prefix_messages(n) + 2 * (n - 1);
    if (is(t, COLL_FCOLLECT, "bruck"))
        return n * log_n + wrapping_runs(n);
    if (is(t, COLL_BARRIER, "dissemination") || is(t, COLL_ALLTOALL, "bruck"))
        return n * log_n;
    if (is(t, COLL_REDUCE, "recursive-doubling"))
        return p * log_p + 2 * (n - p);
    if (is(t, COLL_REDUCE, "rabenseifner"))
        return 2 * p * log_p + 2 * (n - p);
    if (is(t, COLL_REDUCE, "ring"))
        return 2 * n * (n - 1);
    return n * (n - 1); /* fcollect ring and linear; alltoall pairwise and linear */
}

/* --- tests -------------------------------------------------------------------------------------- */

static void run_trial(const struct coll_algorithm_info *info, uint64_t seed)
{
    struct trial t;
    struct net probe = {0};
    base_random_seed(&probe.random, seed, 1);
    choose(&probe, &t, info);
    struct net n = {.latency = 1, .jitter = below(&probe, 4), .issue = 0.25 * (double)below(&probe, 3)};
    n.receive = 0.125 * (double)below(&probe, 3);
    n.ack = (double)below(&probe, 2);
    n.limit = (uint64_t[]){0, 40, 1 << 20}[below(&probe, 3)];
    n.pieces = below(&probe, 3) == 0;
    n.check = t.elements < 100;
    n.radix = t.radix;
    n.segment = t.segment;
    net_init(&n, RANKS, seed);
    for (uint32_t p = 0; p < t.group.size; p++)
        rank_of(&n, &t, p)->rank->host = t.host[p];
    net_choose(&n, t.op, t.name);
    unsigned char *before[PLACES];
    double latest = (double)(below(&probe, 3) * 20);
    for (uint32_t p = 0; p < t.group.size; p++) {
        uint32_t id = rank_of(&n, &t, p)->rank->id;
        unsigned char *memory = net_give_memory(&n, id, CALLS * t.call_bytes);
        fill(&n, &t, memory);
        before[p] = base_alloc(CALLS * t.call_bytes, "test");
        memcpy(before[p], memory, CALLS * t.call_bytes);
        for (unsigned call = 0; call < CALLS; call++)
            make_call(&t, p, call, &t.calls[p][call]);
        net_script(&n, id, t.calls[p], CALLS, latest * base_random_unit(&n.random));
    }
    net_run(&n);
    net_expect_over(&n);
    compare(&n, &t, before, seed);
    if (n.exec.counts.messages != CALLS * expected_messages(&t))
        fail_msg("seed %llu: %s/%s with %u members on %u hosts: %llu messages a call, expected %llu",
                 (unsigned long long)seed, coll_op_name(t.op), t.name, t.group.size, t.hosts,
                 (unsigned long long)n.exec.counts.messages / CALLS,
                 (unsigned long long)expected_messages(&t));
    for (uint32_t p = 0; p < t.group.size; p++)
        free(before[p]);
    net_release(&n);
}

static void test_every_algorithm(void **state)
{
    (void)state;
    enum { TRIALS = 60 };
    const char *given = getenv("PGASIM_TEST_SEED");
    uint64_t first = given ? strtoull(given, NULL, 0) : 1, last = given ? first : TRIALS;
    size_t count;
    const struct coll_algorithm_info *info = coll_algorithms(&count);
    print_message("seeds %llu to %llu, %zu algorithms\n", (unsigned long long)first, (unsigned long long)last,
                  count);
    for (size_t k = 0; k < count && info[k].op <= COLL_EXSCAN; k++)
        for (uint64_t seed = first; seed <= last; seed++)
            run_trial(&info[k], seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_algorithm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
