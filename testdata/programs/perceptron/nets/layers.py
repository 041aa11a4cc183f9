import numpy as np


class Layer(object):
    """forward() keeps what backward() needs."""

    def forward(self, x):
        raise NotImplementedError

    def backward(self, d):
        raise NotImplementedError

    def step(self, rate):
        pass

    @property
    def state(self):
        return {}

    @state.setter
    def state(self, values):
        for name, v in values.items():
            setattr(self, name, v)

    def __str__(self):
        return type(self).__name__


class Affine(Layer):
    def __init__(self, n_in, n_out, rng=np.random.RandomState(0)):
        self.W = rng.normal(0, 1 / np.sqrt(n_in), size=(n_in, n_out))
        self.b = np.zeros(n_out)

    def forward(self, x):
        self.x = x
        return x.dot(self.W) + self.b

    def backward(self, d):
        self.dW, self.db = self.x.T.dot(d), d.sum(axis=0)
        return d.dot(self.W.T)

    def step(self, rate):
        self.W -= rate * self.dW
        self.b -= rate * self.db

    @property
    def state(self):
        return {"W": self.W, "b": self.b}

    @state.setter
    def state(self, values):
        self.W, self.b = values["W"].copy(), values["b"].copy()

    def __str__(self):
        return "%s(%d, %d)" % ((super(Affine, self).__str__(),) + self.W.shape)


class Elementwise(Layer):
    def forward(self, x):
        self.x = x
        return self.f(x)

    def backward(self, d):
        return d * self.df(self.x)


class Tanh(Elementwise):
    f = staticmethod(np.tanh)

    def df(self, x):
        return 1 - np.tanh(x) ** 2


class Relu(Elementwise):
    @staticmethod
    def f(x):
        return np.maximum(x, 0)

    @staticmethod
    def df(x):
        return (x > 0).astype(x.dtype)


class Sequence(Layer):
    def __init__(self, *layers):
        self.layers = list(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, d):
        for layer in reversed(self.layers):
            d = layer.backward(d)
        return d

    def step(self, rate):
        for layer in self.layers:
            layer.step(rate)

    @property
    def state(self):
        return {"%d.%s" % (i, k): v for i, layer in enumerate(self.layers) for k, v in layer.state.items()}

    @state.setter
    def state(self, values):
        for i, layer in enumerate(self.layers):
            own = {k.split(".")[1]: v for k, v in values.items() if k.startswith("%d." % i)}
            if own:
                layer.state = own

    def __getitem__(self, i):
        return self.layers[i]

    def __len__(self):
        return len(self.layers)

    def __str__(self):
        return " -> ".join(map(str, self))
