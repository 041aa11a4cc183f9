package onnx

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// ml is the domain of the models of scikit-learn and its like.
const ml = "ai.onnx.ml"

var _ = add(
	Operator{Name: "Scaler", Domain: ml, Since: []int{1}, Least: 1, Most: 1, Attrs: "offset:floats scale:floats", Doc: "(x - offset) * scale, a number each or one for each column", build: func(c *call) []V {
		x := c.cast(c.x(0), kernels.Float32)
		return []V{c.do(op.Mul, c.do(op.Sub, x, c.vectorOf(kernels.Float32, c.floats("offset"))), c.vectorOf(kernels.Float32, c.floats("scale")))}
	}},
	Operator{Name: "Normalizer", Domain: ml, Since: []int{1}, Least: 1, Most: 1, Attrs: "norm:string=MAX", Doc: "rows over their largest element, or their 1- or 2-norm", build: normalizer},
	Operator{Name: "Binarizer", Domain: ml, Since: []int{1}, Least: 1, Most: 1, Attrs: "threshold:float=0", Doc: "1 where x is more than a threshold, else 0", build: func(c *call) []V {
		return []V{c.like(0, c.do(op.Gt, c.x(0), c.number("threshold")))}
	}},
	Operator{Name: "Imputer", Domain: ml, Since: []int{1}, Least: 1, Most: 1, Attrs: "imputed_value_floats:floats imputed_value_int64s:ints replaced_value_float:float=0 replaced_value_int64:int=0", Doc: "x with other values, by column, in the place of one", build: imputer},
	Operator{Name: "LinearRegressor", Domain: ml, Since: []int{1}, Least: 1, Most: 1, Attrs: "coefficients:floats intercepts:floats post_transform:string=NONE targets:int=1", Doc: "a linear model", build: func(c *call) []V {
		return []V{c.transformed(c.linear(c.int("targets")))}
	}},
	Operator{Name: "LinearClassifier", Domain: ml, Since: []int{1}, Least: 1, Most: 1,
		Attrs: "classlabels_ints:ints classlabels_strings:strings coefficients:floats intercepts:floats multi_class:int=0 post_transform:string=NONE",
		Doc:   "a linear model whose largest score says the class, an integer", build: func(c *call) []V {
			labels := c.labels("classlabels_ints", "classlabels_strings")
			n := len(labels)
			if n == 2 && len(c.floats("intercepts")) == 1 {
				n = 1
			}
			return c.classified(c.linear(n), labels)
		}},
	Operator{Name: "TreeEnsembleRegressor", Domain: ml, Since: []int{1, 3}, Least: 1, Most: 1,
		Attrs: treeAttrs + "aggregate_function:string=SUM n_targets:int=1 target_ids:ints target_nodeids:ints target_treeids:ints target_weights:floats",
		Doc:   "decision trees, whose leaves are added up", build: func(c *call) []V {
			f := c.forest("target", c.int("n_targets"))
			y := f.sum(c.x(0), c.text("aggregate_function"))
			return []V{c.transformed(c.based(y))}
		}},
	Operator{Name: "TreeEnsembleClassifier", Domain: ml, Since: []int{1, 3}, Least: 1, Most: 1,
		Attrs: treeAttrs + "class_ids:ints class_nodeids:ints class_treeids:ints class_weights:floats classlabels_int64s:ints classlabels_strings:strings",
		Doc:   "decision trees, whose largest sum says the class, an integer", build: func(c *call) []V {
			labels := c.labels("classlabels_int64s", "classlabels_strings")
			n := len(labels)
			if ids := c.ints("class_ids"); n == 2 && len(ids) > 0 && slices.Max(ids) == slices.Min(ids) {
				n = 1 // the score of one of two classes
			}
			f := c.forest("class", n)
			return c.classified(c.based(f.sum(c.x(0), "SUM")), labels)
		}},
)

func normalizer(c *call) []V {
	x := c.cast(c.x(0), kernels.Float32)
	axes := tensor.AxesOf(c.axis(-1, x.Rank()))
	var n V
	switch norm := c.text("norm"); norm {
	case "MAX":
		n = c.reduce(op.Max, x, axes, true)
	case "L1", "L2":
		n = formula.KeepAxes(c.b, got(formula.Norm(c.b, x, float64(norm[1]-'0'), axes)), axes, x.Rank())
	default:
		c.fail("attribute norm: got %q, want MAX, L1 or L2", norm)
	}
	return []V{c.do(op.Switch, c.do(op.Eq, n, 0.0), x, c.do(op.TrueDiv, x, n))}
}

func imputer(c *call) []V {
	x := c.x(0)
	if x.DType().IsFloat() {
		missing := c.do(op.Eq, x, c.number("replaced_value_float"))
		if v := c.number("replaced_value_float"); v != v {
			missing = c.do(op.IsNaN, x)
		}
		return []V{c.do(op.Switch, missing, c.vectorOf(x.DType(), c.floats("imputed_value_floats")), x)}
	}
	with := c.cast(c.positions(c.ints("imputed_value_int64s")), x.DType())
	return []V{c.do(op.Switch, c.do(op.Eq, x, c.int("replaced_value_int64")), with, x)}
}

