package nn

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// convolutionArgs are what all convolutions of images have, behind their operands and shapes.
type (
	borderArgs struct {
		Border starlark.Value `arg:"border_mode=\"valid\": valid, half, full, or the width of the border: an int, (rows, columns), or (before, after) for either"`
	}
	groupArgs struct {
		Groups   int  `arg:"num_groups=1: how many groups the channels and the filters are divided into"`
		Unshared bool `arg:"unshared=False: whether each place has filters of its own, of shape (filters, output rows, output columns, channels, rows, columns)"`
	}
	layoutArgs struct {
		borderArgs
		Subsample starlark.Value `arg:"subsample=(1, 1): the stride of rows and columns"`
		Flip      bool           `arg:"filter_flip=True: whether filters are flipped: a convolution, or else a correlation"`
	}
	dilationArgs struct {
		Dilation starlark.Value `arg:"filter_dilation=(1, 1): how far apart the elements of a filter are put on the image"`
	}
)

// maxSteps bounds strides, dilations and borders, so that no length overflows.
const maxSteps = 1 << 24

// pair reads two ints, or one that stands for both, which are at least least.
func pair(param string, v starlark.Value, least int) (op.Pair, error) {
	if v == nil || v == starlark.None {
		return op.Pair{1, 1}, nil
	}
	if _, ok := v.(symbolic.Symbol); ok {
		return op.Pair{}, fmt.Errorf("%s: got a symbolic variable, want two ints: kernels are chosen by them", param)
	}
	list, err := value.Ints(v)
	if err != nil {
		return op.Pair{}, fmt.Errorf("%s: %w", param, err)
	}
	if len(list) == 1 && !isSequence(v) {
		list = append(list, list[0])
	}
	if len(list) != 2 {
		return op.Pair{}, fmt.Errorf("%s: got %d ints, want 2: for rows and columns", param, len(list))
	}
	for _, n := range list {
		if n < least || n > maxSteps {
			return op.Pair{}, fmt.Errorf("%s: got %s, want ints from %d to %d", param, v, least, maxSteps)
		}
	}
	return op.Pair(list), nil
}

func isSequence(v starlark.Value) bool { _, ok := v.(starlark.Sequence); return ok }

// border reads the border of images.
func border(v starlark.Value) (op.Border, error) {
	const want = "border_mode: got %s, want \"valid\", \"half\", \"full\", an int, (rows, columns), or a pair (before, after) for either"
	b := op.Border{}
	if text, ok := starlark.AsString(v); ok || v == nil {
		switch text {
		case "", "valid":
		case "half":
			b.Mode = op.Half
		case "full":
			b.Mode = op.Full
		case "same":
			return b, fmt.Errorf(want+`; "half" gives an output as large as the input for filters with odd rows and columns`, v)
		default:
			return b, fmt.Errorf(want, v)
		}
		return b, nil
	}
	sides := []starlark.Value{v, v}
	if seq, ok := v.(starlark.Indexable); ok {
		if seq.Len() != 2 {
			return b, fmt.Errorf(want, v)
		}
		sides = []starlark.Value{seq.Index(0), seq.Index(1)}
	}
	for axis, side := range sides {
		p, err := pair("border_mode", side, 0)
		if err != nil {
			return b, fmt.Errorf(want, v)
		}
		b.Pad[axis] = p
	}
	return b, nil
}

// convolution is the operation that arguments describe.
func convolution(layout layoutArgs, dilation starlark.Value, group groupArgs) (c op.Convolution, err error) {
	b, err := border(layout.Border)
	if err != nil {
		return c, err
	}
	stride, err := pair("subsample", layout.Subsample, 1)
	if err != nil {
		return c, err
	}
	d, err := pair("filter_dilation", dilation, 1)
	if err != nil {
		return c, err
	}
	if group.Groups < 1 || group.Groups > maxSteps {
		return c, fmt.Errorf("num_groups: got %d, want at least 1", group.Groups)
	}
	return op.NewConvolution(b, stride, d, group.Groups, layout.Flip, group.Unshared), nil
}

