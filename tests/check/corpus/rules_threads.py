# SPDX-License-Identifier: BSD-3-Clause
"""Threads of one process, by pthreads and by OpenMP, in both interfaces.

OpenSHMEM 1.6, 9.2 and 9.12.2: quiet and fence act on what happened before the call by the rules of the threads.
MPI 4.1, 11.6 and 12.7: calls of two threads take effect in some order, which the program has to enforce where it
matters; loads and stores of two threads are ordered by the threads' own means.
"""
from table import Rule, right, wrong

JOIN = "pthread_join(thread, NULL);"
MEET = "pthread_barrier_wait(&meet);"
HOLD, LEAVE = "pthread_mutex_lock(&mutex);", "pthread_mutex_unlock(&mutex);"
RULES = []


def thread_top(first):
    """The second thread of the first rank."""
    return f"""static void *worker(void *unused)
{{
    (void)unused;
    <w_open>
    @A {first}
    <w_close>
    return NULL;
}}
"""


def thread_body(second):
    """The first rank starts the thread and does the second access itself."""
    return f"""
<open>
if (me == 0) {{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    <m_open>
    @B {second}
    <m_close>
}}
<end>
"""


def completes(second, complete):
    """What completes the other access, if it is an operation, too."""
    return complete + " " if second.startswith(("shmem_", "MPI_")) else ""


def orders(complete, second, opening="", closing=""):
    """Ways to order an operation of a second thread before an access of the first; `complete` completes it."""
    group = [
        right("complete_join", "completed by its thread, which is joined", w_close=complete, m_open=JOIN),
        right("join_complete", "completed by the thread that has joined its own", m_open=f"{JOIN} {complete}"),
        right("complete_meet", "completed before both threads meet", w_close=f"{complete} {MEET}", m_open=MEET,
              m_close=JOIN),
        right("meet_complete", "completed by the other thread after both have met", w_close=MEET,
              m_open=f"{MEET} {complete}", m_close=JOIN),
        right("post", "completed before the semaphore is posted", w_close=f"{complete} sem_post(&semaphore);",
              m_open="sem_wait(&semaphore);", m_close=JOIN),
        right("mutex", "issued and completed in a critical section", w_open=HOLD, w_close=f"{complete} {LEAVE}",
              m_open=HOLD, m_close=f"{completes(second, complete)}{LEAVE} {JOIN}"),
        wrong("not_joined", "joined too late", w_close=complete, m_close=JOIN),
        wrong("not_complete", "joined, but nothing completes the operation", m_open=JOIN),
        wrong("meet_too_early", "the threads meet before the operation is complete",
              w_close=f"{MEET} {complete}", m_open=MEET, m_close=JOIN),
        wrong("mutex_too_short", "the operation is completed after the critical section", w_open=HOLD,
              w_close=f"{LEAVE} {complete}", m_open="usleep(1000); " + HOLD, m_close=f"{LEAVE} {JOIN}"),
        wrong("one_mutex", "the other thread does not take the mutex", w_open=HOLD, w_close=f"{complete} {LEAVE}",
              m_close=JOIN),
    ]
    for variant in group:
        variant.fill.update(open=opening, end=closing)
    return group


def pair(name, api, what, cite, first, second, place, group, **more):
    """A rule for two threads of rank 0; also with OpenMP."""
    kind = {"shmem": {"init": "SHMEM_THREAD_MULTIPLE"}, "mpi": {"init": "MPI_THREAD_MULTIPLE"}}[api]
    roles = (0, 0, 0 if place == "private" else 1)
    RULES.append(Rule(name, api, "thread", what, cite, thread_body(second), group, place, roles=roles,
                      top=thread_top(first), shapes=False, flags="-pthread", **kind, **more))


