/* SPDX-License-Identifier: BSD-3-Clause */
/* page_races: the races, for the timeline and the table of the page. */
#include "report/page_internal.h"

static void write_access(struct page_json *j, const struct report_access *a)
{
    page_json_open(j, NULL, '{');
    page_json_count(j, "rank", a->rank);
    page_json_count(j, "thread", a->thread);
    page_json_exact(j, "time", a->time);
    page_json_text(j, "does", a->does);
    page_json_text(j, "call", a->call);
    page_json_text(j, "place", a->place);
    page_json_close(j, '}');
}

void page_write_races(const struct page *p)
{
    page_json_open(p->j, "races", '[');
    for (size_t k = 0; k < p->f->races && k < PAGE_RACES_MOST; k++) {
        const struct report_race *r = &p->f->race[k];
        page_json_open(p->j, NULL, '{');
        page_json_text(p->j, "object", r->object);
        if (r->owner != UINT32_MAX)
            page_json_count(p->j, "owner", r->owner);
        page_json_count(p->j, "bytes", r->bytes);
        page_json_text(p->j, "missing", r->missing);
        page_json_open(p->j, "accesses", '[');
        write_access(p->j, &r->access[0]);
        write_access(p->j, &r->access[1]);
        page_json_close(p->j, ']');
        page_json_close(p->j, '}');
    }
    page_json_close(p->j, ']');
    page_json_count(p->j, "racesFound", p->f->races);
}
