/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any words, one per line, read as the command line of `pgasim riscv-cc`. A line of one byte below 32 stands
 * for a word of a list, so that its own options meet often. All words that are passed on are in the command
 * in their order, but those of libraries, which may be sources here; and reading what is passed on finds no
 * option of ours.
 */
#include "cli/cc/riscv_command.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARGS = 64 };

static char include[] = "/p/include", riscv[] = "/p/share/pgasim/riscv";
static const struct cli_places places = {.include = include, .riscv = riscv};

static const char *const list[32] = {
    "--linux",
    "--ram",
    "--ram=4M",
    "--stack",
    "--stack=8K",
    "--xbgas-map",
    "--xbgas-map=2020",
    "2020",
    "4M",
    "-lxbgas",
    "-l",
    "xbgas",
    "stdc++",
    "-lstdc++",
    "-o",
    "-x",
    "c++",
    "c",
    "a.c",
    "a.cpp",
    "a.o",
    "-c",
    "-S",
    "-march=rv64g",
    "-r",
    "-E",
    "--showme",
    "-mabi=lp64d",
    "-nostdlib",
    "-I",
    "--help",
    "-DXBGAS_MAP_2020",
};

static bool is_library(const char *word)
{
    return !strcmp(word, "-lxbgas") || !strcmp(word, "-lstdc++") || !strcmp(word, "-l") ||
           !strcmp(word, "xbgas") || !strcmp(word, "stdc++");
}

static void check_order(const struct riscv_request *r, const struct cc_words *command)
{
    size_t at = 1;
    for (size_t k = 0; k < r->words.n; k++) {
        if (is_library(r->words.at[k]))
            continue;
        while (at < command->n && strcmp(command->at[at], r->words.at[k]) != 0)
            at++;
        if (at++ == command->n)
            abort();
    }
}

static void check(int n, char **args)
{
    struct base_status st;
    struct riscv_request r, again;
    struct cc_words command = {0}, compiler = {0};
    if (!riscv_request_read(&r, n, args, &st)) {
        cc_words_push(&compiler, riscv_compiler_name(&r));
        riscv_command_make(&command, &r, &compiler, &places);
        check_order(&r, &command);
        if (riscv_request_read(&again, (int)r.words.n, r.words.at, &st) || again.words.n != r.words.n)
            abort();
        riscv_request_release(&again);
    }
    riscv_request_release(&r);
    cc_words_release(&command);
    cc_words_release(&compiler);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *args[ARGS], *save = NULL;
    int n = 0;
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    for (char *w = strtok_r(text, "\n", &save); w && n < ARGS; w = strtok_r(NULL, "\n", &save)) {
        unsigned char first = (unsigned char)*w;
        char *word = strdup(first < 32 && !w[1] ? list[first] : w);
        if (*word == '@') /* no files are read here */
            *word = 'a';
        args[n++] = word;
    }
    check(n, args);
    for (int k = 0; k < n; k++)
        free(args[k]);
    free(text);
    return 0;
}
