/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a journal of `pgasim tune`, and as its lists of operations and sizes. */
#include "tune/store.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tune_space s;
    struct base_status st = {""};
    char *copy = malloc(size + 1);
    tune_space_init(&s);
    s.fingerprint = 0x1234;
    if (size)
        memcpy(copy, data, size);
    copy[size] = 0;
    struct tune_store *x = tune_store_create(&s);
    if (tune_journal_parse(x, copy, "journal", &st))
        BASE_ASSERT("a reason", !strncmp(st.text, "journal:", 8));
    for (size_t k = 0; k < x->at.n; k++)
        BASE_ASSERT("a result", x->at.at[k].key.op < TUNE_OPS && x->at.at[k].time.last >= 0);
    tune_store_destroy(x);
    if (tune_space_ops(&s, copy, &st) == 0)
        BASE_ASSERT("operations", s.op.n > 0 && s.op.n <= TUNE_OPS);
    if (tune_space_sizes(&s, copy, &st) == 0)
        for (size_t k = 1; k < s.size.n; k++)
            BASE_ASSERT("in order", s.size.at[k - 1] < s.size.at[k]);
    tune_space_release(&s);
    free(copy);
    return 0;
}
