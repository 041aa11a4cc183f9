package graph

import (
	"strconv"
	"time"

	"github.com/arignote/arignote/kernels"
)

// Pos is a place in the user's source; lines and columns count from 1. The zero Pos is unknown.
type Pos struct {
	File      string
	Line, Col int
}

// IsValid reports whether the position is known.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String writes file:line:col.
func (p Pos) String() string {
	if !p.IsValid() {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}

// A Frame is one level of the user's call stack: where a value was made, or where an error passed
// through.
type Frame struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col,omitempty"`  // counts code points
	Func string `json:"func,omitempty"` // "<toplevel>" outside functions; "" is unknown
}

// Pos is the frame's place.
func (f Frame) Pos() Pos { return Pos{File: f.File, Line: f.Line, Col: f.Col} }

func (f Frame) String() string { return f.Pos().String() + " in " + f.Func }

// Role says for what a node was made.
type Role uint8

const (
	RoleForward  Role = iota // the user wrote it
	RoleGradient             // grad() made it for a forward node
	RoleUpdate               // it computes the new value of a shared variable
)

func (r Role) String() string { return [...]string{"forward", "gradient", "update"}[r] }

// Origin is where a variable came from. Origins are shared between variables and never changed.
type Origin struct {
	Frames []Frame // the user's call stack, innermost last
	Scope  string  // of the user's names, as "encoder/dense"; "" outside of any
	Role   Role
	Parts  []Part // of a node that stands for several: theirs. A part has no parts
	// Grad is the call that made a node of role gradient.
	Grad *GradCall
}

// Work is what a part takes, in nanoseconds by instruction set.
type Work = kernels.Costs

// A Part is what one of the nodes that another stands for contributes to it.
type Part struct {
	Origin *Origin // nil if it is unknown
	Op     string  // its text form
	Work   Work    // each above 0; what matters is its share
	Step   int     // the step of the node's body that it is, from 1; 0 if there is none
}

// A GradCall is one call of grad(), complete when it has returned.
type GradCall struct {
	Pos   Pos
	Time  time.Duration
	Nodes int // that it made
	// Cost is what was differentiated with respect to Wrt, and Grads the result. Cost is nil if
	// there is more to it: gradients that were known, or variables that were taken for constants.
	Cost       *Variable
	Wrt, Grads []*Variable
}

// Pos is the innermost place; the zero Pos if there is none. o may be nil.
func (o *Origin) Pos() Pos {
	if o == nil || len(o.Frames) == 0 {
		return Pos{}
	}
	return o.Frames[len(o.Frames)-1].Pos()
}

// Made reports whether p is of what the same call of an operation made: o itself, with another role
// than that of a gradient, or with parts.
func (o *Origin) Made(p *Origin) bool {
	if o == nil || p == nil || len(o.Frames) == 0 || len(p.Frames) == 0 {
		return false
	}
	return &o.Frames[0] == &p.Frames[0] && (o.Role == RoleGradient) == (p.Role == RoleGradient)
}

// At returns an origin with one frame.
func At(pos Pos) *Origin {
	return &Origin{Frames: []Frame{{File: pos.File, Line: pos.Line, Col: pos.Col}}}
}

// WithRole returns o with another role.
func (o *Origin) WithRole(r Role) *Origin {
	if o == nil {
		return &Origin{Role: r}
	}
	if o.Role == r {
		return o
	}
	c := *o
	c.Role = r
	return &c
}
