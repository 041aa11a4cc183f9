package operations

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Names that Theano and PyTensor have for what is there under another name, or for a part of it.

// mirrored are the modules that have the functions of another under names of Theano's and
// PyTensor's files.
var mirrored = map[string][]string{
	"T":      {"T.basic", "T.extra_ops", "T.math", "T.subtensor", "T.type"},
	"T.nnet": {"T.nnet.nnet", "T.nnet.sigm"},
}

// WithMirrors adds the mirrors of a module to its members.
func WithMirrors(module string, members []value.Member) []value.Member {
	all := slices.Clone(members)
	for _, name := range mirrored[module] {
		all = append(all, MemberOf(value.NewMirror(name, module, "Functions of "+module+", under the name of the file where a library has them.", members)))
	}
	return all
}

// NumbersAndTypes are the members of T that are no functions: constants, and lists of types.
func NumbersAndTypes() []value.Member {
	var list []value.Member
	for _, name := range []string{"pi", "e", "euler_gamma", "inf", "nan"} {
		m := np.Constant(name)
		m.Example = "T." + name + " # " + value.Repr(m.Value)
		list = append(list, m)
	}
	add := func(name, doc string, v starlark.Value) {
		list = append(list, value.Member{Name: name, Value: v, Doc: doc, Example: "T." + name + " # " + value.Repr(v)})
	}
	list = append(list, value.Member{Name: "NoneConst", Value: starlark.None, Doc: "None, as an argument.", Example: "T.NoneConst == None # True"})
	for _, c := range []struct {
		name, doc string
		has       func(d kernels.DType) bool
	}{
		{"all_dtypes", "The names of all element types.", func(kernels.DType) bool { return true }},
		{"float_dtypes", "The names of the element types that are floats.", kernels.DType.IsFloat},
		{"continuous_dtypes", "The names of the element types that are floats.", kernels.DType.IsFloat},
		{"int_dtypes", "The names of the signed integers.", kernels.DType.IsSigned},
		{"uint_dtypes", "The names of the unsigned integers.", func(d kernels.DType) bool { return d.IsInteger() && !d.IsSigned() }},
		{"integer_dtypes", "The names of the integers.", kernels.DType.IsInteger},
		{"discrete_dtypes", "The names of the element types that are no floats.", func(d kernels.DType) bool { return !d.IsFloat() }},
	} {
		var found starlark.Tuple
		for _, d := range kernels.DTypes() {
			if c.has(d) {
				found = append(found, starlark.String(d.String()))
			}
		}
		add(c.name, c.doc, found)
	}
	for _, k := range symbolic.Kinds[:5] {
		for _, class := range []struct{ name, letters string }{{"int", "bwil"}, {"float", "fd"}} {
			var types starlark.Tuple
			for _, p := range symbolic.Prefixes {
				if len(p.Letter) == 1 && strings.Contains(class.letters, p.Letter) {
					types = append(types, symbolic.TensorType{T: graph.TypeOf(p.Dtype, k.Dims...), Maker: p.Letter + k.Name})
				}
			}
			doc := "The types of " + class.name + " " + symbolic.Plural(k.Name) + ", as a tuple."
			switch k.Name {
			case "scalar":
				add(class.name+"_types", doc, types)
				fallthrough
			case "vector", "matrix":
				add(class.name+"_"+k.Name+"_types", doc, types)
			}
		}
	}
	return list
}

