package upstream

import (
	"errors"
	"slices"
	"testing"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// said returns what unmodified upstream says of a program.
func said(program string) string {
	cancel := starlark.NewBuiltin("cancel", func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
		starlark.Value, error) {
		reason, _ := starlark.AsString(args[0])
		thread.Cancel(reason)
		return starlark.None, nil
	})
	opts := &syntax.FileOptions{Recursion: true, GlobalReassign: true, TopLevelControl: true}
	_, prog, err := starlark.SourceProgramOptions(opts, "a.star", program, func(name string) bool { return name == "cancel" || name == "absent" })
	if err == nil {
		_, err = prog.Init(new(starlark.Thread), starlark.StringDict{"cancel": cancel})
	}
	var list resolve.ErrorList
	var eval *starlark.EvalError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &list):
		return list[0].Msg
	case errors.As(err, &eval):
		return eval.Msg
	}
	return err.Error()
}

// TestMessages: upstream says of each row's program what the row, and only that one, is about.
func TestMessages(t *testing.T) {
	for _, m := range Messages {
		msg := said(m.Program)
		groups, ok := m.Match(msg)
		if !ok || !slices.Equal(groups, m.Groups) {
			t.Errorf("%q: upstream says %q, which gives %q, %v, want %q", m.Program, msg, groups, ok, m.Groups)
		}
		for _, other := range Messages {
			if _, ok := other.Match(msg); ok && other != m && !(m == BadKeyword && other == BadCall) {
				t.Errorf("%q matches %s too", msg, other.pattern.regexp())
			}
		}
	}
}

// TestCalls: the further ways to call a function wrongly, and messages of several lines and with
// quotes.
func TestCalls(t *testing.T) {
	for _, tt := range []struct {
		m             *Message
		program, want string
	}{
		{Cancelled, `cancel("a\nb")`, "a\nb"},
		{Cancelled, `cancel("")`, ""},
		{NoKey, `{}['a"b']`, `a\"b`},
		{Undefined, "def f(lenn): pass\nlen(lem)", "lem"},
	} {
		if got, ok := tt.m.Cut(said(tt.program)); !ok || got != tt.want {
			t.Errorf("%q: got %q, %v, want %q", tt.program, got, ok, tt.want)
		}
	}
	for _, m := range Messages {
		if _, ok := m.Match("fail: nothing of the kind"); ok {
			t.Errorf("%s matches anything", m.pattern.regexp())
		}
	}
}

// TestClasses: each row's program makes upstream say what the row's class is found by.
func TestClasses(t *testing.T) {
	for _, row := range classes {
		if row.program == "" {
			continue
		}
		if msg := said(row.program); Class(msg) != row.class {
			t.Errorf("%q: upstream says %q, which is a %q, want %s", row.program, msg, Class(msg), row.class)
		}
	}
}

// TestNeeds: a pattern has a match only where it may have one.
func TestNeeds(t *testing.T) {
	var texts []string
	for _, m := range Messages {
		texts = append(texts, said(m.Program))
	}
	for _, row := range classes {
		if row.program != "" {
			texts = append(texts, said(row.program))
		}
		texts = append(texts, row.pattern.regexp().String())
	}
	known := 0
	for _, row := range classes {
		if row.pattern.needs() != nil {
			known++
		}
		for _, text := range texts {
			if got, want := row.pattern.matches(text), row.pattern.regexp().MatchString(text); got != want {
				t.Errorf("%s and %q: got %v, want %v", row.pattern.regexp(), text, got, want)
			}
		}
	}
	if known < len(classes)*9/10 {
		t.Errorf("of %d patterns only %d need a text", len(classes), known)
	}
}
