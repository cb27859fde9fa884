"""scripts/check-sources: the commands that compile each of a list of sources by itself."""

import importlib.machinery
import importlib.util
import os
import tempfile
import unittest

PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "check-sources")
loader = importlib.machinery.SourceFileLoader("check_sources", PATH)
check_sources = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_sources", loader))
loader.exec_module(check_sources)


class SingleCommands(unittest.TestCase):
    def entry(self, folder, sources):
        os.makedirs(os.path.join(folder, "Unity"), exist_ok=True)
        together = os.path.join(folder, "Unity", "unity_0_cxx.cxx")
        with open(together, "w") as file:
            file.write("/* generated */\n\n" + "".join('#include "%s"\n' % source for source in sources))
        return {"directory": folder, "file": together,
                "command": "/usr/bin/c++ -I/the/src -O2 -o here/unity_0_cxx.cxx.o -c " + together}

    def test_each_source_has_the_flags_and_neither_output_nor_neighbours(self):
        with tempfile.TemporaryDirectory() as folder:
            found = check_sources.single_commands([self.entry(folder, ["/a/one.cpp", "/a/two.cpp"])])
        self.assertEqual([source for source, _, _ in found], ["/a/one.cpp", "/a/two.cpp"])
        for source, directory, command in found:
            self.assertEqual(directory, folder)
            self.assertEqual(command[0], "clang++")
            self.assertIn("-fsyntax-only", command)
            self.assertIn("-I/the/src", command)
            self.assertEqual([word for word in command if word.endswith((".cpp", ".cxx", ".o"))], [source])

    def test_sources_compiled_alone_are_left_out(self):
        alone = {"directory": "/", "file": "/a/one.cpp", "command": "c++ -o one.o -c /a/one.cpp"}
        self.assertEqual(check_sources.single_commands([alone]), [])


if __name__ == "__main__":
    unittest.main()
