# SPDX-License-Identifier: BSD-3-Clause
"""The software distributed shared memory: scopes with and without messages, many clients; a message and a put."""
from case import Case, grouped


def scopes(c, name, kind, ranks, count, per, aims, *options):
    """`per`: scopes of all clients for one of `count`."""
    return Case("%s, %s ranks" % (name, grouped(ranks)),
                c.ours(ranks, None, "sdsm", arguments=[kind, count, 64, *options]),
                work=count * per, unit="scopes", aims=aims)


def cases(c):
    return [
        scopes(c, "READ of a copy (home-mesi)", "hit", 2, 5000000, 1, {"rate": 5e6}),
        scopes(c, "READ without data (home-lazy)", "lazy", 3, 150000, 2, {"rate": 3e5}),
        scopes(c, "READ miss", "miss", 3, 150000, 2, {"rate": 3e5}),
        scopes(c, "WRITE, wake-up, READ (home-mesi) in turn", "turn", 3, 60000, 2, {}),
        scopes(c, "READWRITE, 1 000 clients, 10 servers", "count", 1010, 20, 1000, {"seconds": 5},
               "--sat-servers=10"),
        scopes(c, "READWRITE, 65 536 clients, 10 servers", "count", 65546, 1, 65536, {}, "--sat-servers=10"),
        Case("message of 64 bytes, there and back", c.ours(2, None, "sdsm", arguments=["message", 300000]),
             work=600000, unit="messages"),
        Case("put of 64 bytes and quiet", c.ours(2, None, "sdsm", arguments=["put", 300000]), work=300000,
             unit="puts"),
    ]
