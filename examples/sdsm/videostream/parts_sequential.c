/* SPDX-License-Identifier: BSD-3-Clause */
/* parts_sequential.c: one part. */
#include "video.h"

const char parts_kind[] = "sequential";

void parts_run(int threads, void (*part)(void *what, int number, int parts), void *what)
{
    (void)threads;
    part(what, 0, 1);
}
