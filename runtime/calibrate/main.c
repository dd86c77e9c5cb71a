/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrate: measures an MPI on its machine, for `pgasim calibrate`. Standard C and MPI-3 alone. Run it with at least
 * two ranks on each of two nodes; what a smaller job cannot show is left out. docs/calibrate.md has the format.
 */
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"

static const char usage[] = "usage: calibrate [options]\n"
                            "  -o FILE        where the measurements go (calibrate.jsonl)\n"
                            "  -parts LIST    of pingpong,sharing,onesided,collectives,compute,noise (all)\n"
                            "  -largest BYTES message (4194304)\n"
                            "  -memory BYTES  of an array that does not fit into caches (67108864)\n"
                            "  -passes N      how often everything is measured (2)\n"
                            "  -precision X   of a median, relative (0.02)\n"
                            "  -seconds X     at most for one point (1)\n"
                            "  -samples N     at most for one point (200)\n"
                            "  -seed N        of the random order (1)\n";

struct part {
    const char *name;
    void (*run)(struct bench *b);
};
static const struct part parts[] = {{"pingpong", part_pingpong}, {"sharing", part_sharing},
                                    {"onesided", part_onesided}, {"collectives", part_collectives},
                                    {"compute", part_compute},   {"noise", part_noise}};
enum { PARTS = sizeof parts / sizeof *parts };

struct choice {
    const char *file, *parts;
    int passes;
};

/* Ends all ranks after a message of rank 0. */
static void fail(const struct bench *b, const char *what, const char *expected)
{
    if (b->rank == 0)
        fprintf(stderr, "calibrate: %s: expected %s\n%s", what, expected, usage);
    MPI_Finalize();
    exit(2);
}

static double number(const struct bench *b, const char *name, const char *text, double least, double most)
{
    char *end, range[64];
    double x = text ? strtod(text, &end) : 0;
    snprintf(range, sizeof range, "a number from %g to %g", least, most);
    if (!text || end == text || *end || !(x >= least && x <= most))
        fail(b, name, range);
    return x;
}

static void parts_check(const struct bench *b, const char *list)
{
    while (list && *list) {
        size_t n = strcspn(list, ",");
        int known = 0;
        for (int k = 0; k < PARTS; k++)
            known |= strlen(parts[k].name) == n && !strncmp(parts[k].name, list, n);
        if (!known)
            fail(b, "-parts", "names of parts, with commas between");
        list += n + (list[n] == ',');
    }
}

static void options_read(struct bench *b, struct choice *c, char **args)
{
    for (; *args; args += 2) {
        const char *name = *args + (**args == '-') + (**args == '-' && args[0][1] == '-'), *value = args[1];
        if (!strcmp(name, "help") || !strcmp(name, "h"))
            fail(b, "options", "as follows");
        if (!value)
            fail(b, *args, "a value");
        if (!strcmp(name, "o"))
            c->file = value;
        else if (!strcmp(name, "parts"))
            c->parts = value;
        else if (!strcmp(name, "largest"))
            b->largest = (size_t)number(b, *args, value, 8, 1e9);
        else if (!strcmp(name, "memory"))
            b->memory = (size_t)number(b, *args, value, 1024, 1e11);
        else if (!strcmp(name, "passes"))
            c->passes = (int)number(b, *args, value, 1, 1000);
        else if (!strcmp(name, "precision"))
            b->limits.precision = number(b, *args, value, 1e-6, 1);
        else if (!strcmp(name, "seconds"))
            b->limits.seconds = number(b, *args, value, 1e-3, 1e6);
        else if (!strcmp(name, "samples"))
            b->limits.most = (int)number(b, *args, value, b->limits.least, 1e6);
        else if (!strcmp(name, "seed"))
            b->random.state = (unsigned long long)number(b, *args, value, 1, 1e15);
        else
            fail(b, *args, "an option");
    }
    parts_check(b, c->parts);
}

