/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a table of results: a report with the file's name and line, or rows. */
#include "deploy/deploy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct deploy_table *t;
    struct base_status st = {""};
    char *copy = malloc(size ? size : 1); /* exactly as long as it says */
    if (size)
        memcpy(copy, data, size);
    if (deploy_table_read(&t, copy, size, "table", 0x1234, &st)) {
        BASE_ASSERT("a reason", !strncmp(st.text, "table:", 6));
    } else {
        for (uint32_t k = 0; k < deploy_table_rows(t); k++) {
            const struct deploy_row *r = deploy_table_row(t, k);
            BASE_ASSERT("a row", r->config[0] && r->servers && r->clients && r->result.value.time >= 0);
        }
        deploy_table_destroy(t);
    }
    free(copy);
    return 0;
}
