import dataclasses
from dataclasses import dataclass, field, asdict, astuple, replace, fields, is_dataclass, InitVar, KW_ONLY
from typing import List, Dict, ClassVar, Optional
@dataclass
class P:
    """A point."""
    x: int
    y: float = 2.0
    tags: List[int] = field(default_factory=list)
    count: ClassVar[int] = 0
    hidden: int = field(default=5, repr=False, compare=False)
    def norm(self):
        return self.x + self.y
p = P(1)
print(p, p.norm(), p.hidden, P.count, p == P(1), p == P(2), p != P(1, 3.0), P(1, hidden=9) == p, p.tags is P(1).tags)
p.x = 10
print(p, asdict(p)["tags"], astuple(p), replace(p, y=7), " ".join([f.name for f in fields(P)]), is_dataclass(P), is_dataclass(p), is_dataclass(3))
for f in [lambda: P(), lambda: P(1, 2, 3, 4, 5), lambda: P(1, z=2), lambda: P(1, x=2), lambda: p < p]:
    try:
        f()
    except TypeError as e:
        print(e)
@dataclass(frozen=True, order=True)
class F:
    a: int
    b: int = 0
f = F(1, 2)
print(f < F(1, 3), sorted([F(2), F(1, 5), F(1)]), hash(f) == hash(F(1, 2)), {f: 1}[F(1, 2)], F(1) >= F(0))
try:
    f.a = 3
except dataclasses.FrozenInstanceError as e:
    print(type(e).__name__, e)
try:
    del f.b
except AttributeError as e:
    print(e)
@dataclass
class Base:
    x: int = 1
@dataclass
class Derived(Base):
    y: int = 2
    total: int = field(init=False)
    scale: InitVar[int] = 3
    def __post_init__(self, scale):
        self.total = (self.x + self.y) * scale
print(Derived(), Derived(5, scale=1), " ".join(Derived.__match_args__))
try:
    @dataclass
    class Bad:
        x: int = 1
        y: int
except TypeError as e:
    print(e)
try:
    @dataclass
    class Worse:
        x: list = []
except ValueError as e:
    print(e)
@dataclass
class K:
    a: int
    _: KW_ONLY
    b: int
    c: int = 3
print(K(1, b=2))
try:
    K(1)
except TypeError as e:
    print(e)
@dataclass(eq=False)
class Ident:
    x: int
print(Ident(1) == Ident(1), hash(Ident(1)) is not None)
@dataclass
class Tree:
    value: int
    left: "Optional[Tree]" = None
    right: Optional["Tree"] = None
t = Tree(1, Tree(2), Tree(3))
print(t, asdict(t)["left"]["value"])
@dataclass(repr=False)
class Quiet:
    x: int
    def __repr__(self):
        return "quiet"
print(Quiet(1))
C = dataclasses.make_dataclass("C", [("x", int), ("y", int, 5)])
print(C(1))
@dataclass
class Own:
    x: int
    def __eq__(self, other):
        return True
print(Own(1) == Own(2))
@dataclass(kw_only=True)
class Only:
    x: int = 0
    y: int
print(Only(y=2))
@dataclass
class Built:
    items: list[int] = field(default_factory=list)
    table: dict[str, int] = field(default_factory=dict)
    maybe: int | None = None
print(Built([1], {}))
from dataclasses import dataclass as _dc, field as _field, InitVar as _InitVar
@_dc
class Shown:
    x: int
    y: float = 1.5
    z: list = _field(default_factory=list)
    w: int = _field(default=2, kw_only=True)
    hidden: int = _field(default=3, init=False)
@_dc
class Told(Shown):
    "mine"
@_dc
class Derived(Told):
    more: "str" = None
print(Shown.__doc__, Told.__doc__)
print(Derived.__doc__.replace('"', "'"))
@_dc(slots=True)
class Slots:
    x: int
    y: int = 2
    def both(self): return self.x + self.y
@_dc(slots=True)
class More(Slots):
    z: int = 3
for o in Slots(1), More(1):
    print(o, o.both(), o == type(o)(1), *Slots.__slots__, *More.__slots__)
    try: o.other = 1
    except AttributeError as e: print(e)
