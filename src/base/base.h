/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base: what every module stands on. Reports to the user, statuses, settings, units, memory, random streams.
 * Knows nothing about simulation.
 *
 * Invariants
 *  B1  A problem is reported once, by the code that finds it.
 *  B2  Outputs of a function that returns a status are written only when it returns 0.
 *  B3  Every settings key is declared in exactly one table, with unit, default and source.
 */
#ifndef PGASIM_BASE_H
#define PGASIM_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

extern const char pgasim_version[]; /* "1.0.0" */

/* Exit statuses of `pgasim run` and the other commands; documented in pgasim(1). An application's own status
 * is passed on; a rank killed by signal S gives 128 + S. */
enum base_exit {
    BASE_EXIT_OK = 0,
    BASE_EXIT_INPUT = 2,    /* bad input or configuration */
    BASE_EXIT_DEADLOCK = 3, /* no event is left and some ranks still wait */
    BASE_EXIT_HOST = 4,     /* the host machine failed us: out of memory, a failed write */
    BASE_EXIT_PROGRAM = 5,  /* the program broke the rules of its API (an OpenSHMEM error report) */
    BASE_EXIT_FAILURE = 6,  /* a host or link of the platform failed under the program */
    BASE_EXIT_FOUND = 7,    /* a check has found errors of the program */
    BASE_EXIT_BUG = 70,     /* one of our invariants is broken */
};

/* Whether this build uses AddressSanitizer or ThreadSanitizer. */
#if defined(__SANITIZE_ADDRESS__)
#define BASE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BASE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define BASE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BASE_TSAN 1
#endif
#endif
#ifndef BASE_TSAN
#define BASE_TSAN 0
#endif
#ifndef BASE_ASAN
#define BASE_ASAN 0
#endif

#define BASE_PRINTF(fmt, args)            __attribute__((format(printf, fmt, args)))
#define BASE_LIKELY(x)                    __builtin_expect(!!(x), 1)
#define BASE_UNLIKELY(x)                  __builtin_expect(!!(x), 0)
#define BASE_PUBLIC                       __attribute__((visibility("default")))
#define BASE_LENGTH(a)                    (sizeof(a) / sizeof((a)[0]))
#define BASE_CONTAINER(ptr, type, member) ((type *)(void *)((char *)(ptr)-offsetof(type, member)))

/* --- reports (report.c) ------------------------------------------------------------------------- */

enum base_level { BASE_LEVEL_ERROR, BASE_LEVEL_WARN, BASE_LEVEL_INFO, BASE_LEVEL_DEBUG };

/* Messages go to `out` (stderr unless set; tests redirect it) as "pgasim: error: ...". Each is one line.
 * Control characters that a program or a file puts into one are masked with '?' here, and nowhere else. */
void base_report_to(FILE *out);
FILE *base_report_stream(void);
void base_level_set(enum base_level level);
bool base_level_on(enum base_level level);
void base_error(const char *fmt, ...) BASE_PRINTF(1, 2);
void base_error_more(const char *fmt, ...) BASE_PRINTF(1, 2); /* another line of the same report */
/* A warning that affects whether the result can be trusted. Counted by `key` (a literal such as
 * "not-modelled/thread-level"); printed the first time for a key, listed with its count in the summary. */
void base_warn(const char *key, const char *fmt, ...) BASE_PRINTF(2, 3);
/* Whether this key was warned about before; if so, counts it. Saves callers from formatting a text that would
 * not be printed. */
bool base_warn_again(const char *key);
/* The same for what real libraries let pass and nothing is lost by: the result can be trusted. Printed as a
 * notice (level INFO), counted, listed apart from the warnings. */
void base_notice(const char *key, const char *fmt, ...) BASE_PRINTF(2, 3);
/* Keys that begin with "misuse/" are the program's mistakes, and their text begins with where it happened:
 * `place` writes "rank 3 (host node-0) at 12.5 us", or nothing if no rank is known. `caller` writes the
 * second line, "called in exchange, heat.c:88", or nothing. */
void base_warn_place(void (*place)(char *buf, size_t size), void (*caller)(char *buf, size_t size));
/* From now on a warning or notice whose key begins with "misuse/" or "not-modelled/" is an error: it is
 * printed as one, and `end` ends the run with the given status (BASE_EXIT_PROGRAM), at the latest when the
 * caller returns to it. NULL: warnings again. */
