package symbolic

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Symbol is a symbolic variable as Starlark sees it. Two symbols are equal if they are the same
// variable, so that symbols may be keys of dicts; T.eq is the symbolic comparison.
type Symbol struct {
	S *Session
	V *graph.Variable
}

var (
	_ starlark.HasBinary   = Symbol{}
	_ starlark.HasUnary    = Symbol{}
	_ starlark.HasSetField = Symbol{}
	_ starlark.Comparable  = Symbol{}
	_ starlark.Mapping     = Symbol{}
	_ value.PartlyIterable = Symbol{}
	_ value.Slicer         = Symbol{}
	_ value.Comparer       = Symbol{}
	_ value.Numeric        = Symbol{}
	_ value.Documenter     = Symbol{}
	_ value.Reprer         = Symbol{}
	_ value.Strer          = Symbol{}
)

// Variable is the graph's variable.
func (x Symbol) Variable() *graph.Variable { return x.V }

func (x Symbol) Type() string {
	state, isState := stateTypes[x.V.Type.State]
	switch {
	case isState && x.V.Shared != nil:
		return state.shared
	case isState:
		return state.variable
	case x.V.Shared != nil:
		return sharedType
	case x.V.IsConstant():
		return constantType
	}
	return variableType
}

// String is what Theano prints: the name, or the operation and the number of its output.
func (x Symbol) String() string {
	switch {
	case x.V.Name != "":
		return x.V.Name
	case x.V.IsConstant():
		return "TensorConstant{" + value.Repr(np.FromDense(x.V.Data)) + "}"
	case x.V.Owner != nil:
		return fmt.Sprintf("%s.%d", graph.Label(x.V.Owner.Op), x.V.Index)
	}
	return "<" + TypeName(x.V.Type) + ">"
}

// Str is what str() and print() show: String, whatever the flags say.
func (x Symbol) Str() string { return x.String() }

// Repr is what a cell shows: String, and below it the test value, if config.print_test_value asks
// for it and there is one.
func (x Symbol) Repr() string {
	if v := TestValue(x.V); v != nil && x.V.Type.State == graph.NoState && x.S.Config().Bool("print_test_value") {
		return x.String() + "\n" + value.Repr(np.NewArray(x.S, v)) // array(42.), as Theano writes scalars
	}
	return x.String()
}

// shown is how a front end shows a variable beside its text, as a room above says.
var shown func(x Symbol) map[string]any

// ShowBy says how front ends show variables beside their text, when the program starts.
func ShowBy(show func(x Symbol) map[string]any) bool {
	shown = show
	return true
}

// MimeBundle is the variable as front ends show it beside its text.
func (x Symbol) MimeBundle() map[string]any { return shown(x) }

// Doc is what x? shows.
func (x Symbol) Doc() string {
	lines := []string{TypeName(x.V.Type)}
	isState := x.V.Type.State != graph.NoState
	if !isState {
		lines = append(lines, "static shape "+staticShape(x.V.Type))
	}
	if x.V.Shared != nil && !isState {
		lines = append(lines, "shape of the value "+tensor.ShapeString(x.V.Shared.Get().Shape()))
	}
	if x.V.Owner != nil {
		lines = append(lines, "made by "+x.V.Owner.Op.Name())
	}
	if pos := x.V.Origin.Pos(); pos.IsValid() {
		lines = append(lines, "at "+pos.String())
	}
	return strings.Join(lines, "\n")
}

func (x Symbol) Freeze() {}

// Truth is that of what is given: if not W asks whether there is a W, as in Theano. What is true or
// false only when the function runs, a comparison and what is made of some, has none; Truth cannot
// fail, so it stops the cell.
func (x Symbol) Truth() starlark.Bool {
	if !x.V.Type.DType.IsBool() {
		return true
	}
	way := "use T.switch(condition, a, b)"
	if x.V.Type.Rank() == 0 {
		way += ", or ifelse(condition, a, b), which computes one of them"
	}
	way += "; in place of while, theano.scan with until(condition)"
	x.S.CancelTruth(fmt.Sprintf("the truth value of a symbolic variable (%s) is undefined before the function runs; %s", graph.Describe(x.V), way))
	return false
}

func (x Symbol) Hash() (uint32, error) { return hashOf(x.V), nil }

// CompareSameType is identity for == and !=; the other comparisons go to CompareBy.
func (x Symbol) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(Symbol)
	switch op {
	case syntax.EQL:
		return ok && x.V == other.V, nil
	case syntax.NEQ:
		return !ok || x.V != other.V, nil
	}
	return false, fmt.Errorf("%s of symbolic variables has no value before the function runs", op)
}

var orderOps = map[syntax.Token]op.Elemwise{syntax.LT: op.Lt, syntax.LE: op.Le, syntax.GT: op.Gt, syntax.GE: op.Ge}

// CompareBy makes the symbolic comparison of x < y and its like.
func (x Symbol) CompareBy(token syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if e, ok := orderOps[token]; ok {
		return x.binary(token, e, y, side)
	}
	if _, same := y.(Symbol); same {
		return nil, nil
	}
	return starlark.Bool(token == syntax.NEQ), nil // it is another object: T.eq compares values
}

// Builder makes nodes at the line that is running. thread is nil in operators.
func (s *Session) Builder(thread *starlark.Thread) *graph.Builder {
	return &graph.Builder{Origin: s.NodeOrigin(thread), Made: s.Made().Node}
}

// NodeOrigin is the user's place as the graph keeps it.
func (s *Session) NodeOrigin(thread *starlark.Thread) *graph.Origin {
	if s.Writing != nil {
		return s.Writing
	}
	return &graph.Origin{Frames: s.Origin(thread), Scope: s.Scope()}
}

