"""Writes builtins.json: what Python makes of expressions of builtins, methods, math and json.

Run it as python3 builtins.py > builtins.json. Rows are [expression, text], the text null where Python raises. Expressions mean the same
in both languages: map, filter, zip, enumerate and reversed are lists here, and text is shown in double quotes.
"""
import json
import math
import sys


def lists(f):
    return lambda *args: list(f(*args))


def show(v):
    if isinstance(v, str):
        return json.dumps(v, ensure_ascii=False)
    if isinstance(v, bytes):
        return "b" + json.dumps(v.decode(), ensure_ascii=False)
    if isinstance(v, list):
        return "[" + ", ".join(map(show, v)) + "]"
    if isinstance(v, tuple):
        return "(" + ", ".join(map(show, v)) + (",)" if len(v) == 1 else ")")
    if isinstance(v, dict):
        return "{" + ", ".join(show(k) + ": " + show(x) for k, x in v.items()) + "}"
    return repr(v)


scope = {"math": math, "json": json, "map": lists(map), "filter": lists(filter), "zip": lists(zip), "enumerate": lists(enumerate),
         "reversed": lists(reversed)}
rows = []


def row(text):
    try:
        rows.append([text, show(eval(text, dict(scope)))])
    except Exception:
        rows.append([text, None])


def do(statements, value):
    """A cell of statements, then a value."""
    env = dict(scope)
    try:
        exec(statements, env)
        rows.append([statements + "\n" + value, show(eval(value, env))])
    except Exception:
        rows.append([statements + "\n" + value, None])


