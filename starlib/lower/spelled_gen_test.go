package lower_test

import "strings"

// numbers are expressions that are numbers, with {} for numbers in them, and {q} for a name of its
// own.
var numbers = []string{
	"divmod({}, 7)[1]", "({}) ** 2 % 97", "({}) & 7", "({}) | 3", "({}) ^ ({})", "~({})", "({} << 2) % 97", "({}) >> 1", "-({})", "abs({})",
	"(-({}) // 4)", "({} % -5)", "(2 ** 70 + {}) % 1009", "(3 ** 50 * {}) // 10 ** 20 % 97", "int(str(2 ** 64 + {})[-2:])", "int({} / 2)", "int(1.5 * {})", "round({} / 4)",
	"sorted([{}, {}, 3], key=lambda {q}: -{q})[0]", "sorted([{}, 5])[-1]", "max({}, {})", "min([{}, {}])", "min({}, {}, key=lambda {q}: {q} % 5)",
	"[{}, {}, 5][::-1][1]", "[1, 2, {}][-1]", "len({{}, {}, 3})", "sum({{q}: {q} + {} for {q} in range(3)}.values())", "{1: {}, **{2: {}}}[1]",
	"(lambda p, q=2, *r, s=4, **t: p + q + s + sum(r))(*[{}, {}, 1], s={}, u=2)", "\"abcabc\".find(\"c\", {} % 5)", "\"a,b,c\".split(\",\").index(\"b\")",
	"len(\"ab\" * ({} % 4))", "int({} < {} < {})", "int({} <= {} != {})", "int(not {})", "({} and {})", "({} or {})", "len([*range({} % 3), {}])", "next(iter([{}, 2]))",
	"next(({q} for {q} in [1, {}] if {q} > 2), {})", "sum(map(lambda {q}: {q} + {}, [{}, 1]))", "len(list(filter(None, [{}, {}])))",
	"sum(p * q for p, q in zip([{}, 2], ({}, 4)))", "[i * v for i, v in enumerate([{}, {}], 1)][-1]", "int(any([{}, {}]))", "int(all([{}, {}]))",
	"sum({{q} % 3 for {q} in range({} % 7)})", "(lambda p, q: len(f\"{p:>5}|{q!r}|{p:03d}|{p + q}\"))({}, {})", "len(\"%s-%d-%5.2f\" % ({}, {}, {}))",
	"len(\"{:>4}|{}\".format({}, {}))", "int(\"%d\" % ({}))", "[{q} for {q} in range(4) if {q} != {}][0]", "[[p, q] for p in range(2) for q in range(p, 3) if q != {}][-1][1]",
	"list(range({} % 5, 9, 2))[-1]", "list(reversed([{}, {}]))[0]", "(({}, {}) + (3,))[1]", "int(isinstance({}, int))", "int({} is None)", "int([{}, 1] == [{}, 1])",
	"int((1, {}) < (1, {}))", "{\"a\": {}}.get(\"b\", {})", "{\"a\": {}}.setdefault(\"a\", {})", "dict(a={}, b=2)[\"a\"]", "dict(zip(\"ab\", [{}, {}]))[\"b\"]",
	"len(set([{}, {}]) | {1, 2})", "[{}, {}, 1].count(1)", "[9, 8, {}].index({})", "len(str({}).zfill(4))", "ord(\"abcdef\"[{} % 6])", "len(repr([{}, \"a\", None, 1.5]))",
	"len([0] * ({} % 4) + [{}])", "len(\" x \".strip() + \"A\".lower())", "int({} not in (1, 2, 3))", "(lambda: {})()", "(lambda {q}=[]: len({q}))()", "pow({} % 9, 3, 7)",
	"int(bool({}))", "len(\"\".join([str({q}) for {q} in [{}, {}]]))", "sum([[{}, 1], [2, {}]][1])", "sum([1, 2, 3, 4, 5][{} % 5:])", "len(\"abcdef\"[{} % 3:-1:2])",
	"max([{}], default=3)", "int(type({}) == int)", "int(type({}) is int)", "len(type({}).__name__)", "{True: {}, False: {}}[{} > 3]", "[{}, {}][int({} > 2)]",
}

// ofObjects are such with {} for instances of the classes.
var ofObjects = []string{
	"({} @ 3)", "(2 @ {})", "abs({})", "(-{}).n", "(+{}).n", "(~{}).n", "int({})", "int(float({}))", "round({})", "round({}, 1)", "divmod({}, 2)[0]", "(2 ** {})",
	"({} ** 2)", "(7 // {})", "({} / 2)", "len(str({}) + repr({}))", "int({} is {})", "int(isinstance({}, B))", "int(issubclass(type({}), C))", "int(type({}) is A)",
	"int(hasattr({}, \"zeta\"))", "getattr({}, \"zeta\", 4)", "vars({})[\"n\"]", "{}.__dict__[\"n\"]", "len({}.__class__.__name__)", "type({}).k", "(lambda p: p.n)({})", "{}.add(x=3)",
	"sorted([{}, {}])[0].n", "max([{}, {}]).n", "{}.add.__self__.n", "int({} in [{}, 3])", "int({} == {} == {})", "int([{}] == [{}])", "A.add({}, 3)", "len([*{}])", "sum(p for p in {})",
	"int(bool({}))", "int(callable({}))", "len(\"%s %r\" % ({}, {}))", "(lambda p: len(f\"{p}|{p!r}\"))({})", "range({})[-1]", "len([1, 2, 3][{}:])", "hex({}).count(\"x\")",
}

