package nn

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"go.starlark.net/starlark"
)

// given reports whether an argument is there and not None.
func given(v starlark.Value) bool { return v != nil && v != starlark.None }

// pool builds what windows of the last two axes give. None for ignore_border is False, as in Theano
// 1.0.
func pool(g *functions.Graph, x *functions.Operand, window, border, stride, pad starlark.Value, mode string) (*graph.Variable, error) {
	p, err := windows(window, border, stride, pad)
	if err != nil {
		return nil, err
	}
	kind, err := poolKind(mode)
	if err != nil {
		return nil, err
	}
	floats(g, x)
	if r := x.V.Type.Rank(); r < 2 {
		return nil, fmt.Errorf("input: got %v, want at least 2 dimensions, the last of which are rows and columns", x.V.Type)
	}
	return g.Apply(op.Pool{Kind: kind, Pooling: p}, x.V), nil
}

// poolKind reads a mode.
func poolKind(mode string) (op.PoolKind, error) {
	kind := slices.Index(op.PoolModes[:], mode)
	if kind < 0 {
		return 0, fmt.Errorf("mode: got %q, want max, sum, average_inc_pad or average_exc_pad", mode)
	}
	return op.PoolKind(kind), nil
}

func windows(window, border, stride, pad starlark.Value) (p op.Pooling, err error) {
	if !given(window) {
		return p, fmt.Errorf("ws: got None, want the rows and columns of a window: ws=(2, 2)")
	}
	size, err := pair("ws", window, 1)
	if err != nil {
		return p, err
	}
	step := size
	if given(stride) {
		if step, err = pair("stride", stride, 1); err != nil {
			return p, err
		}
	}
	around := op.Pair{}
	if given(pad) {
		if around, err = pair("pad", pad, 0); err != nil {
			return p, err
		}
	}
	whole := false
	switch b := border.(type) {
	case nil, starlark.NoneType:
	case starlark.Bool:
		whole = bool(b)
	default:
		return p, fmt.Errorf("ignore_border: got %s, want True or False", border)
	}
	return op.NewPooling(size, step, around, !whole), nil
}

// either is the argument under one of two names.
func either(name, older string, v, old starlark.Value) (starlark.Value, error) {
	if given(v) && given(old) {
		return nil, fmt.Errorf("got %s and %s, which is its older name; give %s", name, older, name)
	}
	if given(v) {
		return v, nil
	}
	return old, nil
}

