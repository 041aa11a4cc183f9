package np

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A form is what an expression of elementwise functions is but for its operands: the functions, the
// types in which they compute, and those of the operands. Equal forms are one, in all sessions.
type form struct {
	id    uint16
	u     *ufunc // nil of an operand
	d     kernels.DType
	out   kernels.DType
	args  [kernels.MaxArgs]*form
	reads int // how many operands there are

	last   atomic.Pointer[program] // that ran
	others sync.Map                // programs by their places
}

// A program computes a form of operands some of which are the same: places says for each operand
// which one of them it is.
type program struct {
	places [maxReads]uint8
	fused  *op.Fused
}

// operandForms are those of operands.
var operandForms = func() (list [kernels.NumDTypes]*form) {
	for _, d := range kernels.DTypes() {
		list[d] = &form{id: uint16(d) + 1, out: d, reads: 1}
	}
	return list
}()

// A formKey names the form of a function: its number, the type that its operands have together, and
// the numbers of their forms, 0 for numbers of Starlark.
type formKey uint64

func (k formKey) with(i int, id uint16) formKey { return k | formKey(id)<<(16*i) }

func keyOfForm(u *ufunc, common kernels.DType) formKey {
	return formKey(u.id)<<52 | formKey(common)<<48
}

// maxArgs is how many operands a formKey has room for.
const maxArgs = 3

// A formTable has the forms that there are. Nobody writes so many expressions: when it has
// maxForms another takes its place.
type formTable struct {
	sync.Mutex
	byKey map[formKey]*form
}

const (
	maxForms  = 4000
	firstForm = 64 // after those of operands
	maxReads  = 24 // operands of a form
)

var currentForms atomic.Pointer[formTable]

func forms() *formTable {
	t := currentForms.Load()
	if t == nil {
		currentForms.CompareAndSwap(nil, &formTable{byKey: map[formKey]*form{}})
		t = currentForms.Load()
	}
	return t
}

// of is the form of a function of operands, which are nil of numbers of Starlark; nil if there is
// none: what the function does depends on values, or it refuses the type.
func (t *formTable) of(key formKey, u *ufunc, common kernels.DType, args []*form) *form {
	t.Lock()
	defer t.Unlock()
	if f, ok := t.byKey[key]; ok {
		return f
	}
	if len(t.byKey) >= maxForms {
		currentForms.CompareAndSwap(t, &formTable{byKey: map[formKey]*form{}})
		return nil
	}
	f := newForm(u, common, args)
	if f != nil {
		f.id = uint16(firstForm + len(t.byKey))
	}
	t.byKey[key] = f
	return f
}

func newForm(u *ufunc, common kernels.DType, args []*form) *form {
	d, refused := u.typing.Of(common)
	if refused != "" || u.typing == op.FloatsBack && d != common || u.op == op.Pow && d.IsSigned() {
		return nil
	}
	kernel := u.op.Kernel()
	f := &form{u: u, d: d, out: kernel.Key(d).Out}
	for i, a := range args {
		if a == nil {
			a = operandForms[kernel.Operand(i, d)]
		}
		f.args[i] = a
		f.reads += a.reads
	}
	if f.reads > maxReads {
		return nil
	}
	return f
}

// operands are those of the function.
func (f *form) operands() []*form { return f.args[:f.u.takes] }

// program is what computes the expression of operands, and which of these it reads: each once.
func (f *form) program(in []*tensor.Dense) (*op.Fused, []*tensor.Dense) {
	var places [maxReads]uint8
	n := 0
	for i, x := range in {
		at := slices.Index(in[:n], x)
		if at < 0 {
			at = n
			in[at] = x
			n++
		}
		places[i] = uint8(at)
	}
	p := f.last.Load()
	if p == nil || p.places != places {
		found, ok := f.others.Load(places)
		if !ok {
			found, _ = f.others.LoadOrStore(places, &program{places, f.linked(places, n)})
		}
		p = found.(*program)
		f.last.Store(p)
	}
	return p.fused, in[:n]
}

// linked links the program of n operands.
func (f *form) linked(places [maxReads]uint8, n int) *op.Fused {
	types := make([]kernels.DType, n)
	next := 0
	f.walk(func(part *form) {
		if part.u == nil {
			types[places[next]] = part.out
			next++
		}
	})
	fuser, rest := op.NewFuser(types), places[:]
	f.link(fuser, &rest)
	return Evaluator().Fuse(fuser)
}

// walk goes through the parts, operands first.
func (f *form) walk(visit func(part *form)) {
	if f.u != nil {
		for _, a := range f.operands() {
			a.walk(visit)
		}
	}
	visit(f)
}

// link adds the functions and returns the register of the last. places are those of the operands
// that are not read yet.
func (f *form) link(to op.Fuser, places *[]uint8) int {
	if f.u == nil {
		at := (*places)[0]
		*places = (*places)[1:]
		return int(at)
	}
	var args []int
	for _, a := range f.operands() {
		args = append(args, a.link(to, places))
	}
	return to.Add(f.u.op, f.d, args...)
}

// name is what a profile calls the functions.
func (f *form) name() string {
	name := ""
	f.walk(func(part *form) {
		if part.u != nil {
			if name != "" {
				name += ", "
			}
			name += "np." + part.u.name
		}
	})
	return name
}