// linear is x times coefficients, a row for each of n targets, and intercepts.
func (c *call) linear(n int) V {
	x := c.cast(c.x(0), kernels.Float32)
	w := c.floats("coefficients")
	c.positive("targets", n)
	if x.Rank() != 2 || len(w)%n != 0 {
		c.fail("got %v and %d coefficients for %d targets", x.Type, len(w), n)
	}
	m := c.b.Constant(tensor.From(w, n, len(w)/n).AsType(kernels.Float32))
	y := c.b.Apply(op.Dot{}, x, op.Transpose(c.b, m))
	if b := c.floats("intercepts"); len(b) > 0 {
		y = c.do(op.Add, y, c.vectorOf(kernels.Float32, b))
	}
	return y
}

// transformed is scores: [rows, n] after post_transform.
func (c *call) transformed(y V) V {
	switch t := c.text("post_transform"); t {
	case "NONE":
		return y
	case "LOGISTIC":
		return c.do(op.Sigmoid, y)
	case "SOFTMAX":
		return got(formula.Softmax(c.b, y, new(1), false))
	default:
		c.fail("attribute post_transform: got %q, want NONE, LOGISTIC or SOFTMAX", t)
		return nil
	}
}

// labels are the classes, which are integers.
func (c *call) labels(ints, texts string) []int {
	if c.hasAttr(texts) && len(c.attribute(texts).Texts) > 0 {
		c.fail("attribute %s: got labels that are strings, want integers", texts)
	}
	list := c.ints(ints)
	if len(list) == 0 {
		c.fail("attribute %s is missing", ints)
	}
	return list
}

// classified is the class of the largest score of each row, and the scores after post_transform.
// One score is that of the second of two classes.
func (c *call) classified(y V, labels []int) []V {
	if y.Dim(1) == 1 && len(labels) == 2 {
		t := c.transformed(y)
		half := 0.5
		if c.text("post_transform") == "LOGISTIC" {
			half = 0
		}
		at := c.cast(c.do(op.Gt, formula.At(c.b, y, 1, 0), half), kernels.Int64)
		scores := c.join(1, c.do(op.Sub, c.float(t, 1), t), t)
		return []V{c.take(c.positions(labels), at, 0), scores}
	}
	at := formula.Extreme(c.b, y, tensor.AxesOf(1), false, false)
	return []V{c.take(c.positions(labels), at, 0), c.transformed(y)}
}

const treeAttrs = "base_values:floats nodes_falsenodeids:ints nodes_featureids:ints nodes_hitrates:floats nodes_missing_value_tracks_true:ints nodes_modes:strings " +
	"nodes_nodeids:ints nodes_treeids:ints nodes_truenodeids:ints nodes_values:floats post_transform:string=NONE "

// based is y with base_values, one for each column.
func (c *call) based(y V) V {
	if b := c.floats("base_values"); len(b) > 0 {
		return c.do(op.Add, y, c.vectorOf(y.DType(), b))
	}
	return y
}

// A forest is decision trees as tables of nodes. A leaf leads to itself, so that all trees are
// followed for the same number of steps.
type forest struct {
	c           *call
	roots       []int
	feature     []int
	value       []float64
	yes, no     []int
	missing     []int // 1 where nan goes the way of yes
	modes       []int // by number in treeModes
	weights     []float64
	columns     int
	depth, size int
}

// treeModes are the comparisons of nodes with what computes them.
var treeModes = []struct {
	name string
	e    op.Elemwise
}{{"LEAF", op.Le}, {"BRANCH_LEQ", op.Le}, {"BRANCH_LT", op.Lt}, {"BRANCH_GTE", op.Ge}, {"BRANCH_GT", op.Gt}, {"BRANCH_EQ", op.Eq}, {"BRANCH_NEQ", op.Neq}}

