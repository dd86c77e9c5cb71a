/* SPDX-License-Identifier: BSD-3-Clause */
/* Any words, one per line, read as the command line of `pgasim run`: a report, or options within their
 * limits. */
#include "cli/launch/launch.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARGS = 64 };

static void check(int argc, char **args)
{
    struct run_options o;
    struct base_status st = {""};
    enum cli_read r = run_options_read(&o, argc, args, &st);
    if (r == CLI_READ) {
        BASE_ASSERT("a program", o.program[0]);
        BASE_ASSERT("some ranks", o.ranks >= 1 && o.ranks <= UINT32_MAX);
        BASE_ASSERT("a stack", run_options_stack_size(&o) >= 16 << 10);
        BASE_ASSERT("a factor", o.compute_factor > 0);
    }
    BASE_ASSERT("a reason", r != CLI_READ_FAILED || st.text[0]);
    run_options_release(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char name[] = "run";
    char *args[ARGS + 2] = {name}, *text = malloc(size + 1), *save;
    int n = 1;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (char *w = strtok_r(text, "\n", &save); w && n <= ARGS; w = strtok_r(NULL, "\n", &save))
        args[n++] = w;
    args[n] = NULL;
    check(n, args);
    free(text);
    return 0;
}
