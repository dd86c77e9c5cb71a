/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * expression: conditions and arithmetic over the names of a point. Read by recursive descent and evaluated on the way:
 * expressions are short, and each is evaluated once for a point.
 *
 *     any    = all { "or" all }           sum     = product { ("+" | "-") product }
 *     all    = holds { "and" holds }      product = sign { ("*" | "/" | "%") sign }
 *     holds  = "not" holds | compared     sign    = "-" sign | atom
 *     compared = sum [ "==" ... sum ]     atom    = number | text | name | function "(" any { "," any } ")" | "(" any ")"
 */
#include "sweep/study/study.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 40, NAME = 64 };

struct reader {
    const char *text, *at;
    const struct study_scope *scope;
    struct base_status *st;
    int depth;
};

static int any(struct reader *r, struct study_value *out);

static int wrong(struct reader *r, const char *what)
{
    return base_fail(r->st, "'%.120s': %s", r->text, what);
}

static void skip(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Takes the token if it is next; one of letters ends where the word ends. */
static bool take(struct reader *r, const char *token)
{
    size_t n = strlen(token);
    skip(r);
    if (strncmp(r->at, token, n) != 0 || (isalpha((unsigned char)*token) && is_word(r->at[n])))
        return false;
    r->at += n;
    return true;
}

static void become(struct study_value *v, double x)
{
    study_value_release(v);
    *v = study_value_number(x);
}

static int need_number(struct reader *r, const struct study_value *v)
{
    return v->is_number ? 0 : base_fail(r->st, "'%.120s': expected a number, not '%.60s'", r->text, v->text);
}

/* --- atoms ------------------------------------------------------------------------------------------ */

static int number(struct reader *r, struct study_value *out)
{
    char *end;
    if (r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X'))
        return wrong(r, "expected a decimal number");
    double x = strtod(r->at, &end);
    if (!isfinite(x))
        return wrong(r, "a number is too large");
    *out = study_value_number(x);
    r->at = end;
    return 0;
}

static int quoted(struct reader *r, struct study_value *out)
{
    const char quote = *r->at, *end = strchr(r->at + 1, quote);
    if (!end)
        return wrong(r, "a text without an end");
    char *text = base_strfmt("%.*s", (int)(end - r->at - 1), r->at + 1);
    *out = study_value_of(text, true);
    free(text);
    r->at = end + 1;
    return 0;
}

enum function { MIN, MAX, FLOOR, CEIL, ROUND, SQRT, LOG2, FUNCTIONS };
static const char *const functions[FUNCTIONS] = {"min", "max", "floor", "ceil", "round", "sqrt", "log2"};

static double apply(enum function f, double x, double y)
{
    switch (f) {
    case MIN:
        return fmin(x, y);
    case MAX:
        return fmax(x, y);
    case FLOOR:
        return floor(x);
    case CEIL:
        return ceil(x);
    case ROUND:
        return round(x);
    case SQRT:
        return sqrt(x);
    default:
        return log2(x);
    }
}

/* Behind the function's "(". */
static int called(struct reader *r, enum function f, struct study_value *out)
{
    struct study_value v = {0};
    if (any(r, out))
        return -1;
    int rc = need_number(r, out);
    double x = out->number;
    while (rc == 0 && f <= MAX && take(r, ",")) {
        rc = any(r, &v) ? -1 : need_number(r, &v);
        x = apply(f, x, v.number);
        study_value_release(&v);
    }
    if (rc == 0 && !take(r, ")"))
        rc = wrong(r, "expected ')' behind what a function is of");
    if (rc == 0) {
        x = f <= MAX ? x : apply(f, x, 0);
        rc = isfinite(x) ? 0 : wrong(r, "the value is no number");
    }
    if (rc)
        study_value_release(out);
    else
        become(out, x);
    return rc;
}

static int named(struct reader *r, struct study_value *out)
{
    char name[NAME];
    size_t n = 0;
    while (is_word(r->at[n]))
        n++;
    if (n >= sizeof name)
        return wrong(r, "a name is too long");
    memcpy(name, r->at, n);
    name[n] = 0;
    r->at += n;
    for (int f = 0; f < FUNCTIONS; f++)
        if (!strcmp(name, functions[f]) && take(r, "("))
            return called(r, (enum function)f, out);
    const struct study_value *v = r->scope->find ? r->scope->find(r->scope->arg, name) : NULL;
    if (!v)
        return base_fail(r->st, "'%.120s': there is no '%s' here", r->text, name);
    if (!v->text)
        return base_fail(r->st, "'%.120s': '%s' has no value", r->text, name);
    *out = study_value_copy(v);
    return 0;
}

static int atom(struct reader *r, struct study_value *out)
{
    if (take(r, "(")) {
        if (any(r, out))
            return -1;
        if (take(r, ")"))
            return 0;
        study_value_release(out);
        return wrong(r, "')' is missing");
    }
    skip(r);
    if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1])))
        return number(r, out);
    if (*r->at == '"' || *r->at == '\'')
        return quoted(r, out);
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return named(r, out);
    return wrong(r, *r->at ? "expected a number, a text in quotes, or a name" : "it ends too early");
}

/* --- arithmetic ------------------------------------------------------------------------------------- */

static int sign(struct reader *r, struct study_value *out)
{
    if (!take(r, "-"))
        return atom(r, out);
    if (++r->depth > DEEPEST)
        return wrong(r, "it is too deep");
    int rc = sign(r, out);
    r->depth--;
    if (rc || need_number(r, out)) {
        if (!rc)
            study_value_release(out);
        return -1;
    }
    become(out, -out->number);
    return 0;
}

