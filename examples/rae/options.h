/* SPDX-License-Identifier: BSD-3-Clause */
/* options: what the command lines of these programs have in common: a name, then pairs of -LETTER NUMBER. */
#ifndef RAE_OPTIONS_H
#define RAE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct option_of {
    char letter;
    uint64_t *value;
    uint64_t least, most;
};

static const struct option_of *option_find(const struct option_of *options, const char *word)
{
    if (word[0] == '-' && word[1] && !word[2])
        for (; options->letter; options++)
            if (options->letter == word[1])
                return options;
    return NULL;
}

/* From args[from] on. false: said on stderr what was wrong. The last option has letter 0. */
static bool options_read(int argc, char **args, int from, const struct option_of *options)
{
    for (int i = from; i < argc; i += 2) {
        const struct option_of *o = option_find(options, args[i]);
        if (!o) {
            fprintf(stderr, "%s: unknown option %s\n", args[0], args[i]);
            return false;
        }
        char *end = NULL;
        uint64_t value = i + 1 < argc ? strtoul(args[i + 1], &end, 0) : 0;
        if (!end || *end || end == args[i + 1] || value < o->least || value > o->most) {
            fprintf(stderr, "%s: -%c needs a number from %lu to %lu\n", args[0], o->letter,
                    (unsigned long)o->least, (unsigned long)o->most);
            return false;
        }
        *o->value = value;
    }
    return true;
}

#endif
