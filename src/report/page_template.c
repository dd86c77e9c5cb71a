/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_template: the page as it was made when pgasim was built (page/build.mjs), within the program.
 * PGASIM_REPORT_PAGE is its file; without it pgasim has no page.
 *
 * Invariants
 *  T1  The template has the mark of the data once.
 */
#include "report/page_internal.h"

#include <string.h>

#ifdef PGASIM_REPORT_PAGE
__asm__(".pushsection .rodata\n"
        ".global pgasim_report_page\n"
        ".hidden pgasim_report_page\n"
        ".global pgasim_report_page_end\n"
        ".hidden pgasim_report_page_end\n"
        "pgasim_report_page:\n"
        ".incbin \"" PGASIM_REPORT_PAGE "\"\n"
        "pgasim_report_page_end:\n"
        ".byte 0\n"
        ".popsection\n");
extern const char pgasim_report_page[], pgasim_report_page_end[];

static const char mark[] = "@DATA@";

struct page_template page_template(void)
{
    const char *at = strstr(pgasim_report_page, mark);
    BASE_ASSERT("T1", at && !strstr(at + 1, mark));
    return (struct page_template){
        .head = pgasim_report_page,
        .head_bytes = (size_t)(at - pgasim_report_page),
        .tail = at + sizeof mark - 1,
        .tail_bytes = (size_t)(pgasim_report_page_end - at) - (sizeof mark - 1),
    };
}
#else
struct page_template page_template(void)
{
    return (struct page_template){.head = "", .tail = ""};
}
#endif
