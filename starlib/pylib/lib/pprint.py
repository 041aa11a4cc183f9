"""Values laid out in lines."""
import sys as _sys


class PrettyPrinter:
    """Lays values out by settings."""

    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
        self._indent, self._width, self._depth, self._stream = indent, width, depth, stream
        self._compact, self._sort, self._underscores = compact, sort_dicts, underscore_numbers

    def pprint(self, object):
        """Prints a value."""
        print(self.pformat(object), file=_sys.stdout if self._stream is None else self._stream)

    def pformat(self, object):
        """The text of a value."""
        return self._lay(object, 0, 0, 1, ())

    def _pairs(self, d):
        items = list(d.items())
        if self._sort:
            try:
                items = sorted(items, key=lambda kv: kv[0])
            except TypeError:
                items = sorted(items, key=lambda kv: (type(kv[0]).__name__, str(kv[0])))
        return items

    def _flat(self, x, level, seen):
        # On one line.
        kind = type(x).__name__
        if kind in ("list", "tuple", "dict", "set"):
            if any([x is y for y in seen]):
                return "<Recursion on %s>" % kind
            if self._depth is not None and level > self._depth:
                return {"list": "[...]", "tuple": "(...)", "dict": "{...}", "set": "{...}"}[kind]
            seen = seen + (x,)
        if kind == "list":
            return "[%s]" % ", ".join([self._flat(v, level + 1, seen) for v in x])
        if kind == "tuple":
            return "(%s%s)" % (", ".join([self._flat(v, level + 1, seen) for v in x]), "," if len(x) == 1 else "")
        if kind == "dict":
            return "{%s}" % ", ".join([self._flat(k, level + 1, seen) + ": " + self._flat(v, level + 1, seen) for k, v in self._pairs(x)])
        if kind == "set" and x and not self._sort:
            return "{%s}" % ", ".join([self._flat(v, level + 1, seen) for v in _ordered(x)])
        if kind == "int" and self._underscores:
            return "{:_d}".format(x)
        return repr(x)

    def _lay(self, x, column, after, level, seen):
        # column is where the text begins, after how many characters follow it.
        flat = self._flat(x, level, seen)
        if len(flat) <= self._width - column - after:
            return flat
        kind = type(x).__name__
        if hasattr(x, "__dataclass_fields__") and not isinstance(x, type):
            pairs = [(n, getattr(x, n)) for n, f in x.__dataclass_fields__.items() if f.repr]
            name = type(x).__name__
            inner = column + len(name) + 1
            parts = [n + "=" + self._lay(v, inner + len(n) + 1, 1, level + 1, seen) for n, v in pairs]
            return name + "(" + (",\n" + " " * inner).join(parts) + ")"
        if kind not in ("list", "tuple", "dict", "set") or not x or self._depth is not None and level > self._depth:
            return flat
        seen = seen + (x,)
        inner = column + self._indent
        pad = " " * (self._indent - 1)
        if kind == "dict":
            parts = []
            items = self._pairs(x)
            for i, (k, v) in enumerate(items):
                key = self._flat(k, level + 1, seen)
                parts.append(key + ": " + self._lay(v, inner + len(key) + 2, 1 if i < len(items) - 1 else after + 1, level + 1, seen))
            return "{" + pad + (",\n" + " " * inner).join(parts) + "}"
        values = _ordered(x) if kind == "set" else list(x)
        opening, closing = {"list": ("[", "]"), "tuple": ("(", ",)" if len(x) == 1 else ")"), "set": ("{", "}")}[kind]
        last = after + len(closing)
        parts = [self._lay(v, inner, 1 if i < len(values) - 1 else last, level + 1, seen) for i, v in enumerate(values)]
        if self._compact:
            lines, line = [], ""
            for i, p in enumerate(parts):
                room = self._width - inner - (1 if i < len(parts) - 1 else last)
                if line and ("\n" in p or len(line) + 2 + len(p) > room):
                    lines.append(line)
                    line = p
                else:
                    line = line + ", " + p if line else p
            lines.append(line)
            parts = lines
        return opening + pad + (",\n" + " " * inner).join(parts) + closing


def _ordered(xs):
    try:
        return sorted(xs)
    except TypeError:
        return sorted(xs, key=str)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    """The text of a value, laid out in lines."""
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers).pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    """Prints a value, laid out in lines."""
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers).pprint(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    """pprint, with the entries of dicts in their order."""
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    """repr, on one line."""
    return PrettyPrinter(width=1000000000).pformat(object)


def isreadable(object):
    """Whether the text could be read as a program."""
    return "<" not in saferepr(object)


def isrecursive(object):
    """Whether a value has itself in it."""
    return "<Recursion on" in saferepr(object)
