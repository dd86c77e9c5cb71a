/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * variables: what the environment says to the library whose selector is in force: I_MPI_ADJUST_<operation>
 * of Intel MPI, OMPI_MCA_coll_tuned_... of Open MPI, MPIR_CVAR_... of MPICH. Their values are written as
 * rules in the text form, whose base is the selector. docs/selectors.md lists the variables.
 */
#include "base/text.h"
#include "coll/rules/ompi.h"
#include "coll/rules/tree.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 96 };

struct reader {
    char **environment;
    struct base_text text; /* the rules */
    bool any;
    struct base_status *st;
};

static const char *value_of(char **environment, const char *name)
{
    size_t n = strlen(name);
    for (char **v = environment; *v; v++)
        if (!strncmp(*v, name, n) && (*v)[n] == '=')
            return *v + n + 1;
    return NULL;
}

/* The value of PREFIX<operation>SUFFIX; `upper`: the operation in capitals. */
static const char *of_operation(char **environment, const char *prefix, enum coll_rules_op op,
                                const char *suffix, bool upper)
{
    char name[WORD + 64];
    int n = snprintf(name, sizeof name, "%s%s%s", prefix, coll_rules_op_name(op), suffix);
    size_t at = strlen(prefix);
    for (size_t k = at; upper && k < (size_t)n - strlen(suffix); k++)
        name[k] = (char)toupper((unsigned char)name[k]);
    return value_of(environment, name);
}

static bool is_word(const char *text)
{
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return n && n < WORD && !text[n] && text[n - 1] != '-';
}

static uint64_t count_of(const char *text)
{
    struct base_status why;
    uint64_t n = 0;
    return text && !base_parse_uint(text, &n, &why) && n <= UINT32_MAX ? n : 0;
}

static void parameter(struct reader *r, const char *name, uint64_t value)
{
    if (value)
        base_text_format(&r->text, " %s=%" PRIu64, name, value);
}

/* --- Intel MPI: ALGORITHM[:CONDITION,...];... with conditions SIZE[-SIZE][@RANKS[-RANKS]] --------------- */

/* "8" or "8-64": tests of the fact; `*at` is behind it. */
static bool read_span(struct reader *r, const char **at, const char *fact)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    uint64_t least = strtoull(*at, &end, 10), most = least;
    if (*end == '-') {
        if (!isdigit((unsigned char)end[1]))
            return false;
        most = strtoull(end + 1, &end, 10);
    }
    *at = end;
    base_text_format(&r->text, " %s>=%" PRIu64 " %s<=%" PRIu64, fact, least, fact, most);
    return true;
}

static bool read_adjustment(struct reader *r, const char *at, const char *fact)
{
    while (*at) {
        char *end;
        if (!isdigit((unsigned char)*at))
            return false;
        uint64_t algorithm = strtoull(at, &end, 10);
        at = end;
        bool more = *at == ':';
        do {
            base_text_add(&r->text, "\n  blocking not inter");
            if (more) {
                at++;
                if (!read_span(r, &at, fact) || (*at == '@' && (at++, !read_span(r, &at, "ranks"))))
                    return false;
            }
            if (algorithm)
                base_text_format(&r->text, " -> impi:%" PRIu64, algorithm);
            else
                base_text_add(&r->text, " -> pass");
        } while (more && *at == ',');
        if (*at && *at++ != ';')
            return false;
    }
    return true;
}

static int read_impi(struct reader *r)
{
    for (int op = 0; op < COLL_RULES_OPS; op++) {
        const char *value = of_operation(r->environment, "I_MPI_ADJUST_", (enum coll_rules_op)op, "", true);
        if (!value || !*value)
            continue;
        bool sums = op == COLL_RULES_REDUCE_SCATTER || op == COLL_RULES_ALLGATHERV;
        r->any = true;
        base_text_format(&r->text, "on %s {", coll_rules_op_name((enum coll_rules_op)op));
        if (!read_adjustment(r, value, sums ? "total" : "part"))
            return base_fail(
                r->st,
                "I_MPI_ADJUST_ of %s: '%.120s': expected ALGORITHM:SIZE-SIZE@RANKS-RANKS,...;..., "
                "as in 2:0-1024@8-64;3",
                coll_rules_op_name((enum coll_rules_op)op), value);
        base_text_add(&r->text, "\n}\n");
    }
    if (r->any)
        base_text_add(&r->text, "like impi\n");
    return 0;
}

