package assist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/habits"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/upstream"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Explain returns what to add to the message of an error of a running program. Values are asked
// where the error's place tells which they were.
func (s *Session) Explain(e *session.Error) string {
	if strings.Contains(e.Error(), "(did you mean ") {
		return ""
	}
	if m, ok := upstream.BadKeyword.Match(e.Error()); ok {
		return s.keywordHint(m[0], m[1])
	}
	if h := s.keyHint(e); h != "" {
		return h
	}
	if h := habits.OfMessage(e.Error()); h != "" {
		return " (" + h + ")"
	}
	return ""
}

// keywordHint returns the parameter of a function that an unknown one is near to. The function is a
// global one, maybe under another name.
func (s *Session) keywordHint(fn, arg string) string {
	for _, global := range s.Globals().Names() {
		f, ok := s.Globals().Get(global).(value.Def)
		if !ok || f.Name() != strings.ReplaceAll(fn, "<lambda>", "lambda") {
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

// keyHint returns the key that one which is not in a dict is near to: of the dict whose name stands
// before the subscript, if that is a global one.
func (s *Session) keyHint(e *session.Error) string {
	key, ok := upstream.NoKey.Cut(e.Error())
	if !ok || len(e.Frames()) == 0 {
		return ""
	}
	f := e.Frames()[len(e.Frames())-1]
	line := []rune(s.Source(f.File).Line(f.Line))
	chain := chainBefore(line[:min(max(f.Col-1, 0), len(line))])
	if fn, ok := s.Globals().Get(f.Func).(value.Def); len(chain) == 0 || ok && slices.Contains(paramNames(fn), chain[0]) {
		return ""
	}
	d, ok := s.lookupChain(chain).(*slot.Dict)
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
	if n := config.Closest(key, keys); n != "" {
		return fmt.Sprintf(" (did you mean %q?)", n)
	}
	for _, k := range keys { // lrate for lr
		if k != "" && key != "" && (strings.HasPrefix(k, key) || strings.HasPrefix(key, k)) {
			return fmt.Sprintf(" (did you mean %q?)", k)
		}
	}
	return ""
}

func paramNames(f value.Def) []string {
	names := make([]string, f.NumParams())
	for i := range names {
		names[i], _ = f.Param(i)
	}
	return names
}
