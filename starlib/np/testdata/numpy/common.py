"""What the families of cases share: the recorder of cases, and writers of operands."""

import os
import re

os.environ["NPY_PROMOTION_STATE"] = "weak"  # NEP 50, as in NumPy 2; read when numpy is imported

import json
import random
import warnings

import numpy as np

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
DTYPES = ["bool"] + INTS + FLOATS

warnings.simplefilter("ignore")
warnings.simplefilter("error", DeprecationWarning)  # what NumPy 2 does otherwise is no case
np.seterr(all="ignore")
OPTIONS = np.get_printoptions()
MISTAKES = (ValueError, TypeError, IndexError, OverflowError, ZeroDivisionError, KeyError, np.linalg.LinAlgError, MemoryError)


def plain(v):
    """NumPy's scalars as Python's numbers, also inside lists and tuples."""
    if isinstance(v, np.generic):
        return v.item()
    if isinstance(v, (list, tuple)):
        return type(v)(plain(x) for x in v)
    return v


def run(code):
    """The value of v after the code; every run finds NumPy as it was imported."""
    np.set_printoptions(**OPTIONS)
    env = {"np": np}
    try:
        exec(code, env)
    finally:
        np.set_printoptions(**OPTIONS)
    return env["v"]


def assigning(code):
    """The code as a program that assigns v."""
    return code if re.search(r"(^|[;\s])v = ", code) else "v = " + code


class Family:
    """One file of cases. An expression stands for an assignment of it to v.

    exact    the repr of v
    text     its str
    near     dtype, shape and values; tol is a bound on errors relative to the largest
             value, without it a few units in the last place of each are allowed
    fails    an error in both languages
    either   exact, or near, if NumPy can; otherwise fails
    """

    def __init__(self, name):
        self.name = name
        self.rnd = random.Random(name)
        self.cases = {}

    def add(self, kind, code, *want):
        self.cases.setdefault((kind, code), want)

    def exact(self, *codes):
        for code in codes:
            self._exact(assigning(code), None)

    def near(self, *codes, tol=None):
        for code in codes:
            self._near(assigning(code), None, tol)

    def text(self, *codes):
        for code in codes:
            self.add("str", assigning(code), str(self.value(assigning(code))))

    def fails(self, *codes):
        for code in codes:
            try:
                run(assigning(code))
            except MISTAKES:
                self.add("fails", assigning(code))
                continue
            raise AssertionError("NumPy allows " + code)

    def either(self, *codes, near=False, tol=None):
        for code in map(assigning, codes):
            try:
                v = run(code)
            except DeprecationWarning:
                continue
            except MISTAKES:
                self.add("fails", code)
                continue
            self._near(code, v, tol) if near else self._exact(code, v)

    def value(self, code):
        try:
            return run(code)
        except Exception as e:
            raise AssertionError("%s\n%s: %s" % (code, type(e).__name__, e))

    def _exact(self, code, v):
        v = self.value(code) if v is None else v
        if not foreign(v):
            self.add("repr", code, repr(plain(v)))

    def _near(self, code, v, tol):
        v = np.asarray(self.value(code) if v is None else v)
        if not foreign(v):
            values = " ".join(short(x) for x in v.ravel())
            self.add("near", code, [str(v.dtype), list(v.shape), values] + ([tol] if tol else []))

    def write(self, folder):
        with open(os.path.join(folder, self.name + ".jsonl"), "w") as f:
            for (kind, code), want in self.cases.items():
                f.write(json.dumps([kind, code, *want], separators=(",", ":")) + "\n")
        return len(self.cases)


def foreign(v):
    """Whether v has a type that Arignote has not."""
    if isinstance(v, (list, tuple)):
        return any(foreign(x) for x in v)
    return isinstance(v, (np.ndarray, np.generic)) and str(v.dtype) not in DTYPES


def short(x):
    """The shortest text that reads as x, of its own precision."""
    return str(x.item() if x.dtype != np.float32 else x).replace("True", "1").replace("False", "0")


def num(x):
    """A number as source text."""
    if x != x:
        return "np.nan"
    if x in (float("inf"), float("-inf")):
        return "np.inf" if x > 0 else "-np.inf"
    return repr(x)


def array(values, shape=None, dtype=None):
    """The source text of an array."""
    code = "np.array([" + ", ".join(num(x) for x in values) + "]"
    if dtype:
        code += ', dtype="%s"' % dtype
    code += ")"
    if shape is not None:
        code += ".reshape(%s)" % (shape,)
    return code


def draw(rnd, dtype, n, shape=None):
    """The source text of an array of n small numbers, signed where the type is."""
    if dtype == "bool":
        return array([rnd.random() < 0.5 for _ in range(n)], shape)
    if dtype in FLOATS:
        return array([rnd.choice([-3.5, -1.0, 0.25, 0.5, 2.0, 7.75, 10.0]) for _ in range(n)], shape,
                     dtype if dtype == "float32" else None)
    low = 0 if dtype[0] == "u" else -12
    return array([rnd.randint(low, 12) for _ in range(n)], shape, dtype)
