/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * show: facts in words, for the profile, the differences and the page (private to report/).
 */
#ifndef PGASIM_REPORT_SHOW_H
#define PGASIM_REPORT_SHOW_H

#include "base/json.h"
#include "report/report.h"

enum { REPORT_TEXT = 64 }; /* bytes of a name as shown */

/* A name of the trace for a terminal: no control characters, at most REPORT_TEXT - 1 bytes, "..." where it
 * was longer. buf: REPORT_TEXT bytes; returns buf. */
char *report_show_name(char *buf, const char *text);
/* The text unless it is NULL or empty. */
static inline const char *report_or(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}
void report_heading(FILE *out, const char *text);                /* of a part of the profile */
char *report_show_percent(char *buf, double part, double whole); /* "12.3%"; buf at least 32 bytes */

/* Finds the `most` items (0: all) with the greatest keys above 0, sorted by descending key, then by number.
 * Returns how many. The caller frees `*out`. */
typedef double (*report_key_fn)(const struct report_facts *f, uint32_t k);
size_t report_order(const struct report_facts *f, uint32_t n, report_key_fn key, size_t most, uint32_t **out);
double report_link_use(const struct report_facts *f, uint32_t k); /* keys: what is used most */
double report_host_use(const struct report_facts *f, uint32_t k);

/* The subject of a suggestion ("link backbone", "computation of rank 3") and the change to it ("twice the
 * bandwidth"). buf: 2 * REPORT_TEXT bytes. */
char *report_lever_what(char *buf, const struct report_facts *f, const struct report_suggestion *s);
const char *report_lever_change(enum report_lever lever);
const char *report_lever_word(enum report_lever lever); /* "link", "rank", ...: for machines */

/* Seconds that others waited for each rank or group of ranks. The caller frees it. */
double *report_waited_for(const struct report_facts *f);
/* `waiting` of all ranks by reason, largest first. The caller frees it. */
struct report_share *report_reasons(const struct report_facts *f, size_t *n);

extern const struct base_json_form report_json_form; /* of the profile and the differences */

#endif
