/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage: ranks without programs on a small platform, for tests of storage.
 *
 *   begin(2, HEAD SYSTEM PROP("lock_time", "1ms") HOSTS("") TAIL, "");    its ranks, platform and storage/mounts
 *   play(body);                                                           each rank calls it
 */
#ifndef PGASIM_TESTS_STORAGE_STAGE_H
#define PGASIM_TESTS_STORAGE_STAGE_H

#include "storage/internal.h"

#include "rank/ranks.h"
#include "seed.h"

#include <errno.h>
#include <math.h>

static struct ranks stage;

#define HEAD "<?xml version='1.0'?>\n<platform version='4.1'>\n<zone id='z' routing='Full'>\n"
/* Clients c0, c1 and servers s0, s1; between any two 1 ms and 1 MB/s that nobody shares. */
#define HOSTS(disks)                                                                                         \
    "<host id='c0' speed='1Gf'>" disks                                                                       \
    "</host><host id='c1' speed='1Gf'/><host id='s0' speed='1Gf'/><host id='s1' speed='1Gf'/>\n"             \
    "<link id='n' bandwidth='1MBps' latency='1ms' sharing_policy='FATPIPE'/>\n" ROUTE("c0", "s0")            \
        ROUTE("c0", "s1") ROUTE("c1", "s0") ROUTE("c1", "s1") ROUTE("c0", "c1") ROUTE("s0", "s1")
#define ROUTE(a, b)      "<route src='" a "' dst='" b "'><link_ctn id='n'/></route>\n"
#define PROP(key, value) "<prop id='storage/pfs/" key "' value='" value "'/>\n"
#define SYSTEM                                                                                               \
    PROP("servers", "s0 s1")                                                                                 \
    PROP("mount", "/pfs")                                                                                    \
    PROP("read_bw", "2MBps")                                                                                 \
    PROP("write_bw", "2MBps")                                                                                \
    PROP("stripe_size", "1MB")                                                                               \
    PROP("stripe_count", "0")                                                                                \
    PROP("metadata_threads", "1") PROP("lookup_time", "10ms") PROP("change_time", "20ms")
#define DISK "<disk id='d' read_bw='100MBps' write_bw='50MBps'/>"
#define TAIL "</zone></platform>\n"
enum { C0, C1, S0, S1 };

static const char *latency_factor = "model"; /* network/latency-factor */

/* On so many ranks, rank k on the host whose number is host[k] (c0 is 0). */
static inline void begin_at(uint32_t ranks, const uint32_t *host, const char *platform, const char *mounts)
{
    static bool once;
    if (!once)
        storage_register();
    once = true;
    ranks_prepare(&stage, ranks, 64);
    base_settings_declare(stage.settings, storage_settings, storage_settings_count);
    ranks_setting(&stage, "network/model", "raw");
    ranks_setting(&stage, "network/latency-factor", latency_factor);
    ranks_setting(&stage, "storage/mounts", mounts);
    uint32_t *place =
        base_alloc(ranks * sizeof *place, "test"); /* whose length the static checker does not know */
    memcpy(place, host, ranks * sizeof *place);
    ranks_begin(&stage, ranks_platform(&stage, platform), place);
    free(place);
}

/* Ranks 0 and 2 are on c0, the others on c1; three are all on c0. */
static inline void begin(uint32_t ranks, const char *platform, const char *mounts)
{
    static const uint32_t apart[] = {0, 1, 0, 1}, together[] = {0, 0, 0};
    begin_at(ranks, ranks == 3 ? together : apart, platform, mounts);
}

static inline void play(ranks_body_fn body)
{
    stage.all = body;
    if (ranks_run(&stage) != ENGINE_ALL_DONE)
        fail_msg("the run ended with status %d: %s", stage.status, stage.report);
    ranks_end(&stage);
}

static inline void time_is(double seconds, int line)
{
    double now = engine_now(stage.engine);
    if (fabs(now - seconds) > 1e-9 * seconds)
        fail_msg("line %d: %.12g s, expected %.12g s", line, now, seconds);
}
#define TIME_IS(seconds) time_is(seconds, __LINE__)

static inline void sleep_until(const struct rank *r, double seconds)
{
    if (seconds > engine_now(r->engine))
        engine_sleep(r->engine, seconds - engine_now(r->engine));
}

static inline struct storage_volume_totals totals_of(const struct rank *r)
{
    return storage_volume_totals(storage_of(r->job), 0);
}

#endif
