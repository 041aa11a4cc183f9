package assist

import "github.com/arignote/arignote/starlib/parse"

// standardSyntax is the statements and expressions that help is asked for. words are what help()
// finds them by, besides their form.
var standardSyntax = []struct{ form, words, doc, example string }{
	{"def f(x, *args, key=None, **kwargs):", "def function return", "Defines a function; return gives its value, None without one.",
		"def f(x, y=1): return x + y\nf(2) # 3"},
	{"lambda x: x + 1", "lambda", "A function of one expression.", "(lambda x: x + 1)(2) # 3"},
	{"if x: ... elif y: ... else: ...", "if elif else", "Runs one of several blocks; also at the top level of a cell.",
		"\"big\" if 3 > 2 else \"small\" # \"big\""},
	{"for x in xs:", "for in break continue", "Runs a block for each element of a list, dict, array, ...; also at the top level.",
		"for i in range(3): last = i\nlast # 2"},
	{"while x:", "while", "Runs a block as long as x is true.", "n = 1\nwhile n < 100: n *= 2\nn # 128"},
	{"[x * 2 for x in xs if x]", "comprehension list", "A list made from another; {k: v for ...} makes a dict.",
		"[x * 2 for x in [1, 0, 3] if x] # [2, 6]"},
	{"x[1:-1]", "slice slicing subscript", "A part of a list, tuple, string, bytes or array; x[::-1] is it backwards.",
		"[1, 2, 3, 4][1:-1] # [2, 3]"},
	{`load("file.star", "name")`, "load module", "Takes names from a file: load(\"file.star\", \"f\", g=\"long_name\"). Names of files begin at the " +
		"directory of the file that loads.", ""},
	{`"%.3f" % x`, "format formatting", "Text with values in it, as in Python; \"{:.3f}\".format(x) and f\"{x:.3f}\" are others.",
		"\"%.3f\" % 0.5 # \"0.500\""},
	{"x += 1", "augmented += -= *= /= //= %= &= |= ^= <<= >>=",
		"Assigns x + 1 to x. A list is extended in place, an array changed in its elements.", "x = 1\nx += 2\nx # 3"},
}

