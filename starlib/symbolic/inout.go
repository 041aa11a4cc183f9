package symbolic

import (
	"cmp"
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An inputSpec is what function() is told of an input: a variable, and what In(...) says of it.
type inputSpec struct {
	V        *graph.Variable
	sparse   *SparseVariable // whose data v is; nil if the input is no sparse matrix
	name     string          // the keyword, "" if it is the variable's name
	value    starlark.Value  // for a call that gives none; nil if it has to
	home     *graph.Variable // the shared variable that it takes its value from, and keeps it in; nil for none
	update   *graph.Variable // its value after a call; nil if it keeps none
	implicit bool            // calls may not give it
	mutable  bool
	borrow   bool
	accepting
}

// InputsOf are inputs of which nothing is said.
func InputsOf(vars []*graph.Variable) []inputSpec {
	list := make([]inputSpec, len(vars))
	for i, v := range vars {
		list[i].V = v
	}
	return list
}

// keyword is the name under which a call may give the input, "" if it has none.
func (x *inputSpec) keyword() string { return cmp.Or(x.name, x.V.Name) }

// An inputValue is In(...): a variable, and what calls may give for it.
type InputValue struct {
	S *Session
	inputSpec
}

var _ value.Tabled = (*InputValue)(nil)

func (x *InputValue) String() string {
	if x.update != nil {
		return "In(" + Symbol{x.S, x.V}.String() + " -> " + Symbol{x.S, x.update}.String() + ")"
	}
	return "In(" + Symbol{x.S, x.V}.String() + ")"
}
func (x *InputValue) Type() string          { return "In" }
func (x *InputValue) Freeze()               {}
func (x *InputValue) Truth() starlark.Bool  { return true }
func (x *InputValue) Hash() (uint32, error) { return hashOf(x.V), nil }
func (x *InputValue) Table() *value.Methods { return InputFields }
func (x *InputValue) AttrNames() []string   { return InputFields.Names() }

func (x *InputValue) Attr(name string) (starlark.Value, error) { return InputFields.Attr(x, name) }

// InputFields are the attributes of In(...).
var InputFields = value.NewMethods("In", nil).With(
	value.FieldOf("variable", "The variable.", `theano.In(T.scalar("x")).variable # x`, func(x *InputValue) starlark.Value { return Symbol{x.S, x.V} }),
	value.FieldOf("name", "The keyword of calls, or None.", `theano.In(T.scalar("x"), name="rate").name # "rate"`,
		func(x *InputValue) starlark.Value { return NameOrNone(x.keyword()) }),
	value.FieldOf("value", "What a call that gives none takes, or None.", `theano.In(T.scalar("x"), value=0.5).value # 0.5`,
		func(x *InputValue) starlark.Value { return orNone(x.value) }),
	value.FieldOf("update", "Its value after a call, or None.", `theano.In(T.scalar("x"), value=0.5).update == None # True`,
		func(x *InputValue) starlark.Value { return symbolOrNone(x.S, x.update) }),
	value.FieldOf("implicit", "Whether calls may not give it.", `theano.In(T.scalar("x")).implicit # False`,
		func(x *InputValue) starlark.Value { return starlark.Bool(x.implicit) }),
	value.FieldOf("mutable", "Whether the argument may be overwritten, of which no use is made.", `theano.In(T.scalar("x")).mutable # False`,
		func(x *InputValue) starlark.Value { return starlark.Bool(x.mutable) }),
	value.FieldOf("borrow", "Whether results may be views of the argument, of which no use is made.", `theano.In(T.scalar("x")).borrow # False`,
		func(x *InputValue) starlark.Value { return starlark.Bool(x.borrow) }),
	value.FieldOf("strict", "Whether only arrays of its element type will do.", `theano.In(T.scalar("x")).strict # False`,
		func(x *InputValue) starlark.Value { return starlark.Bool(x.strict) }),
	value.FieldOf("allow_downcast", "Whether arguments may lose precision: None, True or False.", `theano.In(T.scalar("x"), allow_downcast=True).allow_downcast # True`,
		func(x *InputValue) starlark.Value { return x.downcast.value() }),
)

// value is None, True or False.
func (d downcast) value() starlark.Value {
	switch d {
	case downcastAlways, downcastNever:
		return starlark.Bool(d == downcastAlways)
	}
	return starlark.None
}

type inArgs struct {
	Variable starlark.Value `arg:"variable: a free variable; what is computed from others is not computed any more, but given"`
	Name     starlark.Value `arg:"name=None: the keyword of calls, if not the variable's name"`
	Value    starlark.Value `arg:"value=None: what a call that gives none takes; with update, its first value; or a shared variable, in whose place the input stands"`
	Update   starlark.Value `arg:"update=None: an expression, whose value the input has after a call"`
	Mutable  starlark.Value `arg:"mutable=None: that the argument may be overwritten, of which no use is made"`
	Strict   bool           `arg:"strict=False: take only arrays of the variable's element type"`
	Downcast starlark.Value `arg:"allow_downcast=None: as allow_input_downcast of function(), for this input"`
	Autoname bool           `arg:"autoname=True: whether the variable's name is the keyword"`
	Implicit starlark.Value `arg:"implicit=None: True if calls may not give it; None is True for the value of a shared variable"`
	Borrow   starlark.Value `arg:"borrow=None: that results may be views of the argument, of which no use is made"`
	Shared   bool           `arg:"shared=False: refused if True: make a variable with shared()"`
}

// paramArgs are those of Theano's Param, in its order.
type paramArgs struct {
	Variable starlark.Value `arg:"variable: a free variable; what is computed from others is not computed any more, but given"`
	Default  starlark.Value `arg:"default=None: what a call that gives none takes"`
	Name     starlark.Value `arg:"name=None: the keyword of calls, if not the variable's name"`
	Mutable  starlark.Value `arg:"mutable=False: that the argument may be overwritten, of which no use is made"`
	Strict   bool           `arg:"strict=False: take only arrays of the variable's element type"`
	Downcast starlark.Value `arg:"allow_downcast=None: as allow_input_downcast of function(), for this input"`
	Implicit starlark.Value `arg:"implicit=None: True if calls may not give it"`
	Borrow   starlark.Value `arg:"borrow=None: that results may be views of the argument, of which no use is made"`
}

// readInput is the value of In(...) and its like.
func readInput(thread *starlark.Thread, a *inArgs) (*InputValue, error) {
	x, ok := a.Variable.(Symbol)
	matrix, isMatrix := a.Variable.(*SparseVariable)
	if isMatrix && matrix.isInput() {
		x, ok = Symbol{matrix.S, matrix.X.Data}, true
		if !Absent(a.Value) || !Absent(a.Update) || !Absent(a.Implicit) {
			return nil, fmt.Errorf("%s: got value, update or implicit for a sparse matrix, which calls have to give; keep one in sparse.shared(value), and change it by updates", matrix.Mention())
		}
	}
	if !ok || x.V.Owner == nil && !x.V.IsInput() {
		return nil, tensor.TypeErrorf("got %s, want a free variable such as T.vector(), or what is computed from others", DescribeValue(a.Variable))
	}
	if a.Shared {
		return nil, fmt.Errorf("shared: a variable with a value of its own is made with shared(value)")
	}
	in := &InputValue{S: x.S, inputSpec: inputSpec{V: x.V, accepting: accepting{strict: a.Strict}}}
	var err error
	if in.name, err = OptionalString("name", a.Name); err != nil {
		return nil, fmt.Errorf("for parameter %w", err)
	}
	if isMatrix {
		in.sparse, in.name = matrix, cmp.Or(in.name, matrix.Name)
	}
	if in.downcast, err = downcastArg("allow_downcast", a.Downcast); err != nil {
		return nil, err
	}
	truth := func(v starlark.Value) bool { return !Absent(v) && bool(v.Truth()) }
	in.mutable = truth(a.Mutable)
	if in.borrow = in.mutable || truth(a.Borrow); in.mutable && !Absent(a.Borrow) && !truth(a.Borrow) {
		return nil, fmt.Errorf("%s: got mutable=True and borrow=False: what may be overwritten may be returned too; leave borrow out", graph.Mention(x.V))
	}
	if err := in.takeValue(a.Value); err != nil {
		return nil, err
	}
	in.implicit = in.home != nil
	if !Absent(a.Implicit) {
		in.implicit = truth(a.Implicit)
	}
	if in.implicit && in.value == nil {
		return nil, fmt.Errorf("%s: implicit=True needs a value, since no call may give one: In(x, value=..., implicit=True)", graph.Mention(x.V))
	}
	if !Absent(a.Update) {
		b := x.S.Builder(thread)
		if in.update, err = x.S.Variable(b, a.Update, x.V); err != nil {
			return nil, fmt.Errorf("update of %s: %w", graph.Mention(x.V), err)
		}
		if err := TypeFits(in.update.Type, x.V.Type); err != nil {
			return nil, fmt.Errorf("update of %s: %w", graph.Mention(x.V), err)
		}
	}
	return in, nil
}

// takeValue reads the value of In(...): one for calls, or a shared variable or its container.
func (x *inputSpec) takeValue(v starlark.Value) error {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil
	case Symbol:
		if x.home = v.V; v.V.Shared == nil {
			return fmt.Errorf("value of %s: got the symbolic variable %s, want a number, an array or a shared variable", graph.Mention(x.V), v)
		}
	case *ContainerValue:
		if x.home = v.shared(); x.home == nil {
			return fmt.Errorf("value of %s: got the container of an input, want that of a shared variable", graph.Mention(x.V))
		}
	}
	if x.home != nil && x.home.Type != x.V.Type {
		return fmt.Errorf("value of %s: got the shared variable %s, want one of %v", graph.Mention(x.V), graph.Mention(x.home), x.V.Type)
	}
	x.value = v
	return nil
}

