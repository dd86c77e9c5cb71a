/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model: the parameters of the fabric. The table below is the reference for their meaning and the origin of
 * their defaults; docs/fabric.md explains how they interact.
 */
#include "fabric/parts.h"

#include <string.h>

#define UCX          "UCX 1.23, "
#define UCX_POST     UCX "src/uct/ib: estimate for a RC work request on mlx5"
#define UCX_SHM      UCX "src/uct/sm: estimate for shared memory"
#define IB_HEADERS   "InfiniBand Architecture Specification, vol. 1: LRH 8, BTH 12, RETH 16, ICRC 4, VCRC 2"
#define OURS(reason) "assumption: " reason
#define SIMGRID      "SimGrid 3.32, "
#define MODELS       "depends on the model (docs/network-models.md)"
#define LIBFABRIC    "libfabric 1.20, fi_domain(3): "

#define OPEN_MPI                                                                                             \
    "callgrind on x86-64, slope between 100 and 1100 operations of Open MPI 4.1.4 over UCX 1.13.1 "          \
    "(docs/fabric.md)"
#define COUNT_OF(what) "instructions of the origin's CPU for " what ": those of software/library, or a count"
#define COUNTS         "library, or 0 to 1000000000"
#define MEASURED       "of the machine's: pgasim calibrate"

