/* SPDX-License-Identifier: BSD-3-Clause */
/* finding: kinds, and findings as they are kept. */
#include "base/table.h"
#include "check/finding/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- kinds ---------------------------------------------------------------------------------------------- */

const struct finding_rule finding_rules[FINDING_KINDS] = {
    [FINDING_RACE] =
        {"race", "race", FINDING_ERROR,
         "Two accesses to the same memory, of which one writes, are not ordered: their ranks do not "
         "synchronize in between, or a one-sided operation is not complete by then."},
    [FINDING_MIXED_ATOMICS] =
        {"mixed-atomics", "race", FINDING_ERROR,
         "Two atomics on one word are not atomic towards each other: they differ in type, size, domain or "
         "operator."},
    [FINDING_POLLING] = {"polling", "race", FINDING_ERROR,
                         "A load of a window's memory meets another rank's operation. The unified memory "
                         "model lets it, but the "
                         "load may see any part of what the operation writes."},
    [FINDING_SAME_VALUE] = {"same-value", "race", FINDING_ERROR,
                            "Two writes of the same value are not ordered."},
    [FINDING_UNINITIALISED] =
        {"uninitialised", "uninitialised", FINDING_ERROR,
         "Memory that others reach is read, and nobody has written it since it was allocated."},
    [FINDING_REDUNDANT] = {"redundant", "hint", FINDING_HINT,
                           "A call that completes or orders operations never has anything to do."},
    [FINDING_FILE] =
        {"file", "race", FINDING_ERROR,
         "Two accesses to the same bytes of a file, of which one writes, are not ordered: their "
         "ranks do not synchronize in between, or a nonblocking access is not complete by then."},
    [FINDING_FILE_SYNC] =
        {"file-sync", "race", FINDING_ERROR,
         "Two accesses to the same bytes of a file, of which one writes, are ordered, but MPI_File_sync or "
         "MPI_File_close after the first, or MPI_File_sync or MPI_File_open before the second, is missing."},
    [FINDING_FAILURE] =
        {"failure", "failure", FINDING_ERROR,
         "The program fails in an execution that the standards allow: one that the adversary of "
         "pgasim check has chosen."},
};

bool finding_kind_find(const char *word, enum finding_kind *out)
{
    for (unsigned k = 0; k < FINDING_KINDS; k++)
        if (!strcmp(word, finding_rules[k].word)) {
            *out = (enum finding_kind)k;
            return true;
        }
    return false;
}

const char *finding_level_word(enum finding_level l)
{
    static const char *const words[] = {"error", "warning", "note"};
    return words[l];
}

/* --- places --------------------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *finding_place_line(const struct finding_place *p, char *buf, size_t size)
{
    buf[0] = 0;
    if (p->line && *p->file)
        snprintf(buf, size, "%s:%u", base_name(p->file), p->line);
    return buf;
}

char *finding_place_name(const struct finding_place *p, char *buf, size_t size)
{
    char line[FINDING_NAME];
    const char *comma = *p->function ? ", " : "";
    if (*finding_place_line(p, line, sizeof line))
        snprintf(buf, size, "%s%s%s", p->function, comma, line);
    else if (*p->object)
        snprintf(buf, size, "%s%s%s+0x%x", p->function, comma, base_name(p->object), p->offset);
    else
        snprintf(buf, size, "%s", p->function);
    return buf;
}

static void init_place(struct finding_place *p)
{
    *p = (struct finding_place){base_strdup(""), base_strdup(""), 0, base_strdup(""), 0};
}

static void release_place(struct finding_place *p)
{
    free(p->function);
    free(p->file);
    free(p->object);
}

/* --- findings ------------------------------------------------------------------------------------------- */

void finding_set(char **text, const char *to)
{
    char *copy = base_strdup(to); /* `to` may be a part of what is there */
    free(*text);
    *text = copy;
}

void finding_init(struct finding *f, enum finding_kind kind)
{
    *f = (struct finding){.kind = kind,
                          .object = base_strdup(""),
                          .missing = base_strdup(""),
                          .fix = base_strdup(""),
                          .count = 1};
    for (int k = 0; k < 2; k++) {
        f->access[k].verb = base_strdup("");
        f->access[k].what = base_strdup("");
        f->access[k].at = -1;
        init_place(&f->access[k].place);
    }
}

struct finding_place *finding_frame_add(struct finding_access *a)
{
    struct finding_place p;
    init_place(&p);
    BASE_ARRAY_PUSH(&a->stack, p);
    return &a->stack.at[a->stack.n - 1];
}

void finding_access_copy(struct finding *f, const struct finding_access *a)
{
    struct finding_access *to = &f->access[f->accesses++];
    finding_set(&to->verb, a->verb);
    finding_set(&to->what, a->what);
    finding_set(&to->place.function, a->place.function);
    finding_set(&to->place.file, a->place.file);
    finding_set(&to->place.object, a->place.object);
    to->place.line = a->place.line;
    to->place.offset = a->place.offset;
    to->rank = a->rank;
    to->thread = a->thread;
    to->threaded = a->threaded;
    to->at = a->at;
}

void finding_release(struct finding *f)
{
    for (int k = 0; k < 2; k++) {
        struct finding_access *a = &f->access[k];
        free(a->verb);
        free(a->what);
        release_place(&a->place);
        for (size_t i = 0; i < a->stack.n; i++)
            release_place(&a->stack.at[i]);
        free(a->stack.at);
    }
    free(f->object);
    free(f->missing);
    free(f->fix);
}

static void release_texts(struct finding_texts *t)
{
    for (size_t k = 0; k < t->text.n; k++)
        free(t->text.at[k]);
    free(t->text.at);
}

void finding_list_release(struct finding_list *l)
{
    for (size_t k = 0; k < l->at.n; k++)
        finding_release(&l->at.at[k]);
    release_texts(&l->summary.unseen);
    release_texts(&l->summary.allowed);
    for (size_t k = 0; k < l->summary.suppressed.n; k++) {
        free(l->summary.suppressed.at[k].name);
        free(l->summary.suppressed.at[k].place);
    }
    free(l->summary.suppressed.at);
    free(l->at.at);
    *l = (struct finding_list){.summary = {.ended = false}};
}

/* --- fingerprints --------------------------------------------------------------------------------------- */

static uint64_t hash(const char *text)
{
    return base_fnv(BASE_FNV, text, strlen(text));
}

static uint64_t hash_access(const struct finding_access *a)
{
    char name[FINDING_NAME];
    char *text =
        base_strfmt("%s by %s in %s", a->verb, a->what, finding_place_name(&a->place, name, sizeof name));
    uint64_t h = hash(text);
    free(text);
    return h;
}

uint64_t finding_fingerprint(const struct finding *f)
{
    uint64_t h = hash(finding_rules[f->kind].word);
    for (uint32_t k = 0; k < f->accesses; k++)
        h += hash_access(&f->access[k]);
    return f->accesses ? h : h + hash(f->missing);
}
