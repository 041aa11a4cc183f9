package kernels

import (
	"strings"
	"unsafe"
)

// MaxArgs is the largest number of operands of an elementwise operation (hyp2f1 has four).
const MaxArgs = 4

// A Loop computes dst[i] = f(src[0][i], src[1][i], ...) for i in [0, n).
//
// Every operand is a unit-stride vector of n elements: whoever runs the loop has expanded scalars
// and gathered strided operands before. dst may be one of the operands, but may not overlap one
// otherwise. src is a pointer because its elements, just written one by one, are slow to copy.
type Loop func(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer)

// Loops holds the Go loops of one operation, indexed by the operands' type; nil where the
// operation is not defined. The result's type follows from the operation.
type Loops [NumDTypes]Loop

// LoopKey names an elementwise kernel: "add" float64 → float64, "lt" float64 → bool,
// "cast" int32 → float64. For switch, In is the type of the two branches; its
// condition is always bool.
type LoopKey struct {
	Op      string
	In, Out DType
}

// Instr is one step of a Program: register len(Inputs)+i receives Op of the registers Args.
type Instr struct {
	LoopKey
	Args []int
	Go   Loop // the reference; never nil
}

// A Program is a straight-line elementwise computation, run block by block so that
// intermediate results stay in the L1 cache.
type Program struct {
	Inputs  []DType
	Instrs  []Instr
	Outputs []Output
	// Steps are what instructions are of, for whoever wrote the program: numbers from 0, which do
	// not fall. nil: each is one of its own.
	Steps []int
	// Split, if not nil, is told what the instructions of a run took. It may be set between runs.
	Split *Split
	// Leading is how many first axes outputs reduce over; 0 if it is the trailing ones along which
	// their strides are 0.
	Leading int
}

// An Output stores a register, or what a reduction of it gives: sum, prod, round_sum, round_prod,
// max or min over the trailing axes along which its operand's strides are 0 in a run, or over the
// first Leading ones, where what is left is C-contiguous (sum and prod of float32, float64, int64
// and uint64 only, the two that round of float32). All outputs that reduce do so over the same
// axes, which are not empty for max and min. A sum is pairwise.
type Output struct {
	Reg    int
	Reduce string // "" stores each element
	Step   int    // as in Program.Steps, of what is reduced
}

// An Operand is an array of a Program's run: a pointer to its first element and, for each
// axis of the run's shape, its stride in bytes. A stride of 0 broadcasts.
type Operand struct {
	Data    unsafe.Pointer
	Strides []int
}

// Stop is raised, from another goroutine, to end a kernel early: kernels poll it about every
// hundred microseconds of work. nil never stops.
type Stop = *uint32

// An ElemwiseFunc runs a compiled Program over shape. An output may share its memory with an input
// of the same type if their strides are equal. It reports whether it ran to its end. It owns
// scratch memory: one call at a time.
type ElemwiseFunc func(shape []int, out, in []Operand, stop Stop) bool

// ReduceKey names a reduction: Op is sum, prod, max, min, argmax or argmin, all of them for every
// type, or one of those that compute in float64: wide_sum and wide_prod of float32, whose results
// are float64, and round_sum and round_prod of float32 and float64, whose results are rounded to
// float32. NaN propagates through all but argmax and argmin, which find the first NaN.
type ReduceKey struct {
	Op string
	In DType
}

// Out is the type of the result: In for max and min, int64 for positions. Sums and products of
// bools and integers are those of int64 or, without a sign, uint64, and wrap.
func (k ReduceKey) Out() DType {
	switch {
	case strings.HasPrefix(k.Op, "wide_"):
		return Float64
	case strings.HasPrefix(k.Op, "round_"):
		return Float32
	case k.Op == "max" || k.Op == "min":
		return k.In
	case k.Op == "argmax" || k.Op == "argmin":
		return Int64
	case k.In.IsFloat():
		return k.In
	case k.In.IsInteger() && !k.In.IsSigned():
		return Uint64
	}
	return Int64
}

// A ReduceFunc reduces the middle axis of the C-contiguous src[outer, n, inner] into the
// C-contiguous dst[outer, inner]. max, min, argmax and argmin need n > 0.
type ReduceFunc func(outer, n, inner int, dst, src unsafe.Pointer, stop Stop) bool

// Matrix is an operand of a product: element (i, j) lies at Data + i*Row + j*Col, in bytes.
type Matrix struct {
	Data     unsafe.Pointer
	Row, Col int
}

