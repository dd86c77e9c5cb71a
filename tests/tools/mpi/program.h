/* SPDX-License-Identifier: BSD-3-Clause */
/* program: what the shims of the sample tell the program that calls them. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>

struct called {
    const char *name; /* the function called last */
    long long count;  /* what it was given, and the size of the type that it has for it */
    size_t size;
};
extern struct called called;

#endif
