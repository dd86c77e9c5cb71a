/* SPDX-License-Identifier: BSD-3-Clause */
/* Listing 10 of the S-DSM's paper, unchanged, as C and as C++; the log says that both roles were run. */
// build: $MPICC -g -Wall "$SRC" -o $EXE -lsat
// build: ${MPICC%cc}cxx -x c++ -g -Wall "$SRC" -x none -o cxx -lsat
// run: -np 3 -- --topology $TOP/examples/sdsm/prodcons/1server.xml
// shell: set -o pipefail; $RUN --quiet -np 3 $EXE --topology $TOP/examples/sdsm/prodcons/1server.xml --sat-debug | sed 's/pid [0-9]*$/pid/'
// stdout-match: Topology \(3 topologies\) loaded from file .*/1server\.xml$
// stdout-has: 0 Starting code (role 0)
// stdout-has: 1 Starting code (role 1)
// stdout-has: 2 Starting code (role 2)
// shell: set -o pipefail; $RUN --quiet -np 3 ./cxx --topology $TOP/examples/sdsm/prodcons/1server.xml --sat-debug | sed 's/pid [0-9]*$/pid/'
// stdout-has: 1 Starting code (role 1)
// stdout-has: 2 Starting code (role 2)
#include <sat.h>

// clang-format off
     static void
     prod(_SAT_Bootstrap_t * bootstrap) {
         /* user code for the producer role */
     }

     static void
     cons(_SAT_Bootstrap_t * bootstrap) {
         /* user code for the consumer role */
     }

     int
     main(int argc, char ** argv) {

         _SAT_Roles_t roles[3] = {NULL, prod, cons};

         _SAT_BOOTSTRAP(roles, NULL, argc, argv);

         return 0;
     }
