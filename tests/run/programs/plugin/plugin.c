/* SPDX-License-Identifier: BSD-3-Clause */
/* Opened while the program runs. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int helper_next(void);
int host_value(void); /* the program's */
extern int host_ended, part_count;

int plugin_data = 10;
static int constructed;
static _Thread_local int thread_data = 3;
static int (*const in_data)(void) = host_value;

__attribute__((constructor)) static void make(void)
{
    constructed = host_value();
}

__attribute__((destructor)) static void unmake(void)
{
    host_ended += plugin_data;
}

int plugin_sum(void)
{
    plugin_data++;
    part_count++;
    return 1000 * constructed + 100 * thread_data++ + plugin_data;
}

int plugin_thread_data(void)
{
    return thread_data++;
}

int plugin_parts(void)
{
    return part_count;
}

int plugin_helper(void)
{
    return helper_next();
}

int plugin_host(void)
{
    return host_value() == in_data() ? in_data() : -1;
}

/* The plugin's own; the program has one of this name, too, which natively comes first. */
int both(void)
{
    return 2;
}

int plugin_both(void)
{
    return both();
}

int plugin_random(void)
{
    return rand();
}

int plugin_next_both(void)
{
    return dlsym(RTLD_NEXT, "both") != NULL;
}
