package lower_test

import "strings"

// failures are statements that fail, with {v} for a variable that is a number. Their classes are
// CPython's, and the names and types that its messages quote stand in ours.
var failures = []string{
	"del undefined_name", "print({v}.nothing)", "print(\"a\".nothing)", "print([].nothing)", "print(None.nothing)", "print(A.nothing)",
	"print(A(1).nothing)", "print(len.nothing)", "del A(1).nothing", "A(1).missing2", "(lambda: 1).nothing", "{}.nothing", "A()",
	"A(1, 2, 3)", "A(1).add()", "A(1).add(1, 2)", "A(1).add(y=2)", "(lambda p: p)()", "(lambda p: p)(1, 2)", "(lambda p, q=1: p)(1, 2, 3)",
	"(lambda p: p)(1, p=2)", "(lambda p: p)(1, zz=2)", "(lambda *, key: key)()", "(lambda *, key: key)(1)", "E2()", "Ctx(1)", "len()", "len(1, 2)",
	"[1, 2][9]", "(1, 2)[-9]", "\"abc\"[9]", "{}[\"key\"]", "{1: 2}[3]", "{1: 2}.pop(5)", "{}.popitem()", "[].pop()", "[1].pop(7)", "[1].remove(7)",
	"[1].index(9)", "\"abc\".index(\"z\")", "(1,).index(4)", "[1, 2][\"i\"]", "\"ab\"[\"i\"]", "(1,)[\"i\"]", "[1][None]", "1[0]", "None[0]",
	"A(1)[{v}:\"a\"]", "len[0]", "x9 = [1]; x9[3] = 2", "x9 = (1, 2); x9[0] = 2", "x9 = \"abc\"; x9[0] = \"z\"", "x9 = 5; x9[0] = 2",
	"x9 = {}; del x9[\"key\"]", "x9 = [1]; del x9[4]", "x9 = (1,); del x9[0]", "x9 = {}; x9[[]] = 1", "x9 = {[]: 1}", "x9 = {{1, 2}: 1}",
	"x9 = {1, [2]}", "hash([])", "int(\"word\")", "int(\"\")", "float(\"word\")", "int([])", "float([])", "int(None)", "float(None)", "int(\"12\", 40)",
	"int(float(\"nan\"))", "int(float(\"inf\"))", "1 + \"a\"", "\"a\" + 1", "[1] + (2,)", "None + 1", "{} + 1", "[] - []", "\"a\" * \"b\"", "\"a\" - 1",
	"1 // \"a\"", "2 ** \"a\"", "1 << \"a\"", "1.5 & 2", "1 @ 2", "A(1) / 2", "2 / A(1)", "-\"a\"", "~1.5", "-[]", "-None", "+A(1)", "abs(\"a\")",
	"abs(None)", "round(\"a\")", "x9 = 1; x9 += \"a\"", "x9 = None; x9 += 1", "x9 = [1]; x9 += 5", "1 < \"a\"", "[] < 1", "None < 1", "{} < {}",
	"A(1) > \"a\"", "[1, \"a\"] < [1, 2]", "sorted([1, \"a\"])", "sorted([None, 1])", "max(1, \"a\")", "min([])", "max([])", "1 in 5", "\"a\" in 5",
	"1 in \"abc\"", "len(5)", "len(None)", "for q9 in 5: pass", "for q9 in None: pass", "list(5)", "tuple(None)", "set(1)", "dict(5)",
	"dict([5])", "dict([(1, 2, 3)])", "sum(5)", "sum([\"a\"])", "sum([1], \"a\")", "iter(5)", "next(5)", "next(iter([]))", "next(x9 for x9 in [])",
	"enumerate(5)", "zip(1)", "sorted(5)", "reversed(5)", "any(5)", "[*5]", "{**5}", "print(*5)", "(lambda **k: 1)(**5)", "(lambda *k: 1)(*5)",
	"\"a\".join([1])", "\"a\".join(5)", "\",\".split(5)", "x9, y9 = 1", "x9, y9 = 1, 2, 3", "x9, y9, z9 = [1]", "x9, *y9, z9 = [1]", "x9, y9 = None",
	"for x9, y9 in [1]: pass", "for x9, y9 in [(1, 2, 3)]: pass", "1()", "None()", "\"a\"()", "[]()", "A(1).n()", "{}()", "1 / 0", "{v} // 0",
	"{v} % 0", "1.5 / 0", "1.5 // 0", "1.5 % 0", "divmod({v}, 0)", "0 ** -1", "0.0 ** -1", "pow(2, 3, 0)", "1 << -1", "1 >> -1", "2.0 ** 5000",
	"raise E1(\"the name 'zeta'\")", "raise ValueError", "raise KeyError(\"zeta\")", "raise E2(3)", "raise E3()", "raise 1", "raise \"text\"",
	"raise A(1)", "raise", "raise E1(\"a\") from ValueError(\"b\")", "raise E1(\"a\") from None", "raise E1 from 5", "raise StopIteration(3)",
	"raise NotImplementedError(\"'later'\")", "raise OSError(\"disk\")", "assert {v} == 9999", "assert False, \"the reason 'zeta'\"", "assert [], 5",
	"range(1, 2, 0)", "range(\"a\")", "range(1.5)", "[1, 2][::0]", "\"abc\"[::0]", "chr(-1)", "chr(\"a\")", "ord(\"ab\")", "ord(5)", "\"%d\" % \"a\"",
	"\"%s %s\" % 1", "\"%s\" % (1, 2)", "\"%(key)s\" % {}", "\"{} {}\".format(1)", "\"{key}\".format(a=1)", "f\"{'a':d}\"",
	"isinstance(1, 2)", "issubclass(1, int)", "getattr(A(1), \"zeta\")", "setattr(5, \"zeta\", 1)", "getattr(A(1), 5)", "vars(5)", "bytes([300])",
	"import math; math.sqrt(-1)", "import math; math.sqrt(\"a\")", "import math; math.log(0)",
	"import math; math.floor(\"a\")", "open(\"/absent/file\")",
	"import os; os.listdir(\"/absent\")", "A(1).prop = 1", "super(5, 5)", "class X9(5): pass", "class X9(A, A): pass", "class X9(A, B): pass",
	"A.__mro__.x", "object(5)", "A(1).add.x = 5", "x9 = 5; x9.attr = 1", "x9 = []; x9.attr = 1", "len.attr = 1", "x9 = \"a\"; x9.attr = 1",
	"with 5: pass", "with A(1): pass", "[x9 for x9 in 5]", "{x9: 1 for x9 in [[]]}", "{x9 for x9 in [[]]}", "list(map(5, [1]))",
	"list(filter(len, [1]))", "sorted([1], key=5)", "[].sort(5)", "[1].sort(key=5)", "[1].append()", "[].insert(1)", "[].extend(5)", "{}.update(5)",
	"{}.get()", "{}.get([])", "set().remove(1)", "set([1]).add([])", "\"a\".replace(1)", "\"a\".replace(1, 2)", "\"a\".startswith(5)",
	"\"a\".zfill(\"b\")", "\"abc\".rindex(\"z\")", "\"a\".split(\"\")", "\"é\".encode(\"ascii\")", "[x9.k for x9 in [A(1), 5]]",
	"print(f\"{1 + 'a'}\")", "def f9():\n    print(x8)\n    x8 = 1\nf9()", "def f9(n):\n    return f9(n + 1)\nf9(0)",
	"def f9():\n    yield 1\n    1 / 0\nlist(f9())", "def f9():\n    raise StopIteration\n    yield 1\nnext(f9())", "def f9(p, *, q): pass\nf9(1)",
	"def f9(p, q): pass\nf9(*[1, 2, 3])", "def f9(p, q): pass\nf9(**{\"p\": 1, \"r\": 2})",
	"class X9:\n    def __init__(self): return 5\nX9()", "class X9:\n    def __len__(self): return -1\nlen(X9())",
	"class X9:\n    def __len__(self): return \"a\"\nlen(X9())", "class X9:\n    def __str__(self): return 5\nstr(X9())",
	"class X9:\n    def __repr__(self): return 5\nrepr(X9())", "class X9:\n    def __iter__(self): return 5\nlist(X9())",
	"class X9:\n    def __hash__(self): return \"a\"\nhash(X9())", "class X9:\n    def __eq__(self, o): return True\nhash(X9())",
	"class X9:\n    def __bool__(self): return 5\nbool(X9())", "class X9:\n    def __enter__(self): return 1\nwith X9(): pass",
	"class X9:\n    def __getattr__(self, n): raise AttributeError(n)\nX9().zeta", "class X9:\n    def m(): pass\nX9().m()",
	"class X9:\n    @property\n    def p(self): return 1\nX9().p = 2", "class X9:\n    @property\n    def p(self): return 1\ndel X9().p",
	"class X9(Exception):\n    def __init__(self, a, b): pass\nraise X9(1)", "class X9:\n    def __iter__(self): return self\nfor q in X9(): pass",
	"class X9: pass\nX9(1)", "class X9: pass\nX9()()", "class X9: pass\nX9()[0]", "class X9: pass\nX9()[0] = 1", "class X9: pass\ndel X9()[0]",
	"class X9: pass\nlen(X9())", "class X9: pass\nlist(X9())", "class X9: pass\n1 in X9()", "class X9: pass\nX9() + 1", "class X9: pass\nX9() < X9()",
	"class X9: pass\nint(X9())", "class X9: pass\nX9() @ 1", "class X9: pass\n-X9()", "class X9: pass\nX9() ** 2", "class X9: pass\nnext(X9())",
	"class X9: pass\nX9.zeta()", "class X9: pass\nsuper(X9, 5).zeta", "class X9: pass\n[1, 2][X9()]", "class X9: pass\nrange(X9())",
	"class X9:\n    def __getattr__(self, n): return self.zeta\nX9().q",
}

// foundEarly are those that are found here before anything runs.
var foundEarly = []string{
	"import absent_module", "from math import absent_name", "import math; math.absent",
	"print(undefined_name)", "undefined_name.x = 1", "undefined_name += 1", "(lambda: undefined_name)()", "A(undefined_name)",
	"print(f\"{undefined_name}\")",
}

// failing returns a statement that fails.
func (g *scribe) failing(a around) string {
	return strings.ReplaceAll(failures[g.IntN(len(failures))], "{v}", g.one(a.vars...))
}
