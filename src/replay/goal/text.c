/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text: GOAL as text. A statement stands on one line; blanks and comments may stand between any two words.
 *
 *   num_ranks N                                      first
 *   rank R {   ...   }
 *   [label:] send SIZEb to R [tag T] [cpu C] [nic I]
 *   [label:] recv SIZEb from R [tag T] [cpu C] [nic I]       R, T: -1: any
 *   [label:] calc NANOSECONDS [cpu C] [nic I]
 *   label requires label                             starts when the other one has ended
 *   label irequires label                            starts when the other one has started
 *
 * Labels are of one rank, and are defined before they are used.
 */
#include "replay/goal/goal.h"

#include "base/table.h"
#include "record/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NO_RANK = UINT32_MAX, WORD = 128 };

struct reader {
    struct replay_input *in;
    struct base_status *st;
    struct replay_goal *goal; /* NULL: num_ranks was not met yet */
    uint32_t ranks, rank;     /* as given, or 0; whose schedule is open, or NO_RANK */
    bool comment;             /* it goes on in the next line */
    char *at;                 /* the rest of the line */
    char word[WORD];          /* the last one taken; "": the line has ended */
    struct replay_goal_draft draft;
    BASE_ARRAY(uint32_t) numbered; /* operation + 1 of label lN, N from 0 */
    struct base_table labels;      /* of other labels -> operation */
    BASE_ARRAY(char *) kept;       /* their names */
};

static int wrong(struct reader *x, const char *expected)
{
    return base_fail(x->st, "%s:%" PRIu32 ": %s%.60s: expected %s", replay_input_path(x->in),
                     replay_input_line_number(x->in), *x->word ? "" : "end of the line", x->word, expected);
}

/* --- words ---------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Behind blanks and comments. */
static void skip(struct reader *x)
{
    for (;;) {
        if (x->comment) {
            char *end = strstr(x->at, "*/");
            x->comment = !end;
            x->at = end ? end + 2 : x->at + strlen(x->at);
        }
        while (*x->at == ' ' || *x->at == '\t')
            x->at++;
        if (x->at[0] != '/' || (x->at[1] != '/' && x->at[1] != '*'))
            return;
        if (x->at[1] == '/')
            x->at += strlen(x->at);
        else
            x->comment = true, x->at += 2;
    }
}

/* Letters and digits that begin with a letter, digits, or one other character. */
static void next_word(struct reader *x)
{
    size_t n = 0;
    skip(x);
    bool digits = is_digit(*x->at), letters = is_letter(*x->at);
    const char *from = x->at;
    while (digits ? is_digit(x->at[n]) : letters && (is_letter(x->at[n]) || is_digit(x->at[n])))
        n++;
    n += !n && *x->at;
    x->at += n;
    n = n < WORD ? n : WORD - 1;
    memcpy(x->word, from, n);
    x->word[n] = '\0';
}

static bool is(const struct reader *x, const char *word)
{
    return !strcmp(x->word, word);
}

/* The next word is this one. */
static int take(struct reader *x, const char *word, const char *shown)
{
    next_word(x);
    return is(x, word) ? 0 : wrong(x, shown);
}

static int number(struct reader *x, uint64_t most, uint64_t *out)
{
    next_word(x);
    uint64_t value = 0;
    const char *p = x->word;
    for (; is_digit(*p); p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (digit > most || value > (most - digit) / 10)
            return base_fail(x->st, "%s:%" PRIu32 ": %.60s: expected a number from 0 to %" PRIu64,
                             replay_input_path(x->in), replay_input_line_number(x->in), x->word, most);
        value = value * 10 + digit;
    }
    if (p == x->word || *p)
        return wrong(x, "a number");
    *out = value;
    return 0;
}

/* The same; -1 is any. */
static int number_or_any(struct reader *x, uint64_t most, uint32_t *out)
{
    uint64_t value;
    skip(x);
    if (x->at[0] == '-' && x->at[1] == '1' && !is_digit(x->at[2])) {
        x->at += 2;
        *out = REPLAY_GOAL_ANY;
        return 0;
    }
    if (number(x, most, &value))
        return -1;
    *out = (uint32_t)value;
    return 0;
}

/* --- labels --------------------------------------------------------------------------------------- */

/* lN as schedgen writes them, with N not far above the number of labels so far. */
static bool is_numbered(const struct reader *x, const char *label, size_t *out)
{
    size_t value = 0, most = 4 * x->draft.ops.n + 64;
    const char *p = label + 1;
    if (*label != 'l' || !is_digit(*p) || (*p == '0' && p[1]))
        return false;
    for (; is_digit(*p) && value <= most; p++)
        value = value * 10 + (size_t)(*p - '0');
    *out = value;
    return !*p && value <= most;
}