// A GemmFunc computes count products d = alpha*a·b + beta*c with a: [m,k], b: [k,n], c and d:
// [m,n]. Any strides are allowed for a and b (a transpose is free) and for c (a stride of 0
// broadcasts: a row is a bias); d has Col equal to the element size. beta = 0 does not read c. c
// may be d, with the same strides; otherwise d overlaps no operand. The matrices of d do not
// overlap. It reports whether it ran to its end: d is undefined if not. For integer types alpha and
// beta are rounded to integers.
type GemmFunc func(count, m, n, k int, alpha float64, a, b Batch, beta float64, c, d Batch, stop Stop) bool

// A SymvFunc computes y = alpha*a·x for a symmetric a: [n,n] in float32 or float64, of which the
// upper half is read. The columns of a are one element apart, x and y are vectors of elements
// beside each other, and y overlaps neither a nor x.
type SymvFunc func(n int, alpha float64, a Matrix, x, y unsafe.Pointer)

// A CorrelateFunc computes dst[i] = src[i]*weights[0] + src[i+1]*weights[1] + ..., of k weights,
// for i < n: each product and each sum rounded, from the first on, which begins with 0. src has
// n+k-1 elements, and dst overlaps neither of the others.
type CorrelateFunc func(n, k int, dst, src, weights unsafe.Pointer, stop Stop) bool

// A RowsFunc maps each row of the C-contiguous src[rows, cols] to a row of dst. dst may be src.
type RowsFunc func(rows, cols int, dst, src unsafe.Pointer, stop Stop) bool

// RowsKey names a kernel over rows: Op is softmax or logsoftmax, for float32 and float64. Both
// subtract the row's maximum first.
type RowsKey struct {
	Op string
	In DType
}

// A LogSoftmaxAtFunc computes, for each row i of the C-contiguous x[rows, cols] in float32 or
// float64, with p[i] = softmax(x[i]),
//
//	logp[i] = log(p[i, labels[i]]) = (x[i, labels[i]] - max) - log(sum(exp(x[i] - max)))
//	z[i, j] = p[i, j]                                   where z.To is not nil
//	z[i, j] = g[i] * (j == labels[i]) - g[i] * p[i, j]  where z.By is not nil either: the gradient of sum(g * logp)
//
// It reads x once. z.To may be x. bad is the first row whose label is not in [0, cols), and -1 if
// there is none; if there is one nothing is written.
type LogSoftmaxAtFunc func(rows, cols int, logp, x unsafe.Pointer, labels []int64, z LogSoftmaxOut, stop Stop) (bad int, done bool)

// LogSoftmaxOut is what else a LogSoftmaxAtFunc writes. The elements g[i] at By are Step bytes
// apart: 0 for one that all rows have.
type LogSoftmaxOut struct {
	To, By unsafe.Pointer
	Step   int
}

// From is z for the rows from i on, each of so many bytes.
func (z LogSoftmaxOut) From(i, bytes int) LogSoftmaxOut {
	if z.To != nil {
		z.To = unsafe.Add(z.To, i*bytes)
	}
	if z.By != nil {
		z.By = unsafe.Add(z.By, i*z.Step)
	}
	return z
}

// A CopyFunc copies the elements of src to those of dst, for any strides: a transpose is a copy, a
// stride of 0 in src repeats, and parts of dst make a concatenation. shape has at most MaxCopyAxes
// axes. The elements of dst are apart from each other and from src, except that dst may be src.
type CopyFunc func(shape []int, dst, src Operand, stop Stop) bool

// A TakeFunc copies rows of the C-contiguous src[outer, n, inner] to the C-contiguous dst[outer,
// len(index), inner]: dst[o, j] = src[o, index[j]]. Negative positions count from the end. bad is
// the first j at which index is not in [-n, n), and -1 if there is none; if there is one the
// elements of dst are undefined. dst overlaps neither src nor index.
type TakeFunc func(outer, n, inner int, dst, src unsafe.Pointer, index []int64, stop Stop) (bad int, done bool)

// A PutFunc does the reverse: it sets dst[o, index[j]] to src[o, j] or adds it there, in order, so
// that of several that meet the last is what remains, or all are added up. It has the operands of a
// TakeFunc, dst[outer, n, inner] and src[outer, len(index), inner]; where one position is bad,
// those before it have been written.
type PutFunc func(outer, n, inner int, dst, src unsafe.Pointer, index []int64, stop Stop) (bad int, done bool)

// PutKey names a PutFunc: Op is set, for all types, or add, for all but bool; integers wrap.
type PutKey struct {
	Op string
	In DType
}

