package nn

import (
	"fmt"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"go.starlark.net/starlark"
)

// What convolutions of volumes have, behind their operands and shapes.
type (
	volumeArgs struct {
		Border    starlark.Value `arg:"border_mode=\"valid\": valid, half, full, or the width of the border: an int, (depth, rows, columns), or (before, after) for each"`
		Subsample starlark.Value `arg:"subsample=(1, 1, 1): the stride of depth, rows and columns"`
		Flip      bool           `arg:"filter_flip=True: whether filters are flipped: a convolution, or else a correlation"`
		Dilation  starlark.Value `arg:"filter_dilation=(1, 1, 1): how far apart the elements of a filter are put on the volume"`
		Groups    int            `arg:"num_groups=1: how many groups the channels and the filters are divided into"`
	}
	volumeShapes struct {
		InputShape  starlark.Value `arg:"input_shape=None: the shape of input, as far as it is known: ints and None"`
		FilterShape starlark.Value `arg:"filter_shape=None: the shape of filters, likewise"`
	}
)

// apart are the arguments of a parameter for the depth, and for rows and columns: three, or one
// that stands for all.
func apart(param string, v starlark.Value) (depth, plane starlark.Value, err error) {
	list, ok := v.(starlark.Indexable)
	if _, text := starlark.AsString(v); v == nil || !ok || text {
		return v, v, nil
	}
	if list.Len() != 3 {
		return nil, nil, fmt.Errorf("%s: got %d elements, want 3: for depth, rows and columns", param, list.Len())
	}
	return list.Index(0), starlark.Tuple{list.Index(1), list.Index(2)}, nil
}

// step reads a stride or dilation of the depth.
func step(param string, v starlark.Value) (int, error) {
	p, err := pair(param, v, 1)
	if err == nil && p[0] != p[1] {
		err = fmt.Errorf("%s: got %s for the depth, want one int", param, v)
	}
	return p[0], err
}

// volumes is the convolution that arguments describe.
func (a volumeArgs) volumes() (c formula.Convolution3D, err error) {
	border, borders, err := apart("border_mode", a.Border)
	if err != nil {
		return c, err
	}
	stride, strides, err := apart("subsample", a.Subsample)
	if err != nil {
		return c, err
	}
	dilation, dilations, err := apart("filter_dilation", a.Dilation)
	if err != nil {
		return c, err
	}
	if c.Plane, err = convolution(layoutArgs{borderArgs{borders}, strides, a.Flip}, dilations, groupArgs{Groups: a.Groups}); err != nil {
		return c, err
	}
	if _, text := starlark.AsString(border); border != nil && !text {
		if c.Pad, err = pair("border_mode", border, 0); err != nil {
			return c, err
		}
	}
	if c.Stride, err = step("subsample", stride); err != nil {
		return c, err
	}
	c.Dilation, err = step("filter_dilation", dilation)
	return c, err
}

// operandsOf are volumes and filters of shapes that may be said.
func operandsOf(g *functions.Graph, x, w *functions.Operand, shapes volumeShapes) (volumes, filters *graph.Variable, err error) {
	floats(g, x, w)
	if volumes, err = shaped(g.Builder, "input_shape", x.V, shapes.InputShape); err != nil {
		return nil, nil, err
	}
	filters, err = shaped(g.Builder, "filter_shape", w.V, shapes.FilterShape)
	return volumes, filters, err
}

// volumeGradient is the gradient of a convolution of volumes with respect to one of its operands,
// of the shape given. The convolution is linear in it, so that zeros may stand for it.
func volumeGradient(g *functions.Graph, param string, shape starlark.Value, y, other *functions.Operand, otherParam string, otherShape starlark.Value,
	convolve func(wanted, other *graph.Variable) (*graph.Variable, error)) (*graph.Variable, error) {
	floats(g, y, other)
	b := g.Builder
	fixed, err := shaped(b, otherParam, other.V, otherShape)
	if err != nil {
		return nil, err
	}
	lengths, err := shapeElements(b, param, shape)
	if err != nil {
		return nil, err
	}
	if len(lengths) != 5 {
		return nil, fmt.Errorf("%s: got %d lengths, want 5", param, len(lengths))
	}
	for axis, n := range lengths {
		if n == nil {
			return nil, fmt.Errorf("%s: axis %d: got None, want a length, which may be symbolic", param, axis)
		}
	}
	zero := formula.Full(b, b.Number(other.V.Type.DType, 0), lengths, other.V.Type.DType)
	z, err := convolve(zero, fixed)
	if err != nil {
		return nil, err
	}
	return operations.Pullback(b, z, y.V, zero)
}

