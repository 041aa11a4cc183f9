package symbolic_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/symbolic"
)

// noisy is an Output that keeps what is written.
type noisy struct {
	session.Discard
	text strings.Builder
}

func (n *noisy) Stream(name, text string) { n.text.WriteString(name + ": " + text) }

// TestOnOptError: a rewrite that fails is an error, a warning in one line, or nothing.
func TestOnOptError(t *testing.T) {
	failed := errors.New("pass planted: panic: oh\ngoroutine 1")
	for _, c := range []struct {
		flag, printed string
		err           error
	}{
		{"raise", "", failed},
		{"warn", "stderr: warning: rewriting: pass planted: panic: oh; it is left out (config.on_opt_error)\n", nil},
		{"ignore", "", nil},
	} {
		out, err := &noisy{}, error(nil)
		s := session.New(session.Options{}, session.Rooms{Read: func(s *session.Session, _ *session.Cell) (session.Plan, error) {
			err = symbolic.In(s).OnRuleError()(failed) // while a cell runs
			return session.Plan{Instead: func() error { return nil }}, nil
		}})
		if err := s.Config().Set("on_opt_error", c.flag, ""); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Execute(t.Context(), 1, "1", out); err != nil {
			t.Fatal(err)
		}
		if err != c.err || out.text.String() != c.printed {
			t.Errorf("%s: got %v, printed %q, want %v, %q", c.flag, err, out.text.String(), c.err, c.printed)
		}
	}
}
