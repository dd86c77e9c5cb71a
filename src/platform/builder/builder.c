/* SPDX-License-Identifier: BSD-3-Clause */
/* builder: the text of a platform built by C code, and reports in terms of its calls (builder.h). */
#include "platform/builder/parts.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- calls ---------------------------------------------------------------------------------------------- */

struct pgasim_platform *builder_begin(struct pgasim_platform *p, const char *function)
{
    if (p) {
        p->function = function;
        return p;
    }
    base_fatal(BASE_EXIT_INPUT, "%s: the platform is NULL; expected the one passed to pgasim_platform",
               function);
}

struct pgasim_platform *builder_begin_in(struct pgasim_zone *z, const char *function)
{
    if (z)
        return builder_begin(z->p, function);
    base_fatal(BASE_EXIT_INPUT, "%s: the zone is NULL; expected one returned by pgasim_zone_add", function);
}

static FILE *text_begin(char **text, size_t *size)
{
    FILE *out = open_memstream(text, size);
    if (out)
        return out;
    base_fatal(BASE_EXIT_HOST, "out of memory: the platform's text");
}

/* "mine.c:12: pgasim_host_add", or the object's name if the place is not known. */
static void place_write(char *buf, size_t size, const struct pgasim_platform *p, const struct builder_call *c)
{
    if (c->file)
        snprintf(buf, size, "%.200s:%u: %s", c->file, c->line, c->function);
    else
        snprintf(buf, size, "%.200s: %s", p->path, c->function);
}

static struct builder_call call_now(const struct pgasim_platform *p)
{
    return (struct builder_call){p->function, p->file, p->line};
}

void builder_refuse(const struct pgasim_platform *p, const char *fmt, ...)
{
    char place[300], text[512];
    struct builder_call call = call_now(p);
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    place_write(place, sizeof place, p, &call);
    base_fatal(BASE_EXIT_INPUT, "%s: %s", place, text);
}

/* --- one element ---------------------------------------------------------------------------------------- */

/* Children follow their parent's tag, which ends with '>':
 * builder_close uses the last '<' to tell whether there are any. */
void builder_open(struct pgasim_platform *p, const char *tag)
{
    if (!p->out)
        p->out = text_begin(&p->element, &p->size);
    fprintf(p->out, "<%s", tag);
}

/* Refuses what XML cannot hold. */
static void put_escaped(struct pgasim_platform *p, const char *attribute, const char *value)
{
    struct base_text text;
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < ' ' && !strchr("\t\n\r", *c))
            builder_refuse(p, "%s \"%.80s\" has a control character; expected none", attribute, value);
    if (!base_utf8_is_valid(value))
        builder_refuse(p, "%s \"%.80s\" is not valid UTF-8; expected UTF-8", attribute, value);
    base_text_init(&text, "a platform's XML");
    base_text_xml(&text, value);
    base_text_write(&text, p->out);
    base_text_release(&text);
}

void builder_text(struct pgasim_platform *p, const char *attribute, const char *value)
{
    if (!value)
        builder_refuse(p, "%s is NULL; expected a text", attribute);
    fprintf(p->out, " %s=\"", attribute);
    put_escaped(p, attribute, value);
    fputc('"', p->out);
}

void builder_option(struct pgasim_platform *p, const char *attribute, const char *value)
{
    if (value)
        builder_text(p, attribute, value);
}

static const char *noun_of(const char *unit)
{
    return !strcmp(unit, "Bps") ? "bytes/s" : !strcmp(unit, "s") ? "seconds" : "flop/s";
}

void builder_number(struct pgasim_platform *p, const char *attribute, double value, const char *unit)
{
    if (!isfinite(value) || value < 0)
        builder_refuse(p, "%s is %g; expected a finite number of %s, at least 0", attribute, value,
                       noun_of(unit));
    fprintf(p->out, " %s=\"%.17g%s\"", attribute, value, unit);
}

void builder_optional(struct pgasim_platform *p, const char *attribute, double value, const char *unit)
{
    if (value != 0)
        builder_number(p, attribute, value, unit);
}

void builder_word(struct pgasim_platform *p, const char *attribute, const char *const *words, size_t n,
                  unsigned value)
{
    if (value >= n)
        builder_refuse(p, "%s is %u; expected 0 to %zu", attribute, value, n - 1);
    builder_text(p, attribute, words[value]);
}

void builder_properties(struct pgasim_platform *p, const struct pgasim_property *properties)
{
    fputc('>', p->out);
    for (; properties && properties->key; properties++) {
        builder_open(p, "prop");
        builder_text(p, "id", properties->key);
        builder_text(p, "value", properties->value);
        fputs("/>", p->out);
    }
}

static char *element_take(struct pgasim_platform *p)
{
    if (fclose(p->out))
        base_fatal(BASE_EXIT_HOST, "out of memory: the platform's text");
    p->out = NULL;
    return p->element;
}

