/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgt: what the writer and the reader of the compact format share (private to trace/). docs/trace-format.md
 * documents the format.
 *
 *   file    magic, head, blocks, end, tail
 *   head    what the run was: a section
 *   block   a head of 52 bytes, then two sections: strings and routes that no earlier block
 *           had, and ranks that were started since; columns of events
 *           or a piece of the run's recording, in one section
 *   end     a block whose section holds totals and the places of all blocks
 *   tail    where the end begins
 *
 * A section is a zstd frame with its checksum.
 *
 * Invariants
 *  G1  Events of one block are as they came; none of a later block lies before the block's `floor`.
 *  G2  A string has one number from 1, in order of first use; a block uses numbers that it or a block before
 *      it gave.
 *  G3  A user's event has at most TRACE_VALUES values.
 */
#ifndef PGASIM_TRACE_PGT_H
#define PGASIM_TRACE_PGT_H

#include "trace/pgt/bytes.h"
#include "trace/trace.h"

enum {
    PGT_VERSION = 10,
    PGT_VERSION_LEAST = 1, /* oldest readable: without kinds of names and rare columns */
    PGT_EVENTS = 1 << 14,  /* of a block, at most */
    PGT_PIECE = 1 << 20,   /* bytes of a recording in a block */
    PGT_FILE_HEAD = 24,    /* magic, version, sizes of the head's section, sum */
    PGT_BLOCK_HEAD = 52,
    PGT_TAIL = 16,
    PGT_SECTION = 1 << 30, /* bytes of a section, at most */
};
extern const char pgt_magic[8], pgt_tail_magic[8];
#define PGT_BLOCK     UINT32_C(0x62544750) /* "PGTb" */
#define PGT_END       UINT32_C(0x65544750) /* "PGTe" */
#define PGT_RECORDING UINT32_C(0x72544750) /* "PGTr": its columns are text, and it has no events */

/* A section's size, uncompressed and in the file. */
struct pgt_section {
    uint32_t raw, packed;
};
struct pgt_block {
    uint32_t magic, events;
    struct pgt_section more, columns;
    double first, last; /* times of its events lie between */
    double floor;
};
void pgt_block_put(const struct pgt_block *b, unsigned char out[PGT_BLOCK_HEAD]);
/* false: not a block. */
bool pgt_block_get(struct pgt_block *b, const unsigned char in[PGT_BLOCK_HEAD]);
uint32_t pgt_sum(const unsigned char *p, size_t n);

/* about.c: what the run was, as a section's bytes and back. */
void pgt_about_put(struct trace_buffer *b, const struct trace_about *about);
/* The hosts of ranks from `first` on, which were started since, and back: to the end of a section. */
void pgt_about_put_ranks(struct trace_buffer *b, const struct trace_about *about, uint32_t first);
struct pgt_about; /* what was read; owns its memory */
void pgt_about_get_ranks(struct pgt_about *a, struct trace_bytes *b);
/* NULL: damaged. */
struct pgt_about *pgt_about_get(struct trace_bytes *b);
struct trace_about *pgt_about_of(struct pgt_about *a);
void pgt_about_destroy(struct pgt_about *a);

/* routes.c: what a reader knows of routes. */
struct pgt_routes;
struct pgt_routes *pgt_routes_create(const struct trace_about *about);
void pgt_routes_destroy(struct pgt_routes *r);
void pgt_routes_get(struct pgt_routes *r, struct trace_bytes *b); /* b->bad: damaged */
uint32_t pgt_route(void *routes, uint32_t from, uint32_t to, const uint32_t **links, double *latency);

/* strings.c: numbers of texts (G2), found quickly by pointer, else by content. */
struct pgt_strings;
struct pgt_strings *pgt_strings_create(const struct trace_about *about);
void pgt_strings_destroy(struct pgt_strings *s);
uint32_t pgt_string_number(struct pgt_strings *s, const char *text); /* NULL: 0 */
/* Writes the texts with numbers from `first` on, each with what it stands for. Returns the next free
 * number. */
uint32_t pgt_strings_put(const struct pgt_strings *s, uint32_t first, struct trace_buffer *b);

