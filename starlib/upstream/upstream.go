// Package upstream knows the messages of go.starlark.net that decide what is done with an error: upstream gives these errors no type.
//
// A message is a row with a program that makes upstream say it, which a test runs: when upstream changes its words, the test says which
// row to change. Messages that only get a hint are in package habits.
package upstream

import "regexp"

// A Message is what upstream says of one kind of error.
type Message struct {
	pattern *regexp.Regexp
	Program string   // what upstream says it of; cancel(reason) cancels the thread, absent is predeclared and has no value
	Groups  []string // what Match gives for that
}

// Messages are all rows.
var Messages []*Message

// row makes a row of a message. The test's Program has to give groups.
func row(pattern, program string, groups ...string) *Message {
	m := &Message{regexp.MustCompile(pattern), program, groups}
	Messages = append(Messages, m)
	return m
}

// What the interpreter says.
var (
	// Cancelled has the reason that the thread was cancelled for.
	Cancelled     = row(`(?s)^Starlark computation cancelled: (.*)$`, `cancel("why")`, "why")
	StackOverflow = row(`Starlark stack overflow`, "def f(): return f()\nf()")
	// NoValue has the name of a predeclared variable that has no value.
	NoValue = row(`^internal error: predeclared variable (.*) is uninitialized$`, "absent", "absent")
	// TooEarly has the name of a global variable that is used before it is assigned.
	TooEarly = row(`^global variable (\S+) referenced before assignment$`, "def f(): return x\nf()\nx = 1", "x")
	// NoKey has the text that a dict does not have as a key.
	NoKey = row(`(?s)^key "(.*)" not in dict$`, `{"a": 1}["b"]`, "b")
	// BadCall has the name of the function that was called with arguments that it does not take.
	BadCall = row(`^function (\S+) (?:accepts|missing|got) `, "def f(x): pass\nf()", "f")
	// NoAttribute has the name that a value has no attribute of.
	NoAttribute = row(`^\S+ has no \.(\w+) field or method`, "{}.iteritems", "iteritems")
	// BadKeyword has the names of a function and of the argument that it has no parameter for.
	BadKeyword = row(`^function (\S+) got an unexpected keyword argument "(.*)"$`, "def f(y): pass\nf(x=1)", "f", "x")
)

// What the resolver says.
var (
	// Undefined has the name that nothing binds.
	Undefined   = row(`^undefined: (\S+)`, "x1", "x1")
	SliceTarget = row(`^can't assign to sliceexpr$`, "x = []\nx[0:1] = []")
)

// Matches reports whether msg is the message.
func (m *Message) Matches(msg string) bool { return m.pattern.MatchString(msg) }

// Match returns the groups of the message, and whether msg is one.
func (m *Message) Match(msg string) (groups []string, ok bool) {
	found := m.pattern.FindStringSubmatch(msg)
	if found == nil {
		return nil, false
	}
	return found[1:], true
}

// Cut returns the first group of the message, or "".
func (m *Message) Cut(msg string) (group string, ok bool) {
	groups, ok := m.Match(msg)
	if !ok || len(groups) == 0 {
		return "", ok
	}
	return groups[0], true
}

