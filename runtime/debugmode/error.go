package debugmode

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
)

// A Kind is a kind of Error, by Theano's name.
type Kind string

const (
	BadOptimization   Kind = "BadOptimization"   // a rewrite changed a value
	BadThunkOutput    Kind = "BadThunkOutput"    // implementations, or layouts of memory, give different results
	BadDestroyMap     Kind = "BadDestroyMap"     // an operand was overwritten that the operation does not name
	BadViewMap        Kind = "BadViewMap"        // a result shares memory that the operation does not name
	InvalidValueError Kind = "InvalidValueError" // a value is not of its variable's type, or is not finite
	StochasticOrder   Kind = "StochasticOrder"   // rewriting the same graph twice did not do the same
	NanGuardMode      Kind = "NanGuardMode"      // NanGuardMode met nan, inf or a big number
	BadGradient       Kind = "BadGradient"       // a gradient is not what differences of the cost say
)

// An Error is what a check found. Its place is the line of the user's source that made the
// variable.
type Error struct {
	Kind Kind
	Rule string // of BadOptimization, the rule or pass to blame
	At   *graph.Error
}

func (e *Error) Error() string { return e.At.Error() }

// Unwrap makes an Error a *graph.Error for whoever renders it.
func (e *Error) Unwrap() error { return e.At }

// fail makes an Error of kind at v's place. Programs catch what the guard met as an AssertionError,
// as in Theano.
func fail(kind Kind, v *graph.Variable, format string, args ...any) *Error {
	at := &graph.Error{Pos: v.Origin.Pos(), Op: string(kind), Msg: fmt.Sprintf(format, args...)}
	if kind == NanGuardMode {
		at.Cause = graph.Kind("AssertionError")
	}
	return &Error{Kind: kind, At: at}
}

// note adds an explanation.
func (e *Error) note(format string, args ...any) *Error {
	e.At.Notes = append(e.At.Notes, graph.Note{Msg: fmt.Sprintf(format, args...)})
	return e
}

// operands adds where each operand of the node comes from.
func (e *Error) operands(node *graph.Apply) *Error {
	for _, v := range node.Inputs {
		e.At.Notes = append(e.At.Notes, graph.Note{Pos: v.Origin.Pos(), Msg: graph.Describe(v)})
	}
	return e
}

// text adds lines as they are.
func (e *Error) text(title, lines string) *Error {
	return e.note("%s\n        %s", title, strings.ReplaceAll(strings.TrimRight(lines, "\n"), "\n", "\n        "))
}
