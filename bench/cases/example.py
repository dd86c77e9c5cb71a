# SPDX-License-Identifier: BSD-3-Clause
"""examples/ep with and without its six annotations: the computation is measured."""
from case import Case


def cases(c):
    def case(name, pes, where, program, size, **more):
        return Case(name, c.run(pes, where, program, arguments=[size]), **more)
    return [
        case("ep class A, 256 PEs, all computed", 256, "torus_256", "ep", "A"),
        case("ep class A, 256 PEs, sampled and folded", 256, "torus_256", "ep_annotated", "A"),
        case("ep class B, 65 536 PEs on a 32x32x32 torus, sampled and folded", 65536, "torus_ep",
             "ep_annotated", "B",
             aims={"seconds": 20, "mib": 600}),
    ]