void builder_close(struct pgasim_platform *p, struct pgasim_zone *z, enum builder_section section)
{
    struct builder_item item = {.text = element_take(p), .call = call_now(p)};
    BASE_ARRAY_PUSH(&z->items[section], item);
    p->file = NULL;
}

struct pgasim_zone *builder_close_zone(struct pgasim_platform *p, struct pgasim_zone *in)
{
    struct pgasim_zone *z = base_zalloc(sizeof *z, "a zone of the platform");
    struct builder_item item = {.zone = z};
    z->p = p;
    z->text = element_take(p);
    z->call = call_now(p);
    BASE_ARRAY_PUSH(&in->items[BUILDER_POINTS], item);
    p->file = NULL;
    return z;
}

/* --- all of them ---------------------------------------------------------------------------------------- */

static void write_line(FILE *out, struct builder_xml *xml, const char *text, struct builder_call call)
{
    fprintf(out, "%s\n", text);
    BASE_ARRAY_PUSH(&xml->calls, call);
}

static void write_zone(FILE *out, struct builder_xml *xml, const struct pgasim_zone *z)
{
    for (int s = 0; s < BUILDER_SECTIONS; s++)
        for (size_t k = 0; k < z->items[s].n; k++) {
            const struct builder_item *item = &z->items[s].at[k];
            if (!item->zone) {
                write_line(out, xml, item->text, item->call);
                continue;
            }
            write_line(out, xml, item->zone->text, item->zone->call);
            write_zone(out, xml, item->zone);
            write_line(out, xml, "</zone>", item->zone->call);
        }
}

/* A property of the platform is a setting. */
static void write_config(FILE *out, struct builder_xml *xml, struct pgasim_zone *top)
{
    struct builder_call none = {.function = "pgasim_platform"};
    if (!top->items[BUILDER_PROPERTIES].n)
        return;
    write_line(out, xml, "<config>", none);
    for (size_t k = 0; k < top->items[BUILDER_PROPERTIES].n; k++)
        write_line(out, xml, top->items[BUILDER_PROPERTIES].at[k].text,
                   top->items[BUILDER_PROPERTIES].at[k].call);
    write_line(out, xml, "</config>", none);
}

void builder_write(const struct pgasim_platform *p, struct builder_xml *xml)
{
    struct builder_call none = {.function = "pgasim_platform"};
    struct pgasim_zone top = p->top;
    *xml = (struct builder_xml){0};
    FILE *out = text_begin(&xml->text, &xml->size);
    write_line(out, xml, "<?xml version=\"1.0\"?>", none);
    write_line(out, xml, "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">", none);
    write_line(out, xml, "<platform version=\"4.1\">", none);
    write_config(out, xml, &top);
    top.items[BUILDER_PROPERTIES].n = 0;
    write_zone(out, xml, &top);
    write_line(out, xml, "</platform>", none);
    if (fclose(out))
        base_fatal(BASE_EXIT_HOST, "out of memory: the platform's text");
}

static void zone_release(struct pgasim_zone *z)
{
    for (int s = 0; s < BUILDER_SECTIONS; s++) {
        for (size_t k = 0; k < z->items[s].n; k++) {
            free(z->items[s].at[k].text);
            if (z->items[s].at[k].zone)
                zone_release(z->items[s].at[k].zone);
            free(z->items[s].at[k].zone);
        }
        free(z->items[s].at);
    }
    free(z->text);
}

struct pgasim_platform *builder_create(const char *path)
{
    struct pgasim_platform *p = base_zalloc(sizeof *p, "the platform");
    p->path = path;
    p->top.p = p;
    return p;
}

void builder_destroy(struct pgasim_platform *p)
{
    zone_release(&p->top);
    free(p);
}

/* --- reports ------------------------------------------------------------------------------------------ */

static const struct builder_call *call_of_line(const struct builder_xml *xml, unsigned long line)
{
    return line >= 1 && line <= xml->calls.n ? &xml->calls.at[line - 1] : NULL;
}

/* Turns "PATH:12: why" into "mine.c:40: pgasim_host_add:
 * why", and " line 7" within it into the line of that call. */
void builder_translate(const struct pgasim_platform *p, const struct builder_xml *xml, struct base_status *st)
{
    struct base_status out;
    size_t n = strlen(p->path);
    char place[300], *at;
    const struct builder_call *call;
    if (strncmp(st->text, p->path, n) != 0 || st->text[n] != ':')
        return;
    unsigned long line = strtoul(st->text + n + 1, &at, 10);
    if (*at != ':' || !(call = call_of_line(xml, line)))
        return;
    place_write(place, sizeof place, p, call);
    char *other = strstr(at, " line ");
    const struct builder_call *earlier = other ? call_of_line(xml, strtoul(other + 6, NULL, 10)) : NULL;
    if (earlier && earlier->file) {
        char *behind = other + 6 + strspn(other + 6, "0123456789");
        snprintf(out.text, sizeof out.text, "%s%.*s line %u%s", place, (int)(other - at), at, earlier->line,
                 behind);
    } else {
        snprintf(out.text, sizeof out.text, "%s%s", place, at);
    }
    *st = out;
}
