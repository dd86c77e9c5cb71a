/* SPDX-License-Identifier: BSD-3-Clause */
/* watts: the values of the properties that say how much power hosts and links take. */
#include "energy/internal.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 3 };

static char *trim(char *word)
{
    word += strspn(word, " \t\n\r");
    for (size_t n = strlen(word); n && strchr(" \t\n\r", word[n - 1]);)
        word[--n] = 0;
    return word;
}

int energy_watt_read(double *watts, const char *text, struct base_status *st)
{
    struct base_status why;
    char *copy = base_strdup(text), *word = trim(copy);
    int rc = base_parse_double(word, watts, &why);
    if (rc || !(*watts >= 0 && *watts <= 1e12))
        rc = base_fail(st, "'%.40s' is no number of watts from 0 to 1e12", word);
    free(copy);
    return rc;
}

/* Watts separated by colons. Returns how many, or -1 with st. `text` is changed. */
static int list_read(double *watts, int most, char *text, struct base_status *st)
{
    int n = 0;
    for (char *one; (one = strsep(&text, ":")); n++)
        if (n == most)
            return base_fail(st, "too many values at '%.40s'", one);
        else if (energy_watt_read(&watts[n], one, st))
            return -1;
    return n;
}

static int state_read(struct energy_watts *w, char *text, struct base_status *st)
{
    static const char expected[] = "expected watts as Idle:AllCores or Idle:Epsilon:AllCores";
    struct base_status why;
    double x[VALUES];
    int n = list_read(x, VALUES, text, &why);
    if (n < 0)
        return base_fail(st, "%s; %s", why.text, expected);
    if (n < 2)
        return base_fail(st, "there is one value; %s", expected);
    w->idle = x[0];
    w->epsilon = x[n - 2]; /* of two values, Idle is both */
    w->all_cores = x[n - 1];
    return 0;
}

int energy_watts_read(struct energy_watts *w, const char *text, uint32_t pstates, struct base_status *st)
{
    char *copy = base_strdup(text), *rest = copy, *one;
    uint32_t n = 0;
    int rc = 0;
    for (; rc == 0 && (one = strsep(&rest, ",")); n++) {
        struct energy_watts this = {0};
        rc = state_read(&this, one, st);
        if (rc || n >= pstates)
            continue;
        w[n] = this;
    }
    free(copy);
    if (rc == 0 && n != pstates)
        return base_fail(st, "it has %u entr%s; expected one for each of the host's %u speed%s", n,
                         n == 1 ? "y" : "ies", pstates, pstates == 1 ? "" : "s");
    return rc;
}

int energy_range_read(double *idle, double *busy, const char *text, struct base_status *st)
{
    struct base_status why;
    double x[2];
    char *copy = base_strdup(text);
    int n = list_read(x, 2, copy, &why);
    free(copy);
    if (n < 0)
        return base_fail(st, "%s; expected watts as Idle:Busy", why.text);
    if (n < 2)
        return base_fail(st, "there is one value; expected watts as Idle:Busy");
    *idle = x[0];
    *busy = x[1];
    return 0;
}
