package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Error is an error in what the user wrote. It is rendered once, at the edge, where the language
// knows whether its own backtrace already shows Pos.
type Error struct {
	Pos   Pos    // where the failing operation was written
	Op    string // the operation, "" if there is none
	Msg   string
	Notes []Note
	More  string // lines that follow the notes
	Cause error  // that Msg tells of; nil if there is no more to know than Msg says
}

func (e *Error) Unwrap() error { return e.Cause }

// A Kind is the Cause of an Error that users catch by a class of its own, whose name it is.
type Kind string

const (
	MissingInput      Kind = "MissingInputError"
	UnusedInput       Kind = "UnusedInputError"
	DisconnectedInput Kind = "DisconnectedInputError"
	WrongType         Kind = "TypeError"
	NothingGiven      Kind = "AssertionError"
)

func (k Kind) Error() string     { return string(k) }
func (k Kind) ErrorName() string { return string(k) }

// A Note explains an Error by another place: where an operand comes from.
type Note struct {
	Pos Pos
	Msg string
}

// Error is the message with the notes, without Pos.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Op != "" {
		b.WriteString(e.Op + ": ")
	}
	b.WriteString(e.Msg)
	for _, n := range e.Notes {
		b.WriteString("\n    ")
		if n.Pos.IsValid() {
			fmt.Fprintf(&b, "%s: ", n.Pos)
		}
		b.WriteString(n.Msg)
	}
	if e.More != "" {
		b.WriteString("\n    " + strings.ReplaceAll(e.More, "\n", "\n    "))
	}
	return b.String()
}

// Describe says what v is: "x is float64[3,4]".
func Describe(v *Variable) string { return NameOf(v) + " is " + v.Type.String() }

// Mention names v within a sentence: "x (float64[3,4])".
func Mention(v *Variable) string { return NameOf(v) + " (" + v.Type.String() + ")" }

// NameOf names v within a text: by its name, its value or the operation that made it.
func NameOf(v *Variable) string {
	switch {
	case v.Name != "":
		return v.Name
	case v.IsConstant():
		return "the constant " + literal(v.Data)
	case v.Owner != nil:
		return "the result of " + BaseName(v.Owner.Op)
	}
	return "an unnamed variable"
}

// Explained is err with the places where operands were made, unless err is an Error, which says so
// itself. What constants are the call shows.
func Explained(err error, operands []*Variable) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	e = &Error{Msg: err.Error(), Cause: err}
	for _, n := range operandNotes(slices.DeleteFunc(slices.Clone(operands), (*Variable).IsConstant)) {
		if !slices.Contains(e.Notes, n) {
			e.Notes = append(e.Notes, n)
		}
	}
	return e
}

// operandNotes explains where each operand of a failing operation comes from.
func operandNotes(in []*Variable) []Note {
	notes := make([]Note, len(in))
	for i, v := range in {
		notes[i] = Note{Pos: v.Origin.Pos(), Msg: Describe(v)}
	}
	return notes
}

// FusedNotes lists the lines whose operations were fused into the node of origin o, each line once:
// an error of the node may belong to any of them. It is empty for a node that was not fused.
func FusedNotes(o *Origin) []Note {
	if o == nil {
		return nil
	}
	var notes []Note
	seen := make(map[Pos]bool)
	for _, part := range o.Parts {
		if pos := part.Origin.Pos(); pos.IsValid() && !seen[pos] {
			seen[pos] = true
			notes = append(notes, Note{Pos: pos, Msg: "fused into this operation"})
		}
	}
	if len(notes) < 2 {
		return nil
	}
	return notes
}

// BaseName is an op's name without its parameters, which may be long.
func BaseName(op Op) string {
	if n, ok := op.(interface{ BaseName() string }); ok {
		return n.BaseName()
	}
	name, _, _ := strings.Cut(op.Name(), "{")
	return name
}
