/* SPDX-License-Identifier: BSD-3-Clause */
/* video.c: settings, synthetic frames and pictures of the video application. */
#include "video.h"
#include <getopt.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- settings --- */

enum { WIDTH = 1, HEIGHT, FRAMES, EDGE, LINE, THETA, THREADS, SAVE, HASTY };

static const struct option OPTIONS[] = {
    {"width", required_argument, NULL, WIDTH},
    {"height", required_argument, NULL, HEIGHT},
    {"frames", required_argument, NULL, FRAMES},
    {"edge-threshold", required_argument, NULL, EDGE},
    {"line-threshold", required_argument, NULL, LINE},
    {"theta", required_argument, NULL, THETA},
    {"threads", required_argument, NULL, THREADS},
    {"save", required_argument, NULL, SAVE},
    {"hasty", no_argument, NULL, HASTY},
    {NULL, 0, NULL, 0},
};

/* A number from `least` to `most`; else prints what was expected and returns -1. */
static int number(const char *option, const char *text, int least, int most, int *value)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end != '\0' || n < least || n > most) {
        fprintf(stderr, "videostream: --%s %s: expected a number from %d to %d\n", option, text, least, most);
        return -1;
    }
    *value = (int)n;
    return 0;
}

static int option_apply(struct video *v, int option, const char *value)
{
    int frames;
    switch (option) {
    case WIDTH:
        return number("width", value, 3, 8192, &v->width);
    case HEIGHT:
        return number("height", value, 3, 8192, &v->height);
    case FRAMES:
        if (number("frames", value, 1, 1000000, &frames) < 0)
            return -1;
        v->frames = frames;
        return 0;
    case EDGE:
        return number("edge-threshold", value, 0, 2040, &v->edge_threshold);
    case LINE:
        return number("line-threshold", value, 1, 1000000, &v->line_threshold);
    case THETA:
        return number("theta", value, 1, 3600, &v->thetas);
    case THREADS:
        return number("threads", value, 1, 256, &v->threads);
    case SAVE:
        if (strlen(value) >= sizeof v->save) {
            fprintf(stderr, "videostream: --save: expected at most %zu characters\n", sizeof v->save - 1);
            return -1;
        }
        strcpy(v->save, value);
        return 0;
    case HASTY:
        v->hasty = 1;
        return 0;
    default: /* getopt_long has printed what is wrong */
        return -1;
    }
}

int video_options(struct video *v, int argc, char **argv)
{
    int option;
    *v = (struct video){.width = 320,
                        .height = 240,
                        .frames = 30,
                        .edge_threshold = 400,
                        .line_threshold = 60,
                        .thetas = 180,
                        .threads = 2};
    optind = 1;
    while ((option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1)
        if (option_apply(v, option, optarg) < 0)
            return -1;
    if (optind < argc) {
        fprintf(stderr, "videostream: %s: expected no further argument\n", argv[optind]);
        return -1;
    }
    return 0;
}

/* --- frames --- */

/* A number that looks random, from two that do not. */
static unsigned mixed(unsigned long a, unsigned long b)
{
    uint64_t x = (a + 1) * 0x9e3779b97f4a7c15u + b;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (unsigned)(x >> 33);
}

/* The point at distance `at` from the upper left corner, clockwise along the frame's border. */
static void border_point(const struct video *v, unsigned at, int *x, int *y)
{
    const int right = v->width - 1, bottom = v->height - 1;
    int rest = (int)(at % (2u * (unsigned)(right + bottom)));
    if (rest < right) {
        *x = rest;
        *y = 0;
    } else if ((rest -= right) < bottom) {
        *x = right;
        *y = rest;
    } else if ((rest -= bottom) < right) {
        *x = right - rest;
        *y = bottom;
    } else {
        *x = 0;
        *y = bottom - (rest - right);
    }
}

/* A line one pixel wide (Bresenham's algorithm). */
static void line(const struct video *v, unsigned char *pixels, const int from[2], const int to[2])
{
    int x = from[0], y = from[1];
    const int dx = abs(to[0] - x), dy = -abs(to[1] - y), sx = x < to[0] ? 1 : -1, sy = y < to[1] ? 1 : -1;
    int error = dx + dy;
    for (;;) {
        pixels[(size_t)y * (size_t)v->width + (size_t)x] = 230;
        if (x == to[0] && y == to[1])
            return;
        int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            x += sx;
        }
        if (twice <= dx) {
            error += dx;
            y += sy;
        }
    }
}

/* Brightness of the background: a gradient with some noise. */
static unsigned char ground(const struct video *v, long number, int x, int y)
{
    const unsigned noise = mixed((unsigned long)number * 8192u + (unsigned long)y, (unsigned long)x) % 8;
    return (unsigned char)(40u + 40u * (unsigned)y / (unsigned)v->height + noise);
}

/* A scene lasts 8 frames and has 1 to 12 lines: the middle part of chords whose ends move along the border,
 * each at a speed of its own. So the number of pixels on edges, and with it the time for a frame, differs by
 * a factor of 10. */
void video_frame(const struct video *v, long number, unsigned char *pixels)
{
    const unsigned long scene = (unsigned long)number / 8;
    const unsigned lines = 1 + mixed(scene, 0) % 12, step = (unsigned)(number % 8);
    for (int y = 0; y < v->height; y++)
        for (int x = 0; x < v->width; x++)
            pixels[(size_t)y * (size_t)v->width + (size_t)x] = ground(v, number, x, y);
    for (unsigned k = 0; k < lines; k++) {
        int end[2][2], from[2], to[2];
        for (unsigned e = 0; e < 2; e++)
            border_point(v, mixed(scene, 4 * k + e + 1) + step * (1 + mixed(scene, 4 * k + e + 3) % 5),
                         &end[e][0], &end[e][1]);
        for (int axis = 0; axis < 2; axis++) {
            from[axis] = end[0][axis] + (end[1][axis] - end[0][axis]) / 6;
            to[axis] = end[1][axis] - (end[1][axis] - end[0][axis]) / 6;
        }
        line(v, pixels, from, to);
    }
}

uint64_t video_checksum(const struct video *v, const unsigned char *pixels)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t k = 0; k < (size_t)v->width * (size_t)v->height; k++)
        sum = (sum ^ pixels[k]) * 0x100000001b3u;
    return sum;
}

int video_save(const struct video *v, const char *kind, long number, const unsigned char *pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_GRAY};
    char name[sizeof v->save + 40];
    if (!v->save[0])
        return 0;
    image.width = (png_uint_32)v->width;
    image.height = (png_uint_32)v->height;
    snprintf(name, sizeof name, "%s-%s-%04ld.png", v->save, kind, number);
    if (png_image_write_to_file(&image, name, 0, pixels, 0, NULL))
        return 0;
    fprintf(stderr, "videostream: %s: %s\n", name, image.message);
    return -1;
}
