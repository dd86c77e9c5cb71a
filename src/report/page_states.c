/* SPDX-License-Identifier: BSD-3-Clause */
/* page_states: what ranks do, in classes that can be told apart by colour, and in states: a class and a name. */
#include "report/page_inside.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key, *text;
} classes[] = {
#define PAGE_CLASS(name, key, text) {key, text},
#include "report/page_classes.def"
#undef PAGE_CLASS
};

/* The first word that is in what is waited for decides. */
static const struct {
    const char *word;
    enum page_class class;
} words[] = {
    {"clock", PAGE_CPU},
    {"pthread_barrier", PAGE_WAIT},
    {"pthread_cond", PAGE_WAIT},
    {"sem_wait", PAGE_WAIT},
    {"lock", PAGE_LOCK},
    {"barrier", PAGE_COLLECTIVE},
    {"sync", PAGE_COLLECTIVE},
    {"broadcast", PAGE_COLLECTIVE},
    {"reduc", PAGE_COLLECTIVE},
    {"_to_all", PAGE_COLLECTIVE},
    {"collect", PAGE_COLLECTIVE},
    {"alltoall", PAGE_COLLECTIVE},
    {"scan", PAGE_COLLECTIVE},
    {"team", PAGE_COLLECTIVE},
    {"finalize", PAGE_COLLECTIVE},
    {"init", PAGE_COLLECTIVE},
    {"align", PAGE_COLLECTIVE},
    {"alloc", PAGE_COLLECTIVE},
    {"free", PAGE_COLLECTIVE},
    {"atomic", PAGE_ATOMIC},
    {"swap", PAGE_ATOMIC},
    {"finc", PAGE_ATOMIC},
    {"fadd", PAGE_ATOMIC},
    {"fetch", PAGE_ATOMIC},
    {"quiet", PAGE_PUT},
    {"fence", PAGE_PUT},
    {"put", PAGE_PUT},
    {"_p", PAGE_PUT},
    {"get", PAGE_GET},
    {"_g", PAGE_GET},
    {"wait", PAGE_SIGNAL},
    {"test", PAGE_SIGNAL},
    {"signal", PAGE_SIGNAL},
    {"sleep", PAGE_CPU},
    {"cpu", PAGE_CPU},
    {"CPU", PAGE_CPU},
    {"core", PAGE_CPU},
    {"comput", PAGE_CPU},
    {"time", PAGE_CPU},
};

enum page_class page_class_of_wait(const char *what)
{
    for (size_t k = 0; k < BASE_LENGTH(words); k++)
        if (strstr(what, words[k].word))
            return words[k].class;
    return PAGE_WAIT;
}

void page_states_init(struct page_states *s, const struct report_facts *f)
{
    uint32_t names = report_names_count(f->work->names);
    *s = (struct page_states){.f = f};
    for (int k = 0; k < 2; k++)
        s->of[k] = base_zalloc(sizeof *s->of[k] * (names + 1), "states of ranks");
}

void page_states_release(struct page_states *s)
{
    free(s->of[0]);
    free(s->of[1]);
}

static uint16_t add(struct page_states *s, enum page_class class, report_name name)
{
    s->at[s->n] = (struct page_state){class, name};
    return (uint16_t)++s->n;
}

uint32_t page_state_plain(struct page_states *s, enum page_class class)
{
    if (!s->plain[class])
        s->plain[class] = add(s, class, 0);
    return s->plain[class] - 1U;
}

static uint32_t named(struct page_states *s, bool waits, report_name name)
{
    uint16_t *of = &s->of[waits][name];
    if (*of)
        return *of - 1U;
    enum page_class class = waits ? page_class_of_wait(report_name_text(s->f, name)) : PAGE_ISSUE;
    if (s->n >= PAGE_STATES_MOST)
        return page_state_plain(s, class);
    *of = add(s, class, name);
    return *of - 1U;
}

uint32_t page_state_of(struct page_states *s, const struct report_change *c)
{
    if (c->doing == REPORT_DOING_COMPUTE)
        return page_state_plain(s, PAGE_COMPUTE);
    if (report_change_waits(c))
        return named(s, true, c->doing);
    return c->call ? named(s, false, c->call) : page_state_plain(s, PAGE_OTHER);
}

void page_write_classes(struct page_json *j)
{
    page_json_open(j, "classes", '[');
    for (unsigned k = 0; k < PAGE_CLASSES; k++) {
        page_json_open(j, NULL, '{');
        page_json_text(j, "key", classes[k].key);
        page_json_text(j, "text", classes[k].text);
        page_json_close(j, '}');
    }
    page_json_close(j, ']');
}

void page_write_states(struct page_json *j, const struct page_states *s)
{
    page_json_open(j, "states", '[');
    for (uint32_t k = 0; k < s->n; k++) {
        page_json_open(j, NULL, '{');
        page_json_count(j, "class", s->at[k].class);
        page_json_text(j, "text", report_name_text(s->f, s->at[k].name));
        page_json_close(j, '}');
    }
    page_json_close(j, ']');
}
