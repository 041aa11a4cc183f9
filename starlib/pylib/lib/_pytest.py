"""Finds tests, runs them and reports: what pytest.main and arignote test do."""
import os
import sys
import time
import _inspect
import _run
import pytest
from pytest import CaptureResult, Config, MonkeyPatch, Skipped, Failed, XFailed, _Fixture, _ParameterSet

_WIDTH = 80
_SCOPES = ["function", "class", "module", "package", "session"]


class _Usage(Exception):
    pass


class _Buffer:
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)
        return len(text)

    def flush(self):
        pass

    def take(self):
        text = "".join(self.parts)
        self.parts = []
        return text


class _Capture:
    # What is printed while a test runs.

    def __init__(self, on):
        self.on, self.out, self.err = on, _Buffer(), _Buffer()
        self.all_out, self.all_err = "", ""

    def begin(self):
        self.out, self.err, self.all_out, self.all_err = _Buffer(), _Buffer(), "", ""
        self.resume()

    def resume(self):
        if self.on:
            self._outer = sys.stdout, sys.stderr
            sys.stdout, sys.stderr = self.out, self.err

    def suspend(self):
        if self.on:
            sys.stdout, sys.stderr = self._outer

    def end(self):
        self.suspend()
        self.all_out += self.out.take()
        self.all_err += self.err.take()


class _CapSys:
    def __init__(self, capture):
        self._capture = capture

    def readouterr(self):
        """What was printed since the last call."""
        return CaptureResult(self._capture.out.take(), self._capture.err.take())

    def disabled(self):
        """A context in which nothing is captured."""
        return _Disabled(self._capture)


class _Disabled:
    def __init__(self, capture):
        self.capture = capture

    def __enter__(self):
        self.capture.suspend()

    def __exit__(self, *exc):
        self.capture.resume()


class _Path(str):
    # A folder of a test, where there is no pathlib.

    def __truediv__(self, name):
        return _Path(os.path.join(str(self), str(name)))

    def __str__(self):
        return "".join([c for c in self])

    @property
    def name(self):
        return os.path.basename(str(self))

    def exists(self):
        return os.path.exists(str(self))

    def mkdir(self, parents=False, exist_ok=False):
        os.makedirs(str(self), exist_ok=exist_ok)

    def write_text(self, text):
        with open(str(self), "w") as f:
            return f.write(text)

    def read_text(self):
        with open(str(self)) as f:
            return f.read()

    def iterdir(self):
        return iter([self / name for name in sorted(os.listdir(str(self)))])


def _as_path(text):
    try:
        from pathlib import Path
    except ImportError:
        return _Path(text)
    return Path(text)


class _Request:
    # What a fixture knows of the test that asks for it.

    def __init__(self, run, item, fixture=None, param=None):
        self._run, self._item, self.fixturename = run, item, None if fixture is None else fixture.name
        self.scope = "function" if fixture is None else fixture.scope
        self.module, self.cls, self.function, self.node, self.config = item.module, item.cls, item.fn, item, run.config
        self.instance = item.instance
        self.fixturenames = item.names
        self._fixture = fixture
        if fixture is not None and fixture.params is not None:
            self.param = param

    def getfixturevalue(self, name):
        """What a fixture gives."""
        return self._run.value_of(self._item, name, ())

    def addfinalizer(self, f):
        """Has a function be called at the end."""
        self._run.finals[self.scope].append((self._run.key_of(self.scope, self._item), f, None))

    def applymarker(self, marker):
        """Marks the test."""
        self._item.marks.append(marker.mark)


class _Item:
    # A test: a function with the arguments that marks and fixtures give it.

    def __init__(self, file, module, cls, fn, name, path):
        self.file, self.module, self.cls, self.fn, self.path = file, module, cls, fn, path
        self.originalname, self.ids = name, []
        self.args, self.fixture_params, self.marks = {}, {}, []
        self.instance, self.names = None, []
        self.keywords = {}

    @property
    def name(self):
        return self.originalname + ("[%s]" % "-".join(self.ids) if self.ids else "")

    @property
    def nodeid(self):
        return self.file + "::" + (self.cls.__name__ + "::" if self.cls is not None else "") + self.name

    def copied(self):
        other = _Item(self.file, self.module, self.cls, self.fn, self.originalname, self.path)
        other.args, other.fixture_params, other.marks, other.ids = dict(self.args), dict(self.fixture_params), list(self.marks), list(self.ids)
        return other

    def get_closest_marker(self, name, default=None):
        """The mark of a name, of the function, its class or its module."""
        for m in reversed(self.marks):
            if m.name == name:
                return m
        return default

    def iter_markers(self, name=None):
        """The marks."""
        return iter([m for m in reversed(self.marks) if name is None or m.name == name])


