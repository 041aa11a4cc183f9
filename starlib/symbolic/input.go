package symbolic

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// What a compiled function takes for an input is what Theano takes. An array must have an element type that fits into the input's; a number, and a
// list of them, only has to have the same value there. Beyond that floats lose digits if downcast lets them.

// downcast says which arguments may lose precision.
type downcast uint8

const (
	downcastUnsaid downcast = iota // config.allow_input_downcast says it
	downcastFloats                 // None: floats that are no arrays, for inputs of floatX
	downcastNever                  // False
	downcastAlways                 // True
)

// downcastArg reads None, True or False; None is left to the flag.
func downcastArg(what string, v starlark.Value) (downcast, error) {
	switch v {
	case nil, starlark.None:
		return downcastUnsaid, nil
	case starlark.True:
		return downcastAlways, nil
	case starlark.False:
		return downcastNever, nil
	}
	return 0, fmt.Errorf("%s: got %s, want None, True or False", what, value.Repr(v))
}

// accepting is what an input takes.
type accepting struct {
	name      string         // the keyword, "" if it is the variable's name
	otherwise starlark.Value // for a call that gives none; nil if it has to
	strict    bool           // only arrays of the input's element type
	downcast  downcast
}

// accepting is what each input of spec takes, with what the flag says.
func (s *Session) accepting(spec functionSpec) []accepting {
	all := make([]accepting, len(spec.inputs))
	copy(all, spec.accepts)
	for i := range all {
		if all[i].downcast == downcastUnsaid {
			all[i].downcast = spec.downcast
		}
		if all[i].downcast == downcastUnsaid {
			all[i].downcast = map[string]downcast{"None": downcastFloats, "True": downcastAlways, "False": downcastNever}[s.Config().String("allow_input_downcast")]
		}
	}
	return all
}

// value turns an argument of a call into a value for an input of type t. What arrays have that t has not, the call refuses.
func (a accepting) value(s *Session, x starlark.Value, t graph.Type) (*tensor.Dense, error) {
	scalar, isScalar := x.(np.Scalar)
	x = value.Plain(x)
	if v, ok := x.(Symbol); ok {
		return nil, fmt.Errorf("got the symbolic variable %s, want a number or an array: a compiled function takes values", v)
	}
	if array, ok := x.(*np.Array); ok {
		if d := array.Dense().DType(); a.strict && d != t.DType {
			return nil, fmt.Errorf("got dtype %v, want %v: it is strict; convert it with .astype(\"%[2]v\")", d, t.DType)
		}
		return array.Dense(), nil
	}
	if a.strict && !(isScalar && scalar.DType() == t.DType) {
		return nil, fmt.Errorf("got %s, want an array of %v: it is strict; np.array(x, dtype=\"%[2]v\") makes one", x.Type(), t.DType)
	}
	if z := number(x, t.DType); z != nil {
		return z, nil
	}
	given, err := np.ToDense(x)
	if err != nil {
		return nil, err
	}
	d := given.DType()
	converted := given.AsType(t.DType)
	switch {
	case d == t.DType || kernels.Promote(d, t.DType) == t.DType || a.downcast == downcastAlways:
	case a.downcast != downcastNever && d.IsFloat() && t.DType.IsFloat() && s.floatX() == t.DType:
	case !same(given, converted):
		return nil, a.refusal(x, t.DType)
	}
	return converted, nil
}

// refusal is the error for what would lose precision.
func (a accepting) refusal(x starlark.Value, want kernels.DType) error {
	way := fmt.Sprintf("convert it with np.%v(x)", want)
	if a.downcast != downcastUnsaid {
		way += ", or pass allow_input_downcast=True to function()"
	}
	switch x := x.(type) {
	case starlark.Int:
		if !want.IsFloat() {
			return fmt.Errorf("the integer %s does not fit into %v; %s", x, want, way)
		}
		return fmt.Errorf("the integer %s has more digits than %v; %s", x, want, way)
	case starlark.Float:
		if !want.IsFloat() {
			return fmt.Errorf("got the float %s, want %v; %s", value.Repr(x), want, way)
		}
		return fmt.Errorf("the float %s has more digits than %v; %s", value.Repr(x), want, way)
	}
	return fmt.Errorf("got a %s with numbers that have more digits than %v, or do not fit into it; %s", x.Type(), want, way)
}

