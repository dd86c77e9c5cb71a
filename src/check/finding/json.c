/* SPDX-License-Identifier: BSD-3-Clause */
/* json: findings as objects, and as lines of JSON that read.c reads back. The keys are documented in docs/check.md. */
#include "check/finding/parts.h"

static void put_place(struct base_json *j, const char *key, const struct finding_place *p)
{
    base_json_open(j, key, '{');
    base_json_text(j, "function", p->function);
    if (p->line) {
        base_json_text(j, "file", p->file);
        base_json_count(j, "line", p->line);
    } else if (*p->object) {
        base_json_text(j, "object", p->object);
        base_json_count(j, "offset", p->offset);
    }
    base_json_close(j);
}

static void put_access(struct base_json *j, const struct finding_access *a)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "verb", a->verb);
    base_json_text(j, "what", a->what);
    base_json_count(j, "rank", a->rank);
    if (a->threaded)
        base_json_count(j, "thread", a->thread);
    if (a->at >= 0)
        base_json_number(j, "at", a->at);
    put_place(j, "place", &a->place);
    base_json_open(j, "stack", '[');
    for (size_t k = 0; k < a->stack.n; k++)
        put_place(j, NULL, &a->stack.at[k]);
    base_json_close(j);
    base_json_close(j);
}

void finding_json_members(struct base_json *j, const struct finding *f)
{
    base_json_text(j, "kind", finding_rules[f->kind].word);
    base_json_text(j, "level", finding_level_word(finding_rules[f->kind].level));
    base_json_text(j, "object", f->object);
    if (f->owner != FINDING_NOBODY)
        base_json_count(j, "owner", f->owner);
    base_json_count(j, "bytes", f->bytes);
    base_json_open(j, "accesses", '[');
    for (uint32_t k = 0; k < f->accesses; k++)
        put_access(j, &f->access[k]);
    base_json_close(j);
    base_json_text(j, "missing", f->missing);
    base_json_text(j, "fix", f->fix);
    base_json_count(j, "count", f->count);
}

void finding_json(struct base_json *j, const struct finding *f)
{
    base_json_open(j, NULL, '{');
    finding_json_members(j, f);
    base_json_close(j);
}

void finding_json_suppressed(struct base_json *j, const struct finding_summary *s)
{
    base_json_open(j, "suppressed", '[');
    for (size_t k = 0; k < s->suppressed.n; k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", s->suppressed.at[k].name);
        base_json_text(j, "place", s->suppressed.at[k].place);
        base_json_count(j, "findings", s->suppressed.at[k].findings);
        base_json_close(j);
    }
    base_json_close(j);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static const struct base_json_form line_form = {.indent = NULL};

static void end_line(struct base_json *j, FILE *out)
{
    base_json_end(j);
    fputc('\n', out);
    fflush(out);
}

void finding_write_head(FILE *out)
{
    struct base_json j;
    base_json_init(&j, out, &line_form);
    base_json_open(&j, NULL, '{');
    base_json_count(&j, "findings", FINDING_FORMAT);
    base_json_text(&j, "pgasim", pgasim_version);
    base_json_close(&j);
    end_line(&j, out);
}

void finding_write(FILE *out, const struct finding *f)
{
    struct base_json j;
    base_json_init(&j, out, &line_form);
    finding_json(&j, f);
    end_line(&j, out);
}

void finding_json_texts(struct base_json *j, const char *key, const struct finding_texts *t)
{
    base_json_open(j, key, '[');
    for (size_t k = 0; k < t->text.n; k++)
        base_json_text(j, NULL, t->text.at[k]);
    base_json_close(j);
}

void finding_write_end(FILE *out, const struct finding_list *l)
{
    struct base_json j;
    const struct finding_summary *s = &l->summary;
    base_json_init(&j, out, &line_form);
    base_json_open(&j, NULL, '{');
    base_json_open(&j, "counts", '[');
    for (size_t k = 0; k < l->at.n; k++)
        base_json_count(&j, NULL, l->at.at[k].count);
    base_json_close(&j);
    base_json_count(&j, "found", s->found);
    base_json_count(&j, "operations", s->operations);
    base_json_count(&j, "actions", s->actions);
    base_json_count(&j, "files", s->files);
    base_json_count(&j, "loads", s->loads);
    base_json_count(&j, "stores", s->stores);
    finding_json_texts(&j, "unseen", &s->unseen);
    finding_json_texts(&j, "allowed", &s->allowed);
    finding_json_suppressed(&j, s);
    base_json_close(&j);
    end_line(&j, out);
}
