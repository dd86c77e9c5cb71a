/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice: what a traced job's collectives chose, told once for each function, size and algorithm in a group:
 * the rule, and a bound below which no algorithm's time can be. At most MOST choices are told.
 */
#include "coll/job.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, WHY = 200 };

struct key {
    const char *name, *algorithm;
    uint64_t bytes;
    uint32_t op, id, first, stride, size, root;
};
_Static_assert(sizeof(struct key) == 2 * sizeof(char *) + 8 + 6 * 4,
               "no padding: keys are compared as bytes");
struct record {
    struct key key;
    struct coll_chosen c;
};

/* A trace may use a text until it is closed, which is after the job: the same text, which lives on. */
static const char *lasting(const char *text)
{
    static struct base_table texts;
    static bool begun;
    if (!begun)
        base_table_init(&texts, BASE_BYTES, sizeof(const char *), "choices of collectives");
    begun = true;
    const char **known = base_table_find_bytes(&texts, text, strlen(text));
    if (known)
        return *known;
    const char *copy = base_strdup(text);
    return *(const char **)base_table_add_bytes(&texts, copy, strlen(copy), NULL) = copy;
}

void coll_choices_init(struct coll_job *j)
{
    base_table_init(&j->chosen, BASE_BYTES, sizeof(struct record *), "choices of collectives");
}

void coll_choices_release(struct coll_job *j)
{
    uint32_t at = 0;
    for (struct record **r; (r = base_table_next(&j->chosen, &at));) {
        coll_group_release(&(*r)->c.call.group);
        free(*r);
    }
    base_table_release(&j->chosen);
}

static void emit(const struct coll_job *j, const struct coll_chosen *c, enum trace_type type,
                 const char *detail, double seconds)
{
    struct rank *r = rank_at(j->job, coll_group_rank(&c->call.group, c->call.me));
    trace_emit(j->trace, &(struct trace_event){.time = engine_now(j->engine),
                                               .type = type,
                                               .rank = r->id,
                                               .op = c->meeting,
                                               .peer = c->call.group.size,
                                               .bytes = c->call.bytes,
                                               .call = c->call.name,
                                               .detail = detail,
                                               .least = seconds});
}

void coll_choice_tell(struct coll_job *j, const struct coll_member *m)
{
    const struct coll_instance *i = m->instance;
    const struct coll_group *g = &i->group->key;
    if (i->entered > 1 || j->chosen.live >= MOST)
        return;
    const char *algorithm = coll_select_name(coll_plan_algorithm(m));
    struct key key = {i->first.name, algorithm, m->schedule.bytes, i->first.op,  g->id,
                      g->first,      g->stride, g->size,           i->first.root};
    if (base_table_find_bytes(&j->chosen, &key, sizeof key))
        return;
    struct record *r = base_zalloc(sizeof *r, "choices of collectives");
    r->key = key;
    *(struct record **)base_table_add_bytes(&j->chosen, &r->key, sizeof r->key, NULL) = r;
    r->c = (struct coll_chosen){.call = i->first, .meeting = i->meeting, .algorithm = algorithm};
    r->c.call.group = coll_group_retain(g);
    r->c.call.local = m->schedule.local; /* only now: the member's */
    char why[WHY];
    coll_select_why(&j->exec.select, &r->c.call, m->schedule.hosts, m->schedule.network, why, WHY);
    r->c.why = lasting(why);
    r->c.bound = coll_bound(i->group, &r->c.call);
    r->c.call.local = NULL;
    emit(j, &r->c, TRACE_COLLECTIVE_CHOSEN, r->c.why, r->c.bound);
}

void coll_chosen_each(const struct rank_job *job, coll_chosen_fn fn, void *arg)
{
    uint32_t at = 0;
    for (struct record **r; (r = base_table_next(&coll_job_of(job)->chosen, &at));)
        fn(arg, &(*r)->c);
}

void coll_choice_better(const struct rank_job *job, const struct coll_chosen *c, const char *algorithm,
                        double seconds)
{
    emit(coll_job_of(job), c, TRACE_COLLECTIVE_BETTER, algorithm, seconds);
}
