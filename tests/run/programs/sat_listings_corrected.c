/* SPDX-License-Identifier: BSD-3-Clause */
/* Listings 4, 6, 7 and 9 of the S-DSM's paper, as C and as C++. As printed they do not compile, or do not
 * mean what they say; each line that differs says why. Process 0 is the server. 1 has listings 4, 6 and 7, and
 * reads a symbol that 2 writes; 2 is the publisher of listing 9, 3 its subscriber. */
// build: $MPICC -g -Wall -Werror "$SRC" -o $EXE -lsat
// build: ${MPICC%cc}cxx -x c++ -g -Wall -Werror "$SRC" -x none -o cxx -lsat
// build: python3 $TOP/examples/sdsm/topology.py --roles 1:1,2:1,3:1 > 1.xml
// build: python3 $TOP/examples/sdsm/topology.py --servers 2 --roles 1:1,2:1,3:1 > 2.xml
// shell: set -o pipefail; $RUN --quiet -np 4 $EXE --topology 1.xml | sort
// stdout: listing 4: chunks of 24, 91, 54 bytes in a chain
// stdout: listing 6: 0 1 2 3 4 5 6 7 8 9
// stdout: listing 6: process 2 finds the same
// stdout: listing 7: the squares, and 'from process 2'
// stdout: listing 9: handler called 1 time
// shell: set -o pipefail; $RUN --quiet -np 5 $EXE --topology 2.xml | sort
// stdout: listing 4: chunks of 24, 91, 54 bytes in a chain
// stdout: listing 6: 0 1 2 3 4 5 6 7 8 9
// stdout: listing 6: process 2 finds the same
// stdout: listing 7: the squares, and 'from process 2'
// stdout: listing 9: handler called 1 time
// shell: set -o pipefail; $RUN --quiet -np 5 ./cxx --topology 2.xml | sort
// stdout: listing 4: chunks of 24, 91, 54 bytes in a chain
// stdout: listing 6: 0 1 2 3 4 5 6 7 8 9
// stdout: listing 6: process 2 finds the same
// stdout: listing 7: the squares, and 'from process 2'
// stdout: listing 9: handler called 1 time
// shell: set -o pipefail; $RUN --quiet -np 5 $EXE --topology 2.xml --sat-protocol home-lazy | grep 'listing [67]' | sort
// stdout: listing 6: 0 1 2 3 4 5 6 7 8 9
// stdout: listing 6: process 2 finds the same
// stdout: listing 7: the squares, and 'from process 2'
// shell: set -o pipefail; $RUN --quiet -np 5 $EXE --topology 2.xml --sat-protocol update | grep 'listing [67]' | sort
// stdout: listing 6: 0 1 2 3 4 5 6 7 8 9
// stdout: listing 6: process 2 finds the same
// stdout: listing 7: the squares, and 'from process 2'
// shell: set -o pipefail; $RUN --quiet -np 5 $EXE --topology 2.xml --sat-protocol migratory | grep 'listing [67]' | sort
// stdout: listing 6: 0 1 2 3 4 5 6 7 8 9
// stdout: listing 6: process 2 finds the same
// stdout: listing 7: the squares, and 'from process 2'
// shell: set -o pipefail; $RUN --quiet -np 5 $EXE --topology 2.xml --sat-protocol multiple-writer | grep 'listing [67]' | sort
// stdout: listing 6: 0 1 2 3 4 5 6 7 8 9
// stdout: listing 6: process 2 finds the same
// stdout: listing 7: the squares, and 'from process 2'
#include <assert.h>
#include <sat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE   10000
#define N      10
#define SHARED 2000
#define UUID   "uuid-921b4274-84ad-4b04-ac75-f9738da84039"

/* --- listing 4 --- */

static Chunk_t *listing4(void)
{
    // clang-format off
     Consistency_t * consistency = newHomeBaseMESI();
     Chunk_t * chunk = NULL;

     unsigned long chunkid = 42;
     size_t size = sizeof(char) * SIZE;
     chunk = MALLOC(consistency, chunkid, size);

     UnsignedLongList_t * idlst = UL_LIST(16, 81, 56878); /* printed: {16, 81, 56878}, which is no pointer */
     UnsignedLongList_t * sizelst = UL_LIST(24, 91, 54); /* the same */
     chunk = MALLOC_LST(consistency, idlst, sizelst);

     unsigned int nbchunks = 1;
     chunk = LOOKUP(consistency, chunkid, nbchunks);

     chunk = LOOKUP_LST(consistency, idlst);
    // clang-format on
    return chunk;
}

static void listing4_check(void)
{
    Chunk_t *chunk = listing4(), *second = chunk->next, *third = second->next;
    assert(third->next == chunk && chunk->prev == third);
    WRITE(chunk);
    assert(second->data == chunk->data + 24 && third->data == second->data + 91);
    memset(chunk->data, 4, 24 + 91 + 54);
    RELEASE(chunk);
    printf("listing 4: chunks of %zu, %zu, %zu bytes in a chain\n", sat_size(chunk), sat_size(second),
           sat_size(third));
}

