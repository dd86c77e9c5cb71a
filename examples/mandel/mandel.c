/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mandel: a picture of the Mandelbrot set, computed by all PEs and written as PNG by PE 0.
 *
 *   mandel [-w WIDTH] [-h HEIGHT] [-i ITERATIONS] [-o FILE.png]
 *
 * Rows differ widely in cost, so they are not dealt out beforehand: a PE that is free takes the next row
 * number from a counter at PE 0 by an atomic fetch-and-increment, computes that row, and puts it into the
 * picture at PE 0. No PE waits for another before the end. Without -o only the checksum is printed.
 */
#include <png.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct picture {
    int width, height, iterations;
    const char *file;
    uint16_t *counts; /* symmetric: a count for each pixel; only PE 0's copy is filled */
};

static long next_row;   /* at PE 0 */
static long rows_of[2]; /* the fewest and most rows that a PE computed, at PE 0 */

/* Iterations until |z| > 2, or the limit. The view is centred on -0.65 and 2.6 high. */
static uint16_t escape(const struct picture *p, int column, int row)
{
    double step = 2.6 / p->height;
    double cr = -0.65 + (column - 0.5 * (p->width - 1)) * step;
    double ci = (0.5 * (p->height - 1) - row) * step;
    double zr = 0, zi = 0, rr = 0, ii = 0;
    int n = 0;
    while (n < p->iterations && rr + ii <= 4.0) {
        zi = 2.0 * zr * zi + ci;
        zr = rr - ii + cr;
        rr = zr * zr;
        ii = zi * zi;
        n++;
    }
    return (uint16_t)n;
}

/* Takes rows until none is left; returns how many this PE computed. */
static long work(struct picture *p)
{
    uint16_t *line = malloc((size_t)p->width * sizeof *line);
    long row, rows = 0;
    if (!line)
        shmem_global_exit(1);
    while ((row = shmem_long_atomic_fetch_inc(&next_row, 0)) < p->height) {
        for (int c = 0; c < p->width; c++)
            line[c] = escape(p, c, (int)row);
        shmem_put16(p->counts + (size_t)row * (size_t)p->width, line, (size_t)p->width, 0);
        rows++;
    }
    free(line);
    return rows;
}

/* Raises rows_of[1] at PE 0 to `rows` and lowers rows_of[0]: a compare-and-swap loop each. */
static void note_rows(long rows)
{
    for (int most = 0; most < 2; most++) {
        long seen = shmem_long_atomic_fetch(&rows_of[most], 0), was;
        while (most ? rows > seen : rows < seen) {
            was = shmem_long_atomic_compare_swap(&rows_of[most], seen, rows, 0);
            if (was == seen)
                break;
            seen = was;
        }
    }
}

static uint64_t checksum(const struct picture *p)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < (size_t)p->width * (size_t)p->height; i++)
        sum = (sum ^ p->counts[i]) * 0x100000001b3u;
    return sum;
}

/* From dark blue through orange to white the longer a point takes to escape; points that never do are black.
 */
static void colour(const struct picture *p, uint16_t count, png_byte *rgb)
{
    static const int stops[][3] = {{6, 10, 46},    {24, 60, 140}, {80, 150, 205}, {240, 240, 220},
                                   {250, 170, 30}, {150, 50, 10}, {40, 6, 30},    {6, 10, 46}};
    const int last = (int)(sizeof stops / sizeof stops[0]) - 1;
    int position = count * 6 % (last * 64), k = position / 64, part = position % 64;
    for (int i = 0; i < 3; i++)
        rgb[i] =
            (png_byte)(count >= p->iterations ? 0
                                              : stops[k][i] + (stops[k + 1][i] - stops[k][i]) * part / 64);
}

/* 0, or -1 when the file cannot be written. */
static int write_png(const struct picture *p)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB};
    png_bytep pixels = malloc(3 * (size_t)p->width * (size_t)p->height);
    if (!pixels)
        return -1;
    for (size_t i = 0; i < (size_t)p->width * (size_t)p->height; i++)
        colour(p, p->counts[i], pixels + 3 * i);
    image.width = (png_uint_32)p->width;
    image.height = (png_uint_32)p->height;
    int written = png_image_write_to_file(&image, p->file, 0, pixels, 0, NULL);
    if (!written)
        fprintf(stderr, "mandel: %s: %s\n", p->file, image.message);
    free(pixels);
    return written ? 0 : -1;
}

static int number(const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
    return *end == '\0' && n > 0 && n <= 60000 ? (int)n : -1;
}

static int options(struct picture *p, int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "w:h:i:o:")) != -1)
        if (option == 'w')
            p->width = number(optarg);
        else if (option == 'h')
            p->height = number(optarg);
        else if (option == 'i')
            p->iterations = number(optarg);
        else if (option == 'o')
            p->file = optarg;
        else
            return -1;
    return p->width > 0 && p->height > 0 && p->iterations > 0 && optind == argc ? 0 : -1;
}

static int render(struct picture *p)
{
    int status = 0;
    p->counts = shmem_malloc((size_t)p->width * (size_t)p->height * sizeof *p->counts);
    if (!p->counts) {
        fprintf(stderr,
                "mandel: the symmetric heap is too small for this picture: set SHMEM_SYMMETRIC_SIZE\n");
        shmem_global_exit(1);
    }
    rows_of[0] = p->height;
    shmem_barrier_all();
    note_rows(work(p));
    shmem_barrier_all(); /* every row has arrived */
    if (shmem_my_pe() == 0) {
        printf("mandel %d x %d, at most %d iterations, checksum %016llx\n", p->width, p->height,
               p->iterations, (unsigned long long)checksum(p));
        printf("%d PEs computed %ld to %ld rows each\n", shmem_n_pes(), rows_of[0], rows_of[1]);
        if (p->file)
            status = write_png(p) < 0;
    }
    shmem_free(p->counts);
    return status;
}

int main(int argc, char **argv)
{
    struct picture p = {.width = 640, .height = 480, .iterations = 1000};
    int status = 2;
    shmem_init();
    if (options(&p, argc, argv) == 0)
        status = render(&p);
    else if (shmem_my_pe() == 0)
        fprintf(stderr, "usage: mandel [-w WIDTH] [-h HEIGHT] [-i ITERATIONS] [-o FILE.png]\n");
    shmem_finalize();
    return status;
}