// same reports whether given and converted, which is given in another type, have the same elements, nan among them.
func same(given, converted *tensor.Dense) bool {
	to := converted.DType()
	if !given.DType().IsFloat() && !to.IsFloat() { // integers of 64 bits, which float64 cannot tell apart
		for _, n := range given.Ints() {
			if !fitsInt(n, to) || given.DType() == kernels.Uint64 && n < 0 {
				return false
			}
		}
		return true
	}
	after := converted.Floats()
	for i, n := range given.Floats() {
		if n != after[i] && !(math.IsNaN(n) && math.IsNaN(after[i])) {
			return false
		}
	}
	return true
}

// number is the value for a number that needs no more than a look; nil if there is more to say.
func number(x starlark.Value, d kernels.DType) *tensor.Dense {
	switch x := x.(type) {
	case starlark.Float:
		if d == kernels.Float64 {
			return tensor.Scalar(d, float64(x))
		}
	case starlark.Int:
		if n, ok := x.Int64(); ok && d.IsInteger() && fitsInt(n, d) {
			return tensor.IntScalar(d, n)
		}
	}
	return nil
}

// readInputs reads the inputs of function(): variables, and In(...) of variables.
func (s *Session) readInputs(v starlark.Value) (list []*graph.Variable, accepts []accepting, err error) {
	seq, ok := v.(starlark.Iterable)
	if _, one := v.(Symbol); !ok || one {
		return nil, nil, fmt.Errorf("inputs: got %s, want a list of symbolic variables", v.Type())
	}
	i := 0
	for e := range starlark.Elements(seq) {
		switch e := e.(type) {
		case Symbol:
			list, accepts = append(list, e.v), append(accepts, accepting{})
		case *inputValue:
			list, accepts = append(list, e.v), append(accepts, e.accepting)
		default:
			return nil, nil, fmt.Errorf("inputs[%d]: got %s, want a symbolic variable", i, e.Type())
		}
		i++
	}
	return list, accepts, nil
}

// An inputValue is In(...): a variable, and what calls may give for it.
type inputValue struct {
	s *Session
	v *graph.Variable
	accepting
}

var _ value.Tabled = (*inputValue)(nil)

func (x *inputValue) String() string        { return "In(" + Symbol{x.s, x.v}.String() + ")" }
func (x *inputValue) Type() string          { return "In" }
func (x *inputValue) Freeze()               {}
func (x *inputValue) Truth() starlark.Bool  { return true }
func (x *inputValue) Hash() (uint32, error) { return hashOf(x.v), nil }
func (x *inputValue) Table() *value.Methods { return InputFields }
func (x *inputValue) AttrNames() []string   { return InputFields.Names() }

func (x *inputValue) Attr(name string) (starlark.Value, error) { return InputFields.Attr(x, name) }

