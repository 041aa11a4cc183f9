package profiler

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler/plain"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// describe copies what reports need of a function, so that a profile does not keep its graph and
// constants alive.
func describe(info FunctionInfo) *Function {
	f := &Function{Name: info.Name, Compile: info.Compile, Rewrites: info.Rewrites, KeepAll: info.KeepAll}
	f.Compile.Thunks = nil
	if info.Program == nil {
		return f
	}
	numbers := make(map[*graph.Variable]int)
	number := func(vs []*graph.Variable) []int {
		var list []int
		for _, v := range vs {
			i, ok := numbers[v]
			if !ok {
				i = len(numbers)
				numbers[v] = i
			}
			list = append(list, i)
		}
		return list
	}
	for i, n := range info.Program.Nodes {
		op := n.Apply.Op
		node := &Node{
			ID: i, Op: graph.Label(op), Key: op.Name(), Class: ClassOf(op), Text: ApplyText(n.Apply), Impl: n.Impl,
			Origin: describeOrigin(n.Apply.Origin()), Parts: describeParts(n.Apply.Origin(), n.ISA, nil), In: number(n.Apply.Inputs), Out: number(n.Apply.Outputs),
			Views: aliases(graph.Views(op)), Destroys: aliases(graph.Destroys(op)),
		}
		node.ItemSize = itemSize(n.Apply)
		names := graph.Inner(op)
		for k, q := range n.Inner {
			node.Inner = append(node.Inner, describe(FunctionInfo{Name: names[k].Name, Program: q, KeepAll: info.KeepAll}))
		}
		if i < len(info.Compile.Thunks) {
			node.Thunk = info.Compile.Thunks[i]
		}
		f.Nodes = append(f.Nodes, node)
	}
	if info.Program.Graph != nil {
		f.Results = number(info.Program.Graph.Results())
		for v, i := range numbers {
			if v.Owner == nil && v.Name != "" {
				f.name(i, v.Name)
			}
			switch {
			case v.Owner != nil:
			case v.Shared != nil:
				f.Shared = append(f.Shared, i)
			case v.IsConstant():
				f.Constants = append(f.Constants, i)
			default:
				f.Inputs = append(f.Inputs, i)
			}
		}
		for _, list := range [][]int{f.Inputs, f.Shared, f.Constants} {
			slices.Sort(list)
		}
	}
	f.Variables = len(numbers)
	return f
}

// A sharedValue is a shared variable of a function, and how often it had changed when the recording
// began.
type sharedValue struct {
	variable int
	value    *graph.Container
	changes  uint64
}

// sharedOf are the shared variables of f, whose program p is: p's nodes read them in the order in
// which describe numbers variables.
func sharedOf(f *Function, p *exec.Program) (list []sharedValue) {
	if p == nil {
		return nil
	}
	for i, n := range p.Nodes {
		for k, v := range n.Apply.Inputs {
			at := f.Nodes[i].In[k]
			if v.Shared != nil && !slices.ContainsFunc(list, func(s sharedValue) bool { return s.variable == at }) {
				list = append(list, sharedValue{at, v.Shared, v.Shared.Changes()})
			}
		}
	}
	return list
}

// changed are the variables that have changed since.
func changed(list []sharedValue) (variables []int) {
	for _, s := range list {
		if s.value.Changes() != s.changes {
			variables = append(variables, s.variable)
		}
	}
	return variables
}

// name keeps the user's name of a variable.
func (f *Function) name(variable int, name string) {
	if f.Names == nil {
		f.Names = make(map[int]string)
	}
	f.Names[variable] = name
}

func aliases(list []graph.Alias) []Alias {
	var all []Alias
	for _, a := range list {
		all = append(all, Alias{Out: a.Out, In: a.In})
	}
	return all
}

// ClassOf is the op's class as the classic profile names it, else its Go type.
func ClassOf(op graph.Op) string {
	if l, ok := op.(graph.Labeler); ok {
		return l.Class()
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", op), "*")
}

func describeOrigin(o *graph.Origin) Origin {
	if o == nil {
		return Origin{}
	}
	return Origin{Role: o.Role.String(), Scope: o.Scope, Frames: o.Frames}
}

// describeParts lists the shares of what a fused node replaced, in the time that an instruction set
// takes for it; those of the same line, role and operation are one. A step that was seen to take
// some time has that.
func describeParts(o *graph.Origin, isa string, steps []float64) []Part {
	if o == nil || len(o.Parts) == 0 {
		return nil
	}
	works := make([]float64, len(o.Parts))
	for i, p := range o.Parts {
		works[i] = p.Work.On(isa)
	}
	measured(o, works, steps)
	var total float64
	for _, w := range works {
		total += w
	}
	var parts []Part
	at := make(map[string]int) // the part of a key
	for i, p := range o.Parts {
		share := units.Ratio(works[i], total)
		if total == 0 {
			share = 1 / float64(len(o.Parts))
		}
		origin := describeOrigin(p.Origin)
		key := fmt.Sprint(p.Op, "\x00", origin.Role, origin.Scope, "\x00", origin.Frames)
		i, ok := at[key]
		if !ok {
			i = len(parts)
			at[key] = i
			parts = append(parts, Part{Origin: origin, Op: p.Op})
		}
		parts[i].Share += share
	}
	return parts
}

// measured replaces the works of parts by what their steps took, which the parts of a step divide
// as their works are. Parts without a step, which have taken the place of others, have what they
// were said to take, by the measure of the others.
func measured(o *graph.Origin, works, steps []float64) {
	stepOf := func(i int) int {
		if k := o.Parts[i].Step; k <= len(steps) {
			return k
		}
		return 0
	}
	of, took, said := make(map[int]float64), 0.0, 0.0
	for i, w := range works {
		if k := stepOf(i); k > 0 {
			if of[k] == 0 {
				took += steps[k-1]
			}
			of[k] += w
			said += w
		}
	}
	if took == 0 || said == 0 {
		return
	}
	for i := range works {
		if k := stepOf(i); k > 0 {
			works[i] *= steps[k-1] / of[k] * said / took
		}
	}
}

// ApplyText writes a node as the classic profile does: "Elemwise{add,no_inplace}(x, y)". An operand
// is written as its name or, if it has none, as Owner.k for output k of another node,
// TensorConstant{...} or its type.
func ApplyText(a *graph.Apply) string {
	var b strings.Builder
	b.WriteString(graph.Label(a.Op) + "(")
	for i, v := range a.Inputs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(OperandText(v))
	}
	return b.String() + ")"
}

