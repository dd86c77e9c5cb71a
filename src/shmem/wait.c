/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait: wait and test behind the typed shims (OpenSHMEM 1.6 section 9.11), on one variable or an array of
 * them. A condition is evaluated on the stack of whichever rank delivers, so the waiting rank's memory is
 * read by rank_direct and its like.
 *
 * A wait for all remembers its progress: an element that has satisfied its condition is not checked again. A
 * wait for any starts after the element it returned last, so that repeated calls return each one.
 */
#include "shmem/recorded.h"

#include <inttypes.h>
#include <string.h>

/* Kept off the stack while other ranks evaluate it. */
struct wait {
    struct shmem_pe *self;
    struct shmem_form form;
    struct shmem_ivars set;
    size_t at;     /* ALL: the first not satisfied; ANY, SOME: where the search begins, then the one found */
    uint64_t seen; /* the value looked at last */
    struct shmem_causes *causes; /* of a call that is recorded; else NULL */
};
_Static_assert(sizeof(struct wait) <= SHMEM_APART, "there is room for it");

/* --- one comparison ----------------------------------------------------------------------------- */

/* Which orders (bit 0: less, 1: equal, 2: greater) a comparison accepts. */
static const uint8_t accepts[] = {
    [SHMEM_CMP_EQ] = 2, [SHMEM_CMP_NE] = 5, [SHMEM_CMP_GT] = 4,
    [SHMEM_CMP_LE] = 3, [SHMEM_CMP_LT] = 1, [SHMEM_CMP_GE] = 6,
};
static const char *const symbols[] = {
    [SHMEM_CMP_EQ] = "==", [SHMEM_CMP_NE] = "!=", [SHMEM_CMP_GT] = ">",
    [SHMEM_CMP_LE] = "<=", [SHMEM_CMP_LT] = "<",  [SHMEM_CMP_GE] = ">=",
};

static bool compares(bool sign, int cmp, uint64_t a, uint64_t b)
{
    int order = sign ? ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b) : (a > b) - (a < b);
    return accepts[cmp] >> (order + 1) & 1;
}

/* The value at `at`, sign-extended when its type is signed. */
static uint64_t load(const struct shmem_form *f, const void *at)
{
    uint64_t v = 0;
    memcpy(&v, at, f->size);
    unsigned unused = 64 - 8 * f->size;
    return f->sign ? (uint64_t)((int64_t)(v << unused) >> unused) : v;
}

/* --- an array of them --------------------------------------------------------------------------- */

/* Where the arrays are mapped now; NULL for one that is not contiguous. */
struct view {
    const char *ivars, *values;
    const int *status;
};

static struct view look(const struct wait *w)
{
    struct rank *r = w->self->rank;
    const struct shmem_ivars *s = &w->set;
    size_t bytes = s->n * w->form.size;
    return (struct view){
        rank_direct(r, (uintptr_t)s->ivars, bytes),
        s->values ? rank_direct(r, (uintptr_t)s->values, bytes) : NULL,
        s->status ? rank_direct(r, (uintptr_t)s->status, s->n * sizeof(int)) : NULL,
    };
}

static uint64_t element(const struct wait *w, const char *seen, const void *array, size_t i)
{
    size_t size = w->form.size;
    uint64_t v;
    if (BASE_LIKELY(seen != NULL))
        return load(&w->form, seen + i * size);
    rank_read(w->self->rank, (uintptr_t)array + i * size, &v, size);
    return load(&w->form, &v);
}

static bool left_out(const struct wait *w, const struct view *v, size_t i)
{
    int status = 0;
    if (v->status)
        return v->status[i] != 0;
    if (w->set.status)
        rank_read(w->self->rank, (uintptr_t)&w->set.status[i], &status, sizeof status);
    return status != 0;
}

static bool satisfied(struct wait *w, const struct view *v, size_t i)
{
    const struct shmem_ivars *s = &w->set;
    uint64_t value = s->values ? element(w, v->values, s->values, i) : s->value;
    w->seen = element(w, v->ivars, s->ivars, i);
    return compares(w->form.sign, s->cmp, w->seen, value);
}

