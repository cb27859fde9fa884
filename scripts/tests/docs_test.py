"""Runs the Python snippets of the documents."""

import json
import os
import re
import sys
import tempfile
import types
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def snippets(page, language):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return re.findall(r"^```%s\n(.*?)^```" % language, file.read(), re.MULTILINE | re.DOTALL)


class Recorder(types.SimpleNamespace):
    """Records calls and assignments on Blender's objects."""


def fake_blender():
    cache = Recorder()
    block = Recorder(modifiers=Recorder(new=lambda name, kind: cache))
    scene = Recorder(render=Recorder(fps=24, fps_base=1.0), frame_start=1, frame_end=250)
    bpy = types.ModuleType("bpy")
    bpy.ops = Recorder(wm=Recorder(obj_import=lambda **keywords: None))
    bpy.context = Recorder(object=block, scene=scene)
    return bpy, cache, scene


class BlenderTest(unittest.TestCase):
    def run_snippet(self, frame_dt, every, frames):
        code = [c for c in snippets("docs/output.md", "python") if "bpy" in c]
        self.assertEqual(len(code), 1)
        bpy, cache, scene = fake_blender()
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "run.json"), "w", encoding="utf-8") as file:
                json.dump({"frame_dt": frame_dt, "frames_written": frames, "scene": {"output": {"every": every}}}, file)
            sys.modules["bpy"] = bpy
            try:
                exec(code[0].replace("/path/to/out/run.json", os.path.join(folder, "run.json")), {})
            finally:
                del sys.modules["bpy"]
        return cache, scene

    def test_plays_at_the_speed_and_for_the_time_of_the_simulation(self):
        for frame_dt, every, frames in [(1 / 60, 1, 121), (0.01, 3, 7), (1 / 23.976, 2, 2), (5.0, 1, 3)]:
            cache, scene = self.run_snippet(frame_dt, every, frames)
            self.assertAlmostEqual(scene.render.fps / scene.render.fps_base, 1 / (frame_dt * every), places=9)
            self.assertIsInstance(scene.render.fps, int)
            self.assertGreaterEqual(scene.render.fps, 1)
            self.assertEqual((scene.frame_start, scene.frame_end), (0, frames - 1))
            self.assertEqual((cache.cache_format, cache.frame_start), ("PC2", 0))


if __name__ == "__main__":
    unittest.main()
