/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: a command line as a list of parts (private to cli/cc/): the compiler's own words, and the linker's,
 * which stand in -Wl,A,B and behind -Xlinker. A linker's option may have its value in the next such word.
 */
#ifndef PGASIM_CLI_CC_PARTS_H
#define PGASIM_CLI_CC_PARTS_H

#include "cli/words/words.h"

struct cc_part {
    size_t word;   /* its place in the list of words */
    char *text;    /* owned */
    bool linker;   /* of -Wl or -Xlinker */
    bool value;    /* of the option before it */
    bool own_word; /* follows -Xlinker, or is a word of the compiler */
    bool gone;     /* set by the user of the list */
};

/* In the order of the words; begins as {0}. */
struct cc_parts {
    struct cc_part *at;
    size_t n, cap;
};

void cc_parts_find(struct cc_parts *l, const struct cc_words *all);
/* Appends to `kept`, for each word, what is left of it without the parts that are gone; NULL: nothing. */
void cc_parts_join(const struct cc_parts *l, struct cc_words *kept);
void cc_parts_release(struct cc_parts *l);

#endif
