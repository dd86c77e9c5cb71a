/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of the page share: the JSON they write, the budgets that keep the page small, and the tables
 * that several parts of the data refer to.
 *
 *      page.c           the page: template and data, in order
 *      page_gather.c    what is recorded while the trace is read
 *      page_json.c      JSON that is safe within HTML; numbers as letters
 *      page_states.c    what ranks do, by class
 *      page_races.c     races
 *      page_ranks.c     summary, time by rank, calls
 *      page_runs.c      a lane's log as runs of states, as fine as wanted
 *      page_levels.c    the timeline's levels of detail
 *      page_arrows.c    the timeline's operations and marks
 *      page_traffic.c   matrices, operations, collectives
 *      page_links.c     links over time, the drawing
 *      page_energy.c    joules
 *      page_path.c      the critical path and what would help
 *      page_sdsm.c      the S-DSM: volume, time, chunks; page_scopes.c: its scopes and allocations
 *      page_cards.c     network cards with a core, RISC-V cores
 *      page_template.c  the template's bytes
 */
#ifndef PGASIM_REPORT_PAGE_INTERNAL_H
#define PGASIM_REPORT_PAGE_INTERNAL_H

#include "base/json.h"
#include "report/internal.h"
#include "report/show.h"

enum {
    PAGE_RUNS_MOST = 400000,    /* runs of the finest level: some 5 bytes each */
    PAGE_COARSE_BINS = 800,     /* of a level for groups of ranks */
    PAGE_ROWS_MOST = 4096,      /* rows of the timeline; with more ranks, every n-th rank has a row */
    PAGE_ARROWS_MOST = 40000,   /* operations on the timeline: some 18 bytes each */
    PAGE_EFFECTS_MOST = 200000, /* gets and atomics whose effect is remembered */
    PAGE_MARKS_MOST = 2000,
    PAGE_RACES_MOST = 1000,
    PAGE_BARS_MOST = 1024,       /* rows of the time by rank */
    PAGE_CELLS_MOST = 128,       /* rows and columns of a matrix */
    PAGE_LINKS_MOST = 256,       /* links with their use over time */
    PAGE_PIECES_MOST = 20000,    /* of the critical path */
    PAGE_LIST_MOST = 100,        /* lines of a table */
    PAGE_DRAWING_MOST = 4 << 20, /* bytes */
    PAGE_CARDS_MOST = 128,       /* rows of cards */
    PAGE_CARD_RUNS_MOST = 150000,
    PAGE_CARD_WRITES_MOST = 40000,
    PAGE_SDSM_CELLS_MOST = 200, /* rows and columns of the S-DSM's volume */
    PAGE_SDSM_SHOWN_MOST = 128, /* processes whose scopes and allocations can be chosen */
    PAGE_SCOPES_MOST = 100000,  /* of all these: some 14 bytes each */
    PAGE_ALLOCATIONS_MOST = 60000,
    PAGE_CURVE_MOST = 1000, /* points of a process's curve of chunks */
};

/* --- JSON (page_json.c) ------------------------------------------------------------------------------- */

/* A JSON writer for the page's data, over base/json.h. `key` is NULL within lists. */
struct page_json {
    struct base_json json;
};
void page_json_begin(struct page_json *j, FILE *out);
void page_json_end(struct page_json *j);
void page_json_open(struct page_json *j, const char *key, char bracket); /* '{' or '[' */
void page_json_close(struct page_json *j, char bracket);
void page_json_text(struct page_json *j, const char *key, const char *text); /* NULL: null */
void page_json_number(struct page_json *j, const char *key, double value);   /* 7 digits */
void page_json_exact(struct page_json *j, const char *key, double value);    /* all digits */
void page_json_count(struct page_json *j, const char *key, uint64_t value);
void page_json_flag(struct page_json *j, const char *key, bool value);
/* A text of letters that stand for numbers, between begin and end. */
void page_codes_begin(struct page_json *j, const char *key);
void page_codes_add(struct page_json *j, uint64_t number);
void page_codes_letter(struct page_json *j, unsigned value); /* 0 to 63, one letter */
void page_codes_end(struct page_json *j);

