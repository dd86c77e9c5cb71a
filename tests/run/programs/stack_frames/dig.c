/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of sizes that the compiler knows. DIG(bytes) needs one, stores to its lowest byte alone, and
 * returns how many bytes it used. */
#include <stddef.h>

size_t DIG(size_t bytes);

#define FRAME(n)                                                                                             \
    static __attribute__((noinline)) size_t frame_##n(void)                                                  \
    {                                                                                                        \
        volatile char room[n];                                                                               \
        room[0] = 1;                                                                                         \
        return sizeof room + (size_t)(room[0] - 1);                                                          \
    }
FRAME(300000)
FRAME(536576)
FRAME(9437184)
FRAME(52428800)
FRAME(734003200)

size_t DIG(size_t bytes)
{
    switch (bytes) {
    case 300000:
        return frame_300000();
    case 536576:
        return frame_536576();
    case 9437184:
        return frame_9437184();
    case 52428800:
        return frame_52428800();
    case 734003200:
        return frame_734003200();
    default:
        return 0;
    }
}
