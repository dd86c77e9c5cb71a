/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as the findings of a run: a report with the file's name and line, or findings that are the same when
 * they are written and read again. */
#include "check/finding/finding.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *written(const struct finding_list *l)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    finding_write_head(out);
    for (size_t k = 0; k < l->at.n; k++)
        finding_write(out, &l->at.at[k]);
    if (l->summary.ended)
        finding_write_end(out, l);
    fclose(out);
    return text;
}

static void check(const struct finding_list *l)
{
    struct finding_list again;
    struct base_status st;
    char *once = written(l);
    FILE *in = fmemopen(once, strlen(once), "r");
    BASE_ASSERT("it is read again", finding_list_read(&again, in, "again", &st) == 0);
    char *twice = written(&again);
    BASE_ASSERT("F2", !strcmp(once, twice));
    fclose(in);
    free(once);
    free(twice);
    finding_list_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct finding_list l;
    struct base_status st = {""};
    struct fuzz_stream s = fuzz_stream_open(data, size);
    if (finding_list_read(&l, s.in, "file", &st) == 0) {
        check(&l);
        finding_list_release(&l);
    } else {
        BASE_ASSERT("a reason", !strncmp(st.text, "file:", 5));
    }
    fuzz_stream_close(&s);
    return 0;
}
