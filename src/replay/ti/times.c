/* SPDX-License-Identifier: BSD-3-Clause */
/* times: what a recorder has measured of an action, at the end of its line. */
#include "replay/ti/line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The last word of a line, if it begins with @. */
static char *last_word(char *line)
{
    char *end = line + strlen(line);
    while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    char *at = end;
    while (at > line && at[-1] != ' ' && at[-1] != '\t')
        at--;
    return at > line && *at == '@' ? at : NULL;
}

int replay_ti_cut_times(char *line, struct replay_ti_times *out, struct base_status *st)
{
    char *word = last_word(line), *end;
    *out = (struct replay_ti_times){false, 0, 0};
    if (!word)
        return 0;
    errno = 0;
    out->begin = strtoll(word + 1, &end, 10);
    bool good = end > word + 1 && *end == '+' && end[1] >= '0' && end[1] <= '9';
    if (good)
        out->duration = strtoll(end + 1, &end, 10);
    if (!good || errno || end[strspn(end, " \t\r")] || out->begin < -INT64_MAX / 4 ||
        out->begin > INT64_MAX / 4 || out->duration > INT64_MAX / 4)
        return base_fail(st, "%.60s: expected @BEGIN+DURATION, in whole nanoseconds", word);
    out->known = true;
    *word = '\0';
    return 0;
}
