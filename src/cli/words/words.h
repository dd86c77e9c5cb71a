/* SPDX-License-Identifier: BSD-3-Clause */
/* words: lists of the words of a command line, and response files (private to cli/). */
#ifndef PGASIM_CLI_CC_WORDS_H
#define PGASIM_CLI_CC_WORDS_H

#include "base/base.h"

/* Each word is owned. */
struct cc_words {
    char **at;
    size_t n, cap;
};

/* Whether `word` is one of those between blanks in `list`. */
bool cc_word_in(const char *word, const char *list);

bool cc_words_have(const struct cc_words *w, const char *word);
void cc_words_push(struct cc_words *w, const char *word);
void cc_words_push_all(struct cc_words *w, const struct cc_words *more);
void cc_words_release(struct cc_words *w);
void cc_words_print(const struct cc_words *w); /* to stdout, so that a shell reads each as one word */
/* This process becomes the command (exec). Returns only if it cannot: errno. */
int cc_words_become(struct cc_words *command);
/* The first line that the command prints when it is also given this option, without its end; it may say nothing
 * else. NULL: there is none. To be freed. */
char *cc_words_ask(const struct cc_words *command, const char *option);

/* Appends what a compiler reads for `word`: the words of the file for @FILE, which may name others; else the
 * word. A file that is not there, or that can be read only once, such as a pipe, is left to the compiler. */
void cc_words_expand(struct cc_words *out, const char *word);

#endif
