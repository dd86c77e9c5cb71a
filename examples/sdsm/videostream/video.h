/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * video.h: what the programs of the video application share: settings, synthetic frames, checksums, and the
 * detection of lines.
 */
#ifndef VIDEO_H
#define VIDEO_H

#include <stdint.h>

/* The settings of a run, from the command line. Plain data: they travel through the shared memory. */
struct video {
    int width, height;  /* of a frame, in pixels of one byte */
    long frames;        /* how many */
    int edge_threshold; /* a pixel whose convolution is above it is one of an edge */
    int line_threshold; /* a line on which more pixels of edges lie is drawn */
    int thetas;         /* directions that lines may have, evenly in half a turn */
    int threads;        /* of a process task that has several */
    int hasty;          /* frames are not acknowledged */
    char save[200];     /* file names of pictures begin with it; empty: none are written */
};

#define VIDEO_USAGE                                                                                          \
    "[--width N] [--height N] [--frames N] [--edge-threshold N] [--line-threshold N] [--theta N]\n"          \
    "       [--threads N] [--save PREFIX] [--hasty]"

/* Reads the options. An unknown option, a bad value or a further argument: prints one line, returns -1. */
int video_options(struct video *v, int argc, char **argv);

/* Draws frame number `number` into width * height bytes. The same number gives the same frame. */
void video_frame(const struct video *v, long number, unsigned char *pixels);

/* A checksum over width * height bytes (FNV-1a, 64 bits). */
uint64_t video_checksum(const struct video *v, const unsigned char *pixels);

/* Writes PREFIX-KIND-NUMBER.png, if the settings ask for pictures. A failure is printed: -1. */
int video_save(const struct video *v, const char *kind, long number, const unsigned char *pixels);

/* Where lines are found: tables for frames of one size. NULL: not enough memory. */
struct detector;
struct detector *detector_create(const struct video *v);
void detector_destroy(struct detector *d);

/* Edges by a 3x3 convolution, lines through them by the Hough transform; `out` becomes the frame at half its
 * brightness with the lines in white. Returns how many lines there are. */
int detector_run(struct detector *d, const unsigned char *in, unsigned char *out);

/* Calls part(what, 0, parts), ..., part(what, parts - 1, parts), perhaps at the same time. `threads` is what
 * the settings say. There is one definition for each kind of binary; parts_kind names it. */
void parts_run(int threads, void (*part)(void *what, int number, int parts), void *what);
extern const char parts_kind[];

#endif
