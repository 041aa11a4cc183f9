package symbolic

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/starlib/value"
)

// Locate names the place of a graph.Error in its message unless the traceback is going to show it.
// An error of a function of the user's, which something here has called, has a traceback of its
// own.
func (s *Session) Locate(err error) error {
	var fault ruleFault
	if errors.As(err, &fault) {
		return fault
	}
	if called := value.TraceOf(err); called != nil {
		return called
	}
	var e *graph.Error
	if !errors.As(err, &e) || !e.Pos.IsValid() {
		return err
	}
	for _, f := range s.Origin(nil) {
		if f.File == e.Pos.File && f.Line == e.Pos.Line {
			return err
		}
	}
	here := "the operation was written here"
	if source := s.Source(e.Pos.File); source.Kept() && source.Line(e.Pos.Line) != "" {
		here += ": " + strings.TrimSpace(source.Line(e.Pos.Line))
	}
	if err == error(e) {
		located := *e
		located.Notes = append(slices.Clone(e.Notes), graph.Note{Pos: e.Pos, Msg: here})
		return &located
	}
	return fmt.Errorf("%w\n    %s: %s", err, e.Pos, here)
}

// A ruleFault is the error of a user's function within a rule: its traceback is shown, and the node
// that it was asked of.
type ruleFault struct {
	error
	rule *rewrite.RuleError
}

func (f ruleFault) Unwrap() error { return f.error }

// ErrorNotes say what the traceback does not.
func (f ruleFault) ErrorNotes() []string {
	return []string{fmt.Sprintf("while the rule %v was applied to %s, made at %v", f.rule.Rule, profiler.ApplyText(f.rule.Node), f.rule.Node.Origin().Pos())}
}
