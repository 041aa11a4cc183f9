//go:build cgo && !purego

package native

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
	"github.com/arignote/arignote/kernels/parallel"
)

const (
	// flopsPerNs is about what a convolution does in one thread.
	flopsPerNs = 100
	// fewElements of filters: their gradient is added up by groups of images, of which there are
	// maxGroups, since there is little to divide.
	fewElements, maxGroups = 64, 16
)

// Pools of buffers: for panels, for images with their border, and for filters.
var panelBuffers, imageBuffers, filterBuffers sync.Pool

// A convolution is one call of a kernels.ConvolveFunc.
type convolution struct {
	*kernels.Convolution
	fn      ckernels.Func
	copy    kernels.CopyFunc
	size    int // of an element
	x, w, y unsafe.Pointer
	stop    kernels.Stop
	account kernels.Account
}

func (s *set) Convolve(k kernels.ConvolveKey) (kernels.ConvolveFunc, bool) {
	f, ok := s.tables().convolutions[k.In]
	if !ok || k.Unshared {
		return nil, false
	}
	size := k.In.Size()
	copies, ok := s.Copy(size)
	part := [...]func(*convolution) bool{
		kernels.ConvolutionOutput: (*convolution).output, kernels.ConvolutionInput: (*convolution).input, kernels.ConvolutionFilters: (*convolution).filters,
	}[k.Part]
	return func(g *kernels.Convolution, x, w, y unsafe.Pointer, stop kernels.Stop) bool {
		c := &convolution{Convolution: g, fn: f, copy: copies, size: size, x: x, w: w, y: y, stop: stop, account: s.account}
		done := part(c)
		runtime.KeepAlive(c)
		return done
	}, ok
}

// take gets a buffer for so many elements, which give returns.
func (c *convolution) take(pool *sync.Pool, elements int) *[]byte {
	n := elements*c.size + ckernels.ConvBehind
	b, _ := pool.Get().(*[]byte)
	if b == nil || len(*b) < n {
		large := aligned(n)
		b = &large
	}
	c.account.Add(len(*b))
	return b
}

func (c *convolution) give(pool *sync.Pool, b *[]byte) {
	c.account.Add(-len(*b))
	pool.Put(b)
}

func (c *convolution) add(p unsafe.Pointer, elements int) unsafe.Pointer {
	return unsafe.Add(p, elements*c.size)
}

// nanoseconds is about how long the convolution takes one thread.
func (c *convolution) nanoseconds() float64 {
	return 2 * float64(c.N*c.Groups*c.F*c.C) * float64(c.Kh*c.Kw) * float64(c.Ho*c.Wo) * float64(c.size) / 4 / flopsPerNs
}

// A source is images as kernels read them: channels, with a border or cut.
type source struct {
	data       unsafe.Pointer
	images     int
	channels   int
	rows, cols int // of an image as it lies
	high, wide int // of one as it is read
	top, left  int // where the first element of the one that lies is in the one that is read
}

// read is an image as kernels may read it: where it lies or, if it needs a border or nothing
// follows it, in buffer.
func (c *convolution) read(s *source, image int, buffer unsafe.Pointer) unsafe.Pointer {
	lies := c.add(s.data, image*s.channels*s.rows*s.cols)
	left := (s.images - 1 - image) * s.channels * s.rows * s.cols * c.size
	same := s.top == 0 && s.left == 0 && s.high == s.rows && s.wide == s.cols
	if same && left >= ckernels.ConvBehind {
		return lies
	}
	dst := unsafe.Slice((*byte)(buffer), s.channels*s.high*s.wide*c.size)
	src := unsafe.Slice((*byte)(lies), s.channels*s.rows*s.cols*c.size)
	if same {
		copy(dst, src)
		return buffer
	}
	line, from := s.wide*c.size, s.cols*c.size
	first, skip := max(s.left, 0)*c.size, max(-s.left, 0)*c.size
	n := min(from-skip, line-first)
	for ch := range s.channels {
		for i := range s.high {
			z := dst[(ch*s.high+i)*line:][:line]
			at := i - s.top
			if at < 0 || at >= s.rows || n <= 0 {
				clear(z)
				continue
			}
			clear(z[:first])
			copy(z[first:first+n], src[(ch*s.rows+at)*from+skip:])
			clear(z[first+n:])
		}
	}
	return buffer
}

func (s *source) size() int { return s.channels * s.high * s.wide }

