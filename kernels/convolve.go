package kernels

import "unsafe"

// A Convolution is the geometry of one in two dimensions, of C-contiguous arrays:
//
//	x: [N, Groups*C, H, W]    w: [Groups*F, C, Kh, Kw]    y: [Groups*F of N, Ho, Wo], that is [N, Groups*F, Ho, Wo]
//	y[n, f, i, j] = sum over c, p, q of w[f, c, p, q] * x[n, c, i*Stride[0] + r*Dilation[0] - Top, j*Stride[1] + s*Dilation[1] - Left]
//
// where r = p and s = q or, with Flip, r = Kh-1-p and s = Kw-1-q; f meets the channels c of its
// group alone. Outside of the image x is 0, which is multiplied like other elements. An unshared
// convolution has filters of their own for each place: w: [Groups*F, Ho, Wo, C, Kh, Kw].
type Convolution struct {
	N, Groups, C, F, H, W, Kh, Kw, Ho, Wo int
	Stride, Dilation                      [2]int
	Top, Left                             int // the border before the image
	Flip, Unshared                        bool
}

// A ConvolutionPart is which of the three arrays of a convolution is computed from the other two.
type ConvolutionPart uint8

const (
	ConvolutionOutput  ConvolutionPart = iota // y, from x and w
	ConvolutionInput                          // the gradient of x, from w and the gradient of y
	ConvolutionFilters                        // the gradient of w, from x and the gradient of y
)

// ConvolveKey names a kernel, for float32 and float64.
type ConvolveKey struct {
	Part     ConvolutionPart
	In       DType
	Unshared bool
}

// A ConvolveFunc computes one of x, w and y, which Part of its key names, and reads the other two.
// The gradient of x is
//
//	x[n, c, h, v] = sum over f, and over p, q for which i and j below are integers, of w[f, c, p, q] * y[n, f, i, j]
//	i = (h + Top - r*Dilation[0]) / Stride[0]    j = (v + Left - s*Dilation[1]) / Stride[1]
//
// with y = 0 outside, which is multiplied too (of an unshared convolution it is left out: no filter
// belongs to it); that of w is the sum of y times x over all images and places. The arrays overlap
// nowhere.
type ConvolveFunc func(g *Convolution, x, w, y unsafe.Pointer, stop Stop) bool

// Tap is the row and column of the border's corner that element (p, q) of a filter meets at the
// first place.
func (g *Convolution) Tap(p, q int) (row, col int) {
	if g.Flip {
		p, q = g.Kh-1-p, g.Kw-1-q
	}
	return p * g.Dilation[0], q * g.Dilation[1]
}

// Bordered is the size of an image with as much of its border as filters meet.
func (g *Convolution) Bordered() (rows, cols int) {
	return (g.Ho-1)*g.Stride[0] + (g.Kh-1)*g.Dilation[0] + 1, (g.Wo-1)*g.Stride[1] + (g.Kw-1)*g.Dilation[1] + 1
}

var convolutions = [NumDTypes]func(part ConvolutionPart, unshared bool) countedConvolve{
	Float32: convolve[float32], Float64: convolve[float64],
}

// A countedConvolve is a ConvolveFunc that tells of the copies it makes.
type countedConvolve func(g *Convolution, x, w, y unsafe.Pointer, stop Stop, account Account) bool

func convolve[T float](part ConvolutionPart, unshared bool) countedConvolve {
	loops := [...]func(*convolver[T]) bool{ConvolutionOutput: (*convolver[T]).output, ConvolutionInput: (*convolver[T]).input,
		ConvolutionFilters: (*convolver[T]).filters}[part]
	if unshared {
		loops = func(c *convolver[T]) bool { return c.unshared(part) }
	}
	return func(g *Convolution, x, w, y unsafe.Pointer, stop Stop, account Account) bool {
		places := 1
		if unshared {
			places = g.Ho * g.Wo
		}
		c := &convolver[T]{Convolution: g, stop: stop, copies: loan{account: account},
			x: vec[T](x, g.N*g.Groups*g.C*g.H*g.W), w: vec[T](w, g.Groups*g.F*places*g.C*g.Kh*g.Kw), y: vec[T](y, g.N*g.Groups*g.F*g.Ho*g.Wo)}
		defer c.copies.end()
		return loops(c)
	}
}

// convolver is one run of the loops.
type convolver[T float] struct {
	*Convolution
	x, w, y []T
	stop    Stop
	copies  loan
}

// bordered copies the channels of one image and group, with the border that filters meet.
func (c *convolver[T]) bordered(dst []T, image int) {
	rows, cols := c.Bordered()
	clear(dst)
	for ch := range c.C {
		for i := max(c.Top, 0); i < min(rows, c.Top+c.H); i++ {
			from := c.x[((image*c.C+ch)*c.H+i-c.Top)*c.W:][:c.W]
			if n := min(cols-c.Left, c.W); n > 0 {
				copy(dst[(ch*rows+i)*cols+c.Left:], from[:n])
			}
		}
	}
}

func (c *convolver[T]) scratch(n int) []T {
	c.copies.take(n * int(unsafe.Sizeof(T(0))))
	return make([]T, n)
}