void base_strict(void (*end)(int status));
/* From now on a warning whose key begins with "misuse/" is an error that does not end the run: it is
 * printed as one, with its key, once for each text and place, and `found` is called. NULL: warnings again. */
void base_mistakes(void (*found)(void));
/* `fn` is called after an error or a warning was printed, in the code that found it; it may return. */
void base_on_report(void (*fn)(bool error));
void base_info(const char *fmt, ...) BASE_PRINTF(1, 2);
typedef void (*base_warning_fn)(void *arg, const char *key, const char *first_text, uint64_t count);
void base_warnings_each(base_warning_fn fn, void *arg); /* in order of first occurrence */
void base_notices_each(base_warning_fn fn, void *arg);  /* likewise */
/* Prints the error and ends the process with `status`, after the hooks of base_at_fatal have run. */
_Noreturn void base_fatal(int status, const char *fmt, ...) BASE_PRINTF(2, 3);
/* Ends the process with `status` and no message; runs the same hooks (flush output, remove files). */
_Noreturn void base_exit(int status);
/* From now on base_exit(128 + S) ends the process by signal S, so that the system writes a core file. */
void base_exit_dumps(bool on);
void base_at_fatal(void (*fn)(void *arg), void *arg); /* at most 8, newest first */
/* For those hooks: the status with which the process ends. */
int base_exit_status(void);
/* The first error that was reported, without its prefix; NULL: none. */
const char *base_first_error(void);

