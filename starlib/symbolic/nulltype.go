package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A gradientType is DisconnectedType() or NullType(): that of what stands in the place of a
// gradient which is not there. Called, it makes one.
type gradientType struct {
	kind op.RuleKind // Disconnected or Undefined
	why  string      // of what is undefined
}

// A noGradient is what such a type makes.
type NoGradient struct{ gradientType }

var (
	_ starlark.Callable = gradientType{}
	_ value.Tabled      = NoGradient{}
)

func (t gradientType) Name() string {
	if t.kind == op.Undefined {
		return "NullType"
	}
	return "DisconnectedType"
}

func (t gradientType) Type() string          { return t.Name() }
func (t gradientType) String() string        { return t.Name() }
func (t gradientType) Freeze()               {}
func (t gradientType) Truth() starlark.Bool  { return true }
func (t gradientType) Hash() (uint32, error) { return starlark.String(t.Name()).Hash() }

// CallInternal makes a variable of the type.
func (t gradientType) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	b := value.Builtin{Name: t.Name(), Params: []value.Param{{Name: "name", Default: "None"}}}
	_, err := b.Bind(args, kwargs)
	return NoGradient{t}, err
}

func (x NoGradient) Type() string          { return "Variable" }
func (x NoGradient) String() string        { return "<" + x.Name() + ">" }
func (x NoGradient) Table() *value.Methods { return NoGradientFields }
func (x NoGradient) AttrNames() []string   { return NoGradientFields.Names() }

func (x NoGradient) Attr(name string) (starlark.Value, error) { return NoGradientFields.Attr(x, name) }

// NoGradientFields are the attributes of what stands for a gradient that is not there.
var NoGradientFields = value.NewMethods("Variable", nil).With(
	value.FieldOf("type", "DisconnectedType() or NullType().", `isinstance(gradient.DisconnectedType()().type, gradient.DisconnectedType) # True`,
		func(x NoGradient) starlark.Value { return x.gradientType }),
)

type undefinedArgs struct {
	Op      starlark.Value `arg:"op: the operation"`
	At      int            `arg:"x_pos: the number of the operand"`
	X       starlark.Value `arg:"x: the operand"`
	Comment string         `arg:"comment=\"\": why"`
}

// undefinedRow is the row of a function that says that there is no gradient.
func undefinedRow(name, doc, how string) value.Builtin {
	return value.Function(name, doc+" Whoever asks for it gets an error.", `gradient.`+name+`(T.exp, 0, T.scalar("x")).type # NullType`,
		func(_ *starlark.Thread, a *undefinedArgs) (starlark.Value, error) {
			why := fmt.Sprintf("the gradient with respect to operand %d of %s %s", a.At, OperationName(a.Op), how)
			if a.Comment != "" {
				why += ": " + a.Comment
			}
			return NoGradient{gradientType{op.Undefined, why}}, nil
		})
}

// OperationName is what an operation calls itself.
func OperationName(v starlark.Value) string {
	if c, ok := v.(starlark.Callable); ok {
		if _, instance := v.(value.Instance); !instance {
			return c.Name()
		}
	}
	return value.Str(v)
}

// NoGradientTable is what stands for gradients that are not there, and for types of these.
var NoGradientTable = []value.Builtin{
	{Name: "DisconnectedType", Types: []string{"DisconnectedType"}, Doc: "The type of what a gradient returns for an operand on which no result depends: DisconnectedType()() in the place of a variable.",
		Example: `gradient.DisconnectedType()() # <DisconnectedType>`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return gradientType{kind: op.Disconnected}, b.Unpack(args, kwargs)
		}},
	{Name: "NullType", Types: []string{"NullType"}, Params: []value.Param{{Name: "why_null", Default: `""`, Doc: "what the error says"}},
		Doc:     "The type of what a gradient returns for an operand for which it is not defined: NullType(\"why\")() in the place of a variable. Whoever asks for that gradient gets an error.",
		Example: `gradient.NullType("x is an index")() # <NullType>`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			why, err := OptionalString("why_null", v[0])
			if err != nil {
				return nil, fmt.Errorf("NullType: for parameter %w", err)
			}
			return gradientType{op.Undefined, why}, nil
		}},
	undefinedRow("grad_undefined", "What a gradient returns for an operand for which it has no meaning.", "is undefined"),
	undefinedRow("grad_not_implemented", "What a gradient returns for an operand for which it could be, and is not written.", "is not written yet"),
}

// NoGradientMembers are the types by themselves, as PyTensor has them.
var NoGradientMembers = []value.Member{
	{Name: "disconnected_type", Value: gradientType{kind: op.Disconnected}, Doc: "DisconnectedType().", Example: `gradient.disconnected_type() # <DisconnectedType>`},
	{Name: "null_type", Value: gradientType{kind: op.Undefined}, Doc: "NullType().", Example: `gradient.null_type() # <NullType>`},
}

// GradientFor reads what a function of the user's gives for the gradient with respect to x. g is
// nil where there is none, of which why says more if it is undefined.
func (s *Session) GradientFor(b *graph.Builder, x *graph.Variable, v starlark.Value) (kind op.RuleKind, g *graph.Variable, why string, err error) {
	switch v := v.(type) {
	case NoGradient:
		return v.kind, nil, v.why, nil
	case starlark.NoneType:
		return 0, nil, "", fmt.Errorf("got None, want a variable of %s's type, DisconnectedType()() if no result depends on it, or NullType(why)() if there is no gradient", graph.NameOf(x))
	}
	if g, err = s.Variable(b, v, x); err != nil {
		return 0, nil, "", err
	}
	if !x.Type.DType.IsFloat() && !g.Type.DType.IsFloat() { // zeros like x, for one
		return op.Derived, nil, "", nil
	}
	if g.Type.Rank() != x.Type.Rank() {
		return 0, nil, "", fmt.Errorf("got %v, want %v, the type of %s", g.Type, x.Type, graph.NameOf(x))
	}
	defer graph.Catch(&err)
	if !x.Type.DType.IsFloat() {
		return op.Given, g, "", nil
	}
	return op.Given, CastTo(b, g, x.Type.DType), "", nil
}

// OperandFor turns an argument of an operation into an operand of type t. like is what numbers take
// their kind from.
func (s *Session) OperandFor(b *graph.Builder, x starlark.Value, t graph.Type, like *graph.Variable) (v *graph.Variable, err error) {
	defer graph.Catch(&err)
	if v, err = s.Variable(b, x, like); err != nil {
		return nil, err
	}
	if t.State != graph.NoState {
		if v.Type != t {
			return nil, fmt.Errorf("got %v, want %v", v.Type, t)
		}
		return v, nil
	}
	if err := TypeFits(v.Type, t); err != nil {
		return nil, err
	}
	v = CastTo(b, v, t.DType)
	for axis := range t.Rank() {
		if t.Broadcasts(axis) && !v.Type.Broadcasts(axis) {
			return nil, fmt.Errorf("got %v, want %v: T.addbroadcast(x, %d) says that the length of axis %[3]d is 1", v.Type, t, axis)
		}
	}
	if t.Accepts(v.Type) {
		return v, nil
	}
	return b.Apply(op.SpecifyShape{Dims: op.DimsOf(t)}, v), nil
}
