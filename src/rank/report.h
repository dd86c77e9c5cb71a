/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: how reports name ranks, addresses and code; errors of the simulated program; early ends; output.
 * Part of rank.h.
 */
#ifndef PGASIM_RANK_REPORT_H
#define PGASIM_RANK_REPORT_H

#include "rank/rank.h"

/* Names a rank: "rank 3 (host node-0) at 12.5 us"; returns buf. */
#define RANK_WHERE_SIZE 256
char *rank_where(char *buf, const struct rank *r);

/* "grid+16 (800 bytes, mesh.c:12)": the private static object that contains an address of rank r, or the
 * nearest one before it. false when the address is not in a span or has no known name. Slow: for reports. */
bool rank_static_name(const struct rank *r, uintptr_t address, char *buf, size_t size);
struct rank_code rank_code_of(const struct rank *r, const void *address); /* of a return address */
/* Where the program of the running rank called the library; object 0 when it did not. Walks the stack: for
 * reports. */
struct rank_code rank_code_caller(const struct rank *r);
/* "build_mesh, mesh.c:41"; without debug information "build_mesh, heat+0x11d9"; "" when it is not the
 * program's code. Returns buf; slow: for reports. */
char *rank_code_name(const struct rank *r, struct rank_code c, char *buf, size_t size);

/* Ends the whole job with `code` (shmem_global_exit, an abort, an error report already printed). */
_Noreturn void rank_job_exit(struct rank_job *job, int code);
/* The simulated program broke its API's rules: prints "rank R (host H) at T: CALL: text", ends the job with
 * BASE_EXIT_PROGRAM. */
_Noreturn void rank_program_error(struct rank *r, const char *call, const char *fmt, ...) BASE_PRINTF(3, 4);
/* of its stack; `place`: ", in f", or "" */
void rank_report_overflow(const struct rank *r, const char *place);
/* An operation of rank r, "shmem_put of 8 bytes to rank 3", needs a link or host that is off. The job ends
 * with a report, or the rank ends, depending on the setting on-failure; soon, but not within the call. */
void rank_operation_failed(struct rank *r, const char *operation, const struct fabric_failure *why);

/* From now on base_warn names the rank and the simulated time where they matter. `strict`: a result that may
 * not be trusted ends the job (base_strict). */
void rank_warnings_begin(bool strict);

/* Registers, at start-up, a function that may explain a fault that ends the program. To replace the
 * general report it writes the text and returns true. It runs in a signal handler of a process that is
 * about to end. */
void rank_on_crash(bool (*fn)(char *buf, size_t size));
uintptr_t rank_program_counter(const void *context); /* of a signal handler's third argument */
bool rank_crash_explain(char *buf, size_t size);     /* by the first that knows a reason */

/* The job that runs in this process, for reports of crashes; NULL: none. */
extern struct rank_job *rank_running_job;

/* Writes text as rank r's standard output (1) or error (2): held until a line is whole. */
void rank_output(struct rank *r, int fd, const char *text, size_t size);
void rank_output_prompt(struct rank *r);   /* shows an incomplete line before input is read */
void rank_output_end_line(struct rank *r); /* ends the rank's incomplete lines */
void rank_output_direct(int fd, const char *text, size_t size); /* from outside of ranks */
void rank_output_flush(void);                                   /* to the real descriptors */
void rank_output_if_due(void); /* the same when the last time is a while ago */
/* `fn` is called before ranks' output goes to a descriptor: for whoever shows something on the terminal, to
 * make room. */
void rank_before_output(void (*fn)(void));

#endif
