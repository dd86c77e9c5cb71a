/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader: what tags ask of the reader and report to it: the values of attributes, the line, and errors, of
 * which the first is kept. xml.c does the reading.
 */
#include "platform/xml/reader.h"

#include <expat.h>
#include <string.h>

/* --- reports ------------------------------------------------------------------------------------ */

uint32_t platform_reader_line(const struct platform_reader *r)
{
    return (uint32_t)XML_GetCurrentLineNumber(r->xml);
}

static int fail_with(struct platform_reader *r, uint32_t line, const char *fmt, va_list args)
{
    if (r->failed)
        return -1;
    char text[400];
    vsnprintf(text, sizeof text, fmt, args);
    base_fail(r->st, "%s:%u: %s", r->name, line, text);
    r->failed = true;
    XML_StopParser(r->xml, XML_FALSE);
    return -1;
}

int platform_reader_fail(struct platform_reader *r, uint32_t line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int rc = fail_with(r, line, fmt, args);
    va_end(args);
    return rc;
}

int platform_reader_refuse(struct platform_reader *r, const char *attribute, const char *why)
{
    const struct platform_element *top = &r->open[r->depth - 1];
    return platform_reader_fail(r, top->line, "<%s %s=\"%.80s\">: %s", top->tag->name, attribute,
                                platform_reader_value(r, attribute), why);
}

int platform_element_fail(struct platform_reader *r, const char *why)
{
    const struct platform_element *top = platform_reader_top(r);
    return platform_reader_fail(r, top->line, "<%s>: %s", top->tag->name, why);
}

/* --- attributes --------------------------------------------------------------------------------- */

int platform_attribute_find(const struct platform_tag *tag, const char *name)
{
    for (int k = 0; tag->attributes[k].name; k++)
        if (!strcmp(tag->attributes[k].name, name))
            return k;
    return -1;
}

const char *platform_reader_value(const struct platform_reader *r, const char *attribute)
{
    int k = platform_attribute_find(r->open[r->depth - 1].tag, attribute);
    BASE_ASSERT("P7", k >= 0);
    return r->values[k];
}
