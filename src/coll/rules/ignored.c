/* SPDX-License-Identifier: BSD-3-Clause */
/* ignored: which variables of a library would change its choice, and do not change that of its selector. */
#include "coll/rules/rules.h"

#include <ctype.h>
#include <string.h>

/* The first `n` characters of `name` are an operation's name in capitals. */
static bool is_operation(const char *name, size_t n)
{
    for (int op = 0; op < COLL_RULES_OPS; op++) {
        const char *is = coll_rules_op_name((enum coll_rules_op)op);
        size_t k = 0;
        while (k < n && is[k] && toupper((unsigned char)is[k]) == name[k])
            k++;
        if (k == n && !is[k])
            return true;
    }
    return false;
}

static bool ends_with(const char *name, size_t n, const char *end)
{
    size_t m = strlen(end);
    return n >= m && !memcmp(name + n - m, end, m);
}

bool coll_rules_ignores(const char *selector, const char *variable)
{
    static const char adjust[] = "I_MPI_ADJUST_", cvar[] = "MPIR_CVAR_";
    size_t n = strcspn(variable, "=");
    if (!strcmp(selector, "impi") && !strncmp(variable, adjust, sizeof adjust - 1))
        return !is_operation(variable + sizeof adjust - 1, n - (sizeof adjust - 1));
    return !strncmp(selector, "mpich", 5) && !strncmp(variable, cvar, sizeof cvar - 1) &&
           ends_with(variable, n, "_MSG_SIZE");
}
