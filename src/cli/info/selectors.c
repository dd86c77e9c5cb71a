/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selectors: the selectors of collective algorithms: which there are, their rules, and what one of them
 * chooses at points that the user gives, as words or one a line on stdin.
 */
#include "cli/command.h"
#include "base/text.h"
#include "coll/rules/rules.h"

#include <stdlib.h>
#include <string.h>

enum { REASON = 1024 };

static int print_names(void)
{
    puts("selectors of collective algorithms (--set coll/selector=NAME)");
    for (const char *const *name = coll_rules_builtins(); *name; name++)
        printf("  %-13s %s\n", *name, coll_rules_source(coll_rules_builtin(*name)));
    return BASE_EXIT_OK;
}

static int print_rules(const struct coll_rules *s)
{
    struct base_text text;
    base_text_init(&text, "selectors");
    coll_rules_print(s, &text);
    base_text_write(&text, stdout);
    base_text_release(&text);
    return BASE_EXIT_OK;
}

static int print_choice(const struct coll_rules *s, const char *words)
{
    char leaf[REASON], why[REASON];
    struct base_status st;
    struct coll_point p;
    struct coll_choice c;
    if (coll_point_parse(&p, words, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    if (!coll_rules_choose(s, &p, &c))
        puts("no choice");
    else
        printf("%s\t%s\n", coll_leaf_show(c.leaf, leaf, sizeof leaf),
               coll_choice_explain(&c, why, sizeof why));
    return BASE_EXIT_OK;
}

static int print_choices(const struct coll_rules *s)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    int rc = BASE_EXIT_OK;
    while (rc == BASE_EXIT_OK && (n = getline(&line, &room, stdin)) > 0) {
        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        rc = print_choice(s, line);
    }
    free(line);
    return rc;
}

static int print_joined(const struct coll_rules *s, int argc, char **args)
{
    struct base_text text;
    base_text_init(&text, "selectors");
    for (int k = 0; k < argc; k++)
        base_text_format(&text, "%s%s", k ? " " : "", args[k]);
    char *words = base_text_take(&text);
    int rc = print_choice(s, words);
    free(words);
    return rc;
}

int cli_info_selectors(int argc, char **args)
{
    if (!argc)
        return print_names();
    struct base_status st;
    struct coll_rules *own = NULL;
    const struct coll_rules *s = coll_rules_builtin(args[0]);
    if (!s && coll_rules_read(&own, args[0], &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    s = s ? s : own;
    int rc = argc == 1                            ? print_rules(s)
             : argc == 2 && !strcmp(args[1], "-") ? print_choices(s)
                                                  : print_joined(s, argc - 1, args + 1);
    coll_rules_destroy(own);
    return rc;
}