def _marks_of(x):
    marks = getattr(x, "pytestmark", [])
    if not isinstance(marks, (list, tuple)):
        marks = [marks]
    return [getattr(m, "mark", m) for m in marks]


def _parameters(fn):
    out = []
    for p in _inspect.parameters(fn) or ():
        if p[1] in (1, 3) and len(p) == 2:
            out.append(p[0])
    return out


def _id(value, name, at):
    if isinstance(value, bool) or value is None or isinstance(value, (int, float, str)):
        return str(value)
    if isinstance(value, type) or type(value) in ("function", "builtin_function_or_method"):
        return value.__name__
    return name + str(at)


def _words(text):
    out, word = [], ""
    for c in text + " ":
        if c in "() ":
            if word:
                out.append(word)
                word = ""
            if c != " ":
                out.append(c)
        else:
            word += c
    return out


class _Keywords:
    # The expression of -k: names with and, or, not and parentheses.

    def __init__(self, text):
        self.text, self.words, self.at = text, _words(text), 0
        self.words = self.words or ["''"]

    def matches(self, name):
        self.at, self.name = 0, name.lower()
        result = self._or()
        if self.at < len(self.words):
            raise _Usage("Wrong expression passed to '-k': %s" % self.text)
        return result

    def _next(self, word):
        if self.at < len(self.words) and self.words[self.at] == word:
            self.at += 1
            return True
        return False

    def _or(self):
        x = self._and()
        while self._next("or"):
            y = self._and()
            x = x or y
        return x

    def _and(self):
        x = self._not()
        while self._next("and"):
            y = self._not()
            x = x and y
        return x

    def _not(self):
        if self._next("not"):
            return not self._not()
        if self._next("("):
            x = self._or()
            if not self._next(")"):
                raise _Usage("Wrong expression passed to '-k': %s" % self.text)
            return x
        if self.at >= len(self.words) or self.words[self.at] in ("and", "or", ")"):
            raise _Usage("Wrong expression passed to '-k': %s" % self.text)
        self.at += 1
        return self.words[self.at - 1].lower() in self.name


