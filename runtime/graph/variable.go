package graph

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Variable is a symbolic value. Exactly one of these holds: it is the output Index of Owner; it
// is a constant (Data); it is a shared variable (Shared); or it is a free input.
//
// Variables are compared by identity. Type, Owner, Index, Data, Shared, Origin and Weak are never
// changed after the variable is made; Name is the user's, who may set it until a function is
// compiled, and so is the tag.
type Variable struct {
	Owner  *Apply
	serial uint64 // its number in tables, 0 until somebody asks: see Table
	Index  int
	Data   *tensor.Dense
	Type   Type
	// Weak says that the value was made of bare numbers only, such as constant(2.0) and its square
	// root: where it meets others it takes their type, as a number that is written there does.
	Weak   bool // beside Type, where there is room for it
	Name   string
	Shared *Container
	Origin *Origin

	notes *notes // nil of nearly all: there are many variables
}

// notes are what little is noted at few variables.
type notes struct {
	// mentions are inputs that the value was written of and that need not be met on the way to it:
	// those of the cost of a gradient, and a variable whose shape was known. They are no operands:
	// only who asks for unused inputs reads them.
	mentions []*Variable
	tag      any
}

// Tag is what the user noted at the variable, nil if nothing. It is nobody else's: rewrites neither
// read it nor hand it on.
func (v *Variable) Tag() any {
	if v.notes == nil {
		return nil
	}
	return v.notes.tag
}

// SetTag notes something at the variable.
func (v *Variable) SetTag(tag any) { v.noted().tag = tag }

// noted is what is noted at v, to be changed.
func (v *Variable) noted() *notes {
	if v.notes == nil {
		v.notes = &notes{}
	}
	return v.notes
}

// A Container holds the value of a shared variable between calls. All functions that use the
// variable share it.
type Container struct {
	mu    sync.Mutex
	value *tensor.Dense
	lent  bool // somebody outside of a run may refer to value
	undo  Undo // nil unless a run has overwritten elements of value and has not ended

	changes atomic.Uint64

	// Strict and Lossy say which values users may set: none of another element type, or also those
	// that lose precision in the variable's.
	Strict, Lossy bool

	// Default, if not nil, is the new value that a function gives the variable if it reads it and
	// is told no other (Theano's default_update). It is the user's, who may set it until a function
	// is compiled.
	Default *Variable

	run    sync.Mutex // held by the function that runs
	serial uint64     // the order in which functions take run
}

var containers atomic.Uint64

// NewContainer returns a container that holds value.
func NewContainer(value *tensor.Dense) *Container {
	return &Container{value: value, lent: true, serial: containers.Add(1)}
}

// SortContainers puts containers into the order in which LockAll takes them.
func SortContainers(all []*Container) {
	slices.SortFunc(all, func(a, b *Container) int { return cmp.Compare(a.serial, b.serial) })
}

// LockAll keeps other functions from running with the same shared variables until unlock is called,
// so that what a run reads and what it writes belong together. all is sorted. Get and Set do not
// wait for it.
func LockAll(all []*Container) (unlock func()) {
	for _, c := range all {
		c.run.Lock()
	}
	return func() {
		for _, c := range all {
			c.run.Unlock()
		}
	}
}

// Get returns the value. It must be treated as read-only, and stays as it is when the container
// receives another. During a run it is the value from before the run.
func (c *Container) Get() *tensor.Dense {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.undo != nil {
		return c.before(new(tensor.Poll))
	}
	c.lent = true
	return c.value
}

// Copy returns a copy of what Get returns, of which poll asks. Nobody holds the value itself
// because of it.
func (c *Container) Copy(poll *tensor.Poll) *tensor.Dense {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.before(poll)
}

// before is a copy of the value as it was before the run, if there is one.
func (c *Container) before(poll *tensor.Poll) *tensor.Dense {
	x := poll.Copy(c.value)
	if c.undo != nil {
		c.undo(x)
	}
	return x
}

// Set replaces the value; the container keeps v itself.
func (c *Container) Set(v *tensor.Dense) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value, c.lent, c.undo = v, true, nil
	c.changes.Add(1)
}

// Changes counts how often the value was replaced or overwritten. It waits for no run.
func (c *Container) Changes() uint64 { return c.changes.Load() }

// Give is Set of an array to which nobody else refers: a run may have its memory.
func (c *Container) Give(v *tensor.Dense) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value, c.lent, c.undo = v, false, nil
	c.changes.Add(1)
}

// Value is Get for a run, which holds the lock of LockAll and forgets the array before it gives the
// lock back.
func (c *Container) Value() *tensor.Dense {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.value
}

// Swap replaces the value for a run that refers to v no more. If mine, nobody else refers to the
// old one: its memory is the caller's.
func (c *Container) Swap(v *tensor.Dense) (old *tensor.Dense, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, mine = c.value, !c.lent
	c.value, c.lent, c.undo = v, false, nil
	c.changes.Add(1)
	return old, mine
}

