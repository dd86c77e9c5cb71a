/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xml: from the text of a platform file to calls of elements*.c, one per tag. Checks each element by itself
 * against the DTD: whether it is allowed there, and its attributes. An error is reported once, with file and
 * line, and stops the reading.
 *
 * A doctype is accepted, but its file is never fetched. Entities other than XML's own five are refused,
 * declared or not, so that nothing expands.
 */
#include "platform/xml/reader.h"
#include "platform/xml/xml.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

/* --- attributes --------------------------------------------------------------------------------- */

static int attributes_check(struct platform_reader *r, const struct platform_tag *tag, uint32_t line)
{
    for (int k = 0; tag->attributes[k].name; k++) {
        const struct platform_attribute *a = &tag->attributes[k];
        if (!r->values[k])
            return platform_reader_fail(r, line, "<%s> without %s; expected %s=\"...\"", tag->name, a->name,
                                        a->name);
        if (a->refused && strcmp(r->values[k], a->initial))
            return platform_reader_fail(r, line, "<%s %s=\"%.80s\"> is not modelled yet", tag->name, a->name,
                                        r->values[k]);
    }
    return 0;
}

/* Fills r->values from the parser's list of names and values. */
static int attributes_take(struct platform_reader *r, const struct platform_tag *tag, const char **list,
                           uint32_t line)
{
    for (int k = 0; tag->attributes[k].name; k++)
        r->values[k] = tag->attributes[k].initial;
    for (; *list; list += 2) {
        int k = platform_attribute_find(tag, list[0]);
        if (k < 0)
            return platform_reader_fail(r, line, "<%s> has no attribute %.80s in DTD 4.1", tag->name,
                                        list[0]);
        r->values[k] = list[1];
    }
    return attributes_check(r, tag, line);
}

/* --- elements ----------------------------------------------------------------------------------- */

/* If the doctype names an external file, the parser silently drops references to unknown entities from
 * attributes; so we search the tag's original text for them. */
static int references_check(struct platform_reader *r, uint32_t line)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"};
    size_t from = (size_t)XML_GetCurrentByteIndex(r->xml), n = (size_t)XML_GetCurrentByteCount(r->xml);
    if (from > r->size || n > r->size - from)
        return 0;
    for (const char *at = r->text + from, *end = at + n; (at = memchr(at, '&', (size_t)(end - at))); at++) {
        bool ok = false;
        for (size_t k = 0; !ok && k < BASE_LENGTH(known); k++) {
            size_t length = strlen(known[k]);
            ok = (size_t)(end - at) >= length && !memcmp(at, known[k], length);
        }
        if (!ok)
            return platform_reader_fail(r, line, "a reference to an entity; expected only XML's own five");
    }
    return 0;
}

static int refused(struct platform_reader *r, const struct platform_tag *tag, const char **list,
                   uint32_t line)
{
    if (*list)
        return platform_reader_fail(r, line, "<%s %.80s=\"%.80s\"> %s", tag->name, list[0], list[1],
                                    tag->refusal);
    return platform_reader_fail(r, line, "<%s> %s", tag->name, tag->refusal);
}

static int place_check(struct platform_reader *r, const struct platform_tag *tag, uint32_t line)
{
    const struct platform_tag *around = r->depth ? r->open[r->depth - 1].tag : NULL;
    if (!around && !(tag->inside & PLATFORM_IN_DOCUMENT))
        return platform_reader_fail(r, line, "<%s> outside <platform>; expected <platform version=\"4.1\">",
                                    tag->name);
    if (around && !(tag->inside & around->opens))
        return platform_reader_fail(r, line, "<%s> is not allowed in <%s>", tag->name, around->name);
    return 0;
}

static void on_begin(void *arg, const char *name, const char **list)
{
    struct platform_reader *r = arg;
    if (r->failed)
        return;
    uint32_t line = platform_reader_line(r);
    const struct platform_tag *tag = platform_tag_find(name);
    if (!tag) {
        platform_reader_fail(r, line, "unknown tag <%.80s>; expected one of SimGrid's DTD 4.1", name);
        return;
    }
    if (tag->refusal) {
        refused(r, tag, list, line);
        return;
    }
    if (r->deployment && !platform_tag_deploys(tag)) {
        platform_reader_fail(r, line, "<%s> in a deployment file; expected <actor>s only", name);
        return;
    }
    if (place_check(r, tag, line) || references_check(r, line) || attributes_take(r, tag, list, line))
        return;
    if (r->depth == PLATFORM_READER_DEPTH) {
        platform_reader_fail(r, line, "zones nested deeper than %d", PLATFORM_NESTING);
        return;
    }
    r->open[r->depth++] = (struct platform_element){tag, line, {PLATFORM_NONE, PLATFORM_NONE}};
    tag->begin(r);
}

