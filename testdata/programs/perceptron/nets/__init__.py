"""Networks in NumPy: layers, losses, and how they are kept."""
from . import losses
from .layers import Affine, Layer, Relu, Sequence, Tanh
from .store import load, save

__version__ = "0.3"