// images are x, with as much of their border as filters meet.
func (c *convolution) images() *source {
	s := &source{data: c.x, images: c.N * c.Groups, channels: c.C, rows: c.H, cols: c.W, high: c.H, wide: c.W, top: c.Top, left: c.Left}
	if high, wide := c.Bordered(); c.Top != 0 || c.Left != 0 || high > c.H || wide > c.W {
		s.high, s.wide = high, wide
	}
	return s
}

// offsets are where the elements of a filter, channel by channel, meet an image at the first place.
func (c *convolution) offsets(s *source) []int64 {
	var off []int64
	for ch := range c.C {
		for p := range c.Kh {
			for q := range c.Kw {
				row, col := c.Tap(p, q)
				off = append(off, int64((ch*s.high+row)*s.wide+col))
			}
		}
	}
	return off
}

// A correlation is filters at places of images: for each image, dst[F, rows, cols] = w[F, len(off)]
// · what they meet.
type correlation struct {
	from             *source
	w                unsafe.Pointer // of the groups, one after the other
	filters          int            // of a group
	off              []int64
	rows, cols       int
	rowStep, colStep int
	dst              func(image int) (at unsafe.Pointer, done func())
}

// correlate does all images. How it is divided changes no element.
func (c *convolution) correlate(r *correlation) bool {
	rows, cols := r.rows, r.cols
	if cols*r.colStep == r.rowStep {
		rows, cols = 1, rows*cols // one after the other
	}
	k := len(r.off)
	padded := (r.filters + ckernels.ConvRows - 1) / ckernels.ConvRows * ckernels.ConvRows
	packed := c.take(&filterBuffers, c.Groups*padded*k)
	defer c.give(&filterBuffers, packed)
	weights := unsafe.Pointer(&(*packed)[0])
	args := ckernels.ConvArgs{M: int64(r.filters), K: int64(k), Stop: address(unsafe.Pointer(c.stop))}
	for group := range c.Groups {
		pack := args
		pack.A, pack.D = address(c.add(r.w, group*r.filters*k)), address(c.add(weights, group*padded*k))
		ckernels.Conv(c.fn, &pack)
	}
	args.Part, args.Rows, args.Cols, args.XRow, args.XCol = ckernels.ConvPlaces, int64(rows), int64(cols), int64(r.rowStep), int64(r.colStep)
	args.DRow, args.Off = int64(r.rows*r.cols), address(unsafe.Pointer(&r.off[0]))
	images := c.N * c.Groups
	per := max(1, images/64)
	done := kernels.InChunks(ceil(images, per), c.nanoseconds(), c.stop, func(i int) bool {
		panel, room := c.take(&panelBuffers, ckernels.ConvPanel), c.take(&imageBuffers, r.from.size())
		defer c.give(&panelBuffers, panel)
		defer c.give(&imageBuffers, room)
		for image := i * per; image < min((i+1)*per, images); image++ {
			a := args
			d, end := r.dst(image)
			a.A, a.X = address(c.add(weights, image%c.Groups*padded*k)), address(c.read(r.from, image, unsafe.Pointer(&(*room)[0])))
			a.D, a.Panel = address(d), start(panel)
			if !ckernels.Conv(c.fn, &a) {
				return false
			}
			end()
		}
		return true
	})
	runtime.KeepAlive(r)
	return done
}

func (c *convolution) output() bool {
	n := c.F * c.Ho * c.Wo
	if c.C*c.Kh*c.Kw == 0 {
		clear(unsafe.Slice((*byte)(c.y), c.N*c.Groups*n*c.size))
		return true
	}
	from := c.images()
	return c.correlate(&correlation{from: from, w: c.w, filters: c.F, off: c.offsets(from), rows: c.Ho, cols: c.Wo,
		rowStep: c.Stride[0] * from.wide, colStep: c.Stride[1],
		dst: func(image int) (unsafe.Pointer, func()) { return c.add(c.y, image*n), func() {} }})
}

// An axis of the gradient of images: the elements whose number leaves a rest when it is divided by
// the stride meet the same elements of filters, which make a convolution without a stride.
type phase struct {
	n     int   // elements
	taps  []int // of filters, where they lie
	reach []int // and the place of the output that each meets at the first element
}

func (c *convolution) phase(axis, rest int) phase {
	length, taps, before := c.H, c.Kh, c.Top
	if axis == 1 {
		length, taps, before = c.W, c.Kw, c.Left
	}
	p := phase{n: max(0, ceil(length-rest, c.Stride[axis]))}
	for t := range taps {
		row, col := c.Tap(t, t)
		at := rest + before - [2]int{row, col}[axis]
		if at%c.Stride[axis] == 0 {
			p.taps, p.reach = append(p.taps, t), append(p.reach, at/c.Stride[axis])
		}
	}
	return p
}

