"""The module unittest.mock, under its name before Python 3.3."""

from unittest.mock import *
from unittest.mock import NonCallableMock, PropertyMock, patch, sentinel
