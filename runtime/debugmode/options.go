package debugmode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
)

// Options say what is checked. Their names in Starlark are Theano's.
type Options struct {
	Patience      int       // stability_patience: how often rewriting is repeated; it has to do the same each time
	CheckC        bool      // check_c_code
	CheckGo       bool      // check_py_code: what Python is to Theano, Go is here
	CheckRewrites bool      // every rewrite against what it replaced; DebugMode always does
	CheckFinite   bool      // check_isfinite: nan and inf are not valid
	Preallocated  []Pattern // check_preallocated_output
	Strides       int       // require_matching_strides: 0 ignores, 1 warns of, 2 refuses results of C and Go that lie differently in memory
	WarnNotReused bool      // warn_input_not_reused: of operations that say that they overwrite an operand, and do not
	Ndim          int       // check_preallocated_output_ndim: how many of the last axes get steps of their own in the pattern strided
	CheckGradient bool      // check_gradient: grad() against differences of the cost; not Theano's
	// Tolerance is by how much two floats of a type may differ, relative to the larger; where it
	// says nothing, see toleranceOf.
	Tolerance map[kernels.DType]float64
}

// Default is DebugMode as its name alone gives it.
func Default() Options {
	return Options{Patience: 10, CheckC: true, CheckGo: true, CheckRewrites: true, CheckFinite: true, WarnNotReused: true, Ndim: 4, CheckGradient: true}
}

// Check returns why the options make no sense, if so.
func (o Options) Check() error {
	switch {
	case !o.CheckC && !o.CheckGo:
		return fmt.Errorf("check_c_code and check_py_code are both False: there is nothing to run; want one of them at least")
	case o.Patience < 1:
		return fmt.Errorf("stability_patience: got %d, want at least 1", o.Patience)
	case o.Strides < 0 || o.Strides > 2:
		return fmt.Errorf("require_matching_strides: got %d, want 0 (ignore), 1 (warn) or 2 (raise)", o.Strides)
	case o.Ndim < 0:
		return fmt.Errorf("check_preallocated_output_ndim: got %d, want at least 0", o.Ndim)
	}
	return nil
}

// A Pattern is a way to lay operands and results of a node out. In Theano it is of preallocated
// results; here results always lie in C order in memory that the node asks for, so that it is the
// operands that lie as the pattern says.
type Pattern string

// The patterns, by Theano's names.
const (
	Initial     Pattern = "initial"      // operands as they are; new memory of results, full of bad values
	Previous    Pattern = "previous"     // memory of results that holds those of the run before
	CContiguous Pattern = "c_contiguous" // operands in C order
	FContiguous Pattern = "f_contiguous" // operands in F order
	Strided     Pattern = "strided"      // operands with steps of 1, 2, -1 and -2, in all combinations over the last axes
	WrongSize   Pattern = "wrong_size"   // results within larger memory that another value had
)

// Patterns lists all.
var Patterns = []Pattern{Initial, Previous, CContiguous, FContiguous, Strided, WrongSize}

// ParsePatterns reads Theano's form: names with colons between them, ALL for all, and nothing for
// none.
func ParsePatterns(text string) ([]Pattern, error) {
	if text == "ALL" {
		return Patterns, nil
	}
	var list []Pattern
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ':' || r == ' ' }) {
		if word == "ALL" {
			return Patterns, nil
		}
		p := Pattern(word)
		if !slices.Contains(Patterns, p) {
			return nil, fmt.Errorf("check_preallocated_output: got %q, want initial, previous, c_contiguous, f_contiguous, strided, wrong_size or ALL", word)
		}
		list = append(list, p)
	}
	return list, nil
}

// PatternsText is the form that ParsePatterns reads.
func PatternsText(list []Pattern) string {
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = string(p)
	}
	return strings.Join(words, ":")
}
