/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on files take the time that the platform's disks and file systems say (io/posix), and none without it. */
// build: $OSHCC -g $SRC -o $EXE
// shell: cd $W && $RUN --quiet -np 1 -platform $DIR/files_cost.xml --set io/posix=yes $EXE disk
// stdout: disk
// shell: cd $W && $RUN --quiet -np 2 -platform $DIR/files_cost.xml --set io/posix=yes --set storage/mounts=.=pfs $EXE pfs
// stdout-has: 0 pfs
// stdout-has: 1 pfs
// shell: cd $W && $RUN --quiet -np 1 -platform $DIR/files_cost.xml --set io/posix=yes --set storage/mounts=.=none $EXE free
// stdout: free
// shell: cd $W && $RUN --quiet -np 1 -platform $DIR/files_cost.xml $EXE free
// stdout: free
// shell: cd $W && $RUN --quiet -np 1 --set io/posix=yes --set storage/mounts=.=none $EXE free
// stdout: free
// shell: cd $W && $RUN -np 1 -platform $DIR/files_cost.xml --set io/posix=yes --json run.json --trace run.pgt $EXE disk && grep -A8 '"disks"' run.json && $PGASIM profile run.pgt | grep -A2 '^Disks'
// stdout-match: "read_bytes": 1508202,
// stdout-match: "written_bytes": 5500009,
// stdout-match: d +a +4 +1\.438 MiB +7 +5\.245 MiB +1\.251 s
// stderr-match: files on d of a: 4 reads \(1\.438 MiB\), 8 writes
// stderr-match: disks: 1 of 2 used; d of a was busy for 100\.0 % of the time
// shell: cd $W && $RUN -np 70 --map-by host --set io/posix=yes --set storage/mounts=/usr=none $EXE cluster
// stdout: 70 files on the built-in cluster
// stderr-match: 70 ranks on 64 hosts
// stderr-match: files on scratch: 70 writes \(66\.76 MiB\), 140 names; ranks waited
// stderr-match: disks: 8 of 8 used
// shell: cd $W && $RUN --quiet -np 1 -platform $DIR/files_cost.xml --set io/posix=yes --set storage/mounts=.=disk,$(pwd -P)/far=pfs $EXE names
// stdout: names
// stderr-match: through memory takes no simulated time
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "errno_check.h"

enum { MB = 1000000 };
static char bytes[3 * MB];
static double begun;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* So many seconds since the last look; a look at the clock takes some ns itself. */
static void took(double seconds, int line)
{
    double at = now(), took = at - begun;
    if (fabs(took - seconds) > 1e-6) {
        printf("line %d: %.9f s, expected %.9f s\n", line, took, seconds);
        exit(1);
    }
    begun = now();
}
#define TOOK(seconds) took(seconds, __LINE__)

static void descriptors(void)
{
    int f = open("x", O_CREAT | O_RDWR | O_TRUNC, 0600);
    CHECK(f >= 0);
    CHECK(write(f, bytes, MB) == MB);
    TOOK(0.2);
    CHECK(pread(f, bytes, 2 * MB, 0) == MB); /* to its end */
    TOOK(0.1);
    CHECK(lseek(f, 500000, SEEK_SET) == 500000 && read(f, bytes, MB) == 500000);
    TOOK(0.05);
    struct iovec two[] = {{bytes, 250000}, {bytes, 250000}};
    CHECK(pwritev(f, two, 2, 0) == 500000);
    TOOK(0.1);
    CHECK(write(f, bytes, 2 * MB) == 2 * MB);
    TOOK(0.4);
    CHECK(write(f, bytes, 1) == -1 && errno == ENOSPC);
    CHECK(fsync(f) == 0 && ftruncate(f, MB) == 0);
    int g = dup(f);
    CHECK(close(f) == 0 && pwrite(g, bytes, MB, MB) == MB);
    TOOK(0.2);
    CHECK(close(g) == 0 && unlink("x") == 0);
}

static void streams(void)
{
    FILE *f = fopen("y", "w+");
    CHECK(f && fwrite(bytes, 1, MB, f) == MB && fflush(f) == 0);
    TOOK(0.2);
    CHECK(fseek(f, -10, SEEK_END) == 0 && ftell(f) == MB - 10);
    CHECK(fread(bytes, 1, 100, f) == 10 && feof(f));
    TOOK(1e-6);
    rewind(f);
    CHECK(fprintf(f, "hello %d\n", 42) == 9 && fclose(f) == 0);
    f = fopen("y", "r");
    int n = 0;
    CHECK(f && fscanf(f, "hello %d", &n) == 1 && n == 42 && fclose(f) == 0);
    struct stat s;
    CHECK(stat("y", &s) == 0 && s.st_size == MB && remove("y") == 0);
}