// shaped makes of v a variable of the shape that a shape argument says: lengths, constants and None
// for those that are not known. One that v does not have is an error, here or when the function
// runs.
func shaped(b *graph.Builder, param string, v *graph.Variable, shape starlark.Value) (*graph.Variable, error) {
	if shape == nil || shape == starlark.None {
		return v, nil
	}
	list, err := shapeElements(b, param, shape)
	if err != nil {
		return nil, err
	}
	if len(list) != v.Type.Rank() {
		return nil, fmt.Errorf("%s: got %d lengths, want %d: one for each axis of %v", param, len(list), v.Type.Rank(), v.Type)
	}
	dims := v.Type.Dims()
	for axis, n := range list {
		if n == nil || !n.IsConstant() {
			continue
		}
		want := int(n.Data.Ints()[0])
		if have := dims[axis]; have != graph.Unknown && have != want {
			return nil, fmt.Errorf("%s: got %s, but axis %d of %v has length %d", param, shape, axis, v.Type, have)
		}
		dims[axis] = want
	}
	t := graph.TypeOf(v.Type.DType, dims...)
	if t == v.Type {
		return v, nil
	}
	return b.Apply(op.SpecifyShape{Dims: op.DimsOf(t)}, v), nil
}

// shapeElements reads lengths: ints, symbolic integers, and None, which is nil.
func shapeElements(b *graph.Builder, param string, shape starlark.Value) ([]*graph.Variable, error) {
	if x, ok := shape.(symbolic.Symbol); ok && x.V.Type.Rank() == 1 {
		list, err := operations.ElementsOf(b, x.V)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", param, err)
		}
		return list, nil
	}
	if !isSequence(shape) {
		return nil, fmt.Errorf("%s: got %s, want a tuple of lengths", param, shape.Type())
	}
	var list []*graph.Variable
	for i, e := range operations.Elements(shape) {
		switch e := value.NumberOf(e).(type) {
		case starlark.NoneType:
			list = append(list, nil)
		case starlark.Int:
			n, err := starlark.AsInt32(e)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("%s: axis %d: got %s, want a length", param, i, e)
			}
			list = append(list, formula.Int(b, n))
		case symbolic.Symbol:
			if e.V.Type.Rank() != 0 || !e.V.Type.DType.IsInteger() {
				return nil, fmt.Errorf("%s: axis %d: got %v, want an integer scalar", param, i, e.V.Type)
			}
			list = append(list, formula.Cast(b, e.V, kernels.Int64))
		default:
			return nil, fmt.Errorf("%s: axis %d: got %s, want an int, a symbolic integer or None", param, i, e.Type())
		}
	}
	return list, nil
}

// lastTwo are the rows and columns that a shape argument has to say, with its other lengths.
func lastTwo(b *graph.Builder, param string, shape starlark.Value, rank int) (all, last []*graph.Variable, err error) {
	all, err = shapeElements(b, param, shape)
	if err != nil {
		return nil, nil, err
	}
	if len(all) != rank && !(rank == 6 && len(all) == 4) {
		return nil, nil, fmt.Errorf("%s: got %d lengths, want %d", param, len(all), rank)
	}
	last = all[len(all)-2:]
	for i, n := range last {
		if n == nil {
			return nil, nil, fmt.Errorf("%s: axis %d: got None, want a length, which may be symbolic: it does not follow from the other arguments", param, len(all)-2+i)
		}
	}
	return all, last, nil
}

// known makes the lengths that a shape argument says known of the result; of symbolic ones the
// first two cannot be checked.
func known(b *graph.Builder, v *graph.Variable, lengths []*graph.Variable) *graph.Variable {
	dims := v.Type.Dims()
	for axis, n := range lengths {
		if n != nil && n.IsConstant() && len(lengths) == len(dims) {
			dims[axis] = int(n.Data.Ints()[0])
		}
	}
	if t := graph.TypeOf(v.Type.DType, dims...); t != v.Type {
		return b.Apply(op.SpecifyShape{Dims: op.DimsOf(t)}, v)
	}
	return v
}

