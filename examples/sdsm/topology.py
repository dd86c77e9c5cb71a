#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a topology file of the S-DSM.

    topology.py --servers N --roles ROLE:COUNT[,ROLE:COUNT...] [--attach HOW] [--capacity CHUNKS]

Processes 0 to N - 1 are servers. The clients follow in the order in which their roles are listed. HOW says
which server a client has: with cyclic, the default, clients go to the servers in turn; with block, each
server has clients that follow one another; else it lists the server of each client: 0,0,1 for instance.
--capacity: how many chunks a client may hold (0, the default: any number).
"""
import argparse
import re


def roles_of(text):
    """The role of each client, in order."""
    roles = []
    for part in text.split(","):
        found = re.fullmatch(r"([1-9][0-9]{0,5}):([1-9][0-9]{0,5})", part)
        if not found:
            raise argparse.ArgumentTypeError(f"'{part}': expected ROLE:COUNT, both at least 1")
        roles += [int(found.group(1))] * int(found.group(2))
    return roles


def positive(text):
    """A number of servers."""
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise argparse.ArgumentTypeError(f"'{text}': expected a number of at least 1")
    return int(text)


def capacity_of(text):
    """A number of chunks."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"'{text}': expected a number of chunks")
    return int(text)


def attached(servers, clients, how):
    """The server of each client; a ValueError says what is wrong with a list."""
    if how == "cyclic":
        return [client % servers for client in range(clients)]
    if how == "block":
        return [client * servers // clients for client in range(clients)]
    if not re.fullmatch(r"[0-9]+(,[0-9]+)*", how):
        raise ValueError(f"'{how}': expected cyclic, block, or a list of servers")
    server_of = [int(server) for server in how.split(",")]
    if len(server_of) != clients or max(server_of) >= servers:
        raise ValueError(f"'{how}': expected {clients} numbers of at most {servers - 1}, one for each client")
    return server_of


def topology(servers, roles, server_of, capacity):
    """The lines of the file."""
    yield '<?xml version="1.0"?>'
    yield "<!DOCTYPE SAT>"
    yield '<SAT xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    yield "  <topologies>"
    for server in range(servers):
        clients = " ".join(str(servers + c) for c, of in enumerate(server_of) if of == server)
        yield f'    <topology id="{server}" role="0">'
        yield '      <memory capacity="0" />'
        yield f"      <clients><intlist>{clients}</intlist></clients>"
        yield "    </topology>"
    for client, role in enumerate(roles):
        yield f'    <topology id="{servers + client}" role="{role}">'
        yield f'      <memory capacity="{capacity}" />'
        yield f"      <servers><intlist>{server_of[client]}</intlist></servers>"
        yield "    </topology>"
    yield "  </topologies>"
    yield "</SAT>"


def main():
    """Prints the file that the arguments describe."""
    parser = argparse.ArgumentParser(description="print a topology file of the S-DSM")
    parser.add_argument("--servers", type=positive, default=1, help="how many servers (1)")
    parser.add_argument("--roles", type=roles_of, required=True,
                        help="ROLE:COUNT[,ROLE:COUNT...] of the clients")
    parser.add_argument("--attach", default="cyclic",
                        help="cyclic, block, or the server of each client (cyclic)")
    parser.add_argument("--capacity", type=capacity_of, default=0,
                        help="chunks that a client may hold; 0: any number")
    args = parser.parse_args()
    try:
        server_of = attached(args.servers, len(args.roles), args.attach)
    except ValueError as error:
        parser.error(f"--attach {error}")
    print("\n".join(topology(args.servers, args.roles, server_of, args.capacity)))


if __name__ == "__main__":
    main()
