package habits

// names are Python's, of functions, types and modules, that do not exist here.
var names = []Row{
	{Pattern: "open",
		Hint: "use np.load, np.loadtxt, np.save or np.savetxt for files of data, and load(\"file.star\", \"name\") for code", Example: `open("x.txt")`},
	{Pattern: "eval exec compile __import__",
		Hint: "code cannot be made from text; load(\"file.star\", \"name\") loads a file", Example: `eval("1 + 1")`},
	{Pattern: "reduce", Hint: "use sum, min, max, or a loop", Example: "reduce(lambda x, y: x + y, [1, 2])"},
	{Pattern: "xrange", Hint: "use range", Example: "xrange(3)"},
	{Pattern: "raw_input", Hint: "use input", Example: "raw_input()"},
	{Pattern: "unicode basestring", Hint: "use str", Example: "unicode(1)"},
	{Pattern: "long", Hint: "use int, which has no limit", Example: "long(1)"},
	{Pattern: "complex", Hint: "there are no complex numbers", Example: "complex(1, 2)"},
	{Pattern: "id", Hint: "compare values with ==", Example: "id(1)"},
	{Pattern: "globals locals vars", Hint: "%who lists the names of the session, dir(x) the attributes of a value", Example: "globals()"},
	{Pattern: "object super property classmethod staticmethod", Hint: "there are no classes; use struct(...) and functions", Example: "object()"},
	{Pattern: "frozenset", Hint: "use set or tuple", Example: "frozenset([1])"},
	{Pattern: "bytearray memoryview", Hint: "use bytes, or np.array of dtype \"uint8\"", Example: "bytearray(3)"},
	{Pattern: "setattr delattr", Hint: "attributes do not change; make another struct(...), or use a dict", Example: `setattr(1, "x", 2)`},
	{Pattern: "exit quit", Hint: "close the kernel, or the window; in a terminal, press Ctrl-D", Example: "exit()"},
	{Pattern: "BaseException Exception ArithmeticError AssertionError AttributeError EOFError FileNotFoundError FloatingPointError " +
		"IOError ImportError " +
		"IndexError KeyError KeyboardInterrupt LookupError MemoryError NameError NotImplementedError OSError OverflowError " +
		"RuntimeError StopIteration TypeError ValueError ZeroDivisionError Warning UserWarning",
		Hint: "there are no exceptions; fail(msg) ends the cell, and CheckAndRaise takes the name in quotes", Example: `ValueError("x")`},
	{Pattern: "NotImplemented", Hint: "fail(msg) ends the cell", Example: "NotImplemented"},
	{Pattern: "deepcopy", Hint: "use x.copy(), or json.loads(json.dumps(x)) for what is nested", Example: "deepcopy([1])"},
	{Pattern: "partial", Hint: "use lambda", Example: "partial(len, [])"},
	{Pattern: "defaultdict Counter OrderedDict namedtuple deque",
		Hint: "dicts keep their order, d.setdefault(k, v) adds what is missing, struct(...) has fields", Example: `Counter("abc")`},
	{Pattern: "datetime", Hint: "use time.now() and time.strftime", Example: "datetime.now()"},
	{Pattern: "Decimal decimal fractions Fraction", Hint: "ints have no limit; floats are of 64 bits", Example: `Decimal("0.1")`},
	{Pattern: "breakpoint", Hint: "use print", Example: "breakpoint()"},
	{Pattern: "ascii", Hint: "use repr", Example: `ascii("x")`},
	{Pattern: "null nil", Hint: "use None", Example: "null"},
	{Pattern: "assert", Hint: "it takes one test: assert x, message", Example: "assert"},
	{Pattern: "aiter anext", Hint: "use iter and next", Example: "aiter([1])"},
	{Pattern: "In Out", Hint: "notebooks and the prompt keep cells and results; in a file give them names", Example: "In[1]"},
	{Pattern: "__name__ __file__", Hint: "a file is run, or loaded by load; it has no name of its own", Example: "__name__"},
}
