// SPDX-License-Identifier: BSD-3-Clause
// sat_log: the debug stream has the lines of the paper's Figures 13 and 14: seven processes, two servers; client 2,
// whose server is 1, allocates chunk 1000, whose home is 0, and writes it. The figures leave lines out; so does the
// shell command, which sorts by process.
//
// build: $MPICC -O2 -g -Wall -Werror $SRC -o $EXE -lsat
// shell: $RUN --compute=off -np 7 $EXE --topology $DIR/sat_log.xml --sat-debug > $W/log && grep -v "host \|pid \|termination\|_topology\|^[3-6]" $W/log | sed "s|$DIR/||" | sort -s -k1,1
// stdout: 0 Topology (7 topologies) loaded from file sat_log.xml
// stdout: 0 Starting code (role 0)
// stdout: 0 Received message type 4 (consistency) from 1
// stdout: 0 [Home-Based MESI] Server switch request 1 (server_req_write) from 1
// stdout: 0 retrieve chunk 1000 version 0 entry version 0
// stdout: 0 Received message type 4 (consistency) from 1
// stdout: 0 [Home-Based MESI] Server switch request 4 (server_req_release) from 1
// stdout: 0 RELEASE state 1 client 2 chunk 1000 version 1 metadata version 0
// stdout: 1 Starting code (role 0)
// stdout: 1 Received message type 4 (consistency) from 2
// stdout: 1 [Home-Based MESI] Server switch request 0 (client_req_write) from 2
// stdout: 1 Received message type 4 (consistency) from 0
// stdout: 1 Received message type 3 (data_ctrl) from 2
// stdout: 1 update local chunk 1000@0 version 0 with version 1
// stdout: 1 Received message type 4 (consistency) from 2
// stdout: 1 [Home-Based MESI] Server switch request 3 (client_req_release) from 2
// stdout: 1 client req release for chunk 1000 version 1
// stdout: 2 Starting code (role 1)
// stdout: 2 malloc baseid 1000 size 256
// stdout: 2 [Home-Based MESI] write chunk 1000@0 local state 3 (invalid)
// stdout: 2 Received message type 4 (consistency) from 1
// stdout: 2 [Home-Based MESI] release chunk 1000@0 version 0 local state 1 (exclusive)
// shell: $RUN --compute=off -np 7 $EXE --topology $DIR/sat_log.xml --sat-debug | grep "_topology" | sort
// stdout: 0 Received message type 1 (request_topology) from 1
// stdout: 0 Received message type 1 (request_topology) from 2
// stdout: 0 Received message type 1 (request_topology) from 3
// stdout: 0 Received message type 1 (request_topology) from 4
// stdout: 0 Received message type 1 (request_topology) from 5
// stdout: 0 Received message type 1 (request_topology) from 6
// stdout: 1 Received message type 2 (reply_topology) from 0
// stdout: 2 Received message type 2 (reply_topology) from 0
// stdout: 3 Received message type 2 (reply_topology) from 0
// stdout: 4 Received message type 2 (reply_topology) from 0
// stdout: 5 Received message type 2 (reply_topology) from 0
// stdout: 6 Received message type 2 (reply_topology) from 0
// shell: $RUN --compute=off -np 7 $EXE --topology $DIR/sat_log.xml --sat-debug | grep -c "^[0-6] Bootstrap SAT MPI .* id [0-6] np 7 on host node-0 with pid [0-9]*$"
// stdout: 7
// shell: $RUN --compute=off -np 7 $EXE --topology $DIR/sat_log.xml --sat-debug=messages | grep "^2 Sends to 1: client_upload"
// stdout: 2 Sends to 1: client_upload id 1000 version 1 size 256 client 2 server 1 home 0 flags 0 bytes 256: 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
#include <sat.h>

static void writer(_SAT_Bootstrap_t *b)
{
    (void)b;
    Chunk_t *c = MALLOC(newHomeBaseMESI(), 1000, 256);
    WRITE(c);
    for (int k = 0; k < 256; k++)
        c->data[k] = (char)k;
    RELEASE(c);
}

static void idle(_SAT_Bootstrap_t *b)
{
    (void)b;
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, writer, idle};
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    return 0;
}
