package slot

import (
	"slices"

	"go.starlark.net/starlark"
)

// A Layout is what the instances of a class have in common.
type Layout struct {
	// Version is another one after each change of the class or its bases that what was found out
	// about attributes of instances may not outlive.
	Version uint64

	root   Shape
	most   int // names of a shape
	shapes int
}

// A Shape is the names of attributes that an instance has, in the order in which they were first
// set. Instances of a class that set the same names in the same order have the same Shape.
type Shape struct {
	Layout *Layout
	names  []string
	next   []*Shape // with one name more
}

// What does not fit shapes is kept in dicts.
const (
	maxNames  = 64  // of a shape
	maxShapes = 256 // of a layout
)

// NewLayout returns the layout of a class without instances.
func NewLayout() *Layout {
	l := &Layout{Version: 1}
	l.root.Layout = l
	return l
}

// Root is the shape of a record without attributes.
func (l *Layout) Root() *Shape { return &l.root }

// Most is how many attributes any record has had.
func (l *Layout) Most() int { return l.most }

// Names are the names, in the order of their slots. They are not written.
func (s *Shape) Names() []string { return s.names }

// Index is the slot of a name, -1 if there is none.
func (s *Shape) Index(name string) int { return slices.Index(s.names, name) }

// With is the shape that has a name more, nil if there are too many.
func (s *Shape) With(name string) *Shape {
	l := s.Layout
	for _, t := range s.next {
		if t.names[len(s.names)] == name {
			return t
		}
	}
	n := len(s.names)
	if n == maxNames || l.shapes == maxShapes {
		return nil
	}
	l.shapes++
	l.most = max(l.most, n+1)
	t := &Shape{Layout: l, names: append(s.names[:n:n], name)}
	s.next = append(s.next, t)
	return t
}

// A Record is the attributes of an instance: as many slots as its shape has names. One without a
// shape holds nothing.
type Record struct {
	Shape *Shape
	Slots []Slot
}

// NewRecord returns one without attributes, and with room for those that others have.
func NewRecord(l *Layout) Record {
	r := Record{Shape: &l.root}
	if l.most > 0 {
		r.Slots = make([]Slot, 0, l.most)
	}
	return r
}

// Get is the value of an attribute.
func (r *Record) Get(name string) (Slot, bool) {
	if r.Shape != nil {
		if i := r.Shape.Index(name); i >= 0 {
			return r.Slots[i], true
		}
	}
	return Slot{}, false
}

// Set sets an attribute. It reports false where that needs a dict.
func (r *Record) Set(name string, v Slot) bool {
	if r.Shape == nil {
		return false
	}
	if i := r.Shape.Index(name); i >= 0 {
		r.Slots[i] = v
		return true
	}
	next := r.Shape.With(name)
	if next == nil {
		return false
	}
	r.Slots = append(r.Slots, v)
	r.Shape = next
	return true
}

// Delete deletes an attribute that there is. It reports false where that needs a dict.
func (r *Record) Delete(name string) bool {
	at := r.Shape.Index(name)
	s := &r.Shape.Layout.root
	for i, other := range r.Shape.names {
		if i == at {
			continue
		}
		if s = s.With(other); s == nil {
			return false
		}
	}
	r.Shape, r.Slots = s, slices.Delete(r.Slots, at, at+1)
	return true
}

// Dict is a dict of the attributes.
func (r *Record) Dict() *Dict {
	d := NewDict(len(r.Slots))
	if r.Shape != nil {
		for i, name := range r.Shape.names {
			d.Put(Ref(starlark.String(name)), r.Slots[i])
		}
	}
	return d
}
