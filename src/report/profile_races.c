/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's races, as text and as JSON. */
#include "report/profile.h"

enum { SENTENCE = 512 }; /* bytes of what is shown of a text */

static void print_access(FILE *out, const struct report_access *a)
{
    char call[REPORT_TEXT], place[SENTENCE], time[32];
    fprintf(out, "  %12s  rank %u", base_show_time(time, a->time), a->rank);
    if (a->thread)
        fprintf(out, ", thread %u", a->thread + 1);
    fprintf(out, ": %s by %s", a->does, report_show_name(call, a->call));
    if (*a->place)
        fprintf(out, " in %s", base_text_show(place, sizeof place, a->place));
    fputc('\n', out);
}

void report_races_print(const struct report_facts *f, FILE *out, size_t top)
{
    char text[SENTENCE];
    if (!f->races)
        return;
    report_heading(out, "Races (--check=races): accesses that nothing orders");
    for (size_t k = 0; k < f->races && (!top || k < top); k++) {
        const struct report_race *r = &f->race[k];
        fprintf(out, "  %s", base_text_show(text, sizeof text, r->object));
        if (r->owner != UINT32_MAX)
            fprintf(out, " of rank %u", r->owner);
        fputc('\n', out);
        print_access(out, &r->access[0]);
        print_access(out, &r->access[1]);
        if (*r->missing)
            fprintf(out, "  %12s  %s\n", "", base_text_show(text, sizeof text, r->missing));
    }
    if (top && f->races > top)
        fprintf(out, "  and %zu more\n", f->races - top);
}

static void put_access(struct base_json *j, const struct report_access *a)
{
    base_json_open(j, NULL, '{');
    base_json_count(j, "rank", a->rank);
    base_json_count(j, "thread", a->thread);
    base_json_number(j, "time", a->time);
    base_json_text(j, "access", a->does);
    base_json_text(j, "by", a->call);
    base_json_text(j, "place", a->place);
    base_json_close(j);
}

void report_races_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    if (!f->races)
        return;
    base_json_count(j, "race_count", f->races);
    base_json_open(j, "races", '[');
    for (size_t k = 0; k < f->races && (!top || k < top); k++) {
        const struct report_race *r = &f->race[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "object", r->object);
        if (r->owner != UINT32_MAX)
            base_json_count(j, "owner_rank", r->owner);
        base_json_count(j, "bytes", r->bytes);
        base_json_text(j, "missing", r->missing);
        base_json_open(j, "accesses", '[');
        put_access(j, &r->access[0]);
        put_access(j, &r->access[1]);
        base_json_close(j);
        base_json_close(j);
    }
    base_json_close(j);
}