static void pfs(int me)
{
    char name[] = "zN";
    name[1] = (char)('0' + me);
    int f = open(name, O_CREAT | O_WRONLY, 0600);
    CHECK(f >= 0);
    TOOK(0.022); /* there and back, and making it */
    CHECK(write(f, bytes, MB) == MB);
    TOOK(1.002);
    CHECK(fsync(f) == 0);
    TOOK(0.03);
    CHECK(access(name, R_OK) == 0);
    TOOK(0.012);
    CHECK(close(f) == 0 && unlink(name) == 0);
    TOOK(0.022);
    CHECK(access(name, R_OK) == -1 && errno == ENOENT);
    TOOK(0.012);
    printf("%d pfs\n", me);
}

static int make(const char *name, size_t size)
{
    int f = open(name, O_CREAT | O_RDWR, 0600);
    CHECK(f >= 0 && write(f, bytes, size) == (ssize_t)size);
    return f;
}

/* So much of the disk's 3 MB is free. */
static void has_free(size_t size, int line)
{
    int f = open("probe", O_CREAT | O_RDWR, 0600), full = 0;
    CHECK(f >= 0);
    errno = 0;
    if ((size && pwrite(f, bytes, size, 0) != (ssize_t)size) || pwrite(f, bytes, 1, (off_t)size) != -1 ||
        errno != ENOSPC)
        full = printf("line %d: free are not %zu bytes\n", line, size);
    CHECK(!full && close(f) == 0 && unlink("probe") == 0);
}
#define HAS_FREE(size) has_free(size, __LINE__)

/* A file keeps its room whatever it is called, and gives it back with its last name. */
static void renames(void)
{
    int f = make("x", 2 * MB);
    CHECK(rename("x", "y") == 0 && write(f, bytes, MB / 2) == MB / 2 && close(f) == 0);
    HAS_FREE(MB / 2);
    f = open("y", O_RDWR);
    CHECK(f >= 0 && pwrite(f, bytes, 2 * MB, 0) == 2 * MB && close(f) == 0);
    CHECK(link("y", "z") == 0 && rename("y", "z") == 0 && unlink("y") == 0);
    HAS_FREE(MB / 2);
    CHECK(symlink("z", "l") == 0 && unlink("l") == 0);
    HAS_FREE(MB / 2);
    CHECK(unlink("z") == 0);
    HAS_FREE(3 * MB);
    CHECK(close(make("v", 2 * MB)) == 0 && close(make("w", MB / 2)) == 0 && rename("w", "v") == 0);
    HAS_FREE(3 * MB - MB / 2);
    CHECK(truncate("v", MB / 4) == 0);
    HAS_FREE(3 * MB - MB / 4);
    CHECK(truncate("v", 4 * MB) == -1 && errno == ENOSPC && truncate("v", 0) == 0);
    CHECK(mkdir("d", 0700) == 0 && close(make("d/x", 2 * MB)) == 0 && rename("d", "e") == 0);
    f = open("e/x", O_RDWR);
    CHECK(f >= 0 && pwrite(f, bytes, 2 * MB, 0) == 2 * MB && posix_fallocate(f, 0, 4 * MB) == ENOSPC &&
          close(f) == 0);
    HAS_FREE(MB);
    CHECK(mkdir("far", 0700) == 0 && rename("e/x", "far/x") == -1 && errno == EXDEV);
    CHECK(link("v", "far/x") == -1 && errno == EXDEV && rmdir("far") == 0);
    CHECK(unlink("e/x") == 0 && rmdir("e") == 0 && unlink("v") == 0);
    HAS_FREE(3 * MB);
}

/* Two names change places, of files and of folders. */
static void exchanges(void)
{
    CHECK(close(make("x", 2 * MB)) == 0 && close(make("y", MB / 2)) == 0);
    CHECK(renameat2(AT_FDCWD, "x", AT_FDCWD, "y", RENAME_EXCHANGE) == 0 && unlink("y") == 0);
    HAS_FREE(3 * MB - MB / 2);
    CHECK(mkdir("d", 0700) == 0 && close(make("d/x", MB)) == 0);
    CHECK(renameat2(AT_FDCWD, "d", AT_FDCWD, "x", RENAME_EXCHANGE) == 0 && unlink("d") == 0);
    HAS_FREE(2 * MB);
    CHECK(mkdir("d", 0700) == 0 && close(make("d/x", MB / 2)) == 0);
    CHECK(renameat2(AT_FDCWD, "d", AT_FDCWD, "x", RENAME_EXCHANGE) == 0 && unlink("d/x") == 0);
    HAS_FREE(3 * MB - MB / 2);
    CHECK(unlink("x/x") == 0 && rmdir("x") == 0 && rmdir("d") == 0);
    HAS_FREE(3 * MB);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit r;
    CHECK(getrlimit(RLIMIT_FSIZE, &r) == 0);
    r.rlim_cur = bytes;
    CHECK(setrlimit(RLIMIT_FSIZE, &r) == 0);
}