/* For a recorder: what the call has seen, if its condition holds. */
static __attribute__((noinline)) void note(const struct wait *w, const struct view *v, bool all, bool ready)
{
    size_t size = w->form.size;
    if (!ready) {
        w->causes->asked = true;
        return;
    }
    for (size_t i = all ? 0 : w->at; i < (all ? w->set.n : w->at + 1); i++)
        if (!left_out(w, v, i))
            shmem_causes_see(w->causes, w->self, (uintptr_t)w->set.ivars + i * size, size);
    shmem_causes_end(w->causes, w->self);
}

static bool all_ready(struct rank *r, void *arg)
{
    struct wait *w = arg;
    struct view v = look(w);
    (void)r;
    while (w->at < w->set.n && (left_out(w, &v, w->at) || satisfied(w, &v, w->at)))
        w->at++;
    if (BASE_UNLIKELY(w->causes != NULL))
        note(w, &v, true, w->at == w->set.n);
    return w->at == w->set.n;
}

static bool any_ready(struct rank *r, void *arg)
{
    struct wait *w = arg;
    struct view v = look(w);
    size_t i = w->at;
    (void)r;
    for (size_t k = 0; k < w->set.n; k++) {
        if (!left_out(w, &v, i) && satisfied(w, &v, i)) {
            w->at = i;
            if (BASE_UNLIKELY(w->causes != NULL))
                note(w, &v, false, true);
            return true;
        }
        i = i + 1 == w->set.n ? 0 : i + 1;
    }
    if (BASE_UNLIKELY(w->causes != NULL))
        note(w, &v, false, false);
    return false;
}

static bool nothing_to_ask(const struct shmem_ivars *s)
{
    size_t i = 0;
    if (!s->status)
        return s->n == 0;
    while (i < s->n && s->status[i])
        i++;
    return i == s->n;
}

static size_t list_satisfied(struct wait *w, size_t *indices)
{
    struct view v = look(w);
    size_t n = 0;
    for (size_t i = 0; i < w->set.n; i++)
        if (!left_out(w, &v, i) && satisfied(w, &v, i))
            indices[n++] = i;
    return n;
}

/* --- the calls ---------------------------------------------------------------------------------- */

/* Real libraries look at any memory of the PE. Here nothing but the PE itself changes what is not symmetric:
 * it can be looked at, with a warning, but not waited for. */
static bool can_look(const struct shmem_ivars *s, struct wait *w, bool (*ready)(struct rank *, void *))
{
    if ((uintptr_t)s->ivars < base_page_size() || shmem_symmetric_known(w->self, s->ivars, w->self->me))
        return false;
    return !ready || ready(w->self->rank, w);
}

/* Checks the arguments of a wait until `ready`, or of a test (NULL). */
static size_t check(struct wait *w, bool (*ready)(struct rank *, void *))
{
    const struct shmem_pe *self = w->self;
    const struct shmem_form *f = &w->form;
    const struct shmem_ivars *s = &w->set;
    if (BASE_UNLIKELY(s->cmp < SHMEM_CMP_EQ || s->cmp > SHMEM_CMP_GE))
        rank_program_error(self->rank, f->call, "%d is not a comparison (SHMEM_CMP_EQ, ...)", s->cmp);
    size_t bytes = shmem_bytes(self, s->n, f->size, f->call);
    if (BASE_LIKELY(!bytes || shmem_symmetric_try(self, s->ivars, bytes, self->me)))
        return bytes;
    if (can_look(s, w, ready))
        base_warn("misuse/wait-local", "%s: the variable is not in symmetric memory", f->call);
    else
        shmem_check_symmetric(self, s->ivars, bytes, f->call);
    return bytes;
}

