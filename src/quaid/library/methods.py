"""A method for each operation of the table. Their types are in `methods.pyi`, which `make docs` writes."""

from quaid.library.method import Method, python_name
from quaid.operations import NAMES


class Methods:
    """What every memory can do."""


for _name in NAMES:
    setattr(Methods, python_name(_name), Method(_name))
