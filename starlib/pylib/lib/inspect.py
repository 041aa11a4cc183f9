"""What values are: their signatures, source and members."""
import os as _os
import _inspect


class _Empty:
    pass


class _Kind(int):
    # The kinds of parameters are ordered.

    def __str__(self):
        return _KIND_NAMES[int(self)]

    def __repr__(self):
        return "<_ParameterKind.%s: %d>" % (_KIND_NAMES[int(self)], int(self))

    @property
    def name(self):
        """The name of the kind."""
        return _KIND_NAMES[int(self)]

    @property
    def description(self):
        """The kind in words."""
        return ["positional-only", "positional or keyword", "variadic positional", "keyword-only", "variadic keyword"][int(self)]


_KIND_NAMES = ["POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"]


class Parameter:
    """A parameter of a function."""
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = [_Kind(i) for i in range(5)]
    empty = _Empty

    def __init__(self, name, kind, *, default=_Empty, annotation=_Empty):
        self.name, self.kind, self.default, self.annotation = name, kind, default, annotation

    def replace(self, **changes):
        """The parameter with something changed."""
        return Parameter(changes.get("name", self.name), changes.get("kind", self.kind), default=changes.get("default", self.default),
                         annotation=changes.get("annotation", self.annotation))

    def __str__(self):
        text = {2: "*", 4: "**"}.get(int(self.kind), "") + self.name
        if self.default is not _Empty:
            text += "=" + repr(self.default)
        return text

    def __repr__(self):
        return '<Parameter "%s">' % self

    def __eq__(self, other):
        return isinstance(other, Parameter) and (self.name, self.kind) == (other.name, other.kind) and self.default == other.default


class BoundArguments:
    """What the parameters of a call are."""

    def __init__(self, signature, arguments):
        self.signature, self.arguments = signature, arguments

    @property
    def args(self):
        """The arguments by place."""
        out = []
        for name, p in self.signature.parameters.items():
            if p.kind >= 3 or name not in self.arguments:
                break
            if p.kind == 2:
                out.extend(self.arguments[name])
            else:
                out.append(self.arguments[name])
        return tuple(out)

    @property
    def kwargs(self):
        """The arguments by name."""
        out, by_name = {}, False
        for name, p in self.signature.parameters.items():
            by_name = by_name or p.kind >= 3 or name not in self.arguments
            if by_name and name in self.arguments:
                if p.kind == 4:
                    out.update(self.arguments[name])
                else:
                    out[name] = self.arguments[name]
        return out

    def apply_defaults(self):
        """Adds the defaults of what was not given."""
        out = {}
        for name, p in self.signature.parameters.items():
            if name in self.arguments:
                out[name] = self.arguments[name]
            elif p.default is not _Empty:
                out[name] = p.default
            elif p.kind == 2:
                out[name] = ()
            elif p.kind == 4:
                out[name] = {}
        self.arguments = out


class Signature:
    """The parameters of a function, by their names."""
    empty = _Empty

    def __init__(self, parameters=None, *, return_annotation=_Empty):
        self.parameters = {p.name: p for p in parameters or []}
        self.return_annotation = return_annotation

    def replace(self, *, parameters=None, return_annotation=_Empty):
        """The signature with other parameters."""
        return Signature(list(self.parameters.values()) if parameters is None else parameters)

    def bind(self, *args, **kwargs):
        """What the parameters of a call with these arguments are."""
        return self._bind(args, kwargs, False)

    def bind_partial(self, *args, **kwargs):
        """bind, where arguments may be missing."""
        return self._bind(args, kwargs, True)

    def _bind(self, args, kwargs, partial):
        rest, out = list(args), {}
        kwargs = dict(kwargs)
        for name, p in self.parameters.items():
            if p.kind == 2:
                if rest:
                    out[name] = tuple(rest)
                rest = []
            elif p.kind == 4:
                if kwargs:
                    out[name] = kwargs
                kwargs = {}
            elif p.kind < 2 and rest:
                if name in kwargs:
                    raise TypeError("multiple values for argument '%s'" % name)
                out[name] = rest.pop(0)
            elif name in kwargs:
                out[name] = kwargs.pop(name)
            elif p.default is _Empty and not partial:
                raise TypeError("missing a required argument: '%s'" % name)
        if rest:
            raise TypeError("too many positional arguments")
        for k in kwargs:
            raise TypeError("got an unexpected keyword argument '%s'" % k)
        return BoundArguments(self, out)

    def __str__(self):
        parts, star = [], False
        for p in self.parameters.values():
            if p.kind == 2:
                star = True
            elif p.kind == 3 and not star:
                parts.append("*")
                star = True
            parts.append(str(p))
        return "(%s)" % ", ".join(parts)

    def __repr__(self):
        return "<Signature %s>" % self

    def __eq__(self, other):
        return isinstance(other, Signature) and list(self.parameters.values()) == list(other.parameters.values())


