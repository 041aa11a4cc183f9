import inspect, functools
def f(a, b=2, *args, c, d=4, **kw):
    """The doc.

    More of it.
    """
    return a
class A:
    "class doc"
    def __init__(self, x, y=1):
        self.x = x
    def m(self, z=3):
        # a comment
        return [
            z,
        ]
    @staticmethod
    def s(q):
        return q
print(inspect.signature(f), inspect.signature(A), inspect.signature(A(1).m), inspect.signature(lambda: 0), inspect.signature(lambda x, *, y: 0))
sig = inspect.signature(f)
print(" ".join(sig.parameters), sig.parameters["b"].default, sig.parameters["a"].default is inspect.Parameter.empty, sig.parameters["c"].kind, sig.parameters["args"].kind == inspect.Parameter.VAR_POSITIONAL)
spec = inspect.getfullargspec(f)
print(" ".join(spec.args), spec.varargs, spec.varkw, spec.defaults, " ".join(spec.kwonlyargs), spec.kwonlydefaults["d"])
print(" ".join(inspect.getfullargspec(A.__init__).args), " ".join(inspect.getfullargspec(A(1).m).args))
b = sig.bind(1, 2, 3, 4, c=5, e=6)
print(b.arguments["args"], b.arguments["kw"]["e"], b.args, sorted(b.kwargs.items())[0][1])
for g in [lambda: sig.bind(1), lambda: sig.bind(c=1), lambda: inspect.signature(lambda a: 0).bind(1, 2), lambda: inspect.signature(lambda a: 0).bind(1, z=2)]:
    try:
        g()
    except TypeError as e:
        print(e)
print(inspect.isfunction(f), inspect.isfunction(len), inspect.isbuiltin(len), inspect.isclass(A), inspect.ismethod(A(1).m), inspect.ismodule(inspect), inspect.isclass(3), inspect.isroutine(len))
def gen():
    yield 1
print(inspect.isgenerator(gen()), inspect.isgeneratorfunction(gen), inspect.isgeneratorfunction(f))
print(inspect.getsource(A.m))
print(inspect.getsource(gen), inspect.getsource(A.s))
print(inspect.getsource(A).count("\n"), inspect.getsourcelines(f)[1])
print(inspect.getdoc(f), inspect.getdoc(A), [n for n, v in inspect.getmembers(A, inspect.isfunction) if n[0] != "_"] == ["m", "s"])
@functools.wraps(f)
def w(*a):
    return f(*a)
print(inspect.signature(w), inspect.signature(functools.partial(f, 1)), inspect.unwrap(w) is f, " ".join(c.__name__ for c in inspect.getmro(A)))