/* --- Open MPI ------------------------------------------------------------------------------------------- */

#define TUNED "OMPI_MCA_coll_tuned_"

static int read_tuned(struct reader *r, enum coll_rules_op op, const char *value)
{
    char name[64];
    char **e = r->environment;
    uint64_t number = count_of(value);
    if (!strcmp(value, "0") || !strcmp(value, "ignore"))
        return 0;
    if (coll_ompi_knows(op, value))
        snprintf(name, sizeof name, "%s", value);
    else if (!number || !coll_ompi_algorithm(op, number, name, sizeof name))
        return base_fail(r->st,
                         TUNED "%s_algorithm: '%.60s': expected an algorithm of this operation, by name or "
                               "number",
                         coll_rules_op_name(op), value);
    bool chain = !strcmp(name, "chain");
    const char *fan =
        of_operation(e, TUNED, op, chain ? "_algorithm_chain_fanout" : "_algorithm_tree_fanout", false);
    if (!strcmp(name, "knomial"))
        fan = of_operation(e, TUNED, op, "_algorithm_knomial_radix", false);
    r->any = true;
    base_text_format(&r->text, "on %s { blocking not inter -> ompi:%s", coll_rules_op_name(op), name);
    parameter(r, "k", count_of(fan));
    parameter(r, "segment", count_of(of_operation(e, TUNED, op, "_algorithm_segmentsize", false)));
    parameter(r, "outstanding", count_of(of_operation(e, TUNED, op, "_algorithm_max_requests", false)));
    base_text_add(&r->text, " }\n");
    return 0;
}

static bool is_yes(const char *text)
{
    bool yes;
    struct base_status why;
    return text && !base_parse_bool(text, &yes, &why) && yes;
}

static int read_ompi(struct reader *r)
{
    if (!is_yes(value_of(r->environment, TUNED "use_dynamic_rules")))
        return 0;
    for (int op = 0; op < COLL_RULES_OPS; op++) {
        const char *value = of_operation(r->environment, TUNED, (enum coll_rules_op)op, "_algorithm", false);
        if (value && read_tuned(r, (enum coll_rules_op)op, value))
            return -1;
    }
    return 0;
}

/* --- MPICH ---------------------------------------------------------------------------------------------- */

/* MPIR_CVAR_<operation>_<what>_KVAL is for the algorithm whose name has <what>. */
static const char *radix_of(struct reader *r, enum coll_rules_op op, const char *algorithm)
{
    static const struct {
        const char *part, *suffix;
    } radix[] = {{"tree", "_TREE_KVAL"},
                 {"recexch", "_RECEXCH_KVAL"},
                 {"brucks", "_BRUCKS_KVAL"},
                 {"dissemination", "_DISSEM_KVAL"},
                 {"recursive_multiplying", "_RECURSIVE_MULTIPLYING_KVAL"}};
    for (size_t k = 0; k < BASE_LENGTH(radix); k++)
        if (strstr(algorithm, radix[k].part))
            return of_operation(r->environment, "MPIR_CVAR_", op, radix[k].suffix, true);
    return NULL;
}