for text in r"""
map(abs, [-1, 2])|map(lambda a, b: a + b, [1, 2, 3], (10, 20))|map(str, "ab")|map(len, ["a", "bb"])|map(abs)|map(abs, 3)
filter(None, [0, 1, "", "a"])|filter(lambda c: c != "b", "abc")|filter(lambda x: x > 1, (1, 2, 3))|list(filter(None, range(3)))
isinstance(1, int)|isinstance(True, int)|isinstance(1, bool)|isinstance(1.0, (int, float))|isinstance("a", str)|isinstance([], (tuple, list))
isinstance({}, dict)|isinstance(b"a", bytes)|isinstance(range(3), range)|isinstance(set([1]), set)|isinstance(1, 2)|isinstance(1, ((str,), int))
callable(len)|callable(1)|callable(lambda: 1)|divmod(7, 2)|divmod(-7, 2)|divmod(7.5, 2)|divmod(7, 0)|divmod(True, 2)|divmod("a", 1)
format(3.14159, ".2f")|format(12)|format("a", ">4")|format(True, "d")|format(None, "")|format([1], ">9")|format(1234567.5, ",.2f")
hex(255)|hex(-255)|oct(8)|bin(-5)|hex(2.0)|bin(True)|hex(1 << 80)
next(iter([1, 2]))|next(iter([]), 5)|next(iter([]))|next(iter("ab"))|next(iter({"a": 1}))|next(iter(range(3, 9)))|next([1])|iter(3)
min([], default=3)|max([], default=None)|min([2, 1], default=3)|min([])|max("abc")|min("hello")|max([1, 3], key=lambda x: -x)|min(1, 2, default=3)
max(1, 2.5)|min((3, 1), (2, 5))|max([True, False])|round(True)|abs(True)|abs(-2.5)|sum([True, False, True])|sum([0.1] * 10)|sum([], 5)
sum([[1], [2]], [])|sum(["a"], "")|sum("ab")|sum(range(5))|sum([1, 2.5])|pow(2, 10, 7)|pow(3, -1, 7)|pow(2, -1, 4)|pow(2, 3, 0)|pow(2, 5, -7)
pow(True, 2)|pow(2.0, 3)|pow(2, -1)|pow(0, -1)|pow(2, 3, 1)|pow(-8, 2)|pow(1, 1 << 70)|pow(-1, (1 << 70) + 1)|pow(2.0, 2, 3)
sorted("cab")|list("héy")|tuple("ab")|enumerate("ab")|enumerate("ab", 1)|zip("ab", [1, 2])|any("")|all("ab")|reversed("ab")|sorted(set("aab"))
sorted("bA", key=lambda c: c.lower())|sorted([3, 1], reverse=True)|int("1_000")|int("1__0")|int(" 12 ")|int("_1")|int("0x_ff", 16)|int("0b1_0", 0)
int("ff", 16)|int(2.9)|int(-2.9)|int("2.5")|int(True)|float("inf")|float("-Infinity")|float("nan")|float("1_0.5")|float(" 1.5 ")|float("x")
float("1e3")|float(True)|int()|float()|str()|bool()|bool("")|bool([0])|bool(0.0)|str(None)|str(1.0)|str((1,))
round(2.5)|round(-2.5)|round(2.675, 2)|round(1e300)|round(1234, -2)|round(True, 1)|len("abc")|len([])|len(5)
repr(1e16)|repr(-0.0)|str(1e22)|str(1e-5)|str(0.1 + 0.2)|repr([1.0, None, True])|chr(233)|ord("é")|chr(-1)
[1, 2].copy()|[1, 2, 1].count(1)|(1, 2, 1).count(1)|(1, 2).index(2)|(1, 2).index(3)|(1, 2, 1).index(1, 1)|(1, 2, 1).index(1, -1)
{"a": 1}.copy()|"42".zfill(5)|"-42".zfill(5)|"+4".zfill(4)|"".zfill(2)|"abc".zfill(2)|"ab".center(5)|"ab".center(6, "*")|"abc".center(6, "*")
"abc".center(2)|"ab".ljust(4, ".")|"ab".rjust(4)|"é".rjust(3, "*")|"ab".ljust(5, "xy")|"aB".swapcase()|"aB".casefold()|"héy".encode()
"é".encode("ascii")|"12".isnumeric()|"½".isnumeric()|"½".isdecimal()|"".isnumeric()|"12".isdecimal()|"".isascii()|"é".isascii()|"a".isidentifier()
"1a".isidentifier()|"".isidentifier()|"ab c".isprintable()|"a\n".isprintable()|"a\tb".expandtabs()|"a\tb\n\tc".expandtabs(4)|"ab\t/".expandtabs(0)
b"ab".decode()|b"ab".decode("ascii")|b"ab".hex()|"é".encode("utf-8").decode("utf8")|b"\xff".decode()|"é".encode("latin-1").decode("latin-1")
(255).bit_length()|(0).bit_length()|(-7).bit_count()|(2.5).is_integer()|(2.0).is_integer()|(0.75).as_integer_ratio()|float("nan").is_integer()
sorted(set([1, 2]).copy())|set([1]).isdisjoint([2])|set([1]).isdisjoint([1])|"{:>{}}/{:.{p}f}".format("a", 4, 2.5, p=1)|"{0[1]}".format([1, 2])
"%5.1f/%-4d/%+d/%x" % (2.25, 3, 4, 255)|"%s and %r" % (1.0, 2)|"%(a)s" % {"a": 1}|"%*d" % (4, 7)|"%d" % 2.9|"%c" % 233|"%5s%%" % "ab"|"%d" % "a"
math.factorial(20)|math.factorial(0)|math.factorial(-1)|math.factorial(2.5)|math.comb(10, 3)|math.comb(3, 10)|math.comb(-1, 2)|math.perm(5)|math.perm(5, 2)
math.gcd()|math.gcd(12, 18)|math.gcd(-4, 6, 10)|math.lcm(4, 6)|math.lcm()|math.lcm(0, 5)|math.lcm(-3, 4)|math.isqrt(17)|math.isqrt(-1)|math.isqrt(1 << 101)
math.isnan(math.nan)|math.isinf(math.inf)|math.isfinite(1)|math.isclose(1, 1 + 1e-10)|math.isclose(1, 1.1)|math.isclose(0, 1e-10)
math.isclose(0, 1e-10, abs_tol=1e-9)|math.isclose(1, 1.1, rel_tol=0.2)|math.isclose(math.inf, math.inf)|math.isclose(1, 2, rel_tol=-1)
math.fsum([0.1] * 10)|math.fsum([1e100, 1, -1e100])|math.fsum([1e308, 1e308])|math.fsum([math.inf, -math.inf])|math.fsum([])|math.prod([1, 2, 3])
math.prod([])|math.prod([0.5, 4], start=3)|math.dist((0, 0), (3, 4))|math.dist([1], [1, 2])|math.hypot(3, 4, 12)|math.hypot()|math.hypot(1e200, 1e200)
math.hypot(math.nan, math.inf)|math.trunc(-2.7)|math.floor(-2.5)|math.ceil(2.1)|math.floor(1e30)|math.floor(math.inf)
math.fmod(-7, 3)|math.fmod(7, 0)|math.fmod(math.inf, 1)|math.modf(-2.5)|math.modf(math.inf)|math.modf(-3)|math.frexp(10)|math.frexp(0)|math.ldexp(0.5, 4)
math.ldexp(1, 5000)|math.ldexp(1, -5000)|math.nextafter(1, 2)|math.nextafter(0, -1)|math.ulp(1)|math.ulp(0)|math.ulp(1e308)|math.copysign(3, -0.0)
math.tau|math.log(8, 2)|math.log(100, 10)|math.log(0)|math.log(-1)|math.log10(1000)|math.log10(1e-5)|math.log2(8)|math.log2(pow(2, 2000))|math.log(pow(2, 2000))
math.log1p(-1)|math.exp(1000)|math.sqrt(-1)|math.sqrt(2)|math.acos(2)|math.pow(2, 0.5)|math.pow(0, -1)|math.pow(-8, 1/3)|math.pow(-2, 3)|math.pow(10, 400)
math.remainder(7, 4)|math.remainder(1, 0)|math.gamma(0)|math.gamma(-1)|math.gamma(171)|math.gamma(200)|math.lgamma(-1)|math.lgamma(200)|math.sin(math.inf)
math.atanh(1)|math.acosh(0.5)|math.exp2(0.5)|math.cbrt(-27)|math.sqrt(True)|math.sqrt("a")|math.degrees(1)|math.radians(180)|math.atan2(-0.0, -1)
json.dumps({"b": [1, 2.5, None, True], "a": "é\n"})|json.dumps([1, {"a": 2}], indent=2)|json.dumps({"b": 1, "a": 2}, sort_keys=True)|json.dumps([], indent=1)
json.dumps([1, 2], separators=(",", ":"))|json.dumps("é", ensure_ascii=False)|json.dumps({2: 2, None: 3, True: 4})|json.dumps((1, 2))|json.dumps("\u20ac\U0001f600")
json.dumps(len)|json.dumps(set([1]))|json.loads("[1, 2.5, null, true]")|json.loads("[1")|json.loads(json.dumps({"a": [1]}))|json.dumps([1, [2]], indent="-")
json.dumps({"a": {}, "b": []}, indent=1)|json.dumps("a<b>&\"\\/")|json.dumps(1e16)|json.dumps({"a": 1}, indent=0)
""".strip().replace("\n", "|").split("|"):
    row(text)
