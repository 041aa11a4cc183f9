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
