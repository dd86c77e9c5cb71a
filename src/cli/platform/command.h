/* SPDX-License-Identifier: BSD-3-Clause */
/* command: what the parts of `pgasim platform` share (private to cli/platform/). */
#ifndef PGASIM_CLI_PLATFORM_COMMAND_H
#define PGASIM_CLI_PLATFORM_COMMAND_H

#include "cli/command.h"
#include "platform/platform.h"

/* What was asked for. */
struct platform_request {
    uint64_t ranks;
    bool json, all;
    bool storage; /* default: with file servers */
    const char *output;
    char **word; /* behind the name of the part */
    int words;
};

/* The platform of a file or, for NULL, the built-in one. NULL: what is wrong was reported. `s`: all
 * settings. */
struct platform *platform_request_load(const struct platform_request *q, const char *path,
                                       struct base_settings *s);

/* Each returns the exit status. */
int platform_request_show(const struct platform_request *q);  /* show.c */
int platform_request_check(const struct platform_request *q); /* check.c */
int platform_request_draw(const struct platform_request *q);  /* draw.c */

/* `pgasim platform generate` has options of its own; args[0] is "generate" (generate.c). */
int cli_platform_generate(int argc, char **args);

/* "16 hosts, 33 links, 1 router, 1 zone" and the end of the line (show.c). */
void platform_request_counts(const struct platform *p);

/* json.c: all of a platform, or one of its routes, on the standard output. */
void platform_json_print(const struct platform *p);
void platform_json_print_route(const struct platform *p, uint32_t from, uint32_t to,
                               const struct platform_route *route);

#endif
