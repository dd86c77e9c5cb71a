/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: how reports name ranks, addresses and code; errors of the simulated program; early ends; output.
 * Part of rank.h.
 */
#ifndef PGASIM_RANK_REPORT_H
#define PGASIM_RANK_REPORT_H

#include "rank/rank.h"

#include <sys/types.h>

/* Names a rank: "rank 3 (host node-0) at 12.5 us"; returns buf. */
#define RANK_WHERE_SIZE 256
char *rank_where(char *buf, const struct rank *r);
/* "rank 3", "ranks 0-3, 7": a list of n >= 1 numbers in ascending order, `stride` bytes from one to the next;
 * at most eight runs of them, then "...". Returns buf. */
char *rank_list(const uint32_t *number, size_t stride, size_t n, char *buf, size_t size);

/* "grid+16 (800 bytes, mesh.c:12)": the private static object that contains an address of rank r, or the
 * nearest one before it. false when the address is not in a span or has no known name. Slow: for reports. */
bool rank_static_name(const struct rank *r, uintptr_t address, char *buf, size_t size);
struct rank_code rank_code_of(const struct rank *r, const void *address); /* of a return address */
/* The same by its low 32 bits: of such a place in the rank's own objects there is one. */
struct rank_code rank_code_of_low(const struct rank *r, uint32_t address);
/* Where the program of the running rank called the library; object 0 when it did not. Walks the stack: for
 * reports. */
struct rank_code rank_code_caller(const struct rank *r);
/* The same of the call that the running rank is in. Walks the stack only if a function of the library made it. */
struct rank_code rank_code_of_call(const struct rank *r);
/* "build_mesh, mesh.c:41"; without debug information "build_mesh, heat+0x11d9"; "" when it is not the
 * program's code. Returns buf; slow: for reports. */
char *rank_code_name(const struct rank *r, struct rank_code c, char *buf, size_t size);
/* The same in its parts. */
void rank_code_source(const struct rank *r, struct rank_code c, struct rank_source *out);
/* The k-th object of the rank's program, itself first; false: there is none. Slow: reads all of its code. */
bool rank_module_of(const struct rank *r, uint32_t k, struct rank_module *out);

/* Ends the whole job with `code` (shmem_global_exit, an abort, an error report already printed). */
_Noreturn void rank_job_exit(struct rank_job *job, int code);
/* A fault of the program was found that does not end the job: its status, if it has none but 0. */
void rank_job_fault(struct rank_job *job, int code);
/* The simulated program broke its API's rules: prints "rank R (host H) at T: CALL: text", ends the job with
 * BASE_EXIT_PROGRAM. */
_Noreturn void rank_program_error(struct rank *r, const char *call, const char *fmt, ...) BASE_PRINTF(3, 4);
/* of its stack; `place`: ", in f", or "" */
void rank_report_overflow(const struct rank *r, const char *place);
/* An operation of rank r, "shmem_put of 8 bytes to rank 3", needs a link or host that is off. The job ends
 * with a report, or the rank ends, depending on the setting on-failure; soon, but not within the call. */
void rank_operation_failed(struct rank *r, const char *operation, const struct fabric_failure *why);

/* From now on base_warn names the rank and the simulated time where they matter. `strict`: a result that may
 * not be trusted ends the job (base_strict). `checked`: mistakes are errors, and the job's status is
 * BASE_EXIT_FOUND (base_mistakes). */
void rank_warnings_begin(bool strict, bool checked);

/* Called in a process that a rank has forked: it is no rank, and a call of an API ends it with a report. */
void rank_forked(void);

/* A fault of an access to memory, in a signal handler of a process that is about to end. */
struct rank_fault {
    uintptr_t address;
    const char *access; /* "read", "written" or "accessed" */
    /* Filled in by who explains it: the rank to which this is due, and where its program made the call
     * (object 0: not known). */
    struct rank *rank;
    struct rank_code caller;
    bool explained; /* what the address belongs to need not be said */
};
/* Registers, at start-up, a function that may explain such a fault. To replace the general report it writes
 * the text and returns true. */
void rank_on_crash(bool (*fn)(struct rank_fault *fault, char *buf, size_t size));
bool rank_crash_explain(struct rank_fault *fault, char *buf, size_t size); /* by the first that knows */
/* A block of a rank's heap, or where one was: its bytes at most. */
struct rank_block {
    uintptr_t low, high;
    bool freed;
};
/* Registers, at start-up, who knows the heaps; asks: false: no heap has the address, or no block is there.
 * Slow: walks the heap. */
void rank_on_block(bool (*fn)(uintptr_t address, struct rank_block *out));
bool rank_block_find(uintptr_t address, struct rank_block *out);
/* The same as rank_on_crash for functions that may say, to rank r, what an address belongs to, such as a
 * block of a heap. */
void rank_on_address(bool (*fn)(struct rank *r, uintptr_t address, char *buf, size_t size));
bool rank_address_explain(struct rank *r, uintptr_t address, char *buf, size_t size);
uintptr_t rank_program_counter(const void *context); /* of a signal handler's third argument */
uintptr_t rank_stack_pointer(const void *context);

/* Reading and writing by the current rank's number of an open file, as read(2) and write(2) do, waiting in the simulation:
 * the provider's; NULL: its ranks have no files. At start-up. */
extern struct rank_streams {
    ssize_t (*read)(int number, void *bytes, size_t size);
    ssize_t (*write)(int number, const void *bytes, size_t size);
} rank_streams;

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

/* What debuggers read (facts.c). */
extern const struct base_fact rank_facts[];

#endif
