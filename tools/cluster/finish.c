/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finish: part of the preloaded library, for MPICH 4.0 over UCX. Its MPI_Finalize closes connections, which needs
 * answers of the peers, and then waits for all ranks by reading a pipe of its launcher. A rank that waits there
 * answers nobody: between more than two nodes, others never get that far. So while a rank that has closed its
 * connections reads, its UCX worker makes progress.
 */
#include <dlfcn.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

enum { BETWEEN_MS = 1 };

typedef int (*worker_create_fn)(void *context, const void *parameters, void **worker);
typedef unsigned (*worker_progress_fn)(void *worker);
typedef void (*worker_destroy_fn)(void *worker);
typedef void *(*disconnect_fn)(void *endpoint);
typedef ssize_t (*read_fn)(int fd, void *to, size_t size);

/* UCX's functions, which pass through here on their way from MPICH. */
int ucp_worker_create(void *context, const void *parameters, void **out);
void ucp_worker_destroy(void *of);
void *ucp_disconnect_nb(void *endpoint);

static void *worker; /* the last one made; NULL: none */
static bool closing;

__attribute__((visibility("default"))) int ucp_worker_create(void *context, const void *parameters,
                                                             void **out)
{
    worker_create_fn next = (worker_create_fn)dlsym(RTLD_NEXT, "ucp_worker_create");
    int status = next(context, parameters, out);
    if (status == 0)
        worker = *out;
    return status;
}

__attribute__((visibility("default"))) void ucp_worker_destroy(void *of)
{
    worker_destroy_fn next = (worker_destroy_fn)dlsym(RTLD_NEXT, "ucp_worker_destroy");
    worker = NULL;
    next(of);
}

__attribute__((visibility("default"))) void *ucp_disconnect_nb(void *endpoint)
{
    disconnect_fn next = (disconnect_fn)dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    closing = true;
    return next(endpoint);
}

__attribute__((visibility("default"))) ssize_t read(int fd, void *buf, size_t nbytes)
{
    static read_fn next;
    static worker_progress_fn progress;
    if (!next)
        next = (read_fn)dlsym(RTLD_NEXT, "read");
    if (closing && worker) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (!progress)
            progress = (worker_progress_fn)dlsym(RTLD_NEXT, "ucp_worker_progress");
        while (progress && worker && poll(&wait, 1, BETWEEN_MS) == 0)
            progress(worker);
    }
    return next(fd, buf, nbytes);
}
