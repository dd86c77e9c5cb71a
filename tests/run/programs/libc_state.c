/* SPDX-License-Identifier: BSD-3-Clause */
/* What libc keeps for a process is kept for each rank: errno, the random generators, strtok, getopt, the
 * environment, the working directory, the mask for new files, the arguments. Each rank uses it before and after all others did. */
// build: $OSHCC -g $SRC -o $EXE && mkdir -p here/0 here/1 here/2 here/3
// shell: cd here && SOME=thing $RUN --quiet -np 1 $EXE -a one -b rest
// stdout: 0 wrong in 1 PEs
// shell: cd here && SOME=thing $RUN --quiet -np 4 $EXE -a one -b rest
// stdout: 0 wrong in 4 PEs
#include <errno.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long wrong_of_all;

static int check(int ok, const char *what)
{
    if (!ok)
        fprintf(stderr, "PE %d: %s\n", shmem_my_pe(), what);
    return !ok;
}

static int errno_stays(int me)
{
    errno = 0;
    if (me % 2)
        errno = 1000 + me;
    shmem_barrier_all();
    return check(errno == (me % 2 ? 1000 + me : 0), "errno");
}

static int random_streams(int me)
{
    int wrong = 0, expected[6], n = shmem_n_pes();
    unsigned state = 5;
    for (int rounds = 0; rounds < 2; rounds++) { /* all alike, then each its own seed */
        unsigned seed = rounds ? 100 + (unsigned)me : 1;
        srand(seed);
        srandom(seed);
        srand48((long)seed);
        for (int i = 0; i < 6; i++)
            expected[i] = i < 2 ? rand() : i < 4 ? (int)random() : (int)lrand48();
        srand(seed);
        srandom(seed);
        srand48((long)seed);
        for (int i = 0; i < 6; i++) {
            int got = i < 2 ? rand() : i < 4 ? (int)random() : (int)lrand48();
            wrong += check(got == expected[i], "rand, random or lrand48");
            shmem_barrier_all();
        }
    }
    wrong += check(rand_r(&state) >= 0 && n > 0, "rand_r");
    return wrong;
}

static int tokens(int me)
{
    char text[40], expected[8];
    int wrong = 0;
    snprintf(text, sizeof text, "%d,%d,%d", me, me + 1, me + 2);
    char *part = strtok(text, ",");
    for (int i = 0; i < 3; i++) {
        snprintf(expected, sizeof expected, "%d", me + i);
        wrong += check(part && strcmp(part, expected) == 0, "strtok");
        shmem_barrier_all();
        part = strtok(NULL, ",");
    }
    return wrong + check(part == NULL, "strtok's end");
}

static int environment(int me)
{
    char mine[16];
    int wrong = check(getenv("SOME") && strcmp(getenv("SOME"), "thing") == 0, "getenv");
    snprintf(mine, sizeof mine, "%d", me);
    shmem_barrier_all();
    setenv("SOME", mine, 1);
    setenv(me % 2 ? "ODD" : "EVEN", "yes", 1);
    shmem_barrier_all();
    wrong += check(getenv("SOME") && strcmp(getenv("SOME"), mine) == 0, "setenv");
    wrong += check(!getenv("ODD") == !(me % 2) && !getenv("EVEN") == !!(me % 2), "environment of another");
    unsetenv("SOME");
    shmem_barrier_all();
    return wrong + check(!getenv("SOME"), "unsetenv");
}

static int options(int argc, char **argv)
{
    int wrong = 0, seen_a = 0, seen_b = 0, option;
    argv[0][0] = '*'; /* the arguments are the rank's own */
    while ((option = getopt(argc, argv, "a:b")) != -1) {
        seen_a += option == 'a' && strcmp(optarg, "one") == 0;
        seen_b += option == 'b';
        shmem_barrier_all();
    }
    wrong += check(seen_a == 1 && seen_b == 1, "getopt");
    return wrong + check(optind == argc - 1 && strcmp(argv[optind], "rest") == 0, "optind");
}

static int folder(int me)
{
    char to[8], now[4096];
    snprintf(to, sizeof to, "%d", me);
    int wrong = check(chdir(to) == 0, "chdir");
    shmem_barrier_all();
    wrong += check(getcwd(now, sizeof now) && strcmp(strrchr(now, '/') + 1, to) == 0, "getcwd");
    FILE *f = fopen("mine", "w");
    wrong += check(f && fprintf(f, "%d", me) > 0 && fclose(f) == 0, "a file in the folder");
    shmem_barrier_all();
    snprintf(now, sizeof now, "../%d/mine", me);
    return wrong + check(access(now, R_OK) == 0, "the file by another path");
}

/* Odd PEs set it; the others keep the job's. */
static int mask(int me)
{
    struct stat s;
    mode_t jobs = umask(0);
    umask(jobs);
    int wrong = 0;
    if (me % 2)
        wrong += check(umask(027) == jobs, "umask");
    shmem_barrier_all();
    FILE *f = fopen("masked", "w");
    wrong += check(f && fclose(f) == 0 && stat("masked", &s) == 0, "a file with a mask");
    wrong += check((s.st_mode & 0777) == (0666 & ~(me % 2 ? 027 : jobs)), "the mask of a file");
    return wrong;
}

int main(int argc, char **argv)
{
    int wrong = argv[0][0] == '*';
    shmem_init();
    int me = shmem_my_pe();
    wrong += errno_stays(me) + random_streams(me) + tokens(me) + environment(me) + options(argc, argv) +
             folder(me) + mask(me);
    shmem_long_atomic_add(&wrong_of_all, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%ld wrong in %d PEs\n", wrong_of_all, shmem_n_pes());
    shmem_finalize();
    return 0;
}
