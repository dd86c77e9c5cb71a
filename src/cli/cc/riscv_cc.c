/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * riscv_cc: `pgasim riscv-cc`, the wrapper of the cross compilers that make programs for simulated RISC-V
 * cores. This process becomes the compiler (exec).
 */
#include "base/text.h"
#include "cli/command.h"
#include "cli/options/options.h"
#include "cli/cc/riscv_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_options help_riscv_cc = {
    .usage = "pgasim riscv-cc [compiler options] files (also: xbgas-cc)",
    .about =
        "Compiles and links programs that `pgasim riscv` can run: by riscv64-unknown-elf-gcc and picolibc,\n"
        "or by riscv64-linux-gnu-gcc. Options are the compiler's, and are passed on. Assembler code, inline\n"
        "or in files, may use the instructions of xBGAS and the remote atomics; <xbgas.h> has them for C.\n"
        "-lxbgas links the runtime of <xbgas_rt.h>.",
    .notes = "of the wrapper itself:\n"
             "  --linux                     make a static executable for Linux\n"
             "  --ram SIZE                  RAM of a bare program: data, heap and stack (default: 2MiB)\n"
             "  --stack SIZE                of it for the stack (default: 64KiB)\n"
             "  --xbgas-map MAP             encodings of xBGAS: 2.0.0 (default) or 2020\n"
             "  --showme                    print the command instead of running it",
};

/* The words of PGASIM_RISCV_CC, or the compiler's usual name. */
static void find_compiler(struct cc_words *out, const struct riscv_request *r)
{
    const char *given = getenv("PGASIM_RISCV_CC");
    for (const char *p = given ? given : ""; *(p += strspn(p, " ")); p += strcspn(p, " ")) {
        char *word = base_strfmt("%.*s", (int)strcspn(p, " "), p);
        BASE_ARRAY_PUSH(out, word);
    }
    if (!out->n)
        cc_words_push(out, riscv_compiler_name(r));
}

/* gcc itself would only say that it cannot read a file of specs. */
static bool lacks_picolibc(const struct cc_words *compiler)
{
    char *said = cc_words_ask(compiler, "-print-file-name=picolibc.specs");
    bool lacks = said && !strcmp(said, "picolibc.specs"); /* a bare name: there is no such file */
    free(said);
    return lacks;
}

static int carry_out(const struct riscv_request *r, const struct cli_places *p)
{
    struct cc_words compiler = {0}, command = {0};
    int status = BASE_EXIT_OK;
    find_compiler(&compiler, r);
    riscv_command_make(&command, r, &compiler, p);
    if (r->show) {
        cc_words_print(&command);
    } else if (!r->hosted && lacks_picolibc(&compiler)) {
        base_error("%s has no picolibc: install Debian's package picolibc-riscv64-unknown-elf",
                   compiler.at[0]);
        status = 127;
    } else {
        int why = cc_words_become(&command);
        if (why == ENOENT)
            base_error("cannot find the compiler %s: install Debian's packages %s", compiler.at[0],
                       riscv_compiler_packages(r));
        else
            base_error("cannot run the compiler %s: %s", compiler.at[0], strerror(why));
        status = why == ENOENT ? 127 : 126;
    }
    cc_words_release(&compiler);
    cc_words_release(&command);
    return status;
}

int cli_riscv_cc(int argc, char **args)
{
    struct base_status st;
    struct cli_places p;
    struct riscv_request r;
    int status = BASE_EXIT_OK;
    if (riscv_request_read(&r, argc - 1, args + 1, &st)) {
        status = cli_options_refuse(&help_riscv_cc, st.text);
    } else if (r.help) {
        cli_options_help(&help_riscv_cc, stdout);
    } else if (cli_places_find(&p, &st)) {
        base_error("%s", st.text);
        status = BASE_EXIT_HOST;
    } else {
        status = carry_out(&r, &p);
        cli_places_release(&p);
    }
    riscv_request_release(&r);
    return status;
}
