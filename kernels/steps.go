package kernels

import "unsafe"

// A Moving is an operand of a Program that is run step after step: in each step it lies Step bytes
// further on than in the one before, or, if Turn is not nil, in the even steps at Data and in the
// odd ones at Turn.
type Moving struct {
	Operand
	Step int
	Turn unsafe.Pointer
}

// at is where the operand is in step t.
func (m *Moving) at(t int) unsafe.Pointer {
	switch {
	case m.Turn != nil && t%2 == 1:
		return m.Turn
	case m.Turn != nil || m.Data == nil: // what has no elements may have no memory
		return m.Data
	}
	return unsafe.Add(m.Data, t*m.Step)
}

// A Product is one that each step computes before its Program runs, which may read it: d =
// alpha*a·b + beta*c, as a GemmFunc computes one. The strides of a, b and c are those of their rows
// and columns, in bytes. D stays where it is, and overlaps nothing else.
type Product struct {
	DType       DType
	M, N, K     int
	Alpha, Beta float64
	A, B, C     Moving
	D           Matrix
}

// matrix is where the operand is in step t.
func (m *Moving) matrix(t int) Matrix {
	return Matrix{Data: m.at(t), Row: m.Strides[0], Col: m.Strides[1]}
}

// A StepsFunc runs a compiled Program that reduces nothing for a number of steps, each over shape
// and after the products, in their order. A step may read what those before it have written, but
// none of its inputs overlaps one of its own outputs. ends, if not nil, is a Bool that one of the
// outputs sets, over a shape of one element: the step after which it is true is the last. done is
// how many steps there were; whole is false if they were stopped. It owns scratch memory: one call
// at a time.
type StepsFunc func(steps int, shape []int, products []Product, out, in []Moving, ends *uint8, stop Stop) (done int, whole bool)

// StepByStep makes a StepsFunc of the function that does one step, and of those that compute
// products. It is the reference.
func StepByStep(run ElemwiseFunc, gemm func(DType) (GemmFunc, bool)) StepsFunc {
	var out, in []Operand
	var gemms [NumDTypes]GemmFunc
	return func(steps int, shape []int, products []Product, outs, ins []Moving, ends *uint8, stop Stop) (int, bool) {
		for _, p := range products {
			if gemms[p.DType] == nil {
				gemms[p.DType], _ = gemm(p.DType)
			}
		}
		out, in = out[:0], in[:0]
		for k := range outs {
			out = append(out, outs[k].Operand)
		}
		for k := range ins {
			in = append(in, ins[k].Operand)
		}
		defer func() { // the memory is the caller's
			clear(out)
			clear(in)
		}()
		for t := range steps {
			for k := range outs {
				out[k].Data = outs[k].at(t)
			}
			for k := range ins {
				in[k].Data = ins[k].at(t)
			}
			for i := range products {
				p := &products[i]
				if !gemms[p.DType].One(p.M, p.N, p.K, p.Alpha, p.A.matrix(t), p.B.matrix(t), p.Beta, p.C.matrix(t), p.D, stop) {
					return t, false
				}
			}
			if Stopped(stop) || !run(shape, out, in, stop) {
				return t, false
			}
			if ends != nil && *ends != 0 {
				return t + 1, true
			}
		}
		return steps, true
	}
}
