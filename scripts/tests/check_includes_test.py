"""scripts/check-includes on small trees: each rule holds on a good one and fails on a bad one."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "check-includes")

GOOD = {
    "include/sinew/error.h": "#include <string>\n",
    "include/sinew/scene.h": "#include <vector>\n",
    "src/base/result.h": '#include "sinew/error.h"\n',
    "src/math/vec.h": '#include "base/result.h"\n#include <immintrin.h>\n',
    "src/mesh/tet_mesh.h": '#include "math/vec.h"\n',
    "src/material/material.h": '#include "math/vec.h"\n',
    "src/material/stvk.h": '#include "material/material.h"\n',
    "src/material/neo_hookean.h": '#include "material/material.h"\n',
    "src/material/materials.def": "// every one\nSINEW_MATERIAL(NeoHookean)\nSINEW_MATERIAL(Stvk)\n",
    "src/material/materials.h": '#include "material/neo_hookean.h"\n#include "material/stvk.h"\n'
                                '#include "material/materials.def"\n',
    "src/solver/solvers.def": "SINEW_SOLVER(vbd)\nSINEW_SOLVER(xpbd)\n",
    "src/solver/sweep.h": '#include "mesh/tet_mesh.h"\n',
    "src/solver/by_vertex/vbd.h": '#include "solver/sweep.h"\n',
    "src/solver/by_vertex/vbd.cpp": '#include "solver/by_vertex/vbd.h"\n',
    "src/solver/by_constraint/xpbd.h": '#include "solver/sweep.h"\n',
    "src/linear/cholesky.cpp": '#include <Eigen/Sparse>\n#include "solver/sweep.h"\n',
    "src/io/read.cpp": '#include <fstream>\n#include <unistd.h>\n#include "mesh/tet_mesh.h"\n',
    "src/compile/compile.h": '#include "sinew/scene.h"\n#include "linear/missing_is_fine_elsewhere.h"\n',
    "src/linear/missing_is_fine_elsewhere.h": "",
    "apps/cli/main.cpp": '#include <iostream>\n#include <CLI/CLI.hpp>\n#include "sinew/scene.h"\n#include "args.h"\n'
                         'int main() { std::cout << 1; std::exit(1); }\n',
    "apps/cli/args.h": "",
}


class CheckIncludes(unittest.TestCase):
    def check(self, changes):
        """Run on the good tree with `changes` (path -> content); returns (exit status, output)."""
        with tempfile.TemporaryDirectory() as root:
            for path, content in {**GOOD, **changes}.items():
                target = os.path.join(root, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "w", encoding="utf-8") as file:
                    file.write(content)
            result = subprocess.run([sys.executable, SCRIPT, root], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    universal_newlines=True)
            return result.returncode, result.stdout

    def passes(self, changes):
        status, output = self.check(changes)
        self.assertEqual(status, 0, output)

    def fails(self, changes, *says):
        status, output = self.check(changes)
        self.assertEqual(status, 1, output)
        self.assertIn("1 broken rule in", output)
        for text in says:
            self.assertIn(text, output)

    def test_good_tree(self):
        self.passes({})

    def test_no_project(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(subprocess.run([sys.executable, SCRIPT, root], stderr=subprocess.DEVNULL).returncode, 2)

    def test_upward_arrow(self):
        self.fails({"src/math/bad.h": '\n#include "mesh/tet_mesh.h"\n'},
                   "src/math/bad.h:2: room math includes \"mesh/tet_mesh.h\" of room mesh; math may include base")

    def test_sideways_arrow(self):
        self.fails({"src/mesh/bad.h": '#include "material/stvk.h"\n'}, "of room material")

    def test_two_floors_down_is_fine(self):
        self.passes({"src/solver/deep.h": '#include "base/result.h"\n'})

    def test_sibling_solver(self):
        self.fails({"src/solver/by_vertex/vbd.cpp": '#include "solver/by_vertex/vbd.h"\n#include "solver/by_constraint/xpbd.h"\n'},
                   "src/solver/by_vertex/vbd.cpp:2: vbd includes its sibling xpbd")

    def test_families_of_solvers(self):
        self.fails({"src/solver/by_constraint/rule.h": "",
                    "src/solver/by_vertex/kernel.h": '#include "solver/by_constraint/rule.h"\n'},
                   "family by_vertex includes family by_constraint")
        self.passes({"src/solver/ties/ties.h": "", "src/solver/by_vertex/kernel.h": '#include "solver/ties/ties.h"\n'})

    def test_sibling_from_the_list(self):
        self.fails({"src/material/stvk.h": '#include "material/neo_hookean.h"\n'}, "stvk includes its sibling neo_hookean")

    def test_published_header_of_a_higher_room(self):
        self.fails({"src/io/bad.h": '#include "sinew/scene.h"\n'}, "of room scene")
        self.fails({"src/io/bad.h": '#include <sinew/scene.h>\n'}, "of room scene")

    def test_published_header_reaches_inside(self):
        self.fails({"include/sinew/scene.h": '#include "base/result.h"\n'}, "which is not installed")

    def test_published_header_with_a_library(self):
        self.fails({"include/sinew/scene.h": "#include <Eigen/Core>\n"}, "users would need that library")

    def test_published_header_without_a_room(self):
        self.fails({"include/sinew/new.h": ""}, "belongs to no room")

    def test_unknown_room(self):
        self.fails({"src/cellar/a.h": ""}, "belongs to no room")

    def test_programs_use_published_headers(self):
        self.fails({"apps/cli/bad.cpp": '#include "sinew/scene.h"\n#include "compile/compile.h"\n'},
                   'apps/cli/bad.cpp:2: a program includes "compile/compile.h", which is not installed')
        self.fails({"apps/cli/bad.cpp": '#include "base/version.h"\n'}, 'includes "base/version.h", which is not installed')
        self.passes({"apps/cli/good.cpp": '#include <sinew/error.h>\n#include "args.h"\n'})

    def test_the_python_module_is_a_program(self):
        self.fails({"python/src/bad.cpp": '#include "base/result.h"\n'}, 'a program includes "base/result.h"')
        self.fails({"src/base/bad.h": "#include <pybind11/pybind11.h>\n"}, "base")
        self.passes({"python/src/arrays.h": "",
                     "python/src/good.cpp": '#include <pybind11/pybind11.h>\n#include <sinew/error.h>\n#include "arrays.h"\n'})

    def test_missing_header(self):
        self.fails({"src/mesh/bad.h": '#include "mesh/gone.h"\n'}, "neither under src/ nor under include/")

    def test_relative_path(self):
        self.fails({"src/mesh/bad.h": '#include "../math/vec.h"\n'}, "write the path from src/")

    def test_ring(self):
        self.fails({"src/mesh/a.h": '#include "mesh/b.h"\n', "src/mesh/b.h": '#include "mesh/a.h"\n'},
                   "closes a ring of includes")

    def test_standard_headers_not_for_the_core(self):
        for header in ("ranges", "source_location", "iostream", "fstream"):
            self.fails({"src/solver/bad.cpp": "#include <%s>\n" % header}, "room solver includes <%s>" % header)

    def test_libraries(self):
        self.fails({"src/model/bad.cpp": "#include <Eigen/Core>\n"}, "a library kept in linear")
        self.fails({"src/model/bad.cpp": "#include <boost/any.hpp>\n"}, "no dependency but the standard library")
        self.fails({"src/model/bad.cpp": "#include <unistd.h>\n"}, "no dependency but the standard library")
        self.fails({"src/model/bad.cpp": "#include <immintrin.h>\n"}, "kept in exec and math")
        self.fails({"src/io/bad.cpp": "#include <boost/any.hpp>\n"}, "which is not known")
        self.fails({"src/io/bad.cpp": "#include <Eigen/Core>\n"}, "a library kept in linear")

    def test_throw(self):
        self.fails({"src/mesh/bad.cpp": "void f() {\n  throw 1;\n}\n"}, "src/mesh/bad.cpp:2: says `throw`")
        self.passes({"src/exec/buffer.h": "void f() { throw std::bad_alloc(); }\n"})
        self.passes({"src/io/zlib_wrapper.cpp": "void f() { throw 1; }\n"})

    def test_ending_the_program(self):
        for call in ("std::exit(1)", "exit(1)", "abort()", "std::abort()", "_Exit(1)", "std::quick_exit(1)"):
            self.fails({"src/io/bad.cpp": "void f() { %s; }\n" % call}, "never ends the program")
        self.passes({"src/io/good.cpp": "void f() { on_exit(1); loop.exit(); g->abort(); }\n"})

    def test_printing(self):
        for call in ('printf("a")', 'std::printf("a")', 'puts("a")', "std::cout << 1", "std::cerr << 1",
                     'std::fprintf(stderr, "a")'):
            self.fails({"src/record/bad.cpp": "void f() { %s; }\n" % call}, "never prints")
        self.passes({"src/base/format.h": "void f() { std::snprintf(a, 1, b); vsnprintf(a, 1, b, c); }\n"
                                          "[[gnu::format(printf, 1, 2)]] void g();\n"})

    def test_two_types_of_one_name(self):
        one = "namespace sinew {\n\nstruct Thing {\n};\n\n}  // namespace sinew\n"
        own = "namespace sinew {\nnamespace {\n\nclass Thing final : public Base {\n};\n\n}  // namespace\n\n}  // namespace sinew\n"
        self.fails({"src/mesh/one.h": one, "src/scene/two.h": one},
                   "src/scene/two.h:3: defines sinew::Thing, and so does src/mesh/one.h:3")
        self.fails({"src/mesh/one.h": one, "src/mesh/two.cpp": one.replace("struct", "template <class T> class")}, "sinew::Thing")
        self.passes({"src/mesh/one.h": one, "src/mesh/two.cpp": own, "src/mesh/three.cpp": own})
        self.passes({"src/mesh/one.h": one, "src/mesh/two.h": one.replace("sinew {", "sinew::other {")})

    def test_comments_and_strings_are_not_read(self):
        self.passes({"src/mesh/fine.cpp": '// #include "compile/compile.h" throw std::exit(1)\n'
                                          '/* #include "compile/compile.h"\n#include <iostream>\n*/\n'
                                          'const char* a = "throw \\" printf(1)"; const char b = \'"\';\n'
                                          'const char* c = R"(throw " std::exit(1))"; int d = 1\'000;\n'})


if __name__ == "__main__":
    unittest.main()
