#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gen_api.py CC: the generator on a sample of MPI, mistakes in lists, stale files.

The files made of the sample (mpi/) are compiled, linked and called: program.c holds them against the
standard's own declarations. What the generator refuses is tried on lists with one mistake each.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOOL = os.path.join(ROOT, "tools", "gen_api.py")
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(HERE, "mpi")]
import front as mpi
from api import collectives, outputs, shmem, riscv_tables, xbgas
from api.front import Front
from api.lists import ListError

CC = sys.argv.pop() if len(sys.argv) > 1 else "cc"
STRICT = ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]


def run(*command):
    return subprocess.run(command, check=False, capture_output=True, text=True)


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def succeed(self, *command):
        done = run(*command)
        self.assertEqual(done.returncode, 0, " ".join(command) + "\n" + done.stdout + done.stderr)
        return done.stdout


class Sample(Folder):
    """The sample of MPI, from lists to a program that calls it."""

    def setUp(self):
        super().setUp()
        for name, text in mpi.files(ROOT).items():
            self.write(name, text)

    def compile(self, *arguments):
        includes = ["-I" + d for d in (self.folder, os.path.join(HERE, "mpi"), os.path.join(ROOT, "src"))]
        self.succeed(CC, "-D_GNU_SOURCE", *STRICT, *includes, *arguments)

    def library(self):
        """The sample's library with the twins of pmpi.ld."""
        out = self.path("libsample.so")
        self.compile("-std=gnu17", "-shared", "-fPIC", os.path.join(HERE, "mpi", "shims.c"),
                     self.path("traced.c"), self.path("pmpi.ld"), "-o", out)
        return out

    def test_program(self):
        program = self.path("program")
        self.compile("-std=gnu17", os.path.join(HERE, "mpi", "program.c"), self.library(),
                     "-Wl,-rpath," + self.folder, "-o", program)
        self.assertEqual(self.succeed(program), "53 functions, 0 wrong\n")

    def test_header_alone(self):
        for language, standard in (("c", "c11"), ("c", "c99"), ("c++", "c++11")):
            self.compile("-pedantic", "-fsyntax-only", "-x", language, "-std=" + standard, self.path("mpi.h"))

    def test_text(self):
        with open(self.path("mpi.h"), encoding="utf-8") as f:
            text = f.read()
        for line in ("#define MPI_COMM_WORLD                   ((MPI_Comm)0x101)\n",
                     "int MPI_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op);\n",
                     "int PMPI_Op_create_c(MPI_User_function_c *user_fn, int commute, MPI_Op *op);\n",
                     "MPI_Comm MPI_Comm_fromint(int comm);\n"):
            self.assertIn("\n" + line, text)

    def test_names(self):
        with open(os.path.join(HERE, "mpi", "standard.list"), encoding="utf-8") as f:
            standard = re.findall(r"^DECLARED\(\w+, (\w+),", f.read(), re.M)
        with open(self.path("api.list"), encoding="utf-8") as f:
            listed = re.findall(r"^SYMBOL\((\w+)\)$", f.read(), re.M)
        self.assertEqual(listed, sorted(standard))

    def test_exported(self):
        api = mpi.front(ROOT)
        self.assertEqual(outputs.wrongly_exported(api, self.library()), [])
        with open(self.path("pmpi.ld"), encoding="utf-8") as f:
            text = f.read()
        self.write("pmpi.ld", text.replace("PMPI_Send_c =", "PMPI_Sent_c ="))
        self.assertEqual(outputs.wrongly_exported(api, self.library()),
                         ["lacks PMPI_Send_c", "exports PMPI_Sent_c, which no list has"])


GOOD = {
    "types": "#define TOY_TYPES_ALL(X) X(int, int) X(long, long)\n",
    "family": "#define TOY_FORMS_PUT(T, N) FORM_CTX(void, N ## _put, (T *dest), PUT(T))\n"
              "TOY_FAMILY(\"puts\", ALL, TOY_FORMS_PUT)\n",
    "plain": "PLAIN(void, toy_init, (void))\n",
    "traced": "KIND(PUT, N_put)\nKIND(INIT, toy_init)\n",
}