/* What the system does not do takes no room, and gives none back. */
static void failures(void)
{
    int f = make("x", MB), g = open("x", O_RDONLY);
    CHECK(g >= 0 && ftruncate(g, 2 * MB) == -1 && ftruncate(g, 0) == -1 && pwrite(g, bytes, MB, MB) == -1);
    HAS_FREE(2 * MB);
    CHECK(unlinkat(AT_FDCWD, "x", AT_REMOVEDIR) == -1 && errno == ENOTDIR);
    HAS_FREE(2 * MB);
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    limit_files(3 * MB / 2);
    CHECK(ftruncate(f, 2 * MB) == -1 && errno == EFBIG && truncate("x", 2 * MB) == -1 && errno == EFBIG);
    CHECK(posix_fallocate(f, 0, 2 * MB) == EFBIG && fallocate(f, 0, 0, 2 * MB) == -1 && errno == EFBIG);
    CHECK(pwrite(f, bytes, MB, 2 * MB) == -1 && errno == EFBIG);
    limit_files(RLIM_INFINITY);
    HAS_FREE(2 * MB);
    CHECK(posix_fallocate(f, MB, MB) == 0 && ftruncate(f, MB / 2) == 0 && close(f) == 0 && close(g) == 0);
    HAS_FREE(3 * MB - MB / 2);
    CHECK(remove("x") == 0 && mkdir("d", 0700) == 0 && remove("d") == 0 && remove("d") == -1 &&
          errno == ENOENT);
    HAS_FREE(3 * MB);
}

/* What is copied by the system is read and written. */
static void copies(void)
{
    int from = make("x", MB), to = make("y", 1), ends[2];
    off_t at = 0;
    begun = now();
    CHECK(copy_file_range(from, &(off64_t){0}, to, &(off64_t){0}, 2 * MB, 0) == MB);
    TOOK(0.3);
    CHECK(sendfile(to, from, &at, MB / 2) == MB / 2);
    TOOK(0.15);
    CHECK(pipe(ends) == 0 && write(ends[1], bytes, 1000) == 1000);
    begun = now();
    CHECK(splice(ends[0], NULL, to, &(off64_t){0}, MB, 0) == 1000);
    TOOK(0.0002);
    CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, from, 0) != MAP_FAILED);
    CHECK(close(from) == 0 && close(to) == 0 && unlink("x") == 0 && unlink("y") == 0);
}

/* 1 MB is copied to the client's cache, then written out. */
static void cluster(int me)
{
    static int files = 1, all;
    char name[16];
    snprintf(name, sizeof name, "c%d", me);
    int f = open(name, O_CREAT | O_WRONLY, 0600);
    begun = now();
    CHECK(f >= 0 && write(f, bytes, MB) == MB);
    double copied = now() - begun;
    CHECK(copied > 124e-6 && copied < 260e-6);
    CHECK(fsync(f) == 0);
    double written = now() - begun;
    CHECK(written > 400e-6 && written < 20e-3);
    CHECK(close(f) == 0 && unlink(name) == 0);
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all, &files, 1);
    if (!me)
        printf("%d files on the built-in cluster\n", all);
}

static void nothing(void)
{
    FILE *f = fopen("w", "w");
    CHECK(f && fwrite(bytes, 1, MB, f) == MB && fclose(f) == 0 && remove("w") == 0);
    TOOK(0);
    puts("free");
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    shmem_init();
    int me = shmem_my_pe();
    begun = now();
    if (!strcmp(argv[1], "pfs")) {
        pfs(me);
    } else if (!strcmp(argv[1], "cluster")) {
        cluster(me);
    } else if (!strcmp(argv[1], "names")) {
        renames();
        exchanges();
        failures();
        copies();
        puts("names");
    } else if (!strcmp(argv[1], "free")) {
        nothing();
    } else {
        descriptors();
        begun = now();
        streams();
        puts("disk");
    }
    shmem_finalize();
    return 0;
}
