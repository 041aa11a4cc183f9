package assist

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/habits"
	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
)

// Explain returns what to add to the message of an error that the interpreter made. Values are asked where the
// error's place tells which they were.
func (s *Session) Explain(e *session.Error) string {
	if strings.Contains(e.Error(), "(did you mean ") {
		return ""
	}
	if fn, arg, ok := strings.Cut(e.Error(), " got an unexpected keyword argument "); ok {
		return s.keywordHint(strings.TrimPrefix(fn, "function "), strings.Trim(arg, `"`))
	}
	if h := s.keyHint(e); h != "" {
		return h
	}
	if h := habits.OfMessage(e.Error()); h != "" {
		return " (" + h + ")"
	}
	return ""
}

// keywordHint returns the parameter of a function that an unknown one is near to. The function is a global one, maybe under
// another name.
func (s *Session) keywordHint(fn, arg string) string {
	for _, global := range slices.Sorted(maps.Keys(s.Globals())) {
		f, ok := s.Globals()[global].(*starlark.Function)
		if !ok || f.Name() != fn {
			continue
		}
		names := paramNames(f)
		slices.Sort(names)
		if n := config.Closest(arg, names); n != "" {
			return fmt.Sprintf(" (did you mean %s?)", n)
		}
	}
	return ""
}

var missingKey = regexp.MustCompile(`^key "(.*)" not in dict$`)

// keyHint returns the key that one which is not in a dict is near to: of the dict whose name stands before the
// subscript, if that is a global one.
func (s *Session) keyHint(e *session.Error) string {
	if len(e.Frames()) == 0 || !strings.HasPrefix(e.Error(), "key ") {
		return ""
	}
	m := missingKey.FindStringSubmatch(e.Error())
	if m == nil {
		return ""
	}
	f := e.Frames()[len(e.Frames())-1]
	line := []rune(s.Source(f.File).Line(f.Line))
	chain := chainBefore(line[:min(max(f.Col-1, 0), len(line))])
	if fn, ok := s.Globals()[f.Func].(*starlark.Function); len(chain) == 0 || ok && slices.Contains(paramNames(fn), chain[0]) {
		return ""
	}
	d, ok := s.lookupChain(chain).(*starlark.Dict)
	if !ok {
		return ""
	}
	var keys []string
	for _, k := range d.Keys() {
		if k, ok := starlark.AsString(k); ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	if n := config.Closest(m[1], keys); n != "" {
		return fmt.Sprintf(" (did you mean %q?)", n)
	}
	for _, k := range keys { // lrate for lr
		if k != "" && m[1] != "" && (strings.HasPrefix(k, m[1]) || strings.HasPrefix(m[1], k)) {
			return fmt.Sprintf(" (did you mean %q?)", k)
		}
	}
	return ""
}

func paramNames(f *starlark.Function) []string {
	names := make([]string, f.NumParams())
	for i := range names {
		names[i], _ = f.Param(i)
	}
	return names
}