// OperandText writes a variable as ApplyText does.
func OperandText(v *graph.Variable) string {
	switch {
	case v.Name != "":
		return v.Name
	case v.Owner != nil:
		return graph.Label(v.Owner.Op) + "." + strconv.Itoa(v.Index)
	case v.IsConstant():
		return constantText(v)
	}
	if v.Type.State != graph.NoState {
		return "<" + v.Type.State.TheanoType() + ">"
	}
	return "<TensorType(" + v.Type.DType.String() + ", " + rankName(v.Type.Rank()) + ")>"
}

func rankName(rank int) string {
	names := [...]string{"scalar", "vector", "matrix"}
	if rank < len(names) {
		return names[rank]
	}
	return strconv.Itoa(rank) + "D"
}

// constantText writes TensorConstant{2.0}, TensorConstant{(1,) of 2.0}, TensorConstant{[1.0 2.0
// 3.0]} or, of a large array, its ends.
func constantText(v *graph.Variable) string {
	// Looking for equal elements costs a copy: it is not worth it for a data set.
	const most, shown = 1 << 16, 6
	data := v.Data
	shape := tensor.ShapeString(data.Shape())
	wrap := func(s string) string { return "TensorConstant{" + s + "}" }
	if data.Size() > most || data.Size() == 0 {
		return wrap(shape + " of " + data.DType().String())
	}
	if _, ok := v.Scalar(); ok {
		if data.Rank() == 0 {
			return wrap(numberText(data, 0))
		}
		return wrap(shape + " of " + numberText(data, 0))
	}
	var values []string
	for i := range data.Size() {
		if data.Size() > shown && i >= shown/2 && i < data.Size()-shown/2 {
			if i == shown/2 {
				values = append(values, "...")
			}
			continue
		}
		values = append(values, numberText(data, i))
	}
	list := "[" + strings.Join(values, " ") + "]"
	if data.Rank() != 1 {
		list = shape + " of " + list
	}
	return wrap(list)
}

// numberText writes element i of a, in C order, as Python writes it.
func numberText(a *tensor.Dense, i int) string {
	switch d := a.DType(); {
	case d.IsBool():
		if a.Ints()[i] != 0 {
			return "True"
		}
		return "False"
	case d.IsFloat():
		return floatText(a.Floats()[i], d.Size()*8)
	case d == kernels.Uint64:
		return strconv.FormatUint(tensor.Elements[uint64](a.Copy())[i], 10)
	}
	return strconv.FormatInt(a.Ints()[i], 10)
}

// floatText writes 2.0, 0.01, 1e-05, nan and inf.
func floatText(v float64, bits int) string {
	switch size := math.Abs(v); {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case size != 0 && (size < 1e-4 || size >= 1e16):
		return strconv.FormatFloat(v, 'e', -1, bits)
	}
	s := strconv.FormatFloat(v, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// namePlainly gives the nodes of a function, and of those that they run, their short names.
func (s *Stats) namePlainly(f *Function) {
	nodes := make([]plain.Node, len(f.Nodes))
	for i, n := range f.Nodes {
		of := plain.Node{Op: n.Op, Key: n.Key, Text: n.Text, Gradient: n.Origin.Role == "gradient", In: n.In, Out: n.Out, Loop: len(n.Inner) > 0}
		for p := range n.Shares() {
			of.Parts = append(of.Parts, plain.Part{Op: p.Op, At: p.Origin.Frame(), Gradient: p.Origin.Role == "gradient", Share: p.Share})
		}
		for _, inner := range n.Inner {
			s.namePlainly(inner)
			for _, m := range inner.Nodes { // the step was called where the node was made
				if frames := m.Origin.Frames; of.Step == "" && len(frames) > len(n.Origin.Frames) {
					of.Step = frames[len(n.Origin.Frames)].Func
				}
			}
		}
		nodes[i] = of
	}
	for i, name := range plain.Names(nodes, f.Names, func(file string) string { return s.Sources[file] }) {
		f.Nodes[i].plain = name
	}
}
