"""Operations of Theano that programs derive from."""

import theano


class ViewOp(theano.Op):
    """The identity: a base of operations that are to have another gradient, as clipped ones."""

    view_map = {0: [0]}
    __props__ = ()

    def make_node(self, x):
        """The node of x."""
        return theano.Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs):
        """The value itself."""
        outputs[0][0] = inputs[0]

    def infer_shape(self, node, shapes):
        """The shape of x."""
        return shapes

    def grad(self, inputs, output_gradients):
        """The gradient as it comes."""
        return output_gradients
