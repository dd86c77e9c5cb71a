# SPDX-License-Identifier: BSD-3-Clause
"""The commands of both sides, and the simulated machines; both sides use the same platform files."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
CONTEXTS = ["--cfg=contexts/factory:raw", "--cfg=contexts/guard-size:0", "--cfg=contexts/stack-size:8",
            "--log=root.thres:error"]
# Files of platforms/, and their hosts; the others are generated.
FILES = {"one_host": 1, "backbone": 1024, "backbone_4096": 4096, "fat_tree": 4096}
# Links of 10 Gb/s and 1 us; fat trees with twice as much down as up at each level but the first.
GENERATED = {
    "pairs": ("cluster", "--hosts 2048", 2048),
    "tree_256": ("fat-tree", "--levels 2 --down 16,16 --up 1,8", 256),
    "tree_1024": ("fat-tree", "--levels 2 --down 32,32 --up 1,16", 1024),
    "tree_16384": ("fat-tree", "--levels 3 --down 16,32,32 --up 1,8,16", 16384),
    "tree_65536": ("fat-tree", "--levels 3 --down 32,32,64 --up 1,16,16", 65536),
    "torus_256": ("torus", "--dimensions 8,8,4", 256),
    "torus_1024": ("torus", "--dimensions 16,8,8", 1024),
    "torus_4096": ("torus", "--dimensions 16,16,16", 4096),
    "torus_16384": ("torus", "--dimensions 32,32,16", 16384),
    "torus_65536": ("torus", "--dimensions 64,32,32", 65536),
    "torus_ep": ("torus", "--dimensions 32,32,32 --cores 2", 32768),
    "dragonfly_1024": ("dragonfly", "--groups 8 --chassis 4 --routers 8 --nodes 4", 1024),
    "dragonfly_16384": ("dragonfly", "--groups 32 --chassis 4 --routers 32 --nodes 4", 16384),
    "dragonfly_65536": ("dragonfly", "--groups 64 --chassis 4 --routers 64 --nodes 4", 65536),
}


class Commands:
    """Commands for the programs in `work`, with pgasim from `bin_dir`."""

    def __init__(self, bin_dir, work):
        self.pgasim, self.work = os.path.join(bin_dir, "pgasim"), work

    def platform(self, name):
        if name in FILES:
            return os.path.join(HERE, "platforms", name + ".xml")
        path = os.path.join(self.work, name + ".xml")
        if not os.path.exists(path):
            kind, options, _ = GENERATED[name]
            with open(path, "w") as out:
                subprocess.run([self.pgasim, "platform", "generate", kind, "--cores", "1", "--speed", "1Gf",
                                "--bw",
                                "10Gbps", "--lat", "1us", *options.split()], stdout=out, check=True)
        return path

    def hosts(self, name):
        """A file of the machine's hosts, for smpirun."""
        path = os.path.join(self.work, name + ".hosts")
        if not os.path.exists(path):
            with open(path, "w") as out:
                out.writelines("node-%d\n" % i
                               for i in range(FILES[name] if name in FILES else GENERATED[name][2]))
        return path

    def run(self, ranks, where, program, *options, arguments=()):
        """`where`: None is pgasim's built-in cluster."""
        there = ["--platform", self.platform(where)] if where else []
        return [self.pgasim, "run", "-np", str(ranks), "--quiet", *there, *options, "./" + program,
                *map(str, arguments)]

    def ours(self, ranks, where, program, *options, arguments=()):
        return self.run(ranks, where, program + "_shmem", "--compute=off", *options, arguments=arguments)

    def ours_mpi(self, ranks, where, program, *options, arguments=()):
        return self.run(ranks, where, program + "_mpi_ours", "--compute=off", *options, arguments=arguments)

    def theirs(self, ranks, where, program, *options, arguments=()):
        return ["smpirun", "-np", str(ranks), "-platform", self.platform(where), "-hostfile",
                self.hosts(where),
                *options, "--cfg=smpi/simulate-computation:no", *CONTEXTS, "./" + program + "_mpi",
                *map(str, arguments)]

    def not_private(self, ranks, where, program, *arguments):
        """Both commands, for a program whose ranks may share its globals."""
        return (self.ours(ranks, where, program, "--privatize=none", arguments=arguments),
                self.theirs(ranks, where, program, "-no-privatize", arguments=arguments))