/* The first one of that name counts, as in LogGOPSim. */
static void define(struct reader *x, const char *label, uint32_t op)
{
    size_t n;
    if (is_numbered(x, label, &n)) {
        while (x->numbered.n <= n)
            BASE_ARRAY_PUSH(&x->numbered, 0);
        if (!x->numbered.at[n])
            x->numbered.at[n] = op + 1;
    } else if (!base_table_find_bytes(&x->labels, label, strlen(label))) {
        bool fresh;
        char *name = base_strdup(label);
        BASE_ARRAY_PUSH(&x->kept, name);
        *(uint32_t *)base_table_add_bytes(&x->labels, name, strlen(name), &fresh) = op;
    }
}

static int find(struct reader *x, const char *label, uint32_t *op)
{
    size_t n;
    if (is_numbered(x, label, &n) && n < x->numbered.n && x->numbered.at[n]) {
        *op = x->numbered.at[n] - 1;
        return 0;
    }
    /* One that was far above the number of labels when it was defined. */
    const uint32_t *found = base_table_find_bytes(&x->labels, label, strlen(label));
    if (!found)
        return base_fail(x->st, "%s:%" PRIu32 ": %.60s: no such label in rank %" PRIu32 " so far",
                         replay_input_path(x->in), replay_input_line_number(x->in), label, x->rank);
    *op = *found;
    return 0;
}

static void forget_labels(struct reader *x)
{
    for (size_t k = 0; k < x->kept.n; k++)
        free(x->kept.at[k]);
    x->kept.n = x->numbered.n = 0;
    base_table_clear(&x->labels);
}

/* --- statements ------------------------------------------------------------------------------------- */

static int read_peer(struct reader *x, struct replay_goal_op *op)
{
    bool receives = op->kind == REPLAY_GOAL_RECEIVE;
    uint64_t peer = 0;
    if (take(x, "b", "b, the unit of sizes") || take(x, receives ? "from" : "to", receives ? "from" : "to") ||
        (receives ? number_or_any(x, UINT32_MAX - 1, &op->peer) : number(x, UINT32_MAX - 1, &peer)))
        return -1;
    if (!receives)
        op->peer = (uint32_t)peer;
    if (op->peer >= x->ranks && op->peer != REPLAY_GOAL_ANY)
        return base_fail(x->st, "%s:%" PRIu32 ": rank %" PRIu32 ": expected a rank below %" PRIu32,
                         replay_input_path(x->in), replay_input_line_number(x->in), op->peer, x->ranks);
    return 0;
}

/* [tag T] [cpu C] [nic I], in any order. */
static int read_options(struct reader *x, struct replay_goal_op *op)
{
    bool message = op->kind != REPLAY_GOAL_CALCULATION;
    for (;;) {
        uint64_t value = 0;
        next_word(x);
        if (!*x->word || is(x, "}"))
            return 0;
        if (message && is(x, "tag")) {
            if (op->kind == REPLAY_GOAL_RECEIVE ? number_or_any(x, UINT32_MAX - 1, &op->tag)
                                                : number(x, UINT32_MAX - 1, &value))
                return -1;
            op->tag = op->kind == REPLAY_GOAL_RECEIVE ? op->tag : (uint32_t)value;
        } else if (is(x, "cpu") || is(x, "nic")) {
            bool cpu = is(x, "cpu");
            if (number(x, UINT8_MAX, &value))
                return -1;
            *(cpu ? &op->cpu : &op->nic) = (uint8_t)value;
        } else {
            return wrong(x, message ? "tag, cpu, nic or the end of the line"
                                    : "cpu, nic or the end of the line");
        }
    }
}

static unsigned kind_of(const struct reader *x)
{
    return is(x, "send")   ? REPLAY_GOAL_SEND
           : is(x, "recv") ? REPLAY_GOAL_RECEIVE
           : is(x, "calc") ? REPLAY_GOAL_CALCULATION
                           : 0;
}

/* x->word is its name. Leaves the word behind it. */
static int read_operation(struct reader *x, const char *label)
{
    struct replay_goal_op op = {.kind = (uint8_t)kind_of(x)};
    if (!op.kind)
        return wrong(x, "send, recv or calc");
    if (x->draft.ops.n == UINT32_MAX / 4)
        return wrong(x, "fewer operations of one rank");
    if (number(x, UINT64_C(1) << 53, &op.size) || (op.kind != REPLAY_GOAL_CALCULATION && read_peer(x, &op)) ||
        read_options(x, &op))
        return -1;
    if (!replay_goal_tag_is_free(op.tag))
        return base_fail(x->st,
                         "%s:%" PRIu32 ": tag %" PRIu32
                         ": expected another one, as this one stands for any inside pgasim",
                         replay_input_path(x->in), replay_input_line_number(x->in), op.tag);
    if (label)
        define(x, label, (uint32_t)x->draft.ops.n);
    BASE_ARRAY_PUSH(&x->draft.ops, op);
    return 0;
}

