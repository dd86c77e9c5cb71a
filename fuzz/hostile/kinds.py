# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of inputs, and how many there are of each."""
import collections

from hostile import commands, files, programs

KINDS = collections.OrderedDict([
    ("platform", (commands.of_platform, 7)),
    ("settings", (commands.of_settings, 4)),
    ("environment", (commands.of_environment, 2)),
    ("options", (commands.of_options, 4)),
    ("hostfile", (commands.of_hostfile, 2)),
    ("trace", (files.of_trace, 4)),
    ("list", (commands.of_list, 2)),
    ("elf", (files.of_elf, 6)),
    ("program", (programs.of_program, 5)),
    ("output", (programs.of_output, 4)),
    ("signal", (programs.of_signal, 1)),
    ("library", (files.of_library, 2)),
])
ORDER = [kind for kind, (_, share) in KINDS.items() for _ in range(share)]