def signature(obj, *, follow_wrapped=True):
    """The signature of a function, method or class."""
    if isclass(obj):
        own = getattr(obj, "__signature__", None)
        if own is not None:
            return own
        init = getattr(obj, "__init__", None)
        parameters = _inspect.parameters(init) if init is not None else None
        return Signature(_made((parameters or ())[1:]))
    while follow_wrapped and getattr(obj, "__wrapped__", None) is not None:
        obj = obj.__wrapped__
    parameters = _inspect.parameters(obj)
    if parameters is None and type(obj).__name__ == "partial":
        out = list(signature(obj.func).parameters.values())[len(obj.args):]
        return Signature([p.replace(default=obj.keywords[p.name], kind=Parameter.KEYWORD_ONLY) if p.name in obj.keywords else p for p in out])
    if parameters is None and not isinstance(obj, str) and hasattr(type(obj), "__call__") and hasattr(obj, "__dict__"):
        parameters = _inspect.parameters(obj.__call__)
        if parameters is None and hasattr(type(obj), "__call__"):
            parameters = (_inspect.parameters(type(obj).__call__) or ())[1:]
    if parameters is None:
        if callable(obj):
            raise ValueError("no signature found for " + repr(obj))
        raise TypeError("%s is not a callable object" % repr(obj))
    return Signature(_made(parameters))


def _made(parameters):
    return [Parameter(p[0], _Kind(p[1]), default=p[2] if len(p) > 2 else _Empty) for p in parameters]


from collections import namedtuple as _namedtuple
ArgSpec = _namedtuple("ArgSpec", "args varargs keywords defaults")
FullArgSpec = _namedtuple("FullArgSpec", "args varargs varkw defaults kwonlyargs kwonlydefaults annotations")


def getfullargspec(func):
    """The parameters of a function as lists of names and defaults."""
    args, varargs, varkw, defaults, only, only_defaults = [], None, None, [], [], {}
    fn = getattr(func, "__func__", func)
    if isclass(fn):
        fn = fn.__init__
    parameters = _inspect.parameters(fn)
    if parameters is None:
        raise TypeError("unsupported callable")
    for p in parameters:
        if p[1] == 2:
            varargs = p[0]
        elif p[1] == 4:
            varkw = p[0]
        elif p[1] == 3:
            only.append(p[0])
            if len(p) > 2:
                only_defaults[p[0]] = p[2]
        else:
            args.append(p[0])
            if len(p) > 2:
                defaults.append(p[2])
    return FullArgSpec(args, varargs, varkw, tuple(defaults) or None, only, only_defaults or None, {})


def getargspec(func):
    """getfullargspec without what only keywords give, as Python 2 has it."""
    spec = getfullargspec(func)
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def isfunction(object):
    """Whether a value is a function of the program's."""
    return type(object) == "function"


def isbuiltin(object):
    """Whether a value is a function of the language's."""
    return type(object) == "builtin_function_or_method"


def ismethod(object):
    """Whether a value is a method of an instance."""
    return type(object) == "method"


def isroutine(object):
    """Whether a value is a function or a method."""
    return isfunction(object) or isbuiltin(object) or ismethod(object)


def isclass(object):
    """Whether a value is a class."""
    return isinstance(object, type)


def ismodule(object):
    """Whether a value is a module."""
    return type(object) == "module"


def isgenerator(object):
    """Whether a value is what a generator function returns."""
    return type(object) == "generator"


def isgeneratorfunction(object):
    """Whether calling a function makes a generator; its source tells."""
    if not isfunction(object) and not ismethod(object):
        return False
    try:
        lines = getsource(object).split("\n")
    except OSError:
        return False
    for line in lines[1:]:
        text = line.strip()
        if text.startswith("yield") or "= yield" in text or "(yield" in text or text.endswith(": yield"):
            return True
    return "yield" in lines[0]


