/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sanitize: clang and its sanitizers. By default clang puts a sanitizer's run time into the program; all
 * ranks need one that is shared, and that the dynamic linker finds in clang's own folder. GCC's are shared
 * libraries of the system already.
 */
#include "cli/cc/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__aarch64__)
#define ARCHITECTURE "aarch64"
#else
#define ARCHITECTURE "x86_64"
#endif

static bool sanitizes(const struct cc_args *a)
{
    bool on = false;
    for (size_t k = 0; k < a->words.n; k++) {
        const char *w = a->words.at[k];
        if (!strncmp(w, "-fsanitize=", 11))
            on = strstr(w, "address") || strstr(w, "undefined") || on;
        else if (!strcmp(w, "-fno-sanitize=all"))
            on = false;
    }
    return on;
}

/* The folder of clang's run times; NULL: not known. */
static char *runtime_folder(const struct cc_compiler *c)
{
    char *command = base_strfmt("%s -print-file-name=libclang_rt.asan-" ARCHITECTURE ".so 2>/dev/null",
                                c->words.at[c->words.n - 1]);
    FILE *f = popen(command, "r");
    char *line = NULL, *slash;
    size_t size = 0;
    bool read = f && getline(&line, &size, f) > 0;
    if (f)
        pclose(f);
    free(command);
    if (!read || *line != '/' || !(slash = strrchr(line, '/'))) {
        free(line);
        return NULL;
    }
    *slash = 0;
    return line;
}

void cc_sanitize_link(struct cc_words *out, const struct cc_compiler *c, const struct cc_args *a)
{
    if (!c->clang || !sanitizes(a))
        return;
    char *folder = runtime_folder(c);
    cc_words_push(out, "-shared-libsan");
    if (folder) {
        char *rpath = base_strfmt("-Wl,-rpath,%s", folder);
        cc_words_push(out, rpath);
        free(rpath);
    }
    free(folder);
}
