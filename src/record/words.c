/* SPDX-License-Identifier: BSD-3-Clause */
/* words: the arguments of a call as words, before and after it. */
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

bool record_has_words(const struct record_param *p)
{
    return p->kind != RECORD_STATUS && p->kind != RECORD_FUNCTION && p->kind != RECORD_NOTHING;
}

static bool is_array(const struct record_param *p)
{
    return p->kind == RECORD_NUMBERS || p->kind == RECORD_HANDLES;
}

bool record_comes_last(const struct record_param *p)
{
    return is_array(p) && p->way == RECORD_OUT;
}

void record_push(struct record_words *w, int64_t word)
{
    if (w->n == w->cap)
        w->at = base_array_grow(w->at, &w->cap, w->n + 1, sizeof *w->at, "the words of a call");
    w->at[w->n++] = word;
}

void record_push_text(struct record_words *w, const char *text)
{
    record_push(w, text ? (int64_t)strlen(text) : RECORD_NO_ARRAY);
    for (; text && *text; text++)
        record_push(w, (unsigned char)*text);
}

void record_words_release(struct record_words *w)
{
    free(w->at);
    *w = (struct record_words){0};
}

/* What the recording of one call needs. */
struct recorder {
    struct record_words *w;
    const struct record_function *f;
    const struct record_value *v;
    const struct record_library *l;
    void *ctx;
};

static uint64_t handle_at(const struct recorder *r, enum record_object o, const void *p, int64_t k)
{
    unsigned size = r->l->handle[o];
    uint64_t handle = 0;
    memcpy(&handle, (const char *)p + (size_t)k * size, size);
    return handle;
}

static int64_t number_at(const struct record_value *v, int64_t k)
{
    return v->width == 4 ? ((const int32_t *)v->p)[k] : ((const int64_t *)v->p)[k];
}

static int64_t sum(const struct record_value *v, int64_t n)
{
    int64_t all = 0;
    for (int64_t k = 0; k < n; k++)
        all += number_at(v, k);
    return all;
}

static int64_t length_of(const struct recorder *r, const struct record_param *p)
{
    const struct record_value *of = &r->v[p->of[0]], *v = &r->v[p - r->f->param];
    switch ((enum record_length)p->length) {
    case RECORD_LENGTH_NONE:
        return 0;
    case RECORD_LENGTH_PARAMETER:
        return of->i;
    case RECORD_LENGTH_TRIPLES:
        return 3 * of->i;
    case RECORD_LENGTH_SUM:
        return sum(of, length_of(r, &r->f->param[p->of[0]]));
    case RECORD_LENGTH_LAST: {
        int64_t n = length_of(r, &r->f->param[p->of[0]]);
        return n > 0 ? number_at(of, n - 1) : 0;
    }
    case RECORD_LENGTH_GIVEN:
        return v->i;
    case RECORD_LENGTH_RESULT:
        return of->p ? *(const int *)of->p : 0;
    default:
        return r->l->measure(r->ctx, (enum record_length)p->length, (uint64_t)of->i, r->v[p->of[1]].i);
    }
}

/* How many elements an array has, or why it has none. */
static int64_t extent(const struct recorder *r, const struct record_param *p, const struct record_value *v)
{
    if (!v->p || (p->length == RECORD_LENGTH_GIVEN && v->i < 0))
        return RECORD_NO_ARRAY;
    if (v->p == r->l->unweighted)
        return RECORD_UNWEIGHTED;
    if (v->p == r->l->no_weights)
        return RECORD_NO_WEIGHTS;
    int64_t n = length_of(r, p);
    return n < 0 ? 0 : n;
}

static void push_array(const struct recorder *r, const struct record_param *p, const struct record_value *v)
{
    int64_t n = extent(r, p, v);
    if (p->length == RECORD_LENGTH_AT_ROOT && !n)
        n = RECORD_NO_ARRAY;
    record_push(r->w, n);
    for (int64_t k = 0; k < n; k++)
        record_push(r->w, p->kind == RECORD_NUMBERS
                              ? number_at(v, k)
                              : r->l->number(r->ctx, (enum record_object)p->object,
                                             handle_at(r, (enum record_object)p->object, v->p, k)));
}

static int64_t buffer_word(const struct recorder *r, const void *p)
{
    return !p ? RECORD_NULL : p == r->l->in_place ? RECORD_IN_PLACE : RECORD_SOMEWHERE;
}

