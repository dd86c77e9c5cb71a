/* SPDX-License-Identifier: BSD-3-Clause */
/* words: words and response files. */
#include "cli/words/words.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cc_word_in(const char *word, const char *list)
{
    size_t length = strlen(word);
    for (; *(list += strspn(list, " ")); list += strcspn(list, " "))
        if (strcspn(list, " ") == length && !memcmp(list, word, length))
            return true;
    return false;
}

void cc_words_push(struct cc_words *w, const char *word)
{
    BASE_ARRAY_PUSH(w, base_strdup(word));
}

bool cc_words_have(const struct cc_words *w, const char *word)
{
    for (size_t k = 0; k < w->n; k++)
        if (!strcmp(w->at[k], word))
            return true;
    return false;
}

void cc_words_push_all(struct cc_words *w, const struct cc_words *more)
{
    for (size_t k = 0; k < more->n; k++)
        cc_words_push(w, more->at[k]);
}

void cc_words_release(struct cc_words *w)
{
    for (size_t k = 0; k < w->n; k++)
        free(w->at[k]);
    free(w->at);
    *w = (struct cc_words){0};
}

void cc_words_print(const struct cc_words *w)
{
    struct base_text line;
    base_text_init(&line, "a command");
    for (size_t k = 0; k < w->n; k++) {
        if (k)
            base_text_char(&line, ' ');
        base_text_shell(&line, w->at[k]);
    }
    base_text_char(&line, '\n');
    base_text_write(&line, stdout);
    base_text_release(&line);
}

int cc_words_become(struct cc_words *command)
{
    char **words = base_alloc((command->n + 1) * sizeof *words, "a command");
    memcpy(words, command->at, command->n * sizeof *words);
    words[command->n] = NULL;
    execvp(words[0], words);
    int why = errno;
    free(words);
    return why;
}

/* Words stand between blanks, with quotes and backslashes as in gcc. */
static char *next_quoted(const char **text)
{
    const char *p = *text + strspn(*text, " \t\r\n\f\v");
    if (!*p)
        return NULL;
    char *out = base_alloc(strlen(p) + 1, "response file"), *to = out, quote = 0;
    for (; *p && (quote || !strchr(" \t\r\n\f\v", *p)); p++) {
        if (*p == '\\' && p[1])
            *to++ = *++p;
        else if (quote ? *p == quote : *p == '\'' || *p == '"')
            quote = quote ? 0 : *p;
        else
            *to++ = *p;
    }
    *to = 0;
    *text = p;
    return out;
}

static char *read_text(const char *path)
{
    struct stat st;
    FILE *f = stat(path, &st) || !S_ISREG(st.st_mode) ? NULL : fopen(path, "r");
    if (!f)
        return NULL;
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, 0, f) < 0) {
        free(text);
        text = base_strdup("");
    }
    fclose(f);
    return text;
}

enum { NESTED = 16 }; /* response files within response files; deeper ones are left to the compiler */

static void expand(struct cc_words *out, const char *word, int depth)
{
    char *text = word[0] == '@' && depth < NESTED ? read_text(word + 1) : NULL;
    if (!text) {
        cc_words_push(out, word);
        return;
    }
    const char *at = text;
    for (char *w; (w = next_quoted(&at)); free(w))
        expand(out, w, depth + 1);
    free(text);
}

void cc_words_expand(struct cc_words *out, const char *word)
{
    expand(out, word, 0);
}

char *cc_words_ask(const struct cc_words *command, const char *option)
{
    char line[4096] = "";
    struct base_text whole;
    base_text_init(&whole, "a command");
    for (size_t k = 0; k < command->n; k++) {
        base_text_shell(&whole, command->at[k]);
        base_text_char(&whole, ' ');
    }
    base_text_add(&whole, option);
    base_text_add(&whole, " 2>/dev/null");
    char *text = base_text_take(&whole);
    FILE *f = popen(text, "r");
    free(text);
    bool said = f && fgets(line, sizeof line, f);
    if (f)
        pclose(f);
    line[strcspn(line, "\n")] = 0;
    return said && *line ? base_strdup(line) : NULL;
}
