/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes read as rules in whatever form they seem to be (ours, Open MPI's two, MPICH's), and as the
 * variables of a library: a report with the name and line, or a selector that chooses for some points, and
 * that is the same when it is written and read again.
 */
#include "coll/rules/rules.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void choose(const struct coll_rules *a, const struct coll_rules *b)
{
    static const char *const points[] = {
        "bcast ranks=1", "allreduce ranks=12 part=70000 nodes=3 not commutative",
        "alltoall ranks=4096 part=8 nonblocking", "reduce_scatter ranks=64 inner"};
    for (size_t k = 0; k < BASE_LENGTH(points); k++) {
        struct coll_point p;
        struct coll_choice c, d;
        struct base_status st;
        char one[256], other[256];
        BASE_ASSERT("a point", !coll_point_parse(&p, points[k], &st));
        bool is = coll_rules_choose(a, &p, &c);
        BASE_ASSERT("the same", is == coll_rules_choose(b, &p, &d));
        if (is)
            BASE_ASSERT("the same leaf", !strcmp(coll_leaf_show(c.leaf, one, sizeof one),
                                                 coll_leaf_show(d.leaf, other, sizeof other)));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct base_status st = {""};
    struct coll_rules *s, *again;
    char *copy = malloc(size + 1); /* exactly as long as it says, as a text one more */
    if (size)
        memcpy(copy, data, size);
    copy[size] = '\0';
    struct coll_point p;
    (void)coll_point_parse(&p, copy, &st);
    char *environment[] = {copy, NULL};
    coll_rules_variables(&again, "impi", environment, &st) ? (void)0 : coll_rules_destroy(again);
    if (coll_rules_read_text(&s, copy, size, "rules", &st)) {
        BASE_ASSERT("a reason", !strncmp(st.text, "rules:", 6) || strstr(st.text, ":"));
    } else {
        struct base_text text;
        base_text_init(&text, "rules");
        coll_rules_print(s, &text);
        BASE_ASSERT("read again", !coll_rules_parse(&again, text.at, text.n, "again", &st));
        choose(s, again);
        coll_rules_destroy(again);
        coll_rules_destroy(s);
        base_text_release(&text);
    }
    free(copy);
    return 0;
}