// convolve is the convolution of images, whose shapes may be said.
func convolve(g *functions.Graph, x, w functions.Operand, xShape, wShape starlark.Value, c op.Convolution) (*graph.Variable, error) {
	floats(g, &x, &w)
	image, err := shaped(g.Builder, "input_shape", x.V, xShape)
	if err != nil {
		return nil, err
	}
	filters, err := shaped(g.Builder, "filter_shape", w.V, wShape)
	if err != nil {
		return nil, err
	}
	return g.Apply(c, image, filters), nil
}

type (
	imageArgs struct {
		Input   functions.Operand `arg:"input: images, [images, channels, rows, columns]"`
		Filters functions.Operand `arg:"filters: [filters, channels of a group, rows, columns]"`
	}
	shapeArgs struct {
		InputShape  starlark.Value `arg:"input_shape=None: the shape of input, as far as it is known: ints and None"`
		FilterShape starlark.Value `arg:"filter_shape=None: the shape of filters, likewise"`
	}
)

// convolutionTable is the convolutions of images.
var convolutionTable = []functions.Function{
	operations.TensorRow("T.nnet.conv2d T.nnet.abstract_conv2d",
		"The convolution of images with filters: y[n, f, i, j] is the sum of w[f, c, p, q] * x[n, c, i + p, j + q] over c, p and q, the filters flipped.",
		"conv2d(np.ones((1, 1, 2, 3)), np.ones((1, 1, 2, 2))) # array([[[[4., 4.]]]])", func(g *functions.Graph, a *struct {
			imageArgs
			shapeArgs
			layoutArgs
			ImageShape starlark.Value `arg:"image_shape=None: the older name of input_shape"`
			dilationArgs
			groupArgs
		}) (*graph.Variable, error) {
			c, err := convolution(a.layoutArgs, a.Dilation, a.groupArgs)
			if err != nil {
				return nil, err
			}
			if a.ImageShape != nil && a.ImageShape != starlark.None {
				if a.InputShape != nil && a.InputShape != starlark.None {
					return nil, fmt.Errorf("got input_shape and image_shape, which is its older name; give one")
				}
				a.InputShape = a.ImageShape
			}
			return convolve(g, a.Input, a.Filters, a.InputShape, a.FilterShape, c)
		}),
	operations.TensorRow("T.nnet.abstract_conv.conv2d", "The convolution of images with filters: T.nnet.conv2d with Theano's order of parameters in this module.",
		"conv2d(np.ones((1, 1, 2, 3)), np.ones((1, 1, 2, 2))) # array([[[[4., 4.]]]])", func(g *functions.Graph, a *struct {
			imageArgs
			shapeArgs
			layoutArgs
			dilationArgs
			groupArgs
		}) (*graph.Variable, error) {
			c, err := convolution(a.layoutArgs, a.Dilation, a.groupArgs)
			if err != nil {
				return nil, err
			}
			return convolve(g, a.Input, a.Filters, a.InputShape, a.FilterShape, c)
		}),
	operations.TensorRow("T.nnet.conv.conv2d", "The convolution of images with filters, the older function: T.nnet.conv2d has more.",
		"conv2d(np.ones((1, 1, 2, 3)), np.ones((1, 1, 2, 2))) # array([[[[4., 4.]]]])", func(g *functions.Graph, a *struct {
			imageArgs
			ImageShape  starlark.Value `arg:"image_shape=None: the shape of input, as far as it is known: ints and None"`
			FilterShape starlark.Value `arg:"filter_shape=None: the shape of filters, likewise"`
			borderArgs
			Subsample starlark.Value `arg:"subsample=(1, 1): the stride of rows and columns"`
		}) (*graph.Variable, error) {
			if err := validOrFull(a.Border); err != nil {
				return nil, err
			}
			c, err := convolution(layoutArgs{a.borderArgs, a.Subsample, true}, nil, groupArgs{Groups: 1})
			if err != nil {
				return nil, err
			}
			return convolve(g, a.Input, a.Filters, a.ImageShape, a.FilterShape, c)
		}),
	operations.TensorRow("T.signal.conv.conv2d", "The convolution of each matrix of input with each of filters: matrices, or stacks of them along the first axis.",
		"conv2d([[1.0, 2.0, 3.0]], [[1.0, 1.0]]) # array([[3., 5.]])", func(g *functions.Graph, a *struct {
			Input       functions.Operand `arg:"input: a matrix, or a stack of them"`
			Filters     functions.Operand `arg:"filters: a matrix, or a stack of them"`
			ImageShape  starlark.Value    `arg:"image_shape=None: the shape of input, as far as it is known"`
			FilterShape starlark.Value    `arg:"filter_shape=None: the shape of filters, likewise"`
			borderArgs
			Subsample starlark.Value `arg:"subsample=(1, 1): the stride of rows and columns"`
		}) (*graph.Variable, error) {
			if err := validOrFull(a.Border); err != nil {
				return nil, err
			}
			c, err := convolution(layoutArgs{a.borderArgs, a.Subsample, true}, nil, groupArgs{Groups: 1})
			if err != nil {
				return nil, err
			}
			floats(g, &a.Input, &a.Filters)
			x, err := shaped(g.Builder, "image_shape", a.Input.V, a.ImageShape)
			if err != nil {
				return nil, err
			}
			w, err := shaped(g.Builder, "filter_shape", a.Filters.V, a.FilterShape)
			if err != nil {
				return nil, err
			}
			return formula.SignalConvolution(g.Builder, c, x, w)
		}),
	operations.TensorRow("T.nnet.conv2d_transpose",
		"What conv2d does to images, transposed: images of output_shape of which conv2d would make the size of input. The filters' channels are those of the result.",
		"conv2d_transpose(np.ones((1, 1, 1, 2)), np.ones((1, 1, 1, 2)), (1, 1, 1, 3)) # array([[[[1., 2., 1.]]]])", func(g *functions.Graph, a *struct {
			Input       functions.Operand `arg:"input: [images, input channels, rows, columns]"`
			Filters     functions.Operand `arg:"filters: [input channels, output channels, rows, columns]"`
			OutputShape starlark.Value    `arg:"output_shape: the shape of the result; the first two lengths may be None, the last two symbolic"`
			FilterShape starlark.Value    `arg:"filter_shape=None: the shape of filters, as far as it is known"`
			borderArgs
			InputDilation starlark.Value `arg:"input_dilation=(1, 1): the stride of the convolution that is transposed"`
			Flip          bool           `arg:"filter_flip=True: whether filters are flipped"`
			dilationArgs
			groupArgs
		}) (*graph.Variable, error) {
			if _, err := pair("input_dilation", a.InputDilation, 1); err != nil {
				return nil, err
			}
			c, err := convolution(layoutArgs{a.borderArgs, a.InputDilation, a.Flip}, a.Dilation, a.groupArgs)
			if err != nil {
				return nil, err
			}
			return inputGradient(g, c, a.Input, a.Filters, "output_shape", a.OutputShape, a.FilterShape)
		}),
	operations.TensorRow("T.nnet.conv2d_grad_wrt_inputs T.nnet.abstract_conv.conv2d_grad_wrt_inputs",
		"The gradient of conv2d with respect to its images, given that with respect to its output.",
		"conv2d_grad_wrt_inputs(np.ones((1, 1, 1, 2)), np.ones((1, 1, 1, 2)), (1, 1, 1, 3)) # array([[[[1., 2., 1.]]]])", func(g *functions.Graph, a *struct {
			OutputGrad  functions.Operand `arg:"output_grad: [images, filters, rows, columns]"`
			Filters     functions.Operand `arg:"filters: [filters, channels of a group, rows, columns]"`
			InputShape  starlark.Value    `arg:"input_shape: the shape of the images; the first two lengths may be None, the last two symbolic"`
			FilterShape starlark.Value    `arg:"filter_shape=None: the shape of filters, as far as it is known"`
			layoutArgs
			dilationArgs
			groupArgs
		}) (*graph.Variable, error) {
			c, err := convolution(a.layoutArgs, a.Dilation, a.groupArgs)
			if err != nil {
				return nil, err
			}
			return inputGradient(g, c, a.OutputGrad, a.Filters, "input_shape", a.InputShape, a.FilterShape)
		}),
	operations.TensorRow("T.nnet.conv2d_grad_wrt_weights T.nnet.abstract_conv.conv2d_grad_wrt_weights",
		"The gradient of conv2d with respect to its filters, given that with respect to its output.",
		"conv2d_grad_wrt_weights(np.ones((1, 1, 1, 3)), np.ones((1, 1, 1, 2)), (1, 1, 1, 2)) # array([[[[2., 2.]]]])", func(g *functions.Graph, a *struct {
			Input       functions.Operand `arg:"input: images, [images, channels, rows, columns]"`
			OutputGrad  functions.Operand `arg:"output_grad: [images, filters, rows, columns]"`
			FilterShape starlark.Value    `arg:"filter_shape: the shape of the filters; the first lengths may be None, the last two symbolic"`
			InputShape  starlark.Value    `arg:"input_shape=None: the shape of input, as far as it is known"`
			layoutArgs
			dilationArgs
			groupArgs
		}) (*graph.Variable, error) {
			c, err := convolution(a.layoutArgs, a.Dilation, a.groupArgs)
			if err != nil {
				return nil, err
			}
			floats(g, &a.Input, &a.OutputGrad)
			x, err := shaped(g.Builder, "input_shape", a.Input.V, a.InputShape)
			if err != nil {
				return nil, err
			}
			rank := 4
			if a.Unshared {
				rank = 6
			}
			all, last, err := lastTwo(g.Builder, "filter_shape", a.FilterShape, rank)
			if err != nil {
				return nil, err
			}
			return known(g.Builder, g.Apply(c.Of(kernels.ConvolutionFilters), append([]*graph.Variable{x, a.OutputGrad.V}, last...)...), all), nil
		}),
	operations.TensorRow("T.nnet.abstract_conv.causal_conv1d",
		"The convolution of signals, [signals, channels, length], with filters, where each place of the result depends on it and what comes before it.",
		"causal_conv1d([[[1.0, 2.0, 3.0]]], [[[1.0, 1.0]]], (1, 1, 2)) # array([[[1., 3., 5.]]])", func(g *functions.Graph, a *struct {
			Input       functions.Operand `arg:"input: [signals, channels, length]"`
			Filters     functions.Operand `arg:"filters: [filters, channels of a group, length]"`
			FilterShape starlark.Value    `arg:"filter_shape: the shape of filters; its last length has to be known"`
			InputShape  starlark.Value    `arg:"input_shape=None: the shape of input, as far as it is known"`
			Subsample   int               `arg:"subsample=1: the stride"`
			Flip        bool              `arg:"filter_flip=True: whether filters are flipped"`
			Dilation    int               `arg:"filter_dilation=1: how far apart the elements of a filter are put"`
			groupArgs
		}) (*graph.Variable, error) {
			return causal(g, &a.Input, &a.Filters, a.FilterShape, a.InputShape, a.Subsample, a.Dilation, a.Flip, a.groupArgs)
		}),
	operations.TensorRow("T.nnet.separable_conv2d T.nnet.abstract_conv.separable_conv2d",
		"A convolution of each channel by itself, and then one with filters of one element over all channels.",
		"separable_conv2d(np.ones((1, 1, 1, 2)), np.ones((2, 1, 1, 2)), np.ones((1, 2, 1, 1)), 1) # array([[[[4.]]]])", func(g *functions.Graph, a *struct {
			Input          functions.Operand `arg:"input: images, [images, channels, rows, columns]"`
			Depthwise      functions.Operand `arg:"depthwise_filters: [filters of all channels, 1, rows, columns]"`
			Pointwise      functions.Operand `arg:"pointwise_filters: [filters, filters of all channels, 1, 1]"`
			Channels       int               `arg:"num_channels: the channels of input"`
			InputShape     starlark.Value    `arg:"input_shape=None: the shape of input, as far as it is known"`
			DepthwiseShape starlark.Value    `arg:"depthwise_filter_shape=None: the shape of depthwise_filters, likewise"`
			PointwiseShape starlark.Value    `arg:"pointwise_filter_shape=None: the shape of pointwise_filters, likewise"`
			layoutArgs
			dilationArgs
		}) (*graph.Variable, error) {
			c, err := convolution(a.layoutArgs, a.Dilation, groupArgs{Groups: a.Channels})
			if err != nil {
				return nil, err
			}
			y, err := convolve(g, a.Input, a.Depthwise, a.InputShape, a.DepthwiseShape, c)
			if err != nil {
				return nil, err
			}
			a.Input.V = y
			point := op.NewConvolution(op.Border{}, op.Pair{}, op.Pair{}, 1, a.Flip, false)
			return convolve(g, a.Input, a.Pointwise, nil, a.PointwiseShape, point)
		}),
}

