"""What the engine raises."""


class Error(Exception):
    """What went wrong, where, and what to do about it.

    where: the file, key or argument; what: the fault, with the value; remedy: what to change, or "".
    """

    def __init__(self, where, what, remedy=""):
        super().__init__(where, what, remedy)
        self.where = where
        self.what = what
        self.remedy = remedy

    def __str__(self):
        from sinew import _sinew

        return _sinew.message(self.where, self.what, self.remedy)


Error.__module__ = "sinew"
