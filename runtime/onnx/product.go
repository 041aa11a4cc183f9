package onnx

import (
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
)

var _ = add(
	Operator{Name: "MatMul", Since: []int{1, 9, 13}, Least: 2, Most: 2, Doc: "the product of matrices, for each place of the axes before", build: func(c *call) []V {
		return []V{c.matmul(c.x(0), c.x(1))}
	}},
	Operator{Name: "Gemm", Since: []int{1, 6, 7, 9, 11, 13}, Least: 2, Most: 3, Attrs: "alpha:float=1 beta:float=1 transA:int=0 transB:int=0 broadcast:int=0", Doc: "alpha * A B + beta * C", build: gemm},
	Operator{Name: "Det", Since: []int{11, 22}, Least: 1, Most: 1, Doc: "the determinant of matrices", build: func(c *call) []V {
		return []V{c.like(0, c.b.Apply(op.Det{}, c.x(0)))}
	}},
	Operator{Name: "Einsum", Since: []int{12}, Least: 1, Most: -1, Attrs: "equation:string", Doc: "products and sums by letters of axes", build: einsum},
)

// matmul is the product in x's element type: of integers by way of float64, in which they are exact
// up to 2**53.
func (c *call) matmul(x, y V) V {
	d := x.DType()
	if !d.IsFloat() {
		return c.cast(c.matmul(c.cast(x, kernels.Float64), c.cast(y, kernels.Float64)), d)
	}
	if x.Rank() <= 2 && y.Rank() <= 2 && x.Rank() > 0 && y.Rank() > 0 {
		return c.b.Apply(op.Dot{}, x, y)
	}
	return got(formula.Matmul(c.m, x, y)).(V)
}

func gemm(c *call) []V {
	x, y := c.x(0), c.x(1)
	if x.Rank() != 2 || y.Rank() != 2 {
		c.fail("got %v and %v, want matrices", x.Type, y.Type)
	}
	if c.flag("transA") {
		x = op.Transpose(c.b, x)
	}
	if c.flag("transB") {
		y = op.Transpose(c.b, y)
	}
	z := c.matmul(x, y)
	if alpha := c.number("alpha"); alpha != 1 {
		z = c.scaled(z, alpha)
	}
	if c.has(2) {
		add := c.x(2)
		if beta := c.number("beta"); beta != 1 {
			add = c.scaled(add, beta)
		}
		z = c.do(op.Add, z, add)
	}
	return []V{c.like(0, z)}
}

// scaled is x times a number, in x's element type.
func (c *call) scaled(x V, factor float64) V { return c.do(op.Mul, x, c.float(x, factor)) }

// einsum has letters for axes, "..." for those that are not named.
func einsum(c *call) []V {
	equation := strings.ReplaceAll(c.text("equation"), " ", "")
	left, right, explicit := strings.Cut(equation, "->")
	terms := strings.Split(left, ",")
	if len(terms) != len(c.in) {
		c.fail("attribute equation: got %d terms in %q, want %d", len(terms), equation, len(c.in))
	}
	spare := ""
	for l := 'A'; l <= 'Z'; l++ {
		if !strings.ContainsRune(equation, l) {
			spare += string(l)
		}
	}
	most := 0
	for i, t := range terms {
		if strings.Contains(t, "...") {
			most = max(most, c.x(i).Rank()-len(t)+len("..."))
		}
	}
	if most > len(spare) || most < 0 {
		c.fail("attribute equation: got %q, whose axes are not those of the inputs", equation)
	}
	dots := spare[:most]
	operands, letters := make([]formula.Array, len(terms)), make([][]byte, len(terms))
	count := make(map[rune]int)
	for i, t := range terms {
		x := c.x(i)
		if n := x.Rank() - len(t) + len("..."); strings.Contains(t, "...") && n >= 0 && n <= most {
			t = strings.Replace(t, "...", dots[most-n:], 1)
		}
		if len(t) != x.Rank() || strings.Trim(t, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			c.fail("attribute equation: got %q for an input of %d axes", terms[i], x.Rank())
		}
		for _, l := range t {
			count[l]++
		}
		operands[i], letters[i] = x, []byte(t)
	}
	result := strings.Replace(right, "...", dots, 1)
	if !explicit {
		result = dots
		for l := 'A'; l <= 'z'; l++ {
			if count[l] == 1 && !strings.ContainsRune(dots, l) {
				result += string(l)
			}
		}
	}
	for _, l := range result {
		if count[l] == 0 {
			c.fail("attribute equation: got %q, whose result has an axis %q of no input", equation, string(l))
		}
	}
	return []V{got(formula.Einsum(c.m, operands, letters, []byte(result))).(V)}
}
