/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that a program opens while it runs: each rank has its own, with constructors, thread-local data,
 * references to the program and to libraries that the program has already; and dlsym finds what it finds
 * natively. */
// build: mkdir -p lib
// build: $OSHCC -g -shared -fPIC -o lib/libhelper.so $DIR/helper.c
// build: $OSHCC -g -shared -fPIC -o lib/libpart.so $DIR/part.c
// build: $OSHCC -g -shared -fPIC -Wl,-soname,plugin.so -o lib/plugin.so $DIR/plugin.c -Llib -lhelper -lpart -Wl,-rpath,'$ORIGIN'
// build: $CC -g -shared -fPIC -Wl,-z,lazy -o lib/other.so $DIR/plugin.c -Llib -lpart -lhelper -Wl,-rpath,'$ORIGIN'
// build: $OSHCC -g -o $EXE $SRC -Llib -lhelper -Wl,-rpath,$W/lib
// run: -np 5
// stdout: 0 wrong in 5 PEs
// stdout: plugins said 25 at the end
#include <dlfcn.h>
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

extern int helper_count;
int helper_next(void);

static int me, wrong;
static long sum;
int host_ended;

#define EXPECT(a, b)                                                                                         \
    do {                                                                                                     \
        long is = (a);                                                                                       \
        if (is != (b)) {                                                                                     \
            printf("PE %d, line %d: %ld, expected %ld\n", me, __LINE__, is, (long)(b));                      \
            wrong++;                                                                                         \
        }                                                                                                    \
    } while (0)

int host_value(void)
{
    return me + 1;
}

int both(void)
{
    return 1;
}

static void *must_open(const char *name, int flags)
{
    void *handle = dlopen(name, flags);
    if (!handle) {
        printf("PE %d: %s\n", me, dlerror());
        shmem_global_exit(1);
    }
    return handle;
}

static int call(void *handle, const char *name)
{
    int (*fn)(void) = (int (*)(void))dlsym(handle, name);
    return fn ? fn() : -1000;
}

static void *in_thread(void *plugin)
{
    EXPECT(call(plugin, "plugin_thread_data"), 3);
    EXPECT(call(plugin, "plugin_thread_data"), 4);
    return plugin;
}

static void check_plugin(void *plugin, int random)
{
    EXPECT(call(plugin, "plugin_sum"), 1000 * (me + 1) + 300 + 11);
    shmem_barrier_all(); /* the others come in between */
    EXPECT(call(plugin, "plugin_sum"), 1000 * (me + 1) + 400 + 12);
    shmem_barrier_all();
    EXPECT(call(plugin, "plugin_host"), me + 1);
    EXPECT(call(plugin, "plugin_both"), 1);
    EXPECT(call(plugin, "both"), 2);
    EXPECT(call(plugin, "plugin_random"), random);
    EXPECT(*(int *)dlsym(plugin, "plugin_data"), 12);
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, in_thread, plugin), 0);
    EXPECT(pthread_join(thread, NULL), 0);
    EXPECT(call(plugin, "plugin_thread_data"), 5);
}

static void at_end(void)
{
    if (me == 0) /* destructors of plugins run before the program's */
        printf("plugins said %d at the end\n", host_ended);
}

__attribute__((destructor)) static void end(void)
{
    at_end();
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    int n = shmem_n_pes();
    srand(7 + (unsigned)me);
    int first = rand(), second = rand();
    srand(7 + (unsigned)me);

    EXPECT(dlopen("plugin.so", RTLD_NOW | RTLD_NOLOAD) == NULL, 1);
    void *plugin = must_open("plugin.so", RTLD_NOW);
    check_plugin(plugin, first);
    EXPECT(must_open("plugin.so", RTLD_LAZY) == plugin, 1);
    EXPECT(call(plugin, "plugin_helper"), 1);
    EXPECT(helper_next(), 2);
    EXPECT(call(plugin, "plugin_helper"), 3);
    EXPECT(dlclose(plugin), 0);
    EXPECT(call(plugin, "plugin_helper"), 4); /* opened twice */
    EXPECT(dlclose(plugin), 0);

    void *other = must_open("other.so", RTLD_LAZY);
    EXPECT(other != plugin, 1);
    check_plugin(other, second);
    EXPECT(call(other, "plugin_helper"), 5);
    EXPECT(call(other, "plugin_parts"), 4); /* one part for both */
    EXPECT(helper_count, 5);
    EXPECT(call(other, "plugin_next_both"), 0); /* the program's comes before */
    *(int *)dlsym(other, "plugin_data") += 1;

    EXPECT((void *)(size_t)dlsym(RTLD_DEFAULT, "host_value") == (void *)(size_t)host_value, 1);
    EXPECT(dlsym(dlopen(NULL, RTLD_NOW), "helper_next") != NULL, 1);
    EXPECT(dlsym(RTLD_DEFAULT, "no_such_function") == NULL, 1);
    EXPECT(dlerror() != NULL, 1);
    EXPECT(dlopen("./no/such.so", RTLD_NOW) == NULL, 1);
    EXPECT(dlerror() != NULL, 1);
    EXPECT(dlerror() == NULL, 1);
    double (*real_fabs)(double) = (double (*)(double))dlsym(must_open("libm.so.6", RTLD_NOW), "fabs");
    EXPECT((long)real_fabs(-3), 3);
    int (*random)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "rand");
    srand(7 + (unsigned)me);
    EXPECT(random(), first); /* the rank's, by whatever way */

    shmem_long_atomic_add(&sum, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%ld wrong in %d PEs\n", sum, n);
    shmem_finalize();
    return 0;
}
