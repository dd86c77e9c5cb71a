#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What packaging/ says of the tree is so: Debian's packages hold all that is installed and need what the build needs; the
# module file leads to an installation; the recipes for Spack are Python.
#   packaging.sh BUILD
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
fail() {
    echo "WRONG: $*"
    wrong=1
}

# --- needed: the [build] section of packages.txt
needed=$(sed -n '/^Build-Depends:/,/^[A-Z][a-z]*-/p' "$top/packaging/debian/control" | tr ',' '\n' | awk '{print $1}')
while read -r name; do
    [ "$name" = build-essential ] || grep -qx "$name" <<<"$needed" || fail "debian/control: no Build-Depends: $name"
done < <(awk '/^\[/ { on = $1 == "[build]"; next } on && /^[a-z]/ { print $1 }' "$top/packages.txt")

# --- held: all that is installed is in one package
here=$work/tmp
DESTDIR=$here cmake --install "$build" --prefix /usr/lib/pgasim >"$work/log"
make -s -f "$top/packaging/debian/rules" execute_after_dh_auto_install HERE="$here"
cd "$here"
shopt -s globstar nullglob
# shellcheck disable=SC2046 # patterns
held=$(find $(cat "$top"/packaging/debian/*.install) ! -type d | sort)
diff <(find usr ! -type d | sort) <(uniq <<<"$held") || fail "files that are installed, and those in packages"
twice=$(uniq -d <<<"$held")
[ -z "$twice" ] || fail "in two packages: $twice"
for f in usr/bin/pgasim usr/share/man/man1/pgasim.1 usr/lib/*/pkgconfig/pgasim.pc; do
    [ -e "$f" ] || fail "no $f"
done

# --- the version: CMakeLists.txt has it, and the others take it from there
version=$(sed -n 's/^project(pgasim VERSION \([0-9.]*\) .*/\1/p' "$top/CMakeLists.txt")
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "CMakeLists.txt: the version is '$version'"
own=usr/lib/pgasim
declare -A stated=(
    ["pgasim --version"]=$("$own/bin/pgasim" --version | sed -n 's/^pgasim //p')
    ["pgasim.pc"]=$(sed -n 's/^Version: //p' "$own/lib/pkgconfig/pgasim.pc")
    ["pgasimConfigVersion.cmake"]=$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' "$own/lib/cmake/pgasim/pgasimConfigVersion.cmake")
    ["the Debian changelog"]=$("$top/packaging/changelog" | sed -n '1s/^pgasim (\(.*\)-1) .*/\1/p')
    ["CHANGELOG.md"]=$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$top/CHANGELOG.md" | head -n 1)
)
for where in "${!stated[@]}"; do
    [ "${stated[$where]}" = "$version" ] || fail "$where says ${stated[$where]}, and CMakeLists.txt $version"
done
others=$(grep -rnE 'pgasim[-_ @:v]{1,2}[0-9]+\.[0-9]+\.[0-9]+|version\("[0-9]+\.[0-9]' "$top"/{packaging,docs/man,README.md} |
    grep -vF "$version" || true)
[ -z "$others" ] || fail "other versions than $version: $others"

# --- the number of the traces' format, in what is promised of it
format=$(sed -n 's/^ *PGT_VERSION = \([0-9]*\),.*/\1/p' "$top/src/trace/pgt/pgt.h")
grep -q "\`\.pgt\` | $format, and 1 to $((format - 1)) are read |" "$top/docs/compatibility.md" ||
    fail "docs/compatibility.md does not say that the format of traces is $format"
grep -q "specifies version $format of" "$top/docs/trace-format.md" || fail "docs/trace-format.md is not of version $format"

# --- the module file, and the recipes
if [ -r /usr/share/modules/init/sh ]; then
    sed "s|^set prefix .*|set prefix $here/usr/lib/pgasim|" "$top/packaging/modulefile" >"$work/pgasim"
    said=$(cd "$work" && bash -c '. /usr/share/modules/init/bash; unset MANPATH; module use "$1"; module load pgasim
        command -v mpicc pgasim; echo "manual pages: $MANPATH"; mpicc "$2" -o hello && mpirun -q -n 4 ./hello
        module unload pgasim; echo "unloaded: ${MANPATH-no MANPATH}"' - "$work" "$top/examples/hello-mpi/hello.c")
    [ "$said" = "$here/usr/lib/pgasim/lib/pgasim/wrappers/mpicc
$here/usr/lib/pgasim/bin/pgasim
manual pages: $here/usr/lib/pgasim/share/man:
4 ranks, their numbers add up to 6
unloaded: no MANPATH" ] || fail "with the module loaded: $said"
else
    echo "environment-modules is not installed: the module file was not tried"
fi
for recipe in "$top"/packaging/spack/spack_repo/pgasim/packages/*/package.py; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe" || fail "$recipe is not Python"
done
exit $wrong