def iscoroutinefunction(object):
    """False: there are none."""
    return False


iscoroutine = isawaitable = isasyncgen = isasyncgenfunction = iscode = isframe = istraceback = iscoroutinefunction


def isabstract(object):
    """Whether a class has methods that derived classes must define."""
    return isclass(object) and len(getattr(object, "__abstractmethods__", ())) > 0


def isdatadescriptor(object):
    """Whether a member of a class computes what is assigned to it."""
    return isinstance(object, property) or hasattr(object, "__set__")


def getmembers(object, predicate=None):
    """Pairs of the names of attributes and their values, sorted by name."""
    out = []
    for name in sorted(dir(object)):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            out.append((name, value))
    return out


def getmro(cls):
    """The order in which a class and its bases are searched."""
    return cls.__mro__


def getmodulename(path):
    """The name of the module that a file is."""
    name = _os.path.basename(path)
    return name[:-3] if name.endswith(".py") else None


def cleandoc(doc):
    """A documentation without the indentation of its lines."""
    lines = doc.expandtabs().split("\n")
    margin = None
    for line in lines[1:]:
        if line.strip():
            n = len(line) - len(line.lstrip())
            margin = n if margin is None else min(margin, n)
    lines = [lines[0].lstrip()] + [line[margin or 0:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def getdoc(object):
    """The documentation of a value, without indentation."""
    doc = getattr(object, "__doc__", None)
    if not isinstance(doc, str):
        doc = _inspect.doc(object)
    return cleandoc(doc) if isinstance(doc, str) else None


def _find(object):
    if isclass(object):
        title = "class " + object.__name__
        for file in _inspect.files():
            lines = _inspect.lines(file) or ()
            for i, line in enumerate(lines):
                text = line.strip()
                if text.startswith(title) and text[len(title):len(title) + 1] in ("(", ":"):
                    return file, lines, i
        raise OSError("could not find class definition")
    place = _inspect.place(object)
    if place is None:
        raise TypeError("module, class, method, function, traceback, frame, or code object was expected, got %s" % type(object).__name__)
    lines = _inspect.lines(place[0])
    if lines is None:
        raise OSError("could not get source code")
    return place[0], lines, place[1] - 1


def getsourcelines(object):
    """The lines of a function or class, and the number of the first."""
    if ismodule(object):
        return list([line + "\n" for line in _inspect.lines(getsourcefile(object)) or ()]), 0
    file, lines, start = _find(object)
    first = start
    indent = len(lines[start]) - len(lines[start].lstrip())
    end, depth = start + 1, 0
    for i in range(start, len(lines)):
        text = lines[i]
        if i > start and depth <= 0 and text.strip() and not text.strip().startswith("#") and len(text) - len(text.lstrip()) <= indent and not text.lstrip().startswith(")"):
            break
        for c in text:
            depth += 1 if c in "([{" else -1 if c in ")]}" else 0
        if text.strip():
            end = i + 1
    while first > 0 and lines[first - 1].strip().startswith("@") and len(lines[first - 1]) - len(lines[first - 1].lstrip()) == indent:
        first -= 1
    return [line + "\n" for line in lines[first:end]], first + 1


def getsource(object):
    """The text of a function, class or module."""
    return "".join(getsourcelines(object)[0])


def getsourcefile(object):
    """The file that a value is from."""
    if ismodule(object):
        return getattr(object, "__file__", None)
    return _find(object)[0]


def getfile(object):
    """The file that a value is from."""
    return getsourcefile(object)


def getmodule(object):
    """None: modules are not kept by what is in them."""
    return None


def getcallargs(func, *args, **kwds):
    """What the parameters of a call are, as a dict."""
    bound = signature(func).bind(*args, **kwds)
    bound.apply_defaults()
    return bound.arguments


def unwrap(func, *, stop=None):
    """The function that is wrapped innermost."""
    while getattr(func, "__wrapped__", None) is not None and not (stop is not None and stop(func)):
        func = func.__wrapped__
    return func


def stack(context=1):
    """The calls that wait, innermost first."""
    import _traceback
    return [FrameInfo(None, f, n, name, [text], 0) for f, n, name, text in reversed(_traceback.stack())]


FrameInfo = _namedtuple("FrameInfo", "frame filename lineno function code_context index")
