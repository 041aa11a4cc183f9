package whatif

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Result is what a change of a function brings.
type Result struct {
	Function string
	Change   string  // as it is written: floatX="float32"
	Place    string  // of the line whose advice it is; "" if it was asked for
	Rule     string  // of that advice
	Inputs   string  // where they are from
	Before   float64 // nanoseconds of a call, as the median of all
	After    float64
	Gain     Gain
	Pairs    int
	Error    Error
	Same     bool    // both are compiled to the same graph
	Expected float64 // what part of the time the advice promised; nan without advice
	Failed   string  // why it was not measured
}

// A Verdict says in a word what came out.
type Verdict string

// The verdicts.
const (
	Faster  Verdict = "faster"
	Slower  Verdict = "slower"
	Noise   Verdict = "noise"         // no difference that can be told from chance
	Differs Verdict = "other results" // whatever the time
	Failed  Verdict = "not measured"
)

// Verdict is that of the result.
func (r *Result) Verdict() Verdict {
	switch {
	case r.Failed != "":
		return Failed
	case !r.Error.Agrees():
		return Differs
	case r.Same || r.Gain.IsNoise():
		return Noise
	case r.Gain.Part > 0:
		return Faster
	}
	return Slower
}

// An Error is how far results are from those before.
type Error struct {
	Absolute float64 // the most that an element changed
	// Relative is Absolute as a part of the largest element of its array. It is inf for an array of
	// another shape, and where one of two elements is nan.
	Relative float64
	Where    string // of the largest relative error
	Narrow   bool   // float32 took part
}

// Tolerances are the relative errors that rounding explains.
const (
	Tolerance       = 1e-6
	NarrowTolerance = 1e-3
)

// Agrees reports whether rounding explains the error.
func (e Error) Agrees() bool { return e.Relative <= e.tolerance() }

func (e Error) tolerance() float64 {
	if e.Narrow {
		return NarrowTolerance
	}
	return Tolerance
}

// Include compares one more result, of that name.
func (e *Error) Include(name string, before, after *tensor.Dense) {
	for _, x := range []*tensor.Dense{before, after} {
		e.Narrow = e.Narrow || x.DType() != kernels.Float64 && x.DType().IsFloat()
	}
	absolute, relative := apart(before, after)
	e.Absolute = max(e.Absolute, absolute)
	if relative > e.Relative || e.Where == "" {
		e.Relative, e.Where = max(e.Relative, relative), name
	}
}

// apart are the largest difference, and what part of the largest element it is.
func apart(before, after *tensor.Dense) (absolute, relative float64) {
	if tensor.ShapeString(before.Shape()) != tensor.ShapeString(after.Shape()) {
		return math.Inf(1), math.Inf(1)
	}
	var largest float64
	x, y := before.Floats(), after.Floats()
	for i := range x {
		d := math.Abs(x[i] - y[i])
		switch {
		case x[i] == y[i], x[i] != x[i] && y[i] != y[i]:
			d = 0
		case d != d:
			d = math.Inf(1)
		}
		absolute = max(absolute, d)
		if !math.IsInf(x[i], 0) && x[i] == x[i] {
			largest = max(largest, math.Abs(x[i]))
		}
	}
	switch {
	case absolute == 0:
		return 0, 0
	case largest == 0: // of what were zeros, as far as 1 is from them
		return absolute, absolute
	}
	return absolute, absolute / largest
}
