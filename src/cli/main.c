/* SPDX-License-Identifier: BSD-3-Clause */
/* main: the `pgasim` executable. All of it is in libpgasim, which the programs that it loads use, too. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return pgasim_main(argc, argv);
}