static void on_end(void *arg, const char *name)
{
    (void)name;
    struct platform_reader *r = arg;
    if (r->failed)
        return;
    r->open[r->depth - 1].tag->end(r);
    r->depth--;
}

static void on_text(void *arg, const char *text, int length)
{
    struct platform_reader *r = arg;
    if (r->failed)
        return;
    if (r->depth && platform_reader_top(r)->tag->opens & PLATFORM_IN_TEXT) {
        if (!r->content.n)
            r->content_line = platform_reader_line(r);
        for (int k = 0; k < length; k++)
            BASE_ARRAY_PUSH(&r->content, text[k]);
        return;
    }
    for (int k = 0; k < length; k++)
        if (!strchr(" \t\r\n", text[k]) || !text[k]) {
            platform_reader_fail(r, platform_reader_line(r), "text between tags; expected only tags");
            return;
        }
}

static void on_entity(void *arg, const char *name, int is_parameter, const char *value, int length,
                      const char *base, const char *system, const char *public, const char *notation)
{
    (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
    struct platform_reader *r = arg;
    platform_reader_fail(r, platform_reader_line(r), "the entity '%.80s' is declared; expected no entities",
                         name);
}

static void on_skipped(void *arg, const char *name, int is_parameter)
{
    (void)is_parameter;
    struct platform_reader *r = arg;
    platform_reader_fail(r, platform_reader_line(r), "a reference to the entity '%.80s'; expected none",
                         name);
}

/* --- reading ------------------------------------------------------------------------------------ */

static void *xml_malloc(size_t bytes)
{
    return base_alloc(bytes, "the XML parser");
}

static void *xml_realloc(void *at, size_t bytes)
{
    return base_realloc(at, bytes, "the XML parser");
}

static XML_Parser parser_create(struct platform_reader *r)
{
    static const XML_Memory_Handling_Suite memory = {xml_malloc, xml_realloc, free};
    XML_Parser xml = XML_ParserCreate_MM(NULL, &memory, NULL);
    XML_SetUserData(xml, r);
    XML_SetElementHandler(xml, on_begin, on_end);
    XML_SetCharacterDataHandler(xml, on_text);
    XML_SetEntityDeclHandler(xml, on_entity);
    XML_SetSkippedEntityHandler(xml, on_skipped);
    return xml;
}

int platform_reader_run(struct platform_reader *r)
{
    if (r->size > INT32_MAX)
        return base_fail(r->st, "%s: larger than 2 GiB", r->name);
    r->xml = parser_create(r);
    if (XML_Parse(r->xml, r->text, (int)r->size, XML_TRUE) == XML_STATUS_OK || r->failed)
        return r->failed ? -1 : 0;
    return platform_reader_fail(r, platform_reader_line(r), "malformed XML: %s",
                                XML_ErrorString(XML_GetErrorCode(r->xml)));
}

void platform_reader_release(struct platform_reader *r)
{
    if (r->xml)
        XML_ParserFree(r->xml);
    free(r->route.crossings.at);
    free(r->content.at);
    free(r->connections.at);
    free(r->actors.at);
}

int platform_read(struct platform **out, const char *text, size_t size, const char *name,
                  struct base_settings *settings, uint32_t host_limit, struct base_status *st)
{
    struct platform_reader r = {.p = platform_create(name),
                                .settings = settings,
                                .st = st,
                                .name = name,
                                .text = text,
                                .size = size,
                                .zone = PLATFORM_NONE};
    r.p->host_limit = host_limit;
    int rc = platform_reader_run(&r);
    uint32_t line;
    struct base_status why;
    if (rc == 0 && platform_seal(r.p, &line, &why))
        rc = platform_reader_fail(&r, line, "%s", why.text);
    platform_reader_release(&r);
    if (rc)
        platform_destroy(r.p);
    else
        *out = r.p;
    return rc;
}

int platform_load_text(struct platform **out, const char *text, size_t size, const char *name,
                       struct base_settings *settings, struct base_status *st)
{
    return platform_read(out, text, size, name, settings, PLATFORM_HOST_LIMIT, st);
}