// texts are statements that print, with {} for numbers.
var texts = []string{
	"print((lambda p, q: f\"{p:04d} {q:+} {p!r:>6} {p * q:,} {p / 4:.2f} {q:x}\")({}, {}))", "print(repr(\"a\" + str({})), \"x\".join([str({}), \"b\"]))",
	"print(\"abc\"[({}) % 3:], \"Hello\".upper(), \"x=%5.2f\" % ({}))", "print({}, {}, sep=\"-\", end=\";\\n\")", "print(*[{}, {}], sep=\",\")",
	"print([{}, \"t\", None, True, 1.5, (1,), {\"k\": {}}])", "print(sorted({{}, {}}), {} / 4, {} // 4.0, 7.25 % -({} % 5 + 1.5))", "print({{}: 1, \"a\": [{}]}, (), [], ({},))",
	"print([(i, c) for i, c in enumerate(\"ab\", {})], list(zip(range(3), \"xy\")))", "print(\"%s|%5d|%-5s|%r\" % ({}, {}, {}, \"q\"))", "print(\"a b c\".split(), \"a,b\".partition(\",\"), {})",
	"print(2 ** 65 + {}, -(2 ** 65) // 3, 10 ** 25 % ({} % 7 + 1))", "print([type(q9).__name__ for q9 in [{}, \"\", None, 1.5, [], (), A]])",
}

// uses are statements that use what lists, dicts and functions can do, with {} for numbers and {f}
// for a name of their own.
var uses = []string{
	"{f} = list(range(6)); {f}[1:3] = [{}, 7, 8]; {f}[::3] = [0] * len({f}[::3]); del {f}[::2]; print({f})", "{f} = [{}, 3]; {f} += [{}]; {f} *= 2; {f}.sort(reverse=True); print({f}, {f}.pop(), {f}[-1])",
	"{f} = {\"a\": {}}; {f}.update(b={}); {f}[\"a\"] += 1; print({f}, list({f}.items()), {f}.pop(\"b\"), \"a\" in {f})", "{f} = {f}2 = {}; print({f} is {f}2, {f}2)",
	"({f}, {f}2), [{f}3, {f}4] = (1, {}), [3, {}]; print({f}, {f}2, {f}3, {f}4)", "{f}, *{f}2 = \"hello\"; print({f}, {f}2, {})",
	"def {f}(p, *q, r=3, **s):\n    return p, q, r, sorted(s)\nprint({f}({}), {f}(1, {}, 3, r={}, t=5), {f}(*[1, 2], **{\"u\": 3}))",
	"def {f}(p, /, q, *, r): return p - q * r\nprint({f}({}, q={}, r=2))", "def {f}(p=[]):\n    p.append({})\n    return len(p)\nprint({f}(), {f}(), {f}([]))",
	"def {f}(n): return 1 if n <= 1 else n * {f}(n - 1)\nprint({f}({} % 30))", "def {f}(): return {f}.count\n{f}.count = {}\n{f}.count += 1\nprint({f}(), {f}.__name__)",
	"{f} = lambda p: p + {}\n{f}.name = \"f\"\nprint({f}.name, {f}(2), hasattr({f}, \"zeta\"))", "{f} = [(lambda p=p: p * {}) for p in range(3)]\nprint([q() for q in {f}])",
	"{f} = [lambda: p for p in range(3)]\nprint([q() for q in {f}], {})", "def {f}(g):\n    def inner(*a, **k):\n        print(\"call\", g.__name__)\n        return g(*a, **k)\n    return inner\n@{f}\ndef {f}2(p):\n    return p + {}\nprint({f}2(3))",
	"try:\n    try:\n        {} // 0\n    except ZeroDivisionError as e:\n        raise ValueError(\"bad\") from e\nexcept ValueError as e:\n    print(type(e.__cause__).__name__, type(e.__context__).__name__, e.args)",
	"try:\n    raise E2({})\nexcept E1 as e:\n    print(e, repr(e), e.args, e.x, isinstance(e, Exception))", "for {f}, (p, q) in enumerate([(1, {}), (3, 4)]): print({f}, p, q)",
	"{f} = 0\nfor p in [5, 1, {}]:\n    {f} = ({f} if p > 2 else p) + p\nprint({f})", "for p in range(3):\n    {f} = ({} if p == 0 else {f}) + p\nprint({f})",
	"{f} = []\nfor p in [1, 2, 3]:\n    {f}.append(p * {})\n    if len({f}) == 2: break\nelse:\n    print(\"all\")\nprint({f})", "{f} = dict.fromkeys([1, 2], {}); print({f}, {f} == {1: 1, 2: 1}, len({f}))",
	"{f} = sorted([\"b\", \"A\", \"c\"], key=str.lower); print({f}, list(map(str, [{}, 2])), list(map(str.upper, \"ab\")))", "print(list(map(int, [\"1\", \"2\"])), sum(map(float, [\"1.5\", {}])))",
	"class {f}(dict):\n    def __getattr__(self, k): return self[k]\n    def twice(self): return {p: 2 * v for p, v in self.items()}\nz9 = {f}(a={})\nz9[\"b\"] = 3\nprint(z9, z9.a, len(z9), list(z9), z9.twice(), \"a\" in z9, z9.get(\"q\", 5), isinstance(z9, dict), z9 == {\"b\": 3, \"a\": 1})",
	"class {f}(list):\n    def total(self): return sum(self)\nz9 = {f}([1, {}])\nz9.append(3)\nprint(z9, z9.total(), len(z9), z9[0], z9[1:], isinstance(z9, list), [p for p in z9], z9 + [1], sorted(z9), 3 in z9)",
	"class {f}(Exception):\n    def __init__(self, code, msg=\"none\"):\n        self.code = code\n        self.msg = msg\ntry:\n    raise {f}({}, msg=\"m\")\nexcept {f} as e:\n    print(e.code, e.msg, e.args, str(e))",
	"class {f}:\n    items = []\n    count = 0\n    def __init__(self):\n        {f}.count += 1\n        self.items.append({})\nprint([{f}() and {f}.count for p in range(2)], {f}.items)",
	"class {f}(object):\n    class Inner:\n        v = {}\n    def get(self): return self.Inner.v\nprint({f}().get(), {f}.Inner.__name__, {f}.Inner.__qualname__ if False else 0)",
	"with Ctx(1, True):\n    print([p for p in range({} % 4)])\n    1 // 0", "global_{f} = {}\ndef {f}():\n    global total\n    total += 1\n    return total\nprint({f}(), total)",
	"if (p := {}) > 3 and (q := p + 1): print(p, q)\nelse: print(p)", "while (p := {} % 2) and False: pass\nprint(p)", "print([p for q in [[1, {}], [3]] for p in q if p != 2], {p: q for p, q in zip(\"ab\", [{}, 2])})",
	"assert {} != 12345, \"never\"", "{f} = \"\"\nfor c in \"héllo\": {f} = c + {f}\nprint({f}, len({f}), {f}[{} % 5])", "{f} = iter([1, 2, {}]); print(next({f}), next({f}), next({f}), next({f}, \"end\"))",
	"x: int = {}\ndef {f}(p: int = 3, *, q: \"text\" = None) -> int: return p\nprint({f}(), x)",
}

