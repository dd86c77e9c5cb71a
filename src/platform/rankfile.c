/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rankfile: Open MPI's files that say where single ranks run, with lines `rank N=HOST slot=...` or
 * `rank N=+nK` for host number K of the platform. Cores are not told apart, so a slot means nothing here.
 */
#include "platform/model/model.h"
#include "platform/xml/xml.h"

#include <stdlib.h>
#include <string.h>

static int host_parse(const struct platform *p, const char *name, uint32_t *out, struct base_status *st)
{
    uint64_t number;
    struct base_status why;
    if (!strncmp(name, "+n", 2) && !base_parse_uint(name + 2, &number, &why)) {
        if (number >= p->hosts.n)
            return base_fail(st, "%.80s: the platform has %zu hosts", name, p->hosts.n);
        *out = (uint32_t)number;
        return 0;
    }
    return platform_host_find(p, name, out)
               ? base_fail(st, "unknown host '%.80s'; expected a host of platform %.120s", name, p->file)
               : 0;
}

static int line_read(const struct platform *p, uint32_t ranks, char *line, uint32_t *rank_host,
                     struct base_status *st)
{
    static const char blank[] = " \t\r";
    char *rest = NULL, *key = strtok_r(line, blank, &rest), *what = strtok_r(NULL, blank, &rest);
    char *equals = what ? strchr(what, '=') : NULL;
    uint64_t rank;
    struct base_status why;
    if (!key)
        return 0;
    if (strcmp(key, "rank") || !equals)
        return base_fail(st, "'%.80s'; expected rank N=HOST", key);
    *equals = 0;
    if (base_parse_uint(what, &rank, &why) || rank >= ranks)
        return base_fail(st, "rank '%.80s'; expected a number below %u", what, ranks);
    return host_parse(p, equals + 1, &rank_host[rank], st);
}

int platform_place_rankfile(const struct platform *p, uint32_t ranks, const char *rankfile,
                            uint32_t *rank_host, struct base_status *st)
{
    char *text;
    size_t size;
    struct base_status why;
    if (platform_file_read(rankfile, &text, &size, st))
        return -1;
    int rc = memchr(text, 0, size) ? base_fail(st, "%s: a zero byte; expected text", rankfile) : 0;
    char *copy = base_strfmt("%.*s", (int)size, text);
    uint32_t number = 1;
    for (char *at = copy; rc == 0 && *at; number++) {
        size_t n = strcspn(at, "\n");
        char *next = at + n + (at[n] != 0);
        at[n] = 0;
        at[strcspn(at, "#")] = 0;
        rc = line_read(p, ranks, at, rank_host, &why);
        if (rc)
            base_fail(st, "%s:%u: %s", rankfile, number, why.text);
        at = next;
    }
    free(copy);
    free(text);
    return rc;
}
