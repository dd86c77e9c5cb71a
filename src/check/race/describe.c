/* SPDX-License-Identifier: BSD-3-Clause */
/* describe: what a race is about: both accesses, where they were made, the object, and its bytes. */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/reports.h"
#include "check/race/strands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- places --------------------------------------------------------------------------------------------- */

static void set_place(struct finding_place *p, const struct rank_source *s)
{
    finding_set(&p->function, s->function);
    finding_set(&p->file, s->file);
    finding_set(&p->object, s->object ? s->object : "");
    p->line = s->line;
    p->offset = s->offset;
}

static bool is_equal(const struct rank_source *a, const struct rank_source *b)
{
    bool same = a->line == b->line && !strcmp(a->function, b->function) && !strcmp(a->file, b->file);
    return same && (a->line || (a->object == b->object && a->offset == b->offset));
}

/* Places of ranks with copies of the program differ, their lines do not. */
uint32_t race_line_of(struct race *d, uint32_t place)
{
    struct rank_source s;
    if (d->places.at[place].line)
        return d->places.at[place].line;
    race_place_source(d, place, &s);
    uint32_t k = 0;
    while (k < d->lines.n && !is_equal(&d->lines.at[k], &s))
        k++;
    if (k == d->lines.n)
        BASE_ARRAY_PUSH(&d->lines, s);
    return d->places.at[place].line = k + 1;
}

static const struct rank_source *source_of(struct race *d, uint32_t place)
{
    uint32_t line = race_line_of(d, place); /* may move the lines */
    return &d->lines.at[line - 1];
}

char *race_name_of(struct race *d, uint32_t place, char *buf, size_t size)
{
    struct finding f;
    finding_init(&f, FINDING_RACE);
    set_place(&f.access[0].place, source_of(d, place));
    finding_place_name(&f.access[0].place, buf, size);
    finding_release(&f);
    return buf;
}

/* --- accesses ------------------------------------------------------------------------------------------- */

static const char *verb(enum race_kind k)
{
    static const char *const verbs[] = {"read", "written", "read atomically", "updated atomically",
                                        "allocated"};
    return verbs[k];
}

const char *race_what(const struct race *d, const struct race_access *a)
{
    const char *call = d->places.at[a->place].call;
    return call ? call : race_is_atomic(a->kind) ? "an atomic" : race_writes(a->kind) ? "a store" : "a load";
}

static void describe_stack(struct race *d, struct finding_access *to, const struct race_access *a)
{
    const struct rank *r = d->places.at[a->place].rank;
    for (uint32_t s = d->places.at[a->place].stack; s; s = race_stack_above(d, s)) {
        struct rank_source source;
        const void *code = (const void *)(uintptr_t)d->stack_of.at[2 * (size_t)s + 1];
        rank_code_source(r, rank_code_of(r, code), &source);
        if (source.line || source.object)
            set_place(finding_frame_add(to), &source);
    }
}

static void describe_access(struct race *d, struct finding_access *to, const struct race_access *a)
{
    const struct race_strand *s = race_strand_find(d, a->strand);
    finding_set(&to->verb, verb(a->kind));
    finding_set(&to->what, race_what(d, a));
    to->rank = s->rank->id;
    to->thread = s->thread;
    to->threaded = s->thread != 0;
    set_place(&to->place, source_of(d, a->place));
    describe_stack(d, to, a);
}

void race_describe_call(struct race *d, struct finding *f, uint32_t place)
{
    const struct race_place *p = &d->places.at[place];
    finding_set(&f->access[0].verb, "called");
    finding_set(&f->access[0].what, p->call);
    f->access[0].rank = p->rank->id;
    set_place(&f->access[0].place, source_of(d, place));
    f->accesses = 1;
}

/* A change anywhere in a window is one. */
struct race_access race_shown(const struct race *d, uint32_t access)
{
    struct race_access a = d->accesses.at[access];
    if (race_copies_apart(&a))
        a.kind = RACE_WRITE;
    return a;
}

/* --- the object ----------------------------------------------------------------------------------------- */

static void describe_file(struct finding *f, const char *path, uint64_t offset)
{
    char *name = base_strfmt("file %s+0x%" PRIx64, path, offset);
    finding_set(&f->object, name);
    f->owner = FINDING_NOBODY;
    free(name);
}

static void describe_object(struct race *d, struct finding *f)
{
    uint64_t offset;
    const char *path = race_file_of(d, d->where, &offset);
    if (path) {
        describe_file(f, path, offset);
        return;
    }
    const struct rank *whole = race_copies_owner(d, d->where);
    if (whole) {
        finding_set(&f->object, "window, as a whole,");
        f->owner = whole->id;
        return;
    }
    const struct shadow_area *area = shadow_area_of(&d->shadow, d->where);
    uint32_t space = shadow_space_of(d->where);
    uintptr_t address = shadow_place_of(d->where) + (space ? d->static_page : 0);
    struct rank *owner = area    ? rank_at(d->job, area->rank)
                         : space ? rank_at(d->job, space - 1)
                                 : rank_current;
    char name[512];
    if (!rank_static_name(owner, address, name, sizeof name)) {
        if (area)
            snprintf(name, sizeof name, "%s+0x%" PRIx64, area->kind, d->where - area->low);
        else if (!rank_address_explain(owner, address, name, sizeof name))
            snprintf(name, sizeof name, "0x%" PRIxPTR, address);
    }
    finding_set(&f->object, name);
    f->owner = owner->id;
}

/* The bytes of the cell that the access has touched. */
static uint32_t bytes_in(const struct race *d, uint32_t state, uint32_t access)
{
    struct race_node node;
    for (uint32_t at = state; at; at = node.rest) {
        node = race_node_of(d, at);
        if (node.item >> 4 == access)
            return node.item & RACE_ALL;
    }
    return 0;
}

/* From the first one on, those of the later access that the earlier one has touched, without a gap. Cells further on
 * are as they were. */
static uint64_t count_bytes(struct race *d, uint32_t earlier)
{
    uint64_t n = 0;
    for (uint64_t key = d->where; key < d->upto; key++) {
        const struct shadow_page *p = shadow_find(&d->shadow, key, false);
        uint64_t offset = key & (SHADOW_PAGE - 1);
        uint32_t state = !p ? 0 : p->cell ? p->cell[offset / SHADOW_CELL] : p->all;
        if (!(bytes_in(d, state, earlier) & 1U << offset % SHADOW_CELL))
            break;
        n++;
    }
    return n;
}

void race_describe(struct race *d, struct finding *f, uint32_t earlier, uint32_t later)
{
    struct race_access a = race_shown(d, earlier), b = race_shown(d, later);
    describe_object(d, f);
    f->bytes = count_bytes(d, earlier);
    f->accesses = 2;
    describe_access(d, &f->access[0], &a);
    describe_access(d, &f->access[1], &b);
    f->access[1].at = rank_current ? rank_now(rank_current) : -1;
}

void race_report_release(struct race *d)
{
    free(d->lines.at);
}