class Mistakes(Folder):
    """One mistake in good lists, and what is said of it."""

    def front(self, **changed):
        for name, text in dict(GOOD, **changed).items():
            self.write(os.path.join("toy", name + ".def"), text)
        return Front("toy", "TOY", "toy_", "p", "p?toy_", ["family"], ["plain"], ("T", "N"), self.folder)

    def refused(self, said, **changed):
        with self.assertRaises(ListError) as caught:
            api = self.front(**changed)
            outputs.second_names(api)
            outputs.trace_table(api, "toy.h", "toy_calls")
        self.assertEqual(str(caught.exception), said)

    def test_good(self):
        api = self.front()
        self.assertEqual(api.names(), ["toy_ctx_int_put", "toy_ctx_long_put", "toy_init", "toy_int_put",
                                       "toy_long_put"])
        self.assertEqual(outputs.kinds(api)[0], {
            "toy_ctx_int_put": "PUT", "toy_ctx_long_put": "PUT", "toy_init": "INIT", "toy_int_put": "PUT",
            "toy_long_put": "PUT"})
        self.assertIn("\nvoid toy_ctx_long_put(toy_ctx_t ctx, long *dest);\n", outputs.families(api))

    def test_kinds(self):
        self.refused("traced.def: toy_init has no kind", traced="KIND(PUT, N_put)\n")
        self.refused("traced.def: toy_ctx_int_put, toy_ctx_long_put, toy_int_put, toy_long_put has no kind",
                     traced="KIND(INIT, toy_init)\n")
        self.refused("traced.def: toy_init is there twice", traced=GOOD["traced"] + "KIND(SETUP, toy_init)\n")
        self.refused("traced.def: toy_int is no function of the lists", traced="KIND(INIT, toy_int)\n")

    def test_families(self):
        self.refused("family.def: types.def has no TOY_TYPES_SOME",
                     family=GOOD["family"].replace("ALL", "SOME"))
        self.refused("family.def: there is no TOY_FORMS_PUTS",
                     family=GOOD["family"].replace("ALL, TOY_FORMS_PUT", "ALL, TOY_FORMS_PUTS"))
        self.refused("family.def: TOY_FORMS_PUT has 2 parameters, not 1",
                     types="#define TOY_TYPES_ALL(X) X(int)\n")
        self.refused("types.def: there is no TOY_TYPES_REAL",
                     types="#define TOY_TYPES_ALL(X) X(int, int) TOY_TYPES_REAL(X)\n")
        self.refused("family.def: the parenthesis of FORM_CTX(void, int_put, (int *dest is not closed",
                     family=GOOD["family"].replace("dest), PUT(T))", "dest"))

    def test_twice(self):
        self.refused("toy: toy_init is there twice",
                     family=GOOD["family"] + "#define TOY_FORMS_I(T, N) FORM(void, init, (T x), I)\n"
                                             "TOY_FAMILY(\"\", ONE, TOY_FORMS_I)\n",
                     types=GOOD["types"] + "#define TOY_TYPES_ONE(X) X(int, int)\n")


class Stale(Folder):
    """--check and writing, on a copy of what the generator reads and writes."""

    def setUp(self):
        super().setUp()
        for name in ("src", "include", "runtime", "tools", "tests/shmem", "tests/mpi", "tests/coll"):
            shutil.copytree(os.path.join(ROOT, name), self.path(name))
        os.mkdir(self.path("docs"))
        for name in [*riscv_tables.files(ROOT), *collectives.files(ROOT)]:
            shutil.copy(os.path.join(ROOT, name), self.path(name))

    def tool(self, *arguments):
        return run(sys.executable, TOOL, "--root", self.folder, *arguments)

    def edit(self, name, old, new):
        with open(self.path(name), encoding="utf-8") as f:
            text = f.read()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new, 1))

    def test_every_file(self):
        done = self.tool("--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        shells = ["tools/completion/pgasim.bash", "tools/completion/_pgasim"]
        page, *tables = riscv_tables.files(ROOT)
        marked = list(shmem.files(ROOT)) + list(collectives.files(ROOT)) + shells + list(xbgas.files(ROOT))
        for path in marked + tables:
            self.edit(path, "enerated by tools/gen_api.py", "enerated by tools/gen_api.py ")
        self.edit(page, "`elb rd, imm(rs1)`", "`elb rd`")
        paths = marked + [page] + tables
        os.remove(self.path("src/shmem/traced.c"))
        done = self.tool("--check")
        # The marks of the shells' words are looked for before anything is compared.
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^gen_api.py: tools/completion/pgasim.bash: the two .* missing\n$")
        for path in shells:
            shutil.copy(os.path.join(ROOT, path), self.path(path))
            self.edit(path, "CM02", "CM03")
        done = self.tool("--check")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "".join("%s is stale: run tools/gen_api.py\n" % p for p in paths))
        self.assertEqual(self.tool().stdout, "".join("wrote %s\n" % p for p in paths))
        self.assertEqual(self.tool("--check").returncode, 0)
        for path in paths:
            with open(os.path.join(ROOT, path), "rb") as f, open(self.path(path), "rb") as g:
                self.assertEqual(f.read(), g.read(), path)

    def test_tables(self):
        self.edit("src/fabric/network.c", "{\"IB\",", "{\"IB2\",")
        self.edit("src/trace/events.def", "\"io\"", "\"ios\"")
        self.edit("src/shmem/plain.def", "PLAIN(int, shmem_my_pe,", "PLAIN(long, shmem_my_pe,")
        done = self.tool("--check")
        self.assertEqual(re.findall(r"^(\S+) is stale", done.stderr, re.M),
                         ["include/shmem.h", "include/pshmem.h", "tools/completion/pgasim.bash",
                          "tools/completion/_pgasim"])
        self.edit("src/riscv/core/instructions.def", "0x0e00706b, EAMO", "0x1000706b, EAMO")
        done = self.tool("--check")
        self.assertEqual(re.findall(r"^(\S+) is stale", done.stderr, re.M)[-4:],
                         ["runtime/riscv/xbgas.s", "include/xbgas.h", "docs/riscv.md", "docs/riscv-instructions.md"])
        self.edit("src/riscv/core/instructions.def", '"eag"', '"eagle"')
        done = self.tool("--check")
        self.assertEqual(done.returncode, 2)
        self.assertIn("instructions.def: eagle: tools/api/riscv_tables.py does not say what it does", done.stderr)
        self.edit("src/riscv/core/instructions.def", '"eagle"', '"eag"')
        self.edit("docs/riscv.md", "<!-- instructions: end -->", "")
        done = self.tool("--check")
        self.assertEqual(done.returncode, 2)
        self.assertIn("gen_api.py: docs/riscv.md: expected one line '<!-- instructions: begin.", done.stderr)
        shutil.copy(os.path.join(ROOT, "docs/riscv.md"), self.path("docs/riscv.md"))
        self.edit("src/fabric/network.c", " models[] = {", " others[] = {")
        done = self.tool("--check")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "gen_api.py: src/fabric/network.c: no words in models\n")


if __name__ == "__main__":
    unittest.main()
