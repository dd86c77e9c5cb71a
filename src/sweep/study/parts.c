/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what a study keeps of runs, the charts of its page, and what Slurm is told. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/study/reader.h"

/* --- keep ------------------------------------------------------------------------------------------- */

static const char *const sources[] = {"json", "output", "errors", "file", "value", "found"};

int study_check_regex(struct study_reader *r, const yaml_node_t *at, const char *pattern)
{
    regex_t regex;
    char why[120];
    int rc = regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE);
    if (rc) {
        regerror(rc, &regex, why, sizeof why);
        return study_yaml_wrong(&r->yaml, at, r->st, "'%.120s' is no regular expression: %s", pattern, why);
    }
    regfree(&regex);
    return 0;
}

static int check_keep(struct study_reader *r, const struct study_keep *k, const yaml_node_t *at)
{
    static const char *const ours[] = {"point",      "status",  "reason", "exit_status", "host_seconds",
                                       "peak_bytes", "current", "and",    "or",          "not"};
    if (!study_name_is_good(k->name))
        return study_yaml_wrong(&r->yaml, at, r->st, "'%.80s': expected a name of letters, digits and '_'",
                                k->name);
    for (size_t i = 0; i < BASE_LENGTH(ours); i++)
        if (!strcmp(k->name, ours[i]))
            return study_yaml_wrong(&r->yaml, at, r->st, "'%s' is always kept; expected another name",
                                    k->name);
    bool searched = k->source == STUDY_OUTPUT || k->source == STUDY_ERRORS || k->source == STUDY_FOUND;
    return searched ? study_check_regex(r, at, k->what.at) : 0;
}

int study_take_keep(struct study_reader *r, const yaml_node_t *key, const yaml_node_t *n, const char *name,
                    struct study_keep *k)
{
    *k = (struct study_keep){.name = base_strdup(name)};
    if (n->type == YAML_MAPPING_NODE && study_yaml_pairs(n) == 1 &&
        !study_yaml_check_keys(&r->yaml, n, r->st)) {
        const yaml_node_pair_t *pair = n->data.mapping.pairs.start;
        const char *source = study_yaml_text(study_yaml_node(&r->yaml, pair->key));
        size_t i = 0;
        while (i < BASE_LENGTH(sources) && strcmp(source, sources[i]) != 0)
            i++;
        k->source = (enum study_source)i;
        n = i < BASE_LENGTH(sources) ? study_yaml_node(&r->yaml, pair->value) : NULL;
    }
    if (!n || n->type != YAML_SCALAR_NODE)
        return study_yaml_wrong(
            &r->yaml, key, r->st,
            "%.80s: expected a path in the JSON of the run, or {json: PATH}, {output: EXPRESSION}, "
            "{errors: EXPRESSION}, {found: EXPRESSION}, {file: NAME} or {value: EXPRESSION}",
            k->name);
    return study_take_text(r, n, k->name, &k->what) ? -1 : check_keep(r, k, key);
}

static int take_keep(struct study_reader *r, const yaml_node_t *key, const yaml_node_t *n)
{
    struct study *s = r->study;
    if (s->keeps == s->keeps_cap)
        s->keep = base_array_grow(s->keep, &s->keeps_cap, s->keeps + 1, sizeof *s->keep, "what is kept");
    return study_take_keep(r, key, n, study_yaml_text(key), &s->keep[s->keeps++]);
}

int study_read_keep(struct study_reader *r, const yaml_node_t *n, void *into)
{
    (void)into;
    if (n->type != YAML_MAPPING_NODE)
        return study_yaml_wrong(&r->yaml, n, r->st, "keep: expected names with where their values come from");
    if (study_yaml_check_keys(&r->yaml, n, r->st))
        return -1;
    const yaml_node_pair_t *pair = n->data.mapping.pairs.start;
    for (size_t k = 0; k < study_yaml_pairs(n); k++)
        if (take_keep(r, study_yaml_node(&r->yaml, pair[k].key), study_yaml_node(&r->yaml, pair[k].value)))
            return -1;
    return 0;
}

/* --- plots ------------------------------------------------------------------------------------------ */

#define WORD(key, field)                                                                                     \
    static int plot_##field(struct study_reader *r, const yaml_node_t *n, void *into)                        \
    {                                                                                                        \
        return study_take_word(r, n, key, &((struct study_plot *)into)->field);                              \
    }
WORD("title", title)
WORD("x", x)
WORD("y", y)
WORD("value", value)
WORD("x-label", x_label)
WORD("y-label", y_label)
WORD("value-label", value_label)

static int plot_series(struct study_reader *r, const yaml_node_t *n, void *into)
{
    return study_take_list(r, n, "series", &((struct study_plot *)into)->series);
}
static int plot_by(struct study_reader *r, const yaml_node_t *n, void *into)
{
    return study_take_text(r, n, "by", &((struct study_plot *)into)->by);
}
static int plot_where(struct study_reader *r, const yaml_node_t *n, void *into)
{
    return study_take_text(r, n, "where", &((struct study_plot *)into)->where);
}

/* One of two words; the second one is true. */
static int take_choice(struct study_reader *r, const yaml_node_t *n, const char *no, const char *yes,
                       bool *out)
{
    const char *text = study_scalar(r, n, no);
    if (!text)
        return -1;
    *out = !strcmp(text, yes);
    return *out || !strcmp(text, no)
               ? 0
               : study_yaml_wrong(&r->yaml, n, r->st, "expected %s or %s, not '%.80s'", no, yes, text);
}
#define CHOICE(field, no, yes)                                                                               \
    static int plot_##field(struct study_reader *r, const yaml_node_t *n, void *into)                        \
    {                                                                                                        \
        return take_choice(r, n, no, yes, &((struct study_plot *)into)->field);                              \
    }
