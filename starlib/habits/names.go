package habits

// names are Python's, of functions, types and modules, that do not exist here.
var names = []Row{
	{Pattern: "os sys argparse collections copy csv functools gzip itertools logging pickle cPickle timeit warnings", Hint: "import it before", Example: "copy"},
	{Pattern: "OrderedDict Counter defaultdict deque namedtuple", Hint: "it is in collections", Example: "OrderedDict()"},
	{Pattern: "reduce", Hint: "it is in functools; or use sum, min, max", Example: "reduce(lambda x, y: x + y, [1, 2])"},
	{Pattern: "xrange", Hint: "use range", Example: "xrange(3)"},
	{Pattern: "raw_input", Hint: "use input", Example: "raw_input()"},
	{Pattern: "unicode basestring", Hint: "use str", Example: "unicode(1)"},
	{Pattern: "long", Hint: "use int, which has no limit", Example: "long(1)"},
	{Pattern: "bytearray memoryview", Hint: "use bytes, or np.array of dtype \"uint8\"", Example: "bytearray(3)"},
	{Pattern: "exit quit", Hint: "sys.exit() ends a script; close the kernel, or the window; in a terminal, press Ctrl-D", Example: "exit()"},
	{Pattern: "deepcopy", Hint: "it is in copy", Example: "deepcopy([1])"},
	{Pattern: "partial", Hint: "it is in functools", Example: "partial(len, [])"},
	{Pattern: "datetime", Hint: "from datetime import datetime", Example: "datetime.now()"},
	{Pattern: "Decimal decimal fractions Fraction", Hint: "ints have no limit; floats are of 64 bits", Example: `Decimal("0.1")`},
	{Pattern: "ascii", Hint: "use repr", Example: `ascii("x")`},
	{Pattern: "null nil", Hint: "use None", Example: "null"},
	{Pattern: "assert", Hint: "it takes one test: assert x, message", Example: "assert"},
	{Pattern: "aiter anext", Hint: "use iter and next", Example: "aiter([1])"},
	{Pattern: "In Out", Hint: "notebooks and the prompt keep cells and results; in a file give them names", Example: "In[1]"},
	{Pattern: "__file__", Hint: "a cell is in no file; os.getcwd() is the folder that it runs in", Example: "__file__"},
}
