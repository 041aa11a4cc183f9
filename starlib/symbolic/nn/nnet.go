package nn

import (
	"fmt"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// floats makes floatX of operands that are integers or bools.
func floats(g *functions.Graph, list ...*functions.Operand) {
	for _, x := range list {
		if x.V != nil && !x.V.Type.DType.IsFloat() {
			x.V = g.Apply(op.Cast(g.FloatX), x.V)
		}
	}
}

// activation makes the row of a function of one variable of floats.
func activation(names, doc, example string, build func(b *graph.Builder, x *graph.Variable) *graph.Variable) functions.Function {
	return operations.TensorRow(names, doc, example, func(g *functions.Graph, a *operations.VariableArg) (*graph.Variable, error) {
		floats(g, &a.X)
		return build(g.Builder, a.X.V), nil
	})
}

// softmaxRow makes the row of softmax or its logarithm along the last axis or another.
func softmaxRow(names, doc, example string, log bool) functions.Function {
	return operations.TensorRow(names, doc, example, func(g *functions.Graph, a *struct {
		X    functions.Operand `arg:"x|c: variable, number or array"`
		Axis *int              `arg:"axis=-1: the axis; None for all elements"`
	}) (*graph.Variable, error) {
		floats(g, &a.X)
		return formula.Softmax(g.Builder, a.X.V, a.Axis, log)
	})
}

// rowSoftmax is softmaxRow of Theano's functions, which take a vector for a row.
func rowSoftmax(name, doc, example string, log bool) functions.Function {
	return operations.TensorRow(name, doc, example, func(g *functions.Graph, a *struct {
		X    functions.Operand `arg:"x|c: variable, number or array"`
		Axis *int              `arg:"axis=-1: the axis; None for all elements"`
	}) (*graph.Variable, error) {
		floats(g, &a.X)
		if a.X.V.Type.Rank() == 1 && a.Axis != nil && *a.Axis == -1 {
			row, err := formula.Variable(formula.ExpandDims(formula.Symbolic(g.Builder), a.X.V, []int{0}))
			if err != nil {
				return nil, err
			}
			a.X.V = row
		}
		return formula.Softmax(g.Builder, a.X.V, a.Axis, log)
	})
}

// specialSoftmax is softmaxRow of PyTensor's functions, which take all elements together unless an
// axis is given.
func specialSoftmax(name, doc, example string, log bool) functions.Function {
	return operations.TensorRow(name, doc, example, func(g *functions.Graph, a *struct {
		X    functions.Operand `arg:"c|x: variable, number or array"`
		Axis *int              `arg:"axis=None: the axis; None for all elements"`
	}) (*graph.Variable, error) {
		floats(g, &a.X)
		return formula.Softmax(g.Builder, a.X.V, a.Axis, log)
	})
}

// activationTable is the functions that layers of neural networks apply to each element or row.
var activationTable = []functions.Function{
	softmaxRow("T.softmax", "exp(x) / sum(exp(x)) along an axis, without overflow.", "softmax([0.0, 0.0]) # array([0.5, 0.5])", false),
	softmaxRow("T.logsoftmax", "The logarithm of softmax(x) along an axis, without overflow.", "logsoftmax([0.0]) # array([0.])", true),
	rowSoftmax("T.nnet.softmax", "exp(x) / sum(exp(x)) along an axis, without overflow. That of a vector is a row, of shape (1, n), as in Theano; T.softmax gives a vector.",
		"softmax([0.0, 0.0]) # array([[0.5, 0.5]])", false),
	rowSoftmax("T.nnet.logsoftmax", "The logarithm of softmax(x) along an axis, without overflow. That of a vector is a row, of shape (1, n), as in Theano.",
		"logsoftmax([0.0]) # array([[0.]])", true),
	specialSoftmax("T.special.softmax", "exp(c) / sum(exp(c)) along an axis, or of all elements together, without overflow.",
		"softmax([[0.0, 0.0]]) # array([[0.5, 0.5]])", false),
	specialSoftmax("T.special.log_softmax", "The logarithm of softmax(c) along an axis, or of all elements together, without overflow.",
		"log_softmax([0.0]) # array([0.])", true),
	operations.TensorRow("T.relu T.nnet.relu", "x where it is positive and alpha*x elsewhere.", "relu([-1.0, 2.0]) # array([0., 2.])",
		func(g *functions.Graph, a *struct {
			operations.VariableArg
			Alpha functions.Operand `arg:"alpha=0: the slope of the negative side; a number, or a variable that broadcasts"`
		}) (*graph.Variable, error) {
			slope := a.Alpha.V
			if slope != nil && slope.IsConstant() && slope.Data.Size() == 1 && slope.Data.Floats()[0] == 0 {
				slope = nil
			}
			if slope != nil {
				floats(g, &a.X)
			}
			return formula.Relu(g.Builder, a.X.V, slope), nil
		}),
	operations.TensorRow("T.nnet.elu", "x where it is positive and alpha*(exp(x) - 1) elsewhere.", "elu([0.0, 2.0]) # array([0., 2.])",
		func(g *functions.Graph, a *struct {
			operations.VariableArg
			Alpha functions.Operand `arg:"alpha=1: the height of the negative side"`
		}) (*graph.Variable, error) {
			floats(g, &a.X)
			alpha := a.Alpha.V
			if alpha == nil {
				alpha = g.Like(a.X.V, 1)
			}
			return formula.Elu(g.Builder, a.X.V, alpha), nil
		}),
	activation("T.nnet.selu", "The scaled elu of self-normalizing networks: 1.0507 * elu(x, 1.67326).", "selu([0.0]) # array([0.])", formula.Selu),
	operations.TensorRow("T.nnet.gelu", "x*Phi(x), where Phi is the distribution function of the normal distribution.", "gelu([0.0]) # array([0.])",
		func(g *functions.Graph, a *struct {
			operations.VariableArg
			Approximate bool `arg:"approximate=False: whether to approximate Phi with tanh"`
		}) (*graph.Variable, error) {
			floats(g, &a.X)
			return formula.Gelu(g.Builder, a.X.V, a.Approximate), nil
		}),
	activation("T.nnet.swish T.nnet.silu", "x*sigmoid(x).", "swish([0.0]) # array([0.])", formula.Swish),
	activation("T.nnet.hard_sigmoid", "0.2*x + 0.5, cut to [0, 1].", "hard_sigmoid([0.0, 9.0]) # array([0.5, 1. ])", formula.HardSigmoid),
	activation("T.nnet.ultra_fast_sigmoid", "An approximation of the sigmoid by three pieces, at most 0.03 away from it. Here the sigmoid is as fast.",
		"ultra_fast_sigmoid([0.0]) # array([0.5])", formula.UltraFastSigmoid),
	operations.TensorRow("T.nnet.softmax_with_bias", "softmax(x + b): rows of x, to each of which b is added.", "softmax_with_bias([[0.0, 0.0]], [1.0, 1.0]) # array([[0.5, 0.5]])",
		func(g *functions.Graph, a *biasedArgs) (*graph.Variable, error) {
			floats(g, &a.X, &a.B)
			return formula.Softmax(g.Builder, biased(g.Builder, a.X.V, a.B.V), new(1), false)
		}),
}

type biasedArgs struct {
	operations.VariableArg
	B functions.Operand `arg:"b: a vector"`
}

// biased is x with b added to each row.
func biased(b *graph.Builder, x, bias *graph.Variable) *graph.Variable {
	return b.Apply(op.Add, x, formula.Permute(b, bias, []int{tensor.NewAxis, 0}))
}

// lossTable is the cross-entropies.
var lossTable = []functions.Function{
	operations.TensorRow("T.nnet.binary_crossentropy", "-(target*log(output) + (1 - target)*log(1 - output)), element by element.",
		"binary_crossentropy([0.5], [1.0]) # array([0.69314718])", func(g *functions.Graph, a *struct {
			Output functions.Operand `arg:"output: probabilities"`
			Target functions.Operand `arg:"target: probabilities, or 0 and 1"`
		}) (*graph.Variable, error) {
			floats(g, &a.Output)
			return formula.BinaryCrossentropy(g.Builder, a.Output.V, a.Target.V), nil
		}),
	operations.TensorRow("T.nnet.sigmoid_binary_crossentropy", "binary_crossentropy(sigmoid(output), target), exact where the sigmoid is 0 or 1.",
		"sigmoid_binary_crossentropy([0.0], [1.0]) # array([0.69314718])", func(g *functions.Graph, a *struct {
			Output functions.Operand `arg:"output: what the sigmoid is taken of"`
			Target functions.Operand `arg:"target: probabilities, or 0 and 1"`
		}) (*graph.Variable, error) {
			floats(g, &a.Output)
			return formula.SigmoidBinaryCrossentropy(g.Builder, a.Output.V, a.Target.V), nil
		}),
	operations.TensorRow("T.nnet.categorical_crossentropy",
		"-sum(true_dist*log(coding_dist)) along the last axis or, where true_dist are integer labels of one axis less, -log(coding_dist) at these.",
		"categorical_crossentropy([[0.5, 0.5]], [1]) # array([0.69314718])", func(g *functions.Graph, a *struct {
			Coding functions.Operand  `arg:"coding_dist: probabilities along the last axis"`
			True   functions.Integers `arg:"true_dist: probabilities of the same shape, or integer labels"`
		}) (*graph.Variable, error) {
			floats(g, &a.Coding)
			return formula.CategoricalCrossentropy(g.Builder, a.Coding.V, a.True.V)
		}),
	operations.TensorRow("T.nnet.crossentropy_categorical_1hot", "-log(coding_dist) at integer labels.",
		"crossentropy_categorical_1hot([[0.5, 0.5]], [1]) # array([0.69314718])", func(g *functions.Graph, a *struct {
			Coding functions.Operand  `arg:"coding_dist: probabilities along the last axis"`
			True   functions.Integers `arg:"true_one_of_n: integer labels"`
		}) (*graph.Variable, error) {
			floats(g, &a.Coding)
			if t := a.True.V.Type; t.Rank() == a.Coding.V.Type.Rank() {
				return nil, fmt.Errorf("true_one_of_n: got %v, want integer labels of %d dimensions", t, t.Rank()-1)
			}
			return formula.CategoricalCrossentropy(g.Builder, a.Coding.V, a.True.V)
		}),
	functions.New("T.nnet.crossentropy_softmax_1hot", "The cross-entropy of softmax(x) at integer labels, and softmax(x).",
		"crossentropy_softmax_1hot([[0.0, 0.0]], [1]) # (array([0.69314718]), array([[0.5, 0.5]]))", np.Kinds,
		functions.BuildsTuple(func(g *functions.Graph, a *struct {
			operations.VariableArg
			Y functions.Integers `arg:"y_idx: integer labels"`
		}) ([]*graph.Variable, error) {
			floats(g, &a.X)
			return formula.SoftmaxCrossentropy(g.Builder, a.X.V, a.Y.V)
		})),
	functions.New("T.nnet.crossentropy_softmax_1hot_with_bias", "The cross-entropy of softmax(x + b) at integer labels, and softmax(x + b).",
		"crossentropy_softmax_1hot_with_bias([[0.0, 0.0]], [1.0, 1.0], [1]) # (array([0.69314718]), array([[0.5, 0.5]]))", np.Kinds,
		functions.BuildsTuple(func(g *functions.Graph, a *biasedLossArgs) ([]*graph.Variable, error) {
			floats(g, &a.X, &a.B)
			return formula.SoftmaxCrossentropy(g.Builder, biased(g.Builder, a.X.V, a.B.V), a.Y.V)
		})),
	functions.New("T.nnet.crossentropy_softmax_argmax_1hot_with_bias",
		"The cross-entropy of softmax(x + b) at integer labels, softmax(x + b), and the most probable label of each row.",
		"crossentropy_softmax_argmax_1hot_with_bias([[0.0, 0.0]], [1.0, 1.0], [1]) # (array([0.69314718]), array([[0.5, 0.5]]), array([0]))", np.Kinds,
		functions.BuildsTuple(func(g *functions.Graph, a *biasedLossArgs) ([]*graph.Variable, error) {
			floats(g, &a.X, &a.B)
			x := biased(g.Builder, a.X.V, a.B.V)
			out, err := formula.SoftmaxCrossentropy(g.Builder, x, a.Y.V)
			if err != nil {
				return nil, err
			}
			at := formula.Extreme(g.Builder, x, tensor.AxesOf(1), false, false)
			return append(out, at), nil
		})),
}

type biasedLossArgs struct {
	biasedArgs
	Y functions.Integers `arg:"y_idx: integer labels"`
}

// normalizationTable is batch normalization, and layers that are made of more than one operation.
var normalizationTable = []functions.Function{
	operations.TensorRow("T.nnet.batch_normalization T.nnet.bn.batch_normalization", "(inputs - mean)*(gamma/std) + beta, all of which broadcast.",
		`batch_normalization([3.0], 2.0, 1.0, 1.0, 4.0) # array([2.])`, func(g *functions.Graph, a *struct {
			Inputs functions.Operand `arg:"inputs: variable"`
			Gamma  functions.Operand `arg:"gamma: what to multiply with"`
			Beta   functions.Operand `arg:"beta: what to add"`
			Mean   functions.Operand `arg:"mean: the mean"`
			Std    functions.Operand `arg:"std: the standard deviation"`
			Mode   string            `arg:"mode=\"low_mem\": \"low_mem\" or \"high_mem\", for Theano's sake"`
		}) (*graph.Variable, error) {
			if a.Mode != "low_mem" && a.Mode != "high_mem" {
				return nil, fmt.Errorf("mode: got %q, want low_mem or high_mem", a.Mode)
			}
			floats(g, &a.Inputs)
			return formula.Normalized(g.Builder, a.Inputs.V, a.Gamma.V, a.Beta.V, a.Mean.V, a.Std.V), nil
		}),
	functions.New("T.nnet.batch_normalization_train T.nnet.bn.batch_normalization_train",
		"inputs normalized with their own mean and variance, the mean, and 1/sqrt(variance + epsilon); with running averages these after the batch, too. "+
			"Mean and 1/sqrt have as many axes as gamma.",
		"batch_normalization_train([[1.0], [3.0]], [1.0], [0.0], epsilon=0.0) # (array([[-1.],\n       [ 1.]]), array([2.]), array([1.]))", np.Kinds,
		functions.BuildsTuple(func(g *functions.Graph, a *struct {
			batchArgs
			Epsilon functions.Operand `arg:"epsilon=0.0001: is added to the variance"`
			Factor  functions.Operand `arg:"running_average_factor=0.1: the share of the batch in the running averages"`
			Mean    functions.Operand `arg:"running_mean=None: the running average of means"`
			Var     functions.Operand `arg:"running_var=None: the running average of variances"`
		}) ([]*graph.Variable, error) {
			floats(g, &a.Inputs)
			b, x := g.Builder, a.Inputs.V
			axes, err := a.averaged(x)
			if err != nil {
				return nil, err
			}
			y, mean, invstd, variance, err := formula.BatchNormalization(b, x, a.Gamma.V, a.Beta.V, axes, numberOr(b, x, a.Epsilon, 1e-4))
			if err != nil {
				return nil, err
			}
			out := []*graph.Variable{y, likeRank(b, mean, a.Gamma.V, axes), likeRank(b, invstd, a.Gamma.V, axes)}
			factor := numberOr(b, x, a.Factor, 0.1)
			if old := a.Mean.V; old != nil {
				out = append(out, formula.Running(b, old, likeRank(b, mean, old, axes), factor, x, axes, false))
			}
			if old := a.Var.V; old != nil {
				out = append(out, formula.Running(b, old, likeRank(b, variance, old, axes), factor, x, axes, true))
			}
			return out, nil
		})),
	operations.TensorRow("T.nnet.batch_normalization_test T.nnet.bn.batch_normalization_test", "inputs normalized with a mean and a variance that are given.",
		"batch_normalization_test([[3.0]], [2.0], [1.0], [1.0], [16.0], epsilon=0.0) # array([[2.]])", func(g *functions.Graph, a *struct {
			batchArgs0
			Mean    functions.Operand `arg:"mean: the mean"`
			Var     functions.Operand `arg:"var: the variance"`
			Axes    starlark.Value    `arg:"axes=\"per-activation\": \"per-activation\", \"spatial\", or the axes that are averaged"`
			Epsilon functions.Operand `arg:"epsilon=0.0001: is added to the variance"`
		}) (*graph.Variable, error) {
			floats(g, &a.Inputs)
			axes, err := averagedAxes(a.Axes, a.Inputs.V)
			if err != nil {
				return nil, err
			}
			return formula.Inference(g.Builder, a.Inputs.V, a.Gamma.V, a.Beta.V, a.Mean.V, a.Var.V, axes, numberOr(g.Builder, a.Inputs.V, a.Epsilon, 1e-4))
		}),
	operations.TensorRow("T.nnet.h_softmax", "A softmax in two steps, of classes and of the outputs within one: all probabilities, or those of targets.",
		"h_softmax([[0.0]], 1, 4, 2, 2, [[0.0, 0.0]], [0.0, 0.0], [[[0.0, 0.0]], [[0.0, 0.0]]], [[0.0, 0.0], [0.0, 0.0]], [3]) # array([0.25])",
		func(g *functions.Graph, a *struct {
			X         functions.Operand  `arg:"x: the inputs, [batch, features]"`
			BatchSize functions.Integer  `arg:"batch_size: how many rows x has, for Theano's sake"`
			Outputs   functions.Integer  `arg:"n_outputs: how many outputs there are"`
			Classes   functions.Integer  `arg:"n_classes: how many classes, for Theano's sake"`
			PerClass  functions.Integer  `arg:"n_outputs_per_class: how many outputs a class has"`
			W1        functions.Operand  `arg:"W1: [features, classes]"`
			B1        functions.Operand  `arg:"b1: [classes]"`
			W2        functions.Operand  `arg:"W2: [classes, features, outputs of a class]"`
			B2        functions.Operand  `arg:"b2: [classes, outputs of a class]"`
			Target    functions.Integers `arg:"target=None: a label for each row, or None for all probabilities"`
		}) (*graph.Variable, error) {
			return formula.HierarchicalSoftmax(g.Builder, a.X.V, a.Outputs.V, a.PerClass.V, a.W1.V, a.B1.V, a.W2.V, a.B2.V, a.Target.V)
		}),
}

type (
	batchArgs0 struct {
		Inputs functions.Operand `arg:"inputs: variable"`
		Gamma  functions.Operand `arg:"gamma: what to multiply with, one value for each position that is not averaged"`
		Beta   functions.Operand `arg:"beta: what to add, likewise"`
	}
	batchArgs struct {
		batchArgs0
		Axes starlark.Value `arg:"axes=\"per-activation\": \"per-activation\", \"spatial\", or the axes that are averaged"`
	}
)

func (a *batchArgs) averaged(x *graph.Variable) (tensor.Axes, error) { return averagedAxes(a.Axes, x) }

// averagedAxes reads the axes over which batch normalization averages: the first, or all but the
// second, or those given.
func averagedAxes(v starlark.Value, x *graph.Variable) (tensor.Axes, error) {
	rank := x.Type.Rank()
	switch text, _ := starlark.AsString(v); {
	case v == nil || text == "per-activation":
		return tensor.AxesOf(0).Within(tensor.AllAxes(rank)), nil
	case text == "spatial":
		return tensor.AllAxes(rank).Without(tensor.AxesOf(1)), nil
	case text != "":
		return tensor.Axes{}, fmt.Errorf("axes: got %q, want per-activation, spatial or a tuple of axes", text)
	}
	list, err := value.Ints(v)
	if err != nil {
		return tensor.Axes{}, fmt.Errorf("axes: %w", err)
	}
	return functions.Axes{List: list, Given: true}.Of(rank)
}

// numberOr is an operand or, where there is none, a number of x's type.
func numberOr(b *graph.Builder, x *graph.Variable, o functions.Operand, otherwise float64) *graph.Variable {
	if o.V != nil {
		return o.V
	}
	return b.Like(x, otherwise)
}

// likeRank drops axes of length 1 from v where like lacks them.
func likeRank(b *graph.Builder, v, like *graph.Variable, axes tensor.Axes) *graph.Variable {
	if like.Type.Rank() == v.Type.Rank() {
		return v
	}
	return formula.Squeeze(b, v, axes, true)
}
