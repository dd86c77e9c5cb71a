/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sarif: findings as SARIF 2.1.0 (OASIS, 2020), for code hosts and editors. Section numbers are the standard's.
 * A result's location is that of the earlier access, its first related location that of the later one; both have
 * their call stacks.
 */
#include "check/finding/parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

static const char schema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/* --- texts ---------------------------------------------------------------------------------------------- */

/* Brackets are links in messages (3.11.6). */
static void add_plain(struct base_text *t, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]\\", *text))
            base_text_char(t, '\\');
        base_text_char(t, *text == '\n' ? ' ' : *text);
    }
}

/* {"text": ...}; takes the text. */
static void put_message(struct base_json *j, struct base_text *t)
{
    char *text = base_text_take(t);
    base_json_open(j, "message", '{');
    base_json_text(j, "text", text);
    base_json_close(j);
    free(text);
}

/* RFC 3986: what may stand in a path stays. */
static char *uri_of(const char *path)
{
    struct base_text t;
    base_text_init(&t, "a URI");
    base_text_add(&t, *path == '/' ? "file://" : "");
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
            base_text_char(&t, *path);
        else
            base_text_format(&t, "%%%02X", (unsigned)(unsigned char)*path);
    return base_text_take(&t);
}

static void add_access(struct base_text *t, const struct finding_access *a)
{
    struct base_text access;
    base_text_init(&access, "a message");
    finding_access_text(a, &access);
    char *text = base_text_take(&access);
    add_plain(t, text);
    free(text);
}

/* --- locations ------------------------------------------------------------------------------------------ */

/* The members of a location (3.28). */
static void put_place(struct base_json *j, const struct finding_place *p)
{
    if (p->line && *p->file) {
        char *uri = uri_of(p->file);
        base_json_open(j, "physicalLocation", '{');
        base_json_open(j, "artifactLocation", '{');
        base_json_text(j, "uri", uri);
        base_json_close(j);
        base_json_open(j, "region", '{');
        base_json_count(j, "startLine", p->line);
        base_json_close(j);
        base_json_close(j);
        free(uri);
    }
    if (!*p->function)
        return;
    base_json_open(j, "logicalLocations", '[');
    base_json_open(j, NULL, '{');
    base_json_text(j, "name", p->function);
    base_json_text(j, "kind", "function");
    base_json_close(j);
    base_json_close(j);
}

static void put_access(struct base_json *j, const struct finding_access *a, int id)
{
    struct base_text t;
    base_text_init(&t, "a message");
    add_access(&t, a);
    base_json_open(j, NULL, '{');
    if (id)
        base_json_count(j, "id", (uint64_t)id);
    put_place(j, &a->place);
    put_message(j, &t);
    base_json_close(j);
}

static void put_frame(struct base_json *j, const struct finding_place *p)
{
    base_json_open(j, NULL, '{');
    base_json_open(j, "location", '{');
    put_place(j, p);
    base_json_close(j);
    base_json_close(j);
}

/* No two of a result's stacks may be equal (3.27.18). */
static void put_stack(struct base_json *j, const struct finding_access *a, bool later)
{
    struct base_text t;
    base_text_init(&t, "a message");
    base_text_add(&t, later ? "then " : "first ");
    add_access(&t, a);
    base_json_open(j, NULL, '{');
    put_message(j, &t);
    base_json_open(j, "frames", '[');
    put_frame(j, &a->place);
    for (size_t k = 0; k < a->stack.n; k++)
        put_frame(j, &a->stack.at[k]);
    base_json_close(j);
    base_json_close(j);
}

/* --- results -------------------------------------------------------------------------------------------- */