def openmp(name, api, what, cite, first, second, place, complete, opening="", closing="", **more):
    """The same for two threads of a parallel region."""
    body = f"""
<open>
if (me == 0) {{
    #pragma omp parallel num_threads(2)
    {{
        if (omp_get_thread_num() == 1) {{
            <w_open>
            @A {first}
            <w_close>
        }}
        <omp>
        if (omp_get_thread_num() == 0) {{
            <m_open>
            @B {second}
            <m_close>
        }}
    }}
}}
<end>
"""
    group = [
        right("barrier", "completed before the threads' barrier", w_close=complete, omp="#pragma omp barrier"),
        right("barrier_complete", "completed by the other thread after the threads' barrier",
              omp="#pragma omp barrier", m_open=complete),
        right("omp_lock", "issued and completed in a critical section", w_open="omp_set_lock(&omp_lock);",
              w_close=complete + " omp_unset_lock(&omp_lock);", m_open="omp_set_lock(&omp_lock);",
              m_close=completes(second, complete) + "omp_unset_lock(&omp_lock);"),
        wrong("no_barrier", "nothing orders the threads", w_close=complete),
        wrong("not_complete", "ordered, but not complete", omp="#pragma omp barrier"),
        wrong("one_omp_lock", "the other thread does not take the lock", w_open="omp_set_lock(&omp_lock);",
              w_close=complete + " omp_unset_lock(&omp_lock);"),
    ]
    for variant in group:
        variant.fill.update(open=opening, end=closing)
    kind = {"shmem": {"init": "SHMEM_THREAD_MULTIPLE"}, "mpi": {"init": "MPI_THREAD_MULTIPLE"}}[api]
    roles = (0, 0, 0 if place == "private" else 1)
    RULES.append(Rule("omp_" + name, api, "thread", what, cite, body, group, place, roles=roles, shapes=False,
                      flags="-fopenmp", **kind, **more))


STORE, LOAD = "$X[0] = 7;", "got = $X[0];"
OPEN, CLOSE, FLUSH = "MPI_Win_lock_all(0, win);", "MPI_Win_unlock_all(win);", "MPI_Win_flush(1, win);"


def both(name, what, cite, first, second, place, complete, api, opening="", closing="", **more):
    """The rule for pthreads and for OpenMP."""
    pair(name, api, what, cite, first, second, place, orders(complete, second, opening, closing), **more)
    openmp(name, api, what, cite, first, second, place, complete, opening, closing, **more)


both("thread_source", "the source of a thread's nonblocking put, stored to by another thread", "9.12.2",
     "shmem_long_put_nbi(there, $X, 4, 1);", STORE, "private", "shmem_quiet();", "shmem")
both("thread_into", "the destination of a thread's nonblocking get, loaded by another thread", "9.12.2",
     "shmem_long_get_nbi($X, there, 4, 1);", LOAD, "private", "shmem_quiet();", "shmem")
both("thread_put_put", "puts of two threads", "9.12.2", "shmem_long_put($X, src, 4, 1);",
     "shmem_long_p($X, 43, 1);", "symmetric", "shmem_quiet();", "shmem")
both("thread_put_get", "a thread's put and another thread's get", "9.12.2", "shmem_long_put($X, src, 4, 1);",
     "shmem_long_get(into, $X, 4, 1);", "symmetric", "shmem_quiet();", "shmem")
both("thread_origin", "the origin buffer of a thread's put, stored to by another thread", "12.3",
     "MPI_Put($X, 4, MPI_LONG, 1, 0, 4, MPI_LONG, win);", STORE, "private", FLUSH, "mpi", OPEN, CLOSE)
both("thread_get", "the origin buffer of a thread's get, loaded by another thread", "12.3",
     "MPI_Get($X, 4, MPI_LONG, 1, 0, 4, MPI_LONG, win);", LOAD, "private", FLUSH, "mpi", OPEN, CLOSE)
