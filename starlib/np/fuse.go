package np

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An expression of several operations, 2*(a + b) + c, is computed in one pass where that gives what the operations give one after the other: of arrays and
// numbers, if each function of arrays has the shape of the result, since a smaller one would be computed again and again. Everything else, wrong operands too, is
// left to the operations, so that nothing has to be known here of errors.

var _ value.Fuser = (*Array)(nil)

// A fusedPlan is what a Fusion keeps: its code, by word the module that was found to have the function, and what was linked last.
type fusedPlan struct {
	*fusedCode
	modules []*value.Module
	key     fusedKey
	last    *op.Fused
}

// maxFused bounds the words of a code. Lowering makes none that are longer.
const maxFused = 40

// A fusedValue is an operand of a function: a number, or an array that is an input or the result of a function.
type fusedValue struct {
	number starlark.Value // nil of an array
	word   *fusedWord     // of a literal number
	place  int            // of an array: among the inputs or, from maxFused on, the functions
	d      kernels.DType  // of an array
	full   bool           // it has the shape of the result
}

// A fusedRun goes through the words of a code, and finds what arrays and numbers are to be computed with.
type fusedRun struct {
	key    fusedKey
	s      value.Host
	shape  []int
	in     []*tensor.Dense
	stack  [maxFused]fusedValue
	depth  int
	calls  int
	record bool // what is computed with what
	all    []fusedCall
}

// A fusedCall is a function of arrays, and where its operands are.
type fusedCall struct {
	u    *ufunc
	args []int
}

