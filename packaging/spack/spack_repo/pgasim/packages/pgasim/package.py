# SPDX-License-Identifier: BSD-3-Clause
"""pgasim for Spack 1.0 and later. It is built from a checkout: `spack dev-build pgasim@1.0.0`, in its folder."""
import shutil

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Pgasim(CMakePackage):
    """Runs MPI and OpenSHMEM programs of whole clusters on one machine, with the times of a simulated platform."""

    license("BSD-3-Clause")
    version("1.0.0")

    variant("report", default=True, description="The page of `pgasim report`, which npm fetches packages for")
    variant("fortran", default=True, description="The modules mpi and mpi_f08 for the Fortran compiler")
    variant("otf2", default=True, description="Traces in OTF2's form")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
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
    # libpgasim loads these by name when they are wanted; it finds them by the run path that Spack gives it.
    depends_on("elfutils")
    depends_on("libyaml")
    depends_on("sqlite")
    depends_on("zydis", when="target=x86_64:")
    depends_on("otf2", when="+otf2")

    generator("ninja")

    def cmake_args(self):
        args = [self.define("BUILD_TESTING", False), self.define_from_variant("PGASIM_REPORT", "report")]
        if "~fortran" in self.spec:  # Spack's gfortran stops without a dependency on Fortran
            args.append(self.define("PGASIM_FORTRAN", False))
        if "~otf2" in self.spec:
            args.append(self.define("PGASIM_OTF2_HEADER", False))
        return args

    @run_after("install", when="+report")
    def drop_npm_cache(self):
        """Spack has npm keep what it fetched in the installation."""
        shutil.rmtree(self.prefix.join("npm-cache"), ignore_errors=True)

    @run_after("install")
    def try_it(self):
        Executable(self.prefix.bin.pgasim)("platform", "default", output=str)
