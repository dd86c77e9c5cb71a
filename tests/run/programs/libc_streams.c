/* SPDX-License-Identifier: BSD-3-Clause */
/* Whatever way a rank writes to its standard streams, the line arrives whole; what it does to a stream
 * (closing, reopening, buffering) concerns no other rank. */
// run: -np 2
// stdout-has: 0 putchar puts
// stdout-has: 1 putchar puts
// stdout-has: 0 fwrite
// stdout-has: 0 dprintf 1
// stdout-has: 1 dprintf 1
// stdout-has: 0 writev
// stdout-has: 1 fdopen
// stdout-has: 1 is still here
// stdout-has: 1 and here
// stdout-has: 0 is back
// stdout-match: ^1 x{30000}$
// stderr-match: ^0 perror: No such file
// stderr-match: ^1 perror: No such file
// stderr-match: ^1 fprintf to stderr$
// stderr-not: ^[01]?[01][01]|^\n|rr.*rr
#include <errno.h>
#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void small_pieces(int me)
{
    putchar('0' + me);
    shmem_barrier_all();
    fputs(" putchar", stdout);
    shmem_barrier_all();
    puts(" puts");
    shmem_barrier_all();
    printf("%d ", me);
    fwrite("fwrite\n", 1, 7, stdout);
}

static void descriptors(int me)
{
    char text[] = "0 writ", more[] = "ev\n";
    struct iovec v[2] = {{text, 6}, {more, 3}};
    text[0] = (char)('0' + me);
    dprintf(1, "%d dprin", me);
    shmem_barrier_all();
    dprintf(STDOUT_FILENO, "tf %d\n", fileno(stdout));
    if (writev(1, v, 2) != 9)
        abort();
    FILE *f = fdopen(1, "w");
    fprintf(f, "%d fdopen\n", me);
    fclose(f);
}

static void errors(int me)
{
    char name[16];
    snprintf(name, sizeof name, "%d perror", me);
    errno = ENOENT;
    perror(name);
    fprintf(stderr, "%d fprintf", me);
    shmem_barrier_all();
    fputs(" to std", stderr);
    shmem_barrier_all();
    fputs("err\n", stderr);
}

static void long_line(int me)
{
    char *text = malloc(30001);
    memset(text, me ? 'x' : 'o', 30000);
    text[30000] = 0;
    printf("%d ", me);
    shmem_barrier_all();
    printf("%.10000s", text);
    shmem_barrier_all();
    printf("%s\n", text + 10000);
    free(text);
}

/* PE 0 sends its output elsewhere and comes back. */
static void reopen(int me)
{
    char line[80] = "";
    setvbuf(stdout, NULL, _IONBF, 0);
    if (me == 0 && freopen("elsewhere", "w", stdout) != stdout)
        abort();
    shmem_barrier_all();
    printf("%d is still here\n", me);
    shmem_barrier_all();
    if (me == 0) {
        struct stat s;
        int is_file = !fstat(fileno(stdout), &s) && S_ISREG(s.st_mode);
        fclose(stdout);
        FILE *f = fopen("elsewhere", "r");
        if (!is_file || !fgets(line, sizeof line, f) || strcmp(line, "0 is still here\n") ||
            fgets(line, 80, f))
            abort();
        fclose(f);
        close(1);
    }
    shmem_barrier_all();
    printf(me ? "1 and here\n" : "0 is back\n");
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    small_pieces(me);
    descriptors(me);
    errors(me);
    long_line(me);
    reopen(me);
    shmem_finalize();
    return 0;
}
