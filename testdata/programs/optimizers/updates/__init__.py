"""Rules of descent, each a class that makes the updates of theano.function."""
from .base import Rule, total
from .rules import AdaDelta, AdaGrad, Adam, Momentum, Nesterov, RMSProp, SGD

__all__ = ["Rule", "SGD", "Momentum", "Nesterov", "AdaGrad", "AdaDelta", "RMSProp", "Adam", "total"]