/* Who is on which node, by the names that the MPI gives them. */
static char *nodes_find(struct bench *b)
{
    enum { NAME = MPI_MAX_PROCESSOR_NAME };
    char mine[NAME] = "", *names = calloc((size_t)b->size, NAME);
    int length;
    MPI_Get_processor_name(mine, &length);
    MPI_Allgather(mine, NAME, MPI_CHAR, names, NAME, MPI_CHAR, MPI_COMM_WORLD);
    b->node_of = calloc((size_t)b->size, sizeof *b->node_of);
    for (int r = 0; r < b->size; r++) {
        int first = 0;
        while (strcmp(names + (size_t)first * NAME, names + (size_t)r * NAME))
            first++;
        b->node_of[r] = first == r ? b->nodes++ : b->node_of[first];
    }
    int socket = bench_socket();
    b->socket_of = calloc((size_t)b->size, sizeof *b->socket_of);
    MPI_Allgather(&socket, 1, MPI_INT, b->socket_of, 1, MPI_INT, MPI_COMM_WORLD);
    return names;
}

static void head_write(const struct bench *b, const char *names)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length, version = 0, sub = 0;
    MPI_Get_library_version(library, &length);
    MPI_Get_version(&version, &sub);
    line_begin(b->out, "calibrate");
    line_count(b->out, "format", 1);
    line_text(b->out, "library", library);
    line_number(b->out, "mpi", version + sub / 10.0);
    line_count(b->out, "ranks", b->size);
    line_count(b->out, "nodes", b->nodes);
    line_number(b->out, "tick", MPI_Wtick());
    line_end(b->out);
    for (int r = 0; r < b->size; r++) {
        line_begin(b->out, "rank");
        line_count(b->out, "rank", r);
        line_count(b->out, "node", b->node_of[r]);
        line_text(b->out, "host", names + (size_t)r * MPI_MAX_PROCESSOR_NAME);
        if (b->socket_of[r] >= 0)
            line_count(b->out, "socket", b->socket_of[r]);
        line_end(b->out);
    }
}

/* Opens the file at rank 0; all ranks know whether that went well. */
static void file_open(struct bench *b, const char *path)
{
    int opened = 1;
    if (b->rank == 0)
        opened = (b->out = fopen(path, "w")) != NULL;
    MPI_Bcast(&opened, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!opened)
        fail(b, path, "a file that can be written");
}

static int chosen(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p && (p = strstr(p, name)); p += n)
        if ((p == list || p[-1] == ',') && (p[n] == ',' || !p[n]))
            return 1;
    return !list;
}

/* What MPI_Wtime itself takes: part of all that is measured with it. */
static double clock_calls(struct bench *b, const struct point *p, int times)
{
    double begin = MPI_Wtime();
    (void)p;
    for (int k = 0; k < times; k++)
        MPI_Wtime();
    return b->rank == 0 ? (MPI_Wtime() - begin) / (times + 1) : 0;
}

int main(int argc, char **argv)
{
    struct bench b = {.limits = measure_default, .random = {1}, .largest = 4 << 20, .memory = 64 << 20};
    struct choice c = {"calibrate.jsonl", NULL, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.size);
    options_read(&b, &c, argv + 1);
    file_open(&b, c.file);
    char *names = nodes_find(&b);
    b.data = calloc(3, b.largest);
    b.begun = MPI_Wtime();
    if (b.rank == 0)
        head_write(&b, names);
    for (b.pass = 0; b.pass < c.passes; b.pass++) {
        b.clock = 0;
        b.clock = bench_point(&b, &(struct point){.kind = "clock", .a = -1, .b = -1}, clock_calls);
        for (int k = 0; k < PARTS; k++)
            if (chosen(c.parts, parts[k].name))
                parts[k].run(&b);
    }
    int failed = b.rank == 0 && (ferror(b.out) | fclose(b.out));
    if (failed)
        fprintf(stderr, "calibrate: %s: cannot be written\n", c.file);
    free(b.data);
    free(b.node_of);
    free(b.socket_of);
    free(names);
    MPI_Finalize();
    return failed ? 4 : 0;
}
