package kernels

// GoSet is the reference implementation of every kernel, in Go.
var GoSet Set = goSet{}

type goSet struct{}

func (goSet) Name() string { return "Go" }
func (goSet) ISA() string  { return "go" }

func (goSet) Elemwise(p *Program) (ElemwiseFunc, bool) {
	return NewInterpreter(NewPlan(p, goBlock)).run, true
}

func (goSet) Reduce(k ReduceKey) (ReduceFunc, bool) {
	f := reductions[k.Op][k.In]
	return f, f != nil
}

func (goSet) Gemm(d DType) (GemmFunc, bool) {
	f := products[d]
	return f, f != nil
}

func (goSet) Rows(k RowsKey) (RowsFunc, bool) {
	f := rows[k.Op][k.In]
	return f, f != nil
}

func (goSet) Crossentropy(d DType) (CrossentropyFunc, bool) {
	f := crossentropies[d]
	return f, f != nil
}

func (goSet) CrossentropyGrad(d DType) (CrossentropyGradFunc, bool) {
	f := crossentropyGrads[d]
	return f, f != nil
}

func (goSet) Copy(size int) (CopyFunc, bool) {
	f := movesOf(size).copy
	return f, f != nil
}

func (goSet) Take(size int) (TakeFunc, bool) {
	f := movesOf(size).take
	return f, f != nil
}

func (goSet) Put(k PutKey) (PutFunc, bool) {
	f := puts[k.Op][k.In]
	return f, f != nil
}
