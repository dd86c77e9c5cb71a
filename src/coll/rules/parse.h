/* SPDX-License-Identifier: BSD-3-Clause */
/* parse: the reader of the text form, token by token, and the parts of its grammar that other files hold. */
#ifndef PGASIM_COLL_RULES_PARSE_H
#define PGASIM_COLL_RULES_PARSE_H

#include "coll/rules/tree.h"

enum { COLL_TOKEN = 256 /* bytes of the longest word or text, and its end */ };
enum coll_token_kind { COLL_READ_WORD, COLL_READ_TEXT, COLL_READ_SIGN, COLL_READ_BAD, COLL_READ_END };

/* `at` is behind the token that was read last. */
struct coll_reader {
    const char *at, *end, *file;
    uint32_t line, token_line, depth;
    uint32_t own_file; /* its place in the selector's list of files */
    bool included;     /* by another file, whose sections and definitions come first */
    enum coll_token_kind kind;
    char word[COLL_TOKEN];
    struct base_status *st;
};
void coll_reader_next(struct coll_reader *r);
/* -1, with "FILE:LINE: 'the token': expected EXPECTED" as status. */
int coll_reader_fail(struct coll_reader *r, const char *expected);
bool coll_reader_is(const struct coll_reader *r, const char *word);
bool coll_reader_accept(struct coll_reader *r, const char *word); /* true: it was there and is behind us */
int coll_reader_expect(struct coll_reader *r, const char *word, const char *expected);

/* One test, added to the newest rule. */
int coll_test_parse(struct coll_reader *r, struct coll_rules *s);
/* Reads "library:algorithm", which is a word, into l. */
void coll_leaf_name(struct coll_reader *r, struct coll_rules *s, struct coll_leaf *l);
int coll_leaf_parse(struct coll_reader *r, struct coll_rules *s, struct coll_leaf *l, uint32_t depth);
/* A number with a unit of size or none: the token's. -1 without status: it is none. */
int coll_number_parse(const char *text, uint64_t *out);

#endif
