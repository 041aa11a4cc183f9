package kernels

import "unsafe"

// GoSet is the reference implementation of every kernel, in Go.
var GoSet Set = &goSet{}

type goSet struct{ account Account }

func (*goSet) Name() string       { return "Go" }
func (*goSet) ISA() string        { return "go" }
func (*goSet) With(a Account) Set { return &goSet{a} }

func (s *goSet) Elemwise(p *Program) (ElemwiseFunc, bool) {
	if p.Leading > 0 {
		return Leading(p, s, s.account)
	}
	return NewInterpreter(NewPlan(p, goBlock, s.ISA(), s.account)).run, true
}

func (s *goSet) Steps(p *Program) (StepsFunc, bool) {
	run, ok := s.Elemwise(p)
	return StepByStep(run, s.Gemm), ok
}

func (*goSet) Reduce(k ReduceKey) (ReduceFunc, bool) {
	f := reductions[k.Op][k.In]
	return f, f != nil
}

func (s *goSet) Gemm(d DType) (GemmFunc, bool) {
	f := products[d]
	return func(count, m, n, k int, alpha float64, a, b Batch, beta float64, c, d Batch, stop Stop) bool {
		return EachProduct(count, a, b, c, d, stop, func(a, b, c, d Matrix) bool {
			return f(m, n, k, alpha, a, b, beta, c, d, stop, s.account)
		})
	}, f != nil
}

func (*goSet) Symv(DType) (SymvFunc, bool) { return nil, false }

func (*goSet) Rows(k RowsKey) (RowsFunc, bool) {
	f := rows[k.Op][k.In]
	return f, f != nil
}

func (*goSet) Correlate(d DType) (CorrelateFunc, bool) {
	f := correlations[d]
	return f, f != nil
}

func (*goSet) LogSoftmaxAt(d DType) (LogSoftmaxAtFunc, bool) {
	f := logSoftmaxAts[d]
	return f, f != nil
}

func (*goSet) Copy(size int) (CopyFunc, bool) {
	f := movesOf(size).copy
	return f, f != nil
}

func (*goSet) Take(size int) (TakeFunc, bool) {
	f := movesOf(size).take
	return f, f != nil
}

func (*goSet) Put(k PutKey) (PutFunc, bool) {
	f := puts[k.Op][k.In]
	return f, f != nil
}

func (*goSet) NonZero() NonZeroFunc { return nonZero }

func (*goSet) Sort(SortKey) (SortFunc, bool) { return nil, false }

func (s *goSet) Convolve(k ConvolveKey) (ConvolveFunc, bool) {
	if convolutions[k.In] == nil {
		return nil, false
	}
	f := convolutions[k.In](k.Part, k.Unshared)
	return func(g *Convolution, x, w, y unsafe.Pointer, stop Stop) bool {
		return f(g, x, w, y, stop, s.account)
	}, true
}

func (*goSet) Pool(k PoolKey) (PoolFunc, bool) {
	f := pools[k.Part][k.In]
	return f, f != nil
}
