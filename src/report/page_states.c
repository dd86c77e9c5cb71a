/* SPDX-License-Identifier: BSD-3-Clause */
/* page_states: what ranks do, in classes that can be told apart by colour, and in states: a class and a
 * name. */
#include "report/page_internal.h"

#include <stdlib.h>

static const struct {
    const char *key, *text;
} classes[] = {
#define PAGE_CLASS(name, key, text) {key, text},
#include "report/page_classes.def"
#undef PAGE_CLASS
};

enum page_class page_class_of_wait(const struct report_facts *f, report_name what)
{
    static const uint8_t of[TRACE_AWAITEDS] = {
        [TRACE_AWAITS_OTHER] = PAGE_WAIT,   [TRACE_AWAITS_PUT] = PAGE_PUT,
        [TRACE_AWAITS_GET] = PAGE_GET,      [TRACE_AWAITS_ATOMIC] = PAGE_ATOMIC,
        [TRACE_AWAITS_VALUE] = PAGE_SIGNAL, [TRACE_AWAITS_COLLECTIVE] = PAGE_COLLECTIVE,
        [TRACE_AWAITS_LOCK] = PAGE_LOCK,    [TRACE_AWAITS_TIME] = PAGE_CPU,
        [TRACE_AWAITS_THREAD] = PAGE_WAIT,  [TRACE_AWAITS_MESSAGE] = PAGE_MESSAGE,
        [TRACE_AWAITS_SYNC] = PAGE_EPOCH,   [TRACE_AWAITS_IO] = PAGE_IO,
    };
    return of[report_names_awaited(f->work->names, what)];
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
    enum page_class class = waits ? page_class_of_wait(s->f, name) : PAGE_ISSUE;
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