// generators are statements that use generators.
var generators = []string{
	"def {f}():\n    p = yield 1\n    print(\"got\", p)\n    q = yield p\n    print(\"got\", q)\n    return 5\ng9 = {f}()\nprint(next(g9), g9.send({}))\ntry:\n    g9.send({})\nexcept StopIteration as e:\n    print(\"stop\", e.value)",
	"def {f}():\n    try:\n        yield {}\n        yield 2\n    finally:\n        print(\"closed\")\ng9 = {f}()\nprint(next(g9))\ng9.close()\nprint(list(g9))",
	"def {f}():\n    while True:\n        try:\n            p = yield {}\n        except ValueError as e:\n            print(\"caught\", type(e).__name__)\n            p = None\n        if p is None: return\ng9 = {f}()\nprint(next(g9))\ntry:\n    print(g9.throw(ValueError(\"v\")))\nexcept StopIteration:\n    print(\"stop\")",
	"def {f}(n):\n    if n > 0:\n        yield n\n        yield from {f}(n - 1)\nprint(list({f}({} % 5)))", "def {f}():\n    r = yield from inner()\n    print(\"r\", r)\ndef inner():\n    yield {}\n    return 7\nprint(list({f}()))",
	"def {f}():\n    for p in range(3):\n        yield p, {}\nprint(dict({f}()), [q for p, q in {f}()])",
	"def {f}():\n    yield {}\n    1 // 0\ng9 = {f}()\nprint(next(g9))\ntry:\n    next(g9)\nexcept ZeroDivisionError:\n    print(\"zero\")\nprint(list(g9))", "def {f}():\n    yield 1\n[a9] = {f}()\nprint(a9, {}, *{f}())",
}

// statement returns one of the texts with its places filled.
func (g *scribe) statement(list []string, of func() string) string {
	parts := strings.Split(list[g.IntN(len(list))], "{}")
	for i := range parts[1:] {
		parts[i] += of()
	}
	return strings.Join(parts, "")
}

// spelled returns such an expression.
func (g *scribe) spelled(list []string, of func() string) string {
	return "(" + strings.ReplaceAll(g.statement(list, of), "{q}", g.name("q")) + ")"
}