/* A handle's word: of an argument, or of what it points to; where a program passes no place for one, that of no handle. */
static int64_t handle_word(const struct recorder *r, const struct record_param *p,
                           const struct record_value *v)
{
    enum record_object o = (enum record_object)p->object;
    if (p->way == RECORD_IN)
        return r->l->number(r->ctx, o, (uint64_t)v->i);
    return r->l->number(r->ctx, o, v->p ? handle_at(r, o, v->p, 0) : 0);
}

static void push(const struct recorder *r, const struct record_param *p, const struct record_value *v)
{
    if (is_array(p)) {
        if (p->way != RECORD_OUT)
            push_array(r, p, v);
    } else if (p->kind == RECORD_TEXT) {
        record_push_text(r->w, v->p);
    } else if (p->way == RECORD_OUT) {
        if (p->kind == RECORD_ANSWER || p->kind == RECORD_HANDLE)
            record_push(r->w, 0);
    } else if (p->kind == RECORD_HANDLE) {
        record_push(r->w, handle_word(r, p, v));
    } else if (p->kind == RECORD_BUFFER) {
        record_push(r->w, buffer_word(r, v->p));
    } else if (p->kind == RECORD_PLACE) {
        record_push(r->w, r->l->place(r->ctx, v->p));
    } else if (p->kind == RECORD_ADDRESS) {
        record_push(r->w, (int64_t)(uintptr_t)v->p);
    } else if (p->kind == RECORD_NUMBER) {
        record_push(r->w, v->i);
    }
}

void record_before(struct record_words *w, const struct record_function *f, const struct record_value *v,
                   const struct record_library *l, void *ctx)
{
    const struct recorder r = {w, f, v, l, ctx};
    w->n = 0;
    for (uint32_t k = 0; k < f->n; k++)
        push(&r, &f->param[k], &v[k]);
}

/* Whether a call of this function gives words. */
static bool gives_words(const struct record_function *f)
{
    for (uint32_t k = 0; k < f->n; k++)
        if (f->param[k].way == RECORD_OUT && record_has_words(&f->param[k]))
            return true;
    return false;
}

void record_after(struct record_words *w, const struct record_function *f, const struct record_value *v,
                  const struct record_library *l, void *ctx)
{
    const struct recorder r = {w, f, v, l, ctx};
    struct record_part part[RECORD_PARAMS];
    if (!gives_words(f))
        return;
    /* Arrays that the call gives are not there yet. */
    size_t before = w->n;
    for (uint32_t k = 0; k < f->n; k++)
        if (record_comes_last(&f->param[k]))
            record_push(w, RECORD_NO_ARRAY);
    if (!record_parts(f, w->at, w->n, part))
        return;
    for (uint32_t k = 0; k < f->n; k++) {
        const struct record_param *p = &f->param[k];
        if (p->way != RECORD_OUT || is_array(p) || !part[k].param)
            continue;
        int64_t *word = w->at + (part[k].at - w->at);
        *word = p->kind == RECORD_HANDLE ? handle_word(&r, p, &v[k]) : v[k].p ? *(const int *)v[k].p : 0;
    }
    w->n = before;
    for (uint32_t k = 0; k < f->n; k++)
        if (record_comes_last(&f->param[k]))
            push_array(&r, &f->param[k], &v[k]);
}

/* One parameter's words, from *at on. */
static bool take(const struct record_param *p, const int64_t **at, const int64_t *end,
                 struct record_part *out)
{
    if (*at == end)
        return false;
    *out = (struct record_part){.param = p, .at = *at, .n = 1};
    if (!is_array(p) && p->kind != RECORD_TEXT) {
        ++*at;
        return true;
    }
    out->n = *(*at)++;
    out->at = *at;
    int64_t n = out->n > 0 ? out->n : 0;
    if (n > end - *at)
        return false;
    *at += n;
    return true;
}

bool record_parts(const struct record_function *f, const int64_t *words, size_t n, struct record_part *out)
{
    static const int64_t none;
    const int64_t *at = n ? words : &none, *end = at + n;
    for (int last = 0; last < 2; last++)
        for (uint32_t k = 0; k < f->n; k++) {
            const struct record_param *p = &f->param[k];
            if (!last)
                out[k] = (struct record_part){0};
            if (record_comes_last(p) == (last == 1) && record_has_words(p) && !take(p, &at, end, &out[k]))
                return false;
        }
    return at == end;
}
