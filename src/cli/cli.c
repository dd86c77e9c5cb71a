/* SPDX-License-Identifier: BSD-3-Clause */
/* cli: finds the command by the name this binary was called by, or by the first argument. */
#include "base/output.h"
#include "cli/command.h"
#include "fold/fold.h"
#include "mpi/mpi_front.h"
#include "shmem/shmem_front.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A command. Those without a line of help are names of the wrappers. */
struct command {
    const char *name, *help;
    int (*fn)(int argc, char **args);
};

static int cli_help(int argc, char **args);
static int cli_version(int argc, char **args);

static const struct command commands[] = {
    {"run", "run a program on a simulated platform", cli_run},
    {"cc", "compile and link a C program for it (also: oshcc, mpicc)", cli_cc},
    {"c++", "compile and link a C++ program for it (also: oshc++, mpicxx)", cli_cxx},
    {"fc", "compile and link Fortran code for it (also: oshfort, mpifort)", cli_fc},
    {"riscv", "run a RISC-V program on simulated cores, with remote atomics", cli_riscv},
    {"riscv-cc", "compile and link a program for simulated RISC-V cores", cli_riscv_cc},
    {"record", "record an MPI program on this machine, to be played by replay", cli_record},
    {"replay", "play the trace of a parallel program on a platform", cli_replay},
    {"trace-info", "what is in such a trace, and what of it can be played", cli_trace_info},
    {"convert", "write such a trace in another format", cli_convert},
    {"env", "run a command, such as make, with the wrappers as its compilers", cli_env},
    {"info", "list settings, algorithms, places of files; will a program run?", cli_info},
    {"platform", "print the built-in cluster, look at a platform file", cli_platform},
    {"check", "look for errors of synchronization: races, adversarial runs", cli_check},
    {"explore", "good topologies, hosts and protocols of an S-DSM program", cli_explore},
    {"tune", "the best algorithms of collectives for a platform or a program", cli_tune},
    {"calibrate", "constants of a platform from measurements of a real machine", cli_calibrate},
    {"sweep", "run a study of many points, here or by Slurm; its page of charts", cli_sweep},
    {"validate", "real runs and simulated ones: how far off predictions are", cli_validate},
    {"report", "make a page for the browser from a trace", cli_report},
    {"profile", "what happened in a run, from its trace: time, waits, critical path", cli_profile},
    {"diff", "what got slower between two runs, from their traces", cli_diff},
    {"flows", "play a list of transfers and computations on a platform", cli_flows},
    {"help", "help on a command: pgasim help run", cli_help},
    {"version", "print the version", cli_version},
    {"oshcc", NULL, cli_cc},
    {"oshc++", NULL, cli_cxx},
    {"oshcxx", NULL, cli_cxx},
    {"oshCC", NULL, cli_cxx},
    {"oshfort", NULL, cli_fc},
    {"oshrun", NULL, cli_run},
    {"mpicc", NULL, cli_cc},
    {"mpicc_abi", NULL, cli_cc},
    {"mpicxx", NULL, cli_cxx},
    {"mpic++", NULL, cli_cxx},
    {"mpiCC", NULL, cli_cxx},
    {"mpifort", NULL, cli_fc},
    {"mpif77", NULL, cli_fc},
    {"mpif90", NULL, cli_fc},
    {"mpiexec", NULL, cli_run},
    {"mpirun", NULL, cli_run},
    {"xbgas-cc", NULL, cli_riscv_cc},
    {"-h", NULL, cli_help},
    {"-V", NULL, cli_version},
};

/* How many dashes an option begins with: one or two; 0 when it is none. */
static size_t leading_dashes(const char *name)
{
    size_t n = strspn(name, "-");
    return n <= 2 && name[n] ? n : 0;
}

/* --help and --version, with one dash or two, are the commands of these names. */
static const struct command *find(const char *name)
{
    size_t dashes = leading_dashes(name);
    if (dashes && (!strcmp(name + dashes, "help") || !strcmp(name + dashes, "version")))
        name += dashes;
    for (size_t k = 0; k < BASE_LENGTH(commands); k++)
        if (!strcmp(commands[k].name, name))
            return &commands[k];
    return NULL;
}

static void print_overview(FILE *out)
{
    fputs("usage: pgasim COMMAND [arguments]\n\n"
          "Runs unmodified OpenSHMEM and MPI programs on simulated clusters: the results are the program's\n"
          "own, the times are the platform's.\n\ncommands:\n",
          out);
    for (size_t k = 0; k < BASE_LENGTH(commands); k++)
        if (commands[k].help)
            fprintf(out, "  %-10s %s\n", commands[k].name, commands[k].help);
    fputs("\nexample:\n  pgasim cc -O2 -o hello hello.c\n  pgasim run -np 64 hello\n", out);
}

static int unknown(const char *name)
{
    const char *best = NULL;
    struct base_nearest near = {.given = name + leading_dashes(name)};
    for (size_t k = 0; k < BASE_LENGTH(commands); k++)
        if (commands[k].help && base_nearest_offer(&near, commands[k].name))
            best = commands[k].name;
    if (best)
        base_error("unknown command '%s'; the nearest known one is %s (see pgasim --help)", name, best);
    else
        base_error("unknown command '%s' (see pgasim --help)", name);
    return BASE_EXIT_INPUT;
}

static int cli_help(int argc, char **args)
{
    static char help[] = "--help";
    if (argc < 2) {
        print_overview(stdout);
        return BASE_EXIT_OK;
    }
    const struct command *c = find(args[1]);
    if (!c || c->fn == cli_help || c->fn == cli_version)
        return unknown(args[1]);
    char *asked[] = {args[1], help, NULL};
    return c->fn(2, asked);
}

static int cli_version(int argc, char **args)
{
    (void)argc, (void)args, printf("pgasim %s\n", pgasim_version);
    return BASE_EXIT_OK;
}

static int dispatch(int argc, char **argv)
{
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    const struct command *self = argc ? find(slash ? slash + 1 : argv[0]) : NULL;
    if (self && !self->help)
        return self->fn(argc, argv);
    if (argc < 2) {
        print_overview(stderr);
        return BASE_EXIT_INPUT;
    }
    const struct command *c = find(argv[1]);
    return c ? c->fn(argc - 1, argv + 1) : unknown(argv[1]);
}

/* If the caller closed a standard descriptor, the next file opened would get its number, and output meant for
 * the caller would go there. So the number is taken by a descriptor that fails as the closed one would. */
static void take_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* Needed to read files of version 1, which do not contain the meaning of their names. */
static void know_names(void)
{
    trace_calls_register(rank_calls, rank_calls_count);
    trace_calls_register(fold_calls, fold_calls_count);
    trace_calls_register(rma_calls, rma_calls_count);
    trace_calls_register(shmem_calls, shmem_calls_count);
    trace_calls_register(mpi_calls, mpi_calls_count);
}

int pgasim_main(int argc, char **argv)
{
    take_standard_descriptors();
    base_size_limit_take();
    fold_register();
    know_names();
    int status = dispatch(argc, argv);
    if ((fflush(stdout) || ferror(stdout)) && status == BASE_EXIT_OK) {
        base_error("cannot write standard output");
        status = BASE_EXIT_HOST;
    }
    return status;
}