static void put_text(struct base_json *j, const struct finding *f, const char *more)
{
    struct base_text t;
    base_text_init(&t, "a message");
    if (*f->object) {
        base_text_add(&t, finding_rules[f->kind].word);
        base_text_add(&t, " on ");
        add_plain(&t, f->object);
        if (f->owner != FINDING_NOBODY)
            base_text_format(&t, " of rank %" PRIu32, f->owner);
        base_text_add(&t, ": ");
    }
    for (uint32_t k = 0; k < f->accesses; k++) {
        base_text_add(&t, k ? ", and [" : "");
        add_access(&t, &f->access[k]);
        base_text_add(&t, k ? "](1)" : "");
    }
    base_text_add(&t, f->accesses && *f->missing ? ": " : "");
    add_plain(&t, f->missing);
    if (*f->fix) {
        base_text_add(&t, ". Fix: ");
        add_plain(&t, f->fix);
    }
    if (more) {
        base_text_add(&t, "; ");
        add_plain(&t, more);
    }
    base_text_char(&t, '.');
    put_message(j, &t);
}

static void put_places(struct base_json *j, const struct finding *f)
{
    base_json_open(j, "locations", '[');
    if (f->accesses)
        put_access(j, &f->access[0], 0);
    base_json_close(j);
    if (!f->accesses)
        return;
    base_json_open(j, "relatedLocations", '[');
    if (f->accesses > 1)
        put_access(j, &f->access[1], 1);
    base_json_close(j);
    base_json_open(j, "stacks", '[');
    for (uint32_t k = 0; k < f->accesses; k++)
        put_stack(j, &f->access[k], k > 0);
    base_json_close(j);
}

void finding_sarif_add(struct base_json *j, const struct finding *f, const char *more)
{
    char print[24];
    snprintf(print, sizeof print, "%016" PRIx64, finding_fingerprint(f));
    base_json_open(j, NULL, '{');
    base_json_text(j, "ruleId", finding_rules[f->kind].word);
    base_json_count(j, "ruleIndex", f->kind);
    base_json_text(j, "level", finding_level_word(finding_rules[f->kind].level));
    put_text(j, f, more);
    put_places(j, f);
    base_json_open(j, "partialFingerprints", '{');
    base_json_text(j, "accesses/v1", print);
    base_json_close(j);
    base_json_count(j, "occurrenceCount", f->count);
    base_json_open(j, "properties", '{');
    finding_json_members(j, f);
    base_json_close(j);
    base_json_close(j);
}

/* --- the file ------------------------------------------------------------------------------------------- */

static void put_rule(struct base_json *j, const struct finding_rule *r)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "id", r->word);
    base_json_open(j, "shortDescription", '{');
    base_json_text(j, "text", r->help);
    base_json_close(j);
    base_json_open(j, "defaultConfiguration", '{');
    base_json_text(j, "level", finding_level_word(r->level));
    base_json_close(j);
    base_json_close(j);
}

void finding_sarif_begin(struct base_json *j)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "$schema", schema);
    base_json_text(j, "version", "2.1.0");
    base_json_open(j, "runs", '[');
    base_json_open(j, NULL, '{');
    base_json_open(j, "tool", '{');
    base_json_open(j, "driver", '{');
    base_json_text(j, "name", "pgasim");
    base_json_text(j, "version", pgasim_version);
    base_json_open(j, "rules", '[');
    for (unsigned k = 0; k < FINDING_KINDS; k++)
        put_rule(j, &finding_rules[k]);
    base_json_close(j);
    base_json_close(j);
    base_json_close(j);
    base_json_text(j, "columnKind", "unicodeCodePoints");
    base_json_open(j, "results", '[');
}

/* `executionSuccessful` says whether the tool could do its work, not whether it found something. */
void finding_sarif_end(struct base_json *j, const char *command, int status)
{
    bool unable = status == BASE_EXIT_INPUT || status == BASE_EXIT_HOST || status == BASE_EXIT_BUG;
    base_json_close(j);
    base_json_open(j, "invocations", '[');
    base_json_open(j, NULL, '{');
    base_json_text(j, "commandLine", command);
    base_json_count(j, "exitCode", (uint64_t)status);
    base_json_flag(j, "executionSuccessful", !unable);
    base_json_close(j);
    base_json_close(j);
    base_json_close(j);
    base_json_close(j);
    base_json_close(j);
}