// validOrFull refuses borders that the older functions do not have.
func validOrFull(v starlark.Value) error {
	if text, ok := starlark.AsString(v); v != nil && (!ok || text != "valid" && text != "full") {
		return fmt.Errorf(`border_mode: got %s, want "valid" or "full"; T.nnet.conv2d has other borders`, v)
	}
	return nil
}

// inputGradient is the gradient of images of a shape.
func inputGradient(g *functions.Graph, c op.Convolution, y, w functions.Operand, param string, shape, wShape starlark.Value) (*graph.Variable, error) {
	floats(g, &y, &w)
	filters, err := shaped(g.Builder, "filter_shape", w.V, wShape)
	if err != nil {
		return nil, err
	}
	all, last, err := lastTwo(g.Builder, param, shape, 4)
	if err != nil {
		return nil, err
	}
	return known(g.Builder, g.Apply(c.Of(kernels.ConvolutionInput), append([]*graph.Variable{filters, y.V}, last...)...), all), nil
}

// causal is a convolution in one dimension with as much border before the signal as filters reach
// back.
func causal(g *functions.Graph, input, filters *functions.Operand, wShape, xShape starlark.Value, stride, dilation int, flip bool,
	group groupArgs) (*graph.Variable, error) {
	floats(g, input, filters)
	b := g.Builder
	for i, x := range []*functions.Operand{input, filters} {
		if x.V.Type.Rank() != 3 {
			return nil, fmt.Errorf("%s: got %v, want 3 dimensions", [...]string{"input", "filters"}[i], x.V.Type)
		}
	}
	x, err := shaped(b, "input_shape", input.V, xShape)
	if err != nil {
		return nil, err
	}
	w, err := shaped(b, "filter_shape", filters.V, wShape)
	if err != nil {
		return nil, err
	}
	n := w.Type.Dim(2)
	if n == graph.Unknown {
		return nil, fmt.Errorf("filter_shape: the length of the filters, axis 2, has to be known: it decides the border; got %v", w.Type)
	}
	if group.Unshared {
		return nil, fmt.Errorf("unshared: got True, want False: filters for each place of a signal are those of T.nnet.conv2d with unshared=True")
	}
	before := dilation * (n - 1)
	layout := layoutArgs{borderArgs{starlark.Tuple{starlark.Tuple{starlark.MakeInt(max(before, 0)), starlark.MakeInt(0)}, starlark.MakeInt(0)}},
		starlark.Tuple{starlark.MakeInt(stride), starlark.MakeInt(1)}, flip}
	c, err := convolution(layout, starlark.Tuple{starlark.MakeInt(dilation), starlark.MakeInt(1)}, group)
	if err != nil {
		return nil, err
	}
	column := func(v *graph.Variable) *graph.Variable { return formula.Permute(b, v, []int{0, 1, 2, tensor.NewAxis}) }
	return formula.Permute(b, g.Apply(c, column(x), column(w)), []int{0, 1, 2}), nil
}
