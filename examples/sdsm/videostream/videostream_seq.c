/* SPDX-License-Identifier: BSD-3-Clause */
/* videostream_seq.c: the video application as a plain sequential program, for comparison. With --save it
 * writes the frames before and after. */
#include "video.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct video v;
    if (video_options(&v, argc, argv) < 0) {
        fprintf(stderr, "usage: videostream-seq " VIDEO_USAGE "\n");
        return 2;
    }
    struct detector *d = detector_create(&v);
    unsigned char *in = malloc((size_t)v.width * (size_t)v.height),
                  *out = malloc((size_t)v.width * (size_t)v.height);
    if (!d || !in || !out) {
        fprintf(stderr, "videostream-seq: there is not enough memory for frames of this size\n");
        return 1;
    }
    for (long f = 0; f < v.frames; f++) {
        video_frame(&v, f, in);
        int lines = detector_run(d, in, out);
        printf("frame %ld: %d lines, checksum %016llx\n", f, lines,
               (unsigned long long)video_checksum(&v, out));
        if (video_save(&v, "in", f, in) < 0 || video_save(&v, "out", f, out) < 0)
            return 1;
    }
    free(in);
    free(out);
    detector_destroy(d);
    return 0;
}