CHOICE(x_log, "linear", "log")
CHOICE(y_log, "linear", "log")
CHOICE(x_most, "least", "most")
CHOICE(y_most, "least", "most")

const char *const study_charts[STUDY_CHARTS] = {"lines", "bars", "heat", "pareto"};

static int plot_chart(struct study_reader *r, const yaml_node_t *n, void *into)
{
    const char *text = study_scalar(r, n, "a kind of chart");
    int k = 0;
    if (!text)
        return -1;
    while (k < STUDY_CHARTS && strcmp(text, study_charts[k]) != 0)
        k++;
    ((struct study_plot *)into)->chart = (enum study_chart)k;
    return k < STUDY_CHARTS ? 0
                            : study_yaml_wrong(&r->yaml, n, r->st,
                                               "expected lines, bars, heat or pareto, not '%.80s'", text);
}

static const struct study_key plot_keys[] = {{"chart", plot_chart},
                                             {"title", plot_title},
                                             {"x", plot_x},
                                             {"y", plot_y},
                                             {"value", plot_value},
                                             {"x-label", plot_x_label},
                                             {"y-label", plot_y_label},
                                             {"value-label", plot_value_label},
                                             {"series", plot_series},
                                             {"by", plot_by},
                                             {"where", plot_where},
                                             {"x-scale", plot_x_log},
                                             {"y-scale", plot_y_log},
                                             {"x-best", plot_x_most},
                                             {"y-best", plot_y_most}};

static bool is_known(const struct study *s, const char *name)
{
    static const char *const always[] = {"point", "exit_status", "host_seconds", "peak_bytes", "current"};
    for (uint32_t k = 0; k < s->names; k++)
        if (!strcmp(name, s->name[k]))
            return true;
    for (size_t k = 0; k < s->keeps; k++)
        if (!strcmp(name, s->keep[k].name))
            return true;
    for (size_t k = 0; k < BASE_LENGTH(always); k++)
        if (!strcmp(name, always[k]))
            return true;
    return false;
}

static int check_plot(struct study_reader *r, const struct study_plot *p, const yaml_node_t *at)
{
    const char *names[] = {p->x, p->y, p->chart == STUDY_HEAT ? p->value : p->x, p->by.at ? p->by.at : p->x};
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (!names[k])
            return study_yaml_wrong(&r->yaml, at, r->st, "a chart of kind %s needs %s",
                                    study_charts[p->chart],
                                    p->chart == STUDY_HEAT ? "x, y and value" : "x and y");
        else if (!is_known(r->study, names[k]))
            return study_yaml_wrong(&r->yaml, at, r->st, "'%.80s' is no parameter and nothing that is kept",
                                    names[k]);
    for (size_t k = 0; k < p->series.n; k++)
        if (!is_known(r->study, p->series.at[k].at))
            return study_yaml_wrong(&r->yaml, at, r->st, "'%.80s' is no parameter and nothing that is kept",
                                    p->series.at[k].at);
    return 0;
}

/* Read last: charts name parameters and results. */
int study_read_plots(struct study_reader *r, const yaml_node_t *n, void *into)
{
    struct study *s = r->study;
    (void)into;
    if (n->type != YAML_SEQUENCE_NODE)
        return study_yaml_wrong(&r->yaml, n, r->st, "plots: expected a list of charts");
    for (size_t k = 0; k < study_yaml_items(n); k++) {
        const yaml_node_t *item = study_yaml_node(&r->yaml, n->data.sequence.items.start[k]);
        if (!item)
            return study_yaml_wrong(&r->yaml, n, r->st, "a chart is missing");
        if (s->plots == s->plots_cap)
            s->plot = base_array_grow(s->plot, &s->plots_cap, s->plots + 1, sizeof *s->plot, "charts");
        struct study_plot *p = &s->plot[s->plots++];
        *p = (struct study_plot){.line = study_yaml_line(item)};
        if (study_read_keys(r, item, plot_keys, BASE_LENGTH(plot_keys), p, "a chart") ||
            check_plot(r, p, item))
            return -1;
    }
    return 0;
}

/* --- Slurm ------------------------------------------------------------------------------------------ */

static int slurm_tasks(struct study_reader *r, const yaml_node_t *n, void *into)
{
    uint64_t tasks;
    struct base_status why;
    (void)into;
    const char *text = study_scalar(r, n, "how many tasks");
    if (!text)
        return -1;
    if (base_parse_uint(text, &tasks, &why) || !tasks || tasks > 100000)
        return study_yaml_wrong(&r->yaml, n, r->st, "tasks: expected 1 to 100000, not '%.80s'", text);
    r->study->slurm_tasks = (uint32_t)tasks;
    return 0;
}

static int slurm_options(struct study_reader *r, const yaml_node_t *n, void *into)
{
    (void)into;
    return study_take_texts(r, n, "options of sbatch", &r->study->slurm_options);
}

int study_read_slurm(struct study_reader *r, const yaml_node_t *n, void *into)
{
    static const struct study_key keys[] = {{"tasks", slurm_tasks}, {"options", slurm_options}};
    return study_read_keys(r, n, keys, BASE_LENGTH(keys), into, "slurm");
}
