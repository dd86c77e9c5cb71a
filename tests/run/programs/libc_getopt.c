/* SPDX-License-Identifier: BSD-3-Clause */
/* getopt in each rank, interleaved with the others', gives what the host's own gives to a process: the same
 * program without ranks (built with -DALONE) says what is expected. */
// build: $OSHCC -g $SRC -o $EXE
// build: $CC -g -DALONE $SRC -o alone && ./alone 3 > expected
// run: -np 3
// stdout-file: expected
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef ALONE
#define shmem_init()
#define shmem_finalize()
#define shmem_barrier_all()
#define shmem_my_pe() me
#define shmem_n_pes() n
#else
#include <shmem.h>
#endif

static char text[8192];
static int flag;
static const struct option longs[] = {
    {"all", no_argument, NULL, 'a'},        {"alpha", no_argument, NULL, 1},
    {"file", required_argument, NULL, 'f'}, {"level", optional_argument, NULL, 'l'},
    {"flag", no_argument, &flag, 42},       {"filter", required_argument, NULL, 2},
    {"b", required_argument, NULL, 'b'},    {NULL, 0, NULL, 0},
};

static const char *const lines[] = {
    "p -a -b one two -c",
    "p one -a two -b x three -c four",
    "p -abc -bval rest -- -a",
    "p one two three",
    "p -- -a -b",
    "p one -a -- two -b",
    "p -x -a",
    "p a -b",
    "p --all --file=name --level --level=3 x --flag --fil y --filter z",
    "p --al --file",
    "p --all=no --nothing -a",
    "p -all -file name -b 3 -level=2 rest",
    "p -",
    "p - -a -ofile -o file",
    "p",
};
static const char *const options[] = {"ab:co::", "+ab:co::", "-ab:co::", ":ab:co::"};

static void say(const char *fmt, int c)
{
    snprintf(text + strlen(text), sizeof text - strlen(text), fmt, c);
}

/* One command line with one set of options, by one of the functions. */
static void scan(const char *line, const char *opts, int how)
{
    char copy[200], *argv[32];
    int argc = 0, c, index = -1;
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    optind = 0;
    opterr = 0;
    flag = 0;
    for (;;) {
        c = how == 0   ? getopt(argc, argv, opts)
            : how == 1 ? getopt_long(argc, argv, opts, longs, &index)
                       : getopt_long_only(argc, argv, opts, longs, &index);
        if (c == -1)
            break;
        say("(%d", c);
        say(" %d", optind);
        if (c == '?' || c == ':')
            say(" of %d", optopt);
        if (optarg)
            snprintf(text + strlen(text), sizeof text - strlen(text), " '%s'", optarg);
        say(" i%d", index);
        say(" f%d)", flag);
        shmem_barrier_all();
    }
    say(" end %d:", optind);
    for (int k = 0; k < argc; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s", argv[k]);
    say("%c", '\n');
}

static void scan_all(int me)
{
    text[0] = 0;
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) { /* each rank begins somewhere else */
        size_t at = (l + 5 * (size_t)me) % (sizeof lines / sizeof *lines);
        for (int how = 0; how < 3; how++) {
            say("%d ", me);
            scan(lines[at], options[(at + (size_t)how) % 4], how);
        }
    }
}

int main(int argc, char **argv)
{
    int me = 0, n = 1;
    (void)me, (void)n;
    shmem_init();
#ifdef ALONE
    n = argc > 1 ? atoi(argv[1]) : 1;
    for (me = 0; me < n; me++) {
        scan_all(me);
        fputs(text, stdout);
    }
#else
    (void)argc, (void)argv;
    scan_all(shmem_my_pe());
    for (int k = 0; k < 4; k++) { /* one after the other */
        shmem_barrier_all();
        if (k == shmem_my_pe())
            fputs(text, stdout);
    }
#endif
    shmem_finalize();
    return 0;
}
