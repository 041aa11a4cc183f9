// Package upstream knows the messages of go.starlark.net that decide what is done with an error:
// upstream gives these errors no type.
//
// A message is a row with a program that makes upstream say it, which a test runs: when upstream
// changes its words, the test says which row to change. Messages that only get a hint are in
// package habits.
package upstream

import "sync/atomic"

// A Message is what upstream says of one kind of error.
type Message struct {
	pattern pattern
	Program string   // what upstream says it of; cancel(reason) cancels the thread, absent is predeclared and has no value
	Groups  []string // what Match gives for that
}

// Messages are all rows.
var Messages []*Message

// row makes a row of a message. The test's Program has to give groups.
func row(pattern, program string, groups ...string) *Message {
	m := &Message{compiled(pattern), program, groups}
	Messages = append(Messages, m)
	return m
}

// What running programs say, in upstream's words.
var (
	// Cancelled has the reason that the thread was cancelled for.
	Cancelled = row(`(?s)^Starlark computation cancelled: (.*)$`, `cancel("why")`, "why")
	// NoKey has the text that a dict does not have as a key.
	NoKey = row(`(?s)^key "(.*)" not in dict$`, `{"a": 1}["b"]`, "b")
	// NoAttribute has the name that a value has no attribute of.
	NoAttribute = row(`^\S+ has no \.(\w+) field or method`, "{}.iteritems", "iteritems")
)

// What the machine says in place of upstream, in CPython's words.
var (
	// BadCall has the name of the function that was called with arguments that it does not take.
	BadCall = &Message{pattern: compiled(`^(\S+)\(\) (?:takes|missing|got) `)}
	// BadKeyword has the names of a function and of the argument that it has no parameter for.
	BadKeyword = &Message{pattern: compiled(`^(\S+)\(\) got an unexpected keyword argument '(.*)'$`)}
)

// What the resolver says.
var (
	// Undefined has the name that nothing binds.
	Undefined   = row(`^undefined: (\S+)`, "x1", "x1")
	SliceTarget = row(`^can't assign to sliceexpr$`, "x = []\nx[0:1] = []")
)

// Matches reports whether msg is the message.
func (m *Message) Matches(msg string) bool { return m.pattern.matches(msg) }