/* met.c: routes that a writer has met. Those since the last final block wait in `routes`. */
struct pgt_met {
    const struct trace_about *about;
    uint8_t *bits;           /* NULL: there are too many hosts */
    struct base_table pairs; /* then: hosts as from << 32 | to */
    struct trace_buffer routes;
    uint64_t fresh;
};
void pgt_met_init(struct pgt_met *m, const struct trace_about *about);
void pgt_meet_slow(struct pgt_met *m, uint32_t from, uint32_t to);
void pgt_met_release(struct pgt_met *m);
static inline void pgt_meet(struct pgt_met *m, uint32_t from, uint32_t to)
{
    size_t k = (size_t)from * m->about->hosts + to;
    if (BASE_UNLIKELY(!m->bits || !(m->bits[k / 8] >> k % 8 & 1)))
        pgt_meet_slow(m, from, to);
}

/* --- columns ----------------------------------------------------------------------------------------- */

/* An event is a tag, which holds its type and says which fields differ from what is expected, and those
 * fields in their columns. Expected are time and rank of the event before, and all other fields of the last
 * event of the same type, with op increased by one. A time is written as the step from the one before; if the
 * rank is the same as before, as the difference from the last such step of the type. If the tag's type is
 * PGT_TYPE_RARE, the column of rare fields has an item: which of the next four columns differ, and the type,
 * which then need not fit the tag. A user's event has an item in the last column for each of its values: the
 * difference from the value of the user's event before, whatever its type, at this place. */
enum pgt_column {
    PGT_TAG,
    PGT_TIME,
    PGT_RANK,
    PGT_PEER,
    PGT_THREAD,
    PGT_OP,
    PGT_CAUSE,
    PGT_BYTES,
    PGT_LEAST,
    PGT_CALL,
    PGT_DETAIL,
    PGT_MORE,
    PGT_COLUMNS_1, /* columns in version 1 */
    PGT_RARE = PGT_COLUMNS_1,
    PGT_CONTEXT,
    PGT_MESSAGE_TAG,
    PGT_ADDRESS,
    PGT_KIND,
    PGT_COLUMNS_4, /* columns in versions 2 to 4 */
    PGT_VALUES = PGT_COLUMNS_4,
    PGT_COLUMNS
};
enum {
    PGT_TYPE_BITS = 5,
    PGT_TAG_BITS = 7,
    PGT_TAG_MORE = 128, /* the rest of the tag is in another byte */
    PGT_TYPE_RARE = (1 << PGT_TYPE_BITS) - 1,
    PGT_TYPES_1 = TRACE_RANK_END + 1, /* types in version 1 */
    PGT_TYPES_2 = TRACE_BUFFER + 1,   /* types in version 2 */
    PGT_TYPES_3 = TRACE_RACE_ACCESS + 1,
    PGT_TYPES_4 = TRACE_KEPT_BACK + 1,
    PGT_TYPES_5 = TRACE_USER + 1,
    PGT_TYPES_6 = TRACE_CORE_TRAPPED + 1,
    PGT_TYPES_9 = TRACE_COLLECTIVE_BETTER + 1,
    PGT_RARE_BITS = PGT_COLUMNS_4 - PGT_CONTEXT,
};
#define PGT_DIFFERS(column)      (1u << (PGT_TYPE_BITS - 1 + (column)))
#define PGT_RARE_DIFFERS(column) (1u << ((column)-PGT_CONTEXT))
_Static_assert(PGT_TYPES_1 == 24 && PGT_TYPES_2 == 38 && PGT_TYPES_3 == 40 && PGT_TYPES_4 == 41 &&
                   PGT_TYPES_5 == 42 && PGT_TYPES_6 == 57 && PGT_TYPES_9 == 59,
               "types keep their places");
_Static_assert((unsigned)TRACE_USER >= PGT_TYPE_RARE, "a user's event is rare");
_Static_assert(TRACE_TYPES <= 1 << (7 - PGT_RARE_BITS) << 7, "a rare item has two bytes");

/* The expected values. */
struct pgt_expected {
    uint64_t time;
    uint32_t rank;
    struct {
        uint64_t step, op, cause, bytes, least, context, address;
        uint32_t peer, thread, call, detail, kind;
        int32_t tag;
    } of[TRACE_TYPES];
    uint64_t value[TRACE_VALUES];
};

/* The same for a writer, which compares texts by their addresses first. */
struct pgt_last {
    uint64_t step, op, cause, bytes, least;
    uint32_t peer, thread;
    const char *call, *detail;
    uint32_t call_number, detail_number;
    uint64_t context, address;
    uint32_t kind;
    int32_t tag;
};

