/* SPDX-License-Identifier: BSD-3-Clause */
/* svg: lines, boxes and texts of pictures. Numbers have one decimal: a tenth of a pixel. */
#include "platform/draw/picture.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* Ten times the bandwidth is 1.8 times the width; 1 GB/s is 1.3 pixels wide. */
double draw_width(double bandwidth)
{
    double w = 1.3 * pow(1.8, log10(bandwidth) - 9);
    return w < 0.4 ? 0.4 : w > 6 ? 6 : w;
}

double draw_host_side(uint32_t n)
{
    return n <= 16 ? 20 : n <= DRAW_NAMED ? 16 : n <= 300 ? 12 : n <= 1500 ? 10 : 6;
}

static void escape(FILE *out, const char *text)
{
    struct base_text t;
    base_text_init(&t, "a picture's text");
    base_text_xml(&t, text);
    base_text_write(&t, out);
    base_text_release(&t);
}

static void put_title(const struct draw *d, const char *title, const char *tag)
{
    if (!title) {
        fputs("/>\n", d->out);
        return;
    }
    fputs("><title>", d->out);
    escape(d->out, title);
    fprintf(d->out, "</title></%s>\n", tag);
}

/* --- links -------------------------------------------------------------------------------------------- */

static void close_range(struct draw_links *l)
{
    char range[32];
    if (!l->open)
        return;
    int n = snprintf(range, sizeof range, l->last > l->first ? "%s%u-%u" : "%s%u", l->n ? "," : "", l->first,
                     l->last);
    if (l->n + (size_t)n < sizeof l->text) {
        memcpy(l->text + l->n, range, (size_t)n + 1);
        l->n += (size_t)n;
    }
    l->open = false;
}

void draw_links_add(struct draw_links *l, uint32_t first, uint32_t n)
{
    if (!l->open || first != l->last + 1) {
        close_range(l);
        l->first = first;
        l->open = true;
    }
    l->last = first + n - 1;
}

void draw_links_cables(struct draw_links *l, const struct platform_regular *r, uint32_t cable, uint32_t n)
{
    uint32_t each = r->split ? 2 : 1;
    draw_links_add(l, r->first_cable + each * cable, each * n);
}

static void put_links(const struct draw *d, struct draw_links *l)
{
    if (!l)
        return;
    close_range(l);
    if (l->n)
        fprintf(d->out, " data-links=\"%s\"", l->text);
}

/* --- shapes ------------------------------------------------------------------------------------------- */

void draw_line_of(const struct draw *d, struct draw_at a, struct draw_at b, double width, const char *style,
                  struct draw_links *links)
{
    fprintf(d->out, "<path class=\"%s\"", style);
    put_links(d, links);
    fprintf(d->out, " stroke-width=\"%.1f\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", width, a.x, a.y, b.x, b.y);
}

void draw_line(const struct draw *d, struct draw_at a, struct draw_at b, double width, const char *style)
{
    draw_line_of(d, a, b, width, style, NULL);
}

void draw_rect_of(const struct draw *d, struct draw_box b, double round, const char *style, const char *title,
                  struct draw_links *links)
{
    fprintf(d->out, "<rect class=\"%s\"", style);
    put_links(d, links);
    fprintf(d->out, " x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"", b.x, b.y, b.w, b.h,
            round);
    put_title(d, title, "rect");
}

void draw_rect(const struct draw *d, struct draw_box b, double round, const char *style, const char *title)
{
    draw_rect_of(d, b, round, style, title, NULL);
}

void draw_circle(const struct draw *d, struct draw_at at, double radius, const char *style, const char *title)
{
    fprintf(d->out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"", style, at.x, at.y, radius);
    put_title(d, title, "circle");
}

/* Bytes of the first `most` letters, each of which may take several bytes. */
static size_t cut(const char *text, unsigned most)
{
    size_t n = 0;
    for (unsigned letters = 0; text[n] && letters < most; letters++) {
        unsigned bytes = base_utf8(text + n);
        n += bytes ? bytes : 1;
    }
    return n;
}

void draw_text(const struct draw *d, struct draw_at at, double size, const char *anchor, unsigned most,
               const char *style, const char *text)
{
    char shown[256];
    size_t n = strlen(text), keep = most && cut(text, most) < n ? cut(text, most - 1) : n;
    bool cuts = keep < n;
    if (keep > sizeof shown - 8)
        keep = cut(text, 60);
    memcpy(shown, text, keep);
    strcpy(shown + keep, cuts || keep < n ? "\xe2\x80\xa6" : "");
    fprintf(d->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"%s\">", style,
            at.x, at.y, size, anchor);
    escape(d->out, shown);
    fputs("</text>\n", d->out);
}