for statements, value in [
    ("x = [3, 1, 2]\nx.sort()", "x"), ("x = [3, 1, 2]\nx.sort(reverse=True)", "x"), ("x = ['bb', 'a']\nx.sort(key=len)", "x"),
    ("x = [3, 1]\ny = x.copy()\ny.append(1)", "(x, y)"), ("x = [1, 2, 3]\nx.reverse()", "x"), ("x = [1, 'a']\nx.sort()", "x"),
    ("x = [2, 1]\nx.sort(lambda v: v)", "x"), ("x = {1: [2]}\ny = x.copy()\ny[2] = 3", "(x, y)"),
    ("it = iter([1, 2, 3])\na = next(it)", "(a, list(it), list(it))"), ("x = [1]\nit = iter(x)\nx.append(2)", "list(it)"),
    ("s = set([1, 2])\ns.difference_update([2])", "sorted(s)"), ("s = set([1, 2])\ns.intersection_update([2, 3])", "sorted(s)"),
    ("s = set([1, 2])\ns.symmetric_difference_update([2, 3])", "sorted(s)"), ("s = set([1])\nt = s.copy()\nt.add(2)", "sorted(s)"),
    ("f = [3, 1].copy", "f()"), ("def f(x):\n    x.sort(key=lambda v: -v)\n    return x", "f([1, 3, 2])"),
    ("text = '{:.1f}'", "text.format(2.25)"), ("x = []\nfor i in range(3):\n    x.append([i].copy().count(i))", "x"),
]:
    do(statements, value)
json.dump(rows, sys.stdout, ensure_ascii=False, separators=(",", ":"))
