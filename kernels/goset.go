package kernels

// GoSet is the reference implementation of every kernel, in Go.
var GoSet Set = &goSet{}

type goSet struct{ account Account }

func (*goSet) Name() string       { return "Go" }
func (*goSet) ISA() string        { return "go" }
func (*goSet) With(a Account) Set { return &goSet{a} }

func (s *goSet) Elemwise(p *Program) (ElemwiseFunc, bool) {
	return NewInterpreter(NewPlan(p, goBlock, s.ISA(), s.account)).run, true
}

func (*goSet) Reduce(k ReduceKey) (ReduceFunc, bool) {
	f := reductions[k.Op][k.In]
	return f, f != nil
}

func (s *goSet) Gemm(d DType) (GemmFunc, bool) {
	f := products[d]
	return func(m, n, k int, alpha float64, a, b Matrix, beta float64, c, d Matrix, stop Stop) bool {
		return f(m, n, k, alpha, a, b, beta, c, d, stop, s.account)
	}, f != nil
}

func (*goSet) Rows(k RowsKey) (RowsFunc, bool) {
	f := rows[k.Op][k.In]
	return f, f != nil
}

func (*goSet) Crossentropy(d DType) (CrossentropyFunc, bool) {
	f := crossentropies[d]
	return f, f != nil
}

func (*goSet) CrossentropyGrad(d DType) (CrossentropyGradFunc, bool) {
	f := crossentropyGrads[d]
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
