/* SPDX-License-Identifier: BSD-3-Clause */
/* server: the homes of pages. A page that nobody has written takes no memory. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sdsm/jia/parts.h"

static struct {
    char **page; /* NULL: zeros */
    size_t n;
    char *zeros;
    size_t bytes; /* of a page */
} homes;

static size_t page_bytes(void)
{
    if (!homes.bytes) {
        homes.bytes = (size_t)sysconf(_SC_PAGESIZE);
        homes.zeros = sat_alloc(homes.bytes);
    }
    return homes.bytes;
}

static char *page_of(uint64_t page)
{
    if (page >= homes.n) {
        size_t n = page + 1 > 2 * homes.n ? page + 1 : 2 * homes.n;
        homes.page = sat_grow(homes.page, n * sizeof *homes.page);
        memset(homes.page + homes.n, 0, (n - homes.n) * sizeof *homes.page);
        homes.n = n;
    }
    if (!homes.page[page])
        homes.page[page] = sat_alloc(page_bytes());
    return homes.page[page];
}

static void give_pages(const struct sat_record *r)
{
    struct sat_record answer = *r;
    answer.request = SAT_JIA_PAGE_IS;
    answer.bytes = page_bytes();
    for (uint64_t k = 0; k < r->argument; k++) {
        answer.chunk = r->chunk + k;
        bool known = answer.chunk < homes.n && homes.page[answer.chunk];
        sat_to_client(r->client, r->server, &answer, known ? homes.page[answer.chunk] : homes.zeros);
    }
}

static void apply(const struct sat_record *r, const char *data)
{
    if (!sat_diff_apply(page_of(r->chunk), page_bytes(), data, r->bytes))
        sat_fail(1, NULL, "bug: a bad difference of page %llu", (unsigned long long)r->chunk);
}

static void confirm(const struct sat_record *r)
{
    struct sat_record answer = *r;
    answer.request = SAT_JIA_FLUSHED;
    sat_to_client(r->client, r->server, &answer, NULL);
}

static bool is_answer(const struct sat_record *r)
{
    return r->request == SAT_JIA_PAGE_IS || r->request == SAT_JIA_FLUSHED || r->request == SAT_JIA_GO;
}

void jia_serve(int from, const struct sat_record *r, const char *data)
{
    (void)from;
    if (is_answer(r)) {
        sat_send(r->client, r, data);
        return;
    }
    if (r->home != sdsm->id) {
        sat_send(r->home, r, data);
        return;
    }
    switch (r->request) {
    case SAT_JIA_PAGE:
        give_pages(r);
        break;
    case SAT_JIA_DIFF:
        apply(r, data);
        break;
    case SAT_JIA_FLUSH:
        confirm(r);
        break;
    default:
        jia_manage(r, data);
    }
}

void jia_server_release(void)
{
    for (size_t k = 0; k < homes.n; k++)
        free(homes.page[k]);
    free(homes.page);
    free(homes.zeros);
    memset(&homes, 0, sizeof homes);
    jia_manager_release();
}
