/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of MPI_T: types, registrations, callbacks, their data and times, and what is dropped. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 2
// stdout: done
// run: -np 2 --jobs=2
// stdout: done
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 3000 };
static int me, seen[4], freed, deep;
static int64_t dropped, times[4];
static int peers[4], tags[4];
static int64_t bytes[4];
static MPI_T_event_registration watch[4];

static void on_event(MPI_T_event_instance event, MPI_T_event_registration from, MPI_T_cb_safety safety,
                     void *data)
{
    struct {
        int peer, tag;
        int64_t bytes;
    } all;
    int k = (int)(size_t)data, source = -1, peer;
    MPI_Count at, now;
    assert(safety == MPI_T_CB_REQUIRE_NONE && from == watch[k]);
    assert(MPI_T_event_copy(event, &all) == MPI_SUCCESS);
    assert(MPI_T_event_read(event, 0, &peer) == MPI_SUCCESS && peer == all.peer);
    assert(MPI_T_event_read(event, 3, &peer) == MPI_T_ERR_INVALID_INDEX);
    assert(MPI_T_event_get_source(event, &source) == MPI_SUCCESS && source == 0);
    assert(MPI_T_event_get_timestamp(event, &at) == MPI_SUCCESS);
    MPI_T_source_get_timestamp(0, &now);
    assert(at <= now && at >= times[k]);
    seen[k]++;
    times[k] = at;
    peers[k] = all.peer;
    tags[k] = all.tag;
    bytes[k] = all.bytes;
    if (deep) { /* a callback may communicate; what that causes is told later */
        deep = 0;
        MPI_Sendrecv(NULL, 0, MPI_INT, me, 1, NULL, 0, MPI_INT, me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void on_dropped(MPI_Count count, MPI_T_event_registration from, int source, MPI_T_cb_safety safety,
                       void *data)
{
    (void)from, (void)source, (void)safety, (void)data;
    dropped += count;
}

static void on_free(MPI_T_event_registration from, MPI_T_cb_safety safety, void *data)
{
    (void)from, (void)safety;
    freed += data == &freed;
}

static void types(void)
{
    static const char *const names[] = {"message_sent", "message_unexpected", "message_matched",
                                        "message_received"};
    int n, index;
    MPI_T_event_get_num(&n);
    assert(n == 4);
    for (int k = 0; k < n; k++) {
        char name[64], text[200];
        int name_length = sizeof name, text_length = sizeof text, verbosity, elements = 8, bind;
        MPI_Datatype type[8];
        MPI_Aint at[8];
        MPI_T_enum enumeration;
        assert(MPI_T_event_get_info(k, name, &name_length, &verbosity, type, at, &elements, &enumeration,
                                    NULL, text, &text_length, &bind) == MPI_SUCCESS);
        assert(!strcmp(name, names[k]) && elements == 3 && bind == MPI_T_BIND_NO_OBJECT);
        assert(type[0] == MPI_INT && type[2] == MPI_INT64_T && at[2] == 8);
        assert(MPI_T_event_get_index(names[k], &index) == MPI_SUCCESS && index == k);
        assert(MPI_T_event_handle_alloc(k, NULL, MPI_INFO_NULL, &watch[k]) == MPI_SUCCESS);
        assert(MPI_T_event_register_callback(watch[k], MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_INFO_NULL,
                                             (void *)(size_t)k, on_event) == MPI_SUCCESS);
        assert(MPI_T_event_set_dropped_handler(watch[k], on_dropped) == MPI_SUCCESS);
    }
    assert(MPI_T_event_get_index("nothing", &index) == MPI_T_ERR_INVALID_NAME);
    assert(MPI_T_event_handle_alloc(4, NULL, MPI_INFO_NULL, &watch[0]) == MPI_T_ERR_INVALID_INDEX);
}

int main(int argc, char **argv)
{
    int provided, other, buffer[10] = {0};
    static MPI_Request q[MANY];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = !me;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    types();
    if (!me) {
        MPI_Send(buffer, 10, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Probe(0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(seen[1] == 1 && !seen[2]);
        MPI_Recv(buffer, 10, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int k = 0; k < 4; k++) {
        assert(seen[k] == (k == 0 ? !me : me));
        assert(!seen[k] || (peers[k] == other && tags[k] == 7 && bytes[k] == 40));
    }
    MPI_Barrier(MPI_COMM_WORLD); /* its messages are no one's */
    assert(seen[0] == !me && seen[3] == me);
    deep = 1;
    MPI_Sendrecv(NULL, 0, MPI_INT, me, 2, NULL, 0, MPI_INT, me, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    assert(seen[0] == !me + 2 && seen[3] == me + 2 && !deep);
    /* Rank 1 waits in one call while more events come than are kept for it. */
    seen[0] = seen[1] = seen[2] = seen[3] = 0;
    if (!me) {
        for (int k = 0; k < MANY; k++)
            MPI_Send(NULL, 0, MPI_INT, 1, 3, MPI_COMM_WORLD);
        assert(seen[0] == MANY && !dropped);
    } else {
        for (int k = 0; k < MANY; k++)
            MPI_Irecv(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD, &q[k]);
        MPI_Waitall(MANY, q, MPI_STATUSES_IGNORE);
        assert(seen[1] + seen[2] + seen[3] + dropped == 2 * MANY);
        assert(dropped > 0 && seen[1] == 0);
    }
    for (int k = 0; k < 4; k++)
        assert(MPI_T_event_handle_free(watch[k], &freed, on_free) == MPI_SUCCESS);
    assert(freed == 4);
    assert(MPI_T_event_handle_free(watch[0], NULL, NULL) == MPI_T_ERR_INVALID_HANDLE);
    MPI_Sendrecv(NULL, 0, MPI_INT, me, 2, NULL, 0, MPI_INT, me, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_T_finalize();
    MPI_Finalize();
    if (!me)
        puts("done");
    return 0;
}
