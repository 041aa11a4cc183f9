package np

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Parameters that several functions have.
type (
	ArrayArg struct {
		A functions.Operand `arg:"a|x|input: an array"`
	}
	TypeArg struct {
		DType kernels.DType `arg:"dtype=None: the elements' type, such as \"float32\" or np.float32"`
	}
	MemoryArg struct {
		Order Order `arg:"order=\"K\": how the elements are to lie in memory: C, F, or A and K for as they do" eager:"variables have no order in memory"`
	}
	LayoutArg struct {
		Order Order `arg:"order=\"C\": the order of the elements: C for the last axis first, F for the first, A for F of an array that lies in F order only" eager:"variables have no order in memory"`
	}
	OutArg struct {
		Out starlark.Value `arg:"out=None: an array for the result" eager:"variables cannot be written to"`
	}
	FlatAxisArg struct {
		Axis *int `arg:"axis=None: the axis; all elements as a vector if not given"`
	}
	KeywordOnly struct {
		_ struct{} `arg:"*:"`
	}
)

// A count is a number of things: it is not negative, and an array of as many elements can be made.
type Count int

func readCount(v starlark.Value) (Count, error) {
	list, err := value.Ints(v)
	switch {
	case err != nil || len(list) != 1:
		return 0, fmt.Errorf("got %s, want int", v.Type())
	}
	if list[0] < 0 {
		return 0, fmt.Errorf("got %d, want no negative number", list[0])
	}
	return Count(list[0]), CheckShape(list)
}

// An Order is how elements lie in memory or are read, by NumPy's letters C, F, A and K; 0 if it is
// not given.
type Order byte

func readOrder(_ value.Host, v starlark.Value) (Order, error) {
	s, _ := starlark.AsString(v)
	if s = strings.ToUpper(s); len(s) == 1 && strings.Contains("CFAK", s) {
		return Order(s[0]), nil
	}
	return 0, fmt.Errorf("got %s, want C, F, A or K", value.Repr(v))
}

// Fortran reports whether the elements of d are meant in F order. A and K are the order that d has.
func (o Order) Fortran(d *tensor.Dense) bool {
	return o == 'F' || (o == 'A' || o == 'K') && !d.IsContiguous() && d.Transpose().IsContiguous()
}

// A flag is a bool that Theano's examples write as 0 or 1.
type Flag bool

func readFlag(_ value.Host, v starlark.Value) (Flag, error) {
	if b, ok := v.(starlark.Bool); ok {
		return Flag(b), nil
	}
	n, err := value.Int(v)
	if err != nil || n != 0 && n != 1 {
		return false, fmt.Errorf("got %s, want bool", value.Repr(v))
	}
	return n == 1, nil
}

// fieldKinds read what is declared above.
var fieldKinds = []value.Kind{
	value.KindOf(func(_ value.Host, v starlark.Value) (Count, error) { return readCount(v) }),
	value.KindOf(func(_ value.Host, v starlark.Value) (*Count, error) {
		n, err := readCount(v)
		return &n, err
	}),
	value.KindOf(readOrder),
	value.KindOf(readFlag),
}

