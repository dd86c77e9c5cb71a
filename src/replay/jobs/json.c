/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json: a list of jobs as JSON: an array of objects, or an object with that array as "jobs". Members that are not
 * known are refused, so that a word that is misspelled is not silently without effect.
 */
#include "replay/jobs/jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_tree.h"
#include "base/text.h"
#include "record/record.h"

const char *const replay_pattern_names[REPLAY_PATTERNS] = {"uniform-random", "permutation", "all-to-all",
                                                           "incast", "ping-pong"};
static const char *const placement_names[REPLAY_PLACEMENTS] = {"hosts", "hostfile", "packed", "round-robin",
                                                               "random"};
enum { REPEATS_MOST = 100000 };
static const double seconds_most = 1e12;

struct reader {
    struct replay_list *list;
    const struct base_json_tree *tree;
    struct base_status *st;
    struct replay_entry entry;
    uint32_t repeat;
    double interval; /* between repetitions */
};

static int fail(const struct reader *x, const struct base_json_node *v, const char *expected)
{
    if (v->key)
        return base_fail(x->st, "%s:%" PRIu32 ": \"%.80s\": expected %s", x->list->path, v->line, v->key,
                         expected);
    return base_fail(x->st, "%s:%" PRIu32 ": expected %s", x->list->path, v->line, expected);
}

/* --- values ------------------------------------------------------------------------------------------ */

static int read_text(const struct reader *x, const struct base_json_node *v, char **out)
{
    if (v->kind != BASE_JSON_TEXT || !*v->text)
        return fail(x, v, "a text");
    free(*out);
    *out = base_strdup(v->text);
    return 0;
}

static int read_count(const struct reader *x, const struct base_json_node *v, uint64_t least, uint64_t most,
                      uint64_t *out)
{
    struct base_status why;
    char expected[80];
    if (v->kind == BASE_JSON_NUMBER && !base_parse_uint(v->text, out, &why) && *out >= least && *out <= most)
        return 0;
    snprintf(expected, sizeof expected, "a whole number from %" PRIu64 " to %" PRIu64, least, most);
    return fail(x, v, expected);
}

/* Seconds, or a text with a unit. */
static int read_time(const struct reader *x, const struct base_json_node *v, double *out)
{
    struct base_status why;
    bool read = v->kind == BASE_JSON_NUMBER
                    ? !base_parse_double(v->text, out, &why)
                    : v->kind == BASE_JSON_TEXT && !base_parse_time(v->text, out, &why);
    if (read && *out >= 0 && *out <= seconds_most)
        return 0;
    return fail(x, v, "a time, in seconds or with a unit (\"10ms\"), from 0 to 1e12 seconds");
}

static int read_size(const struct reader *x, const struct base_json_node *v, uint64_t *out)
{
    struct base_status why;
    bool read = v->kind == BASE_JSON_NUMBER
                    ? !base_parse_uint(v->text, out, &why)
                    : v->kind == BASE_JSON_TEXT && !base_parse_size(v->text, out, &why);
    if (read && *out > 0 && *out <= UINT64_C(1) << 53)
        return 0;
    return fail(x, v, "a number of bytes, or a size with a unit (\"64kB\"), above 0");
}

static int read_one_of(const struct reader *x, const struct base_json_node *v, const char *const *names,
                       int from, int n, int *out)
{
    char expected[160] = "one of";
    for (int k = from; k < n; k++) {
        if (v->kind == BASE_JSON_TEXT && !strcmp(v->text, names[k])) {
            *out = k;
            return 0;
        }
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s \"%s\"", k > from ? "," : "", names[k]);
    }
    return fail(x, v, expected);
}

static int read_hosts(struct reader *x, const struct base_json_node *v)
{
    if (v->kind != BASE_JSON_ARRAY || v->child == UINT32_MAX)
        return fail(x, v, "an array of names of hosts");
    for (const struct base_json_node *h = base_json_at(x->tree, v->child); h;
         h = base_json_at(x->tree, h->next)) {
        if (h->kind != BASE_JSON_TEXT)
            return fail(x, h, "the name of a host");
        BASE_ARRAY_PUSH(&x->entry.hosts, base_strdup(h->text));
    }
    x->entry.placement = REPLAY_ON_HOSTS;
    return 0;
}

/* --- background traffic ------------------------------------------------------------------------------ */

