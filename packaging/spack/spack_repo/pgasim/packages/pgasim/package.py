# SPDX-License-Identifier: BSD-3-Clause
"""pgasim for Spack 1.0 and later. It is built from a checkout: `spack dev-build pgasim@1.0.0`, in its folder."""
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Pgasim(CMakePackage):
    """Runs MPI and OpenSHMEM programs of whole clusters on one machine, with the times of a simulated platform."""

    license("BSD-3-Clause")
    version("1.0.0")

    variant("report", default=True, description="The page of `pgasim report`, which npm fetches packages for")
    variant("otf2", default=True, description="Traces in OTF2's form")

    depends_on("c", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("node-js@18:", type="build", when="+report")
    depends_on("npm", type="build", when="+report")
    depends_on("boost+context")
    depends_on("expat")
    depends_on("zstd")
    depends_on("zlib-api")
    depends_on("yajl")
    depends_on("elfutils")
    depends_on("libyaml")
    depends_on("sqlite")
    depends_on("zydis", when="target=x86_64:")
    depends_on("otf2", when="+otf2")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False), self.define_from_variant("PGASIM_REPORT", "report")]

    def setup_run_environment(self, env):
        for name in ("elfutils", "libyaml", "sqlite", "zydis", "otf2"):  # loaded by name when they are wanted
            if name in self.spec:
                prefix = self.spec[name].prefix
                for folder in filter(os.path.isdir, (prefix.lib, prefix.lib64)):
                    env.prepend_path("LD_LIBRARY_PATH", folder)

    @run_after("install")
    def try_it(self):
        Executable(self.prefix.bin.pgasim)("platform", "default", output=str)
