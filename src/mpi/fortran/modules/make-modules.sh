#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the modules mpi and mpi_f08 for a Fortran compiler, gfortran by default: make-modules.sh [COMPILER]. They lie
# beside this file, in a folder by the compiler's name and version, where the wrappers look for them.
set -e
compiler=${1:-gfortran}
sources=$(cd "$(dirname "$0")" && pwd)
name=$(basename "$compiler" | sed 's/-[0-9.]*$//')
folder=${2:-$sources}/$name-$("$compiler" -dumpversion | sed 's/\..*//')
mkdir -p "$folder"
cd "$folder"
for module in mpi mpi_f08; do
    "$compiler" -fsyntax-only "$sources/$module.f90"
done
echo "built the modules mpi and mpi_f08 in $folder"
