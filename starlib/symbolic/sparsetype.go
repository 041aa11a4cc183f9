package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A sparseTypeValue is a type of symbolic sparse matrices: x.type, sparse.csr_dmatrix. Called, it
// makes a variable.
type sparseTypeValue struct {
	csc   bool
	dtype kernels.DType
}

var (
	_ starlark.Callable   = sparseTypeValue{}
	_ starlark.Comparable = sparseTypeValue{}
	_ value.Tabled        = sparseTypeValue{}
	_ value.Documenter    = sparseTypeValue{}
)

func (t sparseTypeValue) format() string {
	if t.csc {
		return "csc"
	}
	return "csr"
}

func (t sparseTypeValue) Name() string          { return "SparseType" }
func (t sparseTypeValue) String() string        { return fmt.Sprintf("Sparse[%v, %s]", t.dtype, t.format()) }
func (t sparseTypeValue) Type() string          { return "SparseType" }
func (t sparseTypeValue) Freeze()               {}
func (t sparseTypeValue) Truth() starlark.Bool  { return true }
func (t sparseTypeValue) Hash() (uint32, error) { return starlark.String(t.String()).Hash() }
func (t sparseTypeValue) Table() *value.Methods { return SparseTypeFields }
func (t sparseTypeValue) AttrNames() []string   { return SparseTypeFields.Names() }
func (t sparseTypeValue) Doc() string {
	return "The type of symbolic sparse matrices " + t.String() + ". Call it to make one."
}

func (t sparseTypeValue) Attr(name string) (starlark.Value, error) {
	return SparseTypeFields.Attr(t, name)
}

func (t sparseTypeValue) CompareSameType(token syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(token, t == y.(sparseTypeValue), "types")
}

// CallInternal makes a variable.
func (t sparseTypeValue) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	b := value.Builtin{Name: "SparseType", Params: []value.Param{{Name: "name", Default: "None"}}}
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	name, err := OptionalString("name", v[0])
	if err != nil {
		return nil, fmt.Errorf("SparseType: for parameter %w", err)
	}
	return SessionOf(thread).sparseInput(thread, t.csc, t.dtype, name), nil
}

// SparseTypeFields are the attributes of types of sparse matrices.
var SparseTypeFields = value.NewMethods("SparseType", nil).With(
	value.FieldOf("dtype", "The name of the element type.", `theano.sparse.csr_fmatrix.dtype # "float32"`, func(t sparseTypeValue) starlark.Value { return starlark.String(t.dtype.String()) }),
	value.FieldOf("format", "\"csr\" or \"csc\".", `theano.sparse.csr_fmatrix.format # "csr"`, func(t sparseTypeValue) starlark.Value { return starlark.String(t.format()) }),
	value.FieldOf("ndim", "2.", `theano.sparse.csr_fmatrix.ndim # 2`, func(sparseTypeValue) starlark.Value { return starlark.MakeInt(2) }),
)

// readFormat reads the name of a format.
func readFormat(v starlark.Value) (csc bool, err error) {
	switch name, _ := starlark.AsString(v); name {
	case "csr", "csc":
		return name == "csc", nil
	case "bsr":
		return false, fmt.Errorf("format: got \"bsr\", want \"csr\" or \"csc\": there are no blocks")
	}
	return false, fmt.Errorf("format: got %s, want \"csr\" or \"csc\"", value.Repr(v))
}

// sparseDType reads an element type of sparse matrices; none is floatX.
func (s *Session) sparseDType(v starlark.Value) (kernels.DType, error) {
	if Absent(v) || v == starlark.String("floatX") {
		return s.FloatX(), nil
	}
	d, err := np.DtypeArg(v)
	if err == nil && d.IsBool() {
		err = fmt.Errorf("dtype: got bool, want numbers, such as int8")
	}
	return d, err
}

