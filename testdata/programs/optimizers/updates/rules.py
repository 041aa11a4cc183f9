from .base import Rule


class SGD(Rule):
    def step(self, p, g, state, xp):
        return p - self.rate * g, []


class Momentum(Rule):
    slots = ("velocity",)
    momentum = 0.9

    def move(self, v, g):
        return self.momentum * v - self.rate * g

    def step(self, p, g, state, xp):
        v = self.move(state[0], g)
        return p + v, [v]


class Nesterov(Momentum):
    def step(self, p, g, state, xp):
        v = self.move(state[0], g)
        return p + self.momentum * v - self.rate * g, [v]


class AdaGrad(Rule):
    slots = ("sum",)
    epsilon = 1e-6

    def step(self, p, g, state, xp):
        s = state[0] + g ** 2
        return p - self.rate * g / xp.sqrt(s + self.epsilon), [s]


class RMSProp(AdaGrad):
    decay = 0.9

    def step(self, p, g, state, xp):
        s = self.decay * state[0] + (1 - self.decay) * g ** 2
        return p - self.rate * g / xp.sqrt(s + self.epsilon), [s]


class AdaDelta(RMSProp):
    slots = RMSProp.slots + ("delta",)

    def step(self, p, g, state, xp):
        s = self.decay * state[0] + (1 - self.decay) * g ** 2
        move = -xp.sqrt(state[1] + self.epsilon) / xp.sqrt(s + self.epsilon) * g
        return p + self.rate * move, [s, self.decay * state[1] + (1 - self.decay) * move ** 2]


class Adam(Rule):
    slots = ("m", "v", "t")
    b1, b2, epsilon = 0.9, 0.999, 1e-8

    def step(self, p, g, state, xp):
        m, v, t = state
        t = t + 1
        m, v = self.b1 * m + (1 - self.b1) * g, self.b2 * v + (1 - self.b2) * g ** 2
        return p - self.rate * m / (1 - self.b1 ** t) / (xp.sqrt(v / (1 - self.b2 ** t)) + self.epsilon), [m, v, t]
