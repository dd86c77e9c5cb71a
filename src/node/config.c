/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * config: the parameters of a node. The table below is the reference for their meaning and the origin of
 * their defaults; docs/riscv.md explains how they interact. Stages are given in cycles of one clock, for
 * cores and card.
 */
#include "node/node.h"

#include <inttypes.h>
#include <string.h>

#define TABLE        "paper 002 (RAE, DAC 2020), Table I"
#define GEM5         "gem5 b1a44b89c7, "
#define GEM5_CACHES  GEM5 "configs/common/Caches.py"
#define GEM5_DRAM    GEM5 "src/mem/DRAMInterface.py, DDR4_2400_16x4"
#define GEM5_MEMCTRL GEM5 "src/mem/MemCtrl.py"
#define OURS(reason) "assumption: " reason
#define CYCLES       "0 to 1e6"
#define SHORT        "0 to 1s"

const struct base_setting node_settings[] = {
    {"card/cycle", BASE_TIME, "0.5ns", "1ps to 1s", "one cycle of the cores' and the card's clock",
     TABLE ": 2 GHz"},
    {"card/packetizer", BASE_DOUBLE, "1", CYCLES,
     "cycles to unpack a request; the card takes one request in so many", OURS("a pipelined stage")},
    {"card/map", BASE_DOUBLE, "1", CYCLES, "cycles of the remote operation map",
     OURS("a table of 16 entries")},
    {"card/lookup", BASE_DOUBLE, "1", CYCLES, "cycles to compare a line with the MSHRs and the tags",
     "paper 002, section III-D: all are compared at once"},
    {"card/cache", BASE_DOUBLE, "2", CYCLES, "cycles of an access to the card's cache", OURS("as the L1's")},
    {"card/alu", BASE_DOUBLE, "1", CYCLES, "cycles of the operation of an atomic",
     OURS("one pass of an ALU")},
    {"card/other", BASE_DOUBLE, "8", CYCLES, "cycles of an update for which RISC-V has no single instruction",
     OURS("a few instructions and a multiplication")},
    {"card/response", BASE_DOUBLE, "1", CYCLES, "cycles to make the reply's packet",
     OURS("as card/packetizer")},
    {"card/flit", BASE_SIZE, "4B", "1 to 1GiB",
     "size of a flit, in which the messages to and from cards are counted", TABLE},
    {"card/cache-size", BASE_SIZE, "64KiB", "64 to 1GiB",
     "size of the card's direct-mapped cache, lines of 64 bytes", TABLE},
    {"card/mshrs", BASE_UINT, "64", "1 to 65536", "MSHRs of the card", TABLE},
    {"card/subentries", BASE_UINT, "64", "1 to 65536", "requests that one MSHR merges at most", TABLE},
    {"card/policy", BASE_TEXT, "drain-invalidate", "drain-invalidate or retain",
     "what becomes of a line of the card's cache without pending requests: it leaves, or stays until "
     "replaced",
     "paper 002, section III-C: it is invalidated"},
    {"cache/l1-size", BASE_SIZE, "16KiB", "64 to 1GiB", "size of a core's L1, lines of 64 bytes", TABLE},
    {"cache/l1-ways", BASE_UINT, "8", "1 to 1024", "ways of the L1", TABLE},
    {"cache/l1-hit", BASE_DOUBLE, "2", CYCLES, "cycles of a hit in the L1", GEM5_CACHES},
    {"cache/l2-size", BASE_SIZE, "8MiB", "64 to 1GiB", "size of a core's L2, which holds what the L1 does",
     TABLE},
    {"cache/l2-ways", BASE_UINT, "8", "1 to 1024", "ways of the L2", GEM5_CACHES},
    {"cache/l2-hit", BASE_DOUBLE, "20", CYCLES, "further cycles of a hit in the L2", GEM5_CACHES},
    {"cache/directory", BASE_DOUBLE, "2", CYCLES, "cycles of a look-up in the directory",
     OURS("as a cache's tags")},
    {"dram/front", BASE_TIME, "10ns", SHORT, "time of the controller before a command", GEM5_MEMCTRL},
    {"dram/back", BASE_TIME, "10ns", SHORT, "time of the controller after the data", GEM5_MEMCTRL},
    {"dram/cas", BASE_TIME, "14.16ns", SHORT, "column command to data (tCL)", GEM5_DRAM},
    {"dram/activate", BASE_TIME, "14.16ns", SHORT, "opening a row (tRCD)", GEM5_DRAM},
    {"dram/precharge", BASE_TIME, "14.16ns", SHORT, "closing a row (tRP)", GEM5_DRAM},
    {"dram/active", BASE_TIME, "32ns", SHORT, "least time that a row is open (tRAS)", GEM5_DRAM},
    {"dram/recovery", BASE_TIME, "15ns", SHORT, "end of a write's data to the row's closing (tWR)",
     GEM5_DRAM},
    {"dram/burst", BASE_TIME, "3.332ns", SHORT, "data of a line on the bus (tBURST)", GEM5_DRAM},
    {"dram/row", BASE_SIZE, "8KiB", "64 to 1GiB", "bytes of an open row of all devices", GEM5_DRAM},
    {"dram/banks", BASE_UINT, "32", "1 to 65536", "banks", GEM5_DRAM ": 2 ranks of 4 groups of 4"},
};
const size_t node_settings_count = BASE_LENGTH(node_settings);