// sparseMakers are the functions and types that make free variables.
func sparseMakers() []value.Member {
	maker := func(csc bool) value.Builtin {
		format := sparseTypeValue{csc: csc}.format()
		name := format + "_matrix"
		return value.Function(name, "A symbolic sparse matrix in the format "+format+".", `theano.sparse.`+name+`("x") # SparseVariable{`+format+`,float64}`,
			func(thread *starlark.Thread, a *struct {
				Name  starlark.Value `arg:"name=None: what it is called in errors and profiles"`
				DType starlark.Value `arg:"dtype=None: the type of its elements; floatX if not given"`
			}) (starlark.Value, error) {
				return SessionOf(thread).makeSparse(thread, name, csc, a.Name, a.DType)
			})
	}
	members := value.Builtins([]value.Builtin{maker(false), maker(true),
		value.Function("matrix", "A symbolic sparse matrix in a format.", `theano.sparse.matrix("csc", name="x") # SparseVariable{csc,float64}`,
			func(thread *starlark.Thread, a *struct {
				Format starlark.Value `arg:"format: csr or csc"`
				Name   starlark.Value `arg:"name=None: what it is called in errors and profiles"`
				DType  starlark.Value `arg:"dtype=None: the type of its elements; floatX if not given"`
			}) (starlark.Value, error) {
				csc, err := readFormat(a.Format)
				if err != nil {
					return nil, fmt.Errorf("matrix: %w", err)
				}
				return SessionOf(thread).makeSparse(thread, "matrix", csc, a.Name, a.DType)
			}),
		class("SparseType", value.Function("SparseType", "A type of symbolic sparse matrices, which makes variables when it is called.", `theano.sparse.SparseType("csr", "float32") # Sparse[float32, csr]`,
			func(thread *starlark.Thread, a *struct {
				Format starlark.Value `arg:"format: csr or csc"`
				DType  starlark.Value `arg:"dtype: the type of elements"`
			}) (starlark.Value, error) {
				csc, err := readFormat(a.Format)
				if err != nil {
					return nil, fmt.Errorf("SparseType: %w", err)
				}
				d, err := SessionOf(thread).sparseDType(a.DType)
				if err != nil {
					return nil, fmt.Errorf("SparseType: %w", err)
				}
				return sparseTypeValue{csc, d}, nil
			}))})
	for _, t := range []struct {
		name string
		sparseTypeValue
	}{{"csr_dmatrix", sparseTypeValue{false, kernels.Float64}}, {"csr_fmatrix", sparseTypeValue{false, kernels.Float32}},
		{"csc_dmatrix", sparseTypeValue{true, kernels.Float64}}, {"csc_fmatrix", sparseTypeValue{true, kernels.Float32}}} {
		members = append(members, value.Member{Name: t.name, Value: t.sparseTypeValue, Doc: t.Doc(), Example: "theano.sparse." + t.name + " # " + t.String()})
	}
	return append(members, dtypeLists()...)
}

// dtypeLists are the lists of names of element types.
func dtypeLists() []value.Member {
	list := func(name, doc string, has func(kernels.DType) bool) value.Member {
		var names []starlark.Value
		for _, d := range kernels.DTypes() {
			if !d.IsBool() && has(d) {
				names = append(names, starlark.String(d.String()))
			}
		}
		l := slot.NewList(names)
		l.Freeze()
		return value.Member{Name: name, Value: l, Doc: doc, Example: "len(theano.sparse." + name + ") # " + fmt.Sprint(l.Len())}
	}
	return []value.Member{
		list("all_dtypes", "The element types of sparse matrices.", func(kernels.DType) bool { return true }),
		list("float_dtypes", "Those that are floats.", kernels.DType.IsFloat), list("continuous_dtypes", "Those that have gradients.", kernels.DType.IsFloat),
		list("int_dtypes", "Those that are signed integers.", kernels.DType.IsSigned),
		list("uint_dtypes", "Those that are unsigned integers.", func(d kernels.DType) bool { return d.IsInteger() && !d.IsSigned() }),
		list("integer_dtypes", "Those that are integers.", kernels.DType.IsInteger), list("discrete_dtypes", "Those that have no gradients.", kernels.DType.IsInteger),
	}
}

func (s *Session) makeSparse(thread *starlark.Thread, fn string, csc bool, name, dtype starlark.Value) (starlark.Value, error) {
	text, err := OptionalString("name", name)
	if err != nil {
		return nil, fmt.Errorf("%s: for parameter %w", fn, err)
	}
	d, err := s.sparseDType(dtype)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return s.sparseInput(thread, csc, d, text), nil
}

// class is a function that isinstance takes as the type of that name.
func class(typ string, b value.Builtin) value.Builtin {
	b.Types = []string{typ}
	return b
}
