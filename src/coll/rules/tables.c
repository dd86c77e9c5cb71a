/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables: the built-in selectors. Their texts, tables/NAME.rules, are within the program (R3); each is read
 * when it is first asked for, and kept.
 */
#include "coll/rules/tree.h"

#include <string.h>

#define TABLE_TEXT(id, name)                                                                                 \
    __asm__(".pushsection .rodata\n"                                                                         \
            ".global pgasim_rules_" id "\n"                                                                  \
            ".hidden pgasim_rules_" id "\n"                                                                  \
            ".global pgasim_rules_" id "_end\n"                                                              \
            ".hidden pgasim_rules_" id "_end\n"                                                              \
            "pgasim_rules_" id ":\n"                                                                         \
            ".incbin \"" PGASIM_RULES_FOLDER "/" name ".rules\"\n"                                           \
            "pgasim_rules_" id "_end:\n"                                                                     \
            ".byte 0\n"                                                                                      \
            ".popsection\n")
#define COLL_TABLE(id, name)                                                                                 \
    TABLE_TEXT(#id, name);                                                                                   \
    extern const char pgasim_rules_##id[], pgasim_rules_##id##_end[];
#include "coll/rules/tables.def"
#undef COLL_TABLE

static const struct {
    const char *name, *text, *end;
} table[] = {
#define COLL_TABLE(id, name) {name, pgasim_rules_##id, pgasim_rules_##id##_end},
#include "coll/rules/tables.def"
#undef COLL_TABLE
};
static struct coll_rules *kept[BASE_LENGTH(table)];

static size_t find(const char *name)
{
    size_t k = 0;
    while (k < BASE_LENGTH(table) && strcmp(table[k].name, name))
        k++;
    return k;
}

const char *coll_rules_table(const char *name, size_t *bytes)
{
    size_t k = find(name);
    if (k == BASE_LENGTH(table))
        return NULL;
    *bytes = (size_t)(table[k].end - table[k].text);
    return table[k].text;
}

const struct coll_rules *coll_rules_builtin(const char *name)
{
    size_t k = find(name);
    if (k == BASE_LENGTH(table))
        return NULL;
    if (!kept[k]) {
        struct base_status st = {""};
        size_t bytes = (size_t)(table[k].end - table[k].text);
        if (coll_rules_parse(&kept[k], table[k].text, bytes, name, &st))
            base_fatal(BASE_EXIT_BUG, "a built-in selector cannot be read: %s", st.text);
    }
    return kept[k];
}

const char *const *coll_rules_builtins(void)
{
    static const char *names[BASE_LENGTH(table) + 1];
    for (size_t k = 0; k < BASE_LENGTH(table); k++)
        names[k] = table[k].name;
    return names;
}