// forest reads the attributes of nodes, and of the leaves: kind is "target" or "class".
func (c *call) forest(kind string, columns int) *forest {
	c.positive("n_targets", columns)
	trees, nodes, modes := c.ints("nodes_treeids"), c.ints("nodes_nodeids"), c.attribute("nodes_modes")
	f := &forest{c: c, size: len(nodes), columns: columns, feature: c.ints("nodes_featureids"), value: c.floats("nodes_values"), missing: c.ints("nodes_missing_value_tracks_true")}
	yes, no := c.ints("nodes_truenodeids"), c.ints("nodes_falsenodeids")
	n := f.size
	if n == 0 || modes == nil || len(modes.Texts) != n || len(trees) != n || len(f.feature) != n || len(f.value) != n || len(yes) != n || len(no) != n ||
		f.missing != nil && len(f.missing) != n {
		c.fail("attributes nodes_...: got lists of different lengths, want one element for each of %d nodes", n)
	}
	if n > maxTable/columns {
		c.fail("got %d nodes of %d columns, want less", n, columns)
	}
	at := make(map[[2]int]int)
	for i := range nodes {
		key := [2]int{trees[i], nodes[i]}
		if _, twice := at[key]; twice {
			c.fail("node %d of tree %d is there twice", nodes[i], trees[i])
		}
		at[key] = i
	}
	f.yes, f.no, f.modes, f.weights = make([]int, n), make([]int, n), make([]int, n), make([]float64, n*columns)
	child := make([]bool, n)
	for i := range nodes {
		f.modes[i] = -1
		for k, m := range treeModes {
			if m.name == modes.Texts[i] {
				f.modes[i] = k
			}
		}
		switch {
		case f.modes[i] < 0:
			c.fail("attribute nodes_modes: got %q, which is not known", modes.Texts[i])
		case f.modes[i] == 0:
			f.yes[i], f.no[i] = i, i
			continue
		}
		for _, to := range []struct {
			id   int
			next *int
		}{{yes[i], &f.yes[i]}, {no[i], &f.no[i]}} {
			k, ok := at[[2]int{trees[i], to.id}]
			if !ok {
				c.fail("node %d of tree %d leads to node %d, which is missing", nodes[i], trees[i], to.id)
			}
			*to.next, child[k] = k, true
		}
	}
	seen := make([]bool, n)
	var depth func(i, d int)
	depth = func(i, d int) {
		if seen[i] {
			c.fail("node %d of tree %d is reached on two ways", nodes[i], trees[i])
		}
		seen[i] = true
		f.depth = max(f.depth, d)
		c.few("the depth of the trees", d)
		if f.modes[i] != 0 {
			depth(f.yes[i], d+1)
			depth(f.no[i], d+1)
		}
	}
	for i := range nodes {
		if !child[i] {
			f.roots = append(f.roots, i)
			depth(i, 0)
		}
	}
	if f.roots == nil {
		c.fail("the trees have no root")
	}
	ids, leaves, of, w := c.ints(kind+"_ids"), c.ints(kind+"_nodeids"), c.ints(kind+"_treeids"), c.floats(kind+"_weights")
	if len(leaves) != len(ids) || len(of) != len(ids) || len(w) != len(ids) {
		c.fail("attributes %s_...: got lists of different lengths", kind)
	}
	for i, id := range ids {
		k, ok := at[[2]int{of[i], leaves[i]}]
		if columns == 1 {
			id = 0
		}
		if !ok || id < 0 || id >= columns {
			c.fail("attributes %s_...: got column %d of node %d of tree %d, which is missing", kind, id, leaves[i], of[i])
		}
		f.weights[k*columns+id] += w[i]
	}
	return f
}

// sum is what the trees give for the rows of x: [rows, columns].
func (f *forest) sum(x V, aggregate string) V {
	c := f.c
	if x.Rank() != 2 {
		c.fail("%s: got %v, want rows of features", c.name(0), x.Type)
	}
	if !x.DType().IsFloat() {
		x = c.cast(x, kernels.Float32)
	}
	rows := c.permute(formula.UpTo(c.b, c.dims(x)[0]), 0, -1)
	at := formula.BroadcastTo(c.b, c.permute(c.positions(f.roots), -1, 0), []V{c.dims(x)[0], c.num(len(f.roots))})
	table := func(list []int) V { return c.take(c.positions(list), at, 0) }
	for range f.depth {
		v := c.b.Apply(op.AdvancedSubtensor{Index: "v v"}, x, rows, table(f.feature))
		limit := c.take(c.vectorOf(x.DType(), f.value), at, 0)
		goes := V(nil)
		for k, mode := range treeModes {
			if k == 0 || !slices.Contains(f.modes, k) {
				continue
			}
			test := c.do(mode.e, v, limit)
			if goes == nil {
				goes = test
			} else {
				goes = c.do(op.Switch, c.do(op.Eq, table(f.modes), k), test, goes)
			}
		}
		if slices.Contains(f.missing, 1) {
			goes = c.do(op.Or, goes, c.do(op.And, c.do(op.IsNaN, v), c.do(op.Eq, table(f.missing), 1)))
		}
		at = c.do(op.Switch, goes, table(f.yes), table(f.no))
	}
	w := c.b.Constant(tensor.From(f.weights, f.size, f.columns).AsType(kernels.Float32))
	leaves := c.take(w, at, 0) // [rows, trees, columns]
	axes := tensor.AxesOf(1)
	switch aggregate {
	case "SUM":
		return c.reduce(op.Sum, leaves, axes, false)
	case "AVERAGE":
		return op.Mean(c.b, leaves, axes)
	case "MIN":
		return c.reduce(op.Min, leaves, axes, false)
	case "MAX":
		return c.reduce(op.Max, leaves, axes, false)
	}
	c.fail("attribute aggregate_function: got %q, want SUM, AVERAGE, MIN or MAX", aggregate)
	return nil
}