// Match returns the groups of the message, and whether msg is one.
func (m *Message) Match(msg string) (groups []string, ok bool) {
	found := m.pattern.match(msg)
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

// classes are the classes of Python that messages of upstream, and of functions that have no errors
// of their own type, stand for, the first that matches. The programs make upstream say it; a row
// without one is of messages of ours.
var classes = []struct {
	class   string
	pattern pattern
	program string
}{
	{"LinAlgError", compiled(`^\S+: (\w+: )?(matrix \([\d, ]*\): )?(singular matrix|matrix is not positive definite|the iteration did not converge|array must not contain infs|` +
		`got shape .*, want square matrices)|^np\.linalg\.\w+: for parameter \w+: got shape .*, want a matrix`), ""},
	{"IndexError", compiled(`^too many indices: got|^an index can (only have a single ellipsis|have only one Ellipsis)|^boolean index did not match|^ndarray index: got `), ""},
	{"KeyError", compiled(`^\S+ has no input or shared variable `), ""},
	{"AttributeError", compiled(`^config: (unknown flag |there is no flag |\S+ is a section of flags)`), ""},
	{"TypeError", compiled(`: got (float\d+|bool)( and (float\d+|bool))*, want (bool or )?an integer$`), ""},
	{"TypeError", compiled(`: got (float\d+|bool), want (bool or )?an integer(, by which a .*)?$|: not defined for bool; use |: unknown dtype "`), ""},
	{"ZeroDivisionError", compiled(`division by zero|modulo by zero`), "1 // 0"},
	{"ZeroDivisionError", compiled(`^pow: got 0 to a negative power`), ""},
	{"OverflowError", compiled(`int too large to convert to float`), "1.5 + (1 << 500 << 500 << 500)"},
	{"OverflowError", compiled(`^math\.(exp|expm1|cosh|sinh): got [-+]?(\d|inf)|^math\.(gamma|pow): got ([1-9]|0\.\d*[1-9])|^math\.ldexp: .*fits a float|` +
		`^math\.(floor|ceil|trunc): got [-+]?inf`), ""},
	{"ValueError", compiled(`^math\.\w+: got [-+]?(\d|inf|nan)\S*( and [-+]?(\d|inf|nan)\S*)?, want `), ""},
	{"OverflowError", compiled(`cannot convert float infinity to integer|^pow: the result is too large|, want a result of at most \d+ bits$|is too large for a float$|int \S+ does not fit (u?int\d+|\d+ bits)`), `int(float("inf"))`},
	{"ValueError", compiled(`cannot convert float NaN|^(float: )?invalid float literal|base must be an integer|negative shift count|slice step$`),
		`int(float("nan"))`},
	{"IndexError", compiled(`^\S+ index: -?\d{10,} out of range$`), "[1][1 << 31]"},
	{"IndexError", compiled(`^-?\d{10,} out of range$`), "x = [1]\nx[1 << 31] = 2"},
	{"OverflowError", compiled(`^repeat count -?\d+ too large$`), "'a' * (1 << 64)"},
	{"ValueError", compiled(`step argument must not be zero`), "range(1, 2, 0)"},
	{"ValueError", compiled(`Unicode code point (-|U\+)?\w+ out of range`), "chr(-1)"},
	{"ValueError", compiled(`update sequence element #\d+ has length`), "dict([(1, 2, 3)])"},
	{"ValueError", compiled(`^remove: (element not found|\S+ is not in)`), "[1].remove(2)"},
	{"ValueError", compiled(`^r?index: (value not in list|substring not found|.* is not in the \S+$)`), "[1].index(2)"},
	{"ValueError", compiled(`^split: empty separator|^bytes: at index|^(min|max): got an empty|^pow: got mod 0|format "?[^:]*"?: got ` +
		`(\S+( \S+)? for a string, want|"\S+", want \[\[)`), ""},
	{"ValueError", compiled(`^math\.\w+: got \S+, want a number [<>]|^math\.\w+: got .*, want (finite|a finite)|^json\.`), ""},
	{"ValueError", compiled(`: got [-+]?(\d[-+.\de]*|nan|NaN|Inf)( as number \d+)?, want (a |one |an )((finite|whole) )?(number|integer|int)? ?(that|from|above|up to)|: got probabilit|: got low \S+ (above|and) high|size: got length `), ""},
	{"UnicodeEncodeError", compiled(`^encode: got .* does not have`), ""},
	{"KeyError", compiled(`^format: key .* is not in the dict`), ""},
	{"TypeError", compiled(`or no dict for it$|which has no such element$|=: got a result of \S+ for an array of|want a list or another iterable for the slice`), ""},
	{"MemoryError", compiled(`whose elements have no end; |needs? more memory than there is|more than there can be`), ""},
	{"TypeError", compiled(`^isinstance: got`), ""},
	{"ValueError", compiled(`^the truth value of (an array|a sparse matrix)`), ""},
	{"TypeError", compiled(`: (no input is named|got multiple values for input) `), ""},
	{"UnicodeDecodeError", compiled(`^decode: got `), ""},
	{"TypeError", compiled(`^float got \S+, want`), "float([])"},
	{"TypeError", compiled(`argument after \*+ must be`), "def f(*a): pass\nf(*5)"},
	{"TypeError", compiled(`^@: got|for parameter "?key"?: got \S+, want callable`), ""},
	{"KeyError", compiled(`(?s)^key .* not in \S+$`), `{"a": 1}["b"]`},
	{"KeyError", compiled(`(?s)^(pop|popitem|remove|\.pop|\.remove): (missing key|empty dict|empty set|missing)`), `{}.pop("a")`},
	{"IndexError", compiled(`index .*out of range|out of range \[|pop from empty|out of bounds`), "[1][2]"},
	{"OverflowError", compiled(`-?\d{10,} out of range( \(want value in (un)?signed \d\d-bit range\))?$`), "[].pop(1 << 64)"},
	{"AttributeError", compiled(`has no \.\S+ (field|attribute|method)|has no attribute`), "(1).x"},
	{"AttributeError", compiled(`can't assign to \.|cannot assign to \.`), "def f():\n  x = [1]\n  x.y = 1\nf()"},
	{"StopIteration", compiled(`^next: the iterator has ended`), ""},
	{"UnboundLocalError", compiled(`^local variable \S+ referenced before assignment`), "def f():\n  print(y)\n  y = 1\nf()"},
	{"NameError", compiled(`referenced before assignment`), "def f(): return x\nf()\nx = 1"},
	{"FileNotFoundError", compiled(`(^|: )no (file|directory) |no such file`), ""},
	{"RecursionError", compiled(`stack overflow`), ""},
	{"IndexError", compiled(`^format: got \d+ arguments, want at least`), ""},
	{"KeyError", compiled(`(?s)^format: keyword .* not found`), ""},
	{"TypeError", compiled(`cannot convert \S+ to|got \d+ arguments|: got \S+, want (a ` +
		`)?(string|numbers?|type|list|dict|function|iterator)\b|: got \S+, want an (iterator|iterable|int)\b`), ""},
	{"TypeError", compiled(`format requires|arguments for format string|must be a mapping|requires string as|string encodes \d|: ` +
		`unknown binary op|got \S+ and \S+, want numbers|not supported between instances of|, which takes none: use`), ""},
	{"TypeError", compiled(`^unknown (binary|unary) op|^unhandled index|^invalid call of non-function|not iterable|not ` +
		`implemented$|unhashable`), `1 + "a"`},
	{"TypeError", compiled(`^\S+\(\) (takes|missing|got) `), ""},
	{"TypeError", compiled(`value does not support item|has no len|^invalid slice|want (an )?(int|string|iterable)\b|missing ` +
		`argument|unexpected keyword`), "len(1)"},
	{"TypeError", compiled(`^(got \S+ in sequence assignment|\S+ index: got|.* want an? (iterable|number|int|string|function)\b)`), ""},
	{"ValueError", compiled(`unpack|invalid literal|sequence assignment`), "a, b = [1]"},
	{"ValueError", compiled(`^(format: )?(bad format "|format "|got both |got an empty attribute|got field "|got width or precision|single "|unknown conversion |` +
		`incomplete format)`), ""},
}

// Class returns the class of Python, or of NumPy, that a message stands for, "" if none is known.
func Class(msg string) (class string) {
	if c := last.Load(); c != nil && c.msg == msg {
		return c.class
	}
	for _, row := range classes {
		if row.pattern.matches(msg) {
			class = row.class
			break
		}
	}
	last.Store(&classed{msg, class})
	return class
}

// last is the message that was classed last: a loop may meet one again and again.
var last atomic.Pointer[classed]

type classed struct{ msg, class string }
