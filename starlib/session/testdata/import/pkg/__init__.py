from . import mlp
from .mlp import Hidden as H
version = "1"
