/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command: the commands behind `pgasim NAME` (private to cli/). Each is a function over its own arguments,
 * with args[0] the name it was called by, that returns the exit status.
 */
#ifndef PGASIM_CLI_COMMAND_H
#define PGASIM_CLI_COMMAND_H

#include "cli/cli.h"

int cli_run(int argc, char **args);      /* run.c */
int cli_cc(int argc, char **args);       /* cc.c */
int cli_cxx(int argc, char **args);      /* cc.c */
int cli_fc(int argc, char **args);       /* cc.c */
int cli_riscv_cc(int argc, char **args); /* riscv_cc.c */
int cli_env(int argc, char **args);      /* env.c */
int cli_info(int argc, char **args);     /* info.c */
int cli_platform(int argc, char **args); /* platform_command.c */
int cli_flows(int argc, char **args);    /* flows.c */
int cli_report(int argc, char **args);   /* report_command.c */
int cli_profile(int argc, char **args);  /* profile_command.c */
int cli_diff(int argc, char **args);     /* profile_command.c */
int cli_check(int argc, char **args);    /* check_command.c */
int cli_explore(int argc, char **args);  /* explore_command.c */
int cli_tune(int argc, char **args);     /* tune_command.c */
int cli_riscv(int argc, char **args);    /* riscv_run.c */
int cli_replay(int argc, char **args);   /* replay_command.c */
int cli_record(int argc, char **args);   /* record_command.c */
int cli_trace_info(int argc, char **args); /* trace_info.c */
int cli_convert(int argc, char **args);    /* convert_command.c */
int cli_sweep(int argc, char **args);      /* sweep_command.c */

/* Behind `pgasim riscv figures` (riscv_figures.c). */
int cli_riscv_figures(int argc, char **args);

uint32_t cli_cores(void); /* cores.c: of this machine, that this process may use; at least 1 */

/* Says whether a program will run (info_program.c): BASE_EXIT_OK, BASE_EXIT_PROGRAM when not, BASE_EXIT_INPUT
 * when it is not a program. */
int cli_info_program(const char *program, bool json);
int cli_info_selectors(int argc, char **args); /* the words behind `selectors` */

/* PGASIM_* names in the environment that are not settings; NULL ends the list. */
extern const char *const cli_not_settings[];

/* Everything that can be set: the tables of all modules (cli_settings.c). */
struct base_settings *cli_settings_create(void);
/* Sets from the command line what "KEY=VALUE" or SimGrid's "KEY:VALUE" says. */
int cli_settings_assign(struct base_settings *s, const char *text, struct base_status *st);

#endif