typedef int (*read_fn)(struct reader *r, struct study_value *out);

static int combine(struct reader *r, char op, struct study_value *a, const struct study_value *b)
{
    double x = a->number, y = b->number;
    if (need_number(r, a) || need_number(r, b))
        return -1;
    if ((op == '/' || op == '%') && y == 0)
        return wrong(r, "a division by 0");
    x = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : op == '/' ? x / y : fmod(x, y);
    if (!isfinite(x))
        return wrong(r, "the value is too large");
    become(a, x);
    return 0;
}

static int chain(struct reader *r, const char *ops, read_fn part, struct study_value *out)
{
    struct study_value b = {0};
    if (part(r, out))
        return -1;
    for (skip(r); *r->at && strchr(ops, *r->at); skip(r)) {
        char op = *r->at++;
        int rc = part(r, &b) ? -1 : combine(r, op, out, &b);
        study_value_release(&b);
        if (rc) {
            study_value_release(out);
            return -1;
        }
    }
    return 0;
}

static int product(struct reader *r, struct study_value *out)
{
    return chain(r, "*/%", sign, out);
}

static int sum(struct reader *r, struct study_value *out)
{
    return chain(r, "+-", product, out);
}

/* --- conditions ------------------------------------------------------------------------------------- */

static int compared(struct reader *r, struct study_value *out)
{
    static const char *const ops[] = {"==", "!=", "<=", ">=", "<", ">"};
    size_t op = 0;
    struct study_value b = {0};
    if (sum(r, out))
        return -1;
    while (op < BASE_LENGTH(ops) && !take(r, ops[op]))
        op++;
    if (op == BASE_LENGTH(ops))
        return 0;
    int rc = sum(r, &b);
    bool absent = rc == 0 && (out->absent || b.absent);
    if (rc == 0 && !absent && op > 1 && (need_number(r, out) || need_number(r, &b)))
        rc = -1;
    if (absent) {
        become(out, op == 1);
    } else if (rc == 0) {
        int c = study_value_compare(out, &b);
        become(out, op == 0   ? c == 0
                    : op == 1 ? c != 0
                    : op == 2 ? c <= 0
                    : op == 3 ? c >= 0
                    : op == 4 ? c < 0
                              : c > 0);
    } else {
        study_value_release(out);
    }
    study_value_release(&b);
    return rc;
}

static int holds(struct reader *r, struct study_value *out)
{
    if (!take(r, "not"))
        return compared(r, out);
    if (++r->depth > DEEPEST)
        return wrong(r, "it is too deep");
    int rc = holds(r, out);
    r->depth--;
    if (rc == 0 && need_number(r, out)) {
        study_value_release(out);
        return -1;
    }
    if (rc == 0)
        become(out, out->number == 0);
    return rc;
}

static int joined(struct reader *r, bool both, read_fn part, struct study_value *out)
{
    struct study_value b = {0};
    if (part(r, out))
        return -1;
    while (take(r, both ? "and" : "or")) {
        int rc = need_number(r, out) || part(r, &b) || need_number(r, &b) ? -1 : 0;
        bool x = out->number != 0, y = b.number != 0;
        study_value_release(&b);
        if (rc) {
            study_value_release(out);
            return -1;
        }
        become(out, both ? x && y : x || y);
    }
    return 0;
}

static int all(struct reader *r, struct study_value *out)
{
    return joined(r, true, holds, out);
}

static int any(struct reader *r, struct study_value *out)
{
    if (++r->depth > DEEPEST)
        return wrong(r, "it is too deep");
    int rc = joined(r, false, all, out);
    r->depth--;
    return rc;
}

int study_evaluate(const char *text, const struct study_scope *scope, struct study_value *out,
                   struct base_status *st)
{
    struct reader r = {.text = text, .at = text, .scope = scope, .st = st};
    struct study_value v = {0};
    if (any(&r, &v))
        return -1;
    skip(&r);
    if (*r.at) {
        study_value_release(&v);
        return base_fail(st, "'%.120s': '%.40s' is not understood", text, r.at);
    }
    *out = v;
    return 0;
}

int study_holds(const char *text, const struct study_scope *scope, bool *out, struct base_status *st)
{
    struct study_value v;
    if (study_evaluate(text, scope, &v, st))
        return -1;
    int rc = v.is_number ? 0 : base_fail(st, "'%.120s': expected a condition, as in ranks >= 16", text);
    if (rc == 0)
        *out = v.number != 0;
    study_value_release(&v);
    return rc;
}

/* --- texts with expressions ------------------------------------------------------------------------- */

char *study_expand(const char *text, const struct study_scope *scope, struct base_status *st)
{
    struct base_text t;
    base_text_init(&t, "a word of a command");
    for (const char *c = text; *c; c++) {
        if (*c != '$' || (c[1] != '{' && c[1] != '$')) {
            base_text_char(&t, *c);
            continue;
        }
        if (*++c == '$') {
            base_text_char(&t, '$');
            continue;
        }
        const char *end = strchr(c, '}');
        struct study_value v = {0};
        char *inner = end ? base_strfmt("%.*s", (int)(end - c - 1), c + 1) : NULL;
        int rc = end ? study_evaluate(inner, scope, &v, st) : base_fail(st, "'%.120s': '}' is missing", text);
        if (rc == 0)
            base_text_add(&t, v.text);
        study_value_release(&v);
        free(inner);
        if (rc) {
            base_text_release(&t);
            return NULL;
        }
        c = end;
    }
    return base_text_take(&t);
}