const inExample = `theano.function([theano.In(T.scalar("x"), value=2.0)], T.constant(1.0), on_unused_input="ignore")() # 1.0`

// inputBuiltin is In under one of its names.
func inputBuiltin(name string) value.Builtin {
	return value.Function(name, "An input of function(), and what calls may give for it.", `theano.In(T.scalar("x"), value=2.0) # In(x)`,
		func(thread *starlark.Thread, a *inArgs) (starlark.Value, error) {
			in, err := readInput(thread, a)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return in, nil
		})
}

// outputBuiltin is Out under one of its names.
func outputBuiltin(name string) value.Builtin {
	return value.Function(name, "An output of function(). What a call returns is the caller's alone, whatever borrow says.",
		`theano.function([], theano.Out(T.constant(1.0), borrow=True))() # 1.0`,
		func(thread *starlark.Thread, a *struct {
			Variable starlark.Value `arg:"variable: a variable"`
			Borrow   bool           `arg:"borrow=False: that the result may be overwritten by the next call, of which no use is made"`
		}) (starlark.Value, error) {
			x, ok := a.Variable.(Symbol)
			if !ok {
				return nil, tensor.TypeErrorf("%s: got %s, want a symbolic variable", name, a.Variable.Type())
			}
			return &OutputValue{x, a.Borrow}, nil
		})
}