// spelledTable is rows of functions that are others under another name, or a part of them.
var spelledTable = []functions.Function{
	TensorRow("T.matrix_transpose", "x with its last two axes exchanged.", "matrix_transpose([[1, 2]]) # array([[1],\n       [2]])",
		func(g *functions.Graph, a *VariableArg) (*graph.Variable, error) {
			if t := a.X.V.Type; t.Rank() < 2 {
				return nil, fmt.Errorf("got %v, want a matrix or a stack of matrices", t)
			}
			return formula.Transposed(g.Builder, a.X.V), nil
		}),
	TensorRow("T.tensor_from_scalar T.scalar_from_tensor", "x itself, which must have no axes: variables without axes are tensors.",
		"tensor_from_scalar(2.0) # 2.0", func(_ *functions.Graph, a *VariableArg) (*graph.Variable, error) {
			if a.X.V.Type.Rank() != 0 {
				return nil, fmt.Errorf("got %v, want a scalar", a.X.V.Type)
			}
			return a.X.V, nil
		}),
	TensorRow("T.round", "The integers nearest to x, as floats.", "round(2.5) # 2.0",
		func(g *functions.Graph, a *roundArgs) (*graph.Variable, error) { return a.rounded(g.Builder) }),
	TensorRow("T.tensor_copy", "x itself, or under another name: nothing that programs write overwrites a variable, so that no copy is needed.", "tensor_copy(2.0) # 2.0",
		func(g *functions.Graph, a *struct {
			VariableArg
			Name string `arg:"name=None: what the copy is called"`
		}) (*graph.Variable, error) {
			x := a.X.V
			if a.Name == "" {
				return x, nil
			}
			x = formula.Renewed(g.Builder, x)
			x.Name = a.Name
			return x, nil
		}),
	piledRow("T.vertical_stack", "Matrices joined row upon row.", "vertical_stack([[1, 2]], [[3, 4]]) # array([[1, 2],\n       [3, 4]])", 0),
	piledRow("T.horizontal_stack", "Matrices joined side by side.", "horizontal_stack([[1], [2]], [[3], [4]]) # array([[1, 3],\n       [2, 4]])", 1),
	TensorRow("T.stacklists", "A tensor of a list, or of a list of lists, of variables of one shape.",
		"stacklists([[1, 2], [3, 4]]) # array([[1, 2],\n       [3, 4]])", func(_ *functions.Graph, a *struct {
			X functions.Operand `arg:"arg: a list of variables, or of such lists"`
		}) (*graph.Variable, error) {
			return a.X.V, nil
		}),
	extremesRow("T.largest", "The largest of the operands, element by element.", "largest([1, 5], [2, 3], [0, 4]) # array([2, 5])", op.Maximum),
	extremesRow("T.smallest", "The smallest of the operands, element by element.", "smallest([1, 5], [2, 3], [0, 4]) # array([0, 3])", op.Minimum),
}

// extremesRow is the row of a function of any number of operands, of which fold is that of two.
func extremesRow(name, doc, example string, fold op.Elemwise) functions.Function {
	return TensorRow(name, doc, example, func(g *functions.Graph, a *struct {
		List []functions.Operand `arg:"*args: variables, numbers or arrays"`
	}) (*graph.Variable, error) {
		z := a.List[0].V
		for _, x := range a.List[1:] {
			z = g.Apply(fold, z, x.V)
		}
		return z, nil
	})
}

// SpellingTable is functions that rows cannot say.
var SpellingTable = append([]value.Builtin{sliceAtAxis,
	{Name: "block", Params: []value.Param{{Name: "arrays", Doc: "nested lists of variables, arrays and numbers"}},
		Doc:     "Nested lists of variables put together: those of the innermost lists along the last axis, and so on outwards.",
		Example: "T.block([[T.eye(2), T.zeros((2, 1))], [T.ones((1, 3))]]).eval() # array([[1., 0., 0.],\n       [0., 1., 0.],\n       [1., 1., 1.]])",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			s := symbolic.SessionOf(thread)
			var z *graph.Variable
			if failed := symbolic.Catch(func() { z, err = block(s, s.Builder(thread), v[0]) }); failed != nil {
				return nil, s.Locate(failed)
			}
			if err != nil {
				return nil, value.Named("", b.Name, err)
			}
			return symbolic.Symbol{S: s, V: z}, nil
		}},
	{Name: "get_vector_length", Params: []value.Param{{Name: "v", Doc: "a vector whose length is known"}},
		Doc: "The length of a vector, as an int, if it is known before the function runs.", Example: "T.get_vector_length(T.as_tensor([1, 2, 3])) # 3",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			s := symbolic.SessionOf(thread)
			x, err := s.Variable(s.Builder(thread), v[0], nil)
			switch {
			case err != nil:
				return nil, fmt.Errorf("%s: %w", b.Name, err)
			case x.Type.Rank() != 1:
				return nil, fmt.Errorf("%s: got %v, want a vector", b.Name, x.Type)
			case x.Type.Dim(0) == graph.Unknown:
				return nil, tensor.TypeErrorf("%s: the length of %s is not known before the function runs; use x.shape[0], or T.specify_shape if it is always the same",
					b.Name, graph.Mention(x))
			}
			return starlark.MakeInt(x.Type.Dim(0)), nil
		}},
}, subscriptTable()...)

