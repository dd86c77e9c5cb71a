/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of the program's own that waits by looking at memory, its own and the caller's. */
static volatile long arrived; /* private to each rank, and symmetric */

long *library_word(void)
{
    return (long *)&arrived;
}

void library_await(const volatile long *word, long k)
{
    while (*word < k)
        ;
}

void library_await_own(long k)
{
    library_await(&arrived, k);
}
