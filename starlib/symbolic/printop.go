package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An Operation is an operation that a program makes with parameters of its own and applies to
// variables: Print("x")(v), Assert("x")(v, c).
type Operation struct {
	o    graph.Op
	name string // what made it
	most int    // operands; 0 means any number
}

var (
	_ starlark.Callable = Operation{}
	_ value.Tabled      = Operation{}
	_ value.Signed      = Operation{}
)

func (f Operation) Name() string          { return f.name }
func (f Operation) String() string        { return graph.Label(f.o) }
func (f Operation) Type() string          { return f.name }
func (f Operation) Freeze()               {}
func (f Operation) Truth() starlark.Bool  { return true }
func (f Operation) Hash() (uint32, error) { return starlark.String(f.String()).Hash() }
func (f Operation) AttrNames() []string   { return f.Table().Names() }

func (f Operation) Attr(name string) (starlark.Value, error) { return f.Table().Attr(f, name) }

func (f Operation) Table() *value.Methods {
	if _, ok := f.o.(op.Print); ok {
		return PrintFields
	}
	return AssertFields
}

func (f Operation) ParamNames() []string { return nil }
func (f Operation) Signature() string {
	if f.most == 1 {
		return f.name + "(...)(x)"
	}
	return f.name + "(...)(x, *conditions)"
}

// CallInternal applies the operation.
func (f Operation) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	switch {
	case len(kwargs) > 0:
		return nil, fmt.Errorf("%s: unexpected keyword argument %s", f.name, kwargs[0][0])
	case len(args) == 0 || f.most > 0 && len(args) > f.most:
		return nil, fmt.Errorf("%s: got %d operands: %s", f.name, len(args), f.Signature())
	}
	s := SessionOf(thread)
	b := s.Builder(thread)
	in := make([]*graph.Variable, len(args))
	for i, x := range args {
		var err error
		if in[i], err = s.Variable(b, x, nil); err != nil {
			return nil, fmt.Errorf("%s: operand %d: %w", f.name, i+1, err)
		}
	}
	return s.Apply(b, f.o, in...)
}

// PrintFields and AssertFields are the attributes of operations that programs make.
var (
	PrintFields = value.NewMethods("Print", nil).With(
		value.FieldOf("message", "What stands before each attribute.", `theano.printing.Print("x").message # "x"`,
			func(f Operation) starlark.Value { return starlark.String(f.o.(op.Print).Message) }),
		value.FieldOf("attrs", "What is printed of the value.", `theano.printing.Print("x").attrs # ("__str__",)`,
			func(f Operation) starlark.Value {
				var attrs starlark.Tuple
				for _, a := range strings.Fields(string(f.o.(op.Print).Attrs)) {
					attrs = append(attrs, starlark.String(a))
				}
				return attrs
			}))
	AssertFields = value.NewMethods("Assert", nil).With(
		value.FieldOf("msg", "What the error says.", `theano.raise_op.Assert("x > 0").msg # "x > 0"`,
			func(f Operation) starlark.Value { return starlark.String(f.o.(op.Assert).Msg) }),
		value.FieldOf("exc_type", "The name of the error.", `theano.raise_op.Assert("x > 0").exc_type # "AssertionError"`,
			func(f Operation) starlark.Value { return starlark.String(f.o.(op.Assert).ErrorName()) }))
)

type printArgs struct {
	Message string         `arg:"message=\"\": what stands before each attribute"`
	Attrs   starlark.Value `arg:"attrs=(\"__str__\",): what to print of the value: __str__ is its text, others are attributes or methods of arrays, such as shape and min"`
	Fn      starlark.Value `arg:"global_fn=None: a function to call instead, with the operation and the value"`
}

// PrintTable is what theano.printing has that makes nodes.
var PrintTable = []value.Builtin{
	value.Function("Print", "An operation that passes its operand on and prints it each time it is computed, in the cell whose call computes it. Gradients pass through it. It is computed where its result is needed.",
		`function([], theano.printing.Print("x", attrs=("shape",))(T.constant([1.0, 2.0])).sum())() # 3.0`,
		func(_ *starlark.Thread, a *printArgs) (starlark.Value, error) {
			p := op.Print{Message: op.Text(a.Message), Attrs: strAttr}
			if a.Attrs != nil {
				attrs, err := printAttrs(a.Attrs)
				if err != nil {
					return nil, value.Named("", "Print", fmt.Errorf("for parameter attrs: %w", err))
				}
				p.Attrs = op.Text(strings.Join(attrs, " "))
			}
			if a.Fn != nil && a.Fn != starlark.None {
				fn, ok := a.Fn.(starlark.Callable)
				if !ok {
					return nil, value.Named("", "Print", fmt.Errorf("for parameter global_fn: got %s, want a function", a.Fn.Type()))
				}
				p.By = op.Printer{PrinterFunc: &op.PrinterFunc{Name: fn.Name(), Call: fn}}
			}
			return Operation{p, "Print", 1}, nil
		}),
}

