from enum import Enum, IntEnum, Flag, IntFlag, StrEnum, auto, unique
class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1
    def bright(self):
        return self.name.lower()
    @classmethod
    def default(cls):
        return cls.GREEN
print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color(2), Color["BLUE"], Color.CRIMSON is Color.RED)
print(list(Color), len(Color), " ".join([c.name for c in Color]), Color.RED in Color, Color.RED == 1, Color.RED == Color.RED, Color.RED != Color.BLUE)
print(Color, Color.default(), Color.BLUE.bright(), isinstance(Color.RED, Color), type(Color.RED), ",".join(sorted(Color.__members__)), list(reversed(Color))[0])
print({Color.RED: "r"}[Color(1)], f"{Color.RED}", "%s" % Color.GREEN, str(Color.RED).rjust(12))
for f in [lambda: Color(9), lambda: Color["NONE"], lambda: Color.NONE]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e if isinstance(e, ValueError) else "")
class Auto(Enum):
    A = auto()
    B = auto()
    C = 10
    D = auto()
print([(m.name, m.value) for m in Auto] == [("A", 1), ("B", 2), ("C", 10), ("D", 11)])
class N(IntEnum):
    ONE = 1
    TWO = 2
print(N.ONE, repr(N.TWO), N.ONE + 1, N.ONE < N.TWO, N.TWO == 2, [10, 20, 30][N.TWO], int(N.ONE), isinstance(N.ONE, int), max(N), {1: "x"}[N.ONE], N(2).name, list(range(N.TWO)))
class S(str, Enum):
    A = "a"
    B = "b"
print(S.A == "a", S.A.upper(), S("b").name, S.A.value, str(S.A), len(S.A), isinstance(S.A, str), {"a": 1}[S.A], S.A + "x")
class SE(StrEnum):
    HELLO = auto()
print(SE.HELLO, SE.HELLO == "hello", f"{SE.HELLO:>8}")
class Perm(Flag):
    R = 4
    W = 2
    X = 1
print(Perm.R | Perm.W, repr(Perm.R | Perm.W), Perm.R in (Perm.R | Perm.X), bool(Perm.R & Perm.W), Perm.R ^ Perm.R, ~Perm.R, Perm(7), list(Perm.R | Perm.X), (Perm.R | Perm.W).value, Perm(0))
class IP(IntFlag):
    A = auto()
    B = auto()
    C = auto()
print(IP.A | IP.C, repr(IP.A | IP.B), (IP.A | IP.B) & 1, IP.C + 1, IP.C.value, IP(3) == 3)
try:
    @unique
    class Dup(Enum):
        A = 1
        B = 1
except ValueError as e:
    print(e)
class Planet(Enum):
    EARTH = (5.97, 6.37)
    MARS = (0.64, 3.39)
    def __init__(self, mass, radius):
        self.mass, self.radius = mass, radius
    @property
    def ratio(self):
        return round(self.mass / self.radius, 3)
print(Planet.EARTH.mass, Planet.MARS.ratio, Planet((0.64, 3.39)).name, Planet.EARTH.value)
Animal = Enum("Animal", "CAT DOG")
print(Animal.CAT, Animal.DOG.value, list(Animal))
class Lookup(Enum):
    A = 1
    @classmethod
    def _missing_(cls, value):
        return cls.A
print(Lookup(77))
class WithNew(Enum):
    X = (1, "ex")
    Y = (2, "why")
    def __new__(cls, value, label):
        obj = object.__new__(cls)
        obj._value_ = value
        obj.label = label
        return obj
print(WithNew(2).label, WithNew.X.value)
try:
    class More(Color):
        PINK = 4
except TypeError as e:
    print(e)