// patches calls f for each row of places of each filter element: y is the row, x what the element
// meets there, every Stride[1]-th element of it.
func (c *convolver[T]) patches(before func(image, filter int), f func(weight int, y, x []T)) bool {
	rows, cols := c.Bordered()
	padded := c.scratch(c.C * rows * cols)
	for image := range c.N * c.Groups {
		c.bordered(padded, image)
		for k := range c.F {
			filter := image%c.Groups*c.F + k
			before(image, k)
			for ch := range c.C {
				for p := range c.Kh {
					for q := range c.Kw {
						r, s := c.Tap(p, q)
						for i := range c.Ho {
							f(((filter*c.C+ch)*c.Kh+p)*c.Kw+q, c.y[((image*c.F+k)*c.Ho+i)*c.Wo:][:c.Wo], padded[(ch*rows+i*c.Stride[0]+r)*cols+s:])
						}
					}
				}
			}
			if Stopped(c.stop) {
				return false
			}
		}
	}
	return true
}

func (c *convolver[T]) output() bool {
	if c.C*c.Kh*c.Kw == 0 {
		clear(c.y)
		return true
	}
	return c.patches(func(image, k int) { clear(c.y[(image*c.F+k)*c.Ho*c.Wo:][:c.Ho*c.Wo]) }, func(weight int, y, x []T) {
		w := c.w[weight]
		for j := range y {
			y[j] += T(w * x[j*c.Stride[1]])
		}
	})
}

func (c *convolver[T]) filters() bool {
	clear(c.w)
	return c.patches(func(int, int) {}, func(weight int, y, x []T) {
		var s T
		for j, v := range y {
			s += T(v * x[j*c.Stride[1]])
		}
		c.w[weight] += s
	})
}

// input looks up, for each element of x, the elements of y that it was used for. row and col are
// the y of the first element of x that a filter element may meet: what lies before is cut off y's
// border.
func (c *convolver[T]) input() bool {
	clear(c.x)
	sh, sw := c.Stride[0], c.Stride[1]
	low := func(border, taps, dilation, stride int) int { return quotient(border-(taps-1)*dilation, stride) }
	row, col := low(c.Top, c.Kh, c.Dilation[0], sh), low(c.Left, c.Kw, c.Dilation[1], sw)
	rows, cols := quotient(c.H-1+c.Top, sh)-row+1, quotient(c.W-1+c.Left, sw)-col+1
	if len(c.x) == 0 || c.F*c.Kh*c.Kw == 0 {
		return true
	}
	padded := c.scratch(rows * cols)
	for image := range c.N * c.Groups {
		for k := range c.F {
			clear(padded)
			for i := max(row, 0); i < min(rows+row, c.Ho); i++ {
				for j := max(col, 0); j < min(cols+col, c.Wo); j++ {
					padded[(i-row)*cols+j-col] = c.y[((image*c.F+k)*c.Ho+i)*c.Wo+j]
				}
			}
			for ch := range c.C {
				for p := range c.Kh {
					for q := range c.Kw {
						r, s := c.Tap(p, q)
						w := c.w[(((image%c.Groups*c.F+k)*c.C+ch)*c.Kh+p)*c.Kw+q]
						for h := modulo(r-c.Top, sh); h < c.H; h += sh {
							x := c.x[((image*c.C+ch)*c.H+h)*c.W:][:c.W]
							first := modulo(s-c.Left, sw)
							y := padded[((h+c.Top-r)/sh-row)*cols+(first+c.Left-s)/sw-col:]
							for v, at := first, 0; v < c.W; v, at = v+sw, at+1 {
								x[v] += T(w * y[at])
							}
						}
					}
				}
			}
			if Stopped(c.stop) {
				return false
			}
		}
	}
	return true
}

// quotient is the quotient of a and b > 0, rounded down.
func quotient(a, b int) int { return (a - modulo(a, b)) / b }

// modulo is the remainder of a and b > 0 that is not negative.
func modulo(a, b int) int { return (a%b + b) % b }

// unshared does all parts of an unshared convolution.
func (c *convolver[T]) unshared(part ConvolutionPart) bool {
	clear([...][]T{c.y, c.x, c.w}[part])
	for image := range c.N * c.Groups {
		for k := range c.F {
			for place := range c.Ho * c.Wo {
				y := &c.y[(image*c.F+k)*c.Ho*c.Wo+place]
				for ch := range c.C {
					for at := range c.Kh * c.Kw {
						w := &c.w[(((image%c.Groups*c.F+k)*c.Ho*c.Wo+place)*c.C+ch)*c.Kh*c.Kw+at]
						r, s := c.Tap(at/c.Kw, at%c.Kw)
						h, v := place/c.Wo*c.Stride[0]+r-c.Top, place%c.Wo*c.Stride[1]+s-c.Left
						outside := T(0)
						x := &outside
						if h >= 0 && h < c.H && v >= 0 && v < c.W {
							x = &c.x[((image*c.C+ch)*c.H+h)*c.W+v]
						}
						switch part {
						case ConvolutionOutput:
							*y += T(*w * *x)
						case ConvolutionInput:
							*x += T(*w * *y)
						case ConvolutionFilters:
							*w += T(*y * *x)
						}
					}
				}
			}
			if Stopped(c.stop) {
				return false
			}
		}
	}
	return true
}