// extendedSyntax is what package parse adds to Starlark.
var extendedSyntax = map[parse.Construct]struct{ words, doc, example string }{
	parse.Power:           {"** power", "x to the power y.", "2 ** 10 # 1024"},
	parse.MatMul:          {"@ matmul", "The matrix product of arrays or symbolic variables.", "np.eye(2) @ [3, 4] # array([3., 4.])"},
	parse.AugmentedPower:  {"**=", "x to the power y, assigned to x.", "x = 3\nx **= 2\nx # 9"},
	parse.AugmentedMatMul: {"@=", "The matrix product, assigned to x.", "x = np.eye(2)\nx @= np.ones((2, 2))\nx.sum() # 4.0"},
	parse.Subscripts:      {": [:,", "Several subscripts, slices among them: one for each axis.", "np.eye(2)[:, 0] # array([1., 0.])"},
	parse.EllipsisName:    {"Ellipsis", "In a subscript, all axes that are not mentioned.", "np.eye(2)[..., 0] # array([1., 0.])"},
	parse.FormattedString: {"f-string f-strings fstring f\" f'",
		"Text with values in it: {x}, {x!r} as repr, {x:.3f} by a spec, {x=} with the name.",
		"x = 0.5\nf\"{x:.2f} {x=}\" # \"0.50 x=0.5\""},
	parse.AdjacentStrings:  {"", "Strings next to each other are one.", "\"a\" \"b\" # \"ab\""},
	parse.StringPrefix:     {"", "The same as without u; the letters of a prefix may be capitals, and stand in any order: R, bR, Fr.", "R\"\\d\" # \"\\\\d\""},
	parse.UnknownEscape:    {"", "A backslash before what is no escape stays: regular expressions and LaTeX. Python warns of it; r\"\\s\" is better.", "len(\"\\s\") # 2"},
	parse.TrailingComma:    {"", "A tuple without parentheses may end with a comma, and has to if it has one element.", "x, = [3]\nx # 3"},
	parse.IsOperator:       {"is", "Whether x and y are the same object; also x is not y.", "None is None # True"},
	parse.ComparisonChain:  {"chain < <=", "Whether each comparison holds; b is computed once.", "1 < 2 < 3 # True"},
	parse.AssignmentChain:  {"", "The same value for several names.", "a = b = 1\na + b # 2"},
	parse.StarTarget:       {"* star unpack", "b takes, as a list, what the other names leave.", "a, *b = [1, 2, 3]\nb # [2, 3]"},
	parse.NestedStar:       {"", "Targets that are tuples may have stars too, in loops and comprehensions as well.", "a, (b, *c) = 1, [2, 3, 4]\nc # [3, 4]"},
	parse.StarElement:      {"", "A list, tuple or set with the elements of x in it.", "x = [1, 2]\n[*x, 3] # [1, 2, 3]"},
	parse.DigitGroups:      {"", "A number with its digits in groups.", "1_000 # 1000"},
	parse.Imaginary:        {"j complex imaginary", "An imaginary number: 1 + 2j is a complex one.", "(1 + 2j) * 1j # (-2+1j)"},
	parse.SetDisplay:       {"set", "A set.", "{1, 2} # set([1, 2])"},
	parse.SetComprehension: {"", "A set made from something else.", "{x * 2 for x in [1, 2]} # set([2, 4])"},
	parse.Generator:        {"generator", "The list of the elements, as an argument.", "sum(x * 2 for x in [1, 2]) # 6"},
	parse.Import: {"import from as", "Binds a module, or names of one: a predeclared one, one of Python's that are here (os, sys, ...), or a file of your own, " +
		"layers.py or layers.star, beside the notebook or script, in a folder of config.import_path or of sys.path. A file runs once, when the import does, and " +
		"again at the next import after it has changed. from layers import * may bring any names, so that in a cell that has one a name that nothing defines " +
		"is found where it is used, and not before the cell runs.",
		"import numpy as n\nn.pi # 3.141592653589793"},
	parse.Annotation: {"annotation ->", "Types of names and parameters are read, and forgotten.", "x: int = 1\nx # 1"},
	parse.PositionalOnly: {"/", "Marks parameters that are given by position; it is read, and forgotten.",
		"def f(x, /): return x\nf(1) # 1"},
	parse.Decorator: {"@ decorator", "Applies f to the function that is defined.", "@str\ndef f(): pass\ntype(f) # <class 'str'>"},
	parse.Try: {"try except finally error exception",
		"Runs a block, and another for its errors: except A as e, except (A, B), except alone for all; else follows a block without error, " +
			"finally any. " +
			"An interrupt is a KeyboardInterrupt, which except Exception does not catch.",
		"try:\n    x = 1 // 0\nexcept ZeroDivisionError as e:\n    x = -1\nx # -1"},
	parse.Raise: {"raise", "Raises an exception: raise ValueError(\"text\"), raise A(1) from e; alone in an except, the one that is handled.",
		"def f(x):\n    if x < 0:\n        raise ValueError(\"negative\")\n    return x\nf(1) # 1"},
	parse.Class: {"class method self __init__", "A class: its functions are methods, and its names members. class B(A) derives from A, whose " +
		"methods super() calls. " +
		"Special methods such as __init__, " +
		"__call__, __getitem__, __iter__, __len__, __eq__, __add__, __enter__ and __getattr__ mean what they mean in Python, and so do __new__, " +
		"__init_subclass__, __set_name__, descriptors and metaclass=.",
		"class A:\n    def __init__(self, x):\n        self.x = x\n    def twice(self):\n        return 2 * self.x\nA(3).twice() # 6"},
	parse.With: {"with", "Enters x by x.__enter__(), runs a block, and leaves by x.__exit__(class, error, None), which has to return True to end the error.",
		"class A:\n    def __enter__(self):\n        return 5\n    def __exit__(self, kind, error, where):\n        pass\nwith A() as x:\n    y = x\ny # 5"},
	parse.Del: {"del delete", "Deletes names, elements, slices and attributes.", "x = [1, 2, 3]\ndel x[0]\nx # [2, 3]"},
	parse.Global: {"global", "Names that a function assigns to are global.",
		"n = 0\ndef f():\n    global n\n    n += 1\nf()\nn # 1"},
	parse.Nonlocal: {"nonlocal", "Names that a function assigns to are those of the function around it.",
		"def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    g()\n    return n\nf() # 1"},
	parse.LoopElse: {"else", "A block that runs unless the loop was left by break.",
		"for x in [1, 2]:\n    if x > 5: break\nelse:\n    x = 0\nx # 0"},
	parse.Walrus: {":= walrus", "Assigns in parentheses or in a condition.", "(x := 2) + x # 4"},
	parse.SpreadArguments: {"args kwargs", "The elements of x as arguments by position, the entries of a mapping y as ones by keyword: f(**y); any number of both.",
		"def f(*args, **kw): return len(args) + len(kw)\nf(*[1, 2], 3, *[4], a=5, **{\"b\": 6}, **{\"c\": 7}) # 7"},
	parse.DictSpread: {"{**", "A dict with the entries of others; later ones win.", "d = {\"a\": 1}\n{**d, \"b\": 2} # {\"a\": 1, \"b\": 2}"},
	parse.Yield: {"yield generator", "Makes the function a generator function: it returns an iterator, " +
		"and runs up to the next yield whenever that is asked for an element. yield has the value None.",
		"def f(n):\n    for i in range(n):\n        yield i * i\nlist(f(3)) # [0, 1, 4]"},
	parse.LoadName:      {"load", "A name as any other, where it does not begin a load statement.", "load = len\nload([1]) # 1"},
	parse.LoadAttribute: {"", "An attribute with the name of a statement.", "np.load.__name__ # \"load\""},
	parse.Assert:        {"assert", "Fails if x is false; a message may follow a comma.", "assert 1 < 2, \"no\"\n\"so\" # \"so\""},
}
