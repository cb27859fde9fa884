"""Data sets for PyTorch, where that is installed. A module of its own, so that their class is found where they go to
other processes."""

import numpy
import torch


class Samples(torch.utils.data.Dataset):
    """What Dataset.torch returns."""

    def __init__(self, data, dtype):
        self.data, self.dtype = data, dtype

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        sample = self.data[index]
        return {name: torch.as_tensor(numpy.asarray(part), dtype=self.dtype) for name, part in sample.items()}