static int read_dependency(struct reader *x, const char *label)
{
    struct replay_goal_edge e = {.start = is(x, "irequires")};
    next_word(x);
    if (!is_letter(*x->word))
        return wrong(x, "a label");
    if (find(x, label, &e.after) || find(x, x->word, &e.before))
        return -1;
    if (x->draft.edges.n == UINT32_MAX / 4)
        return wrong(x, "fewer dependencies of one rank");
    BASE_ARRAY_PUSH(&x->draft.edges, e);
    next_word(x);
    return 0;
}

static int read_labelled(struct reader *x)
{
    char label[WORD];
    memcpy(label, x->word, sizeof label);
    next_word(x);
    if (is(x, "requires") || is(x, "irequires"))
        return read_dependency(x, label);
    if (!is(x, ":"))
        return wrong(x, "':', requires or irequires");
    next_word(x);
    return read_operation(x, label);
}

/* --- a file --------------------------------------------------------------------------------------- */

static int read_number_of_ranks(struct reader *x)
{
    uint64_t n = 0;
    if (x->goal)
        return wrong(x, "num_ranks once");
    if (number(x, RECORD_RANKS_MOST, &n))
        return -1;
    if (!n)
        return wrong(x, "at least one rank");
    if (x->ranks && n != x->ranks)
        return base_fail(x->st, "%s:%" PRIu32 ": %" PRIu64 " ranks; expected %" PRIu32,
                         replay_input_path(x->in), replay_input_line_number(x->in), n, x->ranks);
    x->ranks = (uint32_t)n;
    x->goal = replay_goal_create(x->ranks);
    next_word(x);
    return 0;
}

static int open_rank(struct reader *x)
{
    uint64_t rank = 0;
    if (!x->goal)
        return wrong(x, "num_ranks first");
    if (number(x, x->ranks - 1, &rank))
        return -1;
    if (replay_goal_has(x->goal, (uint32_t)rank))
        return wrong(x, "each rank once");
    x->rank = (uint32_t)rank;
    if (take(x, "{", "'{'"))
        return -1;
    next_word(x);
    return 0;
}

static void close_rank(struct reader *x)
{
    replay_goal_add(x->goal, x->rank, &x->draft);
    replay_goal_draft_clear(&x->draft);
    forget_labels(x);
    x->rank = NO_RANK;
    next_word(x);
}

static int read_statement(struct reader *x)
{
    if (x->rank == NO_RANK)
        return is(x, "rank")        ? open_rank(x)
               : is(x, "num_ranks") ? read_number_of_ranks(x)
                                    : wrong(x, x->goal ? "rank" : "num_ranks");
    if (is(x, "}")) {
        close_rank(x);
        return 0;
    }
    if (!is_letter(*x->word))
        return wrong(x, "an operation, a label or '}'");
    int rc = kind_of(x) ? read_operation(x, NULL) : read_labelled(x);
    return rc || !*x->word || is(x, "}") ? rc : wrong(x, "the end of the line");
}

static int read_all(struct reader *x)
{
    int got;
    while ((got = replay_input_line(x->in, &x->at, x->st)) > 0)
        for (next_word(x); *x->word;)
            if (read_statement(x))
                return -1;
    *x->word = '\0';
    if (got < 0)
        return -1;
    if (x->rank != NO_RANK)
        return base_fail(x->st, "%s:%" PRIu32 ": the file ends within rank %" PRIu32 ": expected '}'",
                         replay_input_path(x->in), replay_input_line_number(x->in), x->rank);
    return x->goal ? 0 : base_fail(x->st, "%s: there is no num_ranks", replay_input_path(x->in));
}

struct replay_goal *replay_goal_text_read(struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    struct reader x = {.in = in, .st = st, .ranks = ranks, .rank = NO_RANK};
    base_table_init(&x.labels, BASE_BYTES, sizeof(uint32_t), "labels of a schedule");
    if (read_all(&x)) {
        replay_goal_destroy(x.goal);
        x.goal = NULL;
    }
    forget_labels(&x);
    base_table_release(&x.labels);
    free(x.kept.at);
    free(x.numbered.at);
    replay_goal_draft_release(&x.draft);
    return x.goal;
}

bool replay_goal_text_is(const char *head, size_t n)
{
    char text[4096];
    size_t length = n < sizeof text ? n : sizeof text - 1;
    if (memchr(head, '\0', n))
        return false;
    for (size_t k = 0; k < length; k++)
        text[k] = head[k];
    text[length] = '\0';
    struct reader x = {.at = text};
    for (char *p = text; *p; p++) /* lines end nothing here but a comment */
        *p = *p == '\r' ? ' ' : *p;
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        x.at = line;
        next_word(&x);
        if (*x.word)
            return is(&x, "num_ranks");
        line = end ? end + 1 : NULL;
    }
    return false;
}