// poolTable is what is done to windows of images.
var poolTable = []functions.Function{
	operations.TensorRow("T.signal.pool.pool_2d T.nnet.pool_2d", "The largest element, the sum or the average of each window of the last two axes.",
		"pool_2d([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], (2, 2), ignore_border=True) # array([[6., 8.]])", func(g *functions.Graph, a *struct {
			Input        functions.Operand `arg:"input: at least 2 dimensions, the last of which are rows and columns"`
			Window       starlark.Value    `arg:"ws=None: the rows and columns of a window; it has to be given"`
			IgnoreBorder starlark.Value    `arg:"ignore_border=None: whether to drop windows that are cut by the end of the image; None means False"`
			Stride       starlark.Value    `arg:"stride=None: how far apart windows are; None for ws, side by side"`
			Pad          starlark.Value    `arg:"pad=None: rows and columns around the image, which are no elements; with ignore_border=True"`
			Mode         string            `arg:"mode=\"max\": max, sum, average_inc_pad (the border counts) or average_exc_pad"`
			OldWindow    starlark.Value    `arg:"ds=None: the older name of ws"`
			OldStride    starlark.Value    `arg:"st=None: the older name of stride"`
			Padding      starlark.Value    `arg:"padding=None: the older name of pad"`
		}) (*graph.Variable, error) {
			window, err := either("ws", "ds", a.Window, a.OldWindow)
			if err != nil {
				return nil, err
			}
			stride, err := either("stride", "st", a.Stride, a.OldStride)
			if err != nil {
				return nil, err
			}
			pad, err := either("pad", "padding", a.Pad, a.Padding)
			if err != nil {
				return nil, err
			}
			return pool(g, &a.Input, window, a.IgnoreBorder, stride, pad, a.Mode)
		}),
	operations.TensorRow("T.signal.downsample.max_pool_2d", "pool_2d under its older name.",
		"max_pool_2d([[1.0, 2.0], [5.0, 6.0]], (2, 2), ignore_border=True) # array([[6.]])", func(g *functions.Graph, a *struct {
			Input        functions.Operand `arg:"input: at least 2 dimensions, the last of which are rows and columns"`
			Window       starlark.Value    `arg:"ds: the rows and columns of a window"`
			IgnoreBorder starlark.Value    `arg:"ignore_border=None: whether to drop windows that are cut by the end of the image; None means False"`
			Stride       starlark.Value    `arg:"st=None: how far apart windows are; None for ds, side by side"`
			Padding      starlark.Value    `arg:"padding=(0, 0): rows and columns around the image, which are no elements"`
			Mode         string            `arg:"mode=\"max\": max, sum, average_inc_pad or average_exc_pad"`
		}) (*graph.Variable, error) {
			return pool(g, &a.Input, a.Window, a.IgnoreBorder, a.Stride, a.Padding, a.Mode)
		}),
	operations.TensorRow("T.signal.pool.max_pool_2d_same_size T.signal.downsample.max_pool_2d_same_size",
		"input where it is the largest of its window, side by side, and 0 elsewhere.",
		"max_pool_2d_same_size([[1.0, 2.0], [5.0, 6.0]], (2, 2)) # array([[0., 0.],\n       [0., 6.]])", func(g *functions.Graph, a *struct {
			Input functions.Operand `arg:"input: at least 2 dimensions, the last of which are rows and columns"`
			Patch starlark.Value    `arg:"patch_size: the rows and columns of a window"`
		}) (*graph.Variable, error) {
			y, err := pool(g, &a.Input, a.Patch, starlark.True, nil, nil, "max")
			if err != nil {
				return nil, err
			}
			p, err := windows(a.Patch, starlark.True, nil, nil)
			if err != nil {
				return nil, err
			}
			return g.Apply(op.PoolMaxGrad{Pooling: p}, a.Input.V, y, y), nil
		}),
	operations.TensorRow("T.nnet.neighbours.images2neibs", "The windows of images, [images, channels, rows, columns], a row for each.",
		"images2neibs(np.arange(4.0).reshape((1, 1, 2, 2)), (1, 2)) # array([[0., 1.],\n       [2., 3.]])", func(g *functions.Graph, a *struct {
			Images functions.Operand `arg:"ten4: [images, channels, rows, columns]"`
			Shape  starlark.Value    `arg:"neib_shape: the rows and columns of a window"`
			Step   starlark.Value    `arg:"neib_step=None: how far apart windows are; None for neib_shape, side by side"`
			Mode   string            `arg:"mode=\"valid\": valid, ignore_borders, wrap_centered, half or full"`
		}) (*graph.Variable, error) {
			shape, err := pair("neib_shape", a.Shape, 1)
			if err != nil {
				return nil, err
			}
			step := shape
			if given(a.Step) {
				if step, err = pair("neib_step", a.Step, 1); err != nil {
					return nil, err
				}
			}
			return formula.Images2Neibs(g.Builder, a.Images.V, formula.Neighbours{Shape: shape, Step: step, Mode: a.Mode})
		}),
	operations.TensorRow("T.nnet.neighbours.neibs2images", "The images whose windows, side by side, are the rows of neibs: the inverse of images2neibs.",
		"neibs2images([[0.0, 1.0], [2.0, 3.0]], (1, 2), (1, 1, 2, 2)) # array([[[[0., 1.],\n         [2., 3.]]]])", func(g *functions.Graph, a *struct {
			Neibs    functions.Operand `arg:"neibs: a matrix with a row for each window"`
			Shape    starlark.Value    `arg:"neib_shape: the rows and columns of a window"`
			Original functions.Lengths `arg:"original_shape: the shape of the images; it may be symbolic"`
			Mode     string            `arg:"mode=\"valid\": valid, or ignore_borders, where what no window had is 0"`
		}) (*graph.Variable, error) {
			shape, err := pair("neib_shape", a.Shape, 1)
			if err != nil {
				return nil, err
			}
			return formula.Neibs2Images(g.Builder, a.Neibs.V, shape, a.Original.V, a.Mode)
		}),
	functions.New("T.nnet.confusion_matrix",
		"How often labels were predicted for labels: a matrix with a row for each actual and a column for each predicted one, and the labels.",
		"confusion_matrix([2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2]) # [array([[2, 0, 0],\n       [0, 0, 1],\n       [1, 0, 2]]), array([0, 1, 2])]", np.Kinds,
		functions.BuildsList(func(g *functions.Graph, a *struct {
			Actual functions.Operand `arg:"actual: a vector of labels"`
			Pred   functions.Operand `arg:"pred: a vector of the labels that were predicted"`
		}) ([]*graph.Variable, error) {
			return formula.Confusion(g.Builder, a.Actual.V, a.Pred.V)
		})),
}
