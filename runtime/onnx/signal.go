package onnx

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

const windowedAttrs = "output_datatype:int=1 periodic:int=1"

var _ = add(
	Operator{Name: "HannWindow", Since: []int{17}, Least: 1, Most: 1, Attrs: windowedAttrs, Doc: "0.5 - 0.5 cos(2 pi n / N)", build: cosines(0.5, 0.5)},
	Operator{Name: "HammingWindow", Since: []int{17}, Least: 1, Most: 1, Attrs: windowedAttrs, Doc: "25/46 - 21/46 cos(2 pi n / N)", build: cosines(25.0/46, 21.0/46)},
	Operator{Name: "BlackmanWindow", Since: []int{17}, Least: 1, Most: 1, Attrs: windowedAttrs, Doc: "0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N)", build: cosines(0.42, 0.5, 0.08)},
	Operator{Name: "DFT", Since: []int{17, 20}, Least: 1, Most: 3, Attrs: "axis:int=1 inverse:int=0 onesided:int=0", Doc: "the discrete Fourier transform, as products with its matrix", build: dft},
	Operator{Name: "STFT", Since: []int{17}, Least: 2, Most: 4, Attrs: "onesided:int=1", Doc: "the transforms of frames of a signal", build: stft},
	Operator{Name: "MelWeightMatrix", Since: []int{17}, Least: 5, Most: 5, Attrs: "output_datatype:int=1", Doc: "the triangles that make mel bins of a spectrum", build: melWeights},
)

// cosines is the row of a window of cosines with alternating signs.
func cosines(factors ...float64) func(c *call) []V {
	return func(c *call) []V {
		size := c.cast(c.scalar(0), kernels.Int64)
		d := c.dtype("output_datatype")
		n := c.cast(size, kernels.Float64)
		if !c.flag("periodic") {
			n = c.do(op.Sub, n, 1.0)
		}
		i := c.cast(formula.UpTo(c.b, size), kernels.Float64)
		var w V
		for k, f := range factors {
			if k%2 == 1 {
				f = -f
			}
			if k == 0 {
				w = c.float(n, f)
				continue
			}
			angle := c.do(op.TrueDiv, c.do(op.Mul, i, 2*math.Pi*float64(k)), n)
			w = c.do(op.Add, w, c.do(op.Mul, c.do(op.Cos, angle), f))
		}
		return []V{c.cast(w, d)}
	}
}

// transform is the discrete Fourier transform along the axis before the last one, of parts: real
// numbers, or real and imaginary parts. n is the length of the transform, of which bins are kept.
func (c *call) transform(x V, n, bins int, inverse bool) V {
	axis := x.Rank() - 2
	d := x.DType()
	have := c.length(x, axis)
	if have > n {
		x = c.part(x, axis, 0, n)
	} else if have < n {
		x = c.around(x, axis, c.num(0), c.num(n-have), c.zero(x))
	}
	if n > maxTable/bins {
		c.fail("got a transform of %d elements, which is computed by its matrix: want at most %d", n, maxTable/bins)
	}
	cos, sin := make([]float64, n*bins), make([]float64, n*bins)
	sign, scale := -1.0, 1.0
	if inverse {
		sign, scale = 1, 1/float64(n)
	}
	for i := range n {
		for k := range bins {
			angle := 2 * math.Pi * float64(i*k%n) / float64(n)
			cos[i*bins+k], sin[i*bins+k] = scale*math.Cos(angle), sign*scale*math.Sin(angle)
		}
	}
	matrix := func(list []float64) V { return c.b.Constant(tensor.From(list, n, bins).AsType(d)) }
	wr, wi := matrix(cos), matrix(sin)
	re := formula.At(c.b, x, axis+1, 0)
	real, imaginary := c.matmul(re, wr), c.matmul(re, wi)
	if x.Dim(axis+1) == 2 {
		im := formula.At(c.b, x, axis+1, 1)
		real = c.do(op.Sub, real, c.matmul(im, wi))
		imaginary = c.do(op.Add, imaginary, c.matmul(im, wr))
	}
	return got(formula.Stack(c.b, -1, []V{real, imaginary}))
}