// Undo makes an array that a run has overwritten, or a copy of it, what it was before.
type Undo func(x *tensor.Dense)

// Overwrite lets a run, which holds the lock of LockAll, write into the value, which it has as x.
// write gets an array of which nobody else knows, x or what duplicate makes of it, which takes its
// place, and stores how to undo what it does before it does it. The run may do so several times,
// and ends with Swap or Revert. Neither function may use the container.
func (c *Container) Overwrite(x *tensor.Dense, duplicate func(x *tensor.Dense) (*tensor.Dense, error), write func(x *tensor.Dense, undo *Undo) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes.Add(1)
	current := c.value == x // unless it was set in the meantime
	if !current || c.lent || !x.IsContiguous() {
		y, err := duplicate(x)
		if err != nil {
			return err
		}
		if x = y; current {
			c.value, c.lent = x, false
		}
	}
	var undo Undo
	err := write(x, &undo)
	switch last := c.undo; {
	case undo == nil || !current:
	case last == nil:
		c.undo = undo
	default:
		c.undo = func(x *tensor.Dense) {
			undo(x)
			last(x)
		}
	}
	return err
}

// Revert undoes what the run has done in Overwrite.
func (c *Container) Revert() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.undo != nil {
		c.undo(c.value)
		c.undo = nil
	}
}

// NewInput returns a free variable.
func NewInput(name string, t Type, origin *Origin) *Variable {
	return &Variable{Type: t, Name: name, Origin: origin}
}

// NewConstant returns a variable whose value is data, which nobody may change any more.
func NewConstant(data *tensor.Dense, origin *Origin) *Variable {
	return &Variable{Type: TypeOfValue(data), Data: data, Origin: origin}
}

// NewShared returns a shared variable that holds value; t must accept it.
func NewShared(name string, t Type, value *tensor.Dense, origin *Origin) *Variable {
	return &Variable{Type: t, Name: name, Shared: NewContainer(value), Origin: origin}
}

// CloneRoot returns another variable of v's kind, type and name, which has no owner: an input for
// an input, a shared variable of the same container for a shared one, a constant of the same data
// for a constant.
func (v *Variable) CloneRoot() *Variable {
	return &Variable{Type: v.Type, Name: v.Name, Data: v.Data, Shared: v.Shared, Origin: v.Origin, Weak: v.Weak}
}

// IsConstant reports whether the value is known when the graph is built.
func (v *Variable) IsConstant() bool { return v.Data != nil }

// IsInput reports whether a call gives the value.
func (v *Variable) IsInput() bool { return v.Owner == nil && v.Data == nil && v.Shared == nil }

// Op is the operation that made the variable, nil if there is none.
func (v *Variable) Op() Op {
	if v.Owner == nil {
		return nil
	}
	return v.Owner.Op
}

// Scalar returns the value of a constant whose elements are all the same.
func (v *Variable) Scalar() (value float64, ok bool) {
	if v.Data == nil || v.Data.Size() == 0 {
		return 0, false
	}
	all := v.Data.Values()
	for _, e := range all[1:] {
		if e != all[0] {
			return 0, false
		}
	}
	return all[0], true
}

// An Apply is the application of an operation to variables.
type Apply struct {
	Op      Op
	Outputs []*Variable
	Inputs  []*Variable // last: what walks ask for lies beside the head of the first output
}

// Origin is that of the first output.
func (a *Apply) Origin() *Origin { return a.Outputs[0].Origin }

// String writes the operation and its operands, to one level: "mul(x, exp(...))".
func (a *Apply) String() string {
	var b strings.Builder
	b.WriteString(BaseName(a.Op) + "(")
	for i, v := range a.Inputs {
		if i > 0 {
			b.WriteString(", ")
		}
		switch {
		case v.Name != "":
			b.WriteString(v.Name)
		case v.IsConstant() && v.Data.Size() == 1:
			b.WriteString(strings.Join(elements(v.Data), ""))
		case v.IsConstant():
			b.WriteString("constant")
		case v.Owner != nil:
			b.WriteString(BaseName(v.Owner.Op) + "(...)")
		default:
			b.WriteString(v.Type.String())
		}
	}
	return b.String() + ")"
}

// TypesOf lists the types of variables.
func TypesOf(vs []*Variable) []Type {
	types := make([]Type, len(vs))
	for i, v := range vs {
		types[i] = v.Type
	}
	return types
}

// DType is the type of the elements.
func (v *Variable) DType() kernels.DType { return v.Type.DType }

// Rank is the number of axes.
func (v *Variable) Rank() int { return v.Type.Rank() }

// Dim is the length of an axis, Unknown if it is not known.
func (v *Variable) Dim(axis int) int { return v.Type.Dim(axis) }
