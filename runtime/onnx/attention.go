package onnx

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
)

var _ = add(
	Operator{Name: "Attention", Since: []int{23}, Least: 3, Most: 6,
		Attrs: "is_causal:int=0 kv_num_heads:int q_num_heads:int qk_matmul_output_mode:int=0 scale:float softcap:float=0 softmax_precision:int",
		Doc:   "softmax(Q K' + mask) V by heads, with keys and values of before", build: attention},
	Operator{Name: "RotaryEmbedding", Since: []int{23}, Least: 3, Most: 4, Attrs: "interleaved:int=0 num_heads:int=0 rotary_embedding_dim:int=0", Doc: "pairs of elements turned by the angle of their position", build: rotaryEmbedding},
)

// heads is x: [batch, steps, heads * size] as [batch, heads, steps, size].
func (c *call) heads(x V, n int) V {
	c.positive("num_heads", n)
	d := c.dims(x)
	return c.permute(c.reshape(x, d[0], d[1], c.num(n), c.over(d[2], n)), 0, 2, 1, 3)
}

// merged is heads undone.
func (c *call) merged(x V) V {
	d := c.dims(x)
	return c.reshape(c.permute(x, 0, 2, 1, 3), d[0], d[2], c.do(op.Mul, d[1], d[3]))
}

func attention(c *call) []V {
	q, k, v := c.x(0), c.x(1), c.x(2)
	flat := q.Rank() == 3
	if flat {
		q = c.heads(q, c.int("q_num_heads"))
		k, v = c.heads(k, c.int("kv_num_heads")), c.heads(v, c.int("kv_num_heads"))
	}
	if q.Rank() != 4 || k.Rank() != 4 || v.Rank() != 4 {
		c.fail("got %v, %v and %v, want 3 or 4 axes each", c.x(0).Type, c.x(1).Type, c.x(2).Type)
	}
	if c.has(4) {
		k = c.join(2, c.x(4), k)
	}
	if c.has(5) {
		v = c.join(2, c.x(5), v)
	}
	presentK, presentV := k, v
	if n, of := c.length(q, 1), c.length(k, 1); n != of { // heads of queries share those of keys
		if of == 0 || n%of != 0 {
			c.fail("got %d heads of queries for %d of keys", n, of)
		}
		times := c.num(n / of)
		k, v = got(formula.Repeat(c.b, k, times, new(1))), got(formula.Repeat(c.b, v, times, new(1)))
	}
	scale := 0.0
	if c.hasAttr("scale") {
		scale = c.number("scale")
	} else {
		scale = 1 / math.Sqrt(float64(c.length(q, 3)))
	}
	scores := c.matmul(c.scaled(q, math.Sqrt(scale)), c.permute(c.scaled(k, math.Sqrt(scale)), 0, 1, 3, 2))
	seen := []V{scores, nil, nil, nil}
	none := c.float(scores, math.Inf(-1))
	if c.has(3) {
		if mask := c.x(3); mask.DType().IsBool() {
			scores = c.do(op.Switch, mask, scores, none)
		} else {
			scores = c.do(op.Add, scores, mask)
		}
	}
	if c.flag("is_causal") {
		d := c.dims(scores)
		row, column := c.spread(formula.UpTo(c.b, d[2]), 2, 4), c.spread(formula.UpTo(c.b, d[3]), 3, 4)
		scores = c.do(op.Switch, c.do(op.Le, column, row), scores, none)
	}
	seen[1] = scores
	if bound := c.number("softcap"); bound > 0 {
		scores = c.do(op.Mul, c.do(op.Tanh, c.do(op.TrueDiv, scores, bound)), bound)
	}
	seen[2] = scores
	p := got(formula.Softmax(c.b, scores, new(3), false))
	seen[3] = p
	y := c.matmul(p, v)
	if flat {
		y = c.merged(y)
	}
	mode := c.int("qk_matmul_output_mode")
	if mode < 0 || mode >= len(seen) {
		c.fail("attribute qk_matmul_output_mode: got %d, want 0 to 3", mode)
	}
	return []V{y, presentK, presentV, seen[mode]}
}

func rotaryEmbedding(c *call) []V {
	x := c.x(0)
	flat := x.Rank() == 3
	if flat {
		x = c.heads(x, c.int("num_heads"))
	}
	if x.Rank() != 4 {
		c.fail("%s: got %v, want 3 or 4 axes", c.name(0), c.x(0).Type)
	}
	size := c.length(x, 3)
	n := c.int("rotary_embedding_dim")
	if n == 0 {
		n = size
	}
	if n < 0 || n > size || n%2 != 0 {
		c.fail("attribute rotary_embedding_dim: got %d, want an even number up to %d", n, size)
	}
	angle := func(i int) V { // [batch, 1, steps, n/2]
		v := c.x(i)
		if c.has(3) {
			v = c.take(v, c.cast(c.x(3), kernels.Int64), 0)
		}
		return c.permute(v, 0, -1, 1, 2)
	}
	cos, sin := angle(1), angle(2)
	var first, second V
	if c.flag("interleaved") {
		first, second = c.slice(x, 3, c.num(0), c.num(n), c.num(2)), c.slice(x, 3, c.num(1), c.num(n), c.num(2))
	} else {
		first, second = c.part(x, 3, 0, n/2), c.part(x, 3, n/2, n)
	}
	real := c.do(op.Sub, c.do(op.Mul, cos, first), c.do(op.Mul, sin, second))
	imaginary := c.do(op.Add, c.do(op.Mul, sin, first), c.do(op.Mul, cos, second))
	var y V
	if c.flag("interleaved") {
		d := c.dims(x)
		y = c.reshape(got(formula.Stack(c.b, 4, []V{real, imaginary})), d[0], d[1], d[2], c.num(n))
	} else {
		y = c.join(3, real, imaginary)
	}
	if n < size {
		y = c.join(3, y, c.part(x, 3, n, size))
	}
	if flat {
		y = c.merged(y)
	}
	return []V{y}
}