// InputFields are the attributes of In(...).
var InputFields = value.NewMethods("In", nil).With(
	value.FieldOf("variable", "The variable.", `theano.In(T.scalar("x")).variable # x`, func(x *inputValue) starlark.Value { return Symbol{x.s, x.v} }),
	value.FieldOf("name", "The keyword of calls, or None.", `theano.In(T.scalar("x"), name="rate").name # "rate"`, func(x *inputValue) starlark.Value {
		if x.name == "" && x.v.Name == "" {
			return starlark.None
		}
		return starlark.String(cmp.Or(x.name, x.v.Name))
	}),
	value.FieldOf("value", "What a call that gives none takes, or None.", `theano.In(T.scalar("x"), value=0.5).value # 0.5`, func(x *inputValue) starlark.Value {
		if x.otherwise == nil {
			return starlark.None
		}
		return x.otherwise
	}),
	value.FieldOf("strict", "Whether only arrays of its element type will do.", `theano.In(T.scalar("x")).strict # False`,
		func(x *inputValue) starlark.Value { return starlark.Bool(x.strict) }),
	value.FieldOf("allow_downcast", "Whether arguments may lose precision: None, True or False.", `theano.In(T.scalar("x"), allow_downcast=True).allow_downcast # True`,
		func(x *inputValue) starlark.Value {
			switch x.downcast {
			case downcastAlways, downcastNever:
				return starlark.Bool(x.downcast == downcastAlways)
			}
			return starlark.None
		}),
)

// InBuiltin is theano.In. In by itself is the notebook's list of cells.
var InBuiltin = value.Builtin{Name: "In", Params: []value.Param{
	{Name: "variable", Doc: "a free variable"},
	{Name: "name", Default: "None", Doc: "the keyword of calls, if not the variable's name"},
	{Name: "value", Default: "None", Doc: "what a call that gives none takes"},
	{Name: "update", Default: "None", Doc: "refused: what is kept between calls is a shared variable"},
	{Name: "mutable", Default: "None", Doc: "that the argument may be overwritten, of which no use is made"},
	{Name: "strict", Default: "False", Doc: "take only arrays of the variable's element type"},
	{Name: "allow_downcast", Default: "None", Doc: "as allow_input_downcast of function(), for this input"},
	{Name: "autoname", Default: "True", Doc: "whether the variable's name is the keyword"},
	{Name: "implicit", Default: "None", Doc: "refused if True: a call may give every input"},
	{Name: "borrow", Default: "None", Doc: "that results may be views of the argument, of which no use is made"},
	{Name: "shared", Default: "False", Doc: "refused if True: make a variable with shared()"},
}, Doc: "An input of function(), and what calls may give for it.", Example: `theano.function([theano.In(T.scalar("x"), value=2.0)], T.constant(1.0), on_unused_input="ignore")() # 1.0`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		x, ok := v[0].(Symbol)
		truth := func(i int) bool { return v[i] != nil && bool(v[i].Truth()) }
		switch {
		case !ok || !x.v.IsInput():
			return nil, fmt.Errorf("In: got %s, want a free variable such as T.vector()", describeValue(v[0]))
		case !absent(v[3]):
			return nil, fmt.Errorf("In: update: what is kept between calls is a shared variable: w = shared(value), and function(..., updates=[(w, %s)])", v[3])
		case truth(8):
			return nil, fmt.Errorf("In: implicit: a call may give every input; a value that no call gives is a shared variable")
		case truth(10):
			return nil, fmt.Errorf("In: shared: a variable with a value of its own is made with shared(value)")
		case truth(4) && v[9] != nil && v[9] != starlark.None && !truth(9):
			return nil, fmt.Errorf("In: got mutable=True and borrow=False: what may be overwritten may be returned too; leave borrow out")
		}
		in := &inputValue{s: x.s, v: x.v, accepting: accepting{strict: truth(5)}}
		if !absent(v[2]) {
			in.otherwise = v[2]
		}
		if in.name, err = optionalString("name", v[1]); err != nil {
			return nil, fmt.Errorf("In: for parameter %w", err)
		}
		if in.downcast, err = downcastArg("allow_downcast", v[6]); err != nil {
			return nil, fmt.Errorf("In: %w", err)
		}
		return in, nil
	}}

// TheanoTable is the functions that theano has, and that are not predeclared.
var TheanoTable = slices.Concat(LinkerTable, Pick(derivativeTable, "Lop", "Rop"), []value.Builtin{InBuiltin})

// describeValue names what is no free variable.
func describeValue(v starlark.Value) string {
	if x, ok := v.(Symbol); ok {
		return graph.Mention(x.v)
	}
	return v.Type()
}
