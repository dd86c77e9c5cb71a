/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program: runs a program in a child process and collects which collectives it calls. Calls are counted
 * where they meet, once for all members; the child writes the counts into a pipe when the job ends.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/table.h"
#include "cli/command.h"
#include "cli/tune/tune.h"

/* --- the child ------------------------------------------------------------------------------------ */

struct key {
    uint64_t bytes, graph;
    uint32_t op, ranks, one_sided, first; /* without gaps */
};
static struct {
    BASE_ARRAY(struct tune_use) use;
    struct base_index index;
    int to;
    struct tune_graph *graph; /* of the call that is being counted */
} counted;

static uint64_t average(const struct coll_side *side, uint32_t n)
{
    uint64_t items = 0, size = side->layout ? types_layout_size(side->layout) : 1;
    for (uint32_t k = 0; k < n; k++)
        items += (uint64_t)coll_side_count(side, k);
    return n ? items * size / n : 0;
}

/* The caller's. Of parts with counts and layouts of their own: those that it is said to send. */
static uint64_t bytes_along(const struct coll_call *c)
{
    const struct coll_side *to = &c->local->source, *from = &c->local->dest;
    struct coll_graph lists;
    (void)coll_neighbors_of_all(c->local->neighbors, c->me, &lists);
    if (!from->counts || from->layouts || to->layouts)
        return c->bytes > from->part ? c->bytes : from->part;
    uint64_t in = average(from, lists.n_from), out = to->counts ? average(to, lists.n_to) : c->bytes;
    return in > out ? in : out;
}

/* Of parts with counts: their average. */
static uint64_t bytes_of(const struct coll_call *c)
{
    if (tune_op_has_graph(c->op))
        return bytes_along(c);
    const struct coll_side *side = c->local && c->local->source.counts ? &c->local->source
                                   : c->local                          ? &c->local->dest
                                                                       : NULL;
    if (c->op == COLL_BARRIER || !side || !side->counts || side->layouts || !c->group.size)
        return c->bytes;
    return average(side, c->group.size);
}

/* False: not all members know the graph, as in exchanges between two groups. */
static bool graph_of(const struct coll_call *c)
{
    counted.graph = tune_op_has_graph(c->op) ? tune_graph_of(c->local->neighbors, c->group.size) : NULL;
    return counted.graph || !tune_op_has_graph(c->op);
}

static struct tune_use *find(const struct key *key, uint32_t hash)
{
    for (uint32_t at = hash, k; (k = base_index_next(&counted.index, hash, &at)) != BASE_NONE;) {
        struct tune_use *u = &counted.use.at[k];
        uint64_t graph = u->graph ? tune_graph_fingerprint(u->graph) : 0;
        if (u->bytes == key->bytes && u->op == (enum coll_op)key->op && u->ranks == key->ranks &&
            u->one_sided == key->one_sided && u->first == key->first && graph == key->graph)
            return u;
    }
    return NULL;
}

static void count(struct rank *r, const struct coll_call *c)
{
    if (c->chained || !tune_op_is_tried(c->op) || c->group.size < 2 || !graph_of(c))
        return;
    struct key key = {bytes_of(c),
                      counted.graph ? tune_graph_fingerprint(counted.graph) : 0,
                      c->op,
                      c->group.size,
                      !c->transport->ops->post,
                      0};
    uint32_t hash = base_hash_bytes(&key, sizeof key);
    struct tune_use *known = find(&key, hash);
    if (known) {
        known->calls++;
        tune_graph_destroy(counted.graph);
        return;
    }
    struct tune_use u = {
        c->op, key.one_sided, key.ranks, key.bytes, 1, tune_hosts_of(r->job, &c->group), counted.graph, 0};
    base_index_add(&counted.index, hash, (uint32_t)counted.use.n);
    BASE_ARRAY_PUSH(&counted.use, u);
}

/* The group with the root comes first. */
static uint32_t *hosts_between(const struct rank_job *job, const struct coll_inter_call *c)
{
    uint32_t *in_order = tune_hosts_of(job, c->all), n = c->all->size;
    if (!c->second_has_root)
        return in_order;
    uint32_t *host = base_alloc(n * sizeof *host, "hosts of two groups");
    memcpy(host, in_order + c->first, (n - c->first) * sizeof *host);
    memcpy(host + (n - c->first), in_order, c->first * sizeof *host);
    free(in_order);
    return host;
}

static void count_between(const struct rank_job *job, const struct coll_inter_call *c)
{
    uint32_t first = c->second_has_root ? c->all->size - c->first : c->first;
    bool sized = c->op != COLL_INTER_BARRIER;
    struct key key = {sized ? c->bytes : 0, 0, tune_op_between(c->op), c->all->size, 0, first};
    uint32_t hash = base_hash_bytes(&key, sizeof key);
    struct tune_use *known = find(&key, hash);
    if (known) {
        known->calls++;
        return;
    }
    struct tune_use u = {tune_op_between(c->op), false, key.ranks, key.bytes, 1,
                         hosts_between(job, c),  NULL,  first};
    base_index_add(&counted.index, hash, (uint32_t)counted.use.n);
    BASE_ARRAY_PUSH(&counted.use, u);
}

