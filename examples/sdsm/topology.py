#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a topology file of the S-DSM.

    topology.py --servers N --roles ROLE:COUNT[,ROLE:COUNT...] [--attach cyclic|block] [--capacity CHUNKS]

Processes 0 to N - 1 are servers. The clients follow in the order in which their roles are listed. With
cyclic, the default, clients go to the servers in turn; with block, each server has clients that follow one
another.
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
    """The server of each client."""
    if how == "cyclic":
        return [client % servers for client in range(clients)]
    return [client * servers // clients for client in range(clients)]


def topology(servers, roles, how, capacity):
    """The lines of the file."""
    yield '<?xml version="1.0"?>'
    yield "<!DOCTYPE SAT>"
    yield '<SAT xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    yield "  <topologies>"
    server_of = attached(servers, len(roles), how)
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
    parser.add_argument("--attach", choices=("cyclic", "block"), default="cyclic",
                        help="which server a client has (cyclic)")
    parser.add_argument("--capacity", type=capacity_of, default=0,
                        help="chunks that a client may hold; 0: any number")
    args = parser.parse_args()
    print("\n".join(topology(args.servers, args.roles, args.attach, args.capacity)))


if __name__ == "__main__":
    main()
