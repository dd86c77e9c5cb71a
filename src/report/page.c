/* SPDX-License-Identifier: BSD-3-Clause */
/* page: the template with the data in its place, part by part. */
#include "report/page_internal.h"

static void write_timeline(const struct page *p)
{
    page_json_open(p->j, "timeline", '{');
    page_json_count(p->j, "ranks", p->f->about->ranks);
    page_write_levels(p);
    page_write_states(p->j, p->states); /* those that the levels met */
    page_write_arrows(p);
    page_write_marks(p);
    page_json_close(p->j, '}');
}

static void write_data(const struct page *p)
{
    page_json_open(p->j, NULL, '{');
    page_json_text(p->j, "format", "pgasim-report");
    page_json_count(p->j, "version", 1);
    page_json_flag(p->j, "statistics", p->report->stats != NULL);
    page_write_about(p);
    page_write_classes(p->j);
    page_write_races(p);
    page_write_jobs(p);
    page_write_energy(p);
    page_write_ranks(p);
    page_write_traffic(p);
    page_write_links(p);
    page_write_files(p);
    page_write_worlds(p);
    page_write_path(p);
    page_write_suggestions(p);
    page_write_sdsm(p);
    page_write_cards(p);
    page_write_cores(p);
    write_timeline(p);
    page_json_close(p->j, '}');
}

bool report_page_available(void)
{
    return page_template().head_bytes != 0;
}

void report_page_write(struct report_page *p, const struct report *r, FILE *out)
{
    struct page_template t = page_template();
    struct page_json j;
    struct page_states states;
    page_gather_finish(p);
    page_states_init(&states, r->facts);
    fwrite(t.head, 1, t.head_bytes, out);
    page_json_begin(&j, out);
    write_data(&(struct page){p, r, r->facts, &j, &states});
    page_json_end(&j);
    fwrite(t.tail, 1, t.tail_bytes, out);
    page_states_release(&states);
}