/* --- listing 6 --- */

static void listing6(Consistency_t *consistency, unsigned long baseid)
{
    Chunk_t *chunk;
    int i;
    // clang-format off
     void * data = calloc(N, sizeof(int));

     MAP(chunk, consistency, baseid,
         N * sizeof(int), data);

     assert(data == chunk->data);

     for (i = 0; i < N; i++) {
         ((int *) data)[i] = i; /* printed: data[i] = i, but data is a void * */
     }

     PUT(chunk); /* equivalent to WRITE then RELEASE */

     /** data and chunk->data can be used here
     *   however, consistency is not guaranteed
     **/

     GET(chunk); /* equivalent to READ then RELEASE */

     /** data might now contain updated values
     *   if other S-DSM processes have modified chunk
     *   consistency is not guaranteed
     **/
    // clang-format on
    printf("listing 6:");
    for (i = 0; i < N; i++)
        printf(" %d", ((int *)data)[i]);
    printf("\n");
}

/* --- listing 7 --- */

static void listing7(void)
{
    int square[N];
    for (int i = 0; i < N; i++)
        square[i] = i * i;
    // clang-format off
     void * datawrite = calloc(N, sizeof(int));
     void * dataread = NULL;
     size_t size = 0;
     memcpy(datawrite, square, sizeof square); /* so that there is something to see */

     initSymbolicTable(sdsm);

     writeSymbol(sdsm, "symbol_name",
                datawrite, N * sizeof(int)); /* printed: data, which is not declared */

     readSymbol(sdsm, "symbol_name",
                &dataread, &size);
     assert(size == sizeof square && memcmp(dataread, square, size) == 0);
     free(dataread);
     dataread = NULL;

     readSymbol(sdsm,
                "uuid-921b4274-84ad-4b04-ac75-f9738da84039",
                &dataread, &size);
    // clang-format on
    assert(size == strlen((char *)dataread) + 1);
    printf("listing 7: the squares, and '%s'\n", (char *)dataread);
    free(dataread);
    free(datawrite);
}

/* --- listing 9 --- */

enum { RDV_ID = 3 };

static Chunk_t *mychunk;
static const unsigned long chunkid = 500;
static const size_t size = 100;
static int calls;
static void *params = &calls;
static int publishes;

static void foo(Chunk_t *chunk)
{
    if (publishes)
        strcpy(chunk->data, "published");
    else
        printf("listing 9: handler called %d time\n", ++calls);
}

// clang-format off
 void main_publisher() {
     mychunk = MALLOC(chunkid, size);
     /* wait for subscriber to subscribe to the chunk */
     rendezvous(RDV_ID);
     WRITE(mychunk);
     foo(mychunk);
     RELEASE(mychunk);
 }

 void subscriber_handler(Chunk_t * chunk, void * params) { /* printed: (chunk, params), without types */
     WRITE(chunk);
     foo(chunk);
     RELEASE(chunk);
     /** unsubscribe to the chunk,
     * this handler wont be call again */
     UNSUBSCRIBE(chunk);
     /** afterwards, all publish notifications are
     * including the RELEASE in this function */
    }

 void main_subscriber() {
     mychunk = LOOKUP(chunkid);
     /* subscribe to the chunk with given user handler */
     SUBSCRIBE(mychunk, subscriber_handler, params);
     /* we are ready for publish notifications */
     wakeup(RDV_ID);
 }
// clang-format on

/* --- roles --- */

static void role_1(_SAT_Bootstrap_t *bootstrap)
{
    assert(bootstrap->role == 1);
    listing4_check();
    listing6(NULL, SHARED); /* the protocol of the command line */
    initSymbolicTable(sdsm);
    writeSymbol(sdsm, "shared", "", 1);
    listing7();
}

/* What process 1 has PUT is there. */
static void listing6_check(void)
{
    void *text = NULL;
    size_t size;
    readSymbol(sdsm, "shared", &text, &size); /* waits */
    free(text);
    Chunk_t *chunk = LOOKUP(NULL, SHARED);
    READ(chunk);
    for (int i = 0; i < N; i++)
        assert(SAT_DATA(chunk, int)[i] == i);
    RELEASE(chunk);
    printf("listing 6: process 2 finds the same\n");
}

static void role_2(_SAT_Bootstrap_t *bootstrap)
{
    char text[40];
    int length = snprintf(text, sizeof text, "from process %d", bootstrap->role);
    initSymbolicTable(sdsm);
    writeSymbol(sdsm, UUID, text, (size_t)length + 1);
    listing6_check();
    publishes = 1;
    main_publisher();
}

static void role_3(_SAT_Bootstrap_t *bootstrap)
{
    assert(bootstrap->role == 3);
    main_subscriber();
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, role_1, role_2, role_3};
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    return 0;
}
