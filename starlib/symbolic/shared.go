package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/random"
	"github.com/arignote/arignote/starlib/sparse"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// SharedBuiltin makes shared variables.
var SharedBuiltin = value.Builtin{Name: "shared", Params: []value.Param{
	{Name: "value", Doc: "its first value: a number or an array; a float becomes floatX"},
	{Name: "name", Default: "None", Doc: "what it is called in errors and profiles"},
	{Name: "strict", Default: "False", Doc: "take only arrays of its element type, at first and in set_value"},
	{Name: "allow_downcast", Default: "None", Doc: "True: set_value also takes what loses precision in its element type"},
	{Name: "borrow", Default: "False", Doc: "keep the array itself instead of a copy"},
	{Name: "broadcastable", Default: "None",
		Doc: "a tuple with True for each axis whose length stays 1, along which it broadcasts"},
	{Name: "target", Default: `"cpu"`, Doc: "where it is: \"cpu\", for Theano's sake"},
	{Name: "shape", Default: "None", Doc: "instead of broadcastable: a tuple with the length of each axis, or None where it may change"},
}, Doc: "A variable with a value that functions share, read without being passed and change by updates.",
	Example:  "shared(1.5).get_value() # 1.5",
	Consumes: true,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var value starlark.Value
		var name string
		var borrow bool
		var broadcasts, shape starlark.Value
		var strict bool
		var downcast starlark.Value
		target := "cpu"
		if err := b.Unpack(args, kwargs, &value, &name, &strict, &downcast, &borrow, &broadcasts, &target, &shape); err != nil {
			return nil, err
		}
		if target != "cpu" {
			return nil, fmt.Errorf("shared: target: got %q, want \"cpu\": there is no GPU", target)
		}
		s := SessionOf(thread)
		if _, symbolic := value.(Symbol); symbolic {
			return nil, fmt.Errorf("shared: got a symbolic variable, want a number or an array")
		}
		if _, ok := value.(*sparse.Matrix); ok {
			v, err := s.newSparseShared(thread, value, starlark.String(name), nil)
			if err != nil {
				return nil, fmt.Errorf("shared: %w", err)
			}
			return v, nil
		}
		_, isArray := value.(*np.Array)
		if _, isScalar := value.(np.Scalar); strict && !isArray && !isScalar {
			return nil, fmt.Errorf("shared: got %s, want an array, since it is strict; np.array(x, dtype=\"float64\") makes one", value.Type())
		}
		if words, t, ok := random.StateOf(value); ok {
			return s.NewState(name, words, t, s.NodeOrigin(thread)), nil
		}
		a := np.Take(value)
		own := a != nil || !borrow
		if a == nil {
			var err error
			if a, err = np.ToDense(value); err != nil {
				return nil, fmt.Errorf("shared: %w", err)
			}
			if _, isFloat := value.(starlark.Float); isFloat {
				a = a.AsType(s.FloatX())
			} else if !borrow {
				a = s.Poll().Copy(a)
			}
		}
		t := graph.AnyShape(a.DType(), a.Rank())
		which := "broadcastable"
		if !Absent(shape) {
			if !Absent(broadcasts) {
				return nil, fmt.Errorf("shared: got shape and broadcastable, want one of them")
			}
			which, broadcasts = "shape", shape
		}
		if !Absent(broadcasts) {
			dims, err := staticDims(broadcasts)
			if err != nil {
				return nil, fmt.Errorf("shared: %s: %w", which, err)
			}
			t = graph.TypeOf(a.DType(), dims...)
			if !t.AcceptsShape(a.Shape()) {
				return nil,
					fmt.Errorf("shared: a value of shape %s does not fit %s=%s", tensor.ShapeString(a.Shape()), which,
						broadcasts)
			}
		}
		v := graph.NewShared(name, t, a, s.NodeOrigin(thread))
		v.Shared.Strict, v.Shared.Lossy = strict, downcast == starlark.True
		if own {
			v.Shared.Give(a)
		}
		return s.leaf(v)
	}}