/* The columns of a block that is being made. */
struct pgt_columns {
    uint64_t time; /* of the event before, as bits */
    uint32_t rank, events;
    double first, last;
    struct pgt_strings *strings;
    struct pgt_last of[TRACE_TYPES];
    uint64_t value[TRACE_VALUES];
    unsigned char *start[PGT_COLUMNS], *at[PGT_COLUMNS];
    void *memory;
};
void pgt_columns_init(struct pgt_columns *c, struct pgt_strings *strings);
void pgt_columns_release(struct pgt_columns *c);
void pgt_columns_clear(struct pgt_columns *c);
/* Writes the fields that differ, except time, rank and the rare ones. Returns which. */
unsigned pgt_columns_fields(struct pgt_columns *c, struct pgt_last *e, const struct trace_event *ev);
/* Writes the rare fields that differ, a user's values, and the type. Returns the type for the tag. */
unsigned pgt_columns_rare(struct pgt_columns *c, struct pgt_last *e, const struct trace_event *ev);
static inline unsigned pgt_put(struct pgt_columns *c, enum pgt_column column, uint64_t v)
{
    c->at[column] = trace_put_varint(c->at[column], v);
    return PGT_DIFFERS(column);
}

static inline unsigned pgt_put_signed(struct pgt_columns *c, enum pgt_column column, uint64_t v)
{
    return pgt_put(c, column, trace_fold_sign((int64_t)v));
}

static inline unsigned pgt_put_time(struct pgt_columns *c, uint64_t *last_step, uint64_t time)
{
    double t = trace_bits_double(time);
    uint64_t step = time - c->time, expected = 0;
    c->first = t < c->first ? t : c->first;
    c->last = t > c->last ? t : c->last;
    c->time = time;
    if (last_step) {
        expected = *last_step;
        *last_step = step;
    }
    return pgt_put_signed(c, PGT_TIME, step - expected);
}

static inline void pgt_put_tag(struct pgt_columns *c, unsigned tag)
{
    unsigned more = tag >> PGT_TAG_BITS;
    if (more) {
        tag |= PGT_TAG_MORE;
        *c->at[PGT_MORE]++ = (unsigned char)more;
    }
    *c->at[PGT_TAG]++ = (unsigned char)tag;
    c->events++;
}

/* Time and rank of the next event. A rank's own steps are often alike. */
static inline unsigned pgt_put_when(struct pgt_columns *c, enum trace_type type, double when, uint32_t rank)
{
    uint64_t time = trace_double_bits(when), *step = &c->of[type].step;
    unsigned tag = 0;
    if (rank != c->rank) {
        tag |= pgt_put(c, PGT_RANK, c->rank = rank);
        step = NULL;
    }
    if (time != c->time || !c->events)
        tag |= pgt_put_time(c, step, time);
    return tag;
}

static inline bool pgt_is_rare(const struct pgt_last *e, const struct trace_event *ev)
{
    return ((ev->context ^ e->context) | (ev->address ^ e->address) | (uint32_t)(ev->tag ^ e->tag) |
            (ev->kind ^ e->kind)) ||
           (unsigned)ev->type >= PGT_TYPE_RARE;
}

static inline void pgt_columns_add(struct pgt_columns *c, const struct trace_event *ev)
{
    struct pgt_last *e = &c->of[ev->type];
    unsigned tag = pgt_put_when(c, ev->type, ev->time, ev->rank) | pgt_columns_fields(c, e, ev);
    pgt_put_tag(c, tag | (BASE_UNLIKELY(pgt_is_rare(e, ev)) ? pgt_columns_rare(c, e, ev) : ev->type));
}
/* Writes all columns as a section's bytes. */
void pgt_columns_put(const struct pgt_columns *c, struct trace_buffer *b);

/* Of a block that is read. */
struct pgt_limits {
    uint32_t version, ranks, strings;
    const char *const *string; /* by number; 0 is NULL */
};
/* Fills out[0..events) in the order written; false: damaged. `*values` is where those of user's events are,
 * for the caller to free; NULL: nowhere. */
bool pgt_columns_get(struct trace_bytes *b, uint32_t events, const struct pgt_limits *limits,
                     struct trace_event *out, int64_t **values);

#endif