const strAttr = "__str__"

// printAttrs reads a list of attributes that arrays have.
func printAttrs(v starlark.Value) ([]string, error) {
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf(`got %s, want a tuple of names, as ("shape",)`, v.Type())
	}
	known := append(np.Types()[0].Names(), strAttr, "__repr__")
	var list []string
	for x := range starlark.Elements(seq) {
		name, ok := starlark.AsString(x)
		if !ok {
			return nil, fmt.Errorf("got %s in it, want a name", x.Type())
		}
		if !slices.Contains(known, name) {
			return nil, value.NoAttr("an array", name, known)
		}
		list = append(list, name)
	}
	return list, nil
}

// printed is op.Call.Print: it writes to the cell that runs.
func (s *Session) printed(p op.Print, x *tensor.Dense) error {
	v := np.FromDenseIn(s, x.Copy()) // a function may keep it
	if p.By.PrinterFunc != nil {
		_, err := value.Call(s.Current(), p.By.Call.(starlark.Callable), starlark.Tuple{Operation{p, "Print", 1}, v}, nil)
		return err
	}
	var b strings.Builder
	for _, name := range strings.Fields(string(p.Attrs)) {
		text, err := s.attrText(v, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %s = %s\n", p.Message, name, text)
	}
	s.Output().Stream("stdout", b.String())
	return nil
}

// attrText is an attribute of v, or what the method of that name returns, as print() writes it.
func (s *Session) attrText(v starlark.Value, name string) (string, error) {
	switch name {
	case strAttr:
		return value.Str(v), nil
	case "__repr__":
		return value.Repr(v), nil
	}
	attr, err := value.Attr(v, name)
	if err != nil {
		return "", err
	}
	if method, ok := attr.(starlark.Callable); ok {
		if attr, err = value.Call(s.Current(), method, nil, nil); err != nil {
			return "", fmt.Errorf("attrs: .%s(): %w", name, err)
		}
	}
	return value.Str(attr), nil
}

type assertArgs struct {
	Msg string `arg:"msg=\"\": what the error says; which condition does not hold, if it is empty"`
}

type raiseArgs struct {
	Exc string `arg:"exc_type: the name of the error, as \"ValueError\""`
	Msg string `arg:"msg=\"\": what the error says; which condition does not hold, if it is empty"`
}

type assertOpArgs struct {
	Val   starlark.Value `arg:"val: a variable, number or array"`
	Conds starlark.Tuple `arg:"*conds: conditions, every element of which must be true"`
}

const assertDoc = "An operation that passes its first operand on, and fails with msg when it is computed and an element of the others is false. Gradients pass " +
	"through it. No rewrite leaves it out but local_remove_all_assert, which is asked for by name."

// AssertTable is theano.raise_op.
var AssertTable = []value.Builtin{
	value.Function("Assert", assertDoc, `theano.raise_op.Assert("x must be positive")(T.constant(2.0), True).eval() # 2.0`,
		func(_ *starlark.Thread, a *assertArgs) (starlark.Value, error) {
			return Operation{op.Assert{Msg: op.Text(a.Msg)}, "Assert", 0}, nil
		}),
	value.Function("CheckAndRaise", assertDoc+" The error has the name exc_type.",
		`theano.raise_op.CheckAndRaise("ValueError", "x must be positive")(T.constant(2.0), True).eval() # 2.0`,
		func(_ *starlark.Thread, a *raiseArgs) (starlark.Value, error) {
			if !isIdentifier(a.Exc) {
				return nil, fmt.Errorf("CheckAndRaise: for parameter exc_type: got %q, want a name, as \"ValueError\"", a.Exc)
			}
			return Operation{op.Assert{Exc: op.Text(a.Exc), Msg: op.Text(a.Msg)}, "CheckAndRaise", 0}, nil
		}),
	value.Function("assert_op", "val, which fails when it is computed and an element of a condition is false: Assert()(val, *conds).",
		`theano.raise_op.assert_op(T.constant(2.0), True).eval() # 2.0`,
		func(thread *starlark.Thread, a *assertOpArgs) (starlark.Value, error) {
			return Operation{op.Assert{}, "assert_op", 0}.CallInternal(thread, append(starlark.Tuple{a.Val}, a.Conds...), nil)
		}),
}

// isIdentifier reports whether s may be the name of an error.
func isIdentifier(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}
