/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prodcons: a producer reads a picture and stores it in shared memory, consumers write it to files.
 *
 *   prodcons --topology FILE --input PICTURE.png --output PICTURE.png
 *
 * The picture is stored as a chain of chunks, and its size under a name: a consumer that asks for the name
 * waits until the producer has written it, and nothing else synchronizes them. Of several consumers, the
 * one that is process P writes to PICTURE.P.png instead.
 *
 * Role 1 is the producer, 2 a consumer. Pictures are PNG, of which brightness is kept.
 */
#include <getopt.h>
#include <mpi.h>
#include <png.h>
#include <sat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURE = 1000 }; /* its first chunk */

struct shape {
    unsigned width, height;
};

struct options {
    const char *input, *output;
};

static _Noreturn void fail(int status, const char *what, const char *why)
{
    fprintf(stderr, "prodcons: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, status);
    exit(status);
}

static struct options options_of(const _SAT_Bootstrap_t *bootstrap)
{
    static const struct option known[] = {{"input", required_argument, NULL, 'i'},
                                          {"output", required_argument, NULL, 'o'},
                                          {NULL, 0, NULL, 0}};
    struct options options = {NULL, NULL};
    int option;
    while ((option = getopt_long(bootstrap->argc, bootstrap->argv, "", known, NULL)) != -1)
        if (option == 'i')
            options.input = optarg;
        else if (option == 'o')
            options.output = optarg;
    if (!options.input || !options.output || optind != bootstrap->argc)
        fail(2, "usage", "prodcons --topology FILE --input PICTURE.png --output PICTURE.png");
    return options;
}

static void produce(_SAT_Bootstrap_t *bootstrap)
{
    const struct options options = options_of(bootstrap);
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, options.input))
        fail(2, options.input, image.message);
    image.format = PNG_FORMAT_GRAY;
    const struct shape shape = {image.width, image.height};
    Chunk_t *picture = MALLOC(PICTURE, PNG_IMAGE_SIZE(image));
    WRITE(picture);
    if (!png_image_finish_read(&image, NULL, picture->data, 0, NULL))
        fail(2, options.input, image.message);
    RELEASE(picture);
    initSymbolicTable(sdsm);
    writeSymbol(sdsm, "shape of the picture", &shape, sizeof shape);
    printf("process %d has produced %u x %u pixels\n", bootstrap->id, shape.width, shape.height);
}

/* The file of one of several consumers: its number stands before the last dot. */
static void file_name(char *name, size_t size, const char *output, const _SAT_Bootstrap_t *bootstrap)
{
    const char *dot = strrchr(output, '.');
    if (!dot || strchr(dot, '/'))
        dot = output + strlen(output);
    if (sat_role_count(bootstrap->role) == 1)
        snprintf(name, size, "%s", output);
    else
        snprintf(name, size, "%.*s.%d%s", (int)(dot - output), output, bootstrap->id, dot);
}

static void consume(_SAT_Bootstrap_t *bootstrap)
{
    const struct options options = options_of(bootstrap);
    char name[4096];
    void *data = NULL;
    size_t size;
    initSymbolicTable(sdsm);
    readSymbol(sdsm, "shape of the picture", &data, &size); /* waits for the producer */
    const struct shape shape = *(struct shape *)data;
    free(data);
    png_image image = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_GRAY};
    image.width = shape.width;
    image.height = shape.height;
    Chunk_t *picture = MALLOC(PICTURE, PNG_IMAGE_SIZE(image)); /* finds the producer's chunks */
    file_name(name, sizeof name, options.output, bootstrap);
    READ(picture);
    if (!png_image_write_to_file(&image, name, 0, picture->data, 0, NULL))
        fail(1, name, image.message);
    RELEASE(picture);
    printf("process %d has written %s\n", bootstrap->id, name);
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, produce, consume};
    return _SAT_BOOTSTRAP(roles, NULL, argc, argv);
}
