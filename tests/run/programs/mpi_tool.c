// SPDX-License-Identifier: BSD-3-Clause
// The tool information interface: settings, counters, categories, enumerations, start and end, error codes.
// (MPI-5.0 section 15.3)
// run: -np 2
// stdout: good
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(cond)                                                                                          \
    do {                                                                                                     \
        if (!(cond)) {                                                                                       \
            fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #cond);                                 \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)
#define OK(call) CHECK((call) == MPI_SUCCESS)

static void before_start(void)
{
    int n, provided;
    CHECK(MPI_T_cvar_get_num(&n) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_event_get_num(&n) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_init_thread(-1, &provided) == MPI_T_ERR_INVALID);
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    CHECK(provided == MPI_THREAD_MULTIPLE);
    OK(MPI_T_finalize());
    OK(MPI_T_cvar_get_num(&n));
    CHECK(n > 20);
}

static void texts(void)
{
    char name[4] = "xxx";
    int length = 4, none = 0, index;
    OK(MPI_T_cvar_get_index("mpi/buffering", &index));
    OK(MPI_T_cvar_get_info(index, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK(!strcmp(name, "mpi") && length == (int)sizeof "mpi/buffering");
    strcpy(name, "xxx");
    OK(MPI_T_cvar_get_info(index, name, &none, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK(!strcmp(name, "xxx") && none == (int)sizeof "mpi/buffering");
}

static void read_one(int k, MPI_Datatype type, MPI_T_enum enumeration)
{
    MPI_T_cvar_handle h;
    int count, size;
    OK(MPI_T_cvar_handle_alloc(k, NULL, &h, &count));
    OK(MPI_Type_size(type, &size));
    unsigned char *buf = malloc((size_t)size * (size_t)count);
    memset(buf, 0xaa, (size_t)size * (size_t)count);
    OK(MPI_T_cvar_read(h, buf));
    if (type == MPI_CHAR)
        CHECK(strlen((char *)buf) + 1 == (size_t)count);
    if (enumeration != MPI_T_ENUM_NULL) {
        int items, value, length = 8;
        char name[8];
        OK(MPI_T_enum_get_info(enumeration, &items, NULL, NULL));
        CHECK(items == 2 && *(int *)(void *)buf >= 0 && *(int *)(void *)buf < items);
        OK(MPI_T_enum_get_item(enumeration, 1, &value, name, &length));
        CHECK(value == 1 && !strcmp(name, "yes"));
        CHECK(MPI_T_enum_get_item(enumeration, 2, &value, name, &length) == MPI_T_ERR_INVALID_INDEX);
    }
    CHECK(MPI_T_cvar_write(h, buf) == MPI_T_ERR_CVAR_SET_NEVER);
    free(buf);
    MPI_T_cvar_handle old = h;
    OK(MPI_T_cvar_handle_free(&h));
    CHECK(h == MPI_T_CVAR_HANDLE_NULL);
    CHECK(MPI_T_cvar_handle_free(&old) == MPI_T_ERR_INVALID_HANDLE);
}

static void settings(void)
{
    int n, again, scope, length, switches = 0;
    OK(MPI_T_cvar_get_num(&n));
    for (int k = 0; k < n; k++) {
        char name[200];
        MPI_Datatype type;
        MPI_T_enum enumeration;
        length = sizeof name;
        OK(MPI_T_cvar_get_info(k, name, &length, NULL, &type, &enumeration, NULL, NULL, NULL, &scope));
        OK(MPI_T_cvar_get_index(name, &again));
        CHECK(again == k && scope == MPI_T_SCOPE_CONSTANT);
        read_one(k, type, enumeration);
        switches += enumeration != MPI_T_ENUM_NULL;
    }
    CHECK(switches > 0);
    CHECK(MPI_T_cvar_get_index("no/such", &again) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_cvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
          MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_cvar_read((MPI_T_cvar_handle)&n, &again) == MPI_T_ERR_INVALID_HANDLE);
}

static void categories(void)
{
    int n, all, seen = 0, variables = 0;
    OK(MPI_T_category_get_num(&n));
    OK(MPI_T_cvar_get_num(&all));
    for (int k = 0; k < n; k++) {
        int length = 100, cvars, pvars, subs, index, in[500];
        char name[100];
        OK(MPI_T_category_get_info(k, name, &length, NULL, NULL, &cvars, &pvars, &subs));
        OK(MPI_T_category_get_index(name, &index));
        CHECK(index == k && subs == 0);
        OK(MPI_T_category_get_cvars(k, 500, in));
        for (int j = 0; j < cvars; j++) {
            char key[200];
            int room = sizeof key;
            OK(MPI_T_cvar_get_info(in[j], key, &room, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
            CHECK(in[j] == seen++ && !strncmp(key, name, strlen(name)));
        }
        variables += pvars;
    }
    CHECK(seen == all);
    OK(MPI_T_pvar_get_num(&all));
    CHECK(variables == all);
    CHECK(MPI_T_category_get_index("none", &n) == MPI_T_ERR_INVALID_NAME);
}

static MPI_T_pvar_handle counter(MPI_T_pvar_session s, const char *name, int class)
{
    MPI_T_pvar_handle h;
    int index, count;
    OK(MPI_T_pvar_get_index(name, class, &index));
    OK(MPI_T_pvar_handle_alloc(s, index, NULL, &h, &count));
    CHECK(count == 1);
    return h;
}

static unsigned long long value(MPI_T_pvar_session s, MPI_T_pvar_handle h)
{
    unsigned long long v = 77;
    OK(MPI_T_pvar_read(s, h, &v));
    return v;
}

static unsigned level(MPI_T_pvar_session s, MPI_T_pvar_handle h)
{
    unsigned v = 77;
    OK(MPI_T_pvar_read(s, h, &v));
    return v;
}

static void counters(int rank)
{
    MPI_T_pvar_session s, other;
    char data[10] = "";
    OK(MPI_T_pvar_session_create(&s));
    OK(MPI_T_pvar_session_create(&other));
    MPI_T_pvar_handle sent = counter(s, "messages_sent", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle bytes = counter(s, "bytes_received", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle waiting = counter(s, "unexpected_recvq_length", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle posted = counter(s, "posted_recvq_length", MPI_T_PVAR_CLASS_LEVEL);
    CHECK(value(s, sent) == 0);
    OK(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES));
    if (rank == 0)
        for (int k = 0; k < 3; k++)
            MPI_Send(data, 10, MPI_CHAR, 1, k, MPI_COMM_WORLD);
    if (rank == 0) {
        CHECK(value(s, sent) == 3);
        OK(MPI_T_pvar_stop(s, sent));
        MPI_Send(data, 10, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
        CHECK(value(s, sent) == 3);
        OK(MPI_T_pvar_reset(s, sent));
        CHECK(value(s, sent) == 0);
        OK(MPI_T_pvar_write(s, sent, &(unsigned long long){40}));
        CHECK(value(s, sent) == 40);
        MPI_Recv(data, 10, MPI_CHAR, 1, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE); /* no other message meanwhile */
    } else {
        MPI_Request q;
        MPI_Recv(data, 10, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(value(s, bytes) == 10 && level(s, waiting) == 3 && level(s, posted) == 0);
        MPI_Irecv(data, 10, MPI_CHAR, 0, 99, MPI_COMM_WORLD, &q);
        CHECK(level(s, posted) == 1);
        MPI_Cancel(&q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        for (int k = 0; k < 3; k++)
            MPI_Recv(data, 10, MPI_CHAR, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(value(s, bytes) == 40 && level(s, waiting) == 0);
        unsigned long long v;
        OK(MPI_T_pvar_readreset(s, bytes, &v));
        CHECK(v == 40 && value(s, bytes) == 0);
        MPI_Send(data, 10, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    CHECK(MPI_T_pvar_start(s, waiting) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_reset(s, waiting) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_readreset(s, waiting, data) == MPI_T_ERR_PVAR_NO_ATOMIC);
    CHECK(MPI_T_pvar_read(other, sent, data) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_read(MPI_T_PVAR_SESSION_NULL, sent, data) == MPI_T_ERR_INVALID_SESSION);
    CHECK(MPI_T_pvar_read(s, MPI_T_PVAR_ALL_HANDLES, data) == MPI_T_ERR_INVALID_HANDLE);
    OK(MPI_T_pvar_handle_free(s, &bytes));
    CHECK(bytes == MPI_T_PVAR_HANDLE_NULL);
    OK(MPI_T_pvar_session_free(&s));
    CHECK(s == MPI_T_PVAR_SESSION_NULL);
    CHECK(MPI_T_pvar_read(other, sent, data) == MPI_T_ERR_INVALID_HANDLE);
}

static void events(void)
{
    int n, events;
    MPI_Count before, after, ticks;
    OK(MPI_T_event_get_num(&events));
    OK(MPI_T_source_get_num(&n));
    CHECK(n == 1 && events == 4);
    OK(MPI_T_source_get_info(0, NULL, NULL, NULL, NULL, NULL, &ticks, NULL, NULL));
    OK(MPI_T_source_get_timestamp(0, &before));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_T_source_get_timestamp(0, &after));
    CHECK(ticks == 1000000000 && after > before);
    CHECK(MPI_T_event_get_index("none", &n) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_source_get_timestamp(1, &after) == MPI_T_ERR_INVALID_INDEX);
}

int main(int argc, char **argv)
{
    int rank, n;
    before_start();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    texts();
    settings();
    categories();
    counters(rank);
    events();
    MPI_Finalize();
    OK(MPI_T_cvar_get_num(&n));
    OK(MPI_T_finalize());
    CHECK(MPI_T_cvar_get_num(&n) == MPI_T_ERR_NOT_INITIALIZED);
    if (rank == 0)
        printf("good\n");
    return 0;
}
