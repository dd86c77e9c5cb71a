/* SPDX-License-Identifier: BSD-3-Clause */
/* Listings 5 and 8 of the S-DSM's paper, unchanged, as C and as C++; what they leave out is declared before
 * them. Process 0 is the server; 1, 2, 3 are A, B, C of listing 8; 4 is that of listing 5. */
// build: $MPICC -g -Wall -Werror "$SRC" -o $EXE -lsat
// build: ${MPICC%cc}cxx -x c++ -g -Wall -Werror "$SRC" -x none -o cxx -lsat
// build: python3 $TOP/examples/sdsm/topology.py --roles 1:1,2:1,3:1,4:1 > 1.xml
// build: python3 $TOP/examples/sdsm/topology.py --servers 3 --roles 1:1,2:1,3:1,4:1 > 3.xml
// shell: set -o pipefail; $RUN --quiet -np 5 $EXE --topology 1.xml | sort
// stdout: B finds: changed by A
// stdout: C finds: changed by B
// stdout: listing 5: 100, 99, ..., 1, and the stores of the READ scope are lost
// shell: set -o pipefail; $RUN --quiet -np 7 $EXE --topology 3.xml | sort
// stdout: B finds: changed by A
// stdout: C finds: changed by B
// stdout: listing 5: 100, 99, ..., 1, and the stores of the READ scope are lost
// shell: set -o pipefail; $RUN --quiet -np 7 ./cxx --topology 3.xml | sort
// stdout: B finds: changed by A
// stdout: C finds: changed by B
// stdout: listing 5: 100, 99, ..., 1, and the stores of the READ scope are lost
#include <assert.h>
#include <sat.h>
#include <stdio.h>

/* --- listing 8 --- */

enum { RDV_ID = 7, BAR_ID = 8, SHARED = 12 };

static Chunk_t *chunk;
static const char *me;

static void modify(char *data)
{
    snprintf(data, 40, "changed by %s", me);
}

static void display(const char *data)
{
    printf("%s finds: %s\n", me, data);
}

// clang-format off
void A () {
    WRITE(chunk);
    modify(chunk->data);
    RELEASE(chunk);
    wakeup(RDV_ID);
    barrier(BAR_ID, clientGetClientNr());
}

void B () {
    rendezvous(RDV_ID);
    READWRITE(chunk);
    display(chunk->data);
    modify(chunk->data);
    RELEASE(chunk);
    barrier(BAR_ID, clientGetClientNr());
}

void C () {
    barrier(BAR_ID, clientGetClientNr());
    READ(chunk);
    display(chunk->data);
    RELEASE(chunk);
}
// clang-format on

static void begin(const char *name)
{
    me = name;
    chunk = MALLOC(NULL, SHARED, 40);
}

static void role_a(_SAT_Bootstrap_t *bootstrap)
{
    begin("A");
    assert(bootstrap->role == 1 && bootstrap->nclients == 4);
    A();
}

static void role_b(_SAT_Bootstrap_t *bootstrap)
{
    begin("B");
    assert(bootstrap->role == 2);
    B();
}

static void role_c(_SAT_Bootstrap_t *bootstrap)
{
    begin("C");
    assert(bootstrap->role == 3);
    C();
}

/* --- listing 5 --- */

enum { N = 100 };

static void listing5(Consistency_t *consistency, unsigned long chunkid, size_t size)
{
    Chunk_t *chunk;
    int i;
    // clang-format off
     chunk = MALLOC(consistency, chunkid, size);

     WRITE(chunk);

     /** chunk->data exists
     *   but values may not be initialized
     **/

     for (i = 0; i < N; i++) {
         chunk->data[i] = i;
     }
     RELEASE(chunk);

     /** do not use chunk->data here as
     *   - consistency is not guaranteed
     *   - pointer can be NULL (freed)
     **/

     READWRITE(chunk)

     /* chunk->data exists and data are updated */

     for (i = 0; i < N; i++) {
         chunk->data[i] = N - chunk->data[i];
     }
     RELEASE(chunk)

     READ(chunk)

     for (i = 0; i < N; i++) {
         chunk->data[i] = N - chunk->data[i];
     }

     RELEASE(chunk)

     /** last modification of chunk->data is lost
     *   as it was a read-only scope
     **/
    // clang-format on
}

static void role_5(_SAT_Bootstrap_t *bootstrap)
{
    listing5(newHomeBaseMESI(), 1000, N);
    Chunk_t *again = LOOKUP(newHomeBaseMESI(), 1000, 1);
    READ(again);
    for (int i = 0; i < N; i++)
        assert(again->data[i] == N - i);
    RELEASE(again);
    printf("listing %d: 100, 99, ..., 1, and the stores of the READ scope are lost\n", bootstrap->role + 1);
    barrier(BAR_ID, clientGetClientNr());
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, role_a, role_b, role_c, role_5};
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    return 0;
}
