/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a file of statistics of the S-DSM: what is read becomes facts, and these text. */
#include "report/sdsm/sdsm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { PROCESSES_MOST = 1000 };
    struct sdsm_stats s = {0};
    struct base_status st;
    uint32_t rank;
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    if (sdsm_stats_parse(&s, text, &rank, &st)) {
        BASE_ASSERT("F1", rank < s.processes);
        struct report_sdsm *facts = sdsm_create(s.processes < PROCESSES_MOST ? s.processes : PROCESSES_MOST);
        for (size_t k = 0; k < s.events.n; k++) {
            const struct sdsm_event *e = &s.events.at[k];
            BASE_ASSERT("F1", isfinite(e->time) && e->rank == rank && e->n <= 8 && sdsm_is_event(e->name));
            sdsm_add(facts, e->time, e->rank, e->name, e->value, e->n);
        }
        sdsm_finish(facts, 1);
        BASE_ASSERT("F2", facts->ignored <= facts->events && facts->seen <= facts->processes);
        sdsm_destroy(facts);
    } else {
        BASE_ASSERT("F3", !s.events.n);
    }
    sdsm_stats_release(&s);
    free(text);
    return 0;
}