// span widens a range of places of the output by those that any element meets.
func (p phase) span(low, high int) (int, int) {
	for _, r := range p.reach {
		low, high = min(low, r), max(high, r+p.n)
	}
	return low, high
}

// input computes the gradient of x phase by phase, each a correlation of y with filters whose axes
// are exchanged.
func (c *convolution) input() bool {
	sh, sw := c.Stride[0], c.Stride[1]
	whole := sh == 1 && sw == 1
	if !whole || c.F*c.Kh*c.Kw == 0 {
		clear(unsafe.Slice((*byte)(c.x), c.N*c.Groups*c.C*c.H*c.W*c.size))
	}
	for i := range min(sh, c.H) {
		for j := range min(sw, c.W) {
			rows, cols := c.phase(0, i), c.phase(1, j)
			if c.F*len(rows.taps)*len(cols.taps) > 0 && !c.inputPhase(rows, cols, i, j, whole) {
				return false
			}
		}
	}
	return true
}

func (c *convolution) inputPhase(rows, cols phase, i, j int, whole bool) bool {
	top, bottom := rows.span(0, c.Ho)
	left, right := cols.span(0, c.Wo)
	from := &source{data: c.y, images: c.N * c.Groups, channels: c.F, rows: c.Ho, cols: c.Wo, high: bottom - top, wide: right - left, top: -top, left: -left}
	taps := len(rows.taps) * len(cols.taps)
	exchanged := c.take(&filterBuffers, c.Groups*c.C*c.F*taps)
	defer c.give(&filterBuffers, exchanged)
	w := unsafe.Pointer(&(*exchanged)[0])
	var off []int64
	for f := range c.F {
		for p := range rows.taps {
			for q := range cols.taps {
				off = append(off, int64((f*from.high+rows.reach[p]-top)*from.wide+cols.reach[q]-left))
			}
		}
	}
	area, size := c.Kh*c.Kw, c.size
	for p, row := range rows.taps {
		for q, col := range cols.taps {
			at := p*len(cols.taps) + q
			dst := kernels.Operand{Data: c.add(w, at), Strides: []int{c.C * c.F * taps * size, c.F * taps * size, taps * size}}
			src := kernels.Operand{Data: c.add(c.w, row*c.Kw+col), Strides: []int{c.F * c.C * area * size, area * size, c.C * area * size}}
			if !c.copy([]int{c.Groups, c.C, c.F}, dst, src, c.stop) {
				return false
			}
		}
	}
	n := c.C * rows.n * cols.n
	r := &correlation{from: from, w: w, filters: c.C, off: off, rows: rows.n, cols: cols.n, rowStep: from.wide, colStep: 1}
	r.dst = func(image int) (unsafe.Pointer, func()) { return c.add(c.x, image*n), func() {} }
	if !whole {
		r.dst = func(image int) (unsafe.Pointer, func()) {
			part := c.take(&imageBuffers, n)
			at := unsafe.Pointer(&(*part)[0])
			return at, func() {
				to := kernels.Operand{Data: c.add(c.x, image*c.C*c.H*c.W+i*c.W+j), Strides: []int{c.H * c.W * size, c.Stride[0] * c.W * size, c.Stride[1] * size}}
				c.copy([]int{c.C, rows.n, cols.n}, to, kernels.Operand{Data: at, Strides: []int{rows.n * cols.n * size, cols.n * size, size}}, nil)
				c.give(&imageBuffers, part)
			}
		}
	}
	return c.correlate(r)
}