static int read_traffic_member(struct reader *x, const struct base_json_node *v)
{
    struct replay_traffic *t = &x->entry.traffic;
    int pattern;
    if (!strcmp(v->key, "pattern")) {
        if (read_one_of(x, v, replay_pattern_names, 0, REPLAY_PATTERNS, &pattern))
            return -1;
        t->pattern = (enum replay_pattern)pattern;
        return 0;
    }
    if (!strcmp(v->key, "bytes"))
        return read_size(x, v, &t->bytes);
    if (!strcmp(v->key, "interval"))
        return read_time(x, v, &t->interval);
    if (!strcmp(v->key, "seed"))
        return read_count(x, v, 0, UINT64_MAX, &t->seed);
    return fail(x, v, "\"pattern\", \"bytes\", \"interval\" or \"seed\" here");
}

static int read_traffic(struct reader *x, const struct base_json_node *of)
{
    if (of->kind != BASE_JSON_OBJECT)
        return fail(x, of, "an object with \"pattern\", \"bytes\" and \"interval\"");
    for (const struct base_json_node *v = base_json_at(x->tree, of->child); v;
         v = base_json_at(x->tree, v->next))
        if (read_traffic_member(x, v))
            return -1;
    if (!x->entry.traffic.bytes)
        return fail(x, of, "\"bytes\" in it");
    if (!base_json_member(x->tree, of, "pattern"))
        return fail(x, of, "\"pattern\" in it");
    return 0;
}

/* --- a job ------------------------------------------------------------------------------------------- */

static int read_name(struct reader *x, const struct base_json_node *v)
{
    return read_text(x, v, &x->entry.name);
}

static int read_trace(struct reader *x, const struct base_json_node *v)
{
    char *name = NULL;
    if (read_text(x, v, &name))
        return -1;
    free(x->entry.trace);
    x->entry.trace = replay_list_file(x->list, name);
    free(name);
    return 0;
}

static int read_start(struct reader *x, const struct base_json_node *v)
{
    return read_time(x, v, &x->entry.start);
}

static int read_ranks(struct reader *x, const struct base_json_node *v)
{
    uint64_t n;
    if (read_count(x, v, 1, RECORD_RANKS_MOST, &n))
        return -1;
    x->entry.ranks = (uint32_t)n;
    return 0;
}

static int read_placement(struct reader *x, const struct base_json_node *v)
{
    int k;
    if (read_one_of(x, v, placement_names, REPLAY_PACKED, REPLAY_PLACEMENTS, &k))
        return -1;
    x->entry.placement = (enum replay_placement)k;
    return 0;
}

static int read_hostfile(struct reader *x, const struct base_json_node *v)
{
    char *name = NULL;
    if (read_text(x, v, &name))
        return -1;
    free(x->entry.hostfile);
    x->entry.hostfile = replay_list_file(x->list, name);
    free(name);
    x->entry.placement = REPLAY_BY_HOSTFILE;
    return 0;
}

static int read_seed(struct reader *x, const struct base_json_node *v)
{
    return read_count(x, v, 0, UINT64_MAX, &x->entry.seed);
}

static int read_scale(struct reader *x, const struct base_json_node *v)
{
    struct base_status why;
    double *scale = &x->entry.compute_scale;
    if (v->kind == BASE_JSON_NUMBER && !base_parse_double(v->text, scale, &why) && *scale >= 0 &&
        *scale <= 1e12)
        return 0;
    return fail(x, v, "a factor from 0 to 1e12");
}

static int read_repeat(struct reader *x, const struct base_json_node *v)
{
    uint64_t n;
    if (read_count(x, v, 1, REPEATS_MOST, &n))
        return -1;
    x->repeat = (uint32_t)n;
    return 0;
}

static int read_interval(struct reader *x, const struct base_json_node *v)
{
    return read_time(x, v, &x->interval);
}

static const struct {
    const char *key;
    int (*read)(struct reader *x, const struct base_json_node *v);
} members[] = {
    {"name", read_name},         {"trace", read_trace},       {"start", read_start},
    {"np", read_ranks},          {"hosts", read_hosts},       {"placement", read_placement},
    {"hostfile", read_hostfile}, {"seed", read_seed},         {"compute-scale", read_scale},
    {"repeat", read_repeat},     {"interval", read_interval}, {"background", read_traffic},
};

static int read_member(struct reader *x, const struct base_json_node *v)
{
    for (size_t k = 0; k < BASE_LENGTH(members); k++)
        if (!strcmp(members[k].key, v->key))
            return members[k].read(x, v);
    struct base_text known = {0};
    base_text_init(&known, "a report");
    for (size_t k = 0; k < BASE_LENGTH(members); k++)
        base_text_format(&known, "%s\"%s\"", k ? ", " : "one of ", members[k].key);
    char *expected = base_text_take(&known);
    int rc = fail(x, v, expected);
    free(expected);
    return rc;
}