static int cache_check(const struct node_cache_config *c, const char *name, struct base_status *st)
{
    uint64_t set = (uint64_t)c->ways * NODE_LINE;
    if (c->bytes % set == 0)
        return 0;
    return base_fail(st,
                     "setting cache/%s-size: %" PRIu64 " bytes; expected a multiple of %" PRIu64
                     ", a set of cache/%s-ways %" PRIu32,
                     name, c->bytes, set, name, c->ways);
}

static int lines_check(const char *key, uint64_t bytes, struct base_status *st)
{
    if (bytes % NODE_LINE == 0)
        return 0;
    return base_fail(st, "setting %s: %" PRIu64 " bytes; expected a multiple of %d", key, bytes, NODE_LINE);
}

int node_config_check(const struct node_config *c, struct base_status *st)
{
    if (lines_check("card/cache-size", c->card_bytes, st) || lines_check("dram/row", c->dram.row, st) ||
        cache_check(&c->l1, "l1", st) || cache_check(&c->l2, "l2", st))
        return -1;
    if (c->l2.bytes < c->l1.bytes)
        return base_fail(st, "setting cache/l2-size: %" PRIu64 " bytes; expected at least the L1's %" PRIu64,
                         c->l2.bytes, c->l1.bytes);
    return 0;
}

static void dram_read(struct node_dram_config *d, const struct base_settings *s)
{
    *d = (struct node_dram_config){
        .front = base_settings_number(s, "dram/front"),
        .back = base_settings_number(s, "dram/back"),
        .cas = base_settings_number(s, "dram/cas"),
        .activate = base_settings_number(s, "dram/activate"),
        .precharge = base_settings_number(s, "dram/precharge"),
        .active = base_settings_number(s, "dram/active"),
        .recovery = base_settings_number(s, "dram/recovery"),
        .burst = base_settings_number(s, "dram/burst"),
        .row = base_settings_count(s, "dram/row"),
        .banks = (uint32_t)base_settings_count(s, "dram/banks"),
    };
}

static struct node_cache_config cache_read(const struct base_settings *s, const char *size, const char *ways)
{
    return (struct node_cache_config){base_settings_count(s, size), (uint32_t)base_settings_count(s, ways)};
}

static int policy_read(const struct base_settings *s, enum node_policy *out, struct base_status *st)
{
    const char *policy = base_settings_text(s, "card/policy");
    *out = strcmp(policy, "retain") == 0 ? NODE_RETAIN : NODE_DRAIN_INVALIDATE;
    if (*out == NODE_DRAIN_INVALIDATE && strcmp(policy, "drain-invalidate") != 0)
        return base_fail(st, "setting card/policy: '%.80s'; expected drain-invalidate or retain", policy);
    return 0;
}

static double cycles(const struct base_settings *s, const char *key)
{
    return base_settings_number(s, key) * base_settings_number(s, "card/cycle");
}

int node_config_read(struct node_config *c, const struct base_settings *s, struct base_status *st)
{
    *c = (struct node_config){
        .l1 = cache_read(s, "cache/l1-size", "cache/l1-ways"),
        .l2 = cache_read(s, "cache/l2-size", "cache/l2-ways"),
        .card_bytes = base_settings_count(s, "card/cache-size"),
        .cycle = base_settings_number(s, "card/cycle"),
        .l1_hit = cycles(s, "cache/l1-hit"),
        .l2_hit = cycles(s, "cache/l2-hit"),
        .directory = cycles(s, "cache/directory"),
        .packetizer = cycles(s, "card/packetizer"),
        .map = cycles(s, "card/map"),
        .lookup = cycles(s, "card/lookup"),
        .cache = cycles(s, "card/cache"),
        .alu = cycles(s, "card/alu"),
        .other = cycles(s, "card/other"),
        .response = cycles(s, "card/response"),
        .flit = base_settings_count(s, "card/flit"),
        .mshrs = (uint32_t)base_settings_count(s, "card/mshrs"),
        .subentries = (uint32_t)base_settings_count(s, "card/subentries"),
    };
    dram_read(&c->dram, s);
    return policy_read(s, &c->policy, st);
}
