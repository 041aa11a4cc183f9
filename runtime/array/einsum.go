package array

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
)

// Subscripts are those of np.einsum, read: "ij,jk->ik".
type Subscripts struct {
	text     string
	operands []string
	output   string
	explicit bool // there is "->"
}

// ReadSubscripts reads subscripts for as many operands as there are.
func ReadSubscripts(text string, operands int) (s Subscripts, err error) {
	input, output, explicit := strings.Cut(strings.ReplaceAll(text, " ", ""), "->")
	s = Subscripts{text, strings.Split(input, ","), output, explicit}
	if len(s.operands) != operands {
		err = fmt.Errorf("for parameter subscripts: got subscripts for %d operands and %d operands", len(s.operands), operands)
	}
	return s, err
}

// Letters are those of the axes of operands of the given ranks, and of the result.
func (s Subscripts) Letters(ranks []int) (operands [][]byte, result []byte, err error) {
	dots := 0
	for i, rank := range ranks {
		labels, hidden, err := s.labels(s.operands[i], rank)
		if err != nil {
			return nil, nil, err
		}
		operands, dots = append(operands, labels), max(dots, hidden)
	}
	if result, err = s.result(dots); err != nil {
		return nil, nil, err
	}
	for i, l := range result {
		if !slices.Contains(slices.Concat(operands...), l) {
			return nil, nil, fmt.Errorf("for parameter subscripts: got %q after ->, which no operand has", string(l))
		} else if slices.Contains(result[:i], l) {
			return nil, nil, fmt.Errorf("for parameter subscripts: got %q twice after ->", string(l))
		}
	}
	return operands, result, nil
}

// labels reads the letters of an operand and how many axes "..." stands for.
func (s Subscripts) labels(part string, rank int) (labels []byte, hidden int, err error) {
	before, after, dots := strings.Cut(part, "...")
	hidden = rank - len(before) - len(after)
	if hidden < 0 || !dots && hidden > 0 {
		return nil, 0, fmt.Errorf("for parameter subscripts: got %d letters in %q for an operand of %d dimensions",
			len(before)+len(after), part, rank)
	}
	for _, c := range []byte(before + after) {
		if (c|0x20) < 'a' || (c|0x20) > 'z' {
			return nil, 0, fmt.Errorf("for parameter subscripts: got %q in %q, want letters, commas, ... and ->", string(c), s.text)
		}
	}
	return slices.Concat([]byte(before), hiddenLabels(hidden), []byte(after)), hidden, nil
}

func hiddenLabels(n int) []byte {
	labels := make([]byte, n)
	for i := range labels {
		labels[i] = '0' + byte(n-1-i)
	}
	return labels
}

// result is the letters after "->"; without it, those that are there once, in order of the
// alphabet, after those of "...", which stands for so many axes.
func (s Subscripts) result(dots int) ([]byte, error) {
	if s.explicit {
		before, after, has := strings.Cut(s.output, "...")
		labels, _, err := s.labels(before+after, len(before)+len(after))
		if err != nil || !has {
			return labels, err
		}
		return slices.Concat(labels[:len(before)], hiddenLabels(dots), labels[len(before):]), nil
	}
	labels := hiddenLabels(dots)
	letters := []byte(strings.ReplaceAll(strings.Join(s.operands, ""), ".", ""))
	slices.Sort(letters)
	for i, l := range letters {
		if (i == 0 || letters[i-1] != l) && (i+1 == len(letters) || letters[i+1] != l) {
			labels = append(labels, l)
		}
	}
	return labels, nil
}

// must returns a view whose axes are known to be right.
func must(d *tensor.Dense, err error) *tensor.Dense {
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return d
}
