"""Builds the Python module with CMake, in build/python: `pip install .` is the command.

CMAKE_ARGS are further options of CMake, SINEW_JOBS how many compilers run at once.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
# Always the same folder, so that a second build is short.
BUILD = Path(os.environ.get("SINEW_BUILD_ROOT", ROOT / "build")) / "python"


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        options = [f"-DPython_EXECUTABLE={sys.executable}", "-DSINEW_PYTHON=ON"]
        if not (BUILD / "CMakeCache.txt").exists():
            # A folder that has the program keeps it. Sources are compiled several at once: a first build in half the time.
            options += ["-DSINEW_CLI=OFF", "-DSINEW_UNITY=ON"]
            if shutil.which("ninja") and "CMAKE_GENERATOR" not in os.environ:
                options.append("-GNinja")
        try:  # of a network's pip; Debian's is found without
            import pybind11

            options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
        except ImportError:
            pass
        options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        subprocess.run(["cmake", "--preset", "release", "-B", BUILD, *options], cwd=ROOT, check=True)
        jobs = os.environ.get("SINEW_JOBS") or str(os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", BUILD, "--target", "sinew_python", "-j", jobs], check=True)
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        built, = (BUILD / "python" / "sinew").glob("_sinew*" + target.name[target.name.index(".") :])
        shutil.copy2(built, target)


version = re.search(r"project\(sinew VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
setup(version=version, ext_modules=[Extension("sinew._sinew", sources=[])], cmdclass={"build_ext": CMakeBuild})
