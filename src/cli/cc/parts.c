/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: takes a command line apart for the linker's options, and puts it together again. */
#include "cli/cc/parts.h"
#include "cli/cc/args.h"

#include <stdlib.h>
#include <string.h>

static void add_part(struct cc_parts *l, size_t word, const char *text, size_t n, bool linker, bool own_word)
{
    struct cc_part p = {
        .word = word, .text = base_strfmt("%.*s", (int)n, text), .linker = linker, .own_word = own_word};
    BASE_ARRAY_PUSH(l, p);
}

/* Linker options with a value behind them, which may look like a library or an option. */
static bool linker_takes_next(const char *text)
{
    return cc_word_in(text, "-soname --soname -h -o --output -T --script -e --entry -z -m -u --undefined -y "
                            "--trace-symbol -Map --Map --version-script -version-script --dynamic-list "
                            "-dynamic-list --defsym -defsym --wrap -wrap -b --format -L --library-path "
                            "-rpath --rpath -rpath-link --rpath-link -R -dynamic-linker --dynamic-linker "
                            "-plugin -plugin-opt -init -fini -F -f -A -a -c");
}

static void add_linker_parts(struct cc_parts *l, size_t word, const char *text)
{
    for (;; text++) {
        size_t n = strcspn(text, ",");
        add_part(l, word, text, n, true, false);
        text += n;
        if (!*text)
            return;
    }
}

void cc_parts_find(struct cc_parts *l, const struct cc_words *all)
{
    bool value = false; /* the next word is the value of this one */
    for (size_t k = 0; k < all->n; k++) {
        const char *w = all->at[k];
        bool handed_on =
            value && (!strcmp(all->at[k - 1], "-Xlinker") || !strcmp(all->at[k - 1], "--for-linker"));
        if (!value && !strncmp(w, "-Wl,", 4)) {
            add_linker_parts(l, k, w + 4);
            continue;
        }
        add_part(l, k, w, strlen(w), handed_on, true);
        struct cc_part *p = &l->at[l->n - 1];
        p->value = value && !handed_on;
        value = !value && k + 1 < all->n && cc_takes_next(w);
    }
    const struct cc_part *before = NULL; /* the linker's */
    for (size_t k = 0; k < l->n; k++) {
        struct cc_part *p = &l->at[k];
        if (!p->linker)
            continue;
        p->value = before && !before->value && linker_takes_next(before->text);
        before = p;
    }
}

/* What is left of -Wl,A,B whose parts begin at *k; *k is moved behind them. NULL: nothing. */
static char *join_linker(const struct cc_parts *l, size_t *k)
{
    size_t word = l->at[*k].word;
    char *text = NULL;
    for (; *k < l->n && l->at[*k].word == word; ++*k) {
        const struct cc_part *p = &l->at[*k];
        if (p->gone)
            continue;
        char *longer = base_strfmt("%s,%s", text ? text : "-Wl", p->text);
        free(text);
        text = longer;
    }
    return text;
}

void cc_parts_join(const struct cc_parts *l, struct cc_words *kept)
{
    for (size_t k = 0; k < l->n;) {
        const struct cc_part *p = &l->at[k];
        if (!p->own_word) {
            char *left = join_linker(l, &k);
            BASE_ARRAY_PUSH(kept, left);
            continue;
        }
        /* -Xlinker goes with what it hands on. */
        bool hands_on = !p->linker && k + 1 < l->n && p[1].linker && p[1].own_word && !p->value;
        char *left = p->gone || (hands_on && p[1].gone) ? NULL : base_strdup(p->text);
        BASE_ARRAY_PUSH(kept, left);
        k++;
    }
}

void cc_parts_release(struct cc_parts *l)
{
    for (size_t k = 0; k < l->n; k++)
        free(l->at[k].text);
    free(l->at);
}
