package slot

import (
	"errors"

	"go.starlark.net/starlark"
)

// An Own is what a register refers to in place of an array: whoever takes the array out of the
// register by Value has it held, so that a reference which nobody knows of costs speed and no
// number. Only registers, and the variables whose references are counted, refer to an Own.
type Own struct {
	Of   Owned
	By   uint64 // the frame whose registers alone refer to it, or Variables, or nobody
	Vars int32  // of those By Variables, how many refer to it
}

// An Owned is an array with memory that can be used again when nobody refers to the array.
type Owned interface {
	starlark.Value
	// Pin says that others than registers may refer to the array: it is not released.
	Pin()
}

// Owners that are no frames.
const (
	Nobody uint64 = iota
	Variables
)

var _ starlark.Value = (*Own)(nil)

// Escape is the array for who may keep it. What nobody owns is held already.
func (o *Own) Escape() starlark.Value {
	if o.By != Nobody {
		o.By = Nobody
		o.Of.Pin()
	}
	return o.Of
}

func (o *Own) String() string        { return o.Of.String() }
func (o *Own) Type() string          { return o.Of.Type() }
func (o *Own) Freeze()               { o.Escape().Freeze() }
func (o *Own) Truth() starlark.Bool  { return o.Of.Truth() }
func (o *Own) Hash() (uint32, error) { return 0, errors.New("unhashable: " + o.Type()) }

// Own is the Own that the slot refers to, nil if it refers to something else.
func (s *Slot) Own() *Own { o, _ := s.ref.(*Own); return o }

// IsOwn reports whether the slot refers to an Own.
func (s *Slot) IsOwn() bool { _, ok := s.ref.(*Own); return ok }

// Escape is the slot for a place that is no register.
func (s *Slot) Escape() Slot {
	if o := s.Own(); o != nil {
		return Slot{ref: o.Escape()}
	}
	return *s
}

// Borrowed is Value for who keeps nothing of an array.
func (s *Slot) Borrowed() starlark.Value {
	if o := s.Own(); o != nil {
		return o.Of
	}
	return s.Value()
}
