package session

import (
	"cmp"
	"strings"
)

// habits are names that Python's users type and that do not exist here, with what to do instead. A row may be of several names.
var habits = []struct{ names, way string }{
	{"open", "use np.load, np.loadtxt, np.save or np.savetxt for files of data, and load(\"file.star\", \"name\") for code"},
	{"eval exec compile __import__", "code cannot be made from text; load(\"file.star\", \"name\") loads a file"},
	{"reduce", "use sum, min, max, or a loop"},
	{"xrange", "use range"},
	{"raw_input", "use input"},
	{"unicode basestring", "use str"},
	{"long", "use int, which has no limit"},
	{"complex", "there are no complex numbers"},
	{"id", "compare values with =="},
	{"globals locals vars", "%who lists the names of the session, dir(x) the attributes of a value"},
	{"object super property classmethod staticmethod", "there are no classes; use struct(...) and functions"},
	{"frozenset", "use set or tuple"},
	{"bytearray memoryview", "use bytes, or np.array of dtype \"uint8\""},
	{"setattr delattr", "attributes do not change; make another struct(...), or use a dict"},
	{"exit quit", "close the kernel, or the window; in a terminal, press Ctrl-D"},
	{"BaseException Exception ArithmeticError AssertionError AttributeError EOFError FileNotFoundError FloatingPointError " +
		"IOError ImportError " +
		"IndexError KeyError KeyboardInterrupt LookupError MemoryError NameError NotImplementedError OSError OverflowError " +
		"RuntimeError StopIteration TypeError ValueError ZeroDivisionError Warning UserWarning",
		"there are no exceptions; fail(msg) ends the cell"},
	{"NotImplemented", "fail(msg) ends the cell"},
	{"deepcopy", "use x.copy(), or json.loads(json.dumps(x)) for what is nested"},
	{"partial", "use lambda"},
	{"defaultdict Counter OrderedDict namedtuple deque",
		"dicts keep their order, d.setdefault(k, v) adds what is missing, struct(...) has fields"},
	{"datetime", "use time.now() and time.strftime"},
	{"Decimal decimal fractions Fraction", "ints have no limit; floats are of 64 bits"},
	{"breakpoint", "use print"},
	{"ascii", "use repr"},
	{"null nil", "use None"},
	{"assert", "it takes one test: assert x, message"},
	{"aiter anext", "use iter and next"},
	{"In Out", "notebooks and the prompt keep cells and results; in a file give them names"},
	{"__name__ __file__", "a file is run, or loaded by load; it has no name of its own"},
}

// moduleNames are the names that modules are imported by: importHints has what to use instead.
var moduleNames = map[string]string{
	"pd": "pandas", "plt": "matplotlib", "pyplot": "matplotlib", "tf": "tensorflow", "jnp": "jax",
}

// wayOut returns what to do instead of using a name of Python's, "" if nothing is known.
func wayOut(name string) string {
	for _, h := range habits {
		for n := range strings.FieldsSeq(h.names) {
			if n == name {
				return h.way
			}
		}
	}
	return importHints[cmp.Or(moduleNames[name], name)]
}