// block puts the variables in nested lists together.
func block(s *symbolic.Session, b *graph.Builder, v starlark.Value) (*graph.Variable, error) {
	var leaves []*graph.Variable
	deep := -1
	var read func(v starlark.Value, depth int) error
	read = func(v starlark.Value, depth int) error {
		list, ok := v.(*slot.List)
		if !ok {
			if deep >= 0 && depth != deep {
				return fmt.Errorf("got lists that nest %d and %d deep, want one depth", deep, depth)
			}
			deep = depth
			x, err := s.Variable(b, v, nil)
			leaves = append(leaves, x)
			return err
		}
		if list.Len() == 0 {
			return errors.New("got an empty list, want arrays")
		}
		if depth > tensor.MaxRank {
			return fmt.Errorf("got lists that nest deeper than %d, want the axes of an array", tensor.MaxRank)
		}
		for e := range starlark.Elements(list) {
			if err := read(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := read(v, 0); err != nil {
		return nil, err
	}
	s.Agree(b, leaves)
	rank := deep
	for _, x := range leaves {
		rank = max(rank, x.Type.Rank())
	}
	next := 0
	var join func(v starlark.Value, depth int) (*graph.Variable, error)
	join = func(v starlark.Value, depth int) (z *graph.Variable, err error) {
		list, ok := v.(*slot.List)
		if !ok {
			next++
			return formula.Pad(b, leaves[next-1], rank-leaves[next-1].Type.Rank(), true), nil
		}
		parts := make([]*graph.Variable, list.Len())
		for i := range parts {
			if parts[i], err = join(list.Index(i), depth+1); err != nil {
				return nil, err
			}
		}
		return formula.Join(b, rank-deep+depth, parts)
	}
	return join(v, 0)
}

// sliceAtAxis is the row of a subscript that takes a slice of one axis.
var sliceAtAxis = value.Builtin{Name: "slice_at_axis", Params: []value.Param{{Name: "sl", Doc: "a slice"}, {Name: "axis", Doc: "the axis; one that is negative counts from the last"}},
	Doc: "The subscript that takes a slice of an axis, and all of the others: a tuple.", Example: "T.eye(3)[T.slice_at_axis(slice(0, 1), 1)].eval() # array([[1.],\n       [0.],\n       [0.]])",
	Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var part starlark.Value
		var axis int
		if err := b.Unpack(args, kwargs, &part, &axis); err != nil {
			return nil, err
		}
		if _, ok := part.(*value.Slice); !ok {
			return nil, fmt.Errorf("%s: for parameter sl: got %s, want a slice", b.Name, part.Type())
		}
		if axis < -tensor.MaxRank || axis >= tensor.MaxRank {
			return nil, fmt.Errorf("%s: axis %d is out of bounds for %d dimensions, which are the most", b.Name, axis, tensor.MaxRank)
		}
		whole := starlark.Value(&value.Slice{Lo: starlark.None, Hi: starlark.None, Step: starlark.None})
		if axis < 0 {
			return append(starlark.Tuple{value.Ellipsis, part}, slices.Repeat([]starlark.Value{whole}, -axis-1)...), nil
		}
		return starlark.Tuple(append(slices.Repeat([]starlark.Value{whole}, axis), part, value.Ellipsis)), nil
	}}

// roundArgs are those of round.
type roundArgs struct {
	VariableArg
	Mode string `arg:"mode=\"half_to_even\": where halves go: \"half_to_even\" or \"half_away_from_zero\""`
}

func (a *roundArgs) rounded(b *graph.Builder) (*graph.Variable, error) {
	e, ok := map[string]op.Elemwise{"": op.Round, "half_to_even": op.Round, "half_away_from_zero": op.RoundHalfAway}[a.Mode]
	if !ok {
		return nil, fmt.Errorf("for parameter mode: got %q, want \"half_to_even\" or \"half_away_from_zero\"", a.Mode)
	}
	return b.Apply(e, a.X.V), nil
}

// piledRow makes the row of vertical_stack and horizontal_stack, which take the matrices one by
// one, where vstack and hstack take a list.
func piledRow(name, doc, example string, axis int) functions.Function {
	return TensorRow(name, doc, example, func(g *functions.Graph, a *struct {
		Arrays []functions.Operand `arg:"*args: matrices"`
	}) (*graph.Variable, error) {
		for _, x := range a.Arrays {
			if x.V.Type.Rank() != 2 {
				return nil, fmt.Errorf("got %s, want matrices", graph.Mention(x.V))
			}
		}
		return formula.Join(g.Builder, axis, variables(a.Arrays))
	})
}

// subscriptTable is the functions that subscript, and write into subscripts, under the names of
// Theano's operations.
func subscriptTable() []value.Builtin {
	var table []value.Builtin
	const why = " by a subscript of which a part is an array"
	for _, name := range []string{"advanced_subtensor", "advanced_subtensor1", "advanced_boolean_subtensor"} {
		table = append(table, value.Builtin{Name: name, Params: []value.Param{{Name: "x", Doc: "variable or array"}, {Name: "*index", Doc: "the parts of the subscript"}},
			Doc: "x[index]: elements of x" + why + ".", Example: "T." + name + "([5, 6, 5], [" + indexOf(name) + "]).eval() # array([5, 5])", Fn: subscripted(0, "")})
	}
	for _, write := range []struct{ verb, doc, result string }{{"inc", "added to", "[7, 8, 9]"}, {"set", "in the place of", "[2, 8, 2]"}} {
		for _, name := range []string{"advanced_%s_subtensor", "advanced_%s_subtensor1", "advanced_boolean_%s_subtensor"} {
			name = fmt.Sprintf(name, write.verb)
			table = append(table, value.Builtin{Name: name,
				Params:  []value.Param{{Name: "x", Doc: "variable or array"}, {Name: "y", Doc: "what is written; it broadcasts"}, {Name: "*index", Doc: "the parts of the subscript"}},
				Doc:     "A copy of x with y " + write.doc + " x[index]" + why + ".",
				Example: "T." + name + "([5, 8, 7], 2, [" + indexOf(name) + "]).eval() # array(" + write.result + ")", Fn: subscripted(1, write.verb)})
		}
	}
	return table
}

// indexOf is the index of an example: a mask for a function of masks.
func indexOf(name string) string {
	if strings.Contains(name, "boolean") {
		return "True, False, True"
	}
	return "2, 0"
}

// subscripted is x[index] or, with a verb, a copy of x with y there; written says how many
// arguments lie between x and the index.
func subscripted(written int, verb string) func(*starlark.Thread, *value.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, m *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := m.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		s := symbolic.SessionOf(thread)
		b := s.Builder(thread)
		x, err := s.Variable(b, v[0], nil)
		if err != nil {
			return nil, fmt.Errorf("%s: for parameter x: %w", m.Name, err)
		}
		index := v[written+1].(starlark.Tuple)
		if len(index) == 0 {
			return nil, fmt.Errorf("%s: got no index, want an array of positions or a mask", m.Name)
		}
		part, err := symbolic.Symbol{S: s, V: x}.Subscript(index)
		if err != nil {
			return nil, value.Named("", m.Name, err)
		}
		if verb == "" {
			return part, nil
		}
		y, err := s.Variable(b, v[1], x)
		if err != nil {
			return nil, fmt.Errorf("%s: for parameter y: %w", m.Name, err)
		}
		var z *graph.Variable
		if err := symbolic.Catch(func() { z, err = into(b, part.(symbolic.Symbol).V, y, verb == "set") }); err != nil {
			return nil, s.Locate(err)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		return symbolic.Symbol{S: s, V: z}, nil
	}
}
