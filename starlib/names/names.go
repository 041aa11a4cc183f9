// Package names lists the names that users bring with them from Theano, PyTensor and NumPy, and
// says what to do instead of using one that is not in Arignote. What is missing is computed: a row
// of a function that there is stays, and is not looked at.
//
//	names.txt   the table: every public name of their modules, and of the types of their values
//	Advice      what the row of a name says
//	Of          the names of a module or a type
//
// It does not know what Arignote has: those who ask do.
package names

import (
	_ "embed"
	"errors"
	"strings"
)

// table is searched as it is: it is asked for a few names only, most of them by users who are shown
// an error, and making a map of it takes longer than a session takes to start.
//
//go:embed names.txt
var table string

// reason begins an advice that many rows share, and the line above the rows that has its text.
const reason = "@"

// Advice returns what to do instead of using a name, such as "T.scan": "" if there is nothing to
// say. It reports whether there is a row of the name.
func Advice(name string) (advice string, known bool) {
	if name == "" || strings.HasPrefix(name, reason) || strings.ContainsAny(name, "# \n") {
		return "", false
	}
	advice, known = find(name)
	if strings.HasPrefix(advice, reason) {
		advice, _ = find(advice)
	}
	return advice, known
}

// find returns what follows the first word of the line that begins with it.
func find(word string) (text string, ok bool) {
	for rest := table; ; {
		_, after, found := strings.Cut(rest, "\n"+word)
		if !found {
			return "", false
		}
		if line, _, _ := strings.Cut(after, "\n"); line == "" || line[0] == ' ' {
			return strings.TrimPrefix(line, " "), true
		}
		rest = after
	}
}

// Of returns the names of a module or a type, such as "T.nnet", sorted.
func Of(module string) []string {
	var list []string
	prefix := module + "."
	_, rest, found := strings.Cut(table, "\n"+prefix)
	for found {
		line, after, _ := strings.Cut(rest, "\n")
		if name, _, _ := strings.Cut(line, " "); !strings.Contains(name, ".") {
			list = append(list, name)
		}
		rest, found = strings.CutPrefix(after, prefix)
	}
	return list
}

// IsModule reports whether there are names of a module or a type of this name.
func IsModule(name string) bool {
	_, known := Advice(name)
	return known && strings.Contains(table, "\n"+name+".")
}

// NotYet is the error for a name that is not there.
func NotYet(name, advice string) error {
	text := name + " is not in Arignote yet"
	if advice != "" {
		text += "; " + advice
	}
	return errors.New(text)
}
