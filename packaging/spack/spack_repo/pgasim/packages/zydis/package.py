# SPDX-License-Identifier: BSD-3-Clause
"""Spack's zydis as a shared library, which pgasim loads when a rank seems to poll memory; Spack's own is static."""
from spack_repo.builtin.packages.zydis.package import Zydis as BuiltinZydis


class Zydis(BuiltinZydis):
    __doc__ = BuiltinZydis.__doc__

    def cmake_args(self):
        return super().cmake_args() + [self.define("ZYDIS_BUILD_SHARED_LIB", True)]