static void put(const void *bytes, size_t n)
{
    for (const char *p = bytes; n;) {
        ssize_t done = write(counted.to, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return; /* nobody reads any more */
        p += done;
        n -= (size_t)done;
    }
}

static void job_end(struct rank_job *job)
{
    uint64_t n = counted.use.n;
    (void)job;
    put(&n, sizeof n);
    for (size_t k = 0; k < counted.use.n; k++) {
        put(&counted.use.at[k], sizeof counted.use.at[k]);
        put(counted.use.at[k].host, counted.use.at[k].ranks * sizeof *counted.use.at[k].host);
        if (counted.use.at[k].graph)
            tune_graph_write(counted.use.at[k].graph, put);
    }
}

static _Noreturn void run(int argc, char **args, int to)
{
    static const struct rank_front front = {.name = "calls", .job_end = job_end};
    counted.to = to;
    base_index_init(&counted.index, "calls of collectives");
    coll_on_call(count);
    coll_on_inter_call(count_between);
    rank_front_register(&front);
    exit(cli_run(argc, args));
}

/* --- the parent ----------------------------------------------------------------------------------- */

static bool get(FILE *in, void *bytes, size_t n)
{
    return fread(bytes, 1, n, in) == n;
}

static bool get_graph(void *in, void *bytes, size_t n)
{
    return get(in, bytes, n);
}

static bool read_use(FILE *in, struct tune_use *u)
{
    bool graph = get(in, u, sizeof *u) && u->graph;
    u->graph = NULL;
    u->host = base_alloc(u->ranks * sizeof *u->host, "hosts of a group");
    if (!get(in, u->host, u->ranks * sizeof *u->host))
        return false;
    u->graph = graph ? tune_graph_read(get_graph, in) : NULL;
    return u->graph || !graph;
}

static bool read_uses(FILE *in, struct tune_uses *out)
{
    uint64_t n;
    if (!get(in, &n, sizeof n))
        return false;
    out->at = base_zalloc((n + 1) * sizeof *out->at, "calls of collectives");
    while (out->n < n)
        if (!read_use(in, &out->at[out->n++]))
            return false;
    return true;
}

void tune_use_release(struct tune_use *u)
{
    free(u->host);
    tune_graph_destroy(u->graph);
}

void tune_uses_release(struct tune_uses *u)
{
    for (size_t k = 0; k < u->n; k++)
        tune_use_release(&u->at[k]);
    free(u->at);
    *u = (struct tune_uses){.status = u->status};
}

/* By operation, ranks, graph, size. */
static int in_order(const void *va, const void *vb)
{
    const struct tune_use *a = va, *b = vb;
    uint64_t of_a = a->graph ? tune_graph_fingerprint(a->graph) : 0;
    uint64_t of_b = b->graph ? tune_graph_fingerprint(b->graph) : 0;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    if (a->ranks != b->ranks)
        return a->ranks < b->ranks ? -1 : 1;
    if (of_a != of_b)
        return of_a < of_b ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/* Messages are of one kind: that of most calls. */
static void keep_one_kind(struct tune_uses *u)
{
    uint64_t calls[2] = {0, 0};
    size_t kept = 0;
    for (size_t k = 0; k < u->n; k++)
        calls[u->at[k].one_sided] += u->at[k].calls;
    bool kind = calls[1] > calls[0];
    for (size_t k = 0; k < u->n; k++)
        if (u->at[k].one_sided == kind)
            u->at[kept++] = u->at[k];
        else
            tune_use_release(&u->at[k]);
    if (kept < u->n)
        base_info("the program uses MPI and OpenSHMEM: the collectives of %s, which are fewer, are left out",
                  kind ? "MPI" : "OpenSHMEM");
    u->n = kept;
}

static int conclude(struct tune_uses *u, pid_t child, bool whole, struct base_status *st)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    u->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (u->status)
        return base_fail(st, "the program's run ended with status %d: nothing is tuned", u->status);
    if (!whole)
        return base_fail(st, "the program's run has not said what it called");
    keep_one_kind(u);
    qsort(u->at, u->n, sizeof *u->at, in_order);
    if (!u->n)
        return base_fail(st, "the program calls no collective that can be tuned");
    return 0;
}

int tune_program(int argc, char **args, struct tune_uses *out, struct base_status *st)
{
    int fd[2];
    struct tune_uses u = {0};
    fflush(NULL);
    if (pipe(fd))
        return base_fail(st, "cannot make a pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(fd[0]);
        run(argc, args, fd[1]);
    }
    close(fd[1]);
    FILE *in = child < 0 ? NULL : fdopen(fd[0], "r");
    if (!in) {
        close(fd[0]);
        return base_fail(st, "cannot start a process: %s", strerror(errno));
    }
    bool whole = read_uses(in, &u);
    fclose(in);
    int rc = conclude(&u, child, whole, st);
    if (rc)
        tune_uses_release(&u);
    *out = u;
    return rc;
}
