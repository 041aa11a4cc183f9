package np

import (
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
	arrayArg struct {
		A functions.Operand `arg:"a|x|input: an array"`
	}
	dtypeArg struct {
		DType kernels.DType `arg:"dtype=None: the elements' type, such as \"float32\" or np.float32"`
	}
	memoryArg struct {
		Order order `arg:"order=\"K\": how the elements are to lie in memory: C, F, or A and K for as they do" eager:"variables have no order in memory"`
	}
	layoutArg struct {
		Order order `arg:"order=\"C\": the order of the elements: C for the last axis first, F for the first, A for F of an array that lies in F order only" eager:"variables have no order in memory"`
	}
	outArg struct {
		Out starlark.Value `arg:"out=None: an array for the result" eager:"variables cannot be written to"`
	}
	flatAxisArg struct {
		Axis *int `arg:"axis=None: the axis; all elements as a vector if not given"`
	}
	KeywordOnly struct {
		_ struct{} `arg:"*:"`
	}
)

// A count is a number of things: it is not negative, and an array of as many elements can be made.
type count int

func readCount(v starlark.Value) (count, error) {
	list, err := value.Ints(v)
	switch {
	case err != nil || len(list) != 1:
		return 0, fmt.Errorf("got %s, want int", v.Type())
	}
	if list[0] < 0 {
		return 0, fmt.Errorf("got %d, want no negative number", list[0])
	}
	return count(list[0]), checkShape(list)
}

// An order is how elements lie in memory or are read, by NumPy's letters C, F, A and K; 0 if it is not given.
type order byte

func readOrder(_ value.Host, v starlark.Value) (order, error) {
	s, _ := starlark.AsString(v)
	if s = strings.ToUpper(s); len(s) == 1 && strings.Contains("CFAK", s) {
		return order(s[0]), nil
	}
	return 0, fmt.Errorf("got %s, want C, F, A or K", value.Repr(v))
}

// fortran reports whether the elements of d are meant in F order. A and K are the order that d has.
func (o order) fortran(d *tensor.Dense) bool {
	return o == 'F' || (o == 'A' || o == 'K') && !d.IsContiguous() && d.Transpose().IsContiguous()
}

// A flag is a bool that Theano's examples write as 0 or 1.
type flag bool

func readFlag(_ value.Host, v starlark.Value) (flag, error) {
	if b, ok := v.(starlark.Bool); ok {
		return flag(b), nil
	}
	n, err := value.Int(v)
	if err != nil || n != 0 && n != 1 {
		return false, fmt.Errorf("got %s, want bool", value.Repr(v))
	}
	return n == 1, nil
}

// fieldKinds read what is declared above.
var fieldKinds = []value.Kind{
	value.KindOf(func(_ value.Host, v starlark.Value) (count, error) { return readCount(v) }),
	value.KindOf(func(_ value.Host, v starlark.Value) (*count, error) {
		n, err := readCount(v)
		return &n, err
	}),
	value.KindOf(readOrder),
	value.KindOf(readFlag),
}

// or is *p, or otherwise where an argument was not given.
func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// densesOf are the arrays of a list of operands.
func densesOf(list []functions.Operand) []*tensor.Dense {
	arrays := make([]*tensor.Dense, len(list))
	for i, x := range list {
		arrays[i] = x.D
	}
	return arrays
}

// variablesOf are the variables of a list of operands.
func variablesOf(list []functions.Operand) []functions.V {
	variables := make([]functions.V, len(list))
	for i, x := range list {
		variables[i] = x.V
	}
	return variables
}

// failFor records an error of the argument for a parameter.
func (e *eval) failFor(parameter, format string, args ...any) {
	e.fail("for parameter "+parameter+": "+format, args...)
}

// wrongType records that an argument is not what it has to be.
func (e *eval) wrongType(parameter string, v starlark.Value, want string) {
	e.failFor(parameter, "got %s, want %s", v.Type(), want)
}

// target is an argument that is written to.
func (e *eval) target(parameter string, v starlark.Value) *Array {
	a, ok := v.(*Array)
	if !ok {
		e.wrongType(parameter, v, "ndarray")
		return &Array{d: meaningless()}
	}
	e.got(a.d, a.writable())
	return a
}

// word returns s, which has to be one of several words.
func (e *eval) word(parameter, s string, words ...string) string {
	return keep(e, s, oneOf(parameter, s, words...), words[0])
}

