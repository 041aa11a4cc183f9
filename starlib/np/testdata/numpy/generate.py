"""Writes the cases of TestAgainstNumPy: one file of JSON lines a family, in this folder.

    python3 generate.py [family ...]

Written with NumPy 1.24 (Debian 12) made to promote by NEP 50, as NumPy 2 does. The data
is committed: the test needs no Python. A line is a list: the kind of case (see
common.Family), a program that is Python and Starlark alike and assigns v, and what the
program gives.
"""

import importlib
import os
import sys

from common import Family

FAMILIES = ["indexing", "broadcasting", "reductions", "promotion", "printing", "functions", "manipulation", "creation", "draws",
            "linalg", "language", "arguments", "lengths", "outputs"]


def main(names):
    folder = os.path.dirname(os.path.abspath(__file__))
    total = 0
    for name in names or FAMILIES:
        family = Family(name)
        importlib.import_module(name).cases(family)
        n = family.write(folder)
        total += n
        print("%-14s %5d cases" % (name, n))
    print("%-14s %5d cases" % ("in all", total))


main(sys.argv[1:])