// A SortFunc sorts n elements in place, NaN last; t is room for as many. -0 comes before 0. Where
// the key has positions, at are n int64 that go along with the elements, and u is room for them;
// those of equal elements keep their order. done is false if it was stopped: then all of them are
// undefined. sorted is false if it has given up, since some orders would take the square of n: then
// the elements are in some order, in which equal ones keep theirs.
type SortFunc func(n int, x, t unsafe.Pointer, at, u unsafe.Pointer, stop Stop) (sorted, done bool)

// NsPerSorted is about how many nanoseconds an element of a sort takes.
const NsPerSorted = 8

// SortKey names a SortFunc: of elements of a type, or of such with positions.
type SortKey struct {
	In        DType
	Positions bool
}

// A Set is one implementation of the kernels. The methods that make a kernel report false
// where the set has none.
type Set interface {
	// Name is what a profile's type column shows: "Go" or "C".
	Name() string
	// ISA is the instruction set: "go", "base", "avx2", "avx512", "neon".
	ISA() string
	// With is the set whose kernels tell an account of the memory that they take.
	With(Account) Set
	Elemwise(*Program) (ElemwiseFunc, bool)
	Steps(*Program) (StepsFunc, bool)
	Reduce(ReduceKey) (ReduceFunc, bool)
	Gemm(DType) (GemmFunc, bool)
	// Symv is in no Go set: package linalg has it.
	Symv(DType) (SymvFunc, bool)
	Rows(RowsKey) (RowsFunc, bool)
	Correlate(DType) (CorrelateFunc, bool)
	LogSoftmaxAt(DType) (LogSoftmaxAtFunc, bool)
	// Copy and Take move elements of 1, 2, 4 or 8 bytes.
	Copy(size int) (CopyFunc, bool)
	Take(size int) (TakeFunc, bool)
	Put(PutKey) (PutFunc, bool)
	NonZero() NonZeroFunc
	// Sort is there where vectors make it quicker than what package tensor does: in no Go set.
	Sort(SortKey) (SortFunc, bool)
	Convolve(ConvolveKey) (ConvolveFunc, bool)
	Pool(PoolKey) (PoolFunc, bool)
}

// Sets are implementations in order of preference; the last is the Go set, which has every kernel
// but for sorting and Symv.
type Sets []Set

// ISA is the instruction set of the first set of that name; "" if there is none.
func (s Sets) ISA(impl string) string {
	for _, set := range s {
		if set.Name() == impl {
			return set.ISA()
		}
	}
	return ""
}

// pick returns the first kernel that a set of s offers, and the name of that set.
func pick[K, F any](s Sets, key K, find func(Set, K) (F, bool)) (f F, impl string, ok bool) {
	for _, set := range s {
		if f, ok := find(set, key); ok {
			return f, set.Name(), true
		}
	}
	return f, "", false
}

func (s Sets) Elemwise(p *Program) (ElemwiseFunc, string, bool) { return pick(s, p, Set.Elemwise) }
func (s Sets) Steps(p *Program) (StepsFunc, string, bool)       { return pick(s, p, Set.Steps) }
func (s Sets) Reduce(k ReduceKey) (ReduceFunc, string, bool)    { return pick(s, k, Set.Reduce) }
func (s Sets) Gemm(d DType) (GemmFunc, string, bool)            { return pick(s, d, Set.Gemm) }
func (s Sets) Symv(d DType) (SymvFunc, string, bool)            { return pick(s, d, Set.Symv) }
func (s Sets) Rows(k RowsKey) (RowsFunc, string, bool)          { return pick(s, k, Set.Rows) }
func (s Sets) Copy(size int) (CopyFunc, string, bool)           { return pick(s, size, Set.Copy) }
func (s Sets) Take(size int) (TakeFunc, string, bool)           { return pick(s, size, Set.Take) }
func (s Sets) Put(k PutKey) (PutFunc, string, bool)             { return pick(s, k, Set.Put) }

func (s Sets) Sort(k SortKey) (SortFunc, string, bool) { return pick(s, k, Set.Sort) }

func (s Sets) Convolve(k ConvolveKey) (ConvolveFunc, string, bool) {
	return pick(s, k, Set.Convolve)
}

func (s Sets) Pool(k PoolKey) (PoolFunc, string, bool) { return pick(s, k, Set.Pool) }

func (s Sets) LogSoftmaxAt(d DType) (LogSoftmaxAtFunc, string, bool) {
	return pick(s, d, Set.LogSoftmaxAt)
}