// oneOf is the error of an argument that is not one of several words.
func oneOf(parameter, s string, words ...string) error {
	if slices.Contains(words, s) {
		return nil
	}
	return fmt.Errorf("for parameter %s: got %q, want one of %s", parameter, s, strings.Join(words, ", "))
}

// newShape returns the shape of an array to be made.
func (e *eval) newShape(parameter string, shape []int) []int {
	if err := checkShape(shape); err != nil {
		e.failFor(parameter, "%w", err)
		return nil
	}
	return shape
}

// axisSet is the set of the axes that an argument names.
func (e *eval) axisSet(a functions.Axes, rank int) tensor.Axes {
	axes, err := a.Of(rank)
	return keep(e, axes, err, tensor.Axes{})
}

// eachAxis returns axes of an array of the given rank in the order given.
func (e *eval) eachAxis(parameter string, list []int, rank int) []int {
	var seen tensor.Axes
	for k, axis := range list {
		list[k] = e.axisOf(axis, rank)
		if seen.Has(list[k]) {
			e.failFor(parameter, "axis %d is there twice", list[k])
		}
		seen = seen.With(tensor.AxesOf(list[k]))
	}
	return list
}

// dense is what is written as an array or number.
func (e *eval) dense(v starlark.Value) *tensor.Dense {
	d, err := ToDense(v)
	return e.got(d, err)
}

// denses are the arrays among the arguments for a parameter such as *args.
func (e *eval) denses(args starlark.Tuple) []*tensor.Dense {
	list := make([]*tensor.Dense, len(args))
	for i, v := range args {
		list[i] = e.dense(v)
	}
	return list
}

// viewed returns a view of the array v. One that repeats elements cannot be assigned to.
func (e *eval) viewed(v starlark.Value, z *tensor.Dense) starlark.Value {
	if e.failed() {
		return nil
	}
	a, _ := v.(*Array)
	return e.repeated(a, z)
}

// views returns arrays, which may lie in the memory of v, as a list.
func (e *eval) views(v starlark.Value, arrays []*tensor.Dense) starlark.Value {
	values := make([]starlark.Value, len(arrays))
	for k, d := range arrays {
		values[k] = e.viewOf(v, d)
	}
	return slot.NewList(values)
}

// tupleOf returns arrays as a tuple.
func (e *eval) tupleOf(arrays []*tensor.Dense) starlark.Value {
	if e.failed() {
		return nil
	}
	tuple := make(starlark.Tuple, len(arrays))
	for i, d := range arrays {
		tuple[i] = NewArray(e.session, d)
	}
	return tuple
}

// asVector returns an array, a number or a vector, as a vector.
func (e *eval) asVector(parameter string, d *tensor.Dense) *tensor.Dense {
	d = e.leadTo(d, 1)
	if d.Rank() != 1 {
		e.failFor(parameter, "got %d dimensions, want a vector", d.Rank())
		return tensor.New(d.DType(), 0)
	}
	return d
}

// intsArgs reads ints given one by one or as one tuple: the parameter *shape of methods. None alone is nil.
func intsArgs(args starlark.Tuple) ([]int, error) {
	if len(args) != 1 {
		return value.Ints(args)
	}
	if args[0] == starlark.None {
		return nil, nil
	}
	return value.Ints(args[0])
}

// arrayMethod makes a row for a method of arrays. fn computes with e, which keeps the first error, and self is the receiver. A method that np has
// as a function too is a row of functions instead, with a name in "ndarray": see methodsOf.
func arrayMethod[A any](name, doc, example string, fn func(e *eval, self *Array, a *A) starlark.Value) value.Builtin {
	return callRow("ndarray.", name, doc, example, value.NewArguments[A](Kinds...), func(e *eval, a any) starlark.Value {
		return fn(e, e.Receiver().(*Array), a.(*A))
	})
}

// methodsOf are the methods among the functions of a table: the receiver is the argument for the first parameter.
func methodsOf(table []functions.Function) []value.Builtin {
	rows := rowsOf("ndarray", table)
	for i := range rows {
		rows[i].Params = rows[i].Params[1:]
		if name := rows[i].Name; strings.HasPrefix(rows[i].Example, "ndarray."+name+"(") {
			rows[i].Example = methodExample("np."+strings.TrimPrefix(rows[i].Example, "ndarray."), name)
		}
	}
	return rows
}
