/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: platforms built by C code (the second part of pgasim.h). Each call becomes one line of XML, which is
 * read like a file, so a call cannot mean anything else than its element. builder.c has the text, its order
 * and reports; api.c the calls; load.c opens shared objects.
 */
#ifndef PGASIM_PLATFORM_PARTS_H
#define PGASIM_PLATFORM_PARTS_H

#define PGASIM_NO_PLACES
#include "pgasim.h"
#include "platform/builder/builder.h"

/* An element's position in its zone: links before points, so that routes, which come last, may name both. */
enum builder_section {
    BUILDER_PROPERTIES,
    BUILDER_LINKS,
    BUILDER_POINTS, /* hosts, routers, zones, clusters */
    BUILDER_ROUTES,
    BUILDER_PROFILES,
    BUILDER_SECTIONS
};
struct builder_call {
    const char *function, *file; /* file: NULL if called without the macros */
    unsigned line;
};
/* A line of XML, or the zone at that position. */
struct builder_item {
    char *text;
    struct pgasim_zone *zone;
    struct builder_call call;
};
struct pgasim_zone {
    struct pgasim_platform *p;
    char *text; /* its tag */
    struct builder_call call;
    BASE_ARRAY(struct builder_item) items[BUILDER_SECTIONS];
};
struct pgasim_platform {
    const char *path; /* of the shared object */
    const char *file; /* of the coming call; NULL: not known */
    unsigned line;
    const char *function;   /* the call that goes on */
    struct pgasim_zone top; /* stands for the platform: its items are <config> and the top zone */
    char *element;          /* the element being written */
    size_t size;
    FILE *out;
    uint32_t profiles;
};

/* Begins a call; reports a zone or platform that is NULL. */
struct pgasim_platform *builder_begin(struct pgasim_platform *p, const char *function);
struct pgasim_platform *builder_begin_in(struct pgasim_zone *z, const char *function);
/* Reports "FILE:LINE: function: ..." and ends the process with status 2. */
_Noreturn void builder_refuse(const struct pgasim_platform *p, const char *fmt, ...) BASE_PRINTF(2, 3);

/* The call's element: <tag a="..." ...>, its children, and its end. */
void builder_open(struct pgasim_platform *p, const char *tag);
void builder_text(struct pgasim_platform *p, const char *attribute, const char *value); /* not NULL */
void builder_option(struct pgasim_platform *p, const char *attribute,
                    const char *value); /* left out when NULL */
/* A finite number with a unit. */
void builder_number(struct pgasim_platform *p, const char *attribute, double value, const char *unit);
void builder_optional(struct pgasim_platform *p, const char *attribute, double value,
                      const char *unit); /* or 0 */
void builder_word(struct pgasim_platform *p, const char *attribute, const char *const *words, size_t n,
                  unsigned value);
void builder_properties(struct pgasim_platform *p, const struct pgasim_property *properties);
/* Adds the element to its section; `children`: the text between the tags, or NULL. */
void builder_close(struct pgasim_platform *p, struct pgasim_zone *z, enum builder_section section);
struct pgasim_zone *builder_close_zone(struct pgasim_platform *p, struct pgasim_zone *in);

/* The whole text as XML, and which call each line came from. */
struct builder_xml {
    char *text;
    size_t size;
    BASE_ARRAY(struct builder_call) calls; /* by line, from 0 */
};
struct pgasim_platform *builder_create(const char *path);
void builder_destroy(struct pgasim_platform *p);
void builder_write(const struct pgasim_platform *p, struct builder_xml *xml);
/* Rewrites the report with places of calls instead of lines of XML. */
void builder_translate(const struct pgasim_platform *p, const struct builder_xml *xml,
                       struct base_status *st);

#endif