// filters adds up over all images, in order: elements of filters are divided among threads, or few
// of them are added up by groups of images, which do not depend on the threads.
func (c *convolution) filters() bool {
	from := c.images()
	off := c.offsets(from)
	k, places := len(off), c.Ho*c.Wo
	bytes := c.Groups * c.F * k * c.size
	if k == 0 || c.F == 0 || c.N*places == 0 {
		clear(unsafe.Slice((*byte)(c.w), bytes))
		return true
	}
	padded := ceil(c.F, ckernels.ConvLanes) * ckernels.ConvLanes
	sums, parts := 1, 1
	if k < fewElements {
		sums = min(c.N, maxGroups)
	} else if parallel.Worth(c.nanoseconds()) {
		parts = min(2*parallel.Threads(), ceil(k, fewElements/2))
	}
	per, each := ceil(c.N, sums), ceil(k, parts)
	area := c.Groups * k * padded
	buffer := c.take(&filterBuffers, sums*area)
	defer c.give(&filterBuffers, buffer)
	partial := unsafe.Pointer(&(*buffer)[0])
	clear((*buffer)[:sums*area*c.size])
	done := kernels.InChunks(sums*parts*c.Groups, c.nanoseconds(), c.stop, func(i int) bool {
		group, rest := i%c.Groups, i/c.Groups
		sum, first := rest/parts, rest%parts*each
		count := min(each, k-first)
		if count <= 0 {
			return true
		}
		panel, room := c.take(&panelBuffers, (128+2*c.Wo)*3*ckernels.ConvLanes), c.take(&imageBuffers, from.size())
		defer c.give(&panelBuffers, panel)
		defer c.give(&imageBuffers, room)
		a := ckernels.ConvArgs{Part: ckernels.ConvFilters, M: int64(c.F), K: int64(count), Rows: int64(c.Ho), Cols: int64(c.Wo),
			XRow: int64(c.Stride[0] * from.wide), XCol: int64(c.Stride[1]), DRow: int64(padded), Off: address(unsafe.Pointer(&off[first])),
			D: address(c.add(partial, sum*area+(group*k+first)*padded)), Panel: start(panel), Stop: address(unsafe.Pointer(c.stop))}
		for n := sum * per; n < min((sum+1)*per, c.N); n++ {
			image := n*c.Groups + group
			a.A, a.X = address(c.add(c.y, image*c.F*places)), address(c.read(from, image, unsafe.Pointer(&(*room)[0])))
			if !ckernels.Conv(c.fn, &a) {
				return false
			}
		}
		return true
	})
	runtime.KeepAlive(off)
	if !done {
		return false
	}
	for sum := 1; sum < sums; sum++ {
		c.plus(partial, c.add(partial, sum*area), area)
	}
	size := c.size
	return c.copy([]int{c.Groups, c.F, k}, kernels.Operand{Data: c.w, Strides: []int{c.F * k * size, k * size, size}},
		kernels.Operand{Data: partial, Strides: []int{k * padded * size, size, padded * size}}, c.stop)
}

// plus adds n elements of x to z.
func (c *convolution) plus(z, x unsafe.Pointer, n int) {
	if c.size == 4 {
		sum(unsafe.Slice((*float32)(z), n), unsafe.Slice((*float32)(x), n))
	} else {
		sum(unsafe.Slice((*float64)(z), n), unsafe.Slice((*float64)(x), n))
	}
}

func sum[T float32 | float64](z, x []T) {
	for i, v := range x {
		z[i] += v
	}
}

// poolNs is about what a place or an element of an image costs a pooling.
const poolNs = 0.5

func (s *set) Pool(k kernels.PoolKey) (kernels.PoolFunc, bool) {
	f, ok := s.tables().pools[k.In]
	size := k.In.Size()
	return func(g *kernels.Pooling, dst, a, b, c unsafe.Pointer, stop kernels.Stop) bool {
		wide := func(p [2]int) [2]int64 { return [2]int64{int64(p[0]), int64(p[1])} }
		image, places := g.H*g.W*size, g.Ho*g.Wo*size
		strides := [...][4]int{ // of dst, a, b and c
			kernels.PoolMax: {places, image, 0, 0}, kernels.PoolAdd: {places, image, 0, 0}, kernels.PoolSpread: {image, places, 0, 0},
			kernels.PoolMaxGrad: {image, image, places, places}, kernels.PoolMaxGather: {places, image, places, image},
		}[k.Part]
		per := max(1, (1<<16)/max(1, image+places))
		done := kernels.InChunks(ceil(g.Images, per), poolNs*float64(g.Images*(g.H*g.W+g.Ho*g.Wo)), stop, func(i int) bool {
			n := i * per
			args := ckernels.PoolArgs{Part: int64(k.Part), Count: int64(g.Count), Images: int64(min(per, g.Images-n)), H: int64(g.H), W: int64(g.W),
				Ho: int64(g.Ho), Wo: int64(g.Wo), Window: wide(g.Window), Stride: wide(g.Stride), Pad: wide(g.Pad),
				Dst: address(unsafe.Add(dst, n*strides[0])), A: address(unsafe.Add(a, n*strides[1])), B: address(unsafe.Add(b, n*strides[2])),
				C: address(unsafe.Add(c, n*strides[3])), Stop: address(unsafe.Pointer(stop))}
			return ckernels.Pool(f, &args)
		})
		runtime.KeepAlive(dst)
		runtime.KeepAlive(a)
		runtime.KeepAlive(b)
		runtime.KeepAlive(c)
		return done
	}, ok
}
