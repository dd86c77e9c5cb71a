/* SPDX-License-Identifier: BSD-3-Clause */
/* reports: findings, and what they say: report.c, describe.c, explain.c, fix.c, traced.c. */
#ifndef PGASIM_CHECK_RACE_REPORTS_H
#define PGASIM_CHECK_RACE_REPORTS_H

#include "check/race/detector.h"

/* report.c: two accesses that are a finding. */
void race_report(struct race *d, enum finding_kind kind, uint32_t earlier, uint32_t later);
size_t race_tell(struct race *d, const struct finding *f); /* of any finding; its number */

/* describe.c */
uint32_t race_line_of(struct race *d, uint32_t place); /* its number; 1 or more */
/* "main, a.c:12"; "". Returns buf. */
char *race_name_of(struct race *d, uint32_t place, char *buf, size_t size);
const char *race_what(const struct race *d, const struct race_access *a); /* "MPI_Put", "a load" */
void race_describe(struct race *d, struct finding *f, uint32_t earlier, uint32_t later);
void race_describe_call(struct race *d, struct finding *f, uint32_t place);
struct race_access race_shown(const struct race *d, uint32_t access);
void race_report_release(struct race *d);

/* explain.c, fix.c: what is missing, and the smallest repair */
void race_explain(struct race *d, struct finding *f, const struct race_access *a,
                  const struct race_access *b);
void race_fix(struct race *d, struct finding *f, const struct race_access *a, const struct race_access *b);

/* file_text.c: the same of accesses to a file */
void race_file_explain(struct base_text *t, struct race *d, const struct race_access *a,
                       const struct race_access *b);
void race_file_fix(struct base_text *t, struct race *d, const struct race_access *a,
                   const struct race_access *b);

/* traced.c */
void race_trace_access(struct race *d); /* one was added: it is made now */
/* Found now: the finding of that number. `earlier`, `later`: as race_report's. */
void race_traced(struct race *d, uint32_t earlier, uint32_t later, const struct finding *f, uint64_t number);

#endif