const struct base_setting fabric_settings[] = {
    {"rdma/put-overhead", BASE_TIME, "80ns", BASE_TIMES, "CPU time of the origin to post a put",
     UCX_POST " (40 ns) and its doorbell (40 ns)"},
    {"rdma/get-overhead", BASE_TIME, "100ns", BASE_TIMES,
     "CPU time of the origin to post a get and see it complete",
     UCX_POST " (40 ns), its doorbell (40 ns), its completion (20 ns)"},
    {"rdma/atomic-overhead", BASE_TIME, "100ns", BASE_TIMES,
     "CPU time of the origin to post an atomic and see it complete",
     UCX_POST " (40 ns), its doorbell (40 ns), its completion (20 ns)"},
    {"rdma/copy-per-byte", BASE_TIME, "0.143ns", BASE_TIMES,
     "CPU time per byte to copy a buffered put's payload",
     UCX "src/ucp/core: estimated copy bandwidth of 7000 MB/s"},
    {"rdma/buffered-limit", BASE_SIZE, "8KiB", "0 to 1TiB",
     "largest put that is copied, so that its source can be reused at once", UCX "src/uct/ib: segment size"},
    {"rdma/inline-limit", BASE_SIZE, "220B", "0 to 1TiB", "largest put that travels within its work request",
     UCX "src/uct/ib/mlx5: a work request of 256 bytes less its 36 bytes of segments"},
    {"rdma/fetch-latency", BASE_TIME, "350ns", BASE_TIMES,
     "time of the NIC to fetch a payload that is not inline",
     UCX "src/uct/ib: estimate for a fetch over PCIe"},
    {"rdma/gap", BASE_TIME, "5ns", BASE_TIMES, "time between two messages of one NIC",
     "NVIDIA ConnectX-6 product brief: up to 215 million messages per second; ConnectX-5: 200 million"},
    {"rdma/header-bytes", BASE_SIZE, "42B", "0 to 1GiB", "bytes that a message carries besides its payload",
     IB_HEADERS},
    {"rdma/packet", BASE_SIZE, "4KiB", "0 to 1GiB",
     "largest payload that is one packet; 0: every message is a flow",
     "InfiniBand Architecture Specification, vol. 1: the largest MTU"},
    {"rdma/read-service", BASE_TIME, "350ns", BASE_TIMES,
     "time of the target's NIC to read the data of a get", UCX "src/uct/ib: estimate for a fetch over PCIe"},
    {"rdma/atomic-service", BASE_TIME, "350ns", BASE_TIMES,
     "time that an atomic keeps its word busy at the target's NIC",
     UCX
     "src/uct/ib: estimate for a fetch over PCIe; agrees with the 2 to 3 million atomics/s on one word that "
     "Kalia et al. (USENIX ATC 2016) report"},
    {"rdma/atomic-gap", BASE_TIME, "20ns", BASE_TIMES,
     "time between two atomics on different words of one NIC",
     OURS("50 million atomics/s, a quarter of the message rate")},
    {"rdma/ack-overhead", BASE_TIME, "20ns", BASE_TIMES,
     "time from an acknowledgement's arrival until the origin knows",
     UCX "src/uct/ib: estimate for a completion"},
    {"rdma/poll-cost", BASE_TIME, "20ns", BASE_TIMES, "CPU time to check whether something has arrived",
     UCX "src/uct/ib: estimate for a completion"},
    {"rdma/profile", BASE_TEXT, "rdma", "rdma, software or rae",
     "who serves what arrives: rdma (the network card), software (the target's CPU), rae (a card with a "
     "core)",
     "the networks of OpenSHMEM's machines serve puts, gets and atomics themselves"},
    {"software/progress", BASE_TEXT, "calls", "calls or thread",
     "when the CPU serves: calls (while its rank is in a call of the API) or thread (a thread of the host)",
     LIBFABRIC "manual progress needs calls; a thread costs a core"},
    {"software/service", BASE_TIME, "120ns", BASE_TIMES, "CPU time of the target to serve one operation",
     UCX "src/uct/ib: receive overhead of UD on mlx5 (80 ns); src/ucp/core: overhead of a software protocol "
         "(40 ns)"},
    {"software/library", BASE_TEXT, "off",
     "off, oshmem, oshmem-first, mpi-rdma, mpi-rdma-flush, mpi-rdma-first, mpi-pt2pt or xbrtime",
     "the communication library whose instructions an operation takes; off: times only", OPEN_MPI},
    {"software/put", BASE_TEXT, "library", COUNTS, COUNT_OF("a put"), OPEN_MPI},
    {"software/get", BASE_TEXT, "library", COUNTS, COUNT_OF("a get"), OPEN_MPI},
    {"software/add", BASE_TEXT, "library", COUNTS, COUNT_OF("a fetching addition"), OPEN_MPI},
    {"software/cas", BASE_TEXT, "library", COUNTS, COUNT_OF("a compare-and-swap"), OPEN_MPI},
    {"software/and", BASE_TEXT, "library", COUNTS, COUNT_OF("a fetching AND"), OPEN_MPI},
    {"software/or", BASE_TEXT, "library", COUNTS, COUNT_OF("a fetching OR"), OPEN_MPI},
    {"software/xor", BASE_TEXT, "library", COUNTS, COUNT_OF("a fetching XOR"), OPEN_MPI},
    {"software/min-max", BASE_TEXT, "library", COUNTS, COUNT_OF("a fetching minimum or maximum"), OPEN_MPI},
    {"software/other", BASE_TEXT, "library", COUNTS, COUNT_OF("any other atomic"), OPEN_MPI},
    {"software/target", BASE_UINT, "240", "0 to 1000000000",
     "instructions of the target's CPU to serve one operation, with a library: instead of software/service",
     OURS("the 120 ns of software/service at 2 GHz, one cycle each; the target's side was not measured")},
    {"software/cycles", BASE_DOUBLE, "1", "0.001 to 1000", "cycles of one of the library's instructions",
     OURS("the simulated cores take one for most instructions")},
    {"software/frequency", BASE_DOUBLE, "2e9", "1e3 to 1e12",
     "cycles in a second of the CPU that executes the library", "paper 002, Table I: 2 GHz"},
    {"local/latency", BASE_TIME, "80ns", BASE_TIMES, "latency between two ranks of one host", UCX_SHM},
    {"local/bandwidth", BASE_BANDWIDTH, "12179MBps", BASE_BANDWIDTHS,
     "copy bandwidth of one rank to another of its host", UCX_SHM},
    {"local/overhead", BASE_TIME, "10ns", BASE_TIMES, "CPU time to start an operation on the same host",
     UCX_SHM},
    {"local/atomic-service", BASE_TIME, "80ns", BASE_TIMES, "time that a local atomic keeps its word busy",
     OURS("one transfer of a cache line, local/latency")},
    {"local/memory-bandwidth", BASE_TEXT, "none", "none, or " BASE_BANDWIDTHS,
     "memory that all cores of a host move together; none: no limit", MEASURED},
    {"local/core-bandwidth", BASE_TEXT, "none", "none, or " BASE_BANDWIDTHS,
     "memory that one core alone moves; none: all of it", MEASURED},
    {"local/copy-traffic", BASE_DOUBLE, "2", "1e-6 to 1e6", "memory that a copy moves, for each byte",
     OURS("it reads a byte and writes one")},
    {"local/message-traffic", BASE_DOUBLE, "2", "0 or 1e-6 to 1e6",
     "memory that a message between ranks of one host moves, for each byte", OURS("one copy")},
    {"local/memory-intensity", BASE_DOUBLE, "0", "0 or 1e-9 to 1e9",
     "memory that computation moves, in bytes per flop, unless the program says it",
     OURS("the caches hold what is needed")},
    {"network/model", BASE_TEXT, "default", "CM02, LV08, SMPI, IB, raw, Constant or default",
     "SimGrid's network model: CM02, LV08, SMPI, IB, raw or Constant (docs/network-models.md)",
     "raw for one-sided operations: an RDMA platform's figures need no correction"},
    {"network/latency-factor", BASE_TEXT, "model", "model, 0 to 1e9, or above:factor;...",
     "factor on every route's latency: a number, or one by size, 'above:factor;...'", MODELS},
    {"network/bandwidth-factor", BASE_TEXT, "model", "model, 1e-9 to 1e9, or above:factor;...",
     "factor on every transfer's bandwidth, in the same way", MODELS},
    {"network/weight-S", BASE_TEXT, "model", "model, or 0 to 1e18",
     "each link adds this many bytes / its bandwidth to the latency that sets a flow's share", MODELS},
    {"network/weight-links", BASE_TEXT, "all", "all or narrowest",
     "which links of a route add to the latency that sets a flow's share: all, or the narrowest only",
     "all: as in SimGrid; narrowest: a queue builds up at one link (decision 0051)"},
    {"network/frame", BASE_SIZE, "0", "0 or 64 to 1GiB",
     "a message between hosts is cut into frames of so many bytes, which each link carries one after the "
     "other; 0: it flows",
     "0: flows, as in SimGrid"},
    {"network/window", BASE_SIZE, "0", "0 or 64 to 1TiB",
     "with network/frame: bytes of a message that may be under way before its receiver has said that some "
     "arrived; 0: all",
     "0: a receiver with place for the whole message"},
    {"network/slow-start", BASE_BOOL, "no", NULL, "the window grows by a frame for each that has arrived",
     "no: a window of fixed size"},
    {"network/TCP-gamma", BASE_TEXT, "model", "model, or 0 or 1 to 1e18",
     "most bytes in flight: a flow's rate is at most this / (2 x latency); 0: no limit", MODELS},
    {"network/crosstraffic", BASE_TEXT, "model", "model, yes, no, or above:factor;...",
     "what a flow also takes of its rate in the opposite direction: 5% (yes), or by size, 'above:factor;...'",
     MODELS},
    {"network/bidirectional", BASE_TEXT, "2", "1 to 2, or above:factor;...",
     "what both directions between two hosts carry together, in bandwidths of one: a number, or by size",
     "SimGrid has no such limit: each direction has its own bandwidth"},
    {"network/host-latency", BASE_TIME, "0", BASE_TIMES,
     "what two hosts themselves, their cards and software, add to the latency of a route between them",
     "SimGrid has that of links only"},
    {"network/loopback-lat", BASE_TIME, "0", BASE_TIMES, "latency of the link from a host to itself",
     SIMGRID "src/simgrid/sg_config.cpp"},
    {"network/loopback-bw", BASE_BANDWIDTH, "10GBps", BASE_BANDWIDTHS,
     "bandwidth of the link from a host to itself", SIMGRID "src/simgrid/sg_config.cpp"},
    {"smpi/lat-factor", BASE_TEXT,
     "65472:11.6436;15424:3.48845;9376:2.59299;5776:2.18796;3484:1.88101;1426:1.61075;732:1.9503;257:1.95341;"
     "0:2.01467",
     "0 to 1e9, or above:factor;...", "network/latency-factor for the models SMPI and IB",
     SIMGRID "src/simgrid/sg_config.cpp"},
    {"smpi/bw-factor", BASE_TEXT,
     "65472:0.940694;15424:0.697866;9376:0.58729;5776:1.08739;3484:0.77493;1426:0.608902;732:0.341987;"
     "257:0.338112;0:0.812084",
     "1e-9 to 1e9, or above:factor;...", "network/bandwidth-factor for the models SMPI and IB",
     SIMGRID "src/simgrid/sg_config.cpp"},
    {"smpi/IB-penalty-factors", BASE_TEXT, "0.965;0.925;1.35", "three numbers, 1e-9 to 1e9",
     "factors of the model IB: Be for hosts that receive many flows, Bs for hosts that send many, ys for "
     "both",
     SIMGRID "src/simgrid/sg_config.cpp: measured on the cluster Stampede"},
};
const size_t fabric_settings_count = BASE_LENGTH(fabric_settings);