both("thread_puts", "puts of two threads", "12.7", "MPI_Put(src, 1, MPI_LONG, 1, $D, 1, MPI_LONG, win);",
     "MPI_Put(into, 1, MPI_LONG, 1, $D, 1, MPI_LONG, win);", "window", FLUSH, "mpi", OPEN, CLOSE)
both("thread_isend", "the buffer of a thread's send, stored to by another thread", "3.7.2",
     "MPI_Isend($X, 4, MPI_LONG, 1, 0, MPI_COMM_WORLD, &request);", STORE, "private",
     "MPI_Wait(&request, MPI_STATUS_IGNORE);", "mpi",
     "if (me == 1) MPI_Recv(into, 4, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
both("thread_irecv", "the buffer of a thread's receive, loaded by another thread", "3.7.2",
     "MPI_Irecv($X, 4, MPI_LONG, 1, 0, MPI_COMM_WORLD, &request);", LOAD, "private",
     "MPI_Wait(&request, MPI_STATUS_IGNORE);", "mpi",
     "if (me == 1) MPI_Send(src, 4, MPI_LONG, 0, 0, MPI_COMM_WORLD);")

# What another thread's barrier, or wait, covers.
TOP = """static void *worker(void *unused)
{
    (void)unused;
    <w_open>
    @A shmem_long_put($X, src, 4, 1);
    <w_close>
    return NULL;
}
"""
BODY = """
pthread_t thread;
if (me == 0) {
    pthread_create(&thread, NULL, worker, NULL);
    <m_open>
}
<mid>
if (me == 0) {
    <m_close>
}
if (me == 1) {
    <b_open>
    @B got = $X[0];
}
"""
RULES.append(Rule("thread_barrier", "shmem", "thread", "a thread's put, another thread's barrier, and a load", "9.12.2",
                  BODY, [
                      right("join_barrier", "the thread is joined before the barrier", m_open=JOIN,
                            mid="shmem_barrier_all();"),
                      right("quiet_flag", "the thread completes its put and sets a flag itself",
                            w_close="shmem_quiet(); shmem_long_atomic_set(&flag, 1, 1);", m_close=JOIN,
                            b_open="shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);"),
                      right("quiet_join_sync", "the thread completes its put, is joined, the PEs synchronize",
                            w_close="shmem_quiet();", m_open=JOIN, mid="shmem_sync_all();"),
                      wrong("barrier_join", "the thread is not ordered before the barrier",
                            mid="shmem_barrier_all();", m_close=JOIN),
                      wrong("quiet_sync_join", "the thread completes its put, but nothing orders it before the sync",
                            w_close="shmem_quiet();", mid="shmem_sync_all();", m_close=JOIN),
                      wrong("fence_flag", "the fence of one thread and the put of another are not ordered",
                            m_open="shmem_fence(); shmem_long_atomic_set(&flag, 1, 1); " + JOIN,
                            b_open="shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);"),
                  ], "symmetric", roles=(0, 1, 1), top=TOP, shapes=False, flags="-pthread",
                  init="SHMEM_THREAD_MULTIPLE", check=("got", 41, 0)))
WAITER = """static void *worker(void *unused)
{
    (void)unused;
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    return NULL;
}
"""
BODY = """
if (me == 0) {
    @A shmem_long_put($X, src, 4, 1);
    shmem_fence();
    shmem_long_atomic_set(&flag, 1, 1);
}
if (me == 1) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    <m_open>
    @B got = $X[0];
    <m_close>
}
"""
RULES.append(Rule("thread_waiter", "shmem", "thread", "a put, and a load of another thread than the one that waits",
                  "9.11.1, 9.2", BODY, [
                      right("join", "the thread that waits is joined", m_open=JOIN),
                      wrong("no_join", "the load is not ordered after the other thread's wait", m_close=JOIN),
                  ], "symmetric", roles=(0, 1, 1), top=WAITER, shapes=False, flags="-pthread",
                  init="SHMEM_THREAD_MULTIPLE", check=("got", 41, 0)))
