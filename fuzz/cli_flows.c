/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a list of activities: a report with the list's name, or activities on hosts that exist,
 * at times and with amounts that are numbers, and no ID twice. */
#include "cli/flows/list.h"
#include "stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RANKS = 300 }; /* node-0 ... node-4 */

static void check(const struct flows_list *l, const struct platform *p)
{
    for (size_t k = 0; k < l->activity.n; k++) {
        const struct flows_activity *a = &l->activity.at[k];
        bool disk = a->kind == FLOWS_READ || a->kind == FLOWS_WRITE;
        BASE_ASSERT("hosts", a->from < platform_host_count(p));
        BASE_ASSERT("ends", a->to < (disk ? platform_disk_count(p) : platform_host_count(p)));
        BASE_ASSERT("amounts", isfinite(a->amount) && a->amount >= 0 && isfinite(a->at) && a->at >= 0);
        BASE_ASSERT("lines", a->line > (k ? l->activity.at[k - 1].line : 0));
        for (size_t i = 0; i < k; i++)
            BASE_ASSERT("IDs", strcmp(flows_list_id(l, a), flows_list_id(l, &l->activity.at[i])) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct platform *p;
    struct flows_list l;
    struct base_status st = {""};
    struct fuzz_stream s = fuzz_stream_open(data, size);
    if (!p)
        p = platform_default(RANKS);
    if (flows_list_read(&l, p, s.in, "list", &st) == 0)
        check(&l, p);
    else
        BASE_ASSERT("a reason", !strncmp(st.text, "list:", 5));
    flows_list_release(&l);
    fuzz_stream_close(&s);
    return 0;
}