/* What belongs together, or does not. */
static int check(const struct reader *x, const struct base_json_node *of)
{
    const struct replay_entry *e = &x->entry;
    int places = 0;
    static const char *const where[] = {"hosts", "hostfile", "placement"};
    for (size_t k = 0; k < BASE_LENGTH(where); k++)
        places += base_json_member(x->tree, of, where[k]) != NULL;
    if (places > 1)
        return fail(x, of, "one of \"hosts\", \"hostfile\" and \"placement\" in a job");
    if (!e->trace == !e->traffic.bytes)
        return fail(x, of, "either \"trace\" or \"background\" in a job");
    if (!e->trace && !e->ranks && e->placement != REPLAY_ON_HOSTS)
        return fail(x, of, "\"np\" or \"hosts\" for background traffic");
    if (!e->trace && (e->ranks ? e->ranks : (uint32_t)e->hosts.n) < 2)
        return fail(x, of, "two ranks at least for background traffic");
    return 0;
}

static struct replay_entry copy_of(const struct replay_entry *e, uint32_t number)
{
    struct replay_entry c = *e;
    c.name = base_strfmt("%s#%" PRIu32, e->name, number);
    c.trace = e->trace ? base_strdup(e->trace) : NULL;
    c.hostfile = e->hostfile ? base_strdup(e->hostfile) : NULL;
    memset(&c.hosts, 0, sizeof c.hosts);
    for (size_t k = 0; k < e->hosts.n; k++)
        BASE_ARRAY_PUSH(&c.hosts, base_strdup(e->hosts.at[k]));
    return c;
}

static void entry_release(struct replay_entry *e)
{
    free(e->name);
    free(e->trace);
    free(e->hostfile);
    for (size_t k = 0; k < e->hosts.n; k++)
        free(e->hosts.at[k]);
    free(e->hosts.at);
}

/* Repetitions are jobs of their own, "name#1" and so on; their seeds differ. */
static void add_entry(struct reader *x)
{
    struct replay_entry *e = &x->entry;
    if (!e->name)
        e->name = base_strfmt("job%zu", x->list->at.n + 1);
    if (!e->trace && !e->ranks)
        e->ranks = (uint32_t)e->hosts.n;
    for (uint32_t k = 0; x->repeat > 1 && k < x->repeat; k++) {
        struct replay_entry copy = copy_of(e, k + 1);
        copy.start += k * x->interval;
        copy.seed += k;
        copy.traffic.seed += k;
        BASE_ARRAY_PUSH(&x->list->at, copy);
    }
    if (x->repeat > 1)
        entry_release(e);
    else
        BASE_ARRAY_PUSH(&x->list->at, *e);
    memset(e, 0, sizeof *e);
}

static int read_job(struct reader *x, const struct base_json_node *of)
{
    if (of->kind != BASE_JSON_OBJECT)
        return fail(x, of, "a job, which is an object");
    x->repeat = 1;
    x->interval = 0;
    x->entry = (struct replay_entry){.line = of->line, .placement = REPLAY_PACKED, .compute_scale = 1};
    for (const struct base_json_node *v = base_json_at(x->tree, of->child); v;
         v = base_json_at(x->tree, v->next))
        if (read_member(x, v))
            return -1;
    if (check(x, of))
        return -1;
    add_entry(x);
    return 0;
}

static int read_jobs(struct reader *x)
{
    const struct base_json_node *root = base_json_at(x->tree, 0), *all = root;
    if (root->kind == BASE_JSON_OBJECT) {
        all = base_json_member(x->tree, root, "jobs");
        if (!all)
            return fail(x, root, "\"jobs\", an array of jobs");
    }
    if (all->kind != BASE_JSON_ARRAY)
        return fail(x, all, "an array of jobs");
    for (const struct base_json_node *v = base_json_at(x->tree, all->child); v;
         v = base_json_at(x->tree, v->next))
        if (read_job(x, v))
            return -1;
    return x->list->at.n ? 0 : fail(x, all, "at least one job");
}

int replay_list_parse(struct replay_list *l, const char *text, size_t bytes, struct base_status *st)
{
    struct base_json_tree tree;
    if (base_json_tree_read(&tree, text, bytes, l->path, st))
        return -1;
    struct reader x = {.list = l, .tree = &tree, .st = st};
    int rc = read_jobs(&x);
    entry_release(&x.entry);
    base_json_tree_release(&tree);
    return rc;
}

void replay_list_release(struct replay_list *l)
{
    for (size_t k = 0; k < l->at.n; k++)
        entry_release(&l->at.at[k]);
    free(l->at.at);
    l->at.at = NULL;
    l->at.n = l->at.cap = 0;
}
