import types, typing
from typing import *
print(List[int], Dict[str, float], Optional[int], Union[int, str], Union[int, None], Tuple[int, ...], Callable[[int, str], bool], Callable[..., Any], Any, Type[int])
print(Union[int] is int, Union[int, int, str], List[List[int]], Iterable[str], Sequence[int], Optional[List[int]])
T = TypeVar("T")
print(T, List[T], TYPE_CHECKING, cast(int, "x"))
class Stack(Generic[T]):
    def __init__(self):
        self.items = []
    def push(self, x: T) -> None:
        self.items.append(x)
s = Stack[int]()
s.push(1)
print(s.items, Stack.__mro__[1].__name__)
class Names(List[int]):
    pass
print(len(Names([1, 2])))
class P(NamedTuple):
    x: int
    y: float = 2.0
    def norm(self):
        return self.x + self.y
p = P(1)
print(p, p.x, p.y, p[1], p.norm(), len(p), list(p), p == (1, 2.0), p._replace(x=5), p._asdict()["y"], " ".join(P._fields), isinstance(p, tuple))
a, b = p
print(a, b, P(x=3, y=4), sorted([P(2), P(1)])[0].x)
for make in [lambda: P(), lambda: P(1, 2, 3), lambda: P(1, z=2)]:
    try:
        make()
    except TypeError as e:
        print(e)
Q = NamedTuple("Q", [("a", int), ("b", int)])
print(Q(1, 2))
class M(TypedDict):
    a: int
print(M(a=1)["a"])
UserId = NewType("UserId", int)
print(UserId(5), UserId.__name__)
class Sized(Protocol):
    def size(self) -> int: ...
@overload
def f(x): ...
@final
class F: pass
print(get_origin(List[int]) is list, get_args(Dict[str, int]) == (str, int))
ns = types.SimpleNamespace(a=1, b=2)
ns.c = 3
print(ns, ns == types.SimpleNamespace(a=1, b=2, c=3))
def g(): pass
print(isinstance(g, types.FunctionType), isinstance(lambda: 0, types.LambdaType), isinstance(len, types.BuiltinFunctionType), isinstance(3, types.FunctionType))
def gen(): yield
print(isinstance(gen(), types.GeneratorType), isinstance(s.push, types.MethodType))
m = types.MappingProxyType({"a": 1})
print(m["a"], len(m), "a" in m)
