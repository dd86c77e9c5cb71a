/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commands: what the studies of a validation run and keep. In their texts ${program} and ${platform} are files, all else is as
 * in other studies.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sweep/validate/parts.h"

/* --- texts ------------------------------------------------------------------------------------------ */

static void add_escaped(struct base_text *t, const char *text)
{
    for (; *text; text++) {
        if (*text == '$')
            base_text_char(t, '$');
        base_text_char(t, *text);
    }
}

static char *with_files(const char *text, const struct validate_files *f)
{
    static const char program[] = "${program}", platform[] = "${platform}";
    struct base_text t;
    base_text_init(&t, "a word of a command");
    while (*text) {
        if (!strncmp(text, program, sizeof program - 1)) {
            add_escaped(&t, f->program);
            text += sizeof program - 1;
        } else if (!strncmp(text, platform, sizeof platform - 1)) {
            add_escaped(&t, f->platform);
            text += sizeof platform - 1;
        } else {
            base_text_char(&t, *text++);
        }
    }
    return base_text_take(&t);
}

static void push(struct study_texts *out, char *text, uint32_t line)
{
    struct study_text t = {text, line};
    BASE_ARRAY_PUSH(out, t);
}

static void push_all(struct study_texts *out, const struct study_texts *in, const struct validate_files *f)
{
    for (size_t k = 0; k < in->n; k++)
        push(out, with_files(in->at[k].at, f), in->at[k].line);
}

static void push_settings(struct study_pairs *out, const struct study_pairs *in,
                          const struct validate_files *f)
{
    for (size_t k = 0; k < in->n; k++) {
        struct study_pair p = {base_strdup(in->at[k].key),
                               {with_files(in->at[k].text.at, f), in->at[k].text.line}};
        BASE_ARRAY_PUSH(out, p);
    }
}

/* --- what is run and kept --------------------------------------------------------------------------- */

static void keep(struct study *s, const char *name, enum study_source source, const struct study_text *what)
{
    if (s->keeps == s->keeps_cap)
        s->keep = base_array_grow(s->keep, &s->keeps_cap, s->keeps + 1, sizeof *s->keep, "what is kept");
    s->keep[s->keeps++] = (struct study_keep){base_strdup(name), source, {base_strdup(what->at), what->line}};
}

static void real_words(const struct validate *v, const struct validate_pair *p,
                       const struct validate_files *f, struct study *s)
{
    static const char arguments[] = "${arguments}";
    const struct study_pairs *sets[] = {&v->file->environment, &p->subject->environment};
    bool placed = false;
    s->command = STUDY_OTHER;
    if (sets[0]->n || sets[1]->n)
        push(&s->words, base_strdup("env"), p->subject->line);
    for (size_t i = 0; i < BASE_LENGTH(sets); i++)
        for (size_t k = 0; k < sets[i]->n; k++)
            push(&s->words, base_strfmt("%s=%s", sets[i]->at[k].key, sets[i]->at[k].text.at),
                 sets[i]->at[k].text.line);
    for (size_t k = 0; k < p->platform->run.n; k++) {
        const struct study_text *t = &p->platform->run.at[k];
        bool here = !strcmp(t->at, arguments);
        if (here)
            push_all(&s->words, &p->subject->study->words, f);
        else
            push(&s->words, with_files(t->at, f), t->line);
        placed |= here;
    }
    if (!placed)
        push_all(&s->words, &p->subject->study->words, f);
    keep(s, "void", STUDY_FOUND, &p->platform->useless);
    if (!p->subject->measured.whole)
        keep(s, "seconds", p->subject->measured.keep.source, &p->subject->measured.keep.what);
}

/* A changed program or network measures again. */
static void real_inputs(const struct validate_pair *p, const struct validate_files *f, struct study *s)
{
    bool names_platform = false;
    push_all(&s->inputs, &p->subject->study->inputs, f);
    push_all(&s->inputs, &p->platform->inputs, f);
    for (size_t k = 0; k < p->platform->run.n; k++)
        names_platform |= strstr(p->platform->run.at[k].at, "${platform}") != NULL;
    if (names_platform) {
        struct base_text t;
        base_text_init(&t, "a file");
        add_escaped(&t, f->platform);
        push(&s->inputs, base_text_take(&t), p->platform->line);
    }
    if (strchr(f->program, '/')) { /* else it is in PATH */
        struct base_text t;
        base_text_init(&t, "a file");
        add_escaped(&t, f->program);
        push(&s->inputs, base_text_take(&t), p->subject->line);
    }
}

void validate_simulated_study(const struct validate *v, const struct validate_pair *p,
                              const struct validate_files *f, struct study *s)
{
    const struct study_pairs *sets[] = {&v->file->environment, &p->subject->environment};
    const struct study_subject *of = p->subject;
    s->command = of->trace.at ? STUDY_REPLAY : STUDY_RUN;
    push(&s->words, with_files("${program}", f), of->line);
    if (s->command == STUDY_RUN) {
        push_all(&s->words, &of->study->words, f);
        s->ranks = (struct study_text){base_strdup("${ranks}"), of->line};
    }
    for (size_t i = 0; s->command == STUDY_RUN && i < BASE_LENGTH(sets); i++)
        for (size_t k = 0; k < sets[i]->n; k++) {
            push(&s->options, base_strdup("-x"), of->line);
            push(&s->options, base_strfmt("%s=%s", sets[i]->at[k].key, sets[i]->at[k].text.at),
                 sets[i]->at[k].text.line);
        }
    push_all(&s->options, &v->file->options, f);
    push_all(&s->options, &p->platform->options, f);
    push_all(&s->options, &of->study->options, f);
    push_settings(&s->settings, &v->file->settings, f);
    push_settings(&s->settings, &p->platform->settings, f);
    push_settings(&s->settings, &of->study->settings, f);
    if (v->file->seeds) {
        struct study_pair seed = {base_strdup("noise/seed"), {base_strdup("${seed}"), of->line}};
        BASE_ARRAY_PUSH(&s->settings, seed);
    }
    struct base_text t;
    base_text_init(&t, "a platform");
    add_escaped(&t, f->platform);
    s->platform = (struct study_text){base_text_take(&t), p->platform->line};
    push_all(&s->inputs, &of->study->inputs, f);
    const struct study_text whole = {(char[]){"simulated_seconds"}, of->line};
    keep(s, "seconds", of->predicted.whole ? STUDY_JSON : of->predicted.keep.source,
         of->predicted.whole ? &whole : &of->predicted.keep.what);
}

void validate_real_study(const struct validate *v, const struct validate_pair *p,
                         const struct validate_files *f, struct study *s)
{
    real_words(v, p, f, s);
    real_inputs(p, f, s);
}