// InBuiltin is theano.In. In by itself is the notebook's list of cells.
var InBuiltin = func() value.Builtin {
	b := inputBuiltin("In")
	b.Example = inExample
	return b
}()

// InOutTable is what says of inputs and outputs how functions take and give them.
var InOutTable = []value.Builtin{InBuiltin, outputBuiltin("Out"),
	value.Function("Param", "In(variable, ...), under the name that Theano had before.", `theano.Param(T.scalar("x"), default=2.0).value # 2.0`,
		func(thread *starlark.Thread, a *paramArgs) (starlark.Value, error) {
			in, err := readInput(thread, &inArgs{Variable: a.Variable, Value: a.Default, Name: a.Name, Mutable: a.Mutable, Strict: a.Strict, Downcast: a.Downcast,
				Implicit: a.Implicit, Borrow: a.Borrow})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", "Param", err)
			}
			return in, nil
		})}

// pfuncBuiltin is function() under the name of Theano's inside.
var pfuncBuiltin = func() value.Builtin {
	b := FunctionBuiltin
	b.Name, b.Example = "pfunc", `theano.compile.pfunc([], T.constant(2.0))() # 2.0`
	return b
}()

// OrderedUpdates is theano.OrderedUpdates.
var OrderedUpdates = value.Builtin{Name: "OrderedUpdates", Params: []value.Param{{Name: "pairs", Default: "None", Doc: "a dict, or a list of pairs"}},
	Doc: "A dict from shared variables to their new values. Dicts keep their order, so that it is a plain one.", Example: `theano.OrderedUpdates() # {}`,
	Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		list, err := Pairs(orNone(v[0]))
		if err != nil {
			return nil, fmt.Errorf("OrderedUpdates: %w", err)
		}
		d := slot.NewDict(len(list))
		for i, p := range list {
			if x, ok := p[0].(Symbol); !ok || x.V.Shared == nil {
				return nil, tensor.TypeErrorf("OrderedUpdates: item %d: got %s, want a shared variable", i, DescribeValue(p[0]))
			}
			d.SetKey(p[0], p[1])
		}
		return d, nil
	}}