static void show_value(const struct shmem_form *f, uint64_t v, char *buf, size_t size)
{
    if (f->sign)
        snprintf(buf, size, "%" PRId64, (int64_t)v);
    else
        snprintf(buf, size, "%" PRIu64, v);
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct wait *w = arg;
    const struct shmem_ivars *s = &w->set;
    char name[160], is[24], wanted[24];
    size_t i = w->at < s->n ? w->at : 0;
    struct view v = look(w);
    shmem_object_name(w->self, (uintptr_t)s->ivars + i * w->form.size, name, sizeof name);
    show_value(&w->form, element(w, v.ivars, s->ivars, i), is, sizeof is);
    show_value(&w->form, s->values ? element(w, v.values, s->values, i) : s->value, wanted, sizeof wanted);
    int n = snprintf(buf, size, "%s is %s, waits for %s %s", name, is, symbols[s->cmp], wanted);
    if (s->n > 1 && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, ", one of %zu variables", s->n);
}

/* Returns the operation that ended the wait, if known. */
static uint64_t wait_for(struct wait *w, bool (*ready)(struct rank *, void *), size_t bytes)
{
    struct base_pool *pool = &w->self->job->apart;
    struct wait *apart = base_pool_get(pool);
    const uintptr_t low = (uintptr_t)w->set.ivars;
    const struct rma_condition condition = {ready, apart, low, low + bytes};
    const struct engine_reason why = {w->form.call, describe, apart};
    *apart = *w;
    uint64_t cause = rma_wait_untold(w->self->rank, &condition, &why);
    *w = *apart;
    base_pool_put(pool, apart);
    return cause;
}

/* The call has seen these variables, from `first` on. */
static void saw(const struct wait *w, size_t first, size_t n, uint64_t cause)
{
    size_t size = w->form.size;
    shmem_checked_saw(w->self, (const char *)w->set.ivars + first * size, n * size, cause, w->form.call);
}

/* The condition holds: tells which variables made it so. */
static void tell(const struct wait *w, enum shmem_need need, size_t result, const size_t *indices,
                 uint64_t cause)
{
    const struct shmem_ivars *s = &w->set;
    if (BASE_LIKELY(!rma_is_heard(w->self->rank)))
        return;
    if (need == SHMEM_ANY)
        saw(w, result, 1, cause);
    else if (need == SHMEM_ALL && !s->status)
        saw(w, 0, s->n, cause);
    for (size_t i = 0; need == SHMEM_ALL && s->status && i < s->n; i++)
        if (!s->status[i])
            saw(w, i, 1, cause);
    for (size_t i = 0; need == SHMEM_SOME && i < result; i++)
        saw(w, indices[i], 1, cause);
}

/* The variable may have changed again by the time the caller runs. */
uint64_t shmem_core_wait(const struct shmem_form *f, const void *ivar, int cmp, uint64_t value)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    const struct shmem_ivars set = {.ivars = ivar, .n = 1, .cmp = cmp, .value = value};
    struct wait w = {.self = self, .form = *f, .set = set};
    size_t bytes = check(&w, all_ready);
    w.causes = shmem_causes_begin();
    saw(&w, 0, 1, wait_for(&w, all_ready, bytes));
    if (BASE_UNLIKELY(w.causes != NULL))
        shmem_record_seen(self, w.causes, ivar, bytes, -1);
    shmem_leave(self, f->call);
    return w.seen;
}

/* Each test takes time, so that a loop of tests lets others proceed; it reads the value after that. */
int shmem_core_test(const struct shmem_form *f, const void *ivar, int cmp, uint64_t value)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    const struct shmem_ivars set = {.ivars = ivar, .n = 1, .cmp = cmp, .value = value};
    struct wait w = {.self = self, .form = *f, .set = set};
    check(&w, NULL);
    rma_poll(self->rank);
    int is = compares(f->sign, cmp, load(f, ivar), value);
    if (is)
        saw(&w, 0, 1, 0);
    w.causes = shmem_causes_begin();
    if (BASE_UNLIKELY(w.causes != NULL)) {
        if (is)
            shmem_causes_see(w.causes, self, (uintptr_t)ivar, f->size);
        shmem_record_seen(self, w.causes, ivar, f->size, is);
    }
    shmem_leave(self, f->call);
    return is;
}

