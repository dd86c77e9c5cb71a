/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader: what the XML reader (xml.c), the table of tags
 * (schema.c) and the meaning of tags (elements*.c) share.
 */
#ifndef PGASIM_PLATFORM_READER_H
#define PGASIM_PLATFORM_READER_H

#include "platform/zone/zone.h"

enum { PLATFORM_READER_DEPTH = PLATFORM_NESTING + 8, PLATFORM_READER_ATTRIBUTES = 20 };

struct platform_reader;

/* An attribute of a tag. Without an initial value it is required;
 * one that is not modelled may be given only with its initial value. */
struct platform_attribute {
    const char *name;
    const char *initial;
    bool refused;
};

/* A tag of DTD 4.1: modelled (`begin` and `end`, which return -1 after platform_reader_fail), or refused with
 * a reason. */
struct platform_tag {
    const char *name;
    const char *refusal; /* follows "<tag id=...> "; NULL: modelled */
    const struct platform_attribute *attributes;
    unsigned inside; /* set of PLATFORM_IN_...: where it is allowed */
    unsigned opens;  /* the PLATFORM_IN_... of its content, 0: empty */
    int (*begin)(struct platform_reader *r);
    int (*end)(struct platform_reader *r);
};
enum {
    PLATFORM_IN_DOCUMENT = 1,
    PLATFORM_IN_PLATFORM = 2,
    PLATFORM_IN_CONFIG = 4,
    PLATFORM_IN_ZONE = 8,
    PLATFORM_IN_ITEM = 16, /* of <host>, <link>, <cluster>: only <prop> */
    PLATFORM_IN_ROUTE = 32,
    PLATFORM_IN_HOST = 64,  /* <disk> */
    PLATFORM_IN_TEXT = 128, /* of <trace>: text, no tags */
    PLATFORM_IN_ACTOR = 256,
};

/* An open element: where its tag began and what a <prop> in it belongs to. */
struct platform_element {
    const struct platform_tag *tag;
    uint32_t line;
    uint32_t owner[2]; /* see struct platform_property; PLATFORM_NONE: none */
};

/* A <trace_connect>; resolved at the end of the file. */
struct platform_connection {
    const char *element;
    enum platform_trait trait;
    uint32_t trace, line;
};
/* An <actor>: the host of a rank. */
struct platform_actor {
    const char *host;
    uint32_t line;
    uint32_t rank; /* its property rank_id, or PLATFORM_NONE */
};

struct platform_reader {
    struct platform *p;
    struct base_settings *settings; /* may be NULL: none are known */
    struct base_status *st;
    const char *name; /* of the file */
    void *xml;        /* the XML parser */
    const char *text; /* all of the file */
    size_t size;
    bool failed;
    uint32_t depth; /* elements open */
    struct platform_element open[PLATFORM_READER_DEPTH];
    const char *values[PLATFORM_READER_ATTRIBUTES]; /* of the current element, by index in its tag's list */
    uint32_t zone;                                  /* the zone that is open, PLATFORM_NONE at the top */
    struct platform_route_spec route;               /* the route that is open */
    BASE_ARRAY(char) content;                       /* of the <trace> that is open */
    uint32_t content_line;                          /* where it begins */
    const char *trace_id;                           /* kept; NULL: it has a file, or its id was used before */
    double periodicity;
    BASE_ARRAY(struct platform_connection) connections;
    BASE_ARRAY(struct platform_actor) actors;
    bool deployment; /* the file only says where actors start */
};

/* --- schema.c --- */

const struct platform_tag *platform_tag_find(const char *name);
bool platform_tag_deploys(const struct platform_tag *tag); /* may stand in a deployment file */

/* --- xml.c --- */

/* Parses r->text; -1 after platform_reader_fail. */
int platform_reader_run(struct platform_reader *r);
void platform_reader_release(struct platform_reader *r); /* but not the platform */

/* --- reader.c --- */

uint32_t platform_reader_line(const struct platform_reader *r);
static inline struct platform_element *platform_reader_top(struct platform_reader *r)
{
    return &r->open[r->depth - 1];
}
/* The value of an attribute of the current element, or its initial value if not given. */
const char *platform_reader_value(const struct platform_reader *r, const char *attribute);
/* Each notes the first failure as "FILE:LINE: ...", stops the parser and returns -1. */
int platform_reader_fail(struct platform_reader *r, uint32_t line, const char *fmt, ...) BASE_PRINTF(3, 4);
/* Reports "... <tag attribute="value">: why" for the current element. */
int platform_reader_refuse(struct platform_reader *r, const char *attribute, const char *why);
/* "<tag>: why", at the line of the element on top. Always -1. */
int platform_element_fail(struct platform_reader *r, const char *why);
/* The index of an attribute in its tag's list, or -1. */
int platform_attribute_find(const struct platform_tag *tag, const char *name);

#endif