// classes are the classes of Python that messages of upstream, and of functions that have no errors of their own type, stand for, the first that
// matches. The programs make upstream say it; a row without one is of messages of ours.
var classes = []struct {
	class   string
	pattern *regexp.Regexp
	program string
}{
	{"ZeroDivisionError", regexp.MustCompile(`division by zero|modulo by zero`), "1 // 0"},
	{"ZeroDivisionError", regexp.MustCompile(`^pow: got 0 to a negative power`), ""},
	{"OverflowError", regexp.MustCompile(`cannot convert float infinity to integer|^pow: the result is too large`), `int(float("inf"))`},
	{"ValueError", regexp.MustCompile(`cannot convert float NaN|^(float: )?invalid float literal|base must be an integer|negative shift count|slice step$`),
		`int(float("nan"))`},
	{"ValueError", regexp.MustCompile(`step argument must not be zero`), "range(1, 2, 0)"},
	{"ValueError", regexp.MustCompile(`Unicode code point -?\d+ out of range`), "chr(-1)"},
	{"ValueError", regexp.MustCompile(`update sequence element #\d+ has length`), "dict([(1, 2, 3)])"},
	{"ValueError", regexp.MustCompile(`^remove: (element not found|\S+ is not in)`), "[1].remove(2)"},
	{"ValueError", regexp.MustCompile(`^r?index: (value not in list|substring not found|.* is not in the \S+$)`), "[1].index(2)"},
	{"ValueError", regexp.MustCompile(`^split: empty separator|^bytes: at index|^(min|max): got an empty|^pow: got mod 0|format "?[^:]*"?: got ` +
		`(type \S+ for a string|"\S+", want \[\[)`), ""},
	{"ValueError", regexp.MustCompile(`^math\.\w+: got \S+, want a number [<>]|^math\.\w+: got .*, want (finite|a finite)|^json\.`), ""},
	{"UnicodeEncodeError", regexp.MustCompile(`^encode: got .* does not have`), ""},
	{"KeyError", regexp.MustCompile(`^format: key .* is not in the dict`), ""},
	{"TypeError", regexp.MustCompile(`^float got \S+, want`), "float([])"},
	{"TypeError", regexp.MustCompile(`argument after \*+ must be`), "def f(*a): pass\nf(*5)"},
	{"TypeError", regexp.MustCompile(`^@: got|for parameter "?key"?: got \S+, want callable`), ""},
	{"KeyError", regexp.MustCompile(`(?s)^key .* not in \S+$`), `{"a": 1}["b"]`},
	{"KeyError", regexp.MustCompile(`(?s)^(pop|popitem|remove|\.pop|\.remove): (missing key|empty dict|missing)`), `{}.pop("a")`},
	{"IndexError", regexp.MustCompile(`index .*out of range|out of range \[|pop from empty|out of bounds`), "[1][2]"},
	{"AttributeError", regexp.MustCompile(`has no \.\S+ (field|attribute|method)|has no attribute`), "(1).x"},
	{"AttributeError", regexp.MustCompile(`can't assign to \.|cannot assign to \.`), "def f():\n  x = [1]\n  x.y = 1\nf()"},
	{"StopIteration", regexp.MustCompile(`^next: the iterator has ended`), ""},
	{"UnboundLocalError", regexp.MustCompile(`^local variable \S+ referenced before assignment`), "def f():\n  print(y)\n  y = 1\nf()"},
	{"NameError", regexp.MustCompile(`referenced before assignment`), "def f(): return x\nf()\nx = 1"},
	{"FileNotFoundError", regexp.MustCompile(`(^|: )no (file|directory) |no such file`), ""},
	{"RecursionError", regexp.MustCompile(`stack overflow`), ""},
	{"IndexError", regexp.MustCompile(`^format: got \d+ arguments, want at least`), ""},
	{"KeyError", regexp.MustCompile(`^format: keyword \S+ not found`), ""},
	{"TypeError", regexp.MustCompile(`cannot convert \S+ to|got \d+ arguments|: got \S+, want (a ` +
		`)?(string|numbers?|type|list|dict|function|iterator)\b|: got \S+, want an (iterator|iterable|int)\b`), ""},
	{"TypeError", regexp.MustCompile(`format requires|arguments for format string|must be a mapping|requires string as|string encodes \d|: ` +
		`unknown binary op|got \S+ and \S+, want numbers|not supported between instances of|, which takes none: use`), ""},
	{"TypeError", regexp.MustCompile(`^unknown (binary|unary) op|^unhandled index|^invalid call of non-function|not iterable|not ` +
		`implemented$|unhashable`), `1 + "a"`},
	{"TypeError", regexp.MustCompile(`^function \S+ (accepts|missing|got) `), "def f(x): pass\nf()"},
	{"TypeError", regexp.MustCompile(`value does not support item|has no len|^invalid slice|want (an )?(int|string|iterable)\b|missing ` +
		`argument|unexpected keyword`), "len(1)"},
	{"TypeError", regexp.MustCompile(`^(got \S+ in sequence assignment|\S+ index: got|.* want an? (iterable|number|int|string|function)\b)`), ""},
	{"ValueError", regexp.MustCompile(`unpack|invalid literal|sequence assignment`), "a, b = [1]"},
}

// Class returns the class of Python that a message stands for, "" if none is known.
func Class(msg string) string {
	for _, row := range classes {
		if row.pattern.MatchString(msg) {
			return row.class
		}
	}
	return ""
}
