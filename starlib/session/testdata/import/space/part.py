here = __file__