/* Our own bugs: BASE_ASSERT(invariant, cond) cites the invariant's number and exits with BASE_EXIT_BUG. */
_Noreturn void base_assert_failed(const char *invariant, const char *cond, const char *file, int line);
#define BASE_ASSERT(invariant, cond)                                                                         \
    (BASE_LIKELY(cond) ? (void)0 : base_assert_failed(invariant, #cond, __FILE__, __LINE__))

/* An error text, built where the error is found and carried to the code that reports it. */
struct base_status {
    char text[512];
};
/* Formats into st (may be NULL) and returns -1, so that `return base_fail(st, ...)` reads well. */
int base_fail(struct base_status *st, const char *fmt, ...) BASE_PRINTF(2, 3);
#ifdef __clang_analyzer__ /* it sees one file at a time, and would treat every failure as a success, too */
#define base_fail(st, ...)                                                                                   \
    ({                                                                                                       \
        (base_fail)(st, __VA_ARGS__);                                                                        \
        -1;                                                                                                  \
    })
#endif

/* --- memory (memory.c) -------------------------------------------------------------------------- */

/* Allocation that cannot fail: when memory runs out, it reports `what` and exits with BASE_EXIT_HOST. The
 * build defines PGASIM_LAYER for each module, so that accounts know whose memory it is; `layer` is a
 * literal. */
#ifndef PGASIM_LAYER
#define PGASIM_LAYER "other"
#endif
void *base_alloc_for(size_t bytes, const char *what, const char *layer);
void *base_zalloc_for(size_t bytes, const char *what, const char *layer);
void *base_realloc_for(void *p, size_t bytes, const char *what, const char *layer);
char *base_strdup_for(const char *s, const char *layer);
char *base_strfmt_for(const char *layer, const char *fmt, ...) BASE_PRINTF(2, 3);
#define base_alloc(bytes, what)      base_alloc_for(bytes, what, PGASIM_LAYER)
#define base_zalloc(bytes, what)     base_zalloc_for(bytes, what, PGASIM_LAYER)
#define base_realloc(p, bytes, what) base_realloc_for(p, bytes, what, PGASIM_LAYER)
#define base_strdup(s)               base_strdup_for(s, PGASIM_LAYER)
#define base_strfmt(...)             base_strfmt_for(PGASIM_LAYER, __VA_ARGS__)
/* Reserves addresses that cost nothing until touched (readable, writable, zero, no swap reservation). */
void *base_reserve_for(size_t bytes, const char *what, const char *layer);
#define base_reserve(bytes, what) base_reserve_for(bytes, what, PGASIM_LAYER)
/* All of these bytes of a reserved region will be touched, so huge pages may back them. */
void base_fill(void *p, size_t bytes);
void base_unreserve(void *p, size_t bytes);
size_t base_page_size(void);
/* Like memcpy, but bypasses the caches: for hundreds of kilobytes whose destination is not cached and will
 * not be read soon. */
void base_copy_past(void *to, const void *from, size_t bytes);
/* Called before hundreds of kilobytes are overwritten: has the kernel supply their pages at once if they seem
 * untouched. Content does not change, and errors are ignored. */
void base_populate(void *to, size_t bytes);
uint64_t base_peak_rss(void); /* bytes */
bool base_traced(void);       /* a debugger, or another tracer, controls this process */
/* Makes the n-th allocation from now fail (for tests; 0 turns this off). */
void base_alloc_fail_at(uint64_t n);

/* A pool of equal objects, carved from growing slabs that are kept until release, so that nothing is
 * allocated per message in steady state. Objects are not cleared. */
struct base_pool {
    void *free;
    void *slabs;
    size_t size, per_slab, live;
    size_t fresh, fresh_from; /* objects of the first slab that were never free, and the first one's place */
    const char *what, *layer;
    bool operations;
};
void base_pool_init_for(struct base_pool *p, size_t object_size, const char *what, const char *layer);
#define base_pool_init(p, object_size, what) base_pool_init_for(p, object_size, what, PGASIM_LAYER)
void base_pool_release(struct base_pool *p);
void *base_pool_refill(struct base_pool *p);
static inline void *base_pool_get(struct base_pool *p)
{
    void *o = p->free;
    if (BASE_UNLIKELY(!o))
        o = base_pool_refill(p);
    p->free = *(void **)o;
    __builtin_prefetch(p->free); /* the next object's link */
    p->live++;
    return o;
}
static inline void base_pool_put(struct base_pool *p, void *o)
{
    *(void **)o = p->free;
    p->free = o;
    p->live--;
}

/* The objects are operations, each given back when it is over: objects still in use at the pool's release are
 * noted. */
static inline void base_pool_of_operations(struct base_pool *p)
{
    p->operations = true;
}

/* Byte buffers of any size, in power-of-two classes (32 B to 64 MiB are pooled, larger ones come from
 * malloc). Used memory is kept, because mapping it again costs more than a copy. */
struct base_buffers {
    struct base_pool class[22];
};
void base_buffers_init_for(struct base_buffers *b, const char *what, const char *layer);
#define base_buffers_init(b, what) base_buffers_init_for(b, what, PGASIM_LAYER)
void base_buffers_release(struct base_buffers *b);
void *base_buffers_get(struct base_buffers *b, size_t bytes);
void base_buffers_put(struct base_buffers *b, void *p, size_t bytes); /* the same size as at get */
void base_buffers_of_operations(struct base_buffers *b); /* the pooled ones; not those from malloc */

/* Notes the objects that a pool of operations still had in use at its release (remainder.c). The report
 * prints an error for each kind of object left since the last clear, and returns their total number. */
void base_remainder_note(const struct base_pool *p);
size_t base_remainder_report(void);
void base_remainder_clear(void);

/* --- what debuggers read -------------------------------------------------------------------------- */

/* Where a debugger finds what it shows: an offset, a size, the address of a variable, or a number of a state.
 * Each module that has something to show has a table, which ends with an entry without a name; cli/ exports
 * all of them (pgasim_debugger). Names: "engine.now" is a field, "engine_actor" a size, "engine_state.READY"
 * a value. docs/debugging.md lists them. */
struct base_fact {
    const char *name;
    uint64_t value;
};
#define BASE_FACT_FIELD(name, type, field)                                                                   \
    {                                                                                                        \
        name, offsetof(type, field)                                                                          \
    }
extern const struct base_fact base_facts[];

/* A growing array: struct { T *at; size_t n, cap; } as in BASE_ARRAY(int) a = {0}; */
#define BASE_ARRAY(type)                                                                                     \
    struct {                                                                                                 \
        type *at;                                                                                            \
        size_t n, cap;                                                                                       \
    }
void *base_array_grow_for(void *at, size_t *cap, size_t need, size_t item, const char *what,
                          const char *layer);
#define base_array_grow(at, cap, need, item, what)                                                           \
    base_array_grow_for(at, cap, need, item, what, PGASIM_LAYER)
#define BASE_ARRAY_PUSH(a, value)                                                                            \
    do {                                                                                                     \
        if ((a)->n == (a)->cap)                                                                              \
            (a)->at = base_array_grow((a)->at, &(a)->cap, (a)->n + 1, sizeof *(a)->at, #a);                  \
        (a)->at[(a)->n++] = (value);                                                                         \
    } while (0)

/* --- accounts (account.c, layer.c): who uses time and memory, for `pgasim run --self-profile`
 * -------------- */

/* What one layer holds for one purpose, in bytes. A pool's slabs count from their creation: they are kept
 * until the pool's release, and by then are nearly full. */
struct base_account {
    const char *layer, *what;
    uint64_t blocks, pools, peak; /* current; the peak of both together */
    uint64_t reserved, resident;  /* regions: their addresses, and how much was resident when last read */
};
typedef void (*base_account_fn)(void *arg, const struct base_account *a);
extern bool
    base_accounts_on; /* set by base_accounts_begin; when off, accounts cost one branch per allocation */
void base_accounts_begin(void);
void base_accounts_end(void);
/* Called by the allocators above, and by code that maps memory itself. */
void base_account_block(void *p, size_t bytes, const char *what, const char *layer);
void base_account_forget(const void *p); /* does nothing if p is not a known block */
void base_account_pool(int64_t more, const char *what, const char *layer);
void base_account_region(void *p, size_t bytes, const char *what, const char *layer);
void base_account_region_end(const void *p);
/* Reads how much of the regions' memory is resident; returns the process's total, or 0 if the system does not
 * tell. */
uint64_t base_accounts_read(void);
void base_accounts_each(base_account_fn fn, void *arg); /* in the order in which they were first used */

/* The layer that owns the code at an address; exact, because the build places marks between the objects of
 * different modules. NULL: no layer's code, or this is not libpgasim. */
const char *base_layer_of(const void *code);

/* --- units (units.c) ---------------------------------------------------------------------------- */

/* Each parses all of `text`, in the units of SimGrid's DTD 4.1, into `*out` in the base unit named. Returns
 * 0, or -1 with st saying what was expected. A number without a unit is in the base unit. */
int base_parse_time(const char *text, double *out, struct base_status *st); /* seconds: 2.5us, 1h */
int base_parse_bandwidth(const char *text, double *out,
                         struct base_status *st); /* bytes/s: 100Gbps, 125MBps, 1MiBps */
int base_parse_speed(const char *text, double *out, struct base_status *st);  /* flop/s: 2.5Gf, 100Mf */
int base_parse_size(const char *text, uint64_t *out, struct base_status *st); /* bytes: 64K, 1MiB, 2GB, 8kB */
int base_parse_double(const char *text, double *out, struct base_status *st);
int base_parse_uint(const char *text, uint64_t *out, struct base_status *st);
int base_parse_bool(const char *text, bool *out, struct base_status *st); /* yes/no/true/false/on/off/1/0 */
/* How many typing errors lie between a and b, over their first 96 bytes: characters too many, too few or
 * wrong, and neighbours exchanged (optimal string alignment). */
unsigned base_distance(const char *a, const char *b);
/* The known word that somebody probably meant who typed `given`: begin with that alone, offer all known
 * words. An offer is taken, and true returned, when it is nearer than those before and near at all: when
 * errors make up at most a third of the longer word, or `given` is what follows a '/' in it. */
struct base_nearest {
    const char *given;
    unsigned errors; /* of the word taken last, + 1; 0: none was */
};
bool base_nearest_offer(struct base_nearest *n, const char *known);
/* For people: "1.234 ms", "12.5 GB/s", "3.2 MiB"; buf at least 32 bytes; returns buf. */
char *base_show_time(char *buf, double seconds);
char *base_show_size(char *buf, double bytes);
char *base_show_count(char *buf, double n); /* 950, 12.3 k, 4.56 M */
/* n ascending numbers, `stride` bytes apart: "0, 2-3, 7"; after 8 such runs ", ...". Returns buf. */
char *base_show_runs(char *buf, size_t size, const uint32_t *number, size_t stride, size_t n);
/* Writes *separator, then "1.2 k puts (3.4 MiB)"; the separator becomes a comma. Nothing for a count of 0. */
void base_print_kind(FILE *out, const char **separator, const char *kind, uint64_t count, uint64_t bytes);

/* --- fast conversion of decimal numbers (decimal.c) ------------------------------------------------ */

/* Reads the number that strtod would read at the start of `text`, which begins with a digit or a point; *rest
 * is where it ends. false: the number needs strtod itself. */
bool base_decimal_read(const char *text, double *out, const char **rest);
enum { BASE_DECIMAL = 32 };
/* Writes what printf("%.15g", x) would print into BASE_DECIMAL bytes; returns the end. */
char *base_decimal_write(char *buf, double x);

/* --- settings (settings.c) ---------------------------------------------------------------------- */

/* `--set key=value`, the environment (PGASIM_ + key in upper case, '/' and '-' as '_'), and the platform
 * file's <config> all reach the same keys. Later wins: default, platform, environment, command line. */
enum base_kind {
    BASE_TIME,
    BASE_BANDWIDTH,
    BASE_SPEED,
    BASE_SIZE,
    BASE_DOUBLE,
    BASE_UINT,
    BASE_BOOL,
    BASE_TEXT
};
enum base_origin { BASE_FROM_DEFAULT, BASE_FROM_PLATFORM, BASE_FROM_ENVIRONMENT, BASE_FROM_COMMAND };
struct base_setting {
    const char *key; /* "rdma/put-overhead" */
    enum base_kind kind;
    const char *value;  /* the default as text, with its unit */
    const char *range;  /* of numbers, as below; of texts: what they may be, in words; NULL: yes or no */
    const char *help;   /* one line */
    const char *source; /* where the default comes from */
};

/* --- ranges (range.c) --------------------------------------------------------------------------- */

/* What platforms, lists of activities and settings may contain, unless a narrower range is given. */
#define BASE_TIMES      "0 to 1e12s"
#define BASE_BANDWIDTHS "1e-3Bps to 1e21Bps"
#define BASE_SPEEDS     "1e-3f to 1e30f"
#define BASE_FACTORS    "1e-9 to 1e9"
/* Whether x, read from `text`, is such a time, bandwidth or speed; -1 with st. */
int base_within(enum base_kind kind, double x, const char *text, struct base_status *st);

/* A number of any kind: `whole` of sizes and counts, `number` of the others; the other one is 0. */
struct base_number {
    double number;
    uint64_t whole;
};
/* "LEAST to MOST" or "0 or LEAST to MOST", both ends included, in the unit of the kind. */
struct base_range {
    bool or_zero;
    struct base_number least, most;
    char least_text[32], most_text[32];
};
/* false: not a range of this kind. */
bool base_range_read(enum base_kind kind, const char *range, struct base_range *out);
/* -1 with st: x, read from `text`, lies outside. */
int base_range_check(enum base_kind kind, const char *range, const struct base_number *x, const char *text,
                     struct base_status *st);
int base_parse_kind(enum base_kind kind, const char *text, struct base_number *out, struct base_status *st);
int base_parse_range(enum base_kind kind, const char *range, const char *text, struct base_number *out,
                     struct base_status *st);

struct base_settings;
struct base_settings *base_settings_create(void);
void base_settings_destroy(struct base_settings *s);
void base_settings_declare(struct base_settings *s, const struct base_setting *table, size_t n);
/* A '.' in the key is read as '/' if that gives a known key. Returns -1 with st when the key is unknown (the
 * nearest known key is named) or the value does not parse. A weaker origin never overrides a stronger one,
 * but its value is still checked. */
int base_settings_set(struct base_settings *s, const char *key, const char *value, enum base_origin from,
                      struct base_status *st);
bool base_settings_known(const struct base_settings *s, const char *key);
/* Reads PGASIM_* from the given environment. Unknown names are an error unless they are in `ignore`
 * (NULL-terminated), so that typing errors are found. */
int base_settings_read_environment(struct base_settings *s, char **environment, const char *const *ignore,
                                   struct base_status *st);
/* Typed reads; asking for an undeclared key or the wrong kind is our bug. */
double base_settings_number(const struct base_settings *s, const char *key); /* TIME BANDWIDTH SPEED DOUBLE */
uint64_t base_settings_count(const struct base_settings *s, const char *key); /* SIZE UINT */
bool base_settings_flag(const struct base_settings *s, const char *key);
const char *base_settings_text(const struct base_settings *s, const char *key); /* any kind, as given */
bool base_settings_is_default(const struct base_settings *s, const char *key);
typedef void (*base_setting_fn)(void *arg, const struct base_setting *decl, const char *value,
                                enum base_origin from);
void base_settings_each(const struct base_settings *s, base_setting_fn fn, void *arg); /* sorted by key */

/* --- random streams (random.c) ------------------------------------------------------------------ */

struct base_random {
    uint64_t s[4];
};
void base_random_seed(struct base_random *r, uint64_t seed, uint64_t stream);
uint64_t base_random_u64(struct base_random *r);
double base_random_unit(struct base_random *r);                /* [0, 1) */
uint64_t base_random_below(struct base_random *r, uint64_t n); /* [0, n), n > 0, unbiased */

#endif
