/* SPDX-License-Identifier: BSD-3-Clause */
/* children: for commands that run other processes in a folder of their own: signals, and removing the folder. */
#ifndef PGASIM_BASE_CHILDREN_H
#define PGASIM_BASE_CHILDREN_H

#include <signal.h>

/* Those that would end us (unless they are ignored, as under nohup), and those of children's ends. They are blocked, and
 * taken where we wait, so that nothing is interrupted half-way. */
struct base_signals {
    sigset_t ours, before;
};
void base_signals_block(struct base_signals *s);
/* Waits for one of them, so many seconds at most. If it is one that would end us, its number goes to *interrupt, where
 * the first one stays. */
void base_signals_wait(const struct base_signals *s, double seconds, int *interrupt);
/* As before: in us, and in children before they become a program. */
void base_signals_restore(const struct base_signals *s);

/* Removes what is in a folder, and closes its descriptor; -1 is none. Links are not followed. */
void base_folder_empty(int fd);
void base_remove(const char *path); /* a file, or a folder with all that is in it; if it is there */

#endif
