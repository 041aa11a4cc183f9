# sys.stdout and sys.stderr can be set.
import contextlib
import io
import sys

old = sys.stdout
sys.stdout = buf = io.StringIO()
print("kept")
sys.stdout.write("written\n")
print("err", file=sys.stderr)
print("to none", file=None)
sys.stdout = old
print(buf.getvalue(), sys.stdout is old, sys.stdout is sys.__stdout__)


class Tee:
    def __init__(self, *streams):
        self.streams = streams

    def write(self, text):
        for s in self.streams:
            s.write(text.upper())

    def flush(self):
        for s in self.streams:
            s.flush()


log = io.StringIO()
sys.stdout = Tee(sys.stdout, log)
print("twice", 1, 2.5)
sys.stdout.flush()
sys.stdout = sys.__stdout__
print(log.getvalue())

with contextlib.redirect_stdout(io.StringIO()) as outer:
    print("outer")
    with contextlib.redirect_stdout(io.StringIO()) as inner:
        print("inner")
    print("outer again")
print(outer.getvalue(), inner.getvalue())

with contextlib.redirect_stdout(None):
    print("nowhere")

try:
    with contextlib.redirect_stdout(io.StringIO()) as lost:
        print("before")
        raise ValueError("x")
except ValueError:
    print("after", lost.getvalue())

redirect = contextlib.redirect_stdout(io.StringIO())
with redirect:
    with redirect:
        print("in both")
    print("in one")
print(sys.stdout is old)


class Refuses:
    def write(self, text):
        raise OSError("full")


sys.stdout = Refuses()
try:
    print("x")
except OSError as e:
    sys.stdout = old
    print("refused:", e)
sys.stdout = 3
try:
    print("x")
except AttributeError:
    sys.stdout = old
    print("no stream")
with contextlib.redirect_stderr(io.StringIO()) as err:
    print("told", file=sys.stderr)
    sys.stderr.write("more\n")
print(err.getvalue())
