/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * config: keys of SimGrid's configuration, as named by <config> and --cfg. Those that are settings here take
 * effect. Those that choose SimGrid's own algorithms, precision, output or way of running programs change no
 * time here and are accepted without effect. Those that would change results, and are not modelled, are
 * refused.
 */
#include "platform/platform.h"

#include <string.h>
#include <strings.h>

/* Keys without effect; one that ends in '/' stands for all that begin with it. */
static const char *const without_effect[] = {
    "network/optim",
    "network/maxmin-selective-update",
    "cpu/optim",
    "cpu/maxmin-selective-update",
    "surf/precision",
    "maxmin/precision",
    "precision/",
    "bmf/",
    "contexts/",
    "exception/cutpath",
    "debug/",
    "tracing",
    "tracing/",
    "viva/",
    "clean-atexit",
    "smpi/privatization",
    "smpi/privatize-libs",
    "smpi/shared-malloc",
    "smpi/shared-malloc-hugepage",
    "smpi/keep-temps",
    "smpi/tmpdir",
    "smpi/display-timing",
    "smpi/display-allocs",
    "smpi/list-leaks",
    "smpi/trace-call-location",
    "smpi/trace-call-use-absolute-path",
    "smpi/papi-events",
};

/* Keys that are settings under another name. */
static const struct {
    const char *key, *setting;
} renamed[] = {
    {"smpi/auto-shared-malloc-thresh", "memory/fold-threshold"},
    {"smpi/shared-malloc-blocksize", "memory/fold-most"},
};

/* Collectives, whose algorithms have SimGrid's names here. */
static const struct {
    const char *key, *setting;
} collective[] = {
    {"smpi/allgather", "coll/fcollect"},  {"smpi/allgatherv", "coll/allgatherv"},
    {"smpi/allreduce", "coll/reduce"},    {"smpi/alltoall", "coll/alltoall"},
    {"smpi/alltoallv", "coll/alltoallv"}, {"smpi/barrier", "coll/barrier"},
    {"smpi/bcast", "coll/broadcast"},     {"smpi/gather", "coll/gather"},
    {"smpi/reduce", "coll/reduce-root"},  {"smpi/reduce_scatter", "coll/reduce-scatter"},
    {"smpi/scatter", "coll/scatter"},
};

/* SimGrid's selectors of them, and what they are called here. */
static const struct {
    const char *name, *selector;
} selector[] = {
    {"default", "smpi-default"}, {"ompi", "smpi-ompi"}, {"mpich", "smpi-mpich"},
    {"mvapich2", "mvapich2"},    {"impi", "impi"},      {"automatic", "automatic"},
};

/* Keys for which only these values are modelled. */
static const struct {
    const char *key, *values[3];
} only[] = {
    {"cpu/model", {"Cas01"}},
    {"cpu/solver", {"maxmin"}},
    {"network/solver", {"maxmin"}},
    {"host/solver", {"maxmin"}},
    {"disk/solver", {"maxmin"}},
    {"disk/model", {"default", "S19"}},
    {"host/model", {"default", "compound"}},
    {"maxmin/concurrency-limit", {"-1"}},
    {"plugin", {""}},
};

/* Keys that would change results; '/' as above. */
static const char *const refused[] = {
    "smpi/host-speed",
    "smpi/cpu-threshold",
    "smpi/simulate-computation",
    "smpi/comp-adjustment-file",
    "smpi/finalization-barrier",
    "smpi/barrier-finalization",
    "smpi/barrier-collectives",
    "smpi/errors-are-fatal",
    "smpi/pedantic",
    "smpi/buffering",
    "smpi/replay",
    "smpi/hostfile",
    "smpi/np",
    "smpi/map",
    "model-check",
    "model-check/",
    "storage/",
    "vm/",
    "ns3/",
    "cmonkey/",
    "link/",
};

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool listed(const char *const *list, size_t n, const char *key)
{
    for (size_t k = 0; k < n; k++) {
        const char *one = list[k];
        if (one[strlen(one) - 1] == '/' ? begins(key, one) : strcmp(key, one) == 0)
            return true;
    }
    return false;
}

/* 1: a key with modelled values, and this is one of them; -1 with st: it is not; 0: another key. */
static int check_only(const char *key, const char *value, struct base_status *st)
{
    for (size_t k = 0; k < BASE_LENGTH(only); k++) {
        if (strcmp(only[k].key, key) != 0)
            continue;
        for (size_t v = 0; v < 3 && only[k].values[v]; v++)
            if (strcasecmp(only[k].values[v], value) == 0)
                return 1;
        const char *first = only[k].values[0], *second = only[k].values[1];
        return base_fail(st, "%s '%.80s' is not modelled; expected %s%s%s", key, value,
                         first && *first ? first : "nothing", second ? " or " : "", second ? second : "");
    }
    return 0;
}

static const char *setting_of(const char *key)
{
    for (size_t k = 0; k < BASE_LENGTH(renamed); k++)
        if (strcmp(renamed[k].key, key) == 0)
            return renamed[k].setting;
    return NULL;
}

/* 1: it is a key of a collective; -1 with st: its value is unknown; 0: another key. */
static int set_collective(struct base_settings *s, const char *key, const char *value, enum base_origin from,
                          struct base_status *st)
{
    char named[80];
    for (size_t k = 0; k < BASE_LENGTH(collective); k++) {
        if (strcmp(collective[k].key, key) != 0)
            continue;
        snprintf(named, sizeof named, "smpi:%s", value);
        if (s && base_settings_known(s, collective[k].setting))
            return base_settings_set(s, collective[k].setting, named, from, st) ? -1 : 1;
        return 1;
    }
    return 0;
}

/* The same of the key of the selector. */
static int set_selector(struct base_settings *s, const char *key, const char *value, enum base_origin from,
                        struct base_status *st)
{
    if (strcmp(key, "smpi/coll-selector") != 0)
        return 0;
    for (size_t k = 0; k < BASE_LENGTH(selector); k++) {
        if (strcmp(selector[k].name, value) != 0)
            continue;
        bool known = s && base_settings_known(s, "coll/selector");
        return known && base_settings_set(s, "coll/selector", selector[k].selector, from, st) ? -1 : 1;
    }
    return base_fail(st, "%s '%.80s': expected default, ompi, mpich, mvapich2, impi or automatic", key,
                     value);
}

int platform_configure(struct base_settings *s, const char *key, const char *value, enum base_origin from,
                       struct base_status *st)
{
    if (s && base_settings_known(s, key))
        return base_settings_set(s, key, value, from, st);
    const char *setting = setting_of(key);
    if (setting) /* has no effect where the setting is unknown */
        return s && base_settings_known(s, setting) ? base_settings_set(s, setting, value, from, st) : 0;
    int known = set_collective(s, key, value, from, st);
    if (!known)
        known = set_selector(s, key, value, from, st);
    if (!known)
        known = check_only(key, value, st);
    if (known || listed(without_effect, BASE_LENGTH(without_effect), key))
        return known < 0 ? -1 : 0;
    if (listed(refused, BASE_LENGTH(refused), key))
        return base_fail(st, "SimGrid's key %s is not modelled", key);
    return s ? base_settings_set(s, key, value, from, st) : base_fail(st, "no settings are known here");
}