// OrElse is *p, or otherwise where an argument was not given.
func OrElse[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// DensesOf are the arrays of a list of operands.
func DensesOf(list []functions.Operand) []*tensor.Dense {
	arrays := make([]*tensor.Dense, len(list))
	for i, x := range list {
		arrays[i] = x.D
	}
	return arrays
}

// VariablesOf are the variables of a list of operands.
func VariablesOf(list []functions.Operand) []functions.V {
	variables := make([]functions.V, len(list))
	for i, x := range list {
		variables[i] = x.V
	}
	return variables
}

// FailFor records an error of the argument for a parameter.
func (e *Eval) FailFor(parameter, format string, args ...any) {
	e.Fail("for parameter "+parameter+": "+format, args...)
}

// WrongType records that an argument is not what it has to be.
func (e *Eval) WrongType(parameter string, v starlark.Value, want string) {
	e.FailFor(parameter, "got %s, want %s", v.Type(), want)
}

// Target is an argument that is written to.
func (e *Eval) Target(parameter string, v starlark.Value) *Array {
	a, ok := v.(*Array)
	if !ok {
		e.WrongType(parameter, v, "ndarray")
		return &Array{D: Meaningless()}
	}
	e.Got(a.D, a.Writable())
	return a
}

// Word returns s, which has to be one of several words.
func (e *Eval) Word(parameter, s string, words ...string) string {
	return Keep(e, s, OneOf(parameter, s, words...), words[0])
}

// OneOf is the error of an argument that is not one of several words.
func OneOf(parameter, s string, words ...string) error {
	if slices.Contains(words, s) {
		return nil
	}
	return fmt.Errorf("for parameter %s: got %q, want one of %s", parameter, s, strings.Join(words, ", "))
}

// NewShape returns the shape of an array to be made.
func (e *Eval) NewShape(parameter string, shape []int) []int {
	if err := CheckShape(shape); err != nil {
		e.FailFor(parameter, "%w", err)
		return nil
	}
	return shape
}

// AxisSet is the set of the axes that an argument names.
func (e *Eval) AxisSet(a functions.Axes, rank int) tensor.Axes {
	axes, err := a.Of(rank)
	return Keep(e, axes, err, tensor.Axes{})
}

// EachAxis returns axes of an array of the given rank in the order given.
func (e *Eval) EachAxis(parameter string, list []int, rank int) []int {
	var seen tensor.Axes
	for k, axis := range list {
		list[k] = e.AxisOf(axis, rank)
		if seen.Has(list[k]) {
			e.FailFor(parameter, "axis %d is there twice", list[k])
		}
		seen = seen.With(tensor.AxesOf(list[k]))
	}
	return list
}

// Dense is what is written as an array or number.
func (e *Eval) Dense(v starlark.Value) *tensor.Dense {
	d, err := ToDense(v)
	return e.Got(d, err)
}

// Denses are the arrays among the arguments for a parameter such as *args.
func (e *Eval) Denses(args starlark.Tuple) []*tensor.Dense {
	list := make([]*tensor.Dense, len(args))
	for i, v := range args {
		list[i] = e.Dense(v)
	}
	return list
}

// Viewed returns a view of the array v. One that repeats elements cannot be assigned to.
func (e *Eval) Viewed(v starlark.Value, z *tensor.Dense) starlark.Value {
	if e.Failed() {
		return nil
	}
	a, _ := v.(*Array)
	return e.Repeated(a, z)
}

// Views returns arrays, which may lie in the memory of v, as a list.
func (e *Eval) Views(v starlark.Value, arrays []*tensor.Dense) starlark.Value {
	values := make([]starlark.Value, len(arrays))
	for k, d := range arrays {
		values[k] = e.ViewOf(v, d)
	}
	return slot.NewList(values)
}

// TupleOf returns arrays as a tuple.
func (e *Eval) TupleOf(arrays []*tensor.Dense) starlark.Value {
	if e.Failed() {
		return nil
	}
	tuple := make(starlark.Tuple, len(arrays))
	for i, d := range arrays {
		tuple[i] = NewArray(e.Session, d)
	}
	return tuple
}

// AsVector returns an array, a number or a vector, as a vector.
func (e *Eval) AsVector(parameter string, d *tensor.Dense) *tensor.Dense {
	d = e.LeadTo(d, 1)
	if d.Rank() != 1 {
		e.FailFor(parameter, "got %d dimensions, want a vector", d.Rank())
		return tensor.New(d.DType(), 0)
	}
	return d
}

// IntsArgs reads ints given one by one or as one tuple: the parameter *shape of methods. None alone
// is nil.
func IntsArgs(args starlark.Tuple) ([]int, error) {
	if len(args) != 1 {
		return value.Ints(args)
	}
	if args[0] == starlark.None {
		return nil, nil
	}
	return value.Ints(args[0])
}

// ArrayMethod makes a row for a method of arrays. fn computes with e, which keeps the first error,
// and self is the receiver. A method that np has as a function too is a row of functions instead,
// with a name in "ndarray": see methodsOf.
func ArrayMethod[A any](name, doc, example string, fn func(e *Eval, self *Array, a *A) starlark.Value) value.Builtin {
	return callRow("ndarray.", name, doc, example, value.NewArguments[A](Kinds...), func(e *Eval, a any) starlark.Value {
		return fn(e, e.Receiver().(*Array), a.(*A))
	})
}

// methodsOf are the methods among the functions of a table: the receiver is the argument for the
// first parameter.
func methodsOf(table []functions.Function) []value.Builtin {
	rows := RowsOf("ndarray", table)
	for i := range rows {
		rows[i].Params = rows[i].Params[1:]
		if name := rows[i].Name; strings.HasPrefix(rows[i].Example, "ndarray."+name+"(") {
			rows[i].Example = methodExample("np."+strings.TrimPrefix(rows[i].Example, "ndarray."), name)
		}
	}
	return rows
}

// FloatTypeArg is dtypeArg of functions that make floats.
type FloatTypeArg struct {
	DType kernels.DType `arg:"dtype=None: the elements' type; float64 if not given, floatX in T"`
}

// DiagonalArg says how large a matrix is, and which of its diagonals is meant.
type DiagonalArg struct {
	N functions.Integer `arg:"N|n: the number of rows"`
	M functions.Integer `arg:"M|m=None: the number of columns, N if not given"`
	K functions.Integer `arg:"k=0: the diagonal; above the main one if positive"`
}

// Columns is the number of columns of an array.
func (a *DiagonalArg) Columns() int {
	if !a.M.Given() {
		return a.N.N
	}
	return a.M.N
}

// Variables are the numbers of rows and columns and the diagonal of a variable.
func (a *DiagonalArg) Variables(g *functions.Graph) (n, m, k functions.V) {
	return a.N.V, cmp.Or(a.M.V, a.N.V), a.K.VOr(g, 0)
}
