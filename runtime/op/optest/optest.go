// Package optest reads the cases of structural operations (op.Case) for tests and for the
// generators of random graphs. It does not say what results are right.
//
//	Case       an operation with the types of its operands, and the values of some
//	Cases      those of an operation, for each element type
//	AxesOf     every set of axes
//
// It may import runtime/op, runtime/graph, runtime/tensor and kernels.
package optest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Case is an operation with operands.
type Case struct {
	Op op.Structural
	In []Operand
}

// AxesOf returns every set of the axes of an array of the given rank, that without axes first.
func AxesOf(rank int) []tensor.Axes {
	sets := []tensor.Axes{{}}
	for axis := range rank {
		for _, s := range sets {
			sets = append(sets, s.With(tensor.AxesOf(axis)))
		}
	}
	return sets
}

// Finite is the kind of operands that are neither nan nor infinite.
const Finite = "finite"

// An Operand has a value if the case says which; otherwise any of its kind will do.
type Operand struct {
	Type  graph.Type
	Value *tensor.Dense
	Kind  string // Finite or, of matrices, "regular" or "positive"; "" for all
}

// String writes "take{axis=1} float64[2,3] int64[2]".
func (c Case) String() string {
	words := []string{c.Op.Name()}
	for _, o := range c.In {
		words = append(words, o.Type.String())
	}
	return strings.Join(words, " ")
}

// Cases reads the cases of o.
func Cases(o op.Structural) []Case {
	var all []Case
	for _, c := range o.Cases() {
		for _, text := range overTypes(c.In) {
			in, err := operands(text)
			if err != nil {
				panic(fmt.Sprintf("BUG: case %q of %s: %v", c.In, c.Op.Name(), err))
			}
			all = append(all, Case{c.Op, in})
		}
	}
	return all
}

// classes are names for several element types.
var classes = map[string]func(kernels.DType) bool{
	"any":      func(kernels.DType) bool { return true },
	"numbers":  func(d kernels.DType) bool { return !d.IsBool() },
	"integers": kernels.DType.IsInteger,
	"floats":   kernels.DType.IsFloat,
}

// overTypes is text for each type of the class in it.
func overTypes(text string) []string {
	for class, has := range classes {
		if !strings.Contains(text, class) {
			continue
		}
		var all []string
		for _, d := range kernels.DTypes() {
			if has(d) {
				all = append(all, strings.ReplaceAll(text, class, d.String()))
			}
		}
		return all
	}
	return []string{text}
}

func operands(text string) ([]Operand, error) {
	var all []Operand
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		end := strings.IndexAny(text, " (")
		if end < 0 {
			end = len(text)
		}
		if n, err := strconv.ParseInt(text[:end], 10, 64); err == nil {
			a := tensor.IntScalar(kernels.Int64, n)
			all, text = append(all, Operand{Type: graph.TypeOfValue(a), Value: a}), text[end:]
			continue
		}
		typ, kind, _ := strings.Cut(text[:end], "~")
		t, err := graph.ParseType(typ)
		if err != nil {
			return nil, err
		}
		if kind != "" && kind != Finite && kind != "regular" && kind != "positive" {
			return nil, fmt.Errorf("got kind %q, want finite, regular or positive", kind)
		}
		o := Operand{Type: t, Kind: kind}
		text = text[end:]
		if strings.HasPrefix(text, "(") {
			var list string
			list, text, _ = strings.Cut(text[1:], ")")
			if o.Value, err = array(t, strings.Fields(list)); err != nil {
				return nil, err
			}
		}
		all = append(all, o)
	}
	return all, nil
}

func array(t graph.Type, words []string) (*tensor.Dense, error) {
	values := make([]float64, len(words))
	for i, w := range words {
		var err error
		if values[i], err = strconv.ParseFloat(w, 64); err != nil {
			return nil, err
		}
	}
	if shape := t.Dims(); tensor.Size(shape) != len(values) {
		return nil, fmt.Errorf("got %d elements, want as many as %v has", len(values), t)
	}
	return tensor.From(values, t.Dims()...).AsType(t.DType), nil
}

// Sample fills an array with numbers from [-2, 2], no two floats of which are equal, or small
// integers.
func Sample(r *rand.Rand, d kernels.DType, shape ...int) *tensor.Dense {
	values := make([]float64, tensor.Size(shape))
	for i := range values {
		switch {
		case d.IsBool():
			values[i] = float64(r.IntN(2))
		case d.IsFloat():
			values[i] = 4*r.Float64() - 2
		case d.IsSigned():
			values[i] = float64(r.IntN(9) - 4)
		default:
			values[i] = float64(r.IntN(9))
		}
	}
	return tensor.From(values, shape...).AsType(d)
}

// Sample is a value of o's kind with these lengths.
func (o Operand) Sample(r *rand.Rand, shape ...int) *tensor.Dense {
	a := Sample(r, o.Type.DType, shape...)
	if o.Kind == "" || o.Kind == Finite {
		return a
	}
	rank := len(shape)
	m, n := shape[rank-2], shape[rank-1]
	values := a.Floats()
	for block := values; len(block) > 0; block = block[m*n:] {
		matrix := block[:m*n]
		if o.Kind == "positive" && m == n {
			half := append([]float64(nil), matrix...)
			for i := range m {
				for j := range n {
					sum := 0.0
					for k := range n {
						sum += half[i*n+k] * half[j*n+k]
					}
					matrix[i*n+j] = sum
				}
			}
		}
		for i := range min(m, n) { // each much more than the one before: the eigenvalues of a regular one are then real, and far from each other
			matrix[i*n+i] += 8 + 16*float64(i)
		}
	}
	return tensor.From(values, shape...).AsType(o.Type.DType)
}