// SymbolicInOut are In and Out under the names of their classes in Theano.
var SymbolicInOut = []value.Builtin{inputBuiltin("SymbolicInput"), outputBuiltin("SymbolicOutput")}

// PfuncTable is what theano.compile has beside them.
var PfuncTable = []value.Builtin{pfuncBuiltin}

// An outputValue is Out(...).
type OutputValue struct {
	X      Symbol
	borrow bool
}

var _ value.Tabled = (*OutputValue)(nil)

func (x *OutputValue) String() string {
	return "Out(" + x.X.String() + "," + value.Repr(starlark.Bool(x.borrow)) + ")"
}
func (x *OutputValue) Type() string          { return "Out" }
func (x *OutputValue) Freeze()               {}
func (x *OutputValue) Truth() starlark.Bool  { return true }
func (x *OutputValue) Hash() (uint32, error) { return hashOf(x.X.V), nil }
func (x *OutputValue) Table() *value.Methods { return OutputFields }
func (x *OutputValue) AttrNames() []string   { return OutputFields.Names() }

func (x *OutputValue) Attr(name string) (starlark.Value, error) { return OutputFields.Attr(x, name) }

// OutputFields are the attributes of Out(...).
var OutputFields = value.NewMethods("Out", nil).With(
	value.FieldOf("variable", "The variable.", `theano.Out(T.scalar("x")).variable # x`, func(x *OutputValue) starlark.Value { return x.X }),
	value.FieldOf("borrow", "Whether the result may be overwritten by the next call, of which no use is made.", `theano.Out(T.scalar("x")).borrow # False`,
		func(x *OutputValue) starlark.Value { return starlark.Bool(x.borrow) }),
)

// readInputs reads the inputs of function(): a list of variables, of In(...) of variables, and of
// the tuples that Theano takes for In, or a dict from keywords to these.
func (s *Session) readInputs(thread *starlark.Thread, v starlark.Value) (list []inputSpec, err error) {
	if d, ok := v.(*slot.Dict); ok {
		for _, kv := range d.Items() {
			name, ok := starlark.AsString(kv[0])
			if !ok {
				return nil, fmt.Errorf("inputs: got the key %s, want a string: the keyword of calls", value.Repr(kv[0]))
			}
			in, err := s.readOne(thread, kv[1])
			if err != nil {
				return nil, fmt.Errorf("inputs[%q]: %w", name, err)
			}
			in.name = name
			list = append(list, in)
		}
		return list, nil
	}
	seq, ok := v.(starlark.Iterable)
	if _, one := v.(Symbol); !ok || one {
		return nil, tensor.TypeErrorf("inputs: got %s, want a list of symbolic variables", v.Type())
	}
	if err := value.CheckLen("inputs", seq); err != nil {
		return nil, err
	}
	for e := range starlark.Elements(seq) {
		in, err := s.readOne(thread, e)
		if err != nil {
			return nil, fmt.Errorf("inputs[%d]: %w", len(list), err)
		}
		list = append(list, in)
	}
	return list, nil
}

// readOne reads a variable, In(...), or a tuple for it: (x, value), (name, x), ((x, update),
// value), (name, x, value), (name, (x, update), value).
func (s *Session) readOne(thread *starlark.Thread, e starlark.Value) (in inputSpec, err error) {
	switch e := e.(type) {
	case Symbol:
		return inputSpec{V: e.V}, nil
	case *SparseVariable:
		in, err := readInput(thread, &inArgs{Variable: e})
		if err != nil {
			return inputSpec{}, err
		}
		return in.inputSpec, nil
	case *InputValue:
		return e.inputSpec, nil
	}
	parts, ok := e.(starlark.Tuple)
	wrong := tensor.TypeErrorf("got %s, want a symbolic variable, or In(variable, value=...)", e.Type())
	if !ok || len(parts) == 0 {
		return in, wrong
	}
	a := &inArgs{}
	if name, named := parts[0].(starlark.String); named {
		a.Name, parts = name, parts[1:]
	}
	if len(parts) == 0 || len(parts) > 2 {
		return in, wrong
	}
	if len(parts) == 2 {
		a.Value = parts[1]
	}
	switch x := parts[0].(type) {
	case starlark.Tuple:
		if len(x) != 2 || len(parts) != 2 {
			return in, wrong
		}
		a.Variable, a.Update = x[0], x[1]
	default:
		a.Variable = x
	}
	x, err := readInput(thread, a)
	if err != nil {
		return in, err
	}
	return x.inputSpec, nil
}
