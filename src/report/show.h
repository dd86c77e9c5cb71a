/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How facts are put into words, for the profile, the differences and whoever shows them otherwise (private to report/).
 */
#ifndef PGASIM_REPORT_SHOW_H
#define PGASIM_REPORT_SHOW_H

#include <yajl/yajl_gen.h>

#include "report/report.h"

enum { REPORT_TEXT = 64 }; /* bytes of a name as shown */

/* A name of the trace for a terminal: no control characters, at most REPORT_TEXT - 1 bytes, "..." where it was longer.
 * buf: REPORT_TEXT bytes; returns buf. */
char *report_show_name(char *buf, const char *text);
char *report_show_percent(char *buf, double part, double whole); /* "12.3%"; buf at least 32 bytes */

/* The numbers of the `most` items with the greatest keys above 0 (0: all of them), greatest first, equal ones in order
 * of number; how many. `*out` is the caller's to free. */
typedef double (*report_key_fn)(const struct report_facts *f, uint32_t k);
size_t report_order(const struct report_facts *f, uint32_t n, report_key_fn key, size_t most, uint32_t **out);
double report_link_use(const struct report_facts *f, uint32_t k); /* keys: what is used most */
double report_host_use(const struct report_facts *f, uint32_t k);

/* What a suggestion is about ("link backbone", "computation of rank 3"), and what is done to it ("twice the
 * bandwidth"). buf: 2 * REPORT_TEXT bytes. */
char *report_lever_what(char *buf, const struct report_facts *f, const struct report_suggestion *s);
const char *report_lever_change(enum report_lever lever);
const char *report_lever_word(enum report_lever lever); /* "link", "rank", ...: for machines */

/* What others waited for a rank, or for its group: seconds, by group. The caller's to free. */
double *report_waited_for(const struct report_facts *f);
/* `waiting` of all ranks by what for, most first. The caller's to free. */
struct report_share *report_reasons(const struct report_facts *f, size_t *n);

/* --- JSON -------------------------------------------------------------------------------------------- */

/* Text as UTF-8, whatever it was: bytes that are none become U+FFFD. */
void report_json_text(yajl_gen g, const char *text);
void report_json_key_text(yajl_gen g, const char *key, const char *text);
void report_json_key_count(yajl_gen g, const char *key, uint64_t n);
void report_json_number(yajl_gen g, double value); /* all its digits; null where it is no number */
void report_json_key_number(yajl_gen g, const char *key, double value);
void report_json_key(yajl_gen g, const char *key);
yajl_gen report_json_begin(void);
void report_json_write(yajl_gen g, FILE *out); /* and ends it */

#endif
