package op

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// Rows yields the operations of the table in order, casts included.
func Rows(yield func(Elemwise) bool) {
	for e := Add; e < castBase; e++ {
		if !yield(e) {
			return
		}
	}
	for _, d := range kernels.DTypes() {
		if !yield(Cast(d)) {
			return
		}
	}
}

// IsCast reports whether e converts, and to what.
func (e Elemwise) IsCast() (to kernels.DType, ok bool) {
	if e <= castBase {
		return kernels.Invalid, false
	}
	return kernels.DType(e - castBase), true
}

// Row is e's row of the table.
func (e Elemwise) Row() *Row {
	if to, ok := e.IsCast(); ok {
		return &casts[to]
	}
	return &rows[e]
}

// casts are the rows of the conversions, by the type to which they convert.
var casts = func() (list [kernels.NumDTypes]Row) {
	for _, to := range kernels.DTypes() {
		list[to] = Row{Name: "cast_" + to.String(), Args: "x", Doc: "x converted to " + to.String() + ".", Laws: Unrounded,
			Smoothness: Discontinuous, Sign: signOf(0), Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{g} }}
		if to.IsFloat() {
			list[to].Smoothness = Kinked
		}
	}
	return list
}()

// Kernel is the row of e's kernel.
func (e Elemwise) Kernel() *kernels.Kernel { return kernelOf[min(e, castBase)] }

var kernelOf = func() (list [castBase + 1]*kernels.Kernel) {
	for e := Add; e < castBase; e++ {
		list[e] = kernels.Lookup(rows[e].Name)
	}
	list[castBase] = kernels.Lookup("cast")
	return list
}()

// NamesIn are the names of row under which users find it in a module.
func (r *Row) NamesIn(module string) []string { return namesIn(r.Names, module) }

// NamesIn are those of the variant.
func (v *Variant) NamesIn(module string) []string { return namesIn(v.Names, module) }

func namesIn(list, module string) (names []string) {
	for name := range strings.FieldsSeq(list) {
		if own, ok := strings.CutPrefix(name, module+"."); ok && !strings.Contains(own, ".") {
			names = append(names, own)
		}
	}
	return names
}

// Name is the row's.
func (e Elemwise) Name() string { return e.Row().Name }

// Arity is the number of operands.
func (e Elemwise) Arity() int { return 1 + strings.Count(e.Row().Args, ", ") }

// computesIn is the element type in which e computes on operands of these types.
func (e Elemwise) computesIn(in []kernels.DType) (kernels.DType, error) {
	if len(in) != e.Arity() {
		return kernels.Invalid, fmt.Errorf("got %d operands, want %d (%s)", len(in), e.Arity(), e.Row().Args)
	}
	if to, ok := e.IsCast(); ok {
		return to, nil
	}
	row := e.Row()
	d := in[row.From]
	for _, t := range in[row.From:] {
		d = kernels.Promote(d, t)
	}
	to, refused := row.Takes.Of(d)
	if refused != "" {
		return kernels.Invalid, fmt.Errorf("got %s, %s", dtypeList(in), refused)
	}
	return to, nil
}

// gives is the element type of the result of e where it computes in d.
func (e Elemwise) gives(d kernels.DType) kernels.DType {
	if _, ok := e.IsCast(); ok {
		return d
	}
	return e.Kernel().Key(d).Out
}

// signature says what it takes to compute e in the type d on operands of these types: the type each
// operand is converted to (Invalid: left as it is), the key of the kernel, and its loop in Go.
func (e Elemwise) signature(d kernels.DType, in []kernels.DType) (convert []kernels.DType, key kernels.LoopKey, loop kernels.Loop) {
	convert = make([]kernels.DType, len(in))
	if to, ok := e.IsCast(); ok {
		return convert, kernels.LoopKey{Op: "cast", In: in[0], Out: to}, kernels.Cast[in[0]][to]
	}
	kernel := e.Kernel()
	for i := range in {
		if i >= e.Row().From || kernel.Mask {
			convert[i] = kernel.Operand(i, d)
		}
	}
	return convert, kernel.Key(d), kernel.Loops[d]
}

func dtypeList(in []kernels.DType) string {
	parts := make([]string, len(in))
	for i, d := range in {
		parts[i] = d.String()
	}
	return strings.Join(parts, " and ")
}

// An assembler builds a kernels.Program, converting operands where they need it.
type assembler struct {
	prog  kernels.Program
	types []kernels.DType // of each register
}

func newAssembler(inputs []kernels.DType) *assembler {
	return &assembler{prog: kernels.Program{Inputs: inputs}, types: append([]kernels.DType(nil), inputs...)}
}

func (a *assembler) emit(key kernels.LoopKey, loop kernels.Loop, args []int) int {
	if loop == nil {
		panic(fmt.Sprintf("BUG: no Go kernel for %s on %v", key.Op, key.In))
	}
	a.prog.Instrs = append(a.prog.Instrs, kernels.Instr{LoopKey: key, Args: args, Go: loop})
	a.types = append(a.types, key.Out)
	return len(a.types) - 1
}

// apply appends e on the given registers, computing in the type that theirs lead to, and returns
// the result's.
func (a *assembler) apply(e Elemwise, args []int) (int, error) {
	d, err := e.computesIn(a.typesOf(args))
	if err != nil {
		return 0, err
	}
	return a.applyIn(e, d, args), nil
}

// applyIn is apply where the type to compute in is decided.
func (a *assembler) applyIn(e Elemwise, d kernels.DType, args []int) int {
	in := a.typesOf(args)
	convert, key, loop := e.signature(d, in)
	regs := append([]int(nil), args...)
	if e == Second {
		regs[0] = regs[1] // the first operand gives only its shape, and may be of another type: the loop need not read it
	}
	for i, d := range convert {
		if d != kernels.Invalid && d != in[i] {
			regs[i] = a.emit(kernels.LoopKey{Op: "cast", In: in[i], Out: d}, kernels.Cast[in[i]][d], []int{args[i]})
		}
	}
	return a.emit(key, loop, regs)
}

func (a *assembler) typesOf(registers []int) []kernels.DType {
	types := make([]kernels.DType, len(registers))
	for i, r := range registers {
		types[i] = a.types[r]
	}
	return types
}

const classElemwise = "tensor.elemwise.Elemwise"

// A fresh elementwise operation is Elemwise{add,no_inplace}; one that overwrites is
// Elemwise{Add}[(0, 0)].
func (e Elemwise) Label() string {
	if to, ok := e.IsCast(); ok {
		return "Elemwise{Cast{" + to.String() + "}}"
	}
	return "Elemwise{" + e.Name() + ",no_inplace}"
}

func (e Elemwise) Class() string { return classElemwise }

// camel is the class name of the scalar operation: Add, TrueDiv, Cast{float64}.
func camel(e Elemwise) string {
	if to, ok := e.IsCast(); ok {
		return "Cast{" + to.String() + "}"
	}
	var b strings.Builder
	for _, w := range strings.Split(e.Name(), "_") {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}