static int read_cvar(struct reader *r, enum coll_rules_op op, bool nonblocking, bool inter)
{
    const char *prefix = nonblocking ? "MPIR_CVAR_I" : "MPIR_CVAR_";
    const char *value =
        of_operation(r->environment, prefix, op, inter ? "_INTER_ALGORITHM" : "_INTRA_ALGORITHM", true);
    if (!value || !strcmp(value, "auto") || !strcmp(value, "nb"))
        return 0;
    if (!is_word(value))
        return base_fail(r->st, "%s..._ALGORITHM of %s: '%.60s': expected the name of an algorithm", prefix,
                         coll_rules_op_name(op), value);
    char name[WORD];
    snprintf(name, sizeof name, "%s%s", nonblocking ? "I" : "", coll_rules_op_name(op));
    name[0] = (char)toupper((unsigned char)name[0]);
    r->any = true;
    base_text_format(&r->text, "  %sblocking %sinter -> mpich:%s_%s_%s", nonblocking ? "not " : "",
                     inter ? "" : "not ", name, inter ? "inter" : "intra", value);
    parameter(r, "k", count_of(radix_of(r, op, value)));
    if (strstr(value, "pipelined") || strstr(value, "tree"))
        parameter(r, "segment",
                  count_of(of_operation(r->environment, prefix, op, "_TREE_PIPELINE_CHUNK_SIZE", true)));
    if (!strcmp(value, "scattered"))
        parameter(r, "outstanding", count_of(value_of(r->environment, "MPIR_CVAR_ALLTOALL_THROTTLE")));
    base_text_char(&r->text, '\n');
    return 0;
}

static int read_mpich(struct reader *r)
{
    for (int op = 0; op < COLL_RULES_OPS; op++) {
        base_text_format(&r->text, "on %s {\n", coll_rules_op_name((enum coll_rules_op)op));
        for (int k = 0; k < 4; k++)
            if (read_cvar(r, (enum coll_rules_op)op, k & 1, k & 2))
                return -1;
        base_text_add(&r->text, "}\n");
    }
    return 0;
}

/* --- without effect -------------------------------------------------------------------------------------- */

/* What a user set on purpose, and what his library would have heeded. */
static void notice_ignored(const char *selector, char **environment)
{
    for (char **v = environment; *v; v++)
        if (coll_rules_ignores(selector, *v))
            base_notice("coll/ignored-variable",
                        "%.*s has no effect on what selector %s chooses (docs/selectors.md, \"Files and "
                        "variables of the libraries\")",
                        (int)strcspn(*v, "="), *v, selector);
}

/* --- all of them ---------------------------------------------------------------------------------------- */

/* The library's own file of rules, if a variable names one. */
static int read_file(struct coll_rules **out, bool ompi, char **environment, struct base_status *st)
{
    const char *path = value_of(environment, ompi ? TUNED "dynamic_rules_filename"
                                                  : "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE");
    bool used = path && *path && (!ompi || is_yes(value_of(environment, TUNED "use_dynamic_rules")));
    *out = NULL;
    return used ? coll_rules_read(out, path, st) : 0;
}

/* What two selectors say, the upper one first; either may be NULL. */
static struct coll_rules *put_over(struct coll_rules *upper, struct coll_rules *lower)
{
    if (upper && lower)
        upper->under = lower;
    return upper ? upper : lower;
}

static void set_base(struct coll_rules *s, const char *selector)
{
    if (s)
        s->base = coll_rules_keep(s, selector, strlen(selector));
}

int coll_rules_variables(struct coll_rules **out, const char *selector, char **environment,
                         struct base_status *st)
{
    bool impi = !strcmp(selector, "impi"), ompi = !strncmp(selector, "ompi", 4);
    bool mpich = !strncmp(selector, "mpich", 5);
    struct reader r = {.environment = environment, .st = st};
    struct coll_rules *said = NULL, *file = NULL;
    notice_ignored(selector, environment);
    base_text_init(&r.text, "selectors");
    int rc = impi ? read_impi(&r) : ompi ? read_ompi(&r) : mpich ? read_mpich(&r) : 0;
    if (!rc && r.any)
        rc = coll_rules_parse(&said, r.text.at, r.text.n, "the environment", st);
    base_text_release(&r.text);
    if (!rc && (ompi || mpich))
        rc = read_file(&file, ompi, environment, st);
    if (rc) {
        coll_rules_destroy(said);
        return -1;
    }
    set_base(said, selector);
    set_base(file, selector);
    *out = ompi ? put_over(file, said) : put_over(said, file);
    return 0;
}
