"""Pictures as arrays."""

import os
from pathlib import Path

import numpy

from sinew import _sinew
from sinew._error import Error


class Picture(numpy.ndarray):
    """A picture: an array of shape (height, width, 3) and type uint8, sRGB, rows from the top. Notebooks show it."""

    def _repr_png_(self):
        is_picture = self.ndim == 3 and self.shape[2] == 3 and self.dtype == numpy.uint8 and self.size > 0
        return _sinew.encode_png(numpy.ascontiguousarray(self)) if is_picture else None

    def save(self, file):
        """Writes a PNG file.

        file: its path, which ends with .png.
        """
        if Path(file).suffix.lower() != ".png":
            raise Error(os.fspath(file), "is not the name of a PNG file", "let it end with .png")
        png = self._repr_png_()
        if png is None:
            raise Error("picture", f"is an array of shape {self.shape} and type {self.dtype}",
                        "save one of shape (height, width, 3) and type uint8")
        try:
            Path(file).write_bytes(png)
        except OSError as fault:
            raise Error(os.fspath(file), f"cannot be written: {fault.strerror}", "") from fault


Picture.__module__ = "sinew"
