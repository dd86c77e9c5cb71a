/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named: platforms whose name says all about them: KIND:SIZES, such as rae-mesh:8x8.
 */
#include "platform/generate/plan.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 512 };

/* The length of the kind at the beginning of the name, 0 if it is none that has such names. */
static size_t kind_length(const char *name)
{
    static const char *const kinds[] = {"rae-mesh", "mesh", "torus"};
    const char *colon = strchr(name, ':');
    for (unsigned k = 0; colon && k < BASE_LENGTH(kinds); k++)
        if ((size_t)(colon - name) == strlen(kinds[k]) && !strncmp(name, kinds[k], strlen(kinds[k])))
            return strlen(kinds[k]);
    return 0;
}

bool platform_is_named(const char *name)
{
    return kind_length(name) > 0 && strlen(name) < NAME_MOST;
}

/* "8x8" to "8,8"; anything else is left for the list's own check to refuse. */
static void list_of(char *sizes)
{
    for (char *at = sizes; *at; at++)
        if (*at == 'x')
            *at = ',';
        else if (*at < '0' || *at > '9')
            *at = '?';
}

int platform_load_named(struct platform **out, const char *name, struct base_settings *settings,
                        struct base_status *st)
{
    char text[NAME_MOST];
    struct base_status why;
    size_t n = kind_length(name);
    snprintf(text, sizeof text, "%s", name);
    text[n] = 0;
    list_of(text + n + 1);
    struct platform_plan plan = {.kind = text};
    plan.value[PLATFORM_DIMENSIONS] = text + n + 1;
    plan.value[PLATFORM_COMPACT] = strcmp(text, "torus") ? "" : NULL;
    char *xml = platform_generate(&plan, &why);
    if (!xml)
        return base_fail(st, "%s: expected %s:XxY with sizes from 1 and at most %u hosts, such as %s:8x8",
                         name, text, PLATFORM_HOST_LIMIT, text);
    int rc = platform_load_text(out, xml, strlen(xml), name, settings, st);
    free(xml);
    return rc;
}
