// Package habits is one table of what people type from Python, NumPy, Theano and IPython, and from
// other languages, that is not so here, with what to write instead.
//
// It decides nothing: whoever has refused something asks it for a hint to add. Which names of
// NumPy's and Theano's modules are missing is known by those modules.
//
//	Syntax     a token that the parser refused   parse       syntax.go
//	Character  a character that it refused       parse       syntax.go
//	Name       a name that nothing defines       session     names.go
//	Import     a module that there is not        session     imports.go
//	Magic      a %name that there is not         magic       magics.go
//	Running    an error of a running program     assist      running.go
//
// A row is a line in the file of its place, with an example that a test runs and that must be
// answered by the hint.
package habits

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Where is the place at which a habit is noticed.
type Where uint8

const (
	Syntax Where = iota
	Character
	Name
	Import
	Magic
	Running
)

// A Row is a habit.
type Row struct {
	Where Where
	// Pattern tells the habit. Of Syntax it lists the tokens that may be at fault, as Near does; of
	// Name, Import and Magic the names; of Character the characters. Of Running it is a regular
	// expression for the beginning of the message.
	Pattern string
	Near    Near   // of Syntax
	As      string // of Import: the names that the module is usually bound to
	Hint    string // what to write instead; of Running, $1 is the pattern's first group
	Example string // a cell that is answered by the hint
}

// Near tells a mistake by the tokens around the one at fault. Each field lists texts of which one
// must match, and an empty field matches all. NAME, NUMBER, STRING, LINE stand for any token of the
// kind; LINE is the end of a line or of the text.
type Near struct {
	First string // the first token of the statement
	Prev2 string
	Prev  string
	Next  string
}

// Table is all habits. Of those of a place, the first that matches gives the hint.
var Table = slices.Concat(at(Syntax, syntax), at(Character, characters), at(Name, names), at(Import, imports), at(Magic, magics),
	at(Running, running))

func at(w Where, rows []Row) []Row {
	for i := range rows {
		rows[i].Where = w
	}
	return rows
}

// A Token is what the parser tells of a token.
type Token struct {
	Text string
	Kind string // NAME, NUMBER, STRING, LINE, or ""
}

// Is says whether the token is one of those listed; an empty list has all.
func (t Token) Is(list string) bool {
	if list == "" {
		return true
	}
	for w := range strings.FieldsSeq(list) {
		if w == t.Text || w == t.Kind {
			return true
		}
	}
	return false
}

// Tokens are the token at fault and those around it.
type Tokens struct{ First, Prev2, Prev, At, Next Token }

// OfTokens returns the hint for a mistake of syntax, "" if there is none.
func OfTokens(t Tokens) string {
	for _, r := range syntax {
		if t.First.Is(r.Near.First) && t.Prev2.Is(r.Near.Prev2) && t.Prev.Is(r.Near.Prev) && t.At.Is(r.Pattern) && t.Next.Is(r.Near.Next) {
			return r.Hint
		}
	}
	return ""
}

// OfCharacter returns the hint for a character that begins no token, "" if there is none.
func OfCharacter(c rune) string {
	for _, r := range characters {
		if strings.ContainsRune(r.Pattern, c) {
			return r.Hint
		}
	}
	return ""
}

// named returns the hint of the first row that lists the name.
func named(rows []Row, name string) string {
	for _, r := range rows {
		if slices.Contains(strings.Fields(r.Pattern), name) {
			return r.Hint
		}
	}
	return ""
}

// OfName returns what to do instead of using a name, which may be that of a module, "" if nothing
// is known.
func OfName(name string) string {
	for _, r := range imports {
		if slices.Contains(strings.Fields(r.As), name) {
			name = r.Pattern
		}
	}
	return cmp.Or(named(names, name), OfImport(name))
}

// OfImport returns what to use instead of a module, "" if nothing is known.
func OfImport(module string) string { return named(imports, module) }

// OfMagic returns what to do instead of using a magic, or a line that begins with !, "" if nothing
// is known.
func OfMagic(name string) string { return named(magics, name) }

// OfMessage returns the hint for the message of a running program's error, "" if there is none. Of
// a message with the name of a function before it, either part may match; what fail() says is the
// user's.
func OfMessage(msg string) string {
	fn, rest, hasName := strings.Cut(msg, ": ")
	if fn == "fail" {
		return ""
	}
	row, hint := match(msg)
	if row < 0 && hasName {
		_, hint = match(rest)
	}
	return hint
}

var patterns = sync.OnceValue(func() []*regexp.Regexp {
	list := make([]*regexp.Regexp, len(running))
	for i, r := range running {
		list[i] = regexp.MustCompile("^(?:" + r.Pattern + ")")
	}
	return list
})

// match returns the first row of running that matches, and its hint for msg; row is -1 if none
// does.
func match(msg string) (row int, hint string) {
	for i, re := range patterns() {
		if m := re.FindStringSubmatchIndex(msg); m != nil {
			return i, string(re.ExpandString(nil, running[i].Hint, msg, m))
		}
	}
	return -1, ""
}
