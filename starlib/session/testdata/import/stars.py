from numpy import *
from utils import *
if LIMIT > 5:
    from math import *
both = identity(sqrt(9.0)) + ones(2).sum()