// Fuse computes an expression, in which a is the first operand that is an array.
func (a *Array) Fuse(f *value.Fusion, operands starlark.Tuple) (starlark.Value, bool) {
	var arrays uint64
	var memory, few [8]*tensor.Dense
	list := few[:0]
	for i, x := range operands {
		switch x := x.(type) {
		case *Array:
			arrays |= 1 << i
			list = append(list, x.d)
		case starlark.Float, Scalar, *value.Module:
		case starlark.Int:
			if _, ok := x.Int64(); !ok {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	shape, err := tensor.CommonShape(list...)
	if err != nil || len(shape) == 0 || tensor.Size(shape) == 0 {
		return nil, false
	}
	p, ok := f.Plan.(*fusedPlan)
	if !ok {
		code := fusedCodeOf(f.Code)
		p = &fusedPlan{fusedCode: code, modules: make([]*value.Module, len(code.words))}
		f.Plan = p
	}
	r := fusedRun{s: a.session, shape: shape, in: memory[:0], key: fusedKey{arrays: arrays}}
	if !p.read(&r, operands) {
		return nil, false
	}
	if p.key != r.key {
		linked, ok := p.linked.Load(r.key)
		if !ok {
			again := fusedRun{s: a.session, shape: shape, record: true, key: fusedKey{arrays: arrays}}
			p.read(&again, operands)
			linked, _ = p.linked.LoadOrStore(r.key, again.link())
		}
		p.key, p.last = r.key, linked.(*op.Fused)
	}
	sampler := value.SamplerOf(a.session)
	sampler.Enter()
	turned := tensor.ReverseAxes(r.in)
	if turned { // as in ufunc.call
		shape = slices.Clone(shape)
		slices.Reverse(shape)
	}
	z, err := p.last.Run(shape, stopOf(a.session), r.in)
	if sampler.Moved() {
		sampler.Leave("function", p.name())
	}
	if err != nil { // it was interrupted, as the first operation will be
		return nil, false
	}
	if turned {
		z = z.Transpose()
	}
	return NewArray(a.session, z), true
}

// name is what a profile calls the functions.
func (p *fusedPlan) name() string {
	var names []string
	for _, w := range p.words {
		if w.kind == fusedFunction {
			names = append(names, "np."+w.ufunc.name)
		}
	}
	return strings.Join(names, ", ")
}

// read goes through the code. It reports whether the operands are such as can be computed with.
func (p *fusedPlan) read(r *fusedRun, operands starlark.Tuple) bool {
	if len(p.words) > maxFused {
		return false
	}
	var places [maxFused]int8 // of the variables among the inputs, and one more
	for i := range p.words {
		w := &p.words[i]
		switch w.kind {
		case fusedNumber:
			r.push(fusedValue{number: w.number, word: w})
		case fusedVariable:
			switch x := operands[w.operand].(type) {
			case *Array:
				if places[w.operand] == 0 {
					r.input(x.d)
					places[w.operand] = int8(len(r.in))
				}
				r.push(fusedValue{place: int(places[w.operand]) - 1, d: x.d.DType(), full: slices.Equal(x.d.Shape(), r.shape)})
			case *value.Module:
				return false
			default:
				r.push(fusedValue{number: x})
			}
		default:
			if w.ufunc == nil || w.ufunc.arity() != w.args || w.op == syntax.ILLEGAL && !p.has(i, operands[w.operand]) || !r.call(w) {
				return false
			}
		}
	}
	return r.depth == 1 && r.stack[0].full
}

// has reports whether a value is a module that has the function of word i under its name.
func (p *fusedPlan) has(i int, v starlark.Value) bool {
	m, ok := v.(*value.Module)
	if !ok {
		return false
	}
	if p.modules[i] != m {
		u := p.words[i].ufunc
		member, err := m.Attr(u.name)
		if err != nil || ufuncOfMember(member) != u {
			return false
		}
		p.modules[i] = m
	}
	return true
}

// ufuncOfMember is the elementwise function that a member of a module is, nil if it is none. np.where is one here.
func ufuncOfMember(v starlark.Value) *ufunc {
	switch v := v.(type) {
	case ufuncValue:
		return v.u
	case value.Callable:
		if v.Module == "np" && v.Builtin.Name == "where" {
			return ufuncs["where"]
		}
	}
	return nil
}

func (r *fusedRun) push(v fusedValue) {
	r.stack[r.depth] = v
	r.depth++
}

// input adds an operand of what is linked.
func (r *fusedRun) input(d *tensor.Dense) (place int) {
	place = len(r.in)
	r.key.in[place] = d.DType()
	r.in = append(r.in, d)
	return place
}

// call replaces operands by what a function gives: a number of numbers, otherwise an array.
func (r *fusedRun) call(w *fusedWord) bool {
	args := r.stack[r.depth-w.args : r.depth]
	arrays, full := false, false
	for i := range args {
		arrays = arrays || args[i].number == nil
		full = full || args[i].full
	}
	if !arrays {
		z := fusedNumbers(r.s, w, args)
		r.depth -= w.args
		r.push(fusedValue{number: z})
		return z != nil
	}
	if !full && !r.makesFull(args) {
		return false
	}
	u := w.ufunc
	if w.op == syntax.STARSTAR {
		if u = w.powers[truth(starlark.Bool(args[0].d.IsFloat()))]; u.arity() == 1 {
			args = args[:1]
		}
	}
	var memory [kernels.MaxArgs]operand
	typed := memory[:len(args)]
	for i := range args {
		typed[i] = r.operand(&args[i])
	}
	d, ok := u.fusesIn(typed)
	if !ok {
		return false
	}
	r.key.computes[r.calls] = d
	var call fusedCall
	for i := range args {
		place := args[i].place
		if args[i].number != nil {
			x := typed[i].d
			if x == nil {
				if x = args[i].as(u.op.Kernel().Operand(i, d)); x == nil {
					return false
				}
			}
			place = r.input(x)
		}
		if r.record {
			call.args = append(call.args, place)
		}
	}
	if r.record {
		call.u = u
		r.all = append(r.all, call)
	}
	r.depth -= w.args
	r.push(fusedValue{place: maxFused + r.calls, d: u.op.Kernel().Key(d).Out, full: true})
	r.calls++
	return true
}

// makesFull reports whether operands that are smaller than the result have its shape together.
func (r *fusedRun) makesFull(args []fusedValue) bool {
	var few [kernels.MaxArgs]*tensor.Dense
	list := few[:0]
	for i := range args {
		if args[i].number == nil {
			list = append(list, r.in[args[i].place])
		}
	}
	shape, err := tensor.CommonShape(list...)
	return err == nil && slices.Equal(shape, r.shape)
}

// ofTypes are arrays that stand for results which are not there yet, of which only the type matters.
var ofTypes = func() (list [kernels.NumDTypes]*tensor.Dense) {
	for _, d := range kernels.DTypes() {
		list[d] = tensor.Empty(d, 0)
	}
	return list
}()

// operand is a value as a function takes it.
func (r *fusedRun) operand(v *fusedValue) operand {
	if v.number == nil {
		return operand{d: ofTypes[v.d]}
	}
	if s, ok := v.number.(Scalar); ok {
		return operand{d: s.Dense(), scalar: true}
	}
	return operand{weak: v.number}
}

// as is a number of Starlark as an array of the type d, nil if it does not fit.
func (v *fusedValue) as(d kernels.DType) *tensor.Dense {
	if v.word != nil {
		return v.word.as[d]
	}
	x, _ := weakAs(v.number, d)
	return x
}

// fusesIn is the type in which u computes on operands, unless what it does depends on their values.
func (u *ufunc) fusesIn(operands []operand) (kernels.DType, bool) {
	common := commonType(operands[u.op.Row().From:], u.isComparison())
	d, refused := u.typing.Of(common)
	ok := refused == "" && (u.typing != op.FloatsBack || d == common) && !(u.op == op.Pow && d.IsSigned())
	return d, ok
}

// fusedNumbers is what a function gives of numbers, nil where it fails or where that is for Starlark to know.
func fusedNumbers(s value.Host, w *fusedWord, args []fusedValue) starlark.Value {
	var z starlark.Value
	var err error
	switch {
	case w.op == syntax.ILLEGAL:
		values := make([]starlark.Value, len(args))
		for i := range args {
			values[i] = args[i].number
		}
		z, err = w.ufunc.call(s, values)
	case w.op == syntax.MINUS && len(args) == 1:
		z, err = starlark.Unary(w.op, args[0].number)
	case w.op == syntax.PLUS, w.op == syntax.MINUS, w.op == syntax.STAR, w.op == syntax.SLASH:
		z, err = starlark.Binary(w.op, args[0].number, args[1].number)
	}
	if err != nil {
		return nil
	}
	switch z.(type) {
	case starlark.Float, starlark.Int, Scalar:
		return z
	}
	return nil
}

// link links the functions.
func (r *fusedRun) link() *op.Fused {
	f := op.NewFuser(r.key.in[:len(r.in)])
	registers := make([]int, len(r.all))
	for k, c := range r.all {
		args := make([]int, len(c.args))
		for i, place := range c.args {
			if args[i] = place; place >= maxFused {
				args[i] = registers[place-maxFused]
			}
		}
		registers[k] = f.Add(c.u.op, r.key.computes[k], args...)
	}
	return evaluator().Fuse(f)
}

// Part is an attribute of a that an operand may be.
func (a *Array) Part(name string) (starlark.Value, bool) {
	switch name {
	case "T":
		return a.glimpse(a.d.Transpose()), true
	case "shape", "size", "ndim":
		v, err := a.Attr(name)
		return v, err == nil
	}
	return nil, false
}

// Reduced is a number of all elements: a.mean().
func (a *Array) Reduced(method string) (starlark.Value, bool) {
	f, err := a.Attr(method)
	if err != nil || a.d.Size() == 0 {
		return nil, false
	}
	var thread *starlark.Thread // so that it hears an interrupt, and a profile knows of it
	if a.session != nil {
		thread = a.session.Current()
	}
	z, err := f.(starlark.Callable).CallInternal(thread, nil, nil)
	return z, err == nil
}

// Element is a[k].
func (a *Array) Element(k starlark.Value) (starlark.Value, bool) {
	if at, ok := a.elementOffset(k); ok {
		return elementAt(a.d, at), true
	}
	if d, ok := a.basic(k); ok {
		return a.glimpse(d), true
	}
	return nil, false
}

// glimpse is a view that nobody has when the expression is computed: it claims no memory.
func (a *Array) glimpse(d *tensor.Dense) *Array { return &Array{d: d, session: a.session} }
