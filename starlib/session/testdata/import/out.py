from ..nothing import x