class _Runner:
    def __init__(self, options, paths):
        self.options, self.paths = options, paths
        self.verbose = options["verbose"] - options["quiet"]
        self.config = Config(options)
        self.capture = _Capture(not options["s"])
        self.items, self.errors, self.deselected = [], [], 0
        self.fixtures = {}  # by folder or file, then name
        self.cache = {}
        self.finals = {scope: [] for scope in _SCOPES}
        self.counts = {"failed": 0, "passed": 0, "skipped": 0, "deselected": 0, "xfailed": 0, "xpassed": 0, "error": 0}
        self.failures, self.summary = [], []
        self.folders, self.made = 0, []
        self.root = os.getcwd()

    # Finding.

    def files(self, path):
        if os.path.isfile(path):
            return [path]
        out = []
        for name in sorted(os.listdir(path)):
            full = os.path.join(path, name) if path != "." else name
            if os.path.isdir(full):
                if not name.startswith(".") and name not in ("__pycache__", "build", "dist", "node_modules", "venv"):
                    out += self.files(full)
                continue
            stem, ext = os.path.splitext(name)
            if ext in (".py", ".star") and (stem.startswith("test_") or stem.endswith("_test")):
                out.append(full)
        return out

    def collect(self):
        for path in self.paths:
            path, _, name = path.partition("::")
            if not os.path.exists(path):
                raise _Usage("file or directory not found: " + path)
            for file in self.files(path):
                self.collect_file(file, name)

    def load(self, file):
        folder = os.path.dirname(os.path.abspath(file))
        stem = os.path.splitext(os.path.basename(file))[0]
        while os.path.exists(os.path.join(folder, "__init__.py")):
            folder, stem = os.path.dirname(folder), os.path.basename(folder) + "." + stem
        before = list(sys.path)
        sys.path.insert(0, folder)
        try:
            return _run.call(_run.load, stem)
        finally:
            if sys.path[:1] == [folder]:
                sys.path[:] = before

    def conftests(self, file):
        # The fixtures of conftest.py in the folders around a file, outermost first.
        folders, folder = [], os.path.dirname(os.path.abspath(file))
        while True:
            folders.append(folder)
            if folder == self.root or os.path.dirname(folder) == folder or not folder.startswith(self.root):
                break
            folder = os.path.dirname(folder)
        tables = []
        for folder in reversed(folders):
            if folder not in self.fixtures:
                self.fixtures[folder] = {}
                conf = os.path.join(folder, "conftest.py")
                if os.path.exists(conf):
                    error, module = self.load(conf)
                    if error is not None:
                        self.failed_to_collect(os.path.relpath(conf, self.root), error, module)
                    else:
                        self.fixtures[folder] = self.fixtures_of(module)
            tables.append(self.fixtures[folder])
        return tables

    def fixtures_of(self, owner):
        out = {}
        for name in dir(owner):
            x = getattr(owner, name, None)
            if isinstance(x, _Fixture):
                if x.name == name or x.name == x.func.__name__:
                    out[name if x.name == x.func.__name__ else x.name] = x
                else:
                    out[x.name] = x
        return out

    def failed_to_collect(self, file, error, told):
        self.errors.append((file, error, told))

    def collect_file(self, file, chosen):
        tables = self.conftests(file)
        error, module = self.load(file)
        if error is not None:
            if isinstance(error, Skipped):
                self.counts["skipped"] += 1
                self.summary.append("SKIPPED [1] %s: %s" % (file, error.msg))
            else:
                self.failed_to_collect(file, error, module)
            return
        tables = tables + [self.fixtures_of(module)]
        marks = _marks_of(module)
        names = [n for n in _order(module)]
        for name in names:
            x = getattr(module, name, None)
            if isinstance(x, type):
                if _is_unittest(x):
                    self.collect_class(file, module, x, tables, marks, chosen, "test")
                elif name.startswith("Test") and not _has_init(x):
                    self.collect_class(file, module, x, tables, marks, chosen, "test")
            elif name.startswith("test") and type(x) in ("function", "builtin_function_or_method"):
                if chosen and name != chosen.partition("[")[0]:
                    continue
                self.add(_Item(file, module, None, x, name, os.path.abspath(file)), tables, marks + _marks_of(x), chosen)

    def collect_class(self, file, module, cls, tables, marks, chosen, prefix):
        inner, _, method = chosen.partition("::")
        if inner and inner != cls.__name__:
            return
        if not _is_unittest(cls):
            tables = tables + [self.fixtures_of(cls)]
        for name in _order(cls):
            fn = getattr(cls, name, None)
            if not name.startswith(prefix) or type(fn) not in ("function", "method"):
                continue
            if method and name != method.partition("[")[0]:
                continue
            item = _Item(file, module, cls, fn, name, os.path.abspath(file))
            self.add(item, tables, marks + _marks_of(cls) + _marks_of(fn), method)

    def add(self, item, tables, marks, chosen):
        item.marks = list(marks)
        item.tables = tables
        item.names = _parameters(item.fn)
        if item.cls is not None and type(item.fn) == "function" and item.names:
            item.names = item.names[1:]
        items = [item]
        for m in reversed([m for m in marks if m.name == "parametrize"]):
            items = [new for it in items for new in self.parametrized(it, m)]
        for it in items:
            it.tables, it.names = item.tables, item.names
        for fixture in self.closure(item):
            if fixture.params is not None:
                out = []
                for it in items:
                    if fixture.name in it.args:
                        out.append(it)
                        continue
                    if fixture.name in it.fixture_params:
                        out.append(it)
                        continue
                    for i, value in enumerate(fixture.params):
                        new = it.copied()
                        new.tables, new.names = it.tables, it.names
                        name = None
                        if isinstance(value, _ParameterSet):
                            name = value.id
                            new.marks += value.marks
                            value = value.values[0]
                        if fixture.ids is not None:
                            name = fixture.ids(value) if callable(fixture.ids) else fixture.ids[i]
                        new.fixture_params[fixture.name] = value
                        new.ids.append(_id(value, fixture.name, i) if name is None else str(name))
                        out.append(new)
                items = out
        for it in items:
            if "[" in chosen and it.name != chosen:
                continue
            keyword = self.options["k"]
            if keyword and not _Keywords(keyword).matches(it.nodeid):
                self.counts["deselected"] += 1
                continue
            if self.options["m"] and not any([x.name == self.options["m"] for x in it.marks]):
                self.counts["deselected"] += 1
                continue
            self.items.append(it)

    def parametrized(self, item, m):
        names = m.args[0] if m.args else m.kwargs["argnames"]
        values = m.args[1] if len(m.args) > 1 else m.kwargs["argvalues"]
        if isinstance(names, str):
            names = [n.strip() for n in names.split(",") if n.strip()]
        ids, indirect = m.kwargs.get("ids"), m.kwargs.get("indirect", False)
        out = []
        for i, row in enumerate(values):
            new = item.copied()
            name = None
            if isinstance(row, _ParameterSet):
                name = row.id
                new.marks += row.marks
                row = row.values
            elif len(names) == 1:
                row = (row,)
            if len(row) != len(names):
                raise _Usage("%s: in \"parametrize\" the number of names (%d):\n  %s\nmust be equal to the number of values (%d):\n  %s" % (
                    item.nodeid, len(names), repr(list(names)), len(row), repr(row)))
            for n, v in zip(names, row):
                if indirect is True or isinstance(indirect, (list, tuple)) and n in indirect:
                    new.fixture_params[n] = v
                else:
                    new.args[n] = v
            if name is None and ids is not None:
                name = "-".join([str(ids(v)) for v in row]) if callable(ids) else list(ids)[i]
            new.ids.append("-".join([_id(v, n, i) for n, v in zip(names, row)]) if name is None else str(name))
            out.append(new)
        return out

    # Fixtures.

    def find(self, item, name, below=None):
        found = None
        for table in item.tables:
            f = table.get(name)
            if f is not None:
                if f is below:
                    break
                found = f
        return found

    def closure(self, item):
        # The fixtures that a test needs, those that are used without being named first.
        out, seen = [], []

        def visit(name, below):
            f = self.find(item, name, below)
            if f is None or any([f is g for g in seen]):
                return
            seen.append(f)
            for inner in _parameters(f.func):
                if inner not in ("self", "request"):
                    visit(inner, f if inner == name else None)
            out.append(f)
        for table in item.tables:
            for name, f in table.items():
                if f.autouse:
                    visit(name, None)
        for m in item.marks:
            if m.name == "usefixtures":
                for name in m.args:
                    visit(name, None)
        for name in item.names:
            if name not in item.args:
                visit(name, None)
        return out

    def key_of(self, scope, item):
        if scope == "function":
            return id_of(item)
        if scope == "class":
            return item.file + "::" + (item.cls.__name__ if item.cls is not None else id_of(item))
        if scope in ("module", "package"):
            return item.file
        return "session"

    def value_of(self, item, name, asking, below=None):
        f = self.find(item, name, below)
        if f is None:
            return self.builtin(item, name, asking)
        if any([f is g for g in asking]):
            raise Failed("recursive dependency involving fixture '%s' detected" % name)
        param = item.fixture_params.get(f.name)
        key = (self.key_of(f.scope, item), f.name, id_of(f), repr(param))
        if key in self.cache:
            return self.cache[key]
        request = _Request(self, item, f, param)
        kwargs = {}
        for p in _parameters(f.func):
            if p == "self":
                kwargs[p] = item.instance
            elif p == "request":
                kwargs[p] = request
            else:
                kwargs[p] = self.value_of(item, p, asking + (f,), f if p == name else None)
        result = f.func(*[kwargs[p] for p in _parameters(f.func)])
        gen = None
        if type(result) == "generator":
            gen = result
            result = next(gen)
        if f.scope != "function":
            # A scope that is over has its fixtures ended before the next one begins.
            pass
        self.cache[key] = result
        self.finals[f.scope].append((key[0], None, (gen, key)))
        return result

    def builtin(self, item, name, asking):
        if name == "request":
            return _Request(self, item)
        if name in ("tmp_path", "tmpdir"):
            return _as_path(self.folder(item.originalname))
        if name == "tmp_path_factory":
            return _Factory(self)
        if name in ("capsys", "capfd"):
            return _CapSys(self.capture)
        if name == "monkeypatch":
            patch = MonkeyPatch()
            self.finals["function"].append((id_of(item), patch.undo, None))
            return patch
        if name == "pytestconfig":
            return self.config
        if name == "recwarn":
            import warnings
            return []
        known = sorted(set([n for t in item.tables for n in t] + ["capsys", "monkeypatch", "request", "tmp_path", "tmp_path_factory"]))
        raise LookupError("fixture '%s' not found\navailable fixtures: %s" % (name, ", ".join(known)))

    def folder(self, name):
        import random
        base = os.environ.get("TMPDIR", "/tmp")
        while True:
            self.folders += 1
            path = os.path.join(base, "arignote-test-%08x" % random.getrandbits(32), name[:30] + "0")
            if not os.path.exists(os.path.dirname(path)):
                os.makedirs(path)
                self.made.append(os.path.dirname(path))
                return path

    def end(self, scope, key):
        # Ends what fixtures of a scope have made, the last one first. The error of the last that fails is returned.
        failed = None
        rest = []
        mine = []
        for entry in self.finals[scope]:
            (mine if entry[0] == key else rest).append(entry)
        self.finals[scope] = rest
        for _, f, made in reversed(mine):
            if f is not None:
                error, told = _run.call(f)
            else:
                gen, cached = made
                self.cache.pop(cached, None)
                if gen is None:
                    continue
                error, told = _run.call(_finish, gen)
            if error is not None:
                failed = (error, told)
        return failed

    # Running.

    def run(self):
        line_file, n = None, len(self.items)
        column = 0
        done = 0
        for i, item in enumerate(self.items):
            if self.verbose == 0:
                if item.file != line_file:
                    if line_file is not None:
                        self.percent(column, done, n)
                    line_file = item.file
                    print(item.file + " ", end="")
                    column = len(item.file) + 1
            last = self.items[i + 1] if i + 1 < n else None
            outcome = self.run_item(item, last)
            done += 1
            word, letter = {"passed": ("PASSED", "."), "failed": ("FAILED", "F"), "skipped": ("SKIPPED", "s"), "xfailed": ("XFAIL", "x"), "xpassed": ("XPASS", "X"),
                            "error": ("ERROR", "E")}[outcome]
            if self.verbose > 0:
                text = "%s %s" % (item.nodeid, word)
                tail = "[%3d%%]" % (100 * done // n)
                print(text + " " * max(1, _WIDTH - len(text) - len(tail)) + tail)
            else:
                print(letter, end="")
                column += 1
                if column >= _WIDTH - 8:
                    if self.verbose == 0:
                        self.percent(column, done, n)
                    else:
                        print()
                    column = 0
                    line_file = item.file if last is None or last.file == item.file else line_file
            bad = self.counts["failed"] + self.counts["error"]
            if self.options["x"] and bad or self.options["maxfail"] and bad >= self.options["maxfail"]:
                break
        if self.verbose == 0 and n and column:
            self.percent(column, done, n)
        elif self.verbose < 0:
            print()
        for scope in _SCOPES:
            for key in sorted(set([e[0] for e in self.finals[scope]])):
                self.end(scope, key)
        return done

    def percent(self, column, done, n):
        print(("[%3d%%]" % (100 * done // n)).rjust(max(_WIDTH - column, 7)))

    def run_item(self, item, last):
        start = time.time()
        mark = item.get_closest_marker("skip")
        if mark is not None:
            return self.skipped(item, (mark.args or (mark.kwargs.get("reason", "unconditional skip"),))[0])
        for m in item.iter_markers("skipif"):
            if _condition(m, item):
                return self.skipped(item, m.kwargs.get("reason", "") or (m.args[1] if len(m.args) > 1 else "condition"))
        xfail = None
        for m in item.iter_markers("xfail"):
            if not m.args and "condition" not in m.kwargs or _condition(m, item):
                xfail = m
        self.capture.begin()
        if xfail is not None and not xfail.kwargs.get("run", True):
            self.capture.end()
            self.counts["xfailed"] += 1
            return "xfailed"
        phase = "setup"
        error, told = _run.call(self.setup, item)
        if error is None:
            phase = "call"
            error, told = _run.call(self.call, item)
            ended = _run.call(self.teardown, item) if item.cls is not None or True else (None, None)
            if error is None and ended[0] is not None:
                phase = "teardown"
                error, told = ended
        failed = self.end("function", id_of(item))
        for scope in ("class", "module", "package"):
            if last is None or self.key_of(scope, last) != self.key_of(scope, item):
                self.leave(scope, item)
                failed = self.end(scope, self.key_of(scope, item)) or failed
        if failed is not None and error is None:
            phase = "teardown"
            error, told = failed
        self.capture.end()
        if isinstance(error, Skipped) or error is not None and type(error).__name__ == "SkipTest":
            return self.skipped(item, str(error))
        if isinstance(error, XFailed):
            self.counts["xfailed"] += 1
            return "xfailed"
        if isinstance(error, pytest.Exit):
            raise error
        if xfail is not None and phase == "call" and error is not None:
            expected = xfail.kwargs.get("raises")
            if expected is None or isinstance(error, expected):
                self.counts["xfailed"] += 1
                self.summary.append("XFAIL %s - %s" % (item.nodeid, xfail.kwargs.get("reason", "")))
                return "xfailed"
        if xfail is not None and error is None:
            if xfail.kwargs.get("strict"):
                self.counts["failed"] += 1
                self.failures.append((item, "call", None, {"name": "Failed", "message": "[XPASS(strict)] " + xfail.kwargs.get("reason", ""), "frames": ()}, "", ""))
                self.summary.append("FAILED " + item.nodeid)
                return "failed"
            self.counts["xpassed"] += 1
            return "xpassed"
        if error is None:
            self.counts["passed"] += 1
            return "passed"
        self.failures.append((item, phase, error, told, self.capture.all_out, self.capture.all_err))
        if phase == "call":
            self.counts["failed"] += 1
            self.summary.append("FAILED %s - %s" % (item.nodeid, _short(told)))
            return "failed"
        self.counts["error"] += 1
        self.summary.append("ERROR %s - %s" % (item.nodeid, _short(told)))
        return "error"

    def skipped(self, item, reason):
        self.counts["skipped"] += 1
        self.summary.append("SKIPPED [1] %s: %s" % (item.file, reason))
        return "skipped"

    def enter(self, scope, item):
        # setup_module and setup_class, once.
        key = ("xunit", scope, self.key_of(scope, item))
        if key in self.cache:
            return
        self.cache[key] = True
        if scope == "module":
            for name in ("setup_module", "setUpModule", "setup"):
                f = getattr(item.module, name, None)
                if f is not None and type(f) == "function":
                    f(*([item.module] if _parameters(f) else []))
                    break
        elif item.cls is not None:
            f = getattr(item.cls, "setUpClass" if _is_unittest(item.cls) else "setup_class", None)
            if f is not None:
                f()

    def leave(self, scope, item):
        key = ("xunit", scope, self.key_of(scope, item))
        if key not in self.cache:
            return
        del self.cache[key]
        if scope == "module":
            for name in ("teardown_module", "tearDownModule", "teardown"):
                f = getattr(item.module, name, None)
                if f is not None and type(f) == "function":
                    f(*([item.module] if _parameters(f) else []))
                    break
        elif scope == "class" and item.cls is not None:
            f = getattr(item.cls, "tearDownClass" if _is_unittest(item.cls) else "teardown_class", None)
            if f is not None:
                f()
            if _is_unittest(item.cls):
                item.cls.doClassCleanups()

    def setup(self, item):
        self.enter("module", item)
        self.enter("class", item)
        if item.cls is not None:
            item.instance = item.cls(item.originalname) if _is_unittest(item.cls) else item.cls()
        values = {}
        for f in self.closure(item):
            self.value_of(item, f.name, ())
        if item.cls is not None and _is_unittest(item.cls):
            item.ready = True
            return
        for name in item.names:
            if name in item.args:
                values[name] = item.args[name]
            else:
                values[name] = self.value_of(item, name, ())
        item.values = values
        if item.cls is not None:
            f = getattr(item.instance, "setup_method", getattr(item.instance, "setup", None))
        else:
            f = getattr(item.module, "setup_function", None)
        if f is not None and type(f) in ("function", "method"):
            n = len(_parameters(f))
            f(*([item.fn] if n else []))

    def call(self, item):
        if item.cls is not None and _is_unittest(item.cls):
            item.instance._run_for_pytest()
            return
        fn = item.fn if item.cls is None else getattr(item.instance, item.originalname)
        result = fn(**item.values)
        if type(result) == "generator":
            for part in result:
                part[0](*part[1:])

    def teardown(self, item):
        if item.cls is not None and _is_unittest(item.cls):
            return
        if item.cls is not None:
            f = getattr(item.instance, "teardown_method", getattr(item.instance, "teardown", None))
        else:
            f = getattr(item.module, "teardown_function", None)
        if f is not None and type(f) in ("function", "method"):
            n = len(_parameters(f))
            f(*([item.fn] if n else []))

    # Reporting.

    def report(self, seconds):
        if self.errors or [f for f in self.failures if f[1] != "call"]:
            print(_title("ERRORS", "="))
            for file, error, told in self.errors:
                print(_title("ERROR collecting " + file, "_"))
                self.show(None, told, error)
            for f in self.failures:
                if f[1] != "call":
                    print(_title("ERROR at %s of %s" % (f[1], f[0].name), "_"))
                    self.show(f[0], f[3], f[2])
                    self.printed(f)
        if [f for f in self.failures if f[1] == "call"]:
            print(_title("FAILURES", "="))
            for f in self.failures:
                if f[1] == "call":
                    print(_title((f[0].cls.__name__ + "." if f[0].cls is not None else "") + f[0].name, "_"))
                    self.show(f[0], f[3], f[2])
                    self.printed(f)
        shown = [s for s in self.summary if self.options["r"] == "A" or s.startswith(("FAILED", "ERROR")) or self.options["r"] in ("a", "s") and s.startswith("SKIPPED")
                 or self.options["r"] in ("a", "x") and s.startswith("XFAIL")] + ["ERROR " + file for file, _, _ in self.errors]
        if shown:
            print(_title("short test summary info", "="))
            for s in shown:
                print(s if len(s) <= 200 else s[:197] + "...")
        if self.options["x"] and self.counts["failed"] + self.counts["error"]:
            print(_title("stopping after 1 failures", "!"))
        counts = dict(self.counts)
        counts["error"] += len(self.errors)
        words = ["%d %s" % (n, k + "s" if k == "error" and n > 1 else k) for k, n in counts.items() if n]
        text = "%s in %.2fs" % (", ".join(words) or "no tests ran", seconds)
        print(_title(text, "=") if self.verbose >= 0 else text)

    def show(self, item, told, error):
        if isinstance(error, Failed) and not told.get("frames"):
            print(error.msg)
            return
        frames = list(told.get("frames", ()))
        if item is not None:
            inside = [f for f in frames]
            frames = inside
        for i, (file, line, name, text) in enumerate(frames):
            final = i == len(frames) - 1
            lines = _inspect.lines(file)
            if lines is not None:
                print()
                first = max(line - 1 - 8, 0)
                for j in range(line - 1, first - 1, -1):
                    if j < len(lines) and lines[j].lstrip().startswith("def "):
                        first = j
                        break
                for j in range(first, line - 1):
                    print("    " + lines[j])
                print(">   " + lines[line - 1])
            if final:
                for s in _explain(told):
                    print("E   " + s)
            print()
            print("%s:%d: %s" % (file, line, told["name"] if final else ""))
            if not final:
                print("_ " * (_WIDTH // 2))
        if not frames:
            for s in _explain(told):
                print("E   " + s)

    def printed(self, f):
        for name, text in (("stdout", f[4]), ("stderr", f[5])):
            if text:
                print(_title("Captured %s call" % name, "-"))
                print(text, end="" if text.endswith("\n") else "\n")


class _Factory:
    def __init__(self, run):
        self._run = run

    def mktemp(self, basename, numbered=True):
        """A folder of its own."""
        return _as_path(self._run.folder(basename))


_numbers = [0]


def id_of(x):
    # A text that is another for each object.
    n = getattr(x, "_number", None)
    if n is None:
        _numbers[0] += 1
        n = x._number = _numbers[0]
    return "#%d" % n


def _finish(gen):
    for _ in gen:
        raise Failed("fixture function has more than one 'yield'")


def _condition(m, item):
    c = m.args[0] if m.args else m.kwargs.get("condition", True)
    return bool(c) if not isinstance(c, str) else False


def _order(owner):
    # The names of a module or class in the order in which they were made, as far as that is known.
    if isinstance(owner, type):
        out = []
        for c in reversed(owner.__mro__):
            for n in getattr(c, "__dict__", {}):
                if n not in out and c is not object:
                    out.append(n)
        return out
    places = []
    for n in dir(owner):
        x = getattr(owner, n, None)
        place = _inspect.place(x)
        if place is None and isinstance(x, type):
            for member in getattr(x, "__dict__", {}).values():
                place = _inspect.place(member)
                if place is not None:
                    break
        places.append((place[1] if place is not None else 0, n))
    return [n for _, n in sorted(places)]


def _has_init(cls):
    for c in cls.__mro__:
        if c is not object and "__init__" in getattr(c, "__dict__", {}):
            return True
    return False


def _is_unittest(cls):
    return getattr(cls, "_is_unittest_", False) and cls.__module__ != "unittest"


def _title(text, fill):
    n = _WIDTH - len(text) - 2
    if n < 2:
        return text
    return fill * (n // 2) + " " + text + " " + fill * (n - n // 2)


def _sides(told):
    sides = told.get("sides", ())
    if len(sides) == 3 and sides[1][1] is not None and sides[2][1] is not None:
        return "assert %s %s %s" % (sides[1][1], sides[0], sides[2][1])
    if len(sides) == 2:
        source, shown = sides[1]
        if shown is not None and source != shown:
            return "assert %s" % shown
        return "assert " + source
    return ""


def _explain(told):
    out = []
    message, text = told["message"], _sides(told)
    if message == "the assertion is false":
        message = ""
    if told["name"] != "AssertionError":
        out = ("%s: %s" % (told["name"], message) if message else told["name"]).split("\n")
    elif text:
        out = (["AssertionError: " + message.split("\n")[0]] + message.split("\n")[1:] if message else []) + [text]
        sides = told["sides"]
        for source, shown in sides[1:]:
            if shown is not None and source != shown and ("(" in source or "." in source or "[" in source or source.isidentifier()):
                out.append(" +  where %s = %s" % (shown, source))
    else:
        out = ("AssertionError: " + message if message else "AssertionError").split("\n")
    return out


def _short(told):
    return _explain(told)[0]


_FLAGS = {"-x": "x", "--exitfirst": "x", "-s": "s"}


def _options(args):
    options = {"x": False, "s": False, "k": "", "m": "", "verbose": 0, "quiet": 0, "maxfail": 0, "r": "", "collect-only": False}
    paths, i = [], 0
    while i < len(args):
        a = args[i]
        i += 1
        if a in _FLAGS:
            options[_FLAGS[a]] = True
        elif a in ("-k", "-m"):
            if i >= len(args):
                raise _Usage("argument %s: expected one argument" % a)
            options[a[1:]] = args[i]
            i += 1
        elif a in ("-v", "-vv", "--verbose"):
            options["verbose"] += len(a) - 1 if a[1] != "-" else 1
        elif a in ("-q", "-qq", "--quiet"):
            options["quiet"] += len(a) - 1 if a[1] != "-" else 1
        elif a.startswith("--maxfail="):
            options["maxfail"] = int(a[10:])
        elif a in ("--collect-only", "--co"):
            options["collect-only"] = True
        elif a.startswith("-r"):
            options["r"] = a[2:3]
        elif a.startswith("--tb") or a in ("--durations=10", "-W", "--no-header"):
            pass
        elif a.startswith("-") and len(a) > 1:
            raise _Usage("unrecognized arguments: " + a)
        else:
            paths.append(a)
    return options, paths or ["."]


def main(args):
    """Runs tests, and returns the exit code."""
    start = time.time()
    try:
        options, paths = _options(args)
        run = _Runner(options, paths)
        if run.verbose >= 0:
            print(_title("test session starts", "="))
        run.collect()
    except _Usage as e:
        print("ERROR: " + str(e), file=sys.stderr)
        return 4
    n = len(run.items)
    if run.verbose >= 0:
        extra = " / %d deselected / %d selected" % (run.counts["deselected"], n) if run.counts["deselected"] else ""
        total = n + run.counts["deselected"]
        print("collected %d item%s%s%s" % (total, "" if total == 1 else "s", " / %d error%s" % (len(run.errors), "s" if len(run.errors) > 1 else "") if run.errors else "", extra))
    if options["collect-only"]:
        for item in run.items:
            print(item.nodeid)
        return 0 if n else 5
    if run.errors:
        print()
        run.report(time.time() - start)
        print(_title("Interrupted: %d error%s during collection" % (len(run.errors), "s" if len(run.errors) > 1 else ""), "!"))
        return 2
    if run.verbose >= 0:
        print()
    code = 0
    try:
        run.run()
    except pytest.Exit as e:
        print()
        print(_title("_pytest.outcomes.Exit: " + e.msg, "!"))
        code = 2
    for folder in run.made:
        _remove(folder)
    if run.verbose >= 0:
        print()
    run.report(time.time() - start)
    if code:
        return code
    if run.counts["failed"] or run.counts["error"]:
        return 1
    return 0 if n or run.counts["skipped"] else 5


def _remove(folder):
    try:
        import shutil
    except ImportError:
        return
    shutil.rmtree(folder, True)