// sharedTable is the methods that shared variables have besides those of all variables.
var sharedTable = []value.Builtin{zeroMethod,
	{Name: "get_value",
		Params: []value.Param{{Name: "borrow", Default: "False",
			Doc: "return the array itself, which the next update may replace, instead of a copy"},
			{Name: "return_internal_type", Default: "False", Doc: "for Theano's sake: the value is kept as an array"}},
		Doc: "The current value.", Example: "shared(1.5).get_value() # 1.5",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var borrow, internal bool
			if err := b.Unpack(args, kwargs, &borrow, &internal); err != nil {
				return nil, err
			}
			s, held := SessionOf(thread), b.Receiver().(Symbol).V.Shared
			if borrow {
				return np.FromDenseIn(s, held.Get()), nil
			}
			return np.FromDenseIn(s, held.Copy(s.Poll())), nil
		}},
	{Name: "set_value",
		Params: []value.Param{{Name: "new_value", Doc: "a number or an array of the variable's type; its lengths may be others"},
			{Name: "borrow", Default: "False", Doc: "keep the array itself instead of a copy"}},
		Doc: "Replaces the value.", Example: "shared(1.5).set_value(2.0)",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var value starlark.Value
			var borrow bool
			if err := b.Unpack(args, kwargs, &value, &borrow); err != nil {
				return nil, err
			}
			v := b.Receiver().(Symbol).V
			a, err := sharedValue(SessionOf(thread), v, value, borrow)
			if err != nil {
				return nil, fmt.Errorf("set_value: %w", err)
			}
			b.Receiver().(Symbol).SetShared("set_value changes", a, borrow)
			return starlark.None, nil
		}},
}

// SetShared replaces the value of a shared variable by a, which is of its type and which it keeps;
// lent says that others may refer to it. what says who does it: "set_value changes".
func (x Symbol) SetShared(what string, a *tensor.Dense, lent bool) {
	if lent {
		x.V.Shared.Set(a)
	} else {
		x.V.Shared.Give(a)
	}
	x.S.Observing.Changed(what, InputName(x.V, 0))
}

// sharedValue turns x into a value of a variable, of its element type; a copy unless borrow.
func sharedValue(s *Session, v *graph.Variable, x starlark.Value, borrow bool) (*tensor.Dense, error) {
	takes := accepting{}
	if v.Shared != nil {
		takes.strict = v.Shared.Strict
		if v.Shared.Lossy {
			takes.downcast = downcastAlways
		}
	}
	a, err := takes.value(s, x, v.Type)
	switch {
	case err != nil:
		return nil, err
	case !v.Type.AcceptsShape(a.Shape()):
		return nil, tensor.TypeErrorf("got shape %s: %s", tensor.ShapeString(a.Shape()), graph.Describe(v))
	case a.DType() == v.Type.DType && borrow:
		a.Buffer().Pin()
		return a, nil
	case a.DType() == v.Type.DType:
		return s.Poll().Copy(a), nil
	case takes.downcast != downcastAlways && kernels.Promote(a.DType(), v.Type.DType) != v.Type.DType:
		return nil, tensor.TypeErrorf("got dtype %v, want %v: convert it with .astype(\"%v\")", a.DType(), v.Type.DType, v.Type.DType)
	}
	return s.Poll().AsType(a, v.Type.DType), nil
}

var zeroMethod = value.Builtin{Name: "zero", Params: []value.Param{{Name: "borrow", Default: "False", Doc: "accepted: nobody else sees it"}},
	Doc: "Makes all elements of the value 0.", Example: `shared(1.5).zero() == None # True`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if _, err := b.Bind(args, kwargs); err != nil {
			return nil, err
		}
		v := b.Receiver().(Symbol).V
		old := v.Shared.Get()
		v.Shared.Set(tensor.New(old.DType(), old.Shape()...))
		b.Receiver().(Symbol).S.Observing.Changed("zero changes", InputName(v, 0))
		return starlark.None, nil
	}}

// defaultUpdateField is w.default_update.
var defaultUpdateField = value.FieldOf("default_update", "The value that a function which reads the variable gives it, unless its updates or no_default_updates say otherwise; None if there is none. It can be set.",
	`shared(1.5).default_update == None # True`, func(x Symbol) starlark.Value { return symbolOrNone(x.S, x.V.Shared.Default) })

// setDefault is w.default_update = v.
func (x Symbol) setDefault(v starlark.Value) error {
	if v == starlark.None {
		x.V.Shared.Default = nil
		return nil
	}
	b := x.S.Builder(nil)
	d, err := x.S.Variable(b, v, x.V)
	if err != nil {
		return fmt.Errorf("default_update of %s: %w", graph.Mention(x.V), err)
	}
	if err := TypeFits(d.Type, x.V.Type); err != nil {
		return fmt.Errorf("default_update of %s: %w", graph.Mention(x.V), err)
	}
	x.V.Shared.Default = d
	return nil
}
