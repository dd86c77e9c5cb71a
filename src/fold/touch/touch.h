/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * touch: what memory the functions of libc use that a program calls, told to a checker (rank/order.h): libc is not
 * instrumented. The functions of touch.def stand for libc's, or for those of other rooms, in the program's own
 * objects, and only if there is a checker when the program is loaded. Each tells what it reads and writes, at the
 * place of the call, and then does what the function does; what a waiting function writes, when it has.
 *
 *   memory.c   blocks and strings
 *   format.c   the families of printf and scanf
 *   file.c     files, time, sorting
 */
#ifndef PGASIM_FOLD_TOUCH_H
#define PGASIM_FOLD_TOUCH_H

#include "fold/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>

#define FOLD_TOUCH(type, name, params) type touch_##name params;
#include "fold/touch/touch.def"
#undef FOLD_TOUCH

/* --- private to the room ------------------------------------------------------------------------------ */

/* In a function of touch.def: `call` is a literal, for reports. */
#define TOUCH_READS(call, p, n)  rank_touches(call, p, n, RANK_READS, __builtin_return_address(0))
#define TOUCH_WRITES(call, p, n) rank_touches(call, p, n, RANK_WRITES, __builtin_return_address(0))

#endif
