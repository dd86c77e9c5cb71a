/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a study: a report with its name and a line, or points with a value for each parameter, whose words
 * can be made or have a reason why not. */
#include "sweep/study/study.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct study *s)
{
    struct base_status st = {""};
    BASE_ASSERT("points", s->points > 0 && s->points <= STUDY_POINTS);
    for (uint32_t k = 0; k < s->points && k < 20; k++) {
        const struct study_point_scope inner = {s, &s->point[k], {0}};
        const struct study_scope scope = study_scope_of(&inner);
        char *json = study_point_json(s, &s->point[k]);
        BASE_ASSERT("a number", s->point[k].number == k + 1 && json[0] == '{');
        free(json);
        for (uint32_t i = 0; i < s->names; i++)
            BASE_ASSERT("a value", s->point[k].value[i].text);
        for (size_t i = 0; i < s->words.n; i++) {
            char *word = study_expand(s->words.at[i].at, &scope, &st);
            BASE_ASSERT("a word or a reason", word || st.text[0]);
            free(word);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct study *s;
    struct base_status st = {""};
    if (study_read_text(&s, (const char *)data, size, "study", &st)) {
        BASE_ASSERT("a reason with its place", !strncmp(st.text, "study:", 6));
        return 0;
    }
    check(s);
    study_destroy(s);
    return 0;
}
