/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command: the commands behind `pgasim NAME` (private to cli/, for all its rooms). Each is a function over its
 * own arguments, with args[0] the name it was called by, that returns the exit status.
 */
#ifndef PGASIM_CLI_COMMAND_H
#define PGASIM_CLI_COMMAND_H

#include "cli/cli.h"

int cli_run(int argc, char **args);        /* run/run.c */
int cli_cc(int argc, char **args);         /* cc/cc.c */
int cli_cxx(int argc, char **args);        /* cc/cc.c */
int cli_fc(int argc, char **args);         /* cc/cc.c */
int cli_riscv_cc(int argc, char **args);   /* cc/riscv_cc.c */
int cli_env(int argc, char **args);        /* cc/env.c */
int cli_info(int argc, char **args);       /* info/info.c */
int cli_platform(int argc, char **args);   /* platform/command.c */
int cli_flows(int argc, char **args);      /* flows/flows.c */
int cli_report(int argc, char **args);     /* report/report.c */
int cli_profile(int argc, char **args);    /* report/profile.c */
int cli_diff(int argc, char **args);       /* report/profile.c */
int cli_check(int argc, char **args);      /* study/check.c */
int cli_explore(int argc, char **args);    /* study/explore.c */
int cli_tune(int argc, char **args);       /* tune/command.c */
int cli_riscv(int argc, char **args);      /* riscv/run.c */
int cli_replay(int argc, char **args);     /* replay/command.c */
int cli_record(int argc, char **args);     /* replay/record.c */
int cli_trace_info(int argc, char **args); /* replay/trace_info.c */
int cli_convert(int argc, char **args);    /* replay/convert.c */
int cli_calibrate(int argc, char **args);  /* calibrate/calibrate.c */
int cli_sweep(int argc, char **args);      /* study/sweep.c */
int cli_validate(int argc, char **args);   /* study/validate.c */

/* Behind `pgasim riscv figures` (riscv/figures.c). */
int cli_riscv_figures(int argc, char **args);

/* Says whether a program will run (info/program.c): BASE_EXIT_OK, BASE_EXIT_PROGRAM when not, BASE_EXIT_INPUT
 * when it is not a program. */
int cli_info_program(const char *program, bool json);
int cli_info_selectors(int argc, char **args); /* the words behind `selectors` */

#endif
