/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a validation: a report with its name and a line, or platforms that can be run and programs whose
 * points name one of them first. */
#include "sweep/study/study.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_subject(const struct study_validation *v, const struct study_subject *s)
{
    BASE_ASSERT("a program", s->source.at || (s->real.at && (s->simulated.at || s->trace.at)));
    BASE_ASSERT("points", s->study->points > 0 && !strcmp(s->study->name[0], "platform"));
    for (uint32_t k = 0; k < s->study->points && k < 20; k++) {
        size_t i = 0;
        while (i < v->platforms && strcmp(v->platform[i].name, s->study->point[k].value[0].text) != 0)
            i++;
        BASE_ASSERT("a platform", i < v->platforms);
    }
    BASE_ASSERT("times", (s->measured.whole || s->measured.keep.what.at) &&
                             (s->predicted.whole || s->predicted.keep.what.at) && s->unit > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct study_validation *v;
    struct base_status st = {""};
    if (study_validation_read_text(&v, (const char *)data, size, "file", &st)) {
        BASE_ASSERT("a reason with its place", !strncmp(st.text, "file:", 5));
        return 0;
    }
    BASE_ASSERT("repetitions", v->least >= 1 && v->least <= v->most && v->tries >= 1);
    for (size_t k = 0; k < v->platforms; k++)
        BASE_ASSERT("a platform",
                    v->platform[k].file.at && v->platform[k].run.n && v->platform[k].useless.at);
    for (size_t k = 0; k < v->subjects; k++)
        check_subject(v, &v->subject[k]);
    study_validation_destroy(v);
    return 0;
}