/* What the call returns once its condition holds. */
static size_t outcome(struct wait *w, enum shmem_need need, size_t *indices)
{
    if (need == SHMEM_SOME)
        return list_satisfied(w, indices);
    if (need == SHMEM_ALL)
        return 1;
    w->self->any_next = w->at + 1;
    return w->at;
}

static size_t outcome_of_none(enum shmem_need need)
{
    return need == SHMEM_ALL ? 1 : need == SHMEM_ANY ? SIZE_MAX : 0;
}

static size_t first_to_ask(const struct shmem_pe *self, const struct shmem_ivars *s, enum shmem_need need)
{
    return need == SHMEM_ANY && self->any_next < s->n ? self->any_next : 0;
}

size_t shmem_core_wait_many(const struct shmem_form *f, const struct shmem_ivars *set, enum shmem_need need,
                            size_t *indices)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    struct wait w = {.self = self, .form = *f, .set = *set, .at = first_to_ask(self, set, need)};
    bool (*ready)(struct rank *, void *) = need == SHMEM_ALL ? all_ready : any_ready;
    size_t bytes = check(&w, ready), result = outcome_of_none(need);
    if (!nothing_to_ask(set)) {
        w.causes = shmem_causes_begin();
        uint64_t cause = wait_for(&w, ready, bytes);
        result = outcome(&w, need, indices);
        tell(&w, need, result, indices, cause);
        if (BASE_UNLIKELY(w.causes != NULL))
            shmem_record_seen(self, w.causes, set->ivars, bytes, -1);
    }
    shmem_leave(self, f->call);
    return result;
}

size_t shmem_core_test_many(const struct shmem_form *f, const struct shmem_ivars *set, enum shmem_need need,
                            size_t *indices)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    struct wait w = {.self = self, .form = *f, .set = *set, .at = first_to_ask(self, set, need)};
    size_t bytes = check(&w, NULL);
    rma_poll(self->rank);
    size_t result = outcome_of_none(need);
    w.causes = shmem_causes_begin();
    if (!nothing_to_ask(set)) {
        if ((need == SHMEM_ALL ? all_ready : any_ready)(self->rank, &w)) {
            result = outcome(&w, need, indices);
            tell(&w, need, result, indices, 0);
        } else {
            result = need == SHMEM_ANY ? SIZE_MAX : 0;
        }
    }
    if (BASE_UNLIKELY(w.causes != NULL))
        shmem_record_seen(self, w.causes, set->ivars, bytes, w.causes->list.n > 0);
    shmem_leave(self, f->call);
    return result;
}

/* --- what debuggers read ------------------------------------------------------------------------ */

const struct base_fact shmem_facts[] = {
    {"reason.variable", (uintptr_t)describe},
    BASE_FACT_FIELD("shmem_wait.size", struct wait, form.size),
    BASE_FACT_FIELD("shmem_wait.sign", struct wait, form.sign),
    BASE_FACT_FIELD("shmem_wait.ivars", struct wait, set.ivars),
    BASE_FACT_FIELD("shmem_wait.n", struct wait, set.n),
    BASE_FACT_FIELD("shmem_wait.cmp", struct wait, set.cmp),
    BASE_FACT_FIELD("shmem_wait.value", struct wait, set.value),
    BASE_FACT_FIELD("shmem_wait.values", struct wait, set.values),
    {"shmem_cmp.==", SHMEM_CMP_EQ},
    {"shmem_cmp.!=", SHMEM_CMP_NE},
    {"shmem_cmp.>", SHMEM_CMP_GT},
    {"shmem_cmp.>=", SHMEM_CMP_GE},
    {"shmem_cmp.<", SHMEM_CMP_LT},
    {"shmem_cmp.<=", SHMEM_CMP_LE},
    {NULL, 0},
};
