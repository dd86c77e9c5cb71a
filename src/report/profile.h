/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the profile that are in files of their own (private to report/). */
#ifndef PGASIM_REPORT_PROFILE_H
#define PGASIM_REPORT_PROFILE_H

#include "report/show.h"

/* Of n items of a list at most `top` are shown (0: all). */
static inline size_t report_shown(size_t n, size_t top)
{
    return top && n > top ? top : n;
}

/* Calls, operations, collectives, links, hosts. */
void report_tables_print(const struct report_facts *f, FILE *out, size_t top);
/* The critical path, and what would speed the run up. */
void report_path_print(const struct report_facts *f, FILE *out, size_t top);
/* Nothing if there are none. */
void report_races_print(const struct report_facts *f, FILE *out, size_t top);
void report_kept_print(const struct report_facts *f, FILE *out, size_t top);
void report_energy_print(const struct report_facts *f, FILE *out, size_t top);
void report_disks_print(const struct report_facts *f, FILE *out, size_t top);
void report_files_print(const struct report_facts *f, FILE *out, size_t top);
void report_worlds_print(const struct report_facts *f, FILE *out, size_t top);
void report_jobs_print(const struct report_facts *f, FILE *out, size_t top);
void report_cards_print(const struct report_facts *f, FILE *out, size_t top);
void report_sdsm_print(const struct report_facts *f, FILE *out, size_t top);
void report_users_print(const struct report_facts *f, FILE *out, size_t top);
/* The same as members of an open JSON object. */
void report_tables_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_path_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_races_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_kept_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_energy_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_disks_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_files_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_worlds_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_jobs_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_cards_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_sdsm_json(struct base_json *j, const struct report_facts *f, size_t top);
void report_users_json(struct base_json *j, const struct report_facts *f, size_t top);

#endif
