/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts in words: names, orders, suggestions. What is shown where is up to the profile and the page. */
#include "report/show.h"

#include <stdlib.h>
#include <string.h>

const struct base_json_form report_json_form = {.indent = " "};

char *report_show_name(char *buf, const char *text)
{
    return base_text_show(buf, REPORT_TEXT, text);
}

void report_heading(FILE *out, const char *text)
{
    fprintf(out, "\n%s\n", text);
}

char *report_show_percent(char *buf, double part, double whole)
{
    snprintf(buf, 32, "%.1f%%", whole > 0 ? 100 * part / whole : 0.0);
    return buf;
}

/* --- orders ------------------------------------------------------------------------------------------ */

struct keyed {
    double key;
    uint32_t k;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return (x->k > y->k) - (x->k < y->k);
}

size_t report_order(const struct report_facts *f, uint32_t n, report_key_fn key, size_t most, uint32_t **out)
{
    struct keyed *all = base_alloc(sizeof *all * ((size_t)n + 1), "an order");
    size_t found = 0;
    for (uint32_t k = 0; k < n; k++) {
        double value = key(f, k);
        if (value > 0)
            all[found++] = (struct keyed){value, k};
    }
    qsort(all, found, sizeof *all, by_key);
    if (most && found > most)
        found = most;
    *out = base_alloc(sizeof **out * (found + 1), "an order");
    for (size_t k = 0; k < found; k++)
        (*out)[k] = all[k].k;
    free(all);
    return found;
}

double report_link_use(const struct report_facts *f, uint32_t k)
{
    double use = f->about->link[k].fatpipe ? 0 : f->link[k].mean; /* fat pipes last: nobody fills them */
    return f->link[k].operations ? use + 1e-300 : 0;
}

double report_host_use(const struct report_facts *f, uint32_t k)
{
    return f->host[k].computing;
}

/* --- waits ------------------------------------------------------------------------------------------- */

double *report_waited_for(const struct report_facts *f)
{
    const struct report_matrix *m = &f->waits;
    double *sum = base_zalloc(sizeof *sum * ((size_t)m->n + 1), "waits for ranks");
    for (uint32_t row = 0; row < m->n; row++)
        for (uint32_t column = 0; column < m->n; column++)
            sum[column] += m->cell[(size_t)row * m->n + column];
    return sum;
}

static int by_seconds(const void *a, const void *b)
{
    const struct report_share *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

struct report_share *report_reasons(const struct report_facts *f, size_t *n)
{
    BASE_ARRAY(struct report_share) all = {0};
    for (uint32_t k = 0; k < f->about->ranks; k++)
        for (size_t w = 0; w < f->rank[k].waits.n; w++) {
            const struct report_share *s = &f->rank[k].waits.at[w];
            size_t at = 0;
            while (at < all.n && all.at[at].name != s->name)
                at++;
            if (at == all.n)
                BASE_ARRAY_PUSH(&all, ((struct report_share){.name = s->name}));
            all.at[at].count += s->count;
            all.at[at].seconds += s->seconds;
        }
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_seconds);
    *n = all.n;
    return all.at;
}

/* --- suggestions ------------------------------------------------------------------------------------- */

char *report_lever_what(char *buf, const struct report_facts *f, const struct report_suggestion *s)
{
    char name[REPORT_TEXT];
    switch (s->lever) {
    case REPORT_LEVER_LINK:
        snprintf(buf, 2 * REPORT_TEXT, "link %s", report_show_name(name, f->about->link[s->id].name));
        break;
    case REPORT_LEVER_RANK:
        snprintf(buf, 2 * REPORT_TEXT, "computation of rank %u", s->id);
        break;
    case REPORT_LEVER_CALL:
        snprintf(buf, 2 * REPORT_TEXT, "own time of %s",
                 report_show_name(name, report_name_text(f, (report_name)s->id)));
        break;
    case REPORT_LEVER_KIND:
        snprintf(buf, 2 * REPORT_TEXT, "flights of %s", report_kind_text((enum report_kind)s->id));
        break;
    case REPORT_LEVER_LATENCY:
        snprintf(buf, 2 * REPORT_TEXT, "latency of all operations");
        break;
    case REPORT_LEVER_COMPUTATION:
        snprintf(buf, 2 * REPORT_TEXT, "computation of all ranks");
        break;
    }
    return buf;
}

const char *report_lever_change(enum report_lever lever)
{
    static const char *const texts[] = {[REPORT_LEVER_LINK] = "twice the bandwidth",
                                        [REPORT_LEVER_RANK] = "twice as fast",
                                        [REPORT_LEVER_CALL] = "halved",
                                        [REPORT_LEVER_KIND] = "twice as fast",
                                        [REPORT_LEVER_LATENCY] = "halved",
                                        [REPORT_LEVER_COMPUTATION] = "twice as fast"};
    return texts[lever];
}

const char *report_lever_word(enum report_lever lever)
{
    static const char *const words[] = {
        [REPORT_LEVER_LINK] = "link",       [REPORT_LEVER_RANK] = "rank",
        [REPORT_LEVER_CALL] = "call",       [REPORT_LEVER_KIND] = "kind",
        [REPORT_LEVER_LATENCY] = "latency", [REPORT_LEVER_COMPUTATION] = "computation"};
    return words[lever];
}
