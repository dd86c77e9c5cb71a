/* SPDX-License-Identifier: BSD-3-Clause */
/* What thread levels and the options of contexts forbid is warned of, and is an error with --strict. */
// build: $OSHCC -std=gnu11 -Wall -Wextra -Werror -g "$SRC" -o $EXE -pthread
// run: -np 2 -- single
// stderr-match: warning: rank [01], thread 2 .*shmem_int_g: called by a thread other than the main one at SHMEM_THREAD_SINGLE
// run: -np 2 -- funneled
// stderr-match: warning: .*called by a thread other than the main one at SHMEM_THREAD_FUNNELED
// run: -np 2 --strict -- funneled
// status: 5
// stderr-match: error: .*called by a thread other than the main one at SHMEM_THREAD_FUNNELED
// run: -np 2 -- serialized
// stderr-match: warning: .*called while another thread is in a call at SHMEM_THREAD_SERIALIZED
// run: -np 2 --strict -- in_turn
// stderr-not: warning
// run: -np 2 --strict -- multiple
// stderr-not: warning
// run: -np 2 -- private
// stderr-match: warning: .*SHMEM_CTX_PRIVATE is used by a thread other than the one that created it
// run: -np 2 -- shared
// stderr-match: warning: .*SHMEM_CTX_SERIALIZED is used by two threads at once
// run: -np 2 -- finalize
// stderr-match: warning: .*shmem_finalize: called by a thread other than the one that initialized OpenSHMEM
#include <pthread.h>
#include <shmem.h>
#include <string.h>

static int value;
static shmem_ctx_t ctx;

static void *get(void *arg)
{
    for (int i = 0; i < 10; i++)
        shmem_g(ctx, &value, *(int *)arg);
    return NULL;
}

static void *get_default(void *arg)
{
    for (int i = 0; i < 10; i++)
        shmem_g(&value, *(int *)arg);
    return NULL;
}

static void *end(void *arg)
{
    (void)arg;
    shmem_finalize();
    return NULL;
}

static int level_of(const char *what)
{
    if (!strcmp(what, "single"))
        return SHMEM_THREAD_SINGLE;
    if (!strcmp(what, "funneled"))
        return SHMEM_THREAD_FUNNELED;
    if (!strcmp(what, "serialized") || !strcmp(what, "in_turn"))
        return SHMEM_THREAD_SERIALIZED;
    return SHMEM_THREAD_MULTIPLE;
}

int main(int argc, char **argv)
{
    const char *what = argv[argc - 1];
    const int private = !strcmp(what, "private"), shared = !strcmp(what, "shared");
    int level;
    pthread_t thread;
    shmem_init_thread(level_of(what), &level);
    int other = 1 - shmem_my_pe();
    shmem_ctx_create(private ? SHMEM_CTX_PRIVATE : shared ? SHMEM_CTX_SERIALIZED : 0, &ctx);
    pthread_create(&thread, NULL, private || shared ? get : get_default, &other);
    if (!strcmp(what, "in_turn"))
        pthread_join(thread, NULL);
    if (private || shared)
        get(&other);
    else
        get_default(&other);
    if (strcmp(what, "in_turn"))
        pthread_join(thread, NULL);
    shmem_ctx_destroy(ctx);
    if (!strcmp(what, "finalize")) {
        pthread_create(&thread, NULL, end, NULL);
        pthread_join(thread, NULL);
    } else {
        shmem_finalize();
    }
    return 0;
}
