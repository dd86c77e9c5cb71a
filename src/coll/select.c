/* SPDX-License-Identifier: BSD-3-Clause */
/* select: the settings coll/..., from which the selector in force and the choices by operation are read. */
#include "coll/select.h"

#include <stdlib.h>
#include <string.h>

static const char scans[] = "the fewest rounds: Hillis, Steele 1986";
static const char all_at_once[] = "one message along each edge, as MPICH and Open MPI do";
static const char between[] = "what MPI_Bcast and others did before there was a choice";
static const char thakur[] =
    "docs/selectors.md: the platform's constants, or Thakur, Rabenseifner, Gropp 2005";
const struct base_setting coll_settings[] = {
    {"coll/barrier", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of barriers and synchronizations", thakur},
    {"coll/broadcast", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of broadcasts", thakur},
    {"coll/collect", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of collects (parts of different sizes)", thakur},
    {"coll/fcollect", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of fcollects (parts of equal size)", thakur},
    {"coll/alltoall", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of all-to-all exchanges", thakur},
    {"coll/reduce", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of reductions to all", thakur},
    {"coll/inscan", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of inclusive scans", scans},
    {"coll/exscan", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of exclusive scans", scans},
    {"coll/gather", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of gathers to one member", thakur},
    {"coll/gatherv", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of gathers of parts of different sizes", thakur},
    {"coll/scatter", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of scatters from one member", thakur},
    {"coll/scatterv", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of scatters of parts of different sizes", thakur},
    {"coll/allgatherv", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of gathers to all of parts of different sizes", thakur},
    {"coll/alltoallv", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of exchanges of parts of different sizes", thakur},
    {"coll/alltoallw", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of exchanges of parts of different layouts", thakur},
    {"coll/reduce-root", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of reductions to one member", thakur},
    {"coll/reduce-scatter", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of reductions that leave a part at each member", thakur},
    {"coll/reduce-scatter-block", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of reductions that leave a part of equal size at each member", thakur},
    {"coll/neighbor-allgather", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of gathers from a member's neighbours", all_at_once},
    {"coll/neighbor-alltoall", BASE_TEXT, "auto", "auto, or an algorithm (pgasim info collectives)",
     "algorithm of exchanges with a member's neighbours", all_at_once},
#define COLL_INTER_OPERATION(op, rules, name, what)                                                          \
    {"coll/inter-" name,                                                                                     \
     BASE_TEXT,                                                                                              \
     "auto",                                                                                                 \
     "auto, or an algorithm (pgasim info collectives)",                                                      \
     "algorithm of " what " between two groups",                                                             \
     between},
#include "coll/inter.def"
    {"coll/selector", BASE_TEXT, "auto", "a selector (pgasim info selectors), or a file of rules",
     "what chooses the algorithm of each collective that is left to it",
     "ours: docs/selectors.md; the others are those of MPI libraries"},
    {"coll/radix", BASE_UINT, "0", "0 to 64",
     "k of algorithms that have one: trees, exchanges, chains (0: each one's own)",
     "UCC 1.3, tl/ucp: 4 in its k-nomial collectives"},
    {"coll/segment", BASE_SIZE, "0B", "0B to 1EiB",
     "bytes of a segment of pipelined algorithms (0: each one's own)",
     "Open MPI 4.1, coll/tuned: 8 to 128 KiB, by the size"},
    {"coll/window", BASE_UINT, "0", "0 to 1048576",
     "messages that a member has outstanding in algorithms that limit them (0: each one's own)",
     "MPICH: 32 in its scattered all-to-all"},
    {"coll/reduce-bandwidth", BASE_BANDWIDTH, "8GBps", BASE_BANDWIDTHS,
     "bytes of operand that a reduction processes per second",
     "assumption: two streams read and one written by one core of a current server"},
    {"coll/leave-folded", BASE_BOOL, "no", NULL,
     "whether broadcasts, fcollects and alltoalls (and MPI's v forms) skip copies between folded blocks",
     "SMPI's shared blocks (SMPI paper, section 3.4)"},
};
const size_t coll_settings_count = BASE_LENGTH(coll_settings);

static int unknown(enum coll_op op, const char *name, struct base_status *st)
{
    char known[1024] = "auto";
    size_t n;
    const struct coll_algorithm_info *info = coll_algorithms(&n);
    for (size_t k = 0; k < n; k++)
        if (info[k].op == op)
            snprintf(known + strlen(known), sizeof known - strlen(known), ", %s", info[k].name);
    return base_fail(st, "coll/%s: no algorithm \"%s\"; expected one of %s", coll_op_name(op), name, known);
}

/* A copy: the process's own environment moves when it changes. */
static char **environment;

void coll_environment(char *const *variables)
{
    size_t n = 0;
    for (char **v = environment; v && *v; v++)
        free(*v);
    free(environment);
    environment = NULL;
    if (!variables)
        return;
    while (variables[n])
        n++;
    environment = base_zalloc((n + 1) * sizeof *environment, "environment");
    for (size_t k = 0; k < n; k++)
        environment[k] = base_strdup(variables[k]);
}

static int read_selector(struct coll_select *s, const char *name, struct base_status *st)
{
    struct base_status why;
    s->rules = coll_rules_builtin(name);
    if (s->rules && environment && coll_rules_variables(&s->own, name, environment, st))
        return -1;
    if (s->own)
        s->rules = s->own;
    if (s->rules)
        return 0;
    if (coll_rules_read(&s->own, name, &why))
        return base_fail(st, "coll/selector: %s", why.text);
    s->rules = s->own;
    return 0;
}

/* SMPI's word, which its option for one operation gives with the library's name. */
static bool is_automatic(const char *name)
{
    return !strcmp(name, "automatic") || !strcmp(name, "smpi:automatic");
}

/* Of coll/selector: for all operations that have no choice of their own. Calls that do not block, and parts, are
 * SMPI's default. */
static const char *read_automatic(struct coll_select *s, const char *selector)
{
    if (!is_automatic(selector))
        return selector;
    for (int op = 0; op < COLL_OPS; op++)
        s->automatic[op] |= s->chosen[op] == COLL_AUTO && coll_automatic_has((enum coll_op)op);
    return "smpi-default";
}

int coll_select_read(struct coll_select *s, const struct base_settings *settings, struct base_status *st)
{
    struct coll_select read = {.own = NULL};
    for (int op = 0; op < COLL_OPS; op++) {
        char key[32];
        snprintf(key, sizeof key, "coll/%s", coll_op_name((enum coll_op)op));
        const char *name = base_settings_text(settings, key);
        bool tries = is_automatic(name) && coll_automatic_has((enum coll_op)op);
        read.automatic[op] = tries;
        read.chosen[op] = tries ? COLL_AUTO : coll_select_find((enum coll_op)op, name);
        if (read.chosen[op] < COLL_AUTO)
            return unknown((enum coll_op)op, name, st);
    }
    read.tuning.radix = (uint32_t)base_settings_count(settings, "coll/radix");
    if (read.tuning.radix == 1)
        return base_fail(st, "coll/radix: 1 is no radix; expected 0 or 2 to 64");
    read.tuning.segment = base_settings_count(settings, "coll/segment");
    read.tuning.window = (uint32_t)base_settings_count(settings, "coll/window");
    read.tuning.choose = coll_select_part;
    read.tuning.says = coll_select_says;
    read.tuning.leave_folded = base_settings_flag(settings, "coll/leave-folded");
    if (coll_inter_read(&read, settings, st))
        return -1;
    const char *selector = read_automatic(&read, base_settings_text(settings, "coll/selector"));
    if (read_selector(&read, selector, st))
        return -1;
    read.asks_graphs = coll_rules_ask_graphs(read.rules);
    *s = read;
    return 0;
}

void coll_select_release(struct coll_select *s)
{
    for (size_t k = 0; k < s->tuned.n; k++)
        free(s->tuned.at[k]);
    free(s->tuned.at);
    memset(&s->tuned, 0, sizeof s->tuned);
    coll_rules_destroy(s->own);
    s->own = NULL;
    s->rules = NULL;
}

double coll_reduce_cost(const struct base_settings *settings)
{
    return 1 / base_settings_number(settings, "coll/reduce-bandwidth");
}