/* Reads one of two words; -1 with st. */
static int read_choice(const struct base_settings *s, const char *key, const char *no, const char *yes,
                       bool *out, struct base_status *st)
{
    const char *text = base_settings_text(s, key);
    *out = strcmp(text, yes) == 0;
    if (*out || strcmp(text, no) == 0)
        return 0;
    return base_fail(st, "setting %s: '%.80s'; expected %s or %s", key, text, no, yes);
}

static int read_progress(const struct base_settings *s, enum fabric_progress *out, struct base_status *st)
{
    const char *text = base_settings_text(s, "rdma/profile");
    bool thread;
    if (read_choice(s, "software/progress", "calls", "thread", &thread, st))
        return -1;
    if (strcmp(text, "rdma") == 0)
        *out = FABRIC_BY_CARD;
    else if (strcmp(text, "software") == 0)
        *out = thread ? FABRIC_BY_THREAD : FABRIC_BY_CALLS;
    else if (strcmp(text, "rae") == 0)
        *out = FABRIC_BY_RAE;
    else
        return base_fail(st, "setting rdma/profile: '%.80s'; expected rdma, software or rae", text);
    return 0;
}

int fabric_model_read(struct fabric_model *m, const struct base_settings *s, struct base_status *st)
{
    enum fabric_progress progress = FABRIC_BY_CARD;
    if (read_progress(s, &progress, st))
        return -1;
    *m = (struct fabric_model){
        .progress = progress,
        .has_node = base_settings_known(s, "card/cycle"), /* fabrics of tests may do without */
        .software_service = base_settings_number(s, "software/service"),
        .put_overhead = base_settings_number(s, "rdma/put-overhead"),
        .get_overhead = base_settings_number(s, "rdma/get-overhead"),
        .atomic_overhead = base_settings_number(s, "rdma/atomic-overhead"),
        .ack_overhead = base_settings_number(s, "rdma/ack-overhead"),
        .copy_per_byte = base_settings_number(s, "rdma/copy-per-byte"),
        .fetch_latency = base_settings_number(s, "rdma/fetch-latency"),
        .gap = base_settings_number(s, "rdma/gap"),
        .read_service = base_settings_number(s, "rdma/read-service"),
        .atomic_service = base_settings_number(s, "rdma/atomic-service"),
        .atomic_gap = base_settings_number(s, "rdma/atomic-gap"),
        .poll_cost = base_settings_number(s, "rdma/poll-cost"),
        .local_latency = base_settings_number(s, "local/latency"),
        .local_per_byte = 1 / base_settings_number(s, "local/bandwidth"),
        .local_overhead = base_settings_number(s, "local/overhead"),
        .local_atomic_service = base_settings_number(s, "local/atomic-service"),
        .buffered_limit = base_settings_count(s, "rdma/buffered-limit"),
        .inline_limit = base_settings_count(s, "rdma/inline-limit"),
        .header_bytes = base_settings_count(s, "rdma/header-bytes"),
        .packet_limit = base_settings_count(s, "rdma/packet"),
    };
    if (fabric_library_read(&m->library, s, st) || fabric_memory_read(&m->memory, s, st))
        return -1;
    if (m->library.on)
        m->software_service = fabric_library_time(&m->library, m->library.target);
    BASE_ASSERT("N7", m->has_node || progress != FABRIC_BY_RAE);
    if (m->has_node && node_config_read(&m->node, s, st))
        return -1;
    return progress == FABRIC_BY_RAE ? node_config_check(&m->node, st) : 0;
}