// Apply makes a node from operands and wraps its first output.
func (s *Session) Apply(b *graph.Builder, o graph.Op, in ...*graph.Variable) (starlark.Value, error) {
	out, err := b.Make(o, in...)
	if err != nil {
		return nil, s.Locate(err)
	}
	return Symbol{s, out[0]}, nil
}

// matmul is the operator @.
func matmul(b *graph.Builder, x, y *graph.Variable) (z *graph.Variable, err error) {
	defer graph.Catch(&err)
	return formula.Pairing(formula.Matmul).Of(b, x, y)
}

var binaryOps = map[syntax.Token]op.Elemwise{
	syntax.PLUS: op.Add, syntax.MINUS: op.Sub, syntax.STAR: op.Mul, syntax.SLASH: op.TrueDiv, syntax.SLASHSLASH: op.IntDiv,
	syntax.PERCENT: op.Mod, syntax.AMP: op.And, syntax.PIPE: op.Or, syntax.CIRCUMFLEX: op.Xor,
	syntax.LTLT: op.LeftShift, syntax.GTGT: op.RightShift,
}

func (x Symbol) Binary(token syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	e, ok := binaryOps[token]
	if !ok {
		return nil, nil
	}
	return x.binary(token, e, y, side)
}

func (x Symbol) binary(token syntax.Token, e op.Elemwise, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	switch y.(type) {
	case *SparseVariable:
		return nil, nil // which knows what to do
	case starlark.String, starlark.NoneType, *slot.Dict, starlark.Callable:
		return nil, fmt.Errorf("%s: got %s and %s, want symbolic variables, numbers or arrays", token, x.Type(), y.Type())
	}
	b := x.S.Builder(nil)
	other, err := x.S.Variable(b, y, x.V)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", token, err)
	}
	in := []*graph.Variable{x.V, other}
	if side == starlark.Right {
		in[0], in[1] = other, x.V
	}
	x.S.Agree(b, in)
	return x.S.Apply(b, e, in...)
}

func (x Symbol) Unary(token syntax.Token) (starlark.Value, error) {
	b := x.S.Builder(nil)
	switch token {
	case syntax.MINUS:
		return x.S.Apply(b, op.Neg, x.V)
	case syntax.PLUS:
		return x, nil
	case syntax.TILDE:
		return x.S.Apply(b, op.Invert, x.V)
	}
	return nil, nil
}

// numericOps are the built-in functions that symbols take part in.
var numericOps = map[string]op.Elemwise{"abs": op.Abs, "pow": op.Pow, "min": op.Minimum, "max": op.Maximum, "round": op.Round}

func (x Symbol) CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	b := x.S.Builder(thread)
	if name == "len" {
		if x.V.Type.Rank() > 0 && x.V.Type.Dim(0) != graph.Unknown {
			return starlark.MakeInt(x.V.Type.Dim(0)), nil
		}
		return nil, tensor.TypeErrorf("len: the length of %s is not known before the function runs; use x.shape[0]", x)
	}
	if len(kwargs) > 0 {
		return nil, fmt.Errorf("%s: unexpected keyword argument %s for a symbolic variable", name, kwargs[0][0])
	}
	if name == "matmul" {
		in := make([]*graph.Variable, len(args))
		for i, a := range args {
			var err error
			if in[i], err = x.S.Variable(b, a, x.V); err != nil {
				return nil, fmt.Errorf("@: %w", err)
			}
			if in[i].Type.Rank() == 0 {
				return nil, fmt.Errorf("@: got a scalar, want vectors or matrices; x * y multiplies by a number")
			}
		}
		v, err := matmul(b, in[0], in[1])
		if err != nil {
			return nil, x.S.Locate(err)
		}
		return Symbol{x.S, v}, nil
	}
	if name == "sum" {
		if len(args) != 1 {
			return nil, fmt.Errorf("sum: got %d arguments, want 1 for a symbolic variable", len(args))
		}
		return x.S.Apply(b, op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(x.V.Type.Rank())}, x.V)
	}
	e, ok := numericOps[name]
	if !ok {
		return nil, fmt.Errorf("%s: got %s, want a number", name, x.Type())
	}
	if (name == "min" || name == "max") && len(args) == 1 {
		kind := op.Max
		if name == "min" {
			kind = op.Min
		}
		return x.S.Apply(b, op.Reduce{Kind: kind, Axes: tensor.AllAxes(x.V.Type.Rank())}, x.V)
	}
	if name != "min" && name != "max" && len(args) != e.Arity() {
		return nil, fmt.Errorf("%s: got %d arguments, want %d", name, len(args), e.Arity())
	}
	in := make([]*graph.Variable, len(args))
	for i, a := range args {
		var err error
		if in[i], err = x.S.Variable(b, a, x.V); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	x.S.Agree(b, in)
	if e.Arity() == 1 {
		return x.S.Apply(b, e, in...)
	}
	acc := Symbol{x.S, in[0]}
	for _, v := range in[1:] {
		next, err := x.S.Apply(b, e, acc.V, v)
		if err != nil {
			return nil, err
		}
		acc = next.(Symbol)
	}
	return acc, nil
}

// InputName is what errors call an input: its name, or its number.
func InputName(v *graph.Variable, i int) string {
	if v.Name != "" {
		return v.Name
	}
	return fmt.Sprintf("input %d", i)
}

// expressionText is the operation and its operands, or the name or value of what is not computed.
func expressionText(s *Session, v *graph.Variable) string {
	if v.Owner != nil {
		return profiler.ApplyText(v.Owner)
	}
	return Symbol{s, v}.String()
}
