package sparse

import "fmt"

// Number is every element type with arithmetic.
type Number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// A Pattern says where the stored elements of a matrix are. Those of row i, along the major axis,
// have the numbers Indptr[i] to Indptr[i+1]-1, and element k lies in column Indices[k] of Minor.
// What is at one place twice is added up, wherever the matrix stands for numbers.
type Pattern struct {
	Indices, Indptr []int32
	Minor           int
	// Ask, if it is not nil, is told of work before it is done, that of a row or more, in elements
	// that are moved. Where it panics the loop ends.
	Ask func(n int)
}

// Major is the number of rows.
func (p Pattern) Major() int { return len(p.Indptr) - 1 }

// ask tells Ask of a row with n elements.
func (p Pattern) ask(n int) {
	if p.Ask != nil {
		p.Ask(perRow + n)
	}
}

// perRow is the work of a row without elements.
const perRow = 4

// parts calls f for the parts of n elements, and asks before each.
func (p Pattern) parts(n int, f func(first, end int)) {
	const each = 1 << 15
	for first := 0; first < n; first += each {
		end := min(first+each, n)
		p.ask(end - first)
		f(first, end)
	}
}

// Row is the columns of row i, and the number of the first of its elements.
func (p Pattern) Row(i int) (columns []int32, first int) {
	first = int(p.Indptr[i])
	p.ask(int(p.Indptr[i+1]) - first)
	return p.Indices[first:p.Indptr[i+1]], first
}

// Check reports what is wrong with a pattern: its pointers begin with 0, do not decrease and end
// with the number of elements, and its columns are some of Minor. Nothing else here looks.
func (p Pattern) Check() error {
	if err := p.CheckPointers(); err != nil {
		return err
	}
	var err error
	p.parts(len(p.Indices), func(first, end int) {
		for k, j := range p.Indices[first:end] {
			if uint(j) >= uint(p.Minor) && err == nil {
				err = fmt.Errorf("indices: got %d at position %d, want numbers from 0 to %d, of an axis of length %d", j, first+k, p.Minor-1, p.Minor)
			}
		}
	})
	return err
}

// CheckPointers is Check of the pointers alone.
func (p Pattern) CheckPointers() error {
	n := len(p.Indptr)
	switch {
	case n == 0:
		return fmt.Errorf("indptr: got no pointers, want one more than rows (csr) or columns (csc)")
	case p.Indptr[0] != 0:
		return fmt.Errorf("indptr: got %d at position 0, want 0", p.Indptr[0])
	case int(p.Indptr[n-1]) != len(p.Indices):
		return fmt.Errorf("indptr: got %d at its end, want %d, the number of indices", p.Indptr[n-1], len(p.Indices))
	}
	var err error
	p.parts(p.Major(), func(first, end int) {
		for i := first + 1; i <= end; i++ {
			if p.Indptr[i] < p.Indptr[i-1] && err == nil {
				err = fmt.Errorf("indptr: got %d after %d at position %d, want pointers that do not decrease", p.Indptr[i], p.Indptr[i-1], i)
			}
		}
	})
	return err
}

// IsCanonical reports whether the columns of each row ascend.
func (p Pattern) IsCanonical() bool { return p.ascends(1) }

// IsSorted reports whether the columns of no row descend.
func (p Pattern) IsSorted() bool { return p.ascends(0) }

func (p Pattern) ascends(by int32) bool {
	for i := range p.Major() {
		columns, _ := p.Row(i)
		for k := 1; k < len(columns); k++ {
			if columns[k]-columns[k-1] < by {
				return false
			}
		}
	}
	return true
}
