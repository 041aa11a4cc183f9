package op

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
)

// The spellings of Theano's profile, so that its readers find their way: see graph.Labeler.

const (
	classElemwise = "tensor.elemwise.Elemwise"
	classBasic    = "tensor.basic."
)

// A fresh elementwise operation is Elemwise{add,no_inplace}; one that overwrites is Elemwise{Add}[(0, 0)].
func (e Elemwise) Label() string {
	if to, ok := e.IsCast(); ok {
		return "Elemwise{Cast{" + to.String() + "}}"
	}
	return "Elemwise{" + e.Name() + ",no_inplace}"
}

func (e Elemwise) Class() string { return classElemwise }

func (c Composite) Label() string { return "Elemwise{Composite{" + c.Expression() + "}}" }
func (c Composite) Class() string { return classElemwise }

func (p Inplace) Label() string {
	var pairs []string
	for _, a := range p.DestroyMap() {
		pairs = append(pairs, fmt.Sprintf("(%d, %d)", a.Out, a.In))
	}
	where := "[" + strings.Join(pairs, ", ") + "]"
	if e, ok := p.Op.(Elemwise); ok {
		return "Elemwise{" + camel(e) + "}" + where
	}
	if l, ok := p.Op.(interface{ Label() string }); ok {
		return l.Label() + where
	}
	return p.Name()
}

func (p Inplace) Class() string { return classElemwise }

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

func (d DimShuffle) Label() string {
	return "InplaceDimShuffle{" + strings.ReplaceAll(string(d.Pattern), " ", ",") + "}"
}
func (d DimShuffle) Class() string { return "tensor.elemwise.DimShuffle" }

func (r Reshape) Label() string    { return "Reshape{" + strconv.Itoa(r.Rank) + "}" }
func (r Reshape) Class() string    { return classBasic + "Reshape" }
func (s ShapeI) Label() string     { return "Shape_i{" + strconv.Itoa(s.Axis) + "}" }
func (s ShapeI) Class() string     { return "compile.ops.Shape_i" }
func (m MakeVector) Label() string { return "MakeVector" }
func (m MakeVector) Class() string { return "tensor.opt.MakeVector" }
func (a Alloc) Label() string      { return "Alloc" }
func (a Alloc) Class() string      { return classBasic + "Alloc" }
func (SpecifyShape) Label() string { return "SpecifyShape" }
func (SpecifyShape) Class() string { return "compile.ops.SpecifyShape" }
func (DeepCopy) Label() string     { return "DeepCopyOp" }
func (DeepCopy) Class() string     { return "compile.ops.DeepCopyOp" }

func (r Reduce) Label() string {
	return camelWord(r.Kind.String()) + "{axis=" + axisList(r.Axes) + "}"
}
func (r Reduce) Class() string { return "tensor.elemwise." + camelWord(r.Kind.String()) }

func (a Argmax) Label() string {
	return camelWord(a.kernel()) + "{axis=" + axisList(tensor.AxesOf(a.Axis)) + "}"
}
func (a Argmax) Class() string { return classBasic + camelWord(a.kernel()) }

func camelWord(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// axisList writes [0, 1].
func axisList(axes tensor.Axes) string {
	return "[" + strings.Join(strings.Fields(axes.String()), ", ") + "]"
}

func (Dot) Label() string { return "dot" }
func (Dot) Class() string { return classBasic + "Dot" }

func (g Gemm) base() string {
	if g.Vector {
		return "Gemv"
	}
	return "Gemm"
}

func (g Gemm) Label() string {
	if g.Inplace {
		return g.base() + "{inplace}"
	}
	return g.base() + "{no_inplace}"
}

func (g Gemm) Class() string { return "tensor.blas." + g.base() }

func (s Softmax) Label() string {
	if s.Log {
		return "LogSoftmax"
	}
	return "Softmax"
}
func (s Softmax) Class() string { return "tensor.nnet.nnet." + s.Label() }

func (s Subtensor) Label() string    { return "Subtensor{" + s.Index.label() + "}" }
func (s Subtensor) Class() string    { return "tensor.subtensor.Subtensor" }
func (s IncSubtensor) Class() string { return "tensor.subtensor.IncSubtensor" }
func (s IncSubtensor) Label() string {
	kind := "Inc"
	if s.Set {
		kind = "Set"
	}
	return "IncSubtensor{" + kind + ";" + s.Index.label() + "}"
}

// label writes the subscripts as Theano does, with the operands' type for i: "int64:int64:, 0".
func (s Subscripts) label() string {
	return strings.ReplaceAll(strings.Join(strings.Fields(string(s)), ", "), "i", "int64")
}
