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

// An expression of several operations, 2*(a + b) + c, is computed in one pass where that gives what the operations give one after the other: of arrays of one
// shape and one type of floats, and of numbers. Everything else, wrong operands too, is left to the operations, so that nothing has to be known here of
// errors, of broadcasting and of mixed types.

var _ value.Fuser = (*Array)(nil)

// A fusedPlan is what a Fusion keeps: its code, and by word the module that was found to have the function.
type fusedPlan struct {
	*fusedCode
	modules []*value.Module
}

// maxFused bounds the words of a code. Lowering makes none that are longer.
const maxFused = 40

// A fusedValue is an operand of a function: a number, or an array that is an input or the result of a function.
type fusedValue struct {
	number starlark.Value // nil of an array
	word   *fusedWord     // of a literal number
	place  int            // of an array: among the inputs or, from maxFused on, the functions
}

// A fusedRun goes through the words of a code, and finds what arrays and numbers are to be computed with.
type fusedRun struct {
	d      kernels.DType
	s      value.Host
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
	key, shape := fusedKey{d: a.d.DType()}, a.d.Shape()
	if !key.d.IsFloat() || a.d.Size() == 0 || len(shape) == 0 {
		return nil, false
	}
	for i, x := range operands {
		switch x := x.(type) {
		case *Array:
			if x.d.DType() != key.d || !slices.Equal(x.d.Shape(), shape) {
				return nil, false
			}
			key.arrays |= 1 << i
		case starlark.Float, Scalar, *value.Module:
		case starlark.Int:
			if _, ok := x.Int64(); !ok {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	p, ok := f.Plan.(*fusedPlan)
	if !ok {
		code := fusedCodeOf(f.Code)
		p = &fusedPlan{code, make([]*value.Module, len(code.words))}
		f.Plan = p
	}
	var memory [8]*tensor.Dense
	r := fusedRun{d: key.d, s: a.session, in: memory[:0]}
	if !p.read(&r, operands) {
		return nil, false
	}
	linked, ok := p.linked.Load(key)
	if !ok {
		again := fusedRun{d: key.d, s: a.session, record: true}
		p.read(&again, operands)
		linked, _ = p.linked.LoadOrStore(key, again.link())
	}
	fused := linked.(*op.Fused)
	if fused == nil {
		return nil, false
	}
	sampler := value.SamplerOf(a.session)
	sampler.Enter()
	z, err := fused.Run(shape, stopOf(a.session), r.in)
	if sampler.Moved() {
		sampler.Leave("function", p.name())
	}
	if err != nil { // it was interrupted, as the first operation will be
		return nil, false
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
					r.in = append(r.in, x.d)
					places[w.operand] = int8(len(r.in))
				}
				r.push(fusedValue{place: int(places[w.operand]) - 1})
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
	return r.depth == 1 && r.stack[0].number == nil
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
		if f, ok := member.(ufuncValue); err != nil || !ok || f.u != u {
			return false
		}
		p.modules[i] = m
	}
	return true
}

func (r *fusedRun) push(v fusedValue) {
	r.stack[r.depth] = v
	r.depth++
}

// call replaces operands by what a function gives: a number of numbers, otherwise an array.
func (r *fusedRun) call(w *fusedWord) bool {
	args := r.stack[r.depth-w.args : r.depth]
	arrays := false
	for i := range args {
		arrays = arrays || args[i].number == nil
	}
	if !arrays {
		z := fusedNumbers(r.s, w, args)
		r.depth -= w.args
		r.push(fusedValue{number: z})
		return z != nil
	}
	var call fusedCall
	for i := range args {
		place := args[i].place
		if args[i].number != nil {
			x := r.number(args[i])
			if x == nil {
				return false
			}
			place = len(r.in)
			r.in = append(r.in, x)
		}
		if r.record {
			call.args = append(call.args, place)
		}
	}
	if r.record {
		call.u = w.ufunc
		r.all = append(r.all, call)
	}
	r.depth -= w.args
	r.push(fusedValue{place: maxFused + r.calls})
	r.calls++
	return true
}

// number is a number as arrays take it, nil if they would become arrays of another type.
func (r *fusedRun) number(v fusedValue) *tensor.Dense {
	switch {
	case v.word != nil && r.d == kernels.Float32:
		return v.word.f32
	case v.word != nil:
		return v.word.f64
	}
	s, ok := v.number.(Scalar)
	if !ok {
		d, _ := weakAs(v.number, r.d)
		return d
	}
	d := s.Dense()
	if promoted(r.d, scalarInfluence(d, r.d)) != r.d {
		return nil
	}
	return d.AsType(r.d)
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

// link links the functions, or returns nil if one of them computes in another type.
func (r *fusedRun) link() *op.Fused {
	types := make([]kernels.DType, len(r.in))
	for i := range types {
		types[i] = r.d
	}
	f := op.NewFuser(types)
	registers := make([]int, len(r.all))
	for k, c := range r.all {
		d, refused := c.u.typing.Of(r.d)
		if refused != "" || d != r.d || c.u.op.Row().From != 0 {
			return nil
		}
		args := make([]int, len(c.args))
		for i, place := range c.args {
			if c.u.op.Kernel().Operand(i, d) != d {
				return nil
			}
			if args[i] = place; place >= maxFused {
				args[i] = registers[place-maxFused]
			}
		}
		var to kernels.DType
		registers[k], to = f.Add(c.u.op, d, args...)
		if to != d && k < len(r.all)-1 {
			return nil
		}
	}
	return evaluator().Fuse(f)
}