// volumeTable is the convolutions of volumes, and pooling of them.
var volumeTable = []functions.Function{
	operations.TensorRow("T.nnet.conv3d T.nnet.abstract_conv.conv3d", "The convolution of volumes with filters: conv2d with an axis more, the depth, before rows and columns.",
		"conv3d(np.ones((1, 1, 2, 1, 3)), np.ones((1, 1, 2, 1, 2))) # array([[[[[4., 4.]]]]])", func(g *functions.Graph, a *struct {
			Input   functions.Operand `arg:"input: volumes, [volumes, channels, depth, rows, columns]"`
			Filters functions.Operand `arg:"filters: [filters, channels of a group, depth, rows, columns]"`
			volumeShapes
			volumeArgs
		}) (*graph.Variable, error) {
			c, err := a.volumes()
			if err != nil {
				return nil, err
			}
			x, w, err := operandsOf(g, &a.Input, &a.Filters, a.volumeShapes)
			if err != nil {
				return nil, err
			}
			return c.Apply(g.Builder, x, w)
		}),
	operations.TensorRow("T.nnet.abstract_conv.conv3d_grad_wrt_inputs",
		"The gradient of conv3d with respect to its volumes, given that with respect to its output: what conv3d does, transposed.",
		"conv3d_grad_wrt_inputs(np.ones((1, 1, 1, 1, 2)), np.ones((1, 1, 1, 1, 2)), (1, 1, 1, 1, 3)) # array([[[[[1., 2., 1.]]]]])", func(g *functions.Graph, a *struct {
			OutputGrad  functions.Operand `arg:"output_grad: [volumes, filters, depth, rows, columns]"`
			Filters     functions.Operand `arg:"filters: [filters, channels of a group, depth, rows, columns]"`
			InputShape  starlark.Value    `arg:"input_shape: the shape of the volumes; its lengths may be symbolic"`
			FilterShape starlark.Value    `arg:"filter_shape=None: the shape of filters, as far as it is known"`
			volumeArgs
		}) (*graph.Variable, error) {
			c, err := a.volumes()
			if err != nil {
				return nil, err
			}
			return volumeGradient(g, "input_shape", a.InputShape, &a.OutputGrad, &a.Filters, "filter_shape", a.FilterShape,
				func(x, w *graph.Variable) (*graph.Variable, error) { return c.Apply(g.Builder, x, w) })
		}),
	operations.TensorRow("T.nnet.abstract_conv.conv3d_grad_wrt_weights", "The gradient of conv3d with respect to its filters, given that with respect to its output.",
		"conv3d_grad_wrt_weights(np.ones((1, 1, 1, 1, 3)), np.ones((1, 1, 1, 1, 2)), (1, 1, 1, 1, 2)) # array([[[[[2., 2.]]]]])", func(g *functions.Graph, a *struct {
			Input       functions.Operand `arg:"input: volumes, [volumes, channels, depth, rows, columns]"`
			OutputGrad  functions.Operand `arg:"output_grad: [volumes, filters, depth, rows, columns]"`
			FilterShape starlark.Value    `arg:"filter_shape: the shape of the filters; its lengths may be symbolic"`
			InputShape  starlark.Value    `arg:"input_shape=None: the shape of input, as far as it is known"`
			volumeArgs
		}) (*graph.Variable, error) {
			c, err := a.volumes()
			if err != nil {
				return nil, err
			}
			return volumeGradient(g, "filter_shape", a.FilterShape, &a.OutputGrad, &a.Input, "input_shape", a.InputShape,
				func(w, x *graph.Variable) (*graph.Variable, error) { return c.Apply(g.Builder, x, w) })
		}),
	operations.TensorRow("T.nnet.conv3d2d.conv3d", "The convolution of movies with filters, the older function: as T.nnet.conv3d, with the times before the channels.",
		"conv3d(np.ones((1, 2, 1, 1, 3)), np.ones((1, 2, 1, 1, 2))) # array([[[[[4., 4.]]]]])", func(g *functions.Graph, a *struct {
			Signals     functions.Operand `arg:"signals: [movies, times, channels, rows, columns]"`
			Filters     functions.Operand `arg:"filters: [filters, times, channels, rows, columns]"`
			InputShape  starlark.Value    `arg:"signals_shape=None: the shape of signals, as far as it is known"`
			FilterShape starlark.Value    `arg:"filters_shape=None: the shape of filters, as far as it is known"`
			Border      starlark.Value    `arg:"border_mode=\"valid\": valid, half, full, or the width of the border"`
		}) (*graph.Variable, error) {
			c, err := volumeArgs{Border: a.Border, Flip: true, Groups: 1}.volumes()
			if err != nil {
				return nil, err
			}
			x, w, err := operandsOf(g, &a.Signals, &a.Filters, volumeShapes{a.InputShape, a.FilterShape})
			if err != nil {
				return nil, err
			}
			return c.Movies(g.Builder, x, w)
		}),
	operations.TensorRow("T.signal.pool.pool_3d", "The largest element, the sum or the average of each window of the last three axes.",
		"pool_3d([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], (2, 1, 2), ignore_border=True) # array([[[6.],\n        [8.]]])", func(g *functions.Graph, a *struct {
			Input        functions.Operand `arg:"input: at least 3 dimensions, the last of which are depth, rows and columns"`
			Window       starlark.Value    `arg:"ws=None: the depth, rows and columns of a window; it has to be given"`
			IgnoreBorder starlark.Value    `arg:"ignore_border=None: whether to drop windows that are cut by the end of the volume; None means False"`
			Stride       starlark.Value    `arg:"stride=None: how far apart windows are; None for ws, side by side"`
			Pad          starlark.Value    `arg:"pad=None: what stands around the volume, which are no elements; with ignore_border=True"`
			Mode         string            `arg:"mode=\"max\": max, sum, average_inc_pad (the border counts) or average_exc_pad"`
			OldWindow    starlark.Value    `arg:"ds=None: the older name of ws"`
			OldStride    starlark.Value    `arg:"st=None: the older name of stride"`
			Padding      starlark.Value    `arg:"padding=None: the older name of pad"`
		}) (*graph.Variable, error) {
			given := [3]starlark.Value{}
			for i, p := range []struct {
				name, older string
				v, old      starlark.Value
			}{{"ws", "ds", a.Window, a.OldWindow}, {"stride", "st", a.Stride, a.OldStride}, {"pad", "padding", a.Pad, a.Padding}} {
				var err error
				if given[i], err = either(p.name, p.older, p.v, p.old); err != nil {
					return nil, err
				}
			}
			return poolVolumes(g, &a.Input, given, a.IgnoreBorder, a.Mode)
		}),
}

// poolVolumes pools windows of the last three axes; given are the windows, strides and
// borders.
func poolVolumes(g *functions.Graph, x *functions.Operand, given [3]starlark.Value, border starlark.Value, mode string) (*graph.Variable, error) {
	var depth, plane [3]starlark.Value
	for i, param := range []string{"ws", "stride", "pad"} {
		d, p, err := apart(param, given[i])
		if err != nil {
			return nil, err
		}
		if depth[i], plane[i] = d, p; d == nil || d == starlark.None {
			continue
		}
		depth[i] = starlark.Tuple{d, starlark.MakeInt([...]int{1, 1, 0}[i])}
	}
	kind, err := poolKind(mode)
	if err != nil {
		return nil, err
	}
	var pools [2]op.Pooling
	for i, v := range [][3]starlark.Value{depth, plane} {
		if pools[i], err = windows(v[0], border, v[1], v[2]); err != nil {
			return nil, err
		}
	}
	floats(g, x)
	return formula.Pool3D(g.Builder, x.V, kind, pools[0], pools[1])
}