/* --- while reading (page_gather.c) -------------------------------------------------------------------- */

/* `end` equals `time` for marks without an end; INFINITY: not ended. */
struct page_mark {
    double time, end;
    uint32_t rank, thread;
    const char *text;
};
/* Operations are sampled for the timeline by a hash of their numbers, smallest first. */
uint64_t page_hash(uint64_t number);
struct page_effect {
    uint64_t number;
    double time;
};
struct report_page {
    struct report_page_options options;
    BASE_ARRAY(struct page_mark) marks;
    uint64_t marks_seen;
    BASE_ARRAY(struct page_effect) effects; /* sorted by number once page_gather_finish was called */
    uint64_t limit;                         /* greatest hash of those remembered */
};
void page_gather_finish(struct report_page *p);
/* When the operation took effect, or `otherwise` if that was not recorded. */
double page_effect_of(const struct report_page *p, uint64_t number, double otherwise);

/* --- states (page_states.c) --------------------------------------------------------------------------- */

enum page_class {
#define PAGE_CLASS(name, key, text) PAGE_##name,
#include "report/page_classes.def"
#undef PAGE_CLASS
    PAGE_CLASSES
};
enum { PAGE_STATES_MOST = 255 };

/* What a rank does, as a number: the class and, of calls and waits, the name. Numbers are given in the order
 * in which they are asked for; beyond PAGE_STATES_MOST there is one for each class. */
struct page_state {
    enum page_class class;
    report_name name;
};
struct page_states {
    const struct report_facts *f;
    struct page_state at[PAGE_STATES_MOST + PAGE_CLASSES];
    uint32_t n;
    uint16_t *of[2]; /* 1 + state, by name: of calls, of waits */
    uint16_t plain[PAGE_CLASSES];
};
enum page_class page_class_of_wait(const struct report_facts *f, report_name what);
void page_states_init(struct page_states *s, const struct report_facts *f);
void page_states_release(struct page_states *s);
uint32_t page_state_of(struct page_states *s, const struct report_change *c);
uint32_t page_state_plain(struct page_states *s, enum page_class class);
void page_write_classes(struct page_json *j);
void page_write_states(struct page_json *j, const struct page_states *s);

/* --- runs (page_runs.c) ------------------------------------------------------------------------------- */

typedef void (*page_run_fn)(void *ctx, uint32_t state, double end);
/* The rank's first thread within [from, to): fn for each run of a state; a run begins where the one before
 * ended. States shorter than `shortest` are merged into runs of about that length, each of the state that
 * took most of the time. */
void page_runs_each(struct page_states *s, uint32_t rank, double from, double to, double shortest,
                    page_run_fn fn, void *ctx);

/* --- parts of the data -------------------------------------------------------------------------------- */

struct page {
    const struct report_page *gathered;
    const struct report *report;
    const struct report_facts *f;
    struct page_json *j;
    struct page_states *states;
};
void page_write_about(const struct page *p);
void page_write_races(const struct page *p);
void page_write_jobs(const struct page *p);
void page_write_energy(const struct page *p);
void page_write_files(const struct page *p); /* null if the trace has none */
void page_write_worlds(const struct page *p);
void page_write_ranks(const struct page *p);
void page_write_levels(const struct page *p);
void page_write_arrows(const struct page *p);
const char *page_kind_text(enum report_kind kind); /* of one operation: "put", ... (page_arrows.c) */
void page_write_marks(const struct page *p);
void page_write_traffic(const struct page *p);
void page_write_links(const struct page *p);
void page_write_path(const struct page *p);
void page_write_suggestions(const struct page *p);
void page_write_cards(const struct page *p); /* nothing if the trace has none */
void page_write_cores(const struct page *p); /* the same */
void page_write_sdsm(const struct page *p);
void page_write_scopes(const struct page *p);

/* The template's two halves, before and after the data; empty: built without the page. */
struct page_template {
    const char *head, *tail;
    size_t head_bytes, tail_bytes;
};
struct page_template page_template(void);

#endif
