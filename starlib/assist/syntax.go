package assist

import "github.com/arignote/arignote/starlib/parse"

// standardSyntax is the statements and expressions that help is asked for. words are what help() finds them by, besides their form.
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
	parse.UnicodeString:    {"", "The same as without u.", "u\"a\" # \"a\""},
	parse.IsOperator:       {"is", "Whether x and y are the same object; also x is not y.", "None is None # True"},
	parse.ComparisonChain:  {"chain < <=", "Whether each comparison holds; b is computed once.", "1 < 2 < 3 # True"},
	parse.AssignmentChain:  {"", "The same value for several names.", "a = b = 1\na + b # 2"},
	parse.StarTarget:       {"* star unpack", "b takes, as a list, what the other names leave.", "a, *b = [1, 2, 3]\nb # [2, 3]"},
	parse.StarElement:      {"", "A list, tuple or set with the elements of x in it.", "x = [1, 2]\n[*x, 3] # [1, 2, 3]"},
	parse.DigitGroups:      {"", "A number with its digits in groups.", "1_000 # 1000"},
	parse.SetDisplay:       {"set", "A set.", "{1, 2} # set([1, 2])"},
	parse.SetComprehension: {"", "A set made from something else.", "{x * 2 for x in [1, 2]} # set([2, 4])"},
	parse.Generator:        {"generator", "The list of the elements, as an argument.", "sum(x * 2 for x in [1, 2]) # 6"},
	parse.Import: {"import from as", "Gives a predeclared module another name. There is nothing else to import.",
		"import numpy as n\nn.pi # 3.141592653589793"},
	parse.Annotation: {"annotation ->", "Types of names and parameters are read, and forgotten.", "x: int = 1\nx # 1"},
	parse.PositionalOnly: {"/", "Marks parameters that are given by position; it is read, and forgotten.",
		"def f(x, /): return x\nf(1) # 1"},
	parse.Decorator: {"@ decorator", "Applies f to the function that is defined.", "@str\ndef f(): pass\ntype(f) # \"string\""},
	parse.Assert:    {"assert", "Fails if x is false; a message may follow a comma.", "assert 1 < 2, \"no\"\n\"so\" # \"so\""},
}