func dft(c *call) []V {
	x := c.x(0)
	axis := c.int("axis")
	if c.version >= 20 {
		if axis = -2; c.has(2) {
			axis = c.staticInt(2)
		}
	}
	if x.Rank() < 2 || x.Dim(x.Rank()-1) != 1 && x.Dim(x.Rank()-1) != 2 {
		c.fail("%s: got %v, want a last axis of length 1 or 2: real and imaginary parts", c.name(0), x.Type)
	}
	axis = c.axis(axis, x.Rank())
	to := x.Rank() - 2
	if axis > to {
		c.fail("attribute axis: got %d, which is the axis of the parts", axis)
	}
	y := got(formula.MoveAxis(c.m, x, []int{axis}, []int{to})).(V)
	n := c.length(x, axis)
	if c.has(1) {
		n = c.staticInt(1)
	}
	if n < 1 {
		c.fail("got a length of %d, want at least 1", n)
	}
	bins := n
	if c.flag("onesided") {
		bins = n/2 + 1
	}
	y = c.transform(y, n, bins, c.flag("inverse"))
	return []V{got(formula.MoveAxis(c.m, y, []int{to}, []int{axis})).(V)}
}

func stft(c *call) []V {
	x := c.x(0)
	if x.Rank() == 2 {
		x = c.permute(x, 0, 1, -1)
	}
	if x.Rank() != 3 {
		c.fail("%s: got %v, want 3 axes: signals, samples, parts", c.name(0), x.Type)
	}
	by := c.staticInt(1)
	window := V(nil)
	n := 0
	if c.has(2) {
		window = c.x(2)
		n = c.length(window, 0)
	}
	if c.has(3) {
		n = c.staticInt(3)
	}
	if n < 1 || by < 1 {
		c.fail("got frames of %d samples, %d apart, want at least 1", n, by)
	}
	total := c.length(x, 1)
	var at []int
	frames := (total-n)/by + 1
	if frames > maxTable/n {
		c.fail("got %d frames of %d samples, want less", frames, n)
	}
	for f := range max(frames, 0) {
		for i := range n {
			at = append(at, f*by+i)
		}
	}
	d := c.dims(x)
	y := c.reshape(c.take(x, c.positions(at), 1), d[0], c.num(max(frames, 0)), c.num(n), d[2])
	if window != nil {
		y = c.do(op.Mul, y, c.permute(window, -1, -1, 0, -1))
	}
	bins := n
	if c.flag("onesided") {
		bins = n/2 + 1
	}
	return []V{c.transform(y, n, bins, false)}
}

// melWeights are triangles whose corners are as far apart in mels: [bins of the spectrum, mel
// bins].
func melWeights(c *call) []V {
	number := func(i int) float64 { return c.staticFloat(i) }
	bins, length, rate := int(number(0)), int(number(1)), number(2)
	if bins < 1 || length < 1 || bins > 1<<16 || length > 1<<24 {
		c.fail("got %d mel bins of a transform of %d, want at least 1", bins, length)
	}
	mel := func(hz float64) float64 { return 2595 * math.Log10(1+hz/700) }
	low, high := mel(number(3)), mel(number(4))
	spectrum := length/2 + 1
	edges := make([]int, bins+2)
	for i := range edges {
		m := low + float64(i)*(high-low)/float64(len(edges))
		hz := 700 * (math.Pow(10, m/2595) - 1)
		edges[i] = int(math.Floor(float64(length+1) * hz / rate))
	}
	if spectrum > maxTable/bins {
		c.fail("got %d mel bins of a transform of %d, want less", bins, length)
	}
	w := make([]float64, spectrum*bins)
	put := func(k, i int, v float64) {
		if k >= 0 && k < spectrum {
			w[k*bins+i] = v
		}
	}
	for i := range bins {
		first, middle, last := edges[i], edges[i+1], edges[i+2]
		if first == middle {
			put(middle, i, 1)
		}
		for k := first; k <= middle && first < middle; k++ {
			put(k, i, float64(k-first)/float64(middle-first))
		}
		for k := middle; k < last; k++ {
			put(k, i, float64(last-k)/float64(last-middle))
		}
	}
	return []V{c.b.Constant(tensor.From(w, spectrum, bins).AsType(c.dtype("output_datatype")))}
}
