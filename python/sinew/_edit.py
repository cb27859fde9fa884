"""Positions and velocities that can be written to, for the length of a block."""

import numpy

from sinew._error import Error


class Edit:
    """Positions and velocities of a simulation that can be written to; when the block ends the body is there.

        with simulation.edit() as state:
            state.positions[~simulation.held] += [0, 0.1, 0]

    The arrays are of the block alone: what follows the state shows it as it was until the block ends. If the block
    raises, or ends with an Error, the simulation is as it was. Within it there is no other such block of the
    simulation, and nothing else moves the body.
    """

    positions: numpy.ndarray  # [m] (N, 3)
    velocities: numpy.ndarray  # [m/s] (N, 3)

    def __init__(self, simulation):
        self._simulation = simulation
        self._given = None

    def __enter__(self):
        self._simulation._begin_edit()
        try:
            self._began = self._simulation.steps_taken
            self._before = self._simulation.positions.copy(), self._simulation.velocities.copy()
            self._given = tuple(part.copy() for part in self._before)
        except BaseException:
            self._simulation._end_edit()
            raise
        self.positions, self.velocities = self._given
        return self

    def __exit__(self, kind, raised, trace):
        self._simulation._end_edit()
        # Whoever keeps the arrays is told by NumPy that they move nothing any more.
        for part in self._given:
            part.flags.writeable = False
        if kind is not None or self._is_unchanged():
            return
        if self._simulation.steps_taken != self._began:
            raise Error("edit", "the simulation has taken steps meanwhile", "take them before the block or after it")
        self._simulation.set_state(self.positions, self.velocities)

    def _is_unchanged(self):
        return all(map(numpy.array_equal, (self.positions, self.velocities), self._before))
