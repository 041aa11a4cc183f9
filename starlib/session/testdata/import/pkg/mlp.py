from .deep.core import base
from . import deep
from ..utils import LIMIT
def Hidden(n): return base(n) + LIMIT
where = __name__
