"""Runs programs for TestPrograms and TestStatements: a program a line, as JSON; the answer is [stdout, error].

Lines "#: name" begin the files that the program imports."""

import os

os.environ["NPY_PROMOTION_STATE"] = "weak"  # NEP 50, as in NumPy 2

import contextlib
import importlib
import io
import json
import re
import signal
import sys
import tempfile
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")
sys.dont_write_bytecode = True


class TooLong(BaseException):
    """Programs catch Exception, and print without end."""


class Printed(io.StringIO):
    def write(self, text):
        if self.tell() > 300000:
            raise TooLong("too much printed")
        return super().write(text)


def too_long(*_):
    raise TooLong("more than a second")  # again and again, since programs may catch it


signal.signal(signal.SIGALRM, too_long)


def run(program):
    main, *files = re.split(r"(?m)^#: (.*)\n", program)
    scope = {"np": np, "__name__": "__main__"}
    if not files:
        exec(compile(main, "program", "exec"), scope)
        return
    before = set(sys.modules)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in zip(files[::2], files[1::2]):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(text)
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            exec(compile(main, "program", "exec"), scope)
        finally:
            sys.path.remove(folder)
            for name in set(sys.modules) - before:
                del sys.modules[name]


for line in sys.stdin:
    out, error = Printed(), ""
    program = json.loads(line)
    try:
        with contextlib.redirect_stdout(out):
            signal.setitimer(signal.ITIMER_REAL, 1, 0.05)
            try:
                run(program)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    except TooLong as e:
        error = "TooLong: %s" % e
    except BaseException as e:
        try:
            error = "%s: %s" % (type(e).__name__, e)
        except Exception:
            error = type(e).__name__
    print(json.dumps([out.getvalue()[:300000], error]), flush=True)
