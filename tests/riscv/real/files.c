/* SPDX-License-Identifier: BSD-3-Clause */
/* linux: Files: written, read, changed in the middle, renamed, removed; errors; arguments and the
 * environment. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    char path[512], other[512], line[64];
    snprintf(path, sizeof path, "%s/riscv_file", folder);
    snprintf(other, sizeof other, "%s/riscv_other", folder);
    FILE *f = fopen(path, "w+");
    if (!f)
        return 2;
    for (int i = 0; i < 1000; i++)
        fprintf(f, "line %04d\n", i);
    fseek(f, 500 * 10, SEEK_SET);
    fputs("LINE", f);
    rewind(f);
    int lines = 0, high = 0;
    while (fgets(line, sizeof line, f))
        lines++, high += strncmp(line, "LINE", 4) == 0;
    printf("%d lines, %d changed, at %ld\n", lines, high, ftell(f));
    fclose(f);
    struct stat s;
    int known = stat(path, &s);
    printf("stat %d, %lld bytes, regular %d\n", known, (long long)s.st_size, S_ISREG(s.st_mode));
    int renamed = rename(path, other), there = access(path, F_OK);
    printf("rename %d, access %d %s\n", renamed, there, strerror(errno));
    int fd = open(other, O_RDONLY);
    char bytes[16] = "";
    long long at = lseek(fd, -10, SEEK_END);
    long got = read(fd, bytes, 9);
    printf("seek %lld, read %ld, %.4s\n", at, got, bytes);
    int first = close(fd), second = close(fd);
    printf("close %d, again %d\n", first, second);
    first = unlink(other), second = unlink(other);
    printf("unlink %d, again %d %d\n", first, second, errno == ENOENT);
    fd = open("/no/such/file", O_RDONLY);
    printf("open %d %s\n", fd, strerror(errno));
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("time goes on: %d\n", b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
    fprintf(stderr, "to stderr\n");
    return argc;
}
